; optarena-kernel: {"kernel":"n_body","cases":{"odd":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"f32","count":812,"seed":1},{"kind":"output","count":609,"integers":false},{"kind":"int","value":203}],"bytes":5684,"flops":824180},"even":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"f32","count":1024,"seed":1},{"kind":"output","count":768,"integers":false},{"kind":"int","value":256}],"bytes":7168,"flops":1310720},"timed":{"grid":[128,1],"block":[128,1],"arguments":[{"kind":"f32","count":65536,"seed":1},{"kind":"output","count":49152,"integers":false},{"kind":"int","value":16384}],"bytes":458752,"flops":5368709120}}}
; ModuleID = '<string>'
source_filename = "n-body.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ6n_bodyE4tile = internal addrspace(3) global [128 x [4 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @n_body(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 {
  %4 = alloca float, align 4
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca %struct.optarena_block, align 1
  %10 = alloca %struct.optarena_thread, align 1
  %11 = alloca [3 x float], align 4
  %12 = alloca [3 x float], align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca %struct.optarena_thread, align 1
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca %struct.optarena_thread, align 1
  %20 = alloca i32, align 4
  %21 = alloca [3 x float], align 4
  %22 = alloca float, align 4
  %23 = alloca i32, align 4
  %24 = alloca float, align 4
  %25 = alloca float, align 4
  %26 = alloca i32, align 4
  %27 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store i32 %2, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %28 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %29 = mul nsw i32 %28, 128
  %30 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %31 = add nsw i32 %29, %30
  store i32 %31, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  call void @llvm.memset.p0.i64(ptr align 4 %11, i8 0, i64 12, i1 false)
  call void @llvm.lifetime.start.p0(ptr %12) #6
  call void @llvm.memset.p0.i64(ptr align 4 %12, i8 0, i64 12, i1 false)
  %32 = load i32, ptr %8, align 4, !tbaa !4
  %33 = load i32, ptr %7, align 4, !tbaa !4
  %34 = icmp slt i32 %32, %33
  br i1 %34, label %35, label %56

35:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr %13) #6
  store i32 0, ptr %13, align 4, !tbaa !4
  br label %36

36:                                               ; preds = %52, %35
  %37 = load i32, ptr %13, align 4, !tbaa !4
  %38 = icmp slt i32 %37, 3
  br i1 %38, label %40, label %39

39:                                               ; preds = %36
  call void @llvm.lifetime.end.p0(ptr %13) #6
  br label %55

40:                                               ; preds = %36
  %41 = load ptr, ptr %5, align 8, !tbaa !8
  %42 = load i32, ptr %8, align 4, !tbaa !4
  %43 = mul nsw i32 4, %42
  %44 = load i32, ptr %13, align 4, !tbaa !4
  %45 = add nsw i32 %43, %44
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %41, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !11
  %49 = load i32, ptr %13, align 4, !tbaa !4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [3 x float], ptr %11, i64 0, i64 %50
  store float %48, ptr %51, align 4, !tbaa !11
  br label %52

52:                                               ; preds = %40
  %53 = load i32, ptr %13, align 4, !tbaa !4
  %54 = add nsw i32 %53, 1
  store i32 %54, ptr %13, align 4, !tbaa !4
  br label %36, !llvm.loop !13

55:                                               ; preds = %39
  br label %56

56:                                               ; preds = %55, %3
  call void @llvm.lifetime.start.p0(ptr %14) #6
  store i32 0, ptr %14, align 4, !tbaa !4
  br label %57

57:                                               ; preds = %191, %56
  %58 = load i32, ptr %14, align 4, !tbaa !4
  %59 = load i32, ptr %7, align 4, !tbaa !4
  %60 = icmp slt i32 %58, %59
  br i1 %60, label %62, label %61

61:                                               ; preds = %57
  store i32 5, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %14) #6
  br label %194

62:                                               ; preds = %57
  call void @llvm.lifetime.start.p0(ptr %16) #6
  store i32 0, ptr %16, align 4, !tbaa !4
  br label %63

63:                                               ; preds = %93, %62
  %64 = load i32, ptr %16, align 4, !tbaa !4
  %65 = icmp slt i32 %64, 4
  br i1 %65, label %67, label %66

66:                                               ; preds = %63
  store i32 8, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %16) #6
  br label %96

67:                                               ; preds = %63
  %68 = load i32, ptr %14, align 4, !tbaa !4
  %69 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %70 = add nsw i32 %68, %69
  %71 = load i32, ptr %7, align 4, !tbaa !4
  %72 = icmp slt i32 %70, %71
  br i1 %72, label %73, label %84

73:                                               ; preds = %67
  %74 = load ptr, ptr %5, align 8, !tbaa !8
  %75 = load i32, ptr %14, align 4, !tbaa !4
  %76 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %77 = add nsw i32 %75, %76
  %78 = mul nsw i32 4, %77
  %79 = load i32, ptr %16, align 4, !tbaa !4
  %80 = add nsw i32 %78, %79
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %74, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !11
  br label %85

84:                                               ; preds = %67
  br label %85

85:                                               ; preds = %84, %73
  %86 = phi contract float [ %83, %73 ], [ 0.000000e+00, %84 ]
  %87 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [128 x [4 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ6n_bodyE4tile to ptr), i64 0, i64 %88
  %90 = load i32, ptr %16, align 4, !tbaa !4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [4 x float], ptr %89, i64 0, i64 %91
  store float %86, ptr %92, align 4, !tbaa !11
  br label %93

93:                                               ; preds = %85
  %94 = load i32, ptr %16, align 4, !tbaa !4
  %95 = add nsw i32 %94, 1
  store i32 %95, ptr %16, align 4, !tbaa !4
  br label %63, !llvm.loop !15

96:                                               ; preds = %66
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %20) #6
  store i32 0, ptr %20, align 4, !tbaa !4
  br label %97

97:                                               ; preds = %187, %96
  %98 = load i32, ptr %20, align 4, !tbaa !4
  %99 = icmp slt i32 %98, 128
  br i1 %99, label %101, label %100

100:                                              ; preds = %97
  store i32 11, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %20) #6
  br label %190

101:                                              ; preds = %97
  call void @llvm.lifetime.start.p0(ptr %21) #6
  call void @llvm.lifetime.start.p0(ptr %22) #6
  store float 0x3F847AE140000000, ptr %22, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %23) #6
  store i32 0, ptr %23, align 4, !tbaa !4
  br label %102

102:                                              ; preds = %133, %101
  %103 = load i32, ptr %23, align 4, !tbaa !4
  %104 = icmp slt i32 %103, 3
  br i1 %104, label %106, label %105

105:                                              ; preds = %102
  store i32 14, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %23) #6
  br label %136

106:                                              ; preds = %102
  %107 = load i32, ptr %20, align 4, !tbaa !4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [128 x [4 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ6n_bodyE4tile to ptr), i64 0, i64 %108
  %110 = load i32, ptr %23, align 4, !tbaa !4
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds [4 x float], ptr %109, i64 0, i64 %111
  %113 = load float, ptr %112, align 4, !tbaa !11
  %114 = load i32, ptr %23, align 4, !tbaa !4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [3 x float], ptr %11, i64 0, i64 %115
  %117 = load float, ptr %116, align 4, !tbaa !11
  %118 = fsub contract float %113, %117
  %119 = load i32, ptr %23, align 4, !tbaa !4
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds [3 x float], ptr %21, i64 0, i64 %120
  store float %118, ptr %121, align 4, !tbaa !11
  %122 = load i32, ptr %23, align 4, !tbaa !4
  %123 = sext i32 %122 to i64
  %124 = getelementptr inbounds [3 x float], ptr %21, i64 0, i64 %123
  %125 = load float, ptr %124, align 4, !tbaa !11
  %126 = load i32, ptr %23, align 4, !tbaa !4
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds [3 x float], ptr %21, i64 0, i64 %127
  %129 = load float, ptr %128, align 4, !tbaa !11
  %130 = fmul contract float %125, %129
  %131 = load float, ptr %22, align 4, !tbaa !11
  %132 = fadd contract float %131, %130
  store float %132, ptr %22, align 4, !tbaa !11
  br label %133

133:                                              ; preds = %106
  %134 = load i32, ptr %23, align 4, !tbaa !4
  %135 = add nsw i32 %134, 1
  store i32 %135, ptr %23, align 4, !tbaa !4
  br label %102, !llvm.loop !16

136:                                              ; preds = %105
  call void @llvm.lifetime.start.p0(ptr %24) #6
  %137 = load i32, ptr %14, align 4, !tbaa !4
  %138 = load i32, ptr %20, align 4, !tbaa !4
  %139 = add nsw i32 %137, %138
  %140 = load i32, ptr %7, align 4, !tbaa !4
  %141 = icmp slt i32 %139, %140
  br i1 %141, label %142, label %148

142:                                              ; preds = %136
  %143 = load i32, ptr %20, align 4, !tbaa !4
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds [128 x [4 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ6n_bodyE4tile to ptr), i64 0, i64 %144
  %146 = getelementptr inbounds [4 x float], ptr %145, i64 0, i64 3
  %147 = load float, ptr %146, align 4, !tbaa !11
  br label %149

148:                                              ; preds = %136
  br label %149

149:                                              ; preds = %148, %142
  %150 = phi contract float [ %147, %142 ], [ 0.000000e+00, %148 ]
  store float %150, ptr %24, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %25) #6
  %151 = load float, ptr %24, align 4, !tbaa !11
  %152 = fadd contract float %151, 1.000000e+00
  %153 = load i32, ptr %14, align 4, !tbaa !4
  %154 = load i32, ptr %20, align 4, !tbaa !4
  %155 = add nsw i32 %153, %154
  %156 = load i32, ptr %7, align 4, !tbaa !4
  %157 = icmp slt i32 %155, %156
  %158 = zext i1 %157 to i64
  %159 = select contract i1 %157, float 1.000000e+00, float 0.000000e+00
  %160 = fmul contract float %152, %159
  %161 = load float, ptr %22, align 4, !tbaa !11
  %162 = load float, ptr %22, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %4)
  store float %162, ptr %4, align 4, !tbaa !11
  %163 = load float, ptr %4, align 4, !tbaa !11
  %164 = call contract noundef float @llvm.sqrt.f32(float %163)
  call void @llvm.lifetime.end.p0(ptr %4)
  %165 = fmul contract float %161, %164
  %166 = fdiv contract float %160, %165
  store float %166, ptr %25, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %26) #6
  store i32 0, ptr %26, align 4, !tbaa !4
  br label %167

167:                                              ; preds = %183, %149
  %168 = load i32, ptr %26, align 4, !tbaa !4
  %169 = icmp slt i32 %168, 3
  br i1 %169, label %171, label %170

170:                                              ; preds = %167
  store i32 17, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %26) #6
  br label %186

171:                                              ; preds = %167
  %172 = load float, ptr %25, align 4, !tbaa !11
  %173 = load i32, ptr %26, align 4, !tbaa !4
  %174 = sext i32 %173 to i64
  %175 = getelementptr inbounds [3 x float], ptr %21, i64 0, i64 %174
  %176 = load float, ptr %175, align 4, !tbaa !11
  %177 = fmul contract float %172, %176
  %178 = load i32, ptr %26, align 4, !tbaa !4
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds [3 x float], ptr %12, i64 0, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !11
  %182 = fadd contract float %181, %177
  store float %182, ptr %180, align 4, !tbaa !11
  br label %183

183:                                              ; preds = %171
  %184 = load i32, ptr %26, align 4, !tbaa !4
  %185 = add nsw i32 %184, 1
  store i32 %185, ptr %26, align 4, !tbaa !4
  br label %167, !llvm.loop !17

186:                                              ; preds = %170
  call void @llvm.lifetime.end.p0(ptr %25) #6
  call void @llvm.lifetime.end.p0(ptr %24) #6
  call void @llvm.lifetime.end.p0(ptr %22) #6
  call void @llvm.lifetime.end.p0(ptr %21) #6
  br label %187

187:                                              ; preds = %186
  %188 = load i32, ptr %20, align 4, !tbaa !4
  %189 = add nsw i32 %188, 1
  store i32 %189, ptr %20, align 4, !tbaa !4
  br label %97, !llvm.loop !18

190:                                              ; preds = %100
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %191

191:                                              ; preds = %190
  %192 = load i32, ptr %14, align 4, !tbaa !4
  %193 = add nsw i32 %192, 128
  store i32 %193, ptr %14, align 4, !tbaa !4
  br label %57, !llvm.loop !19

194:                                              ; preds = %61
  %195 = load i32, ptr %8, align 4, !tbaa !4
  %196 = load i32, ptr %7, align 4, !tbaa !4
  %197 = icmp slt i32 %195, %196
  br i1 %197, label %198, label %219

198:                                              ; preds = %194
  call void @llvm.lifetime.start.p0(ptr %27) #6
  store i32 0, ptr %27, align 4, !tbaa !4
  br label %199

199:                                              ; preds = %215, %198
  %200 = load i32, ptr %27, align 4, !tbaa !4
  %201 = icmp slt i32 %200, 3
  br i1 %201, label %203, label %202

202:                                              ; preds = %199
  store i32 20, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %27) #6
  br label %218

203:                                              ; preds = %199
  %204 = load i32, ptr %27, align 4, !tbaa !4
  %205 = sext i32 %204 to i64
  %206 = getelementptr inbounds [3 x float], ptr %12, i64 0, i64 %205
  %207 = load float, ptr %206, align 4, !tbaa !11
  %208 = load ptr, ptr %6, align 8, !tbaa !8
  %209 = load i32, ptr %8, align 4, !tbaa !4
  %210 = mul nsw i32 3, %209
  %211 = load i32, ptr %27, align 4, !tbaa !4
  %212 = add nsw i32 %210, %211
  %213 = sext i32 %212 to i64
  %214 = getelementptr inbounds float, ptr %208, i64 %213
  store float %207, ptr %214, align 4, !tbaa !11
  br label %215

215:                                              ; preds = %203
  %216 = load i32, ptr %27, align 4, !tbaa !4
  %217 = add nsw i32 %216, 1
  store i32 %217, ptr %27, align 4, !tbaa !4
  br label %199, !llvm.loop !20

218:                                              ; preds = %202
  br label %219

219:                                              ; preds = %218, %194
  call void @llvm.lifetime.end.p0(ptr %12) #6
  call void @llvm.lifetime.end.p0(ptr %11) #6
  call void @llvm.lifetime.end.p0(ptr %8) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

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
!20 = distinct !{!20, !14}
; optarena-nvcc: eNrtWl1oHNcVvjM7q52ZXe/srqTVjiVHq2jdOuBIiv/iQMBybFcN2K1xSwihYbOy1pFa/Wxn1+5sbPBaMUYiIXX7lLyZ0geHvgTah5ZCEU0qhDHFhNCGPDmqKcb4wbHTn4ck03vOvXdm7mhlVX0IgWZgd+bce849557znXPv/Jw/cvRbqqIc1Ak7VPIHopDguP1Ndr46yM7aC6RjlOwncTJKssA5VJ+sN5xGZZxeiXNzJnQu1ydnJ1wyNDvXqA7Nnhlq/Ghq9tRcQJ88zekzQ/7FybmZWqVBhhpVtzE0Wx6fm2j6DGG6PllxqhNtWpxqveqcoRcjhF5PywPRhorcMlEdP/1y+ZRTmaky/mhDRW4BEyvT0y87ldokUjVnrjHXaNZ439xsvVGZbYwIBf/l8RXzpXDi92aqM0Nzp07Vq42RdZxcLs+eKfv8x44cKzP+8ki5Mj1Vqbefb6lcnpptVJ3ZyjRlpNTJ0xOVcn1m10i5/mOnUXZmy6d27yrXp+d+QqcwKfE/EeLf7ZYnps4A++zcqcYrstCXHP+Q/zYDg8foL0azKno8he0da9pfxPYta9pfwfb0mvbX6W8gRGv8/Hv6K16x2hulrG36hP4epXpHM4x+ifMMKKz9Spa3J9i5qYA92ppx3sZ2c037n2h7LhOal81O15E/s4bfo0cpdA0H1XcOzlbqQqu1g+jehdYOHS8Zz851YiDmpB2lf0xWW4oFYz/dRk9rvrUjqkZv0b889GRiYuyfQxv1UFj/ZESv8KX2ffpngMACM3qz+hfa6F8I9PeJ2s7P0ZjBkaK/y/R3g7Z957lnDz97sHhozqnR9SGABrDvAzloqDVcmuaHaEIWoeJMTVcaU3Ozxcbc3HR9Z5GmULVSrxaf2D00srP4HJyG9u8nz5yemp4oYhZjkwP/w0y+6gzt3rdn154nn9hTHiGPnykWH684JyeL9ZnyUyPFx2eK+/YUmZ2wdt2ORe18gcyDL4d15CnCdVYnhsA/vdZD1ylxnQuuVcqsqgpR43ESSyiKSnWoHQrRknqQR09qTE9Piq+fNJj3sj6tgJZ7Az6NB6Vjxymeez2iHlVIrKwoWp9OlmgajlBx7RGWLzG7i2imjlmeUen1Ps23GeII5y/4+XN+/oyfDytiPWc+EjF+j8jtAnuHI+3iKCrt26+sw7/ZY/6s4mEZgImtWsRu8tG2w3qYpv2GRxZ4/3iaxF1eCz0F+X/3Cu2AAJhCntcOKHalNMk6qRS0ePvfSJCVfpJySAowUBv/NEY+Gibzv1I9cpHLP5om9tV4CubkgZprFtl+VY1DNFSVyq/2k72NuCfUkxWLXHg7oWJM3nokRSYVSneouham46quc3pcISmXGArqvxcjtyw6n7Q0n5KTwQB6hOr7wCJji7/k/m3FyJ1+8m6TrxELzN55VwuK+WpkPDq+6mQIGmyx/p85cZzPgaU3LLLcT+bPaeQAk9DJskWy57QtoMEr0v4/WyRzjmwBfu+mZzF/dxA/Hqswfm8wPtWXOkdwtaq9dC9J+7WSa6N5OJ8PLTL/Wk7yd2ah21bZ+Akqr2UWeuyYRGdtRdDLIB+KV43O/zU9oN8B2gzo1TTZvpDrBv05wuK/faGrB+MJ9OowjWdPEE9q//zZWIA3ip8Li71dfnwfpXhY0G0Nu0H+u3T+djB/wMNiT87n/wXoN7MamgP6f0rjmw3iuwr8tunz3wF9Wd2nqf2lhurFQvyX3YQG9AEej/lzHWLXoAO9UCdab1AUFaB7dEEfwn4+AUq/inSWiHjGyLazocX/bj+52NQxFSgIdYjXZddMQK0R+lWHSPg6Qnc5VxSOV8RzbzDf5WHARwxDt4vig8Y3oO8nwX+6m6XsLQrJFo434HTqCSRg/H51wOnqMMQChP09cVPQVF6ltSAZsmewYXSafx18upOw/kEn19UFyyvPl4EG2spSYBn7e3oQL6y/6GR55RzFfr2eZH0wyDity64O5APEJx2f5rfueeed2ijN748gf8WeBfL3APWXzuR5vqgurbFxTtN8O9xc4TWe7jzuUPlmWB7sMXI4P3KQ2efidA8gjfYXDJhbThHzLRSImC8d/6C/CxXj5XMFMT8evyXR/3eYLyF5IMGMkTRR6ySbF0PQekz9m0f/ob5+qo/4ayzTb6D/PJ/W89Cf9e1j0BPxGFtMBfbdHUZ8ZSV/6eR4R9hfH0j+is4P8ZuR8ftFCL+DTh+Em+2YVy0d5x/C76CT6RTTh/69jXRQL7C/s0uYB/RD8Y14zYbxTOlcBM/dAZ5vAJ57o3jOAp6zgT9zOQnPZq+MZ7u7m6c38O9zDdhRPxDrhV7X2Ra7i21IYX3y8XsL8tEI8vEa4MUyTIGX6+3xbUfwjcr9eGU2wHfB1iV8YzkM4dtAQNsBvg1gKKyPb3uT+LY2iW+rHb6tTeDbiuB7xAj7q29jfBdlfHshfMN8b8h4zobxTPGL5ajTp/sALgTvEW5F8Iz4tCL4fUg9fg/xagFercA/Uv0tOUZofQC8GzLeHRvrsd4uv5YB71DuON6jeMb6bNqR+mwyfN/n+DY9Xx7xnTWNML7f2hjfN81wvJ7n27GvLL6/1PpdcgjGN8v3L4DvTCrsrwnJX23xPRLgG+KfCOER5vuOjG8rgu+uCL57fHyzertBPc4GeL4O+ExH63E34Ls7hM9ECJ9r67ORjtRn3GCI+qzXzQh+dbv9/kLgV4/gN61vFr9XtoTjcZXzr49fU95/mBvhlzwUv/Ya/N6I4NeW8Zu2ZfzaMn6NCH5J2pDxi+LpAL+Gfze/GlnPQvhNC/w6+Yj/dHIzHfbfO5L/ovPNuKqqifsZtp9PaKH9PMVvdxi/l92OjtFQP42/+irg68Q9jncrUr/TWR/ff6HzMVLkU3xa9Crqnz9LgvsbXC80rSXGp/ZL+3+GZ8xPxPNH/dQ/LrkXGu/YY/L85s/S+7NLwf1dyY2n8P4F7p9XLHW7G7qfvtZPLjWJCnPVbVoVbltIW5pMp3VOU3uORfyZcz2aD955b6mVgP22Ol9guWSJeI6G4mmRpEN0xMLNT3B/XrpY8FCex3dscY/M78JwrfPkj4x/QCvoLN+Yf8aMHe3532f8g3oe6LLH8SXZB/cTMYPV5y52v1lUk3nDz69+UtRxO+/n14BqJiHhiaIw/FIaXJ0X+FYNXL+SnC7qkH+tYZSn8d3bMKT9K9QDIuyh9eN48039Lsb3XfSvTddHKJj5vMLzUyHFjqDe2q6N/STPnjfkXNPE9XzpjQSjbdunl3H/aYpnVyCfcZM2qgvqm/E54A32n4xOIn24Rlh8t0r3m2OLP4j6n/jxuoV0ntEPcLw+l3HX9rLxxoyjfP3x8ZQHPJAVhqexxaelfn/89/8lj//+A0ETP/6Qf2/tFPJxPj5heL2UCNvjVO8ze2g1bGePtzQv828X9hOJP+UQwIf/fInSBqPvoz2qKvuvdHGrt4QBYfEaXMCxfLwOvpnP+zTtz7y5deuoqF8UT1l3G4Vfa8n7LcufI02VvBQL8JGh8b8g4gvyzrZtgFXvY/Y8p+RCOW15RGXyej1PtokCSOvHgJPc5uOdj3ceysttKn8N5G1caraq3H6+n2H4x/UA88nPD1q/5fWgkMxL60XBKEj8yWRBXk+MpFjPrgX5gfhfieB/BeZr4gZU4Dvj5s0I3vNfsOdl/HlBS6pvsF/F/md4vzG9pt9/noj9jTX9t6k6gYccw08L7QN8Lk5K/NQ/bH5LGP8+uj9hdEvQBUaPivw1zGLwvI6On89D+oj8p/hDf9RO/DMm+iGc3mfR/vv8eZGJxcE0GR5sHj98CPUe1m+2X7jB8jvhJE1WTFqKhPcT9xGvtpP3kqJ+3Yrk/y0WP0X00/ET9H5XvIZh8TTwea35bxbPnGMYeSm+rN6KeOYctv3A+a1G9k93I/5fEXTrfMCvSfxZh203ML9w/6RK8RprFiPrIUK3Rb693vhdUXsCfuxPSf06rrdLHq5PNB8l++7A/pjnCqyHaJ8i9UvrzXVYX4h+219f6H6i+Rm+s8D9xJJFCuG3pP8H9NfH18eXcSj4XUCbd978/A3l4a/+k+vIv84ZP95AvpO/K4weNT7o8dB7xrS4HxbrLHwX0P5zBLLEy9HzG+h/jL+vjppR4K8Tr0b4tTbfYSSYv6Shl7i8qMJxbntU/lk+3aj9N7m8eLcfW0f/Cfq71Ea+j0+qtIH9P+T6R6Px5/KNkP4tbeT/wXy6Rv9vEvL8o/aLOP6at0X1f5iQaaE/Gv+/bSDvhuS1NvIvckxEv6Rp6fJ3JjH+PrvV5rsaYD0UlR8IfTDBj3b+e53Lx9aT3+DTG3jeBm3PrCNfUh+uv4O3ie/5okdBkc96yI7/VS4e9m/0sOVzWK7jIX6RPlBpY+d6csI/4izk/gPjaF7I
