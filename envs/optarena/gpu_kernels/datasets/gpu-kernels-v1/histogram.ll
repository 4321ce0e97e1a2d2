; optarena-kernel: {"kernel":"histogram","cases":{"odd":{"grid":[3,1],"block":[256,1],"arguments":[{"kind":"i32","count":4999,"seed":1,"below":64},{"kind":"output","count":64,"integers":true},{"kind":"int","value":4999}],"bytes":20252,"flops":0},"even":{"grid":[2,1],"block":[256,1],"arguments":[{"kind":"i32","count":2048,"seed":1,"below":64},{"kind":"output","count":64,"integers":true},{"kind":"int","value":2048}],"bytes":8448,"flops":0},"timed":{"grid":[1056,1],"block":[256,1],"arguments":[{"kind":"i32","count":67108864,"seed":1,"below":64},{"kind":"output","count":64,"integers":true},{"kind":"int","value":67108864}],"bytes":268435712,"flops":0}}}
; ModuleID = '<string>'
source_filename = "histogram.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_thread = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_block = type { i8 }
%struct.optarena_grid_size = type { i8 }

@_ZZ9histogramE4bins = internal addrspace(3) global [64 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @histogram(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca ptr, align 8
  %13 = alloca ptr, align 8
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca %struct.optarena_block_size, align 1
  %18 = alloca i32, align 4
  %19 = alloca %struct.optarena_block, align 1
  %20 = alloca %struct.optarena_block_size, align 1
  %21 = alloca %struct.optarena_thread, align 1
  %22 = alloca i32, align 4
  %23 = alloca i32, align 4
  %24 = alloca %struct.optarena_grid_size, align 1
  %25 = alloca %struct.optarena_block_size, align 1
  %26 = alloca i32, align 4
  %27 = alloca %struct.optarena_thread, align 1
  %28 = alloca %struct.optarena_block_size, align 1
  store ptr %0, ptr %12, align 8, !tbaa !8
  store ptr %1, ptr %13, align 8, !tbaa !8
  store i32 %2, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %29 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %29, ptr %15, align 4, !tbaa !4
  br label %30

30:                                               ; preds = %38, %3
  %31 = load i32, ptr %15, align 4, !tbaa !4
  %32 = icmp slt i32 %31, 64
  br i1 %32, label %34, label %33

33:                                               ; preds = %30
  call void @llvm.lifetime.end.p0(ptr %15) #4
  br label %42

34:                                               ; preds = %30
  %35 = load i32, ptr %15, align 4, !tbaa !4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4bins to ptr), i64 0, i64 %36
  store i32 0, ptr %37, align 4, !tbaa !4
  br label %38

38:                                               ; preds = %34
  %39 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %40 = load i32, ptr %15, align 4, !tbaa !4
  %41 = add nsw i32 %40, %39
  store i32 %41, ptr %15, align 4, !tbaa !4
  br label %30, !llvm.loop !11

42:                                               ; preds = %33
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %18) #4
  %43 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %44 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %45 = mul nsw i32 %43, %44
  %46 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %47 = add nsw i32 %45, %46
  store i32 %47, ptr %18, align 4, !tbaa !4
  br label %48

48:                                               ; preds = %80, %42
  %49 = load i32, ptr %18, align 4, !tbaa !4
  %50 = load i32, ptr %14, align 4, !tbaa !4
  %51 = icmp slt i32 %49, %50
  br i1 %51, label %53, label %52

52:                                               ; preds = %48
  call void @llvm.lifetime.end.p0(ptr %18) #4
  br label %86

53:                                               ; preds = %48
  call void @llvm.lifetime.start.p0(ptr %22) #4
  %54 = load ptr, ptr %12, align 8, !tbaa !8
  %55 = load i32, ptr %18, align 4, !tbaa !4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %54, i64 %56
  %58 = load i32, ptr %57, align 4, !tbaa !4
  store i32 %58, ptr %22, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %23) #4
  %59 = load i32, ptr %22, align 4, !tbaa !4
  %60 = icmp slt i32 %59, 0
  br i1 %60, label %61, label %62

61:                                               ; preds = %53
  br label %70

62:                                               ; preds = %53
  %63 = load i32, ptr %22, align 4, !tbaa !4
  %64 = icmp sge i32 %63, 64
  br i1 %64, label %65, label %66

65:                                               ; preds = %62
  br label %68

66:                                               ; preds = %62
  %67 = load i32, ptr %22, align 4, !tbaa !4
  br label %68

68:                                               ; preds = %66, %65
  %69 = phi i32 [ 63, %65 ], [ %67, %66 ]
  br label %70

70:                                               ; preds = %68, %61
  %71 = phi i32 [ 0, %61 ], [ %69, %68 ]
  store i32 %71, ptr %23, align 4, !tbaa !4
  %72 = load i32, ptr %23, align 4, !tbaa !4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4bins to ptr), i64 0, i64 %73
  call void @llvm.lifetime.start.p0(ptr %8)
  call void @llvm.lifetime.start.p0(ptr %9)
  call void @llvm.lifetime.start.p0(ptr %10)
  call void @llvm.lifetime.start.p0(ptr %11)
  store ptr %74, ptr %8, align 8, !tbaa !8
  store i32 1, ptr %9, align 4, !tbaa !4
  %75 = load ptr, ptr %8, align 8, !tbaa !8
  %76 = load i32, ptr %9, align 4, !tbaa !4
  store i32 %76, ptr %10, align 4, !tbaa !4
  %77 = load i32, ptr %10, align 4
  %78 = atomicrmw add ptr %75, i32 %77 monotonic, align 4
  store i32 %78, ptr %11, align 4
  %79 = load i32, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %8)
  call void @llvm.lifetime.end.p0(ptr %9)
  call void @llvm.lifetime.end.p0(ptr %10)
  call void @llvm.lifetime.end.p0(ptr %11)
  call void @llvm.lifetime.end.p0(ptr %23) #4
  call void @llvm.lifetime.end.p0(ptr %22) #4
  br label %80

80:                                               ; preds = %70
  %81 = call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %82 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %83 = mul nsw i32 %81, %82
  %84 = load i32, ptr %18, align 4, !tbaa !4
  %85 = add nsw i32 %84, %83
  store i32 %85, ptr %18, align 4, !tbaa !4
  br label %48, !llvm.loop !13

86:                                               ; preds = %52
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %26) #4
  %87 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %87, ptr %26, align 4, !tbaa !4
  br label %88

88:                                               ; preds = %113, %86
  %89 = load i32, ptr %26, align 4, !tbaa !4
  %90 = icmp slt i32 %89, 64
  br i1 %90, label %92, label %91

91:                                               ; preds = %88
  call void @llvm.lifetime.end.p0(ptr %26) #4
  br label %117

92:                                               ; preds = %88
  %93 = load i32, ptr %26, align 4, !tbaa !4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4bins to ptr), i64 0, i64 %94
  %96 = load i32, ptr %95, align 4, !tbaa !4
  %97 = icmp sgt i32 %96, 0
  br i1 %97, label %98, label %112

98:                                               ; preds = %92
  %99 = load ptr, ptr %13, align 8, !tbaa !8
  %100 = load i32, ptr %26, align 4, !tbaa !4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds i32, ptr %99, i64 %101
  %103 = load i32, ptr %26, align 4, !tbaa !4
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4bins to ptr), i64 0, i64 %104
  %106 = load i32, ptr %105, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %4)
  call void @llvm.lifetime.start.p0(ptr %5)
  call void @llvm.lifetime.start.p0(ptr %6)
  call void @llvm.lifetime.start.p0(ptr %7)
  store ptr %102, ptr %4, align 8, !tbaa !8
  store i32 %106, ptr %5, align 4, !tbaa !4
  %107 = load ptr, ptr %4, align 8, !tbaa !8
  %108 = load i32, ptr %5, align 4, !tbaa !4
  store i32 %108, ptr %6, align 4, !tbaa !4
  %109 = load i32, ptr %6, align 4
  %110 = atomicrmw add ptr %107, i32 %109 monotonic, align 4
  store i32 %110, ptr %7, align 4
  %111 = load i32, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %4)
  call void @llvm.lifetime.end.p0(ptr %5)
  call void @llvm.lifetime.end.p0(ptr %6)
  call void @llvm.lifetime.end.p0(ptr %7)
  br label %112

112:                                              ; preds = %98, %92
  br label %113

113:                                              ; preds = %112
  %114 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %115 = load i32, ptr %26, align 4, !tbaa !4
  %116 = add nsw i32 %115, %114
  store i32 %116, ptr %26, align 4, !tbaa !4
  br label %88, !llvm.loop !14

117:                                              ; preds = %91
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

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
!9 = !{!"p1 int", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
; optarena-nvcc: eNrtWM1rG0cUf/uhr0j2WmmhNm3jTeuAA7akNMZRTv6ua4ib0kAogbBZW+tIVNKK3bWRYkNkNwQXimkOOeTm9tRD/4FcWkNLDqYEH3IoPaXBh1ByMDmnUd/szGpXq5Xd9tAPyMDozXszb+Y3v/dmd1Y3Zy68z3PcRBRo4eE74MAt+SSVg11UilcgPA5ZCME4JMnIlJk3LcNSF7DlyFrJIxUzX85VIVXWLS1VXklZnxbKS7qrLy4zfSXVbCzqpYpqQcrSqlYqXzAt/bqhlppjfCYzrxpaLthoaKZmrGAjA9guts2INrXNmNMWlq8rS9jWqJffoLZaCGK1WETnSt7WKoZu6Vatwvr0smmpZSvjWePPl/8qwQ6zl0paKaUvLZmalenAvKKUV5Tm+PmZeYWOVzKKWiyoZoeN/xvxat3jX4/caawCng5/OW/bw232q7a9q81et+3dbfa7WE96dJHJH7HK21IwKK7d9C5H5hfb7Jds+7E2u4724z0uzjpzrdnje9rGN7AMeNqk4HprREqJ9Xp9EKKN9fpg1G7SMUMdOHXWEnvxh/qKe6wvgfVLrHsRgA8vz03PTchTulHB55i7deyCUazXiKFiVTHhppZzqkwOQaGoWgW9LFu6XjSHZMwVTTU1+czZVGZIvkxEKpuFyeVCMScvopNimwzym6b+mpE6Ozry3si5MyNKBoZXZHlYNRbzsllSzmfk4ZI8OiJTnOQZ+1Tw47wCG2Rv6ajNOom4mIw2IyAed9t8DCvPAR8KgRDhOB7n4sMciPGomw/nRDrfGwn2PMfYHCSbOkdQHJxs6nZBXfgI4/hmA/gLHAgKx4lvRWEbSdzGNcQTNABC3+sgHotCHNs9PLZHRYh6YkzkSyZ/Z/IFk9PN9wu0ZNfGKtewDWSiJxL01SK0gyT5O90wUwN4TLNAoP3sDJ3CutANiSpExklYFw4E+KUfZmODTtYI8Fsax7OzuEnn21gVbTz2eujPV9khkuj6A4ZgA47AVgQeSJA06GFu7KD+sB8Gqrxgs8Gjvo/jq4JIckwg+oM0bJrAN5z59zmCT3DxSTD7+TObk0bjM8TXDxM18OCV4P4Ntj/Gx/0bIsXO9IE1CJMREX5Lov3YscFIRZ3wleFcvt5e9TwEUCd8jRE8k4gH8SfW6PYrC8/jNr6+bAuevprg4y/WAMHLH+/y91Ci/N5ieL7uRryxGMHbsPGmkc+4wHv4PIX+xF0k/P10EdZrPG/n1L0TCdu/CjHO4XvXhxfxf1AN82Q/kHwpwK6C48Nh0h9n47+42bAJHYN6FzzhYPbeYw//Uhv/LXw9k2A+1tr/gzefcP8bVdF9CDv7v+3u/44hhkj32A7u/2fc/xpEiN7oofEj8brmzP9Uglu1mBv/XIrEy94/zZ805k+0BQ/yF2nyt3sRtmr2YwI2f+1JwL7Qtr/RtUikmWG7ku/8kPx81MLPvM9/tvbC7d+RoLfmOcz/Q/1VeVX+iWK/IwLs40xmucOvbPEO/l+xgXeO8H+NvXv9JcsmlTn3/ezcVUjpZfJR8DUSPmHPvvwRV87T7B7mh7HD/L/xjRcD7s8RylfL1Hn2OJaZHmLY/f5zVFT8+DeZv3NXFTqs/zHW2wH+3/r8O+Fn3w2VcZ99j/lbnvW7AvzJJYMLWH863Lp/P34njt8zm3/9vO+TxFnfH//nR/j3evzFAP+rLCf8X0D1cOsdX2CvznrA9xCZcwoCDoYTeFaC+LvL/IVO/kfkr0z5h8kO/gP84euHmc35P8VferlWGfXg+Lt+IQ+/nb6pHOn1Cx/CS7OEgnF28nP4caTj9wesuEUx
