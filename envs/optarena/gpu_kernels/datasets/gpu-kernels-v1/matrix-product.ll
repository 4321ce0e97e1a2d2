; optarena-kernel: {"kernel":"matrix_product","cases":{"odd":{"grid":[2,1],"block":[16,16],"arguments":[{"kind":"f32","count":1850,"seed":1},{"kind":"f32","count":2590,"seed":2},{"kind":"output","count":3500,"integers":false},{"kind":"int","value":50},{"kind":"int","value":70},{"kind":"int","value":37}],"bytes":31760,"flops":259000},"even":{"grid":[1,1],"block":[16,16],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":2048,"seed":2},{"kind":"output","count":4096,"integers":false},{"kind":"int","value":64},{"kind":"int","value":64},{"kind":"int","value":32}],"bytes":32768,"flops":262144},"timed":{"grid":[32,32],"block":[16,16],"arguments":[{"kind":"f32","count":4194304,"seed":1},{"kind":"f32","count":4194304,"seed":2},{"kind":"output","count":4194304,"integers":false},{"kind":"int","value":2048},{"kind":"int","value":2048},{"kind":"int","value":2048}],"bytes":50331648,"flops":17179869184}}}
; ModuleID = '<string>'
source_filename = "matrix-product.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ14matrix_productE4left = internal addrspace(3) global [16 x [64 x float]] undef, align 4
@_ZZ14matrix_productE5right = internal addrspace(3) global [16 x [64 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matrix_product(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) #0 {
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.optarena_block, align 1
  %15 = alloca i32, align 4
  %16 = alloca %struct.optarena_block, align 1
  %17 = alloca i32, align 4
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca %struct.optarena_thread, align 1
  %20 = alloca [4 x [4 x float]], align 4
  %21 = alloca [4 x float], align 4
  %22 = alloca [4 x float], align 4
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  %25 = alloca i32, align 4
  %26 = alloca i32, align 4
  %27 = alloca i32, align 4
  %28 = alloca i32, align 4
  %29 = alloca i32, align 4
  %30 = alloca i8, align 1
  %31 = alloca i32, align 4
  %32 = alloca i32, align 4
  %33 = alloca %struct.optarena_thread, align 1
  %34 = alloca i32, align 4
  %35 = alloca %struct.optarena_thread, align 1
  %36 = alloca i32, align 4
  %37 = alloca i32, align 4
  %38 = alloca i32, align 4
  %39 = alloca i32, align 4
  %40 = alloca i32, align 4
  %41 = alloca %struct.optarena_thread, align 1
  %42 = alloca i32, align 4
  %43 = alloca %struct.optarena_thread, align 1
  store ptr %0, ptr %7, align 8, !tbaa !8
  store ptr %1, ptr %8, align 8, !tbaa !8
  store ptr %2, ptr %9, align 8, !tbaa !8
  store i32 %3, ptr %10, align 4, !tbaa !4
  store i32 %4, ptr %11, align 4, !tbaa !4
  store i32 %5, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #4
  %44 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %45 = mul nsw i32 %44, 64
  store i32 %45, ptr %13, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #4
  %46 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %47 = mul nsw i32 %46, 64
  store i32 %47, ptr %15, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %17) #4
  %48 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %49 = mul nsw i32 %48, 16
  %50 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %51 = add nsw i32 %49, %50
  store i32 %51, ptr %17, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %20) #4
  call void @llvm.lifetime.start.p0(ptr %21) #4
  call void @llvm.lifetime.start.p0(ptr %22) #4
  call void @llvm.lifetime.start.p0(ptr %23) #4
  store i32 0, ptr %23, align 4, !tbaa !4
  br label %52

52:                                               ; preds = %72, %6
  %53 = load i32, ptr %23, align 4, !tbaa !4
  %54 = icmp slt i32 %53, 4
  br i1 %54, label %56, label %55

55:                                               ; preds = %52
  store i32 2, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %23) #4
  br label %75

56:                                               ; preds = %52
  call void @llvm.lifetime.start.p0(ptr %25) #4
  store i32 0, ptr %25, align 4, !tbaa !4
  br label %57

57:                                               ; preds = %68, %56
  %58 = load i32, ptr %25, align 4, !tbaa !4
  %59 = icmp slt i32 %58, 4
  br i1 %59, label %61, label %60

60:                                               ; preds = %57
  store i32 5, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %25) #4
  br label %71

61:                                               ; preds = %57
  %62 = load i32, ptr %23, align 4, !tbaa !4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [4 x [4 x float]], ptr %20, i64 0, i64 %63
  %65 = load i32, ptr %25, align 4, !tbaa !4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [4 x float], ptr %64, i64 0, i64 %66
  store float 0.000000e+00, ptr %67, align 4, !tbaa !11
  br label %68

68:                                               ; preds = %61
  %69 = load i32, ptr %25, align 4, !tbaa !4
  %70 = add nsw i32 %69, 1
  store i32 %70, ptr %25, align 4, !tbaa !4
  br label %57, !llvm.loop !13

71:                                               ; preds = %60
  br label %72

72:                                               ; preds = %71
  %73 = load i32, ptr %23, align 4, !tbaa !4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %23, align 4, !tbaa !4
  br label %52, !llvm.loop !15

75:                                               ; preds = %55
  call void @llvm.lifetime.start.p0(ptr %26) #4
  store i32 0, ptr %26, align 4, !tbaa !4
  br label %76

76:                                               ; preds = %250, %75
  %77 = load i32, ptr %26, align 4, !tbaa !4
  %78 = load i32, ptr %12, align 4, !tbaa !4
  %79 = icmp slt i32 %77, %78
  br i1 %79, label %81, label %80

80:                                               ; preds = %76
  store i32 8, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %26) #4
  br label %253

81:                                               ; preds = %76
  call void @llvm.lifetime.start.p0(ptr %27) #4
  %82 = load i32, ptr %17, align 4, !tbaa !4
  store i32 %82, ptr %27, align 4, !tbaa !4
  br label %83

83:                                               ; preds = %158, %81
  %84 = load i32, ptr %27, align 4, !tbaa !4
  %85 = icmp slt i32 %84, 1024
  br i1 %85, label %87, label %86

86:                                               ; preds = %83
  store i32 11, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %27) #4
  br label %161

87:                                               ; preds = %83
  call void @llvm.lifetime.start.p0(ptr %28) #4
  %88 = load i32, ptr %26, align 4, !tbaa !4
  %89 = load i32, ptr %27, align 4, !tbaa !4
  %90 = sdiv i32 %89, 64
  %91 = add nsw i32 %88, %90
  store i32 %91, ptr %28, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %29) #4
  %92 = load i32, ptr %27, align 4, !tbaa !4
  %93 = srem i32 %92, 64
  store i32 %93, ptr %29, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %30) #4
  %94 = load i32, ptr %28, align 4, !tbaa !4
  %95 = load i32, ptr %12, align 4, !tbaa !4
  %96 = icmp slt i32 %94, %95
  %97 = zext i1 %96 to i8
  store i8 %97, ptr %30, align 1, !tbaa !16
  %98 = load i8, ptr %30, align 1, !tbaa !16, !range !18, !noundef !19
  %99 = trunc i8 %98 to i1
  br i1 %99, label %100, label %118

100:                                              ; preds = %87
  %101 = load i32, ptr %13, align 4, !tbaa !4
  %102 = load i32, ptr %29, align 4, !tbaa !4
  %103 = add nsw i32 %101, %102
  %104 = load i32, ptr %10, align 4, !tbaa !4
  %105 = icmp slt i32 %103, %104
  br i1 %105, label %106, label %118

106:                                              ; preds = %100
  %107 = load ptr, ptr %7, align 8, !tbaa !8
  %108 = load i32, ptr %13, align 4, !tbaa !4
  %109 = load i32, ptr %29, align 4, !tbaa !4
  %110 = add nsw i32 %108, %109
  %111 = load i32, ptr %12, align 4, !tbaa !4
  %112 = mul nsw i32 %110, %111
  %113 = load i32, ptr %28, align 4, !tbaa !4
  %114 = add nsw i32 %112, %113
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds float, ptr %107, i64 %115
  %117 = load float, ptr %116, align 4, !tbaa !11
  br label %119

118:                                              ; preds = %100, %87
  br label %119

119:                                              ; preds = %118, %106
  %120 = phi contract float [ %117, %106 ], [ 0.000000e+00, %118 ]
  %121 = load i32, ptr %27, align 4, !tbaa !4
  %122 = sdiv i32 %121, 64
  %123 = sext i32 %122 to i64
  %124 = getelementptr inbounds [16 x [64 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14matrix_productE4left to ptr), i64 0, i64 %123
  %125 = load i32, ptr %29, align 4, !tbaa !4
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds [64 x float], ptr %124, i64 0, i64 %126
  store float %120, ptr %127, align 4, !tbaa !11
  %128 = load i8, ptr %30, align 1, !tbaa !16, !range !18, !noundef !19
  %129 = trunc i8 %128 to i1
  br i1 %129, label %130, label %148

130:                                              ; preds = %119
  %131 = load i32, ptr %15, align 4, !tbaa !4
  %132 = load i32, ptr %29, align 4, !tbaa !4
  %133 = add nsw i32 %131, %132
  %134 = load i32, ptr %11, align 4, !tbaa !4
  %135 = icmp slt i32 %133, %134
  br i1 %135, label %136, label %148

136:                                              ; preds = %130
  %137 = load ptr, ptr %8, align 8, !tbaa !8
  %138 = load i32, ptr %28, align 4, !tbaa !4
  %139 = load i32, ptr %11, align 4, !tbaa !4
  %140 = mul nsw i32 %138, %139
  %141 = load i32, ptr %15, align 4, !tbaa !4
  %142 = add nsw i32 %140, %141
  %143 = load i32, ptr %29, align 4, !tbaa !4
  %144 = add nsw i32 %142, %143
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds float, ptr %137, i64 %145
  %147 = load float, ptr %146, align 4, !tbaa !11
  br label %149

148:                                              ; preds = %130, %119
  br label %149

149:                                              ; preds = %148, %136
  %150 = phi contract float [ %147, %136 ], [ 0.000000e+00, %148 ]
  %151 = load i32, ptr %27, align 4, !tbaa !4
  %152 = sdiv i32 %151, 64
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds [16 x [64 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14matrix_productE5right to ptr), i64 0, i64 %153
  %155 = load i32, ptr %29, align 4, !tbaa !4
  %156 = sext i32 %155 to i64
  %157 = getelementptr inbounds [64 x float], ptr %154, i64 0, i64 %156
  store float %150, ptr %157, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %30) #4
  call void @llvm.lifetime.end.p0(ptr %29) #4
  call void @llvm.lifetime.end.p0(ptr %28) #4
  br label %158

158:                                              ; preds = %149
  %159 = load i32, ptr %27, align 4, !tbaa !4
  %160 = add nsw i32 %159, 256
  store i32 %160, ptr %27, align 4, !tbaa !4
  br label %83, !llvm.loop !20

161:                                              ; preds = %86
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %31) #4
  store i32 0, ptr %31, align 4, !tbaa !4
  br label %162

162:                                              ; preds = %246, %161
  %163 = load i32, ptr %31, align 4, !tbaa !4
  %164 = icmp slt i32 %163, 16
  br i1 %164, label %166, label %165

165:                                              ; preds = %162
  store i32 14, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %31) #4
  br label %249

166:                                              ; preds = %162
  call void @llvm.lifetime.start.p0(ptr %32) #4
  store i32 0, ptr %32, align 4, !tbaa !4
  br label %167

167:                                              ; preds = %185, %166
  %168 = load i32, ptr %32, align 4, !tbaa !4
  %169 = icmp slt i32 %168, 4
  br i1 %169, label %171, label %170

170:                                              ; preds = %167
  store i32 17, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %32) #4
  br label %188

171:                                              ; preds = %167
  %172 = load i32, ptr %31, align 4, !tbaa !4
  %173 = sext i32 %172 to i64
  %174 = getelementptr inbounds [16 x [64 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14matrix_productE4left to ptr), i64 0, i64 %173
  %175 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %176 = mul nsw i32 %175, 4
  %177 = load i32, ptr %32, align 4, !tbaa !4
  %178 = add nsw i32 %176, %177
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds [64 x float], ptr %174, i64 0, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !11
  %182 = load i32, ptr %32, align 4, !tbaa !4
  %183 = sext i32 %182 to i64
  %184 = getelementptr inbounds [4 x float], ptr %21, i64 0, i64 %183
  store float %181, ptr %184, align 4, !tbaa !11
  br label %185

185:                                              ; preds = %171
  %186 = load i32, ptr %32, align 4, !tbaa !4
  %187 = add nsw i32 %186, 1
  store i32 %187, ptr %32, align 4, !tbaa !4
  br label %167, !llvm.loop !21

188:                                              ; preds = %170
  call void @llvm.lifetime.start.p0(ptr %34) #4
  store i32 0, ptr %34, align 4, !tbaa !4
  br label %189

189:                                              ; preds = %207, %188
  %190 = load i32, ptr %34, align 4, !tbaa !4
  %191 = icmp slt i32 %190, 4
  br i1 %191, label %193, label %192

192:                                              ; preds = %189
  store i32 20, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %34) #4
  br label %210

193:                                              ; preds = %189
  %194 = load i32, ptr %31, align 4, !tbaa !4
  %195 = sext i32 %194 to i64
  %196 = getelementptr inbounds [16 x [64 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ14matrix_productE5right to ptr), i64 0, i64 %195
  %197 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %198 = mul nsw i32 %197, 4
  %199 = load i32, ptr %34, align 4, !tbaa !4
  %200 = add nsw i32 %198, %199
  %201 = sext i32 %200 to i64
  %202 = getelementptr inbounds [64 x float], ptr %196, i64 0, i64 %201
  %203 = load float, ptr %202, align 4, !tbaa !11
  %204 = load i32, ptr %34, align 4, !tbaa !4
  %205 = sext i32 %204 to i64
  %206 = getelementptr inbounds [4 x float], ptr %22, i64 0, i64 %205
  store float %203, ptr %206, align 4, !tbaa !11
  br label %207

207:                                              ; preds = %193
  %208 = load i32, ptr %34, align 4, !tbaa !4
  %209 = add nsw i32 %208, 1
  store i32 %209, ptr %34, align 4, !tbaa !4
  br label %189, !llvm.loop !22

210:                                              ; preds = %192
  call void @llvm.lifetime.start.p0(ptr %36) #4
  store i32 0, ptr %36, align 4, !tbaa !4
  br label %211

211:                                              ; preds = %242, %210
  %212 = load i32, ptr %36, align 4, !tbaa !4
  %213 = icmp slt i32 %212, 4
  br i1 %213, label %215, label %214

214:                                              ; preds = %211
  store i32 23, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %36) #4
  br label %245

215:                                              ; preds = %211
  call void @llvm.lifetime.start.p0(ptr %37) #4
  store i32 0, ptr %37, align 4, !tbaa !4
  br label %216

216:                                              ; preds = %238, %215
  %217 = load i32, ptr %37, align 4, !tbaa !4
  %218 = icmp slt i32 %217, 4
  br i1 %218, label %220, label %219

219:                                              ; preds = %216
  store i32 26, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %37) #4
  br label %241

220:                                              ; preds = %216
  %221 = load i32, ptr %36, align 4, !tbaa !4
  %222 = sext i32 %221 to i64
  %223 = getelementptr inbounds [4 x float], ptr %21, i64 0, i64 %222
  %224 = load float, ptr %223, align 4, !tbaa !11
  %225 = load i32, ptr %37, align 4, !tbaa !4
  %226 = sext i32 %225 to i64
  %227 = getelementptr inbounds [4 x float], ptr %22, i64 0, i64 %226
  %228 = load float, ptr %227, align 4, !tbaa !11
  %229 = fmul contract float %224, %228
  %230 = load i32, ptr %36, align 4, !tbaa !4
  %231 = sext i32 %230 to i64
  %232 = getelementptr inbounds [4 x [4 x float]], ptr %20, i64 0, i64 %231
  %233 = load i32, ptr %37, align 4, !tbaa !4
  %234 = sext i32 %233 to i64
  %235 = getelementptr inbounds [4 x float], ptr %232, i64 0, i64 %234
  %236 = load float, ptr %235, align 4, !tbaa !11
  %237 = fadd contract float %236, %229
  store float %237, ptr %235, align 4, !tbaa !11
  br label %238

238:                                              ; preds = %220
  %239 = load i32, ptr %37, align 4, !tbaa !4
  %240 = add nsw i32 %239, 1
  store i32 %240, ptr %37, align 4, !tbaa !4
  br label %216, !llvm.loop !23

241:                                              ; preds = %219
  br label %242

242:                                              ; preds = %241
  %243 = load i32, ptr %36, align 4, !tbaa !4
  %244 = add nsw i32 %243, 1
  store i32 %244, ptr %36, align 4, !tbaa !4
  br label %211, !llvm.loop !24

245:                                              ; preds = %214
  br label %246

246:                                              ; preds = %245
  %247 = load i32, ptr %31, align 4, !tbaa !4
  %248 = add nsw i32 %247, 1
  store i32 %248, ptr %31, align 4, !tbaa !4
  br label %162, !llvm.loop !25

249:                                              ; preds = %165
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %250

250:                                              ; preds = %249
  %251 = load i32, ptr %26, align 4, !tbaa !4
  %252 = add nsw i32 %251, 16
  store i32 %252, ptr %26, align 4, !tbaa !4
  br label %76, !llvm.loop !26

253:                                              ; preds = %80
  call void @llvm.lifetime.start.p0(ptr %38) #4
  store i32 0, ptr %38, align 4, !tbaa !4
  br label %254

254:                                              ; preds = %304, %253
  %255 = load i32, ptr %38, align 4, !tbaa !4
  %256 = icmp slt i32 %255, 4
  br i1 %256, label %258, label %257

257:                                              ; preds = %254
  store i32 29, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %38) #4
  br label %307

258:                                              ; preds = %254
  call void @llvm.lifetime.start.p0(ptr %39) #4
  store i32 0, ptr %39, align 4, !tbaa !4
  br label %259

259:                                              ; preds = %300, %258
  %260 = load i32, ptr %39, align 4, !tbaa !4
  %261 = icmp slt i32 %260, 4
  br i1 %261, label %263, label %262

262:                                              ; preds = %259
  store i32 32, ptr %24, align 4
  call void @llvm.lifetime.end.p0(ptr %39) #4
  br label %303

263:                                              ; preds = %259
  call void @llvm.lifetime.start.p0(ptr %40) #4
  %264 = load i32, ptr %13, align 4, !tbaa !4
  %265 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %266 = mul nsw i32 %265, 4
  %267 = add nsw i32 %264, %266
  %268 = load i32, ptr %38, align 4, !tbaa !4
  %269 = add nsw i32 %267, %268
  store i32 %269, ptr %40, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %42) #4
  %270 = load i32, ptr %15, align 4, !tbaa !4
  %271 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %272 = mul nsw i32 %271, 4
  %273 = add nsw i32 %270, %272
  %274 = load i32, ptr %39, align 4, !tbaa !4
  %275 = add nsw i32 %273, %274
  store i32 %275, ptr %42, align 4, !tbaa !4
  %276 = load i32, ptr %40, align 4, !tbaa !4
  %277 = load i32, ptr %10, align 4, !tbaa !4
  %278 = icmp slt i32 %276, %277
  br i1 %278, label %279, label %299

279:                                              ; preds = %263
  %280 = load i32, ptr %42, align 4, !tbaa !4
  %281 = load i32, ptr %11, align 4, !tbaa !4
  %282 = icmp slt i32 %280, %281
  br i1 %282, label %283, label %299

283:                                              ; preds = %279
  %284 = load i32, ptr %38, align 4, !tbaa !4
  %285 = sext i32 %284 to i64
  %286 = getelementptr inbounds [4 x [4 x float]], ptr %20, i64 0, i64 %285
  %287 = load i32, ptr %39, align 4, !tbaa !4
  %288 = sext i32 %287 to i64
  %289 = getelementptr inbounds [4 x float], ptr %286, i64 0, i64 %288
  %290 = load float, ptr %289, align 4, !tbaa !11
  %291 = load ptr, ptr %9, align 8, !tbaa !8
  %292 = load i32, ptr %40, align 4, !tbaa !4
  %293 = load i32, ptr %11, align 4, !tbaa !4
  %294 = mul nsw i32 %292, %293
  %295 = load i32, ptr %42, align 4, !tbaa !4
  %296 = add nsw i32 %294, %295
  %297 = sext i32 %296 to i64
  %298 = getelementptr inbounds float, ptr %291, i64 %297
  store float %290, ptr %298, align 4, !tbaa !11
  br label %299

299:                                              ; preds = %283, %279, %263
  call void @llvm.lifetime.end.p0(ptr %42) #4
  call void @llvm.lifetime.end.p0(ptr %40) #4
  br label %300

300:                                              ; preds = %299
  %301 = load i32, ptr %39, align 4, !tbaa !4
  %302 = add nsw i32 %301, 1
  store i32 %302, ptr %39, align 4, !tbaa !4
  br label %259, !llvm.loop !27

303:                                              ; preds = %262
  br label %304

304:                                              ; preds = %303
  %305 = load i32, ptr %38, align 4, !tbaa !4
  %306 = add nsw i32 %305, 1
  store i32 %306, ptr %38, align 4, !tbaa !4
  br label %254, !llvm.loop !28

307:                                              ; preds = %257
  call void @llvm.lifetime.end.p0(ptr %22) #4
  call void @llvm.lifetime.end.p0(ptr %21) #4
  call void @llvm.lifetime.end.p0(ptr %20) #4
  call void @llvm.lifetime.end.p0(ptr %17) #4
  call void @llvm.lifetime.end.p0(ptr %15) #4
  call void @llvm.lifetime.end.p0(ptr %13) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

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
!16 = !{!17, !17, i64 0}
!17 = !{!"bool", !6, i64 0}
!18 = !{i8 0, i8 2}
!19 = !{}
!20 = distinct !{!20, !14}
!21 = distinct !{!21, !14}
!22 = distinct !{!22, !14}
!23 = distinct !{!23, !14}
!24 = distinct !{!24, !14}
!25 = distinct !{!25, !14}
!26 = distinct !{!26, !14}
!27 = distinct !{!27, !14}
!28 = distinct !{!28, !14}
; optarena-nvcc: eNrtWm+IG8cVn12tpF1pV7sr6e6kO91JvpPts32W5H8XBwq247huIK5LCqEEwkVnn2PT+yP2ZLMXC+q7pG6cGDvtl8YkH0rxB4eWfsqHmoZiiAkXNxSTQmjzKT2O4gYXjAkhFDfqvJnZ3ZmVzsahEFKycLd6O/Nm3vu933sz++cnB578rixJ+1REDxn9EUkoONyt9Lx7Ez0rz6DYXrQbRdFeZEPPyvzx+abTrE/iX955YYY7T8wfnz3qosrsXHOqMnuq0vzxidljc4F85CSTT1X8H0fmZhr1Jqo0p9xmZabedE64Ew1n7ujJI02/Y7fr88frztTR+7Q4U/NTzin8o4bw7+nuE+CGeveWo1OTJ5+fOObUZ6aofvhCXbwCrtSnp5936o3jRMIjNeeaCw3WNjc736zPNmvhiR7y+IbEwAP/hzNTM5W5Y8fmp5q1NYIzMTF7asLvf+jAoQnaf6I2UZ8+UZ9fA4evN6RdXH7oCEOaRXB2hY9HyfVYx/VnyXWj4/or5Hqq4/pl/LeOkxV2/gv+K/3K7G6U1HnpOxKMr3RcnybXEx3XX8bX0xZnZ4mefkn6Wx392/goc7/hwPO14Gzqi2fOjCK1vXhmVCU/aZ+xtUBlcyk1/I/qKq/H6TUd/72G/25i+ftPP/H4E/tK++ecBq6DgevQdRz/PQcXGk0X02//yaP1EmTIiel688TcbKk5Nzc9P1bCfJmqz0+Vtu2o1MZKT8Opsns3euzkiemjpSNYaYJccuB/lepPOZUd4zu373xk286JGtp6qlTaWneOHC/Nz0w8WittnSmN7yxRO6FG34qE7XwGLYFvVZWgvht+26ofASUd/JY1/CdLSI5GUSQuSTIeS45JSEmqAR8eUeh4fTqRowDeHduXFVQQ5AjKCbIMsbyzzpclsJqTyYHlyA+w7kAbyU9KKDIhSUoB9yviUOE/ZYjyKpIvIyWhoiT+bcn497iCVI4TcP6Snf/DzvfY+XF/PUNd2BgcS6elNukAA6+YKL/AGoahnqTQuwssFzfgv8kUuvoCtu180P/qC1h5iU1C9CO0PyTZcArpLdQGbxrpO0m0bOLxWA6vx3+/TqFLbjQKV/bE8IirVSzHYr68chjZziiCEdulC3F0o4gOajVm4JkIum2iXc1NxN+2ROePuqwdLqxA+65Q+1jQvgpyJSRvDsnbhfHKziABuI2wPViWnSFEJjARa8+H2vuF9oMLLWCMb/+7CxorEBQvyy2PQtK1P2kT/SVXCYoU4OtG25giaDRL7XnNVRWg3J5P2iZt10h7Oev5L+JjO9EoqRe1i/Fu+NiOppW99tUQntdNlHbj0WtAvmsXWLuIZ97d2Ib4RbPd8U27Uc3XB7zc+CipMQkq590Roq9l6XzheFhOtIwZeYbgE47PKuA9GIrH0H3j8XNH1YDKe65dwPgVO+L3cyeuKV77ezgeLQXtoTOqBK+WMgL67b24fdVU7NbwSDyQMZ7roqDftsh4yrirjPrFleA9HB322qF/S97IjefHW2F42K0NG/3xCX7r4zC+LFN7Ib4KFz/b2RDfwI0fjh+Mz8fLckpK3MOXzBePxgX/tKgq+Bcrxb3x3yPxLMH8GrVHsVqlEozfBn7+2US6i0bxQoYaj92J0PqhheqJThdvX8Zr5quBfADXp5s6y5+7OJ+0MaR7+fSpib7nyrRgSF/GaX8J1aKs/R/YP1eLQHzlv1P+yI6MRj0+EPt1dAfDQ+y/gf1zTR342b6G8VwG/EyT1CPAD8u6g0wYr/EU9udjbM+5MZau1J6l06m27x/Oby8/vfwdb2U2KhyfZCcd8HOV5qOfr8C/01bbxwfX47SrBfm0DPHTRjUvfqS/0fbxw/XWatla1IsH8LElazFufuxPBnZNjUnsz3IRZBt2J41jDoL6jGXZIHIDoY8Oo6U3Em30Eqv/2L/yL2wb9DOAH4730qtqG51l7dje8lImY3h8xf6tfz1hg/8Jwpcirkd2UI+w/etfVjPQrpLxqmjxkp0g69mlIR1dSaHFc2nVl1dSwC9T8uJB8l8m+VxGdL6X59EGG3mbiX0gr0978u1FHL93gvXl0856WnbSXH0oYjwzI4qH52pn/RTwJPnXEa+yHy+QWTyC+NB4EQtvmKF4mKF4mPePB+4v4H+jMz7heMiOHfDxA1PEH/NJiM+Natd4yF48WL4pXP3F+A8H8dgP8rogHi/iePyoazwUr161zGgYf0XE31wTf9peMjw8Sf5rCvBHS1B8hHxZrnL4N4j9S29w+BG8DRPGKwEeEI9XuXgQ/pskHqYXDycV8Inkg2r4eJJ8MIJ8WAb8U6qIf8L040XwNxI8/harh149wPjGDB/vn4EcT3ny6kG0b0ES8Mbx00G/8ZxX324K9c2Lh0zicRjHtydUv1Ka7MVj+SLgnxLXH52sPynQJ/jnZB//FcBf1f34Qr1tIVWj8UzS+CdzUbE9qdN4qmAviY+HP8bLfjORIuN9eNGE+JbfTCY1ih/Rx/xPBnw+jPHu4fBUgG85Lj/RuGvI/v0hrHduVob13dufYHtMlp8q9VcleBlZb79kEzlL5D0YL0s1PLxg/XVsO8vxOe/2ErysrLefsix+PyXk8zCsD322iHea6NtM324ldX99v34Y1yPDsLj9lX3eCvAi+41EDuQk229YTjbb5/Un+8k+YT9ptVJphcOrfD5J7oJNme5fMJ7ZKI9na6chrEctlKLx/iwJeOB628vnO+BL4+1qTM7Q/neToI/rU5LPJ6tVMEJ8KVD9z8l8i+f6uPxC0L6Txu+uStbTP3F8qg2hpT9YYn5/YJowf8r3byAbE+cbYHzQiH3LqinY5+Jy6eXrR4DXQAr6D7DxcL4mevx8XaT13o/3ECq/01PQaL1n9wMFwi+T5df631s9CrmfhPmqXfK1UDC5+4Pym3S92CnT/e/i1R7Lx2dVBv4VAv5VIX8yfj1ahv10RqhvZdci67Pl7/dNwscCs2/xUibIt2EJ+GPy8cbxs6Ji/FN8vEm99fDYMMTF9zOV8tMW+DneKlo+3z7E879vB/E/GkFLv+HiPVmBejsgro8D4vp4biCwfzIC8xdpvO+Q+cu/LRR8fkC9uZIo+PG/We3I313NgmBv+XyR8KHI4is7qWD+m3j+twrC/Jj/xaCeFbF93PoxKeH8L+rCfr6l94r7/d5esT2ZDu4/qrBfJuuVzvb7tpMwevn7GSeXK3oyuZ8w0uJ4mhnMV8TzmaZ4f5HOJoP7J1ifLe7+ArdnswbXjvMj1+flx8oB3G5aJjc/7JfawX4A12uZbEi8+oX1dT+/bv2U5FvGl6MSltPBfiUqYzk7EMjQXyuIsumvrytRvH7W0Bfkad6LZP3c5z1vYevp4GnuoSPhqxzE/yOClxzgdRjjlZP5+0/wR0WBP2W3QJ4uBnjlIjnvecoqWd9li9ufvbRgFfwHg7f2YDmb8+XRFJbVHLGNtEN/veDLkxfQiLMpa7HnuJAfI84WC/DcwtbHEWerBfzY6suWBfHazO6HR5zNfYB3vy9Xs4B3lcrqiDPWA/KYL2/rBXmbL9f6QK75+juysJ/c4bdXekCu+PJgL8iDvjzUB/KQr78rC/bs8tu394C83ZfzvSDn/f79OnleR+Qq4FcgT+F0r32Tqvv4gLxF10R89ESAD8Qj5+vjeoDxIPsDDg/NEPFIGCIeSUPEQ02JeGgpEY9ESsQjmRLxUE0RD80U8UiYAR5Y3pw0vfheNxl/IiH+MHkS/NtkZUX+kPhz+JB4Bvzpz4b4QvjG4WP3iPike0R8Mj0iPoSfHD52r4hPulfEJ9Mr4kP4zOFj94n4pPtEfDJ9Aj4Qb2UNvlQfxBeF8k3h+EL5yOHzf8CfaIg/UY4/fPyLXyH+PP/Mr8C/h+KP3smfB/ElzK9u/Ilx/OHjXRXjvWqqlC8xji8Piv/D1a8H8AX7b4T4IvAB6+sh/qZ4PuH5NIEvLy0UCuSNlb4W38J8yuX8/oQ/fLyL/4N6IsRf6YyvwKcu/DEIX4zAX8IHbU2+6oSPeoAX4VfK1w/zR82I6++WQt73H+pNNTco+p8fFP3vHxT9HxgU/c8Pif7ni6L/hX7R/9yQ4P9g/5Dgf76/KPqfKwj+by4MCP4PDQyJ/pP9aOB//0CRbc/I+xntMvrM25/dhuensvD89jVXUWBt38OeZ4f3a3i/L5P3XdvvJNHHRbzf24tucfs9//0aez9Gxn8luH/MLxjB+7ffQbvSJu+GyPu1FN7/kWyF/awJ91eWGyOPH9h+Txl3Vf/1AtmPtwx6v2uR/SLsf8njcXw/jfd7VRXLMSp/Ds9L1bITN8gbPLpf1HG7GvH2y6Q9QdojbL+P2w2Z3n9L0L7ejZH3EQppv4iC9nsS238z+QVE7TUN3l4L2x9BwfMTy00aUiArgT13I/R9hUag8fa7Z99HMeBCIm/paEXi5vuC5Lvl2IlI0F89+08U26II/ZO0f4v5o2qBP2CPYUT4+f6GYlvVbvr/lqh9EeKPzZ6/gX2b9W79XXL/i+1Rq6hb+z1Sry0niWxxfnVMtN9k+ML8auB/k/lDn28p9Pmjhe1Rt6nd9L9g/ZUI738w3ucSw0+t6d307yEx3ndJvmF7EztQV3uRaG8DMbwSFc+/WxLgkxjSORmPN6hy8ltI2YU4+SpStvP655CS5/w9lBfvv84uIKXf98dEh0L3ZwcX7pF37CSfr5kot8C9TP8Gyt8e3x5fxyEhug6Fj73s/LR0/0+wkmvoX2cd336AfoZ9GxM+XDZoSQq+n/G+PYIjx87/6v5ZGHqdvcw9/oBPyDax76o6zGAv+66E+itdvoeLU7yEoa9EhU++yHBqF/0n6KkRtn+Z6XvfnkXWmP8p/He2i/7tkP5a9jts/r2h697D2Mvc/EYX/UGJON4x/9sx0f+w/Sr3vZ/C8c07/hr6xNCbPxz/pHR//Rynr3TRf5ZxouOLxrj4zV6Ebf3OdPm+EcbcH9bfiDoC0A2/y0w/spb+A/j7KMUfPbaG/k75/vPH2DXv++rwkZPEs8rZ8VX1ojy+a3wj6Z15vdh9cPGPcnc719Lz8PHOnt5/ATIXWNY=
