; optarena-kernel: {"kernel":"convolution","cases":{"odd":{"grid":[2,3],"block":[32,8],"arguments":[{"kind":"f32","count":3150,"seed":1},{"kind":"f32","count":49,"seed":2},{"kind":"output","count":3150,"integers":false},{"kind":"int","value":45},{"kind":"int","value":70}],"bytes":25396,"flops":308700},"even":{"grid":[2,1],"block":[32,8],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":49,"seed":2},{"kind":"output","count":2048,"integers":false},{"kind":"int","value":64},{"kind":"int","value":32}],"bytes":16580,"flops":200704},"timed":{"grid":[256,128],"block":[32,8],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":49,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":8192},{"kind":"int","value":4096}],"bytes":268435652,"flops":3288334336}}}
; ModuleID = '<string>'
source_filename = "convolution.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ11convolutionE4tile = internal addrspace(3) global [38 x [38 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @convolution(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca %struct.optarena_block, align 1
  %13 = alloca i32, align 4
  %14 = alloca %struct.optarena_block, align 1
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_thread, align 1
  %17 = alloca %struct.optarena_thread, align 1
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca [4 x float], align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  %25 = alloca i32, align 4
  %26 = alloca %struct.optarena_thread, align 1
  %27 = alloca %struct.optarena_thread, align 1
  %28 = alloca i32, align 4
  %29 = alloca i32, align 4
  %30 = alloca %struct.optarena_thread, align 1
  %31 = alloca i32, align 4
  %32 = alloca %struct.optarena_thread, align 1
  store ptr %0, ptr %6, align 8, !tbaa !8
  store ptr %1, ptr %7, align 8, !tbaa !8
  store ptr %2, ptr %8, align 8, !tbaa !8
  store i32 %3, ptr %9, align 4, !tbaa !4
  store i32 %4, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #4
  %33 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %34 = mul nsw i32 %33, 32
  store i32 %34, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #4
  %35 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %36 = mul nsw i32 %35, 32
  store i32 %36, ptr %13, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %37 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %38 = mul nsw i32 %37, 32
  %39 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %40 = add nsw i32 %38, %39
  store i32 %40, ptr %15, align 4, !tbaa !4
  br label %41

41:                                               ; preds = %90, %5
  %42 = load i32, ptr %15, align 4, !tbaa !4
  %43 = icmp slt i32 %42, 1444
  br i1 %43, label %45, label %44

44:                                               ; preds = %41
  call void @llvm.lifetime.end.p0(ptr %15) #4
  br label %93

45:                                               ; preds = %41
  call void @llvm.lifetime.start.p0(ptr %18) #4
  %46 = load i32, ptr %11, align 4, !tbaa !4
  %47 = load i32, ptr %15, align 4, !tbaa !4
  %48 = srem i32 %47, 38
  %49 = add nsw i32 %46, %48
  %50 = sub nsw i32 %49, 3
  store i32 %50, ptr %18, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %19) #4
  %51 = load i32, ptr %13, align 4, !tbaa !4
  %52 = load i32, ptr %15, align 4, !tbaa !4
  %53 = sdiv i32 %52, 38
  %54 = add nsw i32 %51, %53
  %55 = sub nsw i32 %54, 3
  store i32 %55, ptr %19, align 4, !tbaa !4
  %56 = load i32, ptr %18, align 4, !tbaa !4
  %57 = icmp sge i32 %56, 0
  br i1 %57, label %58, label %79

58:                                               ; preds = %45
  %59 = load i32, ptr %18, align 4, !tbaa !4
  %60 = load i32, ptr %9, align 4, !tbaa !4
  %61 = icmp slt i32 %59, %60
  br i1 %61, label %62, label %79

62:                                               ; preds = %58
  %63 = load i32, ptr %19, align 4, !tbaa !4
  %64 = icmp sge i32 %63, 0
  br i1 %64, label %65, label %79

65:                                               ; preds = %62
  %66 = load i32, ptr %19, align 4, !tbaa !4
  %67 = load i32, ptr %10, align 4, !tbaa !4
  %68 = icmp slt i32 %66, %67
  br i1 %68, label %69, label %79

69:                                               ; preds = %65
  %70 = load ptr, ptr %6, align 8, !tbaa !8
  %71 = load i32, ptr %19, align 4, !tbaa !4
  %72 = load i32, ptr %9, align 4, !tbaa !4
  %73 = mul nsw i32 %71, %72
  %74 = load i32, ptr %18, align 4, !tbaa !4
  %75 = add nsw i32 %73, %74
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds float, ptr %70, i64 %76
  %78 = load float, ptr %77, align 4, !tbaa !11
  br label %80

79:                                               ; preds = %65, %62, %58, %45
  br label %80

80:                                               ; preds = %79, %69
  %81 = phi contract float [ %78, %69 ], [ 0.000000e+00, %79 ]
  %82 = load i32, ptr %15, align 4, !tbaa !4
  %83 = sdiv i32 %82, 38
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [38 x [38 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ11convolutionE4tile to ptr), i64 0, i64 %84
  %86 = load i32, ptr %15, align 4, !tbaa !4
  %87 = srem i32 %86, 38
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [38 x float], ptr %85, i64 0, i64 %88
  store float %81, ptr %89, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %19) #4
  call void @llvm.lifetime.end.p0(ptr %18) #4
  br label %90

90:                                               ; preds = %80
  %91 = load i32, ptr %15, align 4, !tbaa !4
  %92 = add nsw i32 %91, 256
  store i32 %92, ptr %15, align 4, !tbaa !4
  br label %41, !llvm.loop !13

93:                                               ; preds = %44
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %20) #4
  call void @llvm.lifetime.start.p0(ptr %21) #4
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %94

94:                                               ; preds = %102, %93
  %95 = load i32, ptr %21, align 4, !tbaa !4
  %96 = icmp slt i32 %95, 4
  br i1 %96, label %98, label %97

97:                                               ; preds = %94
  call void @llvm.lifetime.end.p0(ptr %21) #4
  br label %105

98:                                               ; preds = %94
  %99 = load i32, ptr %21, align 4, !tbaa !4
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds [4 x float], ptr %20, i64 0, i64 %100
  store float 0.000000e+00, ptr %101, align 4, !tbaa !11
  br label %102

102:                                              ; preds = %98
  %103 = load i32, ptr %21, align 4, !tbaa !4
  %104 = add nsw i32 %103, 1
  store i32 %104, ptr %21, align 4, !tbaa !4
  br label %94, !llvm.loop !15

105:                                              ; preds = %97
  call void @llvm.lifetime.start.p0(ptr %22) #4
  store i32 0, ptr %22, align 4, !tbaa !4
  br label %106

106:                                              ; preds = %157, %105
  %107 = load i32, ptr %22, align 4, !tbaa !4
  %108 = icmp slt i32 %107, 7
  br i1 %108, label %110, label %109

109:                                              ; preds = %106
  store i32 8, ptr %23, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #4
  br label %160

110:                                              ; preds = %106
  call void @llvm.lifetime.start.p0(ptr %24) #4
  store i32 0, ptr %24, align 4, !tbaa !4
  br label %111

111:                                              ; preds = %153, %110
  %112 = load i32, ptr %24, align 4, !tbaa !4
  %113 = icmp slt i32 %112, 7
  br i1 %113, label %115, label %114

114:                                              ; preds = %111
  store i32 11, ptr %23, align 4
  call void @llvm.lifetime.end.p0(ptr %24) #4
  br label %156

115:                                              ; preds = %111
  call void @llvm.lifetime.start.p0(ptr %25) #4
  store i32 0, ptr %25, align 4, !tbaa !4
  br label %116

116:                                              ; preds = %149, %115
  %117 = load i32, ptr %25, align 4, !tbaa !4
  %118 = icmp slt i32 %117, 4
  br i1 %118, label %120, label %119

119:                                              ; preds = %116
  store i32 14, ptr %23, align 4
  call void @llvm.lifetime.end.p0(ptr %25) #4
  br label %152

120:                                              ; preds = %116
  %121 = load ptr, ptr %7, align 8, !tbaa !8
  %122 = load i32, ptr %22, align 4, !tbaa !4
  %123 = mul nsw i32 %122, 7
  %124 = load i32, ptr %24, align 4, !tbaa !4
  %125 = add nsw i32 %123, %124
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds float, ptr %121, i64 %126
  %128 = load float, ptr %127, align 4, !tbaa !11
  %129 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %130 = load i32, ptr %25, align 4, !tbaa !4
  %131 = mul nsw i32 %130, 8
  %132 = add nsw i32 %129, %131
  %133 = load i32, ptr %22, align 4, !tbaa !4
  %134 = add nsw i32 %132, %133
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds [38 x [38 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ11convolutionE4tile to ptr), i64 0, i64 %135
  %137 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %138 = load i32, ptr %24, align 4, !tbaa !4
  %139 = add nsw i32 %137, %138
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds [38 x float], ptr %136, i64 0, i64 %140
  %142 = load float, ptr %141, align 4, !tbaa !11
  %143 = fmul contract float %128, %142
  %144 = load i32, ptr %25, align 4, !tbaa !4
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds [4 x float], ptr %20, i64 0, i64 %145
  %147 = load float, ptr %146, align 4, !tbaa !11
  %148 = fadd contract float %147, %143
  store float %148, ptr %146, align 4, !tbaa !11
  br label %149

149:                                              ; preds = %120
  %150 = load i32, ptr %25, align 4, !tbaa !4
  %151 = add nsw i32 %150, 1
  store i32 %151, ptr %25, align 4, !tbaa !4
  br label %116, !llvm.loop !16

152:                                              ; preds = %119
  br label %153

153:                                              ; preds = %152
  %154 = load i32, ptr %24, align 4, !tbaa !4
  %155 = add nsw i32 %154, 1
  store i32 %155, ptr %24, align 4, !tbaa !4
  br label %111, !llvm.loop !17

156:                                              ; preds = %114
  br label %157

157:                                              ; preds = %156
  %158 = load i32, ptr %22, align 4, !tbaa !4
  %159 = add nsw i32 %158, 1
  store i32 %159, ptr %22, align 4, !tbaa !4
  br label %106, !llvm.loop !18

160:                                              ; preds = %109
  call void @llvm.lifetime.start.p0(ptr %28) #4
  store i32 0, ptr %28, align 4, !tbaa !4
  br label %161

161:                                              ; preds = %196, %160
  %162 = load i32, ptr %28, align 4, !tbaa !4
  %163 = icmp slt i32 %162, 4
  br i1 %163, label %165, label %164

164:                                              ; preds = %161
  store i32 17, ptr %23, align 4
  call void @llvm.lifetime.end.p0(ptr %28) #4
  br label %199

165:                                              ; preds = %161
  call void @llvm.lifetime.start.p0(ptr %29) #4
  %166 = load i32, ptr %11, align 4, !tbaa !4
  %167 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %168 = add nsw i32 %166, %167
  store i32 %168, ptr %29, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %31) #4
  %169 = load i32, ptr %13, align 4, !tbaa !4
  %170 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %171 = add nsw i32 %169, %170
  %172 = load i32, ptr %28, align 4, !tbaa !4
  %173 = mul nsw i32 %172, 8
  %174 = add nsw i32 %171, %173
  store i32 %174, ptr %31, align 4, !tbaa !4
  %175 = load i32, ptr %29, align 4, !tbaa !4
  %176 = load i32, ptr %9, align 4, !tbaa !4
  %177 = icmp slt i32 %175, %176
  br i1 %177, label %178, label %195

178:                                              ; preds = %165
  %179 = load i32, ptr %31, align 4, !tbaa !4
  %180 = load i32, ptr %10, align 4, !tbaa !4
  %181 = icmp slt i32 %179, %180
  br i1 %181, label %182, label %195

182:                                              ; preds = %178
  %183 = load i32, ptr %28, align 4, !tbaa !4
  %184 = sext i32 %183 to i64
  %185 = getelementptr inbounds [4 x float], ptr %20, i64 0, i64 %184
  %186 = load float, ptr %185, align 4, !tbaa !11
  %187 = load ptr, ptr %8, align 8, !tbaa !8
  %188 = load i32, ptr %31, align 4, !tbaa !4
  %189 = load i32, ptr %9, align 4, !tbaa !4
  %190 = mul nsw i32 %188, %189
  %191 = load i32, ptr %29, align 4, !tbaa !4
  %192 = add nsw i32 %190, %191
  %193 = sext i32 %192 to i64
  %194 = getelementptr inbounds float, ptr %187, i64 %193
  store float %186, ptr %194, align 4, !tbaa !11
  br label %195

195:                                              ; preds = %182, %178, %165
  call void @llvm.lifetime.end.p0(ptr %31) #4
  call void @llvm.lifetime.end.p0(ptr %29) #4
  br label %196

196:                                              ; preds = %195
  %197 = load i32, ptr %28, align 4, !tbaa !4
  %198 = add nsw i32 %197, 1
  store i32 %198, ptr %28, align 4, !tbaa !4
  br label %161, !llvm.loop !19

199:                                              ; preds = %164
  call void @llvm.lifetime.end.p0(ptr %20) #4
  call void @llvm.lifetime.end.p0(ptr %13) #4
  call void @llvm.lifetime.end.p0(ptr %11) #4
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
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #3

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
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !14}
; optarena-nvcc: eNrtWV1sHNUVPnNnZnfWuzs/u+u11xvjTeK0piK2KamBt4QkDUiERLRCFRJyNomDI2zvaryxZsEStknT0CLCAw+JQGqU8hDUSuWRCFTxYKUoQghVfUA8VNSyqqjiIU2rCCnA9px778ze2bWJaKX+SIw1vvPdc8+55++ee2f2+f2P/pBp2h4LxMXgd6BB+7oxKNq3SqI1noTEbngATNgNHo0cnZ+eb/iN6lF8CtvmrNJOzk/PHQ9gdK7WmBqdWxhtPHNy7kStjY+dknhhNHo4VputVxsw2pgKGgjmFmozpxona3PRqK7O+emqP3V8s25/an7KX8CHccDnmQ3kYm91g+7jU0dPPT15wq/OTgnOzo5qvId0r87MPO1X69Mc1f1ao9Zo1iWtNjffqM41xmOzfJPrf9vdoZ9/NDs1O1o7cWJ+qjG+SRwmJ+cWJqPxB/cfnBTjJ8cnqzMnq/ObmP/fil6npd80knfjreOq6bwe5P2Jrv6neH+2q/8077e7+l/De6uCDdlew7ty0dlYKa27a6dG8o1ufXh/T1d/E/tzblvPJVe0P+Xj3a7xLbyGlWe6cL5Fap3M8tLSCFit5aURiz+KMfds4tNwLmMc/wle421d9GXwfgXvj5IAjz3xyL5H9lT21vw61re26UiCCbyPUEe9EWDS7T11vFqh5XBypkoRrTRqtZn5eyqYK1PV+anKvfeNjt9TeYKa0QcegIdOnZw5XjmGTJO8y6f/Y4J/yh+9b2LX93fdf++uyXHYuVCp7Kz6x6Yr87OTD45Xds5WJnZVhJ5Ue6/rnXo+CStk25jFvV6hZ8+KImDk2s8shTfTgJkm6ElNYyiLJTQw0lY7H+43hLy+jMyPLVjcvQjr0B/DjGJ3Y2uENdJSwWJz2Ar6YeQtt4A9qoE+qWnGFgsOY7pRyhl3iTzSSxUweixI47PL8HnCAEvJAWq/ku2Xsv1CtvuifQk2yL5//1p5TmtxwaTQmgOlpiRso9uGK8+iDStycqRfeRbX6s9VbMVwqZkW/FsF/36Ut5sbu6QLurRiB95HbcRy7XwH70s2eH6G+6k18nIS3h+CTACZX2HZqD90Q4dPHDiQ+lyuTpT31xo8HLDMG9ShfZUk+ftxQY4zSf+LA26gp8mR7M+tJFxzYDjQ4VNac+xljr2A6bQWWu+dS8K6Y+B8Ov5B/chNHTHkAkbphPSlJJ//xXq4+nB+skfWrrPCXobyuYKO8Mewb/BAMsD5ruJ8fiIh5CH+cAi+i/r/feDaMy3SB8f/oGHyuLdIKbS/FOitIeIvYsf7xJ8S+qyhvhzr2VToL5ovsFKfoH0Zkof0icDWw5wiuuezHiscf43oSRbREWcWIUkW1Y/eSBM/+oPPVy/WQWI9hhfBpjpSP1G3yD8rv2AtXqR7hD+GX0raJC/JXnZo/I6zLEnuYdz/Q7D8osl4PC/claH4DwfJ1HmECekPNzAMXiQ/bXE8EWQyUd1e5/ZahpDP6RkfDDKm/jjmC853dh4svuuQ0Tf3YP5c5Gur1XqBx29PU4vF88CFI0p+ORgfR42P4QZehvKD67M+hriX6yP1MyaCfCYqspTvAePxcyh+ayQv50XyeD44Dgvjyel2Xs2HUpDk/Dniv0p0tzdONzndJvr6EMrL5ZKKvOGgz4nygY8X+eTy8TS/bZux8ayHam2fHO/5rqvH6F6O5HkRvZDNxfIvbxM9T/RVwr0u4V7C6xS/Iovno9GTb/Mbw4HJ55fyDczvnt6Qvs7zrWjx/PxHWuRD2VDluUHJ/DLMl3XCg3qEV9V8bmjS3izN54T5swglIf9mWs43KPCtEJetcH2sc3mmkHcThD6map8Rm29VXT+3NMlvROuJx4Nl7ba9ZH/WVe1X1+M65SNjX8bWhxFb7zi+EOm3Sv4oFFT/dOmzyLdTsZ4FLgh8M8SmwI2UxIbAt1LwIfrzpTIj/5Rpva9RPUjE68HrpQLRS5LO/AJwZcN6+ZuiSfQi0Wl9vztoEB4kjPm/8ppSX+o2rPzaaOO3EL9jtfGajfUmUTbCeoL1dMd5Vorqz9oYmEG/3IhFfV2+UGjXo21Yry4bRcIG5z+E9bzIndsCkS/Lb5YMtX7teNsaJGzx8eewvhUTEf26DctX+q0IH6X9o9yxfwy09w8Rn8wbGs83XeRHuTwQ7h9YP4eDAee88DfF0x0OXDeObTuOc7kI8/U30MflueH67e01+DklpOfzdkjn83teThnP67HRrndYbwdKYb29vpdwb3+EdYY4X4zwC0T3CiFe07UDL16Ez2P1GTr2W1Px1114ftFb8DPJf4n8x2L7Lz+vnJH0DxwYfE45/PP91mgtpeR+i9gM7HY+8P27pMR7DPPVbecr94dpslg8GJB/zfB84ZtppviPLTLxtuOgRld5vTBpfn7h+lluKvl3+THEHuMJFuZPM8P4giA8QuNTzMhIPE04wQxXxUlmFFRsMaM/zD+N76+kL68HqM/pZt6EpVst7q/LNuItwuGWOK9RvdnCx/8Nxw8hvdeE9wxBx/x1fb3F94v150HIy5k8HpZYj1TvLmfl/szpRRP23RbzXSdcNuH0LQUPmnBeYozHdr8/T+bwV5+1Q4j7CltkOGB1TOi/W8pDfbf7ToH2Dx7VtSEDx/P87ePnh3M43jVhVeo/Ygt9H5b8I46w35L6c3/gdvmBAW19Bgq0f/Gcx/zY7ufLHj7ynF8l/pIJ7xvQ1qfXo/wfkPsD2uO5of7r5M8BE85Ke7fR+FyG9CUb0F8a99dLoT+4vMyW0J6rh4Q9GVXfggmPqvY4JrxyS8GeCYclfRvZU8qUQv2FPQMkLs/lDyG2U3Zkr8NONzMmD0akb7GYisafE/b/5LYSv3zKjew5JPLnI9U/fSmKby6yF/V/Vep7iehlh9ZPUdBFvH58W/FHf8KL/OEIfxSkfiMy3/4o55uW/ugHBadM+FjSj2ukbyKyf22Ir9fzYQlZJXt6E+38In8VCnT+Kkf56SVzkT/PYbwTSTeUt+5o232Xny8KEPqnZJFvvSg/isli6C/0N+azRbmSkPZhPKxU6I81ej/6rF0/P6P6k+UvWOH5rPP9zfN7etLK+QLPt+K8EZ1n09noLVqcj3pi7weLkBXn/4XwfJAWuBFiT2Dfgj/g/v0OngfOKueBd1NZktcjzgMFN8hm+9vz43kgnY7otH+97nnKeGV+cV7h54GzyvmAzgsh5vtzIhWdB7Ben7kCCbLXKLkZWNNov09H+/21MTjzJpJU+nnmtd9fDsGZC8AchX4wFd+vVp5T5sf9angx27aX3ofw/Km+D51pArMjeQ4c7Nj/DjS/aL+/vOdAf1N5mf8/xN9e317/yUvj3/q6r92y3ad9/Sfi9Cb8v5UDf3kH/rz8ltd5HZZCK1r7e1+4jUO4f+D1p40/W0NdnsGn7/CJ+2753bdTjY8l/+WO8cYG3+uTwl8x0UvyWF6R2JS6d/I/ItXt1P+i5A+/jeubzP848ON8F/9qB/9m+tfk/Ls7+q9L/leV+bMb8NsaN7xr/sVE3P5O/cM4/l72dc5/seMnkHD+zvh/cQf+foXf2ID/KZkTXb+4JOO/Kehyy1ra4PcXkrm387eIPtG+MtDu28h/r0l+fRP+O/1E8z3hf3hoE/5x9vXzJ2Rf+Ltu59WvxVtL0eNf5TMV/272G07YqnyJr/FLeIX+7tRzM77QP2Eb8v0TqC3IOw==
