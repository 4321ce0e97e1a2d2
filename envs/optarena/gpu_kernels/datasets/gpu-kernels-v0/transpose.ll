; optarena-kernel: {"kernel":"transpose","cases":{"odd":{"grid":[3,2],"block":[32,8],"arguments":[{"kind":"f32","count":3150,"seed":1},{"kind":"output","count":3150,"integers":false},{"kind":"int","value":45},{"kind":"int","value":70}],"bytes":25200,"flops":0},"even":{"grid":[2,2],"block":[32,8],"arguments":[{"kind":"f32","count":4096,"seed":1},{"kind":"output","count":4096,"integers":false},{"kind":"int","value":64},{"kind":"int","value":64}],"bytes":32768,"flops":0},"timed":{"grid":[128,256],"block":[32,8],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":8192},{"kind":"int","value":4096}],"bytes":268435456,"flops":0}}}
; ModuleID = '<string>'
source_filename = "transpose.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ9transposeE4tile = internal addrspace(3) global [32 x [33 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @transpose(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca %struct.optarena_thread, align 1
  %12 = alloca i32, align 4
  %13 = alloca %struct.optarena_block, align 1
  %14 = alloca %struct.optarena_thread, align 1
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca %struct.optarena_block, align 1
  %18 = alloca %struct.optarena_block, align 1
  %19 = alloca %struct.optarena_thread, align 1
  %20 = alloca i32, align 4
  %21 = alloca %struct.optarena_thread, align 1
  %22 = alloca %struct.optarena_block, align 1
  %23 = alloca %struct.optarena_thread, align 1
  %24 = alloca %struct.optarena_block, align 1
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %25 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %26 = mul nsw i32 %25, 32
  %27 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %28 = add nsw i32 %26, %27
  store i32 %28, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %12) #4
  %29 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %30 = mul nsw i32 %29, 32
  %31 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %32 = add nsw i32 %30, %31
  store i32 %32, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %33 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  store i32 %33, ptr %15, align 4, !tbaa !4
  br label %34

34:                                               ; preds = %69, %4
  %35 = load i32, ptr %15, align 4, !tbaa !4
  %36 = icmp slt i32 %35, 32
  br i1 %36, label %38, label %37

37:                                               ; preds = %34
  call void @llvm.lifetime.end.p0(ptr %15) #4
  br label %72

38:                                               ; preds = %34
  %39 = load i32, ptr %9, align 4, !tbaa !4
  %40 = load i32, ptr %8, align 4, !tbaa !4
  %41 = icmp slt i32 %39, %40
  br i1 %41, label %42, label %68

42:                                               ; preds = %38
  %43 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %44 = mul nsw i32 %43, 32
  %45 = load i32, ptr %15, align 4, !tbaa !4
  %46 = add nsw i32 %44, %45
  %47 = load i32, ptr %7, align 4, !tbaa !4
  %48 = icmp slt i32 %46, %47
  br i1 %48, label %49, label %68

49:                                               ; preds = %42
  %50 = load ptr, ptr %5, align 8, !tbaa !8
  %51 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %52 = mul nsw i32 %51, 32
  %53 = load i32, ptr %15, align 4, !tbaa !4
  %54 = add nsw i32 %52, %53
  %55 = load i32, ptr %8, align 4, !tbaa !4
  %56 = mul nsw i32 %54, %55
  %57 = load i32, ptr %9, align 4, !tbaa !4
  %58 = add nsw i32 %56, %57
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds float, ptr %50, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !11
  %62 = load i32, ptr %15, align 4, !tbaa !4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [32 x [33 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeE4tile to ptr), i64 0, i64 %63
  %65 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [33 x float], ptr %64, i64 0, i64 %66
  store float %61, ptr %67, align 4, !tbaa !11
  br label %68

68:                                               ; preds = %49, %42, %38
  br label %69

69:                                               ; preds = %68
  %70 = load i32, ptr %15, align 4, !tbaa !4
  %71 = add nsw i32 %70, 8
  store i32 %71, ptr %15, align 4, !tbaa !4
  br label %34, !llvm.loop !13

72:                                               ; preds = %37
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %20) #4
  %73 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  store i32 %73, ptr %20, align 4, !tbaa !4
  br label %74

74:                                               ; preds = %109, %72
  %75 = load i32, ptr %20, align 4, !tbaa !4
  %76 = icmp slt i32 %75, 32
  br i1 %76, label %78, label %77

77:                                               ; preds = %74
  call void @llvm.lifetime.end.p0(ptr %20) #4
  br label %112

78:                                               ; preds = %74
  %79 = load i32, ptr %12, align 4, !tbaa !4
  %80 = load i32, ptr %7, align 4, !tbaa !4
  %81 = icmp slt i32 %79, %80
  br i1 %81, label %82, label %108

82:                                               ; preds = %78
  %83 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %84 = mul nsw i32 %83, 32
  %85 = load i32, ptr %20, align 4, !tbaa !4
  %86 = add nsw i32 %84, %85
  %87 = load i32, ptr %8, align 4, !tbaa !4
  %88 = icmp slt i32 %86, %87
  br i1 %88, label %89, label %108

89:                                               ; preds = %82
  %90 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [32 x [33 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeE4tile to ptr), i64 0, i64 %91
  %93 = load i32, ptr %20, align 4, !tbaa !4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [33 x float], ptr %92, i64 0, i64 %94
  %96 = load float, ptr %95, align 4, !tbaa !11
  %97 = load ptr, ptr %6, align 8, !tbaa !8
  %98 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %99 = mul nsw i32 %98, 32
  %100 = load i32, ptr %20, align 4, !tbaa !4
  %101 = add nsw i32 %99, %100
  %102 = load i32, ptr %7, align 4, !tbaa !4
  %103 = mul nsw i32 %101, %102
  %104 = load i32, ptr %12, align 4, !tbaa !4
  %105 = add nsw i32 %103, %104
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds float, ptr %97, i64 %106
  store float %96, ptr %107, align 4, !tbaa !11
  br label %108

108:                                              ; preds = %89, %82, %78
  br label %109

109:                                              ; preds = %108
  %110 = load i32, ptr %20, align 4, !tbaa !4
  %111 = add nsw i32 %110, 8
  store i32 %111, ptr %20, align 4, !tbaa !4
  br label %74, !llvm.loop !15

112:                                              ; preds = %77
  call void @llvm.lifetime.end.p0(ptr %12) #4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Karellen, Inc. (https://karellen.co) v22.1.8 clang version 22.1.8 (https://github.com/llvm/llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !14}
