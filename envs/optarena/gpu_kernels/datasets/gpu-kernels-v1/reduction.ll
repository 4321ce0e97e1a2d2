; optarena-kernel: {"kernel":"reduction","cases":{"odd":{"grid":[5,1],"block":[256,1],"arguments":[{"kind":"f32","count":4999,"seed":1},{"kind":"output","count":5,"integers":false},{"kind":"int","value":4999},{"kind":"int","value":5}],"bytes":20016,"flops":4999},"even":{"grid":[2,1],"block":[256,1],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"output","count":2,"integers":false},{"kind":"int","value":2048},{"kind":"int","value":2}],"bytes":8200,"flops":2048},"timed":{"grid":[1056,1],"block":[256,1],"arguments":[{"kind":"f32","count":67108864,"seed":1},{"kind":"output","count":1056,"integers":false},{"kind":"int","value":67108864},{"kind":"int","value":1056}],"bytes":268439680,"flops":67108864}}}
; ModuleID = '<string>'
source_filename = "reduction.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ9reductionE4part = internal addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @reduction(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca float, align 4
  %10 = alloca i32, align 4
  %11 = alloca %struct.optarena_block, align 1
  %12 = alloca %struct.optarena_thread, align 1
  %13 = alloca %struct.optarena_thread, align 1
  %14 = alloca i32, align 4
  %15 = alloca %struct.optarena_thread, align 1
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca %struct.optarena_thread, align 1
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca %struct.optarena_block, align 1
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  store float 0.000000e+00, ptr %9, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %10) #4
  %20 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %21 = mul nsw i32 %20, 256
  %22 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = add nsw i32 %21, %22
  store i32 %23, ptr %10, align 4, !tbaa !4
  br label %24

24:                                               ; preds = %37, %4
  %25 = load i32, ptr %10, align 4, !tbaa !4
  %26 = load i32, ptr %7, align 4, !tbaa !4
  %27 = icmp slt i32 %25, %26
  br i1 %27, label %29, label %28

28:                                               ; preds = %24
  call void @llvm.lifetime.end.p0(ptr %10) #4
  br label %42

29:                                               ; preds = %24
  %30 = load ptr, ptr %5, align 8, !tbaa !8
  %31 = load i32, ptr %10, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds float, ptr %30, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !11
  %35 = load float, ptr %9, align 4, !tbaa !11
  %36 = fadd contract float %35, %34
  store float %36, ptr %9, align 4, !tbaa !11
  br label %37

37:                                               ; preds = %29
  %38 = load i32, ptr %8, align 4, !tbaa !4
  %39 = mul nsw i32 %38, 256
  %40 = load i32, ptr %10, align 4, !tbaa !4
  %41 = add nsw i32 %40, %39
  store i32 %41, ptr %10, align 4, !tbaa !4
  br label %24, !llvm.loop !13

42:                                               ; preds = %28
  %43 = load float, ptr %9, align 4, !tbaa !11
  %44 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ9reductionE4part to ptr), i64 0, i64 %45
  store float %43, ptr %46, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %14) #4
  store i32 128, ptr %14, align 4, !tbaa !4
  br label %47

47:                                               ; preds = %68, %42
  %48 = load i32, ptr %14, align 4, !tbaa !4
  %49 = icmp sgt i32 %48, 0
  br i1 %49, label %51, label %50

50:                                               ; preds = %47
  call void @llvm.lifetime.end.p0(ptr %14) #4
  br label %71

51:                                               ; preds = %47
  %52 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %53 = load i32, ptr %14, align 4, !tbaa !4
  %54 = icmp slt i32 %52, %53
  br i1 %54, label %55, label %67

55:                                               ; preds = %51
  %56 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %57 = load i32, ptr %14, align 4, !tbaa !4
  %58 = add nsw i32 %56, %57
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ9reductionE4part to ptr), i64 0, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !11
  %62 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ9reductionE4part to ptr), i64 0, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !11
  %66 = fadd contract float %65, %61
  store float %66, ptr %64, align 4, !tbaa !11
  br label %67

67:                                               ; preds = %55, %51
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %68

68:                                               ; preds = %67
  %69 = load i32, ptr %14, align 4, !tbaa !4
  %70 = sdiv i32 %69, 2
  store i32 %70, ptr %14, align 4, !tbaa !4
  br label %47, !llvm.loop !15

71:                                               ; preds = %50
  %72 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %74, label %80

74:                                               ; preds = %71
  %75 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ9reductionE4part to ptr), align 4, !tbaa !11
  %76 = load ptr, ptr %6, align 8, !tbaa !8
  %77 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %76, i64 %78
  store float %75, ptr %79, align 4, !tbaa !11
  br label %80

80:                                               ; preds = %74, %71
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
; optarena-nvcc: eNrtWN1rFFcUPzNz52OTjbNJS5vQNpnYSCPoGmsa45PxIw2CqaJFiiDrJtm4odkPZjdhVwNuYpDkxfqBD3lrpQ996D8glDbQUkSk+NCn0oc2+CDFhyB9tJ2e+zEfO7ubbX2wpXjD5Mw595xzf+fj3tmZy6PH35cl6ZABfMjwNUjgj/RrnPZ3cErOgjYCw6DCCLRTzXghXSjaxeQE3rm0nAnQRCGdnSpBPJsrpuLZ+Xjx45nsdM7nJ+cEPx/3biZzmXyyCPFiqlSM26mpucniTC7r6YREhXQSBY2EhZQ9jzcDgPezNR5RlqwRTqUm5i4kpu1kJsWtwoJktYQiTs7OXrCT+TTj8naumCuW82Iuly0Uk9niQGCNvz/+qwl2M3s6k8rEc9PThVRxoEHmE4nsfMLTHx8dT3D9xEAiOTuTLDQI/N+oV3WM/7xyO/FScHeExwEm12rk55i8rUZeYfJtNfLbePUGeCLod3hZn5r1QUm1orcl6p/UyE8zeUuNPIfyjlgAZ4STMtOP1eg7OPoC93TgeguUmtHFSqUfDGex0m+wW66zq1FSxVqEKnJb8rOIKYrXdbwe6gAfnDl29Ngh60jOzuM55oeOUzCE13kqyBdL2HBH5qaSFt0EM7NJWlWrmMvNFnZZ2CupZCFl7d0XH9hlnaEkPjwMh+dmZqesSTRKMJFN/+/h9ik7vm9o8N3B/XsHEwOwe96ydiftybRVyCQODFi7M9bQoMVx0jP2sRLGeRaWaGx7DJZ1mknSbngVIB3+vYx5kGUJZFUFRZckGX3JmgSk1fD7YT/h/l6PMl6BVwE22z1episEeImi2uz1eDaQV06i7RsOyMclUBKSRN40YB0TGUN10s37RunqBNJiQCvFLeP9EAEjUHNK/xT0D0GfCXrUe95AnW57cWPpkuQwABT4hgldZTGxA6/t2+DuRZxY8efvXsQ9vCRAIz+K+jGWjorC7RVu38vt++woC9iBazqdb7c1oBrOCPL3eiC6ABp1nZ/YbIWfTBiLPHFPAAV+MxGf7MCqWB/9ddjEYfb7uL9R3IDnZX/994pRll9H4vhku42fOvRoeGTC0IJORI0Mrk98/e9N6CvprHi6zP13lWSZ6jvUCeLVCgbfW9cthidmRxzkK84vjk79R22QqcP8yd8VuG+CgfpsPdrYfd0wVFIN7Al+UD3oAbWg8tMSew76aL4iEco7Ms/POzZRI+ycQ/6BSXmiu/lE/zHbYAE4vzqM77N1hpfhv8/w6BRv/vymQvPbZ+g6DVVu4fHFDEIoz/DfC+o/ZfqxzsA8xtdxh9B4ef6pfgmI4upvmATjI95xi+t3lHSV1Wu9orP6rvaH6ovwl0U/hfsF19tRIm20vQiN54ceWCxHCKvnWncU7mBaS7rODleBL2a3yW0+XkLjYfU4tcn6A/3Jnj/Mb68djXg7/+EJ7L9HbI86zhWG71BZqsI7tna0MX6sXxVe9L+jpPnrIZ7Fsurj/5zqG2xe8+Z1zZt/ROdb2LzhzUcMb77fxHy0tnj8hB+/LOoZ5nG/tXn7DfOB8ate/PdOUD6qe/wnjI94vClRvtXlN0x5bPUrP19PaL6gKj/flsVvgRVe36US8R/aG6x/lMsUzwjWh9YL+YOMZ/0EN7D/qfrB9Wsm3S/tC6pCeSeGPPbXSgE4fnE+vXUp8NBHPMursgru/GPK6yo7dQ1er94lWfbivd8DK1dAlRv5E3h7XLy4/vIaqfa/Rv1Lvv+bfL96/m8Bi2cr/6YbP/W/qtXir0AAv6aF8WtN/OtV+OVa/CMB/zdD+bnVPD9KFX5Si98K4g/l50rz/EhV+LVa/LEg/lB+bjXJjw0KPy9c/HX6x4Dn6x/aj2uKQ9iGxr/Hof7h/aKQhv0i1fgb76reb8tl1RH6Bmzv5s/Pq+J8mqLnicy2n8yeH3vgahlYgFpXLAobPTAe2r9j5Wf+/l43obMc+PHwP+BfjpfjRQyJvYvUjhFBh6WtX1lbG9h/JhRvNLF/RbxrhMewcGpJ/vuI+65GR6egP9Z/jYaPxGGVbvLKvVO8h4ZhrAv7L0L6pM73A53nq8p1Wvy8sASvCuxh+2Oc5MP4V4S9+66uNFj/FF5X69h/GbJvhD8j1h8JyR8K++XA+m117OmPaqnO+h9q1fGH8bt1/EbIwuuXQp9k3PXD9X/axL4zYE/q2J8TPVHzBUiv/sahiEdVpc73IOrzSNg+Fgq0Qf5uCxWlkX2T/rV4/uFwA/t+eev1NSFzvyeHR6dUTY0Ajue1U4P5bfBNyaVBO22LvHjDqI+zkZ2bH5e6dn8B0/7yCw==
