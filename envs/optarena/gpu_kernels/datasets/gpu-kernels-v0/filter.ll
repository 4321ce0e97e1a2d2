; optarena-kernel: {"kernel":"filter","cases":{"odd":{"grid":[5,1],"block":[128,1],"arguments":[{"kind":"f32","count":5003,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":5003,"integers":false},{"kind":"int","value":5003}],"bytes":40120,"flops":240144},"even":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":2048,"integers":false},{"kind":"int","value":2048}],"bytes":16480,"flops":98304},"timed":{"grid":[32768,1],"block":[128,1],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":33554432}],"bytes":268435552,"flops":1610612736}}}
; ModuleID = '<string>'
source_filename = "filter.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @filter(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca %struct.optarena_block_size, align 1
  %12 = alloca %struct.optarena_thread, align 1
  %13 = alloca i32, align 4
  %14 = alloca [31 x float], align 4
  %15 = alloca [24 x float], align 4
  %16 = alloca [8 x float], align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #3
  %23 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %24 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = mul nsw i32 %23, %24
  %26 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %27 = add nsw i32 %25, %26
  %28 = mul nsw i32 %27, 8
  store i32 %28, ptr %9, align 4, !tbaa !4
  %29 = load i32, ptr %9, align 4, !tbaa !4
  %30 = load i32, ptr %8, align 4, !tbaa !4
  %31 = icmp sge i32 %29, %30
  br i1 %31, label %32, label %33

32:                                               ; preds = %4
  store i32 1, ptr %13, align 4
  br label %151

33:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %14) #3
  call void @llvm.lifetime.start.p0(ptr %15) #3
  call void @llvm.lifetime.start.p0(ptr %16) #3
  call void @llvm.lifetime.start.p0(ptr %17) #3
  store i32 0, ptr %17, align 4, !tbaa !4
  br label %34

34:                                               ; preds = %58, %33
  %35 = load i32, ptr %17, align 4, !tbaa !4
  %36 = icmp slt i32 %35, 31
  br i1 %36, label %38, label %37

37:                                               ; preds = %34
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %17) #3
  br label %61

38:                                               ; preds = %34
  %39 = load i32, ptr %9, align 4, !tbaa !4
  %40 = load i32, ptr %17, align 4, !tbaa !4
  %41 = add nsw i32 %39, %40
  %42 = load i32, ptr %8, align 4, !tbaa !4
  %43 = icmp slt i32 %41, %42
  br i1 %43, label %44, label %52

44:                                               ; preds = %38
  %45 = load ptr, ptr %5, align 8, !tbaa !8
  %46 = load i32, ptr %9, align 4, !tbaa !4
  %47 = load i32, ptr %17, align 4, !tbaa !4
  %48 = add nsw i32 %46, %47
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds float, ptr %45, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !11
  br label %53

52:                                               ; preds = %38
  br label %53

53:                                               ; preds = %52, %44
  %54 = phi contract float [ %51, %44 ], [ 0.000000e+00, %52 ]
  %55 = load i32, ptr %17, align 4, !tbaa !4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [31 x float], ptr %14, i64 0, i64 %56
  store float %54, ptr %57, align 4, !tbaa !11
  br label %58

58:                                               ; preds = %53
  %59 = load i32, ptr %17, align 4, !tbaa !4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %17, align 4, !tbaa !4
  br label %34, !llvm.loop !13

61:                                               ; preds = %37
  call void @llvm.lifetime.start.p0(ptr %18) #3
  store i32 0, ptr %18, align 4, !tbaa !4
  br label %62

62:                                               ; preds = %75, %61
  %63 = load i32, ptr %18, align 4, !tbaa !4
  %64 = icmp slt i32 %63, 24
  br i1 %64, label %66, label %65

65:                                               ; preds = %62
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %18) #3
  br label %78

66:                                               ; preds = %62
  %67 = load ptr, ptr %6, align 8, !tbaa !8
  %68 = load i32, ptr %18, align 4, !tbaa !4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %67, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !11
  %72 = load i32, ptr %18, align 4, !tbaa !4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [24 x float], ptr %15, i64 0, i64 %73
  store float %71, ptr %74, align 4, !tbaa !11
  br label %75

75:                                               ; preds = %66
  %76 = load i32, ptr %18, align 4, !tbaa !4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %18, align 4, !tbaa !4
  br label %62, !llvm.loop !15

78:                                               ; preds = %65
  call void @llvm.lifetime.start.p0(ptr %19) #3
  store i32 0, ptr %19, align 4, !tbaa !4
  br label %79

79:                                               ; preds = %87, %78
  %80 = load i32, ptr %19, align 4, !tbaa !4
  %81 = icmp slt i32 %80, 8
  br i1 %81, label %83, label %82

82:                                               ; preds = %79
  store i32 8, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %19) #3
  br label %90

83:                                               ; preds = %79
  %84 = load i32, ptr %19, align 4, !tbaa !4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %85
  store float 0.000000e+00, ptr %86, align 4, !tbaa !11
  br label %87

87:                                               ; preds = %83
  %88 = load i32, ptr %19, align 4, !tbaa !4
  %89 = add nsw i32 %88, 1
  store i32 %89, ptr %19, align 4, !tbaa !4
  br label %79, !llvm.loop !16

90:                                               ; preds = %82
  call void @llvm.lifetime.start.p0(ptr %20) #3
  store i32 0, ptr %20, align 4, !tbaa !4
  br label %91

91:                                               ; preds = %121, %90
  %92 = load i32, ptr %20, align 4, !tbaa !4
  %93 = icmp slt i32 %92, 24
  br i1 %93, label %95, label %94

94:                                               ; preds = %91
  store i32 11, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %20) #3
  br label %124

95:                                               ; preds = %91
  call void @llvm.lifetime.start.p0(ptr %21) #3
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %96

96:                                               ; preds = %117, %95
  %97 = load i32, ptr %21, align 4, !tbaa !4
  %98 = icmp slt i32 %97, 8
  br i1 %98, label %100, label %99

99:                                               ; preds = %96
  store i32 14, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %21) #3
  br label %120

100:                                              ; preds = %96
  %101 = load i32, ptr %20, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [24 x float], ptr %15, i64 0, i64 %102
  %104 = load float, ptr %103, align 4, !tbaa !11
  %105 = load i32, ptr %20, align 4, !tbaa !4
  %106 = load i32, ptr %21, align 4, !tbaa !4
  %107 = add nsw i32 %105, %106
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [31 x float], ptr %14, i64 0, i64 %108
  %110 = load float, ptr %109, align 4, !tbaa !11
  %111 = fmul contract float %104, %110
  %112 = load i32, ptr %21, align 4, !tbaa !4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %113
  %115 = load float, ptr %114, align 4, !tbaa !11
  %116 = fadd contract float %115, %111
  store float %116, ptr %114, align 4, !tbaa !11
  br label %117

117:                                              ; preds = %100
  %118 = load i32, ptr %21, align 4, !tbaa !4
  %119 = add nsw i32 %118, 1
  store i32 %119, ptr %21, align 4, !tbaa !4
  br label %96, !llvm.loop !17

120:                                              ; preds = %99
  br label %121

121:                                              ; preds = %120
  %122 = load i32, ptr %20, align 4, !tbaa !4
  %123 = add nsw i32 %122, 1
  store i32 %123, ptr %20, align 4, !tbaa !4
  br label %91, !llvm.loop !18

124:                                              ; preds = %94
  call void @llvm.lifetime.start.p0(ptr %22) #3
  store i32 0, ptr %22, align 4, !tbaa !4
  br label %125

125:                                              ; preds = %147, %124
  %126 = load i32, ptr %22, align 4, !tbaa !4
  %127 = icmp slt i32 %126, 8
  br i1 %127, label %129, label %128

128:                                              ; preds = %125
  store i32 17, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #3
  br label %150

129:                                              ; preds = %125
  %130 = load i32, ptr %9, align 4, !tbaa !4
  %131 = load i32, ptr %22, align 4, !tbaa !4
  %132 = add nsw i32 %130, %131
  %133 = load i32, ptr %8, align 4, !tbaa !4
  %134 = icmp slt i32 %132, %133
  br i1 %134, label %135, label %146

135:                                              ; preds = %129
  %136 = load i32, ptr %22, align 4, !tbaa !4
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %137
  %139 = load float, ptr %138, align 4, !tbaa !11
  %140 = load ptr, ptr %7, align 8, !tbaa !8
  %141 = load i32, ptr %9, align 4, !tbaa !4
  %142 = load i32, ptr %22, align 4, !tbaa !4
  %143 = add nsw i32 %141, %142
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds float, ptr %140, i64 %144
  store float %139, ptr %145, align 4, !tbaa !11
  br label %146

146:                                              ; preds = %135, %129
  br label %147

147:                                              ; preds = %146
  %148 = load i32, ptr %22, align 4, !tbaa !4
  %149 = add nsw i32 %148, 1
  store i32 %149, ptr %22, align 4, !tbaa !4
  br label %125, !llvm.loop !19

150:                                              ; preds = %128
  call void @llvm.lifetime.end.p0(ptr %16) #3
  call void @llvm.lifetime.end.p0(ptr %15) #3
  call void @llvm.lifetime.end.p0(ptr %14) #3
  store i32 0, ptr %13, align 4
  br label %151

151:                                              ; preds = %150, %32
  call void @llvm.lifetime.end.p0(ptr %9) #3
  %152 = load i32, ptr %13, align 4
  switch i32 %152, label %154 [
    i32 0, label %153
    i32 1, label %153
  ]

153:                                              ; preds = %151, %151
  ret void

154:                                              ; preds = %151
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

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="1024" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !14}
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !14}
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !14}
