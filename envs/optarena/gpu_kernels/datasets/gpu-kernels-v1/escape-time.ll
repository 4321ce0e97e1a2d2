; optarena-kernel: {"kernel":"escape_time","cases":{"odd":{"grid":[8,1],"block":[128,1],"arguments":[{"kind":"f32","count":1001,"seed":1},{"kind":"f32","count":1001,"seed":2},{"kind":"output","count":1001,"integers":true},{"kind":"int","value":1001},{"kind":"int","value":40}],"bytes":12012,"flops":81160},"even":{"grid":[4,1],"block":[128,1],"arguments":[{"kind":"f32","count":512,"seed":1},{"kind":"f32","count":512,"seed":2},{"kind":"output","count":512,"integers":true},{"kind":"int","value":512},{"kind":"int","value":64}],"bytes":6144,"flops":60930},"timed":{"grid":[32768,1],"block":[128,1],"arguments":[{"kind":"f32","count":4194304,"seed":1},{"kind":"f32","count":4194304,"seed":2},{"kind":"output","count":4194304,"integers":true},{"kind":"int","value":4194304},{"kind":"int","value":256}],"bytes":50331648,"flops":1510728500}}}
; ModuleID = '<string>'
source_filename = "escape-time.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @escape_time(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 {
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
  %16 = alloca float, align 4
  %17 = alloca float, align 4
  %18 = alloca float, align 4
  %19 = alloca float, align 4
  %20 = alloca i32, align 4
  %21 = alloca float, align 4
  store ptr %0, ptr %6, align 8, !tbaa !8
  store ptr %1, ptr %7, align 8, !tbaa !8
  store ptr %2, ptr %8, align 8, !tbaa !11
  store i32 %3, ptr %9, align 4, !tbaa !4
  store i32 %4, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #3
  %22 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %23 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %24 = mul nsw i32 %22, %23
  %25 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %26 = add nsw i32 %24, %25
  store i32 %26, ptr %11, align 4, !tbaa !4
  %27 = load i32, ptr %11, align 4, !tbaa !4
  %28 = load i32, ptr %9, align 4, !tbaa !4
  %29 = icmp sge i32 %27, %28
  br i1 %29, label %30, label %31

30:                                               ; preds = %5
  store i32 1, ptr %15, align 4
  br label %85

31:                                               ; preds = %5
  call void @llvm.lifetime.start.p0(ptr %16) #3
  %32 = load ptr, ptr %6, align 8, !tbaa !8
  %33 = load i32, ptr %11, align 4, !tbaa !4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds float, ptr %32, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !13
  %37 = fmul contract float 2.000000e+00, %36
  %38 = fsub contract float %37, 5.000000e-01
  store float %38, ptr %16, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %17) #3
  %39 = load ptr, ptr %7, align 8, !tbaa !8
  %40 = load i32, ptr %11, align 4, !tbaa !4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds float, ptr %39, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !13
  %44 = fmul contract float 1.500000e+00, %43
  store float %44, ptr %17, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %18) #3
  store float 0.000000e+00, ptr %18, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %19) #3
  store float 0.000000e+00, ptr %19, align 4, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %20) #3
  store i32 0, ptr %20, align 4, !tbaa !4
  br label %45

45:                                               ; preds = %60, %31
  %46 = load i32, ptr %20, align 4, !tbaa !4
  %47 = load i32, ptr %10, align 4, !tbaa !4
  %48 = icmp slt i32 %46, %47
  br i1 %48, label %49, label %58

49:                                               ; preds = %45
  %50 = load float, ptr %18, align 4, !tbaa !13
  %51 = load float, ptr %18, align 4, !tbaa !13
  %52 = fmul contract float %50, %51
  %53 = load float, ptr %19, align 4, !tbaa !13
  %54 = load float, ptr %19, align 4, !tbaa !13
  %55 = fmul contract float %53, %54
  %56 = fadd contract float %52, %55
  %57 = fcmp contract olt float %56, 4.000000e+00
  br label %58

58:                                               ; preds = %49, %45
  %59 = phi i1 [ false, %45 ], [ %57, %49 ]
  br i1 %59, label %60, label %79

60:                                               ; preds = %58
  call void @llvm.lifetime.start.p0(ptr %21) #3
  %61 = load float, ptr %18, align 4, !tbaa !13
  %62 = load float, ptr %18, align 4, !tbaa !13
  %63 = fmul contract float %61, %62
  %64 = load float, ptr %19, align 4, !tbaa !13
  %65 = load float, ptr %19, align 4, !tbaa !13
  %66 = fmul contract float %64, %65
  %67 = fsub contract float %63, %66
  %68 = load float, ptr %16, align 4, !tbaa !13
  %69 = fadd contract float %67, %68
  store float %69, ptr %21, align 4, !tbaa !13
  %70 = load float, ptr %18, align 4, !tbaa !13
  %71 = fmul contract float 2.000000e+00, %70
  %72 = load float, ptr %19, align 4, !tbaa !13
  %73 = fmul contract float %71, %72
  %74 = load float, ptr %17, align 4, !tbaa !13
  %75 = fadd contract float %73, %74
  store float %75, ptr %19, align 4, !tbaa !13
  %76 = load float, ptr %21, align 4, !tbaa !13
  store float %76, ptr %18, align 4, !tbaa !13
  %77 = load i32, ptr %20, align 4, !tbaa !4
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %20, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %21) #3
  br label %45, !llvm.loop !15

79:                                               ; preds = %58
  %80 = load i32, ptr %20, align 4, !tbaa !4
  %81 = load ptr, ptr %8, align 8, !tbaa !11
  %82 = load i32, ptr %11, align 4, !tbaa !4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds i32, ptr %81, i64 %83
  store i32 %80, ptr %84, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %20) #3
  call void @llvm.lifetime.end.p0(ptr %19) #3
  call void @llvm.lifetime.end.p0(ptr %18) #3
  call void @llvm.lifetime.end.p0(ptr %17) #3
  call void @llvm.lifetime.end.p0(ptr %16) #3
  store i32 0, ptr %15, align 4
  br label %85

85:                                               ; preds = %79, %30
  call void @llvm.lifetime.end.p0(ptr %11) #3
  %86 = load i32, ptr %15, align 4
  switch i32 %86, label %88 [
    i32 0, label %87
    i32 1, label %87
  ]

87:                                               ; preds = %85, %85
  ret void

88:                                               ; preds = %85
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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"p1 int", !10, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !6, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
; optarena-nvcc: eNrtF0ts3FRw/Nv1fog3pVITtWq8NJVaKXG2NCTpiU3TECIRigD1UCkyTuJ0V+yuV7YT7ZZIbAKqKEhVr4gL4sSVYy+QY1UhqBAHxClEOSC4RJw4tJh5z8+7Xnu3UISgh470PG/mze/NG8+z351/5SWe42Zl8IGHL4GDDhwqPi5kfSxehUQRZkCCIihEUnNKjmu7xgrOAtyshrDulGprDdBqlmtqtU3NfbtcW7c69OoGoze19mTVqtYNFzTXbLia6awadVN3y1WzLRVjOiXDNtf6sW3TMe1NnBRAWzNXNq7p67ZBRGyzEmMY3RwSjlGpXLONeolSddtyLbdZZ2tWzXGNmlvo8v048GRnMEjdG1Wzqlnr647pFvqkVtdrm3pbfml+Sffl9YJuVMqG86/mPhrnY57DWRwCVnEULlB+IsZfpvxsjP8JjnyIFhm+h0P99JmY/K/UjhjjH+cIPx3jTyP/SK7jtyX4eI7KD8TkPYTR0JwA+tsiWMlut1pnQPa2W2dkOvVlxvrkKPAlqvjwdcXbbI1EROb3kwCvXlm8tDirzll2HfuHD6SH4BJM4XiLMOpuAytgbmPNUEltliuGW7ZqqmtZFWdMxaM3DcdUz53XCmPqFYK0mRm4uFGurKmrqKRTlk2eE76+aWvnpyafn5w+N6kXYHxTVccNe7WkOlX9QkEdr6pTk6ofJ+ltPwvROK/CDtnbhEzXSZsTB/053fORzpxP4eA54CUJhCTH8WiLT3AgZuTOuU+Lvr1jWVYHJ7B5DrZpAYa6aB5ySOfbNEe8hWi/+eZBeA11j3sg6BwnnpChjuxdTLJ40q8hYVgFMS0Dhgg5HudTYjtucrYE/8HwQ4YfIL7U7vcAMvx/sPMO59GyJ0HsKzDcZO/kaRzPDcCd6+xdaa8zRfLSjQ7A6JYkUQn+lgL7I778h0z+rgLZLaDr9ZXDDPyowFIqVN2/KOif9+B9JNMhfzuM/oasZz34iNlbGYDTDZ7a4/lbSfh6BLabPE/9f3wyC59hPG6S5LjoAa5jvNkGZDnfvwAHEzDcSHsjSEtHObqfUy49gq/IuwL7l2HUTtJDovrfKbBw882ueO9cx950g8V3oMDgFi+RbuXlWgrZ7+CWIBFb6aOKDPeUWHwvuBlaAx7n53Me83kY2EdaarDeRwQOCC13aFxXGyLGu/sibhHzcxnydiqFGi0qg+t5W5Db9YR0rpFMElfenpck9vK2X6vB+ik7I2SCvknyZUMy284X+rNTzF7R928nMpmAvkvs8al2t8b9Zhokn60i5H4TyHkv3Pye1rvnvQckf7NNiOfzg7+fzxtN4AktDmNTxniWIvYWmg8CfwLsKjDUDBX7E0g/hafwXwJH78I4FBk+xsXlw5Dpo7/DBJf/Qv9ZdudFYY8xD0P3Yjp0Nw4x/EUPmwTus6BK8Gj/Z9l3UTSMGXbNfR6RF3t8nyb9fHWZ3mOCKqMlFntUf9FH9dgG2LUbfDsKffy/DvT6iemPRvT7xW8x/8UI/2WmfzvkP9tD/yc/pzH/P0jd+4/GH5zjt4wX9f+71H3OApOLnv8yO9PoH0Ir0f3NLDDdVo//BblXDaf7vy9heMh4F/voF0JV1St/CcY77NP6h7huLIfi+Kd6Uig//f4xAhzWSzwiL1GIxtlPL8hPgAO9PwHrZf0K
