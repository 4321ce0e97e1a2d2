; optarena-kernel: {"kernel":"scan","cases":{"odd":{"grid":[3,1],"block":[256,1],"arguments":[{"kind":"f32","count":1300,"seed":1},{"kind":"output","count":1300,"integers":false},{"kind":"int","value":1300}],"bytes":10400,"flops":2600},"even":{"grid":[2,1],"block":[256,1],"arguments":[{"kind":"f32","count":1024,"seed":1},{"kind":"output","count":1024,"integers":false},{"kind":"int","value":1024}],"bytes":8192,"flops":2048},"timed":{"grid":[65536,1],"block":[256,1],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":33554432}],"bytes":268435456,"flops":67108864}}}
; ModuleID = '<string>'
source_filename = "scan.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ4scanE4tree = internal addrspace(3) global [512 x float] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca %struct.optarena_block, align 1
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_thread, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca %struct.optarena_thread, align 1
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca i32, align 4
  %18 = alloca %struct.optarena_thread, align 1
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %19 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %20 = mul nsw i32 %19, 512
  store i32 %20, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %21 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %21, ptr %9, align 4, !tbaa !4
  br label %22

22:                                               ; preds = %46, %3
  %23 = load i32, ptr %9, align 4, !tbaa !4
  %24 = icmp slt i32 %23, 512
  br i1 %24, label %26, label %25

25:                                               ; preds = %22
  call void @llvm.lifetime.end.p0(ptr %9) #4
  br label %49

26:                                               ; preds = %22
  %27 = load i32, ptr %7, align 4, !tbaa !4
  %28 = load i32, ptr %9, align 4, !tbaa !4
  %29 = add nsw i32 %27, %28
  %30 = load i32, ptr %6, align 4, !tbaa !4
  %31 = icmp slt i32 %29, %30
  br i1 %31, label %32, label %40

32:                                               ; preds = %26
  %33 = load ptr, ptr %4, align 8, !tbaa !8
  %34 = load i32, ptr %7, align 4, !tbaa !4
  %35 = load i32, ptr %9, align 4, !tbaa !4
  %36 = add nsw i32 %34, %35
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %33, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !11
  br label %41

40:                                               ; preds = %26
  br label %41

41:                                               ; preds = %40, %32
  %42 = phi contract float [ %39, %32 ], [ 0.000000e+00, %40 ]
  %43 = load i32, ptr %9, align 4, !tbaa !4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %44
  store float %42, ptr %45, align 4, !tbaa !11
  br label %46

46:                                               ; preds = %41
  %47 = load i32, ptr %9, align 4, !tbaa !4
  %48 = add nsw i32 %47, 256
  store i32 %48, ptr %9, align 4, !tbaa !4
  br label %22, !llvm.loop !13

49:                                               ; preds = %25
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %11) #4
  store i32 1, ptr %11, align 4, !tbaa !4
  br label %50

50:                                               ; preds = %76, %49
  %51 = load i32, ptr %11, align 4, !tbaa !4
  %52 = icmp slt i32 %51, 512
  br i1 %52, label %54, label %53

53:                                               ; preds = %50
  call void @llvm.lifetime.end.p0(ptr %11) #4
  br label %79

54:                                               ; preds = %50
  call void @llvm.lifetime.start.p0(ptr %12) #4
  %55 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %56 = add nsw i32 %55, 1
  %57 = load i32, ptr %11, align 4, !tbaa !4
  %58 = mul nsw i32 %56, %57
  %59 = mul nsw i32 %58, 2
  %60 = sub nsw i32 %59, 1
  store i32 %60, ptr %12, align 4, !tbaa !4
  %61 = load i32, ptr %12, align 4, !tbaa !4
  %62 = icmp slt i32 %61, 512
  br i1 %62, label %63, label %75

63:                                               ; preds = %54
  %64 = load i32, ptr %12, align 4, !tbaa !4
  %65 = load i32, ptr %11, align 4, !tbaa !4
  %66 = sub nsw i32 %64, %65
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !11
  %70 = load i32, ptr %12, align 4, !tbaa !4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !11
  %74 = fadd contract float %73, %69
  store float %74, ptr %72, align 4, !tbaa !11
  br label %75

75:                                               ; preds = %63, %54
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %12) #4
  br label %76

76:                                               ; preds = %75
  %77 = load i32, ptr %11, align 4, !tbaa !4
  %78 = mul nsw i32 %77, 2
  store i32 %78, ptr %11, align 4, !tbaa !4
  br label %50, !llvm.loop !15

79:                                               ; preds = %53
  call void @llvm.lifetime.start.p0(ptr %14) #4
  store i32 128, ptr %14, align 4, !tbaa !4
  br label %80

80:                                               ; preds = %108, %79
  %81 = load i32, ptr %14, align 4, !tbaa !4
  %82 = icmp sgt i32 %81, 0
  br i1 %82, label %84, label %83

83:                                               ; preds = %80
  call void @llvm.lifetime.end.p0(ptr %14) #4
  br label %111

84:                                               ; preds = %80
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %85 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %86 = add nsw i32 %85, 1
  %87 = load i32, ptr %14, align 4, !tbaa !4
  %88 = mul nsw i32 %86, %87
  %89 = mul nsw i32 %88, 2
  %90 = sub nsw i32 %89, 1
  store i32 %90, ptr %15, align 4, !tbaa !4
  %91 = load i32, ptr %15, align 4, !tbaa !4
  %92 = load i32, ptr %14, align 4, !tbaa !4
  %93 = add nsw i32 %91, %92
  %94 = icmp slt i32 %93, 512
  br i1 %94, label %95, label %107

95:                                               ; preds = %84
  %96 = load i32, ptr %15, align 4, !tbaa !4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %97
  %99 = load float, ptr %98, align 4, !tbaa !11
  %100 = load i32, ptr %15, align 4, !tbaa !4
  %101 = load i32, ptr %14, align 4, !tbaa !4
  %102 = add nsw i32 %100, %101
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %103
  %105 = load float, ptr %104, align 4, !tbaa !11
  %106 = fadd contract float %105, %99
  store float %106, ptr %104, align 4, !tbaa !11
  br label %107

107:                                              ; preds = %95, %84
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %15) #4
  br label %108

108:                                              ; preds = %107
  %109 = load i32, ptr %14, align 4, !tbaa !4
  %110 = sdiv i32 %109, 2
  store i32 %110, ptr %14, align 4, !tbaa !4
  br label %80, !llvm.loop !16

111:                                              ; preds = %83
  call void @llvm.lifetime.start.p0(ptr %17) #4
  %112 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %112, ptr %17, align 4, !tbaa !4
  br label %113

113:                                              ; preds = %135, %111
  %114 = load i32, ptr %17, align 4, !tbaa !4
  %115 = icmp slt i32 %114, 512
  br i1 %115, label %117, label %116

116:                                              ; preds = %113
  call void @llvm.lifetime.end.p0(ptr %17) #4
  br label %138

117:                                              ; preds = %113
  %118 = load i32, ptr %7, align 4, !tbaa !4
  %119 = load i32, ptr %17, align 4, !tbaa !4
  %120 = add nsw i32 %118, %119
  %121 = load i32, ptr %6, align 4, !tbaa !4
  %122 = icmp slt i32 %120, %121
  br i1 %122, label %123, label %134

123:                                              ; preds = %117
  %124 = load i32, ptr %17, align 4, !tbaa !4
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds [512 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ4scanE4tree to ptr), i64 0, i64 %125
  %127 = load float, ptr %126, align 4, !tbaa !11
  %128 = load ptr, ptr %5, align 8, !tbaa !8
  %129 = load i32, ptr %7, align 4, !tbaa !4
  %130 = load i32, ptr %17, align 4, !tbaa !4
  %131 = add nsw i32 %129, %130
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds float, ptr %128, i64 %132
  store float %127, ptr %133, align 4, !tbaa !11
  br label %134

134:                                              ; preds = %123, %117
  br label %135

135:                                              ; preds = %134
  %136 = load i32, ptr %17, align 4, !tbaa !4
  %137 = add nsw i32 %136, 256
  store i32 %137, ptr %17, align 4, !tbaa !4
  br label %113, !llvm.loop !17

138:                                              ; preds = %116
  call void @llvm.lifetime.end.p0(ptr %7) #4
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
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !14}
; optarena-nvcc: eNrtGk1sFNf5zeybn52dndm1ccEF6oU6lVMR22moQyqkQhLqRAoBpVIOaSPHxiZGBXu1XtCaoNYmloWlKrRH36L0EquXXHqwWlVIRaigCHHIoUY9EGRVOEUVpSRFqcP2+957M+9nd02SQ5RDBi0z37z3vv/ve9/7PL868MJPbMva7xN+2eTPxCLyGu/l957v8zt9hbj7yB7ikH2kiDN7p8anqpXq8Ag8JffpE8p9aGp8YrRGeicmq2O9E6d6q784NnF0UsJHTgr4VG/6cGTyRHm4SnqrY7Vq79SR4Yl0WEJT48OVsdEGuDI2NVY5BQ/9BJ6PqygAHFbh0bGRk68PHa0Mnxjjc80Xw/obZGz4+PHXK8PlcQaVK5PVyep0WYxNTkxVhyeq/Rz957q+NtpL1PbTE2MneiePHp0aq/a3UOvQ0MSpoXT+wQMHh/j8of6h4ePHhqdaSPrVGSMV6gtY5FH4ZcCrzesp9t5teP8qe59veH+KvY8a3s/Db4cCU3H/A/xKb8fNmbIaXwUW4qcN73/E3gcN71+G920FyeeMYOJnbH6hYX4drm7lGS+gdwbvcTg7M9ND/PrsTI/PHvmcXS10mtCiiJCvpQWRaEL4/QZ+1zxCXnz5+Wef3196ZrJShvwjRYchMgC/1/BFuVoD13rm5OhwCf372PHh6rHJiVJ1cvL41K4S+MfY8NRY6fEnevt3lV7GW++ePeTpk8eOj5aOwKIh9qqC//fx9WOV3icGdv9g95OP7x7qJ4+dKpUeG64cGS9NnRh6qr/02InSwO4S5xNZvpUx+XyFnEXZ+nym9RI+F/3UArRNPttZ+NkWsR2HZDzLsgGX7VqE5nzpD09Sjm9zKPIw2OZOMYUt5OLOjhRmF8CZw2DHrXViv2CRzJBl0W0F8nYHIf2bQbdd8APG6He4v2Q6NxEa+CQHzwUbngco8RVb4/2BuH8m7uvi/my6P5AmXvblr7NvWHWGEBm5GZPOaTGAvrMzIsunIfbOCqIwvnwaJp6T85dPZzW4czrD1z8Cv5GIHAB8h5n7z2RwPKyBrOBc5afvZsj1LjLY+RzhGoXxj/rIczWHO5/1wIP59MC0Rd6z5Pruis8VQt7yyGpMCjAfYefDukf+GpNizXZwev3CeRynQA+MDvReu5fB+W01G80P4zMeuR6TwYXDSbQA/Zj8ZVrkoHNc/rM1KpMF0q95GWYEm9EvaPwA/bNv0DqZE/oC+X9boQ4u//GFt2LyfhcpnnEZunoBYMD3SI16CFPEd7WPhGeIh6osj9zJcXmzDH8d8f8tJrMLWcqy4eJ3QvIOxCfIk/gOyjdQ8/00bzHY81IY9V8hNk4uv3Qnw/VHKTJUv/Ff4L+LFCpOHTVQXwUrwfxzU8TNEmHf1f2Az3VTfcD8wew15qP1+ptMf/unLU2fg0vXhI831y/w5yOChD9T32j/kivtv63Gh8p3Ev5tjwUN2n/V0P9ohP5mo4OVn77H/admM/v5NrcXyGOTjKTXaC/fN+xlp/a62Qfy/VywC/zdVvj7EPi7jvizLvIn8FOwL9NneeQTtC8dqAUuqUv5nZrYEzBImP1jaX+03xmS5evXmX8AflvVF4wHfPyeGAf8iXyX1PX3c1x/wJ+N9q97nF5e0tPmf5rQc1V6s2tFyl4wf4wU+uvCf3MSH9CbXYphvs/n30T7B3aaBDX5OP8/rGbriTo4/dBNywGkv5wHfCHHt1OV/xNBf7OkfxHmX87B/AKfP8Lmh6k+En15afxQRk/hb3YF429Tur67stW0T5DqC+Vd2wzztzShl+inQ+OP0QskvQLqJ5T2mV3eCvhKCv1OTb8SP5d/dqkD5m9T5oct+L0n+Nmujc9e7oT13el6pp+c4I/xG7kkVPUTwvwePn9UxX9f6GM7jO9S9RGp+gLY1vUTaPzYlYjlexJz+k6tTcbLJdRPAPh3c/zjKH8EcL+EL7cBvEfCKwWA90p4rV3m1xGL58+kTLvC9i+P3K3XQV8Z7i+um46zfGvbKczzp1/E+GBFzCEGxwgw+DyD86hABscWwln0L1702AjnEKGf+EOWwtGP52vIPwM16iPM7dHF8G1Gf+P4GNyB9hfruyG/s/3SfctCfeH4VvQnZX4n2luBQ7SnAm9H+ylwgPpW4Aj1rcBtqG8FLqC+Fbg93V+gRqv4PL2gfW92Ab+U8ZsV9h9cepfcT/ab2437DehH7gdi/yhnxPg/mP2ySIDtB9f5/qSuN/P18mmq1TcsPvV8y/aDZL828znmM6rn61DBD/ktr+U33B+olo/shvxOtXzshs3p3WusHzR+k/xY1PPjQl6pLyKFH5AP42stK/P9TTYepvLh+EpR5vedLH9RdN/6jf95DfvZqpH/0L9hvxD1h83ntxvzO438FMv8P2Lke5YPOmS+H7cgH7QHKf8Y7wudQcovi//NgcSX4fFVkPHF8gFV451SNd5B3oDL+7GIT2X+TaM+SOxH1fXc3nI/5vGac6OkHvPzSbyIfJJN88t5kW98LZ/EMr/YPB8UjPjbZMS/nj82J/kD4jOpdynzFxmfAcJXG+OR5Uvw9/K3yoTX2y8Y8eY9JN6yZjxp8abVK3zc0/3fa6ifVP836wsz/rT65ZpRf78bgT95Mh5uRaIeEf7Uk9QbYepf3F6J/fYz2EvtNyvsm9jPsnj+DxP92/unSevzSjki299Qmhes3mXlHeef1bvUTc74qG+z3gZ7uQ/Y+YzX1901h9oy/iicf6ifxlcX+rvD0vENfv6C9QE/3yX1dsTOY4HN9a/X131QX/P0Vt8CMNArnmmjDH4OYIjfuQWfs4s1UXdEdpzNcv2x/Rj2uzehXqCJv1gN8gM/UT2Rh/GT5fiZPrqQvwj5yyJ/VzD/FD3sHiXxN7fke/QeuIAP/24hnPPouoCRn3dCP5fqE/H5tKDo+9wS8UKYT3E+4GvNH+jrCsob+PS2Qm8h52v0zuYDnV5ASyq9BfCfjekVdX0UfZS/KM5DIF9A/67KGwa6vHEu1Ojn6D5d3iBO6Vsb0E/8Iw4k/S6QN8zRP6ny53O6/FGY1+iHdEaXPxdtTD9W5Yf6NUzPz0h/KR9it03KXwgN+fMFhX7xTJ770z7wVy5/GH8hexfyZP1BPcm3cwvFPOH0hL8XCkWFXqFWZPyGIt7A//OFZP7D7A35t/jrdpbf6of5eXZuKWoj659J+ktxm0b/nSiK1Xj7HWmLNqYXzmjyue1k3SNSvhjgDJHyuW6sx3O7m8xvjj93IZHnSsKvJfEvFQz+47hg8B8n85vjD25o/EdgD0Ja2yeKijr/+WidbITfv6Px74K/sfnC34qGvxVdDT/4VxHmb+Bf3n1d/zm6V8G/EBvxZOgf4sfduyH+7LrGfz6g21T+IyNf5PORzn+Q37YhfueBxn/Wp6HKf2jkw2w21Pn38cUG+Gld49/xKFX5d4387jquzr+HAdQU/23kj/J+RuovDt/gUn9xqGPsX47fYv8CfAc79f1e7492UeyvvmbJ883n74febdEP3afRY/20ebH/7oz0/ufNWO9nvo/z/Xpav41ERn+zC/uPSX8T8m8fHagpf2cR9W9aT9w0+peX1P4l+MdV5h/cPIh0lOj9ydUuMr9AKNYLbmchJKs7lH7nvz3UvzwPR4z+4KMfyH7mv7Ce1fV/cJEY+vE1/QxgPSX7mbR4xtH6vd01ounPrHfRngVH9jtBH1Q9z4J8RO1Xmv1Q2e8E+15k/uAg7kSfj9SEOyL9D7rI4GK37F9+1Kx/qdXnWB8TqvUXfbU+p7J+/lT2N/Xzq6fW3+b5CcZ9/fzrk+bn37uif8n7m0y+i+p6ft6eW/JAm/d5vmb28d30j1xYXy5nHTQYGx+PyNzlnJP6E9T3cyt5h6T1OcBrsUOS+hzq+7nFIsDi/AT1/fwSsb3E32C/lvzck/L4sn82v4z9Lirm9ynyfSL7Cb48b85fJnYOXvD5h5rpS/ZHcf4KsbG/xOefb9I/UPqdFxN9ifNGTyT0I86LTD/tAG9R9NMBcHeqn/k1YoNVBL3YMu3B5A8V+ReJXYTzpZhva/ZN+AvV8zYhqb98gPpHe5VSe3D9b2quf+YvPuuvJvHA9b9lY/0r/U7UfzvQa61/vR+I+u8gu5rr/xLbP4H/HqnvNdT/NqnvZfSv3VLfl9Eeu6Q/rqA/Jv22gOkzB/hS/cN+x/uVd0W96ziyXxjbqK88rE/0BfqxeX/xY9Y/QXt6YF+eP/vSfkwG+xGrXH9FspeP3zrE9JMFfjl8nskfkz1iPfb3RLs/7e9lGL72pL+3eMPo7xGjv+dRvb9HyB1b6+95vL93l/f3Ft8z+g2Blk8a+w2t8l3S32vo/wW6fxOzX+Hp/uyp/T8K+mb9O7nfRY6RD418C96r03cb8mnTfHs/16zfJP2X54O5tazMb3w/k/jYeVzJp+ifLP5E/kT/ZP5MpH8uxzJ/jmfBf4uRzLeAb6U9Suezvy84USr/pdhC/8um+aTY0G+E/V3Jt9/l/lsQ+/ulWMSDyK+rh9J+aAb3e6wPmP/7aXxq+x/LF57P8f2H9fPm1jqiVJ7vAauVoJ7l/UqS5JM4ybe3MjbEA+v/c9jBePDbU3oO8GMzfjzWT+tL4yEQ8QDy+x0JvtsdDfHA4lvprx1cIIa/04f01zzTX6W/87/HUHW/1fprq4b/XTX8A/PZorq/voj9BX1/Xdb3V82et7qY/dL98VYfs1e6/2G+Wdb3t4OGfgan12U9dyEmW6aVjx++BvA31zfXV3FZRB4b1CspBb5tbfzpW67F+l+KiRMPWd8uvl0yrzviZcmS3zcl33zhtUXc/9j8czxSEHvT+EM+3XtUfM9mslET69815tMm3yF6XF8a6pI4zJcE7AjezfXPi22lQf9iffLNX6YF/Zf4N4wN60eN9a34F/op7zPenxPrzyj0803W/5PrtIE+dXX5Tf4TO/5evDPp9xifdib0TfuvPGT9FmU9bbL+VeET5pekM67+rWRGHOVnmnxXijifMRXQQ+QHleJqpr95sT7Tav1D/Nez+LunW6zvtjem74p3yffk5rXF0u++wseXXeco+m31bWpyV9e5G+glvcLmfLZal+gnuSfr/g9Xx/TI
