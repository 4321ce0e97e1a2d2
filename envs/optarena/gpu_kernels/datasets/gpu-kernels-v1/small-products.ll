; optarena-kernel: {"kernel":"small_products","cases":{"odd":{"grid":[3,1],"block":[16,4],"arguments":[{"kind":"f32","count":3328,"seed":1},{"kind":"f32","count":3328,"seed":2},{"kind":"output","count":3328,"integers":false},{"kind":"int","value":13}],"bytes":39936,"flops":106496},"even":{"grid":[2,1],"block":[16,4],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":2048,"seed":2},{"kind":"output","count":2048,"integers":false},{"kind":"int","value":8}],"bytes":24576,"flops":65536},"timed":{"grid":[2112,1],"block":[16,4],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":33554432,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":131072}],"bytes":402653184,"flops":1073741824}}}
; ModuleID = '<string>'
source_filename = "small-products.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }
%struct.optarena_grid_size = type { i8 }

@_ZZ14small_productsE4left = internal addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ14small_productsE5right = internal addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @small_products(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.optarena_thread, align 1
  %15 = alloca %struct.optarena_thread, align 1
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca %struct.optarena_thread, align 1
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca [4 x float], align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  %23 = alloca %struct.optarena_thread, align 1
  %24 = alloca %struct.optarena_thread, align 1
  %25 = alloca i32, align 4
  %26 = alloca %struct.optarena_thread, align 1
  %27 = alloca %struct.optarena_thread, align 1
  %28 = alloca %struct.optarena_grid_size, align 1
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %29 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %29, ptr %9, align 4, !tbaa !4
  br label %30

30:                                               ; preds = %159, %4
  %31 = load i32, ptr %9, align 4, !tbaa !4
  %32 = load i32, ptr %8, align 4, !tbaa !4
  %33 = icmp slt i32 %31, %32
  br i1 %33, label %35, label %34

34:                                               ; preds = %30
  store i32 2, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  br label %163

35:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(ptr %12) #4
  %36 = load i32, ptr %9, align 4, !tbaa !4
  %37 = mul nsw i32 %36, 16
  %38 = mul nsw i32 %37, 16
  store i32 %38, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #4
  %39 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  store i32 %39, ptr %13, align 4, !tbaa !4
  br label %40

40:                                               ; preds = %77, %35
  %41 = load i32, ptr %13, align 4, !tbaa !4
  %42 = icmp slt i32 %41, 16
  br i1 %42, label %44, label %43

43:                                               ; preds = %40
  store i32 5, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %13) #4
  br label %80

44:                                               ; preds = %40
  %45 = load ptr, ptr %5, align 8, !tbaa !8
  %46 = load i32, ptr %12, align 4, !tbaa !4
  %47 = load i32, ptr %13, align 4, !tbaa !4
  %48 = mul nsw i32 %47, 16
  %49 = add nsw i32 %46, %48
  %50 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %51 = add nsw i32 %49, %50
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %45, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !11
  %55 = load i32, ptr %13, align 4, !tbaa !4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14small_productsE4left to ptr), i64 0, i64 %56
  %58 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [16 x float], ptr %57, i64 0, i64 %59
  store float %54, ptr %60, align 4, !tbaa !11
  %61 = load ptr, ptr %6, align 8, !tbaa !8
  %62 = load i32, ptr %12, align 4, !tbaa !4
  %63 = load i32, ptr %13, align 4, !tbaa !4
  %64 = mul nsw i32 %63, 16
  %65 = add nsw i32 %62, %64
  %66 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %67 = add nsw i32 %65, %66
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds float, ptr %61, i64 %68
  %70 = load float, ptr %69, align 4, !tbaa !11
  %71 = load i32, ptr %13, align 4, !tbaa !4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14small_productsE5right to ptr), i64 0, i64 %72
  %74 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [16 x float], ptr %73, i64 0, i64 %75
  store float %70, ptr %76, align 4, !tbaa !11
  br label %77

77:                                               ; preds = %44
  %78 = load i32, ptr %13, align 4, !tbaa !4
  %79 = add nsw i32 %78, 4
  store i32 %79, ptr %13, align 4, !tbaa !4
  br label %40, !llvm.loop !13

80:                                               ; preds = %43
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %19) #4
  call void @llvm.lifetime.start.p0(ptr %20) #4
  store i32 0, ptr %20, align 4, !tbaa !4
  br label %81

81:                                               ; preds = %89, %80
  %82 = load i32, ptr %20, align 4, !tbaa !4
  %83 = icmp slt i32 %82, 4
  br i1 %83, label %85, label %84

84:                                               ; preds = %81
  store i32 8, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %20) #4
  br label %92

85:                                               ; preds = %81
  %86 = load i32, ptr %20, align 4, !tbaa !4
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [4 x float], ptr %19, i64 0, i64 %87
  store float 0.000000e+00, ptr %88, align 4, !tbaa !11
  br label %89

89:                                               ; preds = %85
  %90 = load i32, ptr %20, align 4, !tbaa !4
  %91 = add nsw i32 %90, 1
  store i32 %91, ptr %20, align 4, !tbaa !4
  br label %81, !llvm.loop !15

92:                                               ; preds = %84
  call void @llvm.lifetime.start.p0(ptr %21) #4
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %93

93:                                               ; preds = %130, %92
  %94 = load i32, ptr %21, align 4, !tbaa !4
  %95 = icmp slt i32 %94, 16
  br i1 %95, label %97, label %96

96:                                               ; preds = %93
  store i32 11, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %21) #4
  br label %133

97:                                               ; preds = %93
  call void @llvm.lifetime.start.p0(ptr %22) #4
  store i32 0, ptr %22, align 4, !tbaa !4
  br label %98

98:                                               ; preds = %126, %97
  %99 = load i32, ptr %22, align 4, !tbaa !4
  %100 = icmp slt i32 %99, 4
  br i1 %100, label %102, label %101

101:                                              ; preds = %98
  store i32 14, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #4
  br label %129

102:                                              ; preds = %98
  %103 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %104 = load i32, ptr %22, align 4, !tbaa !4
  %105 = mul nsw i32 %104, 4
  %106 = add nsw i32 %103, %105
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14small_productsE4left to ptr), i64 0, i64 %107
  %109 = load i32, ptr %21, align 4, !tbaa !4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [16 x float], ptr %108, i64 0, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !11
  %113 = load i32, ptr %21, align 4, !tbaa !4
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14small_productsE5right to ptr), i64 0, i64 %114
  %116 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [16 x float], ptr %115, i64 0, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !11
  %120 = fmul contract float %112, %119
  %121 = load i32, ptr %22, align 4, !tbaa !4
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds [4 x float], ptr %19, i64 0, i64 %122
  %124 = load float, ptr %123, align 4, !tbaa !11
  %125 = fadd contract float %124, %120
  store float %125, ptr %123, align 4, !tbaa !11
  br label %126

126:                                              ; preds = %102
  %127 = load i32, ptr %22, align 4, !tbaa !4
  %128 = add nsw i32 %127, 1
  store i32 %128, ptr %22, align 4, !tbaa !4
  br label %98, !llvm.loop !16

129:                                              ; preds = %101
  br label %130

130:                                              ; preds = %129
  %131 = load i32, ptr %21, align 4, !tbaa !4
  %132 = add nsw i32 %131, 1
  store i32 %132, ptr %21, align 4, !tbaa !4
  br label %93, !llvm.loop !17

133:                                              ; preds = %96
  call void @llvm.lifetime.start.p0(ptr %25) #4
  store i32 0, ptr %25, align 4, !tbaa !4
  br label %134

134:                                              ; preds = %155, %133
  %135 = load i32, ptr %25, align 4, !tbaa !4
  %136 = icmp slt i32 %135, 4
  br i1 %136, label %138, label %137

137:                                              ; preds = %134
  store i32 17, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %25) #4
  br label %158

138:                                              ; preds = %134
  %139 = load i32, ptr %25, align 4, !tbaa !4
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds [4 x float], ptr %19, i64 0, i64 %140
  %142 = load float, ptr %141, align 4, !tbaa !11
  %143 = load ptr, ptr %7, align 8, !tbaa !8
  %144 = load i32, ptr %12, align 4, !tbaa !4
  %145 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %146 = load i32, ptr %25, align 4, !tbaa !4
  %147 = mul nsw i32 %146, 4
  %148 = add nsw i32 %145, %147
  %149 = mul nsw i32 %148, 16
  %150 = add nsw i32 %144, %149
  %151 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %152 = add nsw i32 %150, %151
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds float, ptr %143, i64 %153
  store float %142, ptr %154, align 4, !tbaa !11
  br label %155

155:                                              ; preds = %138
  %156 = load i32, ptr %25, align 4, !tbaa !4
  %157 = add nsw i32 %156, 1
  store i32 %157, ptr %25, align 4, !tbaa !4
  br label %134, !llvm.loop !18

158:                                              ; preds = %137
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %19) #4
  call void @llvm.lifetime.end.p0(ptr %12) #4
  br label %159

159:                                              ; preds = %158
  %160 = call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %161 = load i32, ptr %9, align 4, !tbaa !4
  %162 = add nsw i32 %161, %160
  store i32 %162, ptr %9, align 4, !tbaa !4
  br label %30, !llvm.loop !19

163:                                              ; preds = %34
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
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #3

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
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !14}
; optarena-nvcc: eNrtWt1rHNcVv7NzdzS7Ozsfq119WLJ2I9lFAUerJMZJIBA5buoY4rqkkIdAUNaWHJnqi9Ha7DaGSo4Jdh/iFAqt30LIg/+APrQvRVBjjAkh0JeSp2RZgiguiDz1Ic32nDP33rkzWslJH1JaMrA7c+bcc+65v/Nx79yZX730yk8yhnHSZtGRYX9mBouP9enoPHskOvPXmTXHnmVZNscCbDmzsbTRDJuN83Alz+0V7Ty/sbS60GIzq2vNxZnVKzPNX1xavbgW0xcuC/rKjLq4sLay3miymeZiqzmzsdJYXp5fD9cWLl9obqiG/e5vLDXCxYUDOOHixmJ4BS5mGVwv9+8AGI3+nIXF85ffmr8YNlYWI/n0jUbyDg4FNLwVNtaXiAJVzbVme13w1lY3mo3V5my6o+94/I/4QIL/85XFlZm1ixc3Fpuz+zhnfn71yrxqf/als/NR+/nZ+cbypcY+CP2XXdpnyN/Zw4/Dz4TsSh/P0X1rz/036H5xz/1f0313z/2P4PeYRnNx/iv8ah94/Y0y9t563kD9fM/9Zbqf33P/Btwv+ZqdY9Hpd9Te39O+B8cR7RoP6O8qnj1na3Nzmtm9rc1pmy6jNsf2A1X0xcvwF8nyZQGlA7/34ffpAGM/fe3Mj8+crJ1aC9ehDsZDBxY7Ab83qSA2WxB+py4vNGqYIZeWG81La6u15tra8saxGsTLYmNjsfbk0zOzx2qv4Wnm2WfZi5cvLS/ULoDQPN0K8b8eyS+GM0+fOP7U8WeePD4/y564Uqs90QgvLNU2Vuafm609sVI7cbwW2Yk1esdM2/k6u4Zjq9uE+iReB7byAC/F15kc/DIGy2SzzBwwjAzoylgG4wU7jodneKRv2CHaZCOM7QaKzqCvdh9TtIFWaTQdQJs/A9mxHsu8YjBz3jD4uA0zBhyHQPdEFDfm6DjjeZsV4NrPwPUJzmzN53j+Rpz/Jc5fi/OP1XzF+kTbtz+uvW30SAF2vOuxv7QHIsZRnPRc4LMeJRPyj7jMuRrFw/pTuwX2WZWdzUlNmyb7u8dG22ZEoiMmXdAnAu0G/M6DvhaPk67jsczVCdLHPOihg/KCh0n6ocveb2U5tn/h857H7ntgT6bHTGFPx2W/CbmF6l7Yfs9j3TrQWSsradD3coub5BnjmwH2oMqCq6Mm8nuz2N7jfuuwier4F70BoIE/Qub1fOSfY0Fr/DDmQG/3FvH91sgIgt77PGpfao2Po3xv+70Bdhfkw1E2GskjnwdXD5k87g/0j1F1I/1g359+Cdxrwokfe8xpMROrwfr5XRP5LwEefiDw/ZvHTueeF9UC8a4yJ2TjGBDrr34l2htsLiP4HdJ3GMe//ibow/5DZ4Lia47sY5nQIzgZlr5PQP/tqwl/Xns732PXhX3gzyAMCM9eDeQ/Qb7dY+8KPvj3aIsHnEjgf1xlW23Oyd23Jxz059GWRXyb+HXgW5biT6J9RUwRiR/aP27I8RH+XoQn4g/ju7HBiiRPxeEk0qOWpB8axunbLyfGg/oyCX3ZYE7qe+ChfVll//0qjier7MX2I16wqfWfsP8OjG8k7yn5jscT4/8R6B+xPaUP4mVrNJ9X/CWkbVvREN9+y43wjuKN4/jtmGaZkhfNcl6UT4iHhVWb8DhFeHBFm8aNQVbMYwBHdAboUVvS3XfYybaRwOv0zQ+Yo9F+K+/tYnGi8dejeLPjePNb3NlW9lWZH2bzGJ89kV9+yxrT8wf8kZ1Ff7z4lYhPTvhQfAE+4y2xDt+V8VvwrCifovwKs95ITIN+h29K++5hPHdFuYnsV/q+AH2fifjV4ttvBXxOylN8W6n4LsfxS/HhOnp8bLXLZeW/j7C9T+0tFe++r/jT2D5wFX3egP4H+bbC11P6LdWfM6j1B/HlxvI7LujznDh+oIy3SoNx/9hfqaTHF+jjit+pQnxV+KYWbxA/2TLMQlp+FXxJdzzDb5W5yp97VeRnA5i9ongyMjB+Hud7NTn+O2hvENt7xEB7yqr9A2w/GPOXDOrflfp3blF/nsz3jonylZR/ykn8D8bLbw3z7Ti/Ofi7ouS7no/9l1i8GEn4O8JzWMMT9JUo/Ujf3TrZ66t8PEfjCSTdNQzAazj2bxX7yw6qfDUygIeG30Q//EpJ/Pw++El9Ej9T9I/4uaV98aJ6VOJzcjz3qN4Uygn5dP+VFL5lvinlH9T7+FvzR5cpvpXAg+v1HvDj0v+AXym2n/SV43i/w5J4TU8Jf2SF/YWMD/G6rezzIH5LfjKeHD/2b51he1XPOqn8WvIE3kL/zhbiqY3PV/r6xvsOI/sq+NxD8hJvS6/v4L8BMX6P8J2T9tyrC3wGpH+MBN40Hj8eT7fub7WLjp6fqL+EwqQf87kc++MejteJ43HSpPjYzCTqAYxfyHe3sL/SvvWQ8seN40fmj5msR4MsJ/MhGZ/nvah+av1DPJWT8VQeTI7f1vqjelxOzMftoXg+XsD8sgeT9dgqafUB/W8n5bX1AdX3fF7Vy/s0/+U/hXK/fl6uRwZovRvFUxXHW3Di8Ro4/iJORuSPc9F8Z8bzbSbkcj0t1wMFT7YX+e7iE0cUT5monhf0+IL67STirZSks0P4vC3wR74l6Q76Hx6ufFnv0H+FgqIhX07frrF/0tPsOyZ76O1Zb/ihFa8XxHq2xgX/S8LL8uV64TOc379OrVfT87l34Hzut6qp+bbsJeOj5CTn2/T87nrJ/NHy/wjqc5xkfGjz/QLyh6qJ9aBe/3awXrlDqfmlmqxvfrpe8kfVk3g+PyXqg5rPM8n5vC7yX87nqfrRrYr4EvzOrSj/U/Kump8xf9L1Y0+9KfiJ+VyrB7R+SM5Hcn0R4VFP1qNpik+oF4Y2X2v1oJNP1qM987WoJ9p4EvWq66bqCc4X3289SaxnqX7k8zXt+YDqSSZdT4xUPckk1iNean3gyvld1ANf0h2x3jbifO9Tf7Jqfhb1phTTop5kU/Ukm6wndqqeSPqT+p76Ac/DVD/Wh9YZ1Yeb69++PtDzlR/Xgwf91v9aPSB/afWC6oOW/33rQ758cH0YdPX1GsSzk5of/X3n7/uoz+ZJe9LxavFkfzy1HtaeP4nW4m0nWg/kVf3IYfwUBmM6k6gXO2dYFG+Svkny8fN6LpnvEZ21VXzmRDzI9XEO/J3cbzr8trZJ+xD3Uyym9qsg/q63h6PdTxFv19v2IbXxuTRjXG+Xx2hjDvlQf663K2NsU9DT2N4/RLts1B5p5xD1hfTkBJsKs/Yw5hvqvF8HmpdxS4x2sO+fAzpXyct95q4H/fFDuKtI8hBPU2F12JfyHc+aCm3aSSQa1i9ToVPG7Z9qxOfALxeFeejvqbBYcSXdQTpPzw8k362DvXyMbcf7d1NhUM7KPUNqn62UBByon/BQeCPfquDzdhDZH+EzZyh8p8JhjvuXtA0I9QX0c0z9orJ3kA9KPIge4gMUf9I/gKcv8JxG/AEfX+LtRv7yhYEfuoSHI+2h/jjl0yDhVSc8ionxgP98gfckyts2boMPs2j9hOPPxv7hEV76+HKVnMT3HsUPxIfgk//8Mpo3RP5AfwUVtM1XePljTO2voL6SXVJ41hHvQ6zGNPvydl7hiXi5tpvA07KtGE/QH4zRhp+yp0D+yKv2HvnDVXRRx1/5h55p73oR/jWBP42/TOMriHgkf9QMzd5yUIHLssA/yh/dHtu3xXQQ4eMFuUS82lSfiizGe0jq69SFP4S+CB/KJy+WD7JSX1fEU034e8El/1oJPsa3qfuXDyfid1jHD+PNd2R8UX4XAxVfXVEfZsUNyi+34ibGE+GdFfEzFVZif3QF3rMZvR74ZWkP4Q3xMyfsnRb5MGto+RDFf9RfnexV9aJbjeJj09TwGy7bMv6pPtl+TuUDxkPO1/IB5j/eo737vLSvFMT1AvGyg3zsT074z8b5FoT5eL+Z8LACK45vWO9PZCbU89AtfL8wYUX734WofYXyvaLG40A8mFo9K9JbtYrQF4QVMy/3DwnvXKD7w28NVzYT+6nVir7fA/nrxPmB+2EDlbkEv+gUtPFC/jgqf6J8czxtfEdbedo/4jQ/436HPaDojue/22Z5lOejEGZf4nrQGk7x7WKCz6sanwHfCiQf1k9AU3wRDevt9Px4+maXdeXzF8yfZ1Pz6en21/SOifjbHhtpay+L/g/pH44fju/zMOid8t5jTpxfMw7+9KCwj/xd0fAPj5AfFO+M00dLKK0Z8Xtl+c4djxFx/kf/zyHY78U73aVHfDrxuPieYI8Z4pOPO6n2vM93IAMRXgnVd4R8TVNn95E/Ix6X0/bfF/Lymwtzn/5fhd+7feQfpuT3sz8U/c+l7vviNfl1rf9iH3l8GW306f+3VnL8aftt7TsXrsWbPP6Y+rRG9p/2f8E4WH5Ek+d95N8QMbHnS56B5LcqplhybPb5rgd1nkrLT7L4gxZx9MPvIyFv7if/iPh9LsKfvbiP/LHMwf1b4p78rjB9jBjJs63Z8Z/KZXV89/k2SJ51OesAXNTh9LdzPzmJjzxLuX8DSgkw0A==
