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
; optarena-nvcc: eNrtWV9oHMcZn92b29u9W+3unU6nO+kUXSIZHJDPSu3YDvRBtuOohrouaclDwJxP1jkSlXTH3lm9SwSR1WKSUuy+mvYhlBLy2rcESvGDEcIEN08l+Mk+RDBtH9S0pXlwup35ZnZ2dk5KSClNHzKwN/ubb2a+b76/u3tvnvvuS7qmnTYRazr6PdJQ1DbLrL9TZD1+FRlz6BRKojnk0pnV9lK743fqC+Qu7HurUl9rL60tdlF1rdlpVNfWq50fLa9dbUb4yjWO16vi5kpztVXvoGqn0e1U2626327U/OaP22LWwGB7qe43Fg8a9hvthr9ObmZRdbGxcO212lW/vtpAhLAyMFCPj1Bx6isrr/n11hKglt/sNDu9Fqc119qd+lpnNsb7q7T/bw2GqvvBamO12rx6td3ozB6g2lptbb0m5l84d6HG5tdma/WV5Xr7v6p7Vc6vaIdnyZUgXqy2F2DcGBi/BOP2wPgvyfW0hDHv75Gr8s7QwPw/wz54YHxco+PpgfGTZDznSXw91p2F+c7A/IC0aemeNsJvg/aufX1z8zAyg+ubh024ZXNmDlIS54Ur5Ietxe8n2BiV6Bfk+iiF0PdeOf/i+dOVs02/RfIHazSHEBI6Qa7LdKDV6RIPOHttsV6hvrm8Uu8sN9cqnWZzpT1TIaZv1NuNynPHqrMzlVdoVz11Cp25tryyWLlCFtVgyKe/R9n6hl89duL4t46ffO54bRYdWa9UjtT9K0uV9mrthdnKkdXKieMVJifNbY8Tqpyvoi16tqMm0OkRcZbdw5lz0b1ukUvXkJ5MokRK03Syl25oCGfMyO4nMdtvlNkqiYh297ICY8ph72mBE6gYwzpVtoQ1yl3C0AhOfJ+sHQ9QoqZpuGyiFtWvS/Z/ivlUojSDcNpEFjWfTu5PYHEOamva/4v3n/P+CelfFPkfIRP979rWG1oAbk+Z9l1U6nHCIXI946APXuexIujcAWnQTTtoeoPFXEK/6aL+JJt/k8/fcZHN6a2FvQx64KILlqhsCfQnl/DHAfopgWmJ3xbHhN+hLob1WL+ZQvcm0fVeBoNEt5+y0XsOwTqGAYp/7aBzRP45h+9P1j/fKYCOA43L300Ek3QgTwZ2iXw+yuhMvgR6cBHNWxs8yzD5XuriDF2qa5spsh6f62nosh7tn/NTQYbuf4zIR/bz/GSGihM8CjhOYRqHwUOGc910kmowuLMF2O6iFMWty4T/XRfpfgGBwMSnKF33UygT4vsumr/dUfRnBOhGpL/Yee9Tuhmgtzi95TB9/4xjoq9DXQPkNah+tycJP5dlX8HfgzwCGOxhwnyTzu8fJXSDZc395AU8xPxZYAdiIzyP7qfhNqJnWNqj+J5L7Gulhb1/g2D+kJg/CfOd2Hw7mt+n5zMt4T8fXqT7mTLd6xoGJGlqnx3wB4MqsPXypwmwX9d1wZ4P/8Hs2R0aYvifHKdSmmRfz/cCKn+w+6bGsBM4gIlFiP6m/IJF/atAZbh7C82XfgfxHwQ/AXue7mkx+86//THPBww/30nG/NnzDZ3YZxP4E/zB68R6b0Xxo3dxpH+gE3QjohP/M6g8rTOfgj9T/541OL9diL+U0N824bdhYwPO+1eX0LG34WCT6ceF824MJVPs/Caju0mLYYvSy112utbeHvCbv73CqzHh97FEf7TH9Z/U/x7a54/UvhMO/ozkTR7vW2+kI39+l+aDEQc/4fTHFGcdYe/DdP24I/LFEsXD7AACl2yxP+BRB9sy3bTF/oANB3syHTs4L+MxBxdlXLQFvwWq3/IEFSct/HOiLOSF+MyPCPrOLYK9rMC7bpacNy/mw3ktT+BnNDI/Nyzmb7v69V7ejuiUvzce0Wl+Hc4JOsg7bsf15Xlxes7BMzIm+i5H55vyyxOl0N/7Fwm/wqjgd5fr25bzeaEgn3/KN0eouuA1qE/PXzak81N720L/cP5yWY7vKT9v5cOa2nc1kg9wnD+xb0X2D2wL+wE2TVlfU77njdPywfbTD3XHxuL7Gbaw9yLMHy6Gj3K73N+mY/4xFtcn8e/DMs47eFbxn4qsX69QCvffpv5TcvBxWX8j5ZGQ3lf850PFnqAvDOcdifQ1KunbA32XZX1nbSEv+FNB8TdJfyAvHjPC5/RtN25vWD82Ia1n+pyW6blcnC7pD+jlfJyey8Xj37KFvwKW4g0wiY9ZGY/aQp8QT+lSPF7TadlfaT3wwnrA6kkqCc8XLL8Se3gj4flJPBNsFkN977g6wQUjwtqUnx3LRvYg+zvOXKz+YHsurE+wfy5H8202nO+7gRvWH6hHQ8FQWJ/I89qUPzFBfTnH5+u+zWRzmX1IvUqPktsJHr/zt3+FPgvr1V8G65Xn41g9gnqS4PRPoN5A/EG9eUDz/53Y+sH8jpX8nlXyu6Xk94yS33NKfh9W8vmIkr/HlfxdVOqBoeT/sSg/Svkc6uXORRFvgPu3SPyMRv72rvJ80qf5vBTF4yeI+ltG0HfdXCyemP+q+TwX1evJuH+CfKweYBEfZS9OZ/UmoltKvcLjcXpusF7E9JvPx+kZW6mXOE5PRvl3QQN/r4T+fXef5wPh3/x5i8SfGcYfxENxtBjWH2KPKb9UovFVFPFXMqlvl0S8ldJjESbxaJWtEEP8GTaT528pFh9WjtYDS8RbGF8Bfz61o+dpkMfKZ8L5OxBfOBni+4PxRPMHvJ8UyJsmjZe3f6jES+pL4sVS4iWjxEtWiRdd8XdP8XfHjtvLVfzfSMX9X/LvXer/KSN6nndU/87Gns93KR1nJTqpJ5l0XP4kjtcXHfQV2Vu3PP5ezeytZxyBqb0LSTfE9139dC/+fgrP0z/n+iT+ld3QwZ6Bt+lS+2U3EvB+lMi7Jn3/uNFDOuWNS55N7X1B2W++9yR63r/jomJPehn/GvA37Zv2dTYNvsUNtjnej2qD8+WWOWD9Fp946UvWD4exr7SHfHBP+i6Xlr7N8b9j0G/32ZO2j7hQS+iL+T/Lv9OqYpzin93eU+bjfb6Xp5i+Yls/5BMrHCe57Or687ycDhyAf5oPv2UnDuD/MoLPCQPrp5X1B8nf5PznlPHv8PXvSPztfdY/Yjod4P84GT+/Kn9oxz/wMZW/acTtnODzVPtf4jZV/7HYNOLf8BN87eY+/1+Y+/jwZuHgeJHb53zszAHrvy151X76C9/Fwv8Z1VbU4r0pyfGfrkvK+jngP4+wl9cZX6AXtQ3IecC6UD9hH677N9TpPtE=
