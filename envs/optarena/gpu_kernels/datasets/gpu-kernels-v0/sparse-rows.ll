; optarena-kernel: {"kernel":"sparse_rows","cases":{"odd":{"grid":[3,1],"block":[128,1],"arguments":[{"kind":"offsets","count":302,"seed":1,"below":9},{"kind":"i32","count":2709,"seed":2,"below":203},{"kind":"f32","count":2709,"seed":3},{"kind":"f32","count":203,"seed":4},{"kind":"output","count":301,"integers":false},{"kind":"int","value":301}],"bytes":12040,"flops":2408},"even":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"offsets","count":257,"seed":1,"below":17},{"kind":"i32","count":4352,"seed":2,"below":256},{"kind":"f32","count":4352,"seed":3},{"kind":"f32","count":256,"seed":4},{"kind":"output","count":256,"integers":false},{"kind":"int","value":256}],"bytes":18432,"flops":4096},"timed":{"grid":[8192,1],"block":[128,1],"arguments":[{"kind":"offsets","count":1048577,"seed":1,"below":33},{"kind":"i32","count":34603008,"seed":2,"below":262144},{"kind":"f32","count":34603008,"seed":3},{"kind":"f32","count":262144,"seed":4},{"kind":"output","count":1048576,"integers":false},{"kind":"int","value":1048576}],"bytes":142606336,"flops":33554432}}}
; ModuleID = '<string>'
source_filename = "sparse-rows.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sparse_rows(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, ptr noalias noundef %3, ptr noalias noundef %4, i32 noundef %5) #0 {
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.optarena_block, align 1
  %15 = alloca %struct.optarena_block_size, align 1
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca i32, align 4
  %18 = alloca float, align 4
  %19 = alloca i32, align 4
  store ptr %0, ptr %7, align 8, !tbaa !8
  store ptr %1, ptr %8, align 8, !tbaa !8
  store ptr %2, ptr %9, align 8, !tbaa !11
  store ptr %3, ptr %10, align 8, !tbaa !11
  store ptr %4, ptr %11, align 8, !tbaa !11
  store i32 %5, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #3
  %20 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %21 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %22 = mul nsw i32 %20, %21
  %23 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %24 = add nsw i32 %22, %23
  store i32 %24, ptr %13, align 4, !tbaa !4
  %25 = load i32, ptr %13, align 4, !tbaa !4
  %26 = load i32, ptr %12, align 4, !tbaa !4
  %27 = icmp sge i32 %25, %26
  br i1 %27, label %28, label %29

28:                                               ; preds = %6
  store i32 1, ptr %17, align 4
  br label %72

29:                                               ; preds = %6
  call void @llvm.lifetime.start.p0(ptr %18) #3
  store float 0.000000e+00, ptr %18, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %19) #3
  %30 = load ptr, ptr %7, align 8, !tbaa !8
  %31 = load i32, ptr %13, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %30, i64 %32
  %34 = load i32, ptr %33, align 4, !tbaa !4
  store i32 %34, ptr %19, align 4, !tbaa !4
  br label %35

35:                                               ; preds = %63, %29
  %36 = load i32, ptr %19, align 4, !tbaa !4
  %37 = load ptr, ptr %7, align 8, !tbaa !8
  %38 = load i32, ptr %13, align 4, !tbaa !4
  %39 = add nsw i32 %38, 1
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %37, i64 %40
  %42 = load i32, ptr %41, align 4, !tbaa !4
  %43 = icmp slt i32 %36, %42
  br i1 %43, label %45, label %44

44:                                               ; preds = %35
  store i32 2, ptr %17, align 4
  call void @llvm.lifetime.end.p0(ptr %19) #3
  br label %66

45:                                               ; preds = %35
  %46 = load ptr, ptr %9, align 8, !tbaa !11
  %47 = load i32, ptr %19, align 4, !tbaa !4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds float, ptr %46, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !13
  %51 = load ptr, ptr %10, align 8, !tbaa !11
  %52 = load ptr, ptr %8, align 8, !tbaa !8
  %53 = load i32, ptr %19, align 4, !tbaa !4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds i32, ptr %52, i64 %54
  %56 = load i32, ptr %55, align 4, !tbaa !4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %51, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !13
  %60 = fmul contract float %50, %59
  %61 = load float, ptr %18, align 4, !tbaa !13
  %62 = fadd contract float %61, %60
  store float %62, ptr %18, align 4, !tbaa !13
  br label %63

63:                                               ; preds = %45
  %64 = load i32, ptr %19, align 4, !tbaa !4
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr %19, align 4, !tbaa !4
  br label %35, !llvm.loop !15

66:                                               ; preds = %44
  %67 = load float, ptr %18, align 4, !tbaa !13
  %68 = load ptr, ptr %11, align 8, !tbaa !11
  %69 = load i32, ptr %13, align 4, !tbaa !4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %68, i64 %70
  store float %67, ptr %71, align 4, !tbaa !13
  call void @llvm.lifetime.end.p0(ptr %18) #3
  store i32 0, ptr %17, align 4
  br label %72

72:                                               ; preds = %66, %28
  call void @llvm.lifetime.end.p0(ptr %13) #3
  %73 = load i32, ptr %17, align 4
  switch i32 %73, label %75 [
    i32 0, label %74
    i32 1, label %74
  ]

74:                                               ; preds = %72, %72
  ret void

75:                                               ; preds = %72
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

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
!9 = !{!"p1 int", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"p1 float", !10, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !6, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
