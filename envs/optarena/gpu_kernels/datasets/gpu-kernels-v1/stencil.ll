; optarena-kernel: {"kernel":"stencil","cases":{"odd":{"grid":[2,5],"block":[32,8],"arguments":[{"kind":"f32","count":1485,"seed":1},{"kind":"f32","count":9,"seed":2},{"kind":"output","count":1485,"integers":false},{"kind":"int","value":45},{"kind":"int","value":33}],"bytes":11916,"flops":26730},"even":{"grid":[2,2],"block":[32,8],"arguments":[{"kind":"f32","count":1024,"seed":1},{"kind":"f32","count":9,"seed":2},{"kind":"output","count":1024,"integers":false},{"kind":"int","value":64},{"kind":"int","value":16}],"bytes":8228,"flops":18432},"timed":{"grid":[256,512],"block":[32,8],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":9,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":8192},{"kind":"int","value":4096}],"bytes":268435492,"flops":603979776}}}
; ModuleID = '<string>'
source_filename = "stencil.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @stencil(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca %struct.optarena_block, align 1
  %13 = alloca %struct.optarena_block_size, align 1
  %14 = alloca %struct.optarena_thread, align 1
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_block, align 1
  %17 = alloca %struct.optarena_block_size, align 1
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca i32, align 4
  %20 = alloca [9 x float], align 4
  %21 = alloca i32, align 4
  %22 = alloca float, align 4
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  store ptr %0, ptr %6, align 8, !tbaa !8
  store ptr %1, ptr %7, align 8, !tbaa !8
  store ptr %2, ptr %8, align 8, !tbaa !8
  store i32 %3, ptr %9, align 4, !tbaa !4
  store i32 %4, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #4
  %25 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %26 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %27 = mul nsw i32 %25, %26
  %28 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %29 = add nsw i32 %27, %28
  store i32 %29, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %30 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %31 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %32 = mul nsw i32 %30, %31
  %33 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %34 = add nsw i32 %32, %33
  store i32 %34, ptr %15, align 4, !tbaa !4
  %35 = load i32, ptr %11, align 4, !tbaa !4
  %36 = load i32, ptr %9, align 4, !tbaa !4
  %37 = icmp sge i32 %35, %36
  br i1 %37, label %42, label %38

38:                                               ; preds = %5
  %39 = load i32, ptr %15, align 4, !tbaa !4
  %40 = load i32, ptr %10, align 4, !tbaa !4
  %41 = icmp sge i32 %39, %40
  br i1 %41, label %42, label %43

42:                                               ; preds = %38, %5
  store i32 1, ptr %19, align 4
  br label %117

43:                                               ; preds = %38
  call void @llvm.lifetime.start.p0(ptr %20) #4
  call void @llvm.lifetime.start.p0(ptr %21) #4
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %44

44:                                               ; preds = %57, %43
  %45 = load i32, ptr %21, align 4, !tbaa !4
  %46 = icmp slt i32 %45, 9
  br i1 %46, label %48, label %47

47:                                               ; preds = %44
  store i32 2, ptr %19, align 4
  call void @llvm.lifetime.end.p0(ptr %21) #4
  br label %60

48:                                               ; preds = %44
  %49 = load ptr, ptr %7, align 8, !tbaa !8
  %50 = load i32, ptr %21, align 4, !tbaa !4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %49, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !11
  %54 = load i32, ptr %21, align 4, !tbaa !4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [9 x float], ptr %20, i64 0, i64 %55
  store float %53, ptr %56, align 4, !tbaa !11
  br label %57

57:                                               ; preds = %48
  %58 = load i32, ptr %21, align 4, !tbaa !4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %21, align 4, !tbaa !4
  br label %44, !llvm.loop !13

60:                                               ; preds = %47
  call void @llvm.lifetime.start.p0(ptr %22) #4
  store float 0.000000e+00, ptr %22, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %23) #4
  store i32 -1, ptr %23, align 4, !tbaa !4
  br label %61

61:                                               ; preds = %104, %60
  %62 = load i32, ptr %23, align 4, !tbaa !4
  %63 = icmp sle i32 %62, 1
  br i1 %63, label %65, label %64

64:                                               ; preds = %61
  store i32 5, ptr %19, align 4
  call void @llvm.lifetime.end.p0(ptr %23) #4
  br label %107

65:                                               ; preds = %61
  call void @llvm.lifetime.start.p0(ptr %24) #4
  store i32 -1, ptr %24, align 4, !tbaa !4
  br label %66

66:                                               ; preds = %100, %65
  %67 = load i32, ptr %24, align 4, !tbaa !4
  %68 = icmp sle i32 %67, 1
  br i1 %68, label %70, label %69

69:                                               ; preds = %66
  store i32 8, ptr %19, align 4
  call void @llvm.lifetime.end.p0(ptr %24) #4
  br label %103

70:                                               ; preds = %66
  %71 = load i32, ptr %23, align 4, !tbaa !4
  %72 = add nsw i32 %71, 1
  %73 = mul nsw i32 3, %72
  %74 = load i32, ptr %24, align 4, !tbaa !4
  %75 = add nsw i32 %73, %74
  %76 = add nsw i32 %75, 1
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [9 x float], ptr %20, i64 0, i64 %77
  %79 = load float, ptr %78, align 4, !tbaa !11
  %80 = load ptr, ptr %6, align 8, !tbaa !8
  %81 = load i32, ptr %15, align 4, !tbaa !4
  %82 = load i32, ptr %23, align 4, !tbaa !4
  %83 = add nsw i32 %81, %82
  %84 = load i32, ptr %10, align 4, !tbaa !4
  %85 = call noundef i32 @_ZL7clampedii(i32 noundef %83, i32 noundef %84) #5
  %86 = load i32, ptr %9, align 4, !tbaa !4
  %87 = mul nsw i32 %85, %86
  %88 = load i32, ptr %11, align 4, !tbaa !4
  %89 = load i32, ptr %24, align 4, !tbaa !4
  %90 = add nsw i32 %88, %89
  %91 = load i32, ptr %9, align 4, !tbaa !4
  %92 = call noundef i32 @_ZL7clampedii(i32 noundef %90, i32 noundef %91) #5
  %93 = add nsw i32 %87, %92
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds float, ptr %80, i64 %94
  %96 = load float, ptr %95, align 4, !tbaa !11
  %97 = fmul contract float %79, %96
  %98 = load float, ptr %22, align 4, !tbaa !11
  %99 = fadd contract float %98, %97
  store float %99, ptr %22, align 4, !tbaa !11
  br label %100

100:                                              ; preds = %70
  %101 = load i32, ptr %24, align 4, !tbaa !4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %24, align 4, !tbaa !4
  br label %66, !llvm.loop !15

103:                                              ; preds = %69
  br label %104

104:                                              ; preds = %103
  %105 = load i32, ptr %23, align 4, !tbaa !4
  %106 = add nsw i32 %105, 1
  store i32 %106, ptr %23, align 4, !tbaa !4
  br label %61, !llvm.loop !16

107:                                              ; preds = %64
  %108 = load float, ptr %22, align 4, !tbaa !11
  %109 = load ptr, ptr %8, align 8, !tbaa !8
  %110 = load i32, ptr %15, align 4, !tbaa !4
  %111 = load i32, ptr %9, align 4, !tbaa !4
  %112 = mul nsw i32 %110, %111
  %113 = load i32, ptr %11, align 4, !tbaa !4
  %114 = add nsw i32 %112, %113
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds float, ptr %109, i64 %115
  store float %108, ptr %116, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %22) #4
  call void @llvm.lifetime.end.p0(ptr %20) #4
  store i32 0, ptr %19, align 4
  br label %117

117:                                              ; preds = %107, %42
  call void @llvm.lifetime.end.p0(ptr %15) #4
  call void @llvm.lifetime.end.p0(ptr %11) #4
  %118 = load i32, ptr %19, align 4
  switch i32 %118, label %120 [
    i32 0, label %119
    i32 1, label %119
  ]

119:                                              ; preds = %117, %117
  ret void

120:                                              ; preds = %117
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress nounwind
define internal noundef i32 @_ZL7clampedii(i32 noundef %0, i32 noundef %1) #2 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !4
  store i32 %1, ptr %4, align 4, !tbaa !4
  %5 = load i32, ptr %3, align 4, !tbaa !4
  %6 = icmp slt i32 %5, 0
  br i1 %6, label %7, label %8

7:                                                ; preds = %2
  br label %19

8:                                                ; preds = %2
  %9 = load i32, ptr %3, align 4, !tbaa !4
  %10 = load i32, ptr %4, align 4, !tbaa !4
  %11 = icmp sge i32 %9, %10
  br i1 %11, label %12, label %15

12:                                               ; preds = %8
  %13 = load i32, ptr %4, align 4, !tbaa !4
  %14 = sub nsw i32 %13, 1
  br label %17

15:                                               ; preds = %8
  %16 = load i32, ptr %3, align 4, !tbaa !4
  br label %17

17:                                               ; preds = %15, %12
  %18 = phi i32 [ %14, %12 ], [ %16, %15 ]
  br label %19

19:                                               ; preds = %17, %7
  %20 = phi i32 [ 0, %7 ], [ %18, %17 ]
  ret i32 %20
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }

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
; optarena-nvcc: eNrtWEtvG1UUPvOwPXFczzhxEjupyaQkKBWt49IobXfpCxKJUARSF5UqM06cOqpfGk8iu61EHFBVsWjZskNIoP6EdlNVoqqirtggITagqgvEqiCEWJQO5z7m4bFdCkIIpB7p5tzvvO+5d65n8v7pN18XBeG4AoxEuAMCePQ4wXguzrh8DsKLcBRCsAgqscw2Sg3LtIwCzhzeqvh4vlGqrjUhW61ZxWx1K2td3Kiu1zy8usnxVtadrNYqdcOCrFVsWhi2WF3dKLsWHYJGyTCLa71EZrFRNLdwkoPsWrGweSG/bhqVIqCi3CUwOiWkBKNcvmAa9RJFdbNm1axWnetq1YZlVK2cm/d56b/XLadN71aKlWxtfb1RtHJ92pjPV7fyrv3K6ZU8s8/n8kZ5w2j8o3321/gX+r0fh4SnM0jHqDzcJT9P5bEu+Q0cUz4sc34Hh/7pni7772gcuUuuCkQe7ZK/ivIhzZeXl3aY2se77G2kad+cEOa7Qrgaa29vz4Jit7dnFTplNgf6NYnnkufxD/OVU/yhJxV9jOOrCMBbZ5dPLR/XT9bMOt4LjIgZqmABx3tEULeauPMnN9cMnZzDjbJhbdSqulWrlRsHdNzyotEo6ocOZ3MH9LOEZY8ehRObG+U1fRWd8lRkkr9zzL9oZg8vzL82f+TQfD4HB7d0/aBhrpb0RiV/LKcfrOgL8zqrk9xZP0jBOs/BDlnbnEL1Opkn2JyuecibiwM4RAHEUAikiCCIGEsMCyAPKt6+H5FZvLEYPwd76aXoYAlSHVgEDfGUiwWSzYfZpToF0tvoO2GDlBcEea8Cd8kdi8dWSusgRxXA0kATcb4gu/WSPSX8Kee/c/4E+Sn3/gZQ4Plp57Jg0+NJnB6qkG5pTPEKua3iqJdt+AjnxKYQh9uX+Bnn9rcvhdihcP0lpt9HRhwx/wGZwfEZwTzxFMPTVzSNPK2SeF2FB5MQM4HieuGxBA/nUJ9I0IxUf4boKa6v1wG+VWFlwFnJtgQ/qlhv2IYPeb2YX2umE6Q8+3s7wupF7x2uRxxrgiY4+R6pMsZP0/iFXwhGf9Dow8b9dy6LNlz1+oH+Ceb/M/XXmoMJ1/6eChETczslPiJ4cJDhbWDxFc2tD/GSucemHROe0nzT5hi9VQbF6wQrJB8JXy/8yuqbTcv++qbNEWq/h9mTfimsn79JBM80R8eIPkz1k1hPOs3rEUi9S2bU1nz5Z5rJEc9ehXZrWKT78clLMfgii/kmaL400T9SlXYLRl092V9TjfrqB21JCfnrnWmOT3TGTyZd/4e0vxpbL+7PPbK+gah/fe3W0Lhrv0/AeHHVF0+LmBnF3/92KyTKCrefJXhElGUv30xTGXD97xP9aNyNX5AwfzTqX++0Gcv419dujYlyzLEn62P2XjxF8eKR9Yxn3PXcn0T9hChrfv9YrNOfxfP8Mxm3HqpPiXLS7x8f9/znUM/iefpwpjN+WpRTXF8iOO6tn+IBUd7rx+Fwpz4jyrq/voRG9AkSH/fvZXMYhoE/E7tnCE6O4HSY7s8NfL6SNlzjz9d0HPWhoZCj31UFxKNjOA0xLCJWJjxM7KOpThxLO5idZ3p/JEk9u5NEHx/otA9nHPxAhastSJK5nMYfa/RfaXXeN2+0ntD717Y/kOCuCqmW73L9H+AX9IL+TRLoO1M3LXIeEbrt/TTYx7/KDZf/xH+YvyMF6RYXPva9R0V971Ipzj/vEZPQTV5UCZ6dfz9/fw6WofHXqpsBe7nHd0yE9asj9C1uqHMc4rUH/ZcZqwfr/4YbOt8YUp/87+C42sP/ScC/X/0Xef7FgFznn2zXfPljPfy/Zj3tyn8z1Ln+YP3OPn7JZcH8u6HOfZa4XXD/z/M9Dff5pnK4xH23e3xXKr3OcKz/8+Knn7jsRB//nNgpknuUKfv+rxMk5zvQ4Yqvjr/rF4JeDevdN79f+Bl9CVKwzn5+Tn8c7vj9ATP1YBM=
