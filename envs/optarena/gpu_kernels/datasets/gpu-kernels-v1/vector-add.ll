; optarena-kernel: {"kernel":"vector_add","cases":{"odd":{"grid":[4,1],"block":[256,1],"arguments":[{"kind":"f32","count":1021,"seed":1},{"kind":"f32","count":1021,"seed":2},{"kind":"output","count":1021,"integers":false},{"kind":"int","value":1021}],"bytes":12252,"flops":1021},"even":{"grid":[8,1],"block":[256,1],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":2048,"seed":2},{"kind":"output","count":2048,"integers":false},{"kind":"int","value":2048}],"bytes":24576,"flops":2048},"timed":{"grid":[1056,1],"block":[256,1],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":33554432,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":33554432}],"bytes":402653184,"flops":33554432}}}
; ModuleID = '<string>'
source_filename = "vector-add.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }
%struct.optarena_grid_size = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @vector_add(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca %struct.optarena_block_size, align 1
  %12 = alloca %struct.optarena_thread, align 1
  %13 = alloca %struct.optarena_grid_size, align 1
  %14 = alloca %struct.optarena_block_size, align 1
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #3
  %15 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %16 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %17 = mul nsw i32 %15, %16
  %18 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = add nsw i32 %17, %18
  store i32 %19, ptr %9, align 4, !tbaa !4
  br label %20

20:                                               ; preds = %41, %4
  %21 = load i32, ptr %9, align 4, !tbaa !4
  %22 = load i32, ptr %8, align 4, !tbaa !4
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %25, label %24

24:                                               ; preds = %20
  call void @llvm.lifetime.end.p0(ptr %9) #3
  br label %47

25:                                               ; preds = %20
  %26 = load ptr, ptr %5, align 8, !tbaa !8
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds float, ptr %26, i64 %28
  %30 = load float, ptr %29, align 4, !tbaa !11
  %31 = load ptr, ptr %6, align 8, !tbaa !8
  %32 = load i32, ptr %9, align 4, !tbaa !4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %31, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !11
  %36 = fadd contract float %30, %35
  %37 = load ptr, ptr %7, align 8, !tbaa !8
  %38 = load i32, ptr %9, align 4, !tbaa !4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %37, i64 %39
  store float %36, ptr %40, align 4, !tbaa !11
  br label %41

41:                                               ; preds = %25
  %42 = call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %43 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %44 = mul nsw i32 %42, %43
  %45 = load i32, ptr %9, align 4, !tbaa !4
  %46 = add nsw i32 %45, %44
  store i32 %46, ptr %9, align 4, !tbaa !4
  br label %20, !llvm.loop !13

47:                                               ; preds = %24
  ret void
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

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
; optarena-nvcc: eNrtF0tsG0X07e54vXWMN00POCJqNyiVWsnZuNRK01PTH1UkAgikClWqlo29qS1sr7W7seI2CCegCDgEjnDj0AMnxLUX1BtRxYFjxAFVEYeIA8oRodLt/Nben4uKEEKoTxq//7w3783Mjj+4+tqroiBcVICBCN+BAEPoFBj+NscwugHyIixABhZBJZa6W3c9xzNXMBXgXiuEDbferq2D3rY9S293de+9RnvVHvLVNc539QFRtVsd0wPds9Y9vWtVPdsxzFptYBSXuXXTsWojpI7lWk4XE2XQa9bK2i1j1TFbFmBFMyEwoxKSi9ls3nLMTp1yHcf2bK/X4Tq77Xpm2yuHQz8D/IeLF1Tt7ZbV0u3VVdfyyiOqahjtrjGwX766bDB7o2yYzYbp/qNlj6X5rB04jYeEd28czlO5nJDfpPJ8Qv4FHtMhHnH8PR7aVy8k7A/oPCghLwpEnkvIK1g+MT6M2xcZvkDtCwl7H8NMiCaA420QrOY3+/1ToPib/VMKJZlNaUSNglhIwz/MFy1yHcnoczx+zAK8fn3pytJF7bLtdIC70LsDq2Aej3fpBeKt4x1wea1mamRjNpqm17DbmmfbTbek4dZbpmtpZ87q5ZJ2nSB9YQEurTWaNa2KnQwqcsjvHPO3HP3sfOWVyrkzFaMMs11NmzWdal1zW8b5sjbb0uYrGsuT3GkHUjzPG7BF1janUP0EoY8ymq55YkiLR/AQBRAzGZCygiDiuURZADSmDPt+DrH5XmS9kqAIcHh0wIswjvnpAS+Q2UM8BcxLb2Lfl3yQDEFAUwp0SB9wMdFxtmekySlAOQVwSjAuYnoeDfIkvST4Mcd/cvwI4yuDex1ASen11h3Bp9uPKPdVmOxxxUk8Xi7Avdt8z3L9vduY+DRsLzE9OQwzBZjZYGdBEndUeHAC8hvMtLNyOAY/qbB8ZLDLJPhVxfEVHz7CbC6IlyFFDMXDZ3KL6zF/10GInN4LdH7in/Nhm+vxx2rrTt6Hjzl/twAn10WajyLuZGH3BOYR5XOE/2UObfYkkZ76L4/n4WAHNnsIDfh94i9T+zyx338DjfP1+Q99FXbV6PpwftOOiqRgiQ8+g+0eyCom5Ul8mH/LwrVP9mhffP9Duv7lXrQe13qPhvr7KhR7oWb9D/nn8Bz+TRCAXS9xCL5vx4SkfRjGRvi/zw3f+Qv/Y/wujsMeFx6G7utc6M4ucvxNypwEdnlSdXh6/NP8+xxPo8yv+a9j9ijlnZRl9YpMvccNNc5neO5x/yX+tyKe/+/cMHjDSCPiv4XHdor/VCbqPyr/No+/GO8/9++H4udT/H9mNU3Ev5+Jrj+ef9DHH7gsHv9hJtpnidvF+3+T9zTxUpWjb7fgE9pPebcqKXu4r4w+L2H4g8sujfAvhXZVWv1kLusU0uMVhShWQnn8Xb8MpBUsWq8Ah/3kp9QlDvE8R/kF9SnF4j0B3GLJ7g==
