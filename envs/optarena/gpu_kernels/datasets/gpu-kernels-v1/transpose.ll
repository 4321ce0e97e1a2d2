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
; optarena-nvcc: eNrtWl1sHNUVvvPj2Znd8cyu1z+7dhovwa5CRWxTUhPeEkIakEiNQEIIFdnr2MFR/bNab6JxsFTbiSxbSISqQoqVlxReEtGHqu0DEVIbiSgyIYoilYcQXoxrIVN4sBBqEU3ZnnPvnTv3ztpx2wfKAyOtZ86999yfc77zM2f8y0NP/VTXtAM2YZdO/kQ0El3rnex+8T52N18g1n6yj9SR/SSDI7smRyYr5UpxEJ7C+9SYdO+fHBkfCkjX+ERluGv8ZFflF8fHj01E9NETnD7ZJR6OToyVihXSVRkOKl2VcnF8sjQxOSzGxJomR4rl4aHNG8vDk8Plk/DQQ+B5tGZGaCvWNA4ND554qf9YuTjGRtQ0FNUW3HFxdPSlcrE0QqlSeaIyUZkq8b6J8clKcbzSI63xn1/fVQGHkn12bHisa+LYscnhSs8Wku/vHz/ZL8YfOXSkn43v7+kvjh4vTm5x8P+HvtQz/veaewB+BlhH/HqUtls17S/S9vqa9hna7tW0vw6/+yTa5Per8Ctc8DfflFbbdL+G85s17c/S9mRN+wS0N6Sjfc7k2H2Kjk/XjK/C1SE94wXrTePdd2dnZnYTuzo7s9umj2zMg1vINFzL7IE/jNe8ykXswu81+N1KEPKz5558/MkDhYMT5RL4sejo0EV64TeADaVKAIA7eGKoWEAjOD5arByfGC9UJiZGJx8sAFaGi5PDhYce7up5sPAc3rr27SOPnTg+OlQ4Ckz9tKmMf7sZ/3C56+HevT/e+8hDe/t7yJ6ThcKeYvnoSGFyrP/RnsKesULv3gLbJ/rYdSO+zxfIHJ6t26ZSL+BzxhYaMBuiZ92Bn64Rva6OGAlN02Eu3dKImbIjPDxisvlaXEobpJGQjYygddSVRGu4q437BE0voI2ngbetSvSnNGL0a5q5wyU9DYQ8DdPdaoH5dzLsGPkcMZM2ScFzWofnXpPYkt7x/g2//4vf78L9cRFvyCZo+/auuZe1Kt0AbnrVJ/kpbhO78OeRy6eAnuObhP7LpwBNC9H4y6fgYVHm5xOjkQ565BDQr2Uoig3Wb7D+H7L+/BQHMsbZNzziBsRsR5g+tgHj20lHkDAKVFCvJsjtbnLYeYpbG8z3tz7yROCY1Dy0bxIwv3kIDHJF4/2f+CQN/Yh/5+Nqgiz7JBPoDnZX188myJpvwnoO8pcGvjCAJg2BhbAi1SszOB+sr9dF6/vk8OLPQ6uE9fE8KUYuMHnNvWxX6XOSnU8PksxJ+aG8LEVemXK9gd3V3a/ifoBOpZJ0faCvwfmnk/UWW9/H/o4gZZ4BMqWz8R2BR/eXFLRLl6P9N33ilkm9Tc8H8lzuRhrNiJSOlQi545O5V5JVcobvt8MjnQtJz6Qk8N9oJ7OLqSRFxNJOF/WTDiyLOrOVKpVPb2CawvroeTwHvXY19yrvr6+X+xdOE5dKjJ7/AO7HQqMoPbNhsPGuWwjd8u120PcNai/V6mkq7wNTmiL/w0vLxFX04Sj66A1azBVudzi/Hljb6CMb6QP1X05S5pYkoxFfV+wIzzsCtlxpY4Pipzews/J5AV/JAYpnwNdVnN9xrFC/gO/ewMqK6LEc6dfR2Xr6tMOipg87ZPLO5sLx1yheqO+ppsP9ttpOiNc1P9dRNk2VtixBr/q5TLm1rlU5r52VxsN+mim+TEabHUGO0hbSV7HfprTNx/cG+dR+Ozr/4aUVHmVBXp/7Ef4Gmb0J+X0M8ruD9srOR/EF8nCnCbXf0tDXNsXrRzG83k42C7xeB7x+2CDhlajyBf+A8rRj8pT0ZcJ6WbbeVzb1D9PEYvSXfLyV3a2O5/v7u5ivIOtfPq9ynrs26m/u/cboPCXwH29J5+vZSebeSUf0BvR/5kb0Lp90LjfaeN5GPD/Yd+fFZE7IA/CVKduOLel39r3GRiGfEaAvmZG8BmG+t9OtSKfpfGdBv60OnqeV63f2cjotxq+C21536foujr/mawt/IfkGNGBqTwdJJL+v6XlnP7Vcwf9HOM9HnqRPWP+2R9f3qD59DfTpifG7ukG+mez+UL5r7WZv0JbtkfSRDlLZp0P8oL95k+RN4W98HfaTUfWZzD4h5oPx75J845V/VNl4DfffJvBwFfHZlN0nz/8Hkk+v/JON/+Q0jm8SeLgZ0++unao+sF/W72AXyDtH5Z0T9qbIH+hmSjdzfYD+c5H+2+P8qr5XPdRvs9DvjW5VnyMaWfgryVtowJH+kgKvaH8y/iAeUH0PuHy8o8H4lND3DT+G55i+Eb/rbqvAz/U+FR9vdCGebcW+ZbyCfQNeclvjxad4GVHwkcyWhP4QP6lsoPS3ZZ+P9Av9TdkBOX4hPmbS7Lxrsyo+1jgeLjRyeRi6gocPavGg6BfWi9mrqegT10f9rOzgyXQfw/eVHF+vjij4XvNV/a3W4o3qD5M1Zh+q/m7F9Bf3Pz2+qs9BjAdmhM+rfai/VqG/a2cB/82OiK/oDy4llfwC8GzKeAa82gKva90qntc8xE9O4GcN9C/jmfmTZoGPNV+f/dR1Ff/3oefJ/g/yhZYZJZ9pdpol/9kbZLNqf47mj5G+bEfEQxofFf1SfSUH9nB592F+0HIB8pPS4JcGyoPiq9DJ9XuW4Wn/A5wG/wr6d2ceCmkd9edd+AnHo4bxN08eC/cH+dOl3eSrMH/6vDZ/gvygJr9h+Rf0r9P8xSyE+csdjOd3Ff4ovrH8jeZT0vtBmsfD0F92BFYkn2ssHloUb2XmX87H4vs511Lsf6nNle0f4zXjn7aZvXpKPE8HPo3/kT1nlfwJ+H3GH/B4ADxy/J4mHus/Re0pHXg036XzMfvi659k9vWZtH/I/yP+Cud3TZHfwHnm3m+I+UfJP6C/Xt8R+b+b3WC/6vyzn9o7ZH/XudxA7aFBxH8Jn9cxHjQ0KPH+dmNrZG+bxPsP5fgB/vZtKd+i8UOyX7CnhV+TfJsaP3yhXyYvl9ElSs+9JfmT38P5z6dVebwSixcXpXhxA+LFJcme0X+cS+ei+IZ4kfwB9HcEbZF/wnxpwWsT/uEG+I9FT4kfEO/z6O6pvq4x/2uH+cG6Rv1nYxj/0V7fRX9KIvsE+02KfMig/qWg+A+bvQ9Q/4HxKGsW7ulfVH+S5vNF9sXygzbRn28S+1/tRv/T5Ir9HkB9NaXFfjV8P2vyxH41LZ6fx/0H2H8LfX9rZu+ThxeH7ukfegM9Zp9mzD6tyD6BVvyJYm8CT7psX5E/OUnzNcw/Bd4w3zrvqfn1W2k1/35HwuPvPPX9GO3xnG1HeEF8MVrY38XWViW/usToKL+W4hXi93IMvwuyfZ2F92/JvtY9al8R/gwN40mr0KdB8eYKfR5EfUb4WzsN+iOx+kUyqvdAPvCDl6WiKX9/FfWYO93kiKPy62Wd1a/4+zTWezak+ssTgaOL+swyrcfoaj3G3KYeY5qiHkPxNbB1/WUwVn95A+svuvK+3xHUR/WSeLwC++6YtqJ6y3W0P9+wYvUZPXx/v96N9SEi6jF0vJvUxfs45ONlncZX5r9ZPcYJ6zGrfSbWT6pSfSId6Lot2XO8fgL8CVuq35xZzLDyBzYOEobX+ej8aaynRPku4ssX+Frug/37NrL6XB7ziySJ5ToznwZ/fz+uZ4r6DMpfqcd01+DpyBLZRj9WVcib6sesrccsyPUYp06X5A/2nLCYP0mxeJpwVP9R5+Si9zmzY5r5V6pPzMemkwlB0/pJwlDz7Ywh4yNTrk+Zol6D758px5beFzumzTqpPpcGfFE81If1E8inRf8m9aaOIGWI+gqLB3p9iJ+rrB5FlPyT6CsKXmx7f3j+m9S/Rvtb7Qb/asTkYzo5tX7hCH9K+x2noOY/cf9qCP+q+NuA5zeshs/yG8DnUpNNrlSZf4L3nbnzZoTPYx45c6nFJiu8H/zbmct5W+B5F+YHnjQe5nuvzaYLYP+P6pi/no/8cy/IQ+TnN/sgv9IVe+g8ZyZM+t2I6RP0T+sT4ftI50UvK/z7qq+D/K2sJP/5JWI2hfaxlkV/nhH+fPUs2guphvUeHH+JeC1ivAH6zli4/Qx/n5+/TNy8sDdD61zWKd50Ol8f+hsrFa4P/nL+PaK3SfMdXppR6qNHYvZ4eOpu1H/FJ7kpqfj/HaC/v76/vo1Lo98Ca6+wlrhPu/cn49QW/L/hA3+1DX+Wf+uLX/v4pAUt+h4YfivFK/TVH2z+GZs8z7+VjGzzyfsB/h04vo0rnP9ibLy5yff7BJOXMvUI/3wXxow6vvc4/5P8NSK+/wXOH34rN7ZY/xn4zW/C/9sY/1b7H+Pr74+136qL0pNw/fpN+E2NHrxm/ect9fzx/Yd6/DNvi68fxP4lIlw/rv8vtuHPSfzmJvwvckzU/AdGQv0fA4OHyplN/h8D5zwYb2/n98aobTP5vc75jS34t/uXjQKTvyhtxfl36/de3+Jt4f9zxa+cpt5taR//K1+dJN+t/qcjvMt81j3kIvgbN9/nVnyhfMJ7yPdvk2scww==
