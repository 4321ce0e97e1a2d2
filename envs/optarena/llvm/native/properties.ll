; ModuleID = 'properties.c'
source_filename = "properties.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define dso_local i64 @optarena_properties(ptr noundef %0, ptr noundef captures(address_is_null) %1) local_unnamed_addr #0 {
  %3 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #7
  %4 = icmp eq ptr %3, null
  br i1 %4, label %905, label %5

5:                                                ; preds = %2
  %6 = icmp eq ptr %1, null
  br label %7

7:                                                ; preds = %5, %900
  %8 = phi ptr [ %3, %5 ], [ %902, %900 ]
  %9 = phi i64 [ 0, %5 ], [ %901, %900 ]
  %10 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %8) #7
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %12, label %900

12:                                               ; preds = %7
  br i1 %6, label %898, label %13

13:                                               ; preds = %12
  %14 = mul nsw i64 %9, 200
  %15 = getelementptr inbounds i8, ptr %1, i64 %14
  %16 = tail call i32 @LLVMGetLinkage(ptr noundef nonnull %8) #7
  %17 = tail call i32 @LLVMCountBasicBlocks(ptr noundef nonnull %8) #7
  %18 = zext i32 %17 to i64
  %19 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %8) #7
  %20 = icmp eq ptr %19, null
  br i1 %20, label %21, label %32

21:                                               ; preds = %40, %13
  %22 = phi i64 [ 0, %13 ], [ %42, %40 ]
  %23 = shl nuw nsw i64 %18, 3
  %24 = or disjoint i64 %23, 1
  %25 = tail call ptr @malloc(i64 noundef %24) #8
  %26 = mul nuw nsw i64 %18, 9
  %27 = shl nuw nsw i64 %22, 1
  %28 = add nuw nsw i64 %26, 2
  %29 = add nuw nsw i64 %28, %27
  %30 = tail call ptr @calloc(i64 noundef %29, i64 noundef 4) #9
  %31 = shl nuw nsw i64 %18, 1
  br label %45

32:                                               ; preds = %13, %40
  %33 = phi ptr [ %43, %40 ], [ %19, %13 ]
  %34 = phi i64 [ %42, %40 ], [ 0, %13 ]
  %35 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %33) #7
  %36 = icmp eq ptr %35, null
  br i1 %36, label %40, label %37

37:                                               ; preds = %32
  %38 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %35) #7
  %39 = zext i32 %38 to i64
  br label %40

40:                                               ; preds = %37, %32
  %41 = phi i64 [ %39, %37 ], [ 0, %32 ]
  %42 = add nuw nsw i64 %41, %34
  %43 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %33) #7
  %44 = icmp eq ptr %43, null
  br i1 %44, label %21, label %32, !llvm.loop !7

45:                                               ; preds = %45, %21
  %46 = phi i64 [ 4, %21 ], [ %48, %45 ]
  %47 = icmp samesign ult i64 %46, %31
  %48 = shl nuw nsw i64 %46, 1
  br i1 %47, label %45, label %49, !llvm.loop !9

49:                                               ; preds = %45
  %50 = tail call ptr @calloc(i64 noundef %46, i64 noundef 8) #9
  %51 = shl i64 %46, 2
  %52 = tail call ptr @malloc(i64 noundef %51) #8
  %53 = icmp eq ptr %50, null
  %54 = icmp eq ptr %52, null
  %55 = or i1 %53, %54
  br i1 %55, label %904, label %56

56:                                               ; preds = %49
  %57 = icmp ne ptr %25, null
  %58 = icmp ne ptr %30, null
  %59 = and i1 %57, %58
  br i1 %59, label %60, label %904

60:                                               ; preds = %56
  %61 = add nuw nsw i64 %18, 1
  %62 = getelementptr i32, ptr %30, i64 %61
  %63 = getelementptr i32, ptr %62, i64 %22
  %64 = getelementptr i32, ptr %63, i64 %18
  %65 = getelementptr inbounds nuw i32, ptr %64, i64 %18
  %66 = getelementptr inbounds nuw i32, ptr %65, i64 %61
  %67 = getelementptr inbounds nuw i32, ptr %66, i64 %22
  %68 = getelementptr inbounds nuw i32, ptr %67, i64 %18
  %69 = getelementptr inbounds nuw i32, ptr %68, i64 %18
  %70 = getelementptr inbounds nuw i32, ptr %69, i64 %18
  %71 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %8) #7
  %72 = icmp eq ptr %71, null
  br i1 %72, label %202, label %76

73:                                               ; preds = %146
  %74 = and i64 %151, 4294967295
  %75 = add i64 %149, -1
  br label %155

76:                                               ; preds = %60, %146
  %77 = phi ptr [ %147, %146 ], [ %50, %60 ]
  %78 = phi ptr [ %148, %146 ], [ %52, %60 ]
  %79 = phi i64 [ %149, %146 ], [ %46, %60 ]
  %80 = phi i64 [ %150, %146 ], [ 0, %60 ]
  %81 = phi i64 [ %151, %146 ], [ 0, %60 ]
  %82 = phi ptr [ %153, %146 ], [ %71, %60 ]
  %83 = ptrtoint ptr %82 to i64
  %84 = shl i64 %80, 1
  %85 = icmp ult i64 %84, %79
  br i1 %85, label %125, label %86

86:                                               ; preds = %76
  %87 = shl i64 %79, 1
  %88 = tail call ptr @calloc(i64 noundef %87, i64 noundef 8) #9
  %89 = shl i64 %79, 3
  %90 = tail call ptr @malloc(i64 noundef %89) #8
  %91 = icmp eq ptr %88, null
  %92 = icmp eq ptr %90, null
  %93 = or i1 %91, %92
  br i1 %93, label %98, label %94

94:                                               ; preds = %86
  %95 = icmp eq i64 %79, 0
  br i1 %95, label %124, label %96

96:                                               ; preds = %94
  %97 = add i64 %87, -1
  br label %99

98:                                               ; preds = %86
  tail call void @free(ptr noundef %88)
  tail call void @free(ptr noundef %90)
  br label %146

99:                                               ; preds = %121, %96
  %100 = phi i64 [ 0, %96 ], [ %122, %121 ]
  %101 = getelementptr inbounds nuw i64, ptr %77, i64 %100
  %102 = load i64, ptr %101, align 8, !tbaa !10
  %103 = icmp eq i64 %102, 0
  br i1 %103, label %121, label %104

104:                                              ; preds = %99
  %105 = mul i64 %102, -7046029254386353131
  %106 = lshr i64 %105, 32
  br label %107

107:                                              ; preds = %107, %104
  %108 = phi i64 [ %106, %104 ], [ %115, %107 ]
  %109 = and i64 %108, %97
  %110 = getelementptr inbounds nuw i64, ptr %88, i64 %109
  %111 = load i64, ptr %110, align 8, !tbaa !10
  %112 = icmp eq i64 %111, 0
  %113 = icmp eq i64 %111, %102
  %114 = or i1 %112, %113
  %115 = add i64 %109, 1
  br i1 %114, label %116, label %107, !llvm.loop !12

116:                                              ; preds = %107
  %117 = getelementptr inbounds nuw i64, ptr %88, i64 %109
  store i64 %102, ptr %117, align 8, !tbaa !10
  %118 = getelementptr inbounds nuw i32, ptr %78, i64 %100
  %119 = load i32, ptr %118, align 4, !tbaa !3
  %120 = getelementptr inbounds nuw i32, ptr %90, i64 %109
  store i32 %119, ptr %120, align 4, !tbaa !3
  br label %121

121:                                              ; preds = %116, %99
  %122 = add nuw i64 %100, 1
  %123 = icmp eq i64 %122, %79
  br i1 %123, label %124, label %99, !llvm.loop !13

124:                                              ; preds = %121, %94
  tail call void @free(ptr noundef %77)
  tail call void @free(ptr noundef %78)
  br label %125

125:                                              ; preds = %124, %76
  %126 = phi ptr [ %88, %124 ], [ %77, %76 ]
  %127 = phi ptr [ %90, %124 ], [ %78, %76 ]
  %128 = phi i64 [ %87, %124 ], [ %79, %76 ]
  %129 = mul i64 %83, -7046029254386353131
  %130 = lshr i64 %129, 32
  %131 = add i64 %128, -1
  br label %132

132:                                              ; preds = %132, %125
  %133 = phi i64 [ %130, %125 ], [ %140, %132 ]
  %134 = and i64 %133, %131
  %135 = getelementptr inbounds nuw i64, ptr %126, i64 %134
  %136 = load i64, ptr %135, align 8, !tbaa !10
  %137 = icmp eq i64 %136, 0
  %138 = icmp eq i64 %136, %83
  %139 = or i1 %137, %138
  %140 = add i64 %134, 1
  br i1 %139, label %141, label %132, !llvm.loop !12

141:                                              ; preds = %132
  %142 = getelementptr inbounds nuw i64, ptr %126, i64 %134
  store i64 %83, ptr %142, align 8, !tbaa !10
  %143 = getelementptr inbounds nuw i32, ptr %127, i64 %134
  %144 = trunc nuw nsw i64 %81 to i32
  store i32 %144, ptr %143, align 4, !tbaa !3
  %145 = add i64 %80, 1
  br label %146

146:                                              ; preds = %141, %98
  %147 = phi ptr [ %126, %141 ], [ %77, %98 ]
  %148 = phi ptr [ %127, %141 ], [ %78, %98 ]
  %149 = phi i64 [ %128, %141 ], [ %79, %98 ]
  %150 = phi i64 [ %145, %141 ], [ %80, %98 ]
  %151 = add nuw nsw i64 %81, 1
  %152 = getelementptr inbounds nuw ptr, ptr %25, i64 %81
  store ptr %82, ptr %152, align 8, !tbaa !14
  %153 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %82) #7
  %154 = icmp eq ptr %153, null
  br i1 %154, label %73, label %76, !llvm.loop !17

155:                                              ; preds = %172, %73
  %156 = phi i64 [ 0, %73 ], [ %174, %172 ]
  %157 = phi i32 [ 0, %73 ], [ %173, %172 ]
  %158 = getelementptr inbounds nuw ptr, ptr %25, i64 %156
  %159 = load ptr, ptr %158, align 8, !tbaa !14
  %160 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef %159) #7
  %161 = icmp eq ptr %160, null
  br i1 %161, label %162, label %164

162:                                              ; preds = %155
  %163 = getelementptr inbounds nuw i32, ptr %30, i64 %156
  store i32 %157, ptr %163, align 4, !tbaa !3
  br label %172

164:                                              ; preds = %155
  %165 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %160) #7
  %166 = getelementptr inbounds nuw i32, ptr %30, i64 %156
  store i32 %157, ptr %166, align 4, !tbaa !3
  %167 = icmp eq i32 %165, 0
  br i1 %167, label %172, label %168

168:                                              ; preds = %164
  %169 = sext i32 %157 to i64
  br label %176

170:                                              ; preds = %196
  %171 = trunc nsw i64 %198 to i32
  br label %172

172:                                              ; preds = %170, %164, %162
  %173 = phi i32 [ %157, %164 ], [ %171, %170 ], [ %157, %162 ]
  %174 = add nuw nsw i64 %156, 1
  %175 = icmp eq i64 %174, %74
  br i1 %175, label %202, label %155, !llvm.loop !18

176:                                              ; preds = %196, %168
  %177 = phi i64 [ %169, %168 ], [ %198, %196 ]
  %178 = phi i32 [ 0, %168 ], [ %200, %196 ]
  %179 = tail call ptr @LLVMGetSuccessor(ptr noundef nonnull %160, i32 noundef %178) #7
  %180 = ptrtoint ptr %179 to i64
  %181 = mul i64 %180, -7046029254386353131
  %182 = lshr i64 %181, 32
  br label %183

183:                                              ; preds = %183, %176
  %184 = phi i64 [ %182, %176 ], [ %191, %183 ]
  %185 = and i64 %184, %75
  %186 = getelementptr inbounds nuw i64, ptr %147, i64 %185
  %187 = load i64, ptr %186, align 8, !tbaa !10
  %188 = icmp eq i64 %187, 0
  %189 = icmp eq i64 %187, %180
  %190 = or i1 %188, %189
  %191 = add i64 %185, 1
  br i1 %190, label %192, label %183, !llvm.loop !12

192:                                              ; preds = %183
  br i1 %188, label %196, label %193

193:                                              ; preds = %192
  %194 = getelementptr inbounds nuw i32, ptr %148, i64 %185
  %195 = load i32, ptr %194, align 4, !tbaa !3
  br label %196

196:                                              ; preds = %193, %192
  %197 = phi i32 [ %195, %193 ], [ -1, %192 ]
  %198 = add nsw i64 %177, 1
  %199 = getelementptr inbounds i32, ptr %62, i64 %177
  store i32 %197, ptr %199, align 4, !tbaa !3
  %200 = add nuw i32 %178, 1
  %201 = icmp eq i32 %200, %165
  br i1 %201, label %170, label %176, !llvm.loop !19

202:                                              ; preds = %172, %60
  %203 = phi ptr [ %50, %60 ], [ %147, %172 ]
  %204 = phi ptr [ %52, %60 ], [ %148, %172 ]
  %205 = phi i64 [ 0, %60 ], [ %74, %172 ]
  %206 = phi i32 [ 0, %60 ], [ %173, %172 ]
  %207 = getelementptr inbounds nuw i32, ptr %30, i64 %205
  store i32 %206, ptr %207, align 4, !tbaa !3
  %208 = icmp sgt i32 %17, 0
  br i1 %208, label %209, label %211

209:                                              ; preds = %202
  %210 = shl nuw nsw i64 %18, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %64, i8 -1, i64 %210, i1 false), !tbaa !3
  br label %211

211:                                              ; preds = %209, %202
  store i32 0, ptr %64, align 4, !tbaa !3
  store i32 0, ptr %70, align 4, !tbaa !3
  %212 = load i32, ptr %30, align 4, !tbaa !3
  %213 = getelementptr inbounds nuw i8, ptr %70, i64 4
  store i32 %212, ptr %213, align 4, !tbaa !3
  br label %214

214:                                              ; preds = %250, %211
  %215 = phi i32 [ 0, %211 ], [ %252, %250 ]
  %216 = phi i32 [ %17, %211 ], [ %251, %250 ]
  %217 = shl nuw nsw i32 %215, 1
  %218 = zext nneg i32 %217 to i64
  %219 = getelementptr inbounds nuw i32, ptr %70, i64 %218
  %220 = load i32, ptr %219, align 4, !tbaa !3
  %221 = getelementptr inbounds nuw i8, ptr %219, i64 4
  %222 = load i32, ptr %221, align 4, !tbaa !3
  %223 = sext i32 %220 to i64
  %224 = getelementptr i32, ptr %30, i64 %223
  %225 = getelementptr i8, ptr %224, i64 4
  %226 = load i32, ptr %225, align 4, !tbaa !3
  %227 = icmp eq i32 %222, %226
  br i1 %227, label %228, label %233

228:                                              ; preds = %214
  %229 = add nsw i32 %216, -1
  %230 = sext i32 %229 to i64
  %231 = getelementptr inbounds i32, ptr %63, i64 %230
  store i32 %220, ptr %231, align 4, !tbaa !3
  %232 = add nsw i32 %215, -1
  br label %250, !llvm.loop !20

233:                                              ; preds = %214
  %234 = add nsw i32 %222, 1
  store i32 %234, ptr %221, align 4, !tbaa !3
  %235 = sext i32 %222 to i64
  %236 = getelementptr inbounds i32, ptr %62, i64 %235
  %237 = load i32, ptr %236, align 4, !tbaa !3
  %238 = sext i32 %237 to i64
  %239 = getelementptr inbounds i32, ptr %64, i64 %238
  %240 = load i32, ptr %239, align 4, !tbaa !3
  %241 = icmp sgt i32 %240, -1
  br i1 %241, label %250, label %242, !llvm.loop !20

242:                                              ; preds = %233
  store i32 0, ptr %239, align 4, !tbaa !3
  %243 = add nuw nsw i32 %215, 1
  %244 = shl nuw nsw i32 %243, 1
  %245 = zext nneg i32 %244 to i64
  %246 = getelementptr inbounds nuw i32, ptr %70, i64 %245
  store i32 %237, ptr %246, align 4, !tbaa !3
  %247 = getelementptr inbounds i32, ptr %30, i64 %238
  %248 = load i32, ptr %247, align 4, !tbaa !3
  %249 = getelementptr inbounds nuw i8, ptr %246, i64 4
  store i32 %248, ptr %249, align 4, !tbaa !3
  br label %250

250:                                              ; preds = %242, %233, %228
  %251 = phi i32 [ %229, %228 ], [ %216, %233 ], [ %216, %242 ]
  %252 = phi i32 [ %232, %228 ], [ %215, %233 ], [ %243, %242 ]
  %253 = icmp sgt i32 %252, -1
  br i1 %253, label %214, label %254

254:                                              ; preds = %250
  %255 = sub nsw i32 %17, %251
  %256 = icmp sgt i32 %255, 0
  br i1 %256, label %257, label %316

257:                                              ; preds = %254
  %258 = sext i32 %251 to i64
  %259 = getelementptr i32, ptr %63, i64 %258
  %260 = zext nneg i32 %255 to i64
  %261 = and i64 %260, 3
  %262 = icmp ult i32 %255, 4
  br i1 %262, label %300, label %263

263:                                              ; preds = %257
  %264 = and i64 %260, 2147483644
  br label %265

265:                                              ; preds = %265, %263
  %266 = phi i64 [ 0, %263 ], [ %295, %265 ]
  %267 = phi i64 [ 0, %263 ], [ %296, %265 ]
  %268 = getelementptr i32, ptr %259, i64 %266
  %269 = load i32, ptr %268, align 4, !tbaa !3
  %270 = getelementptr inbounds nuw i32, ptr %63, i64 %266
  store i32 %269, ptr %270, align 4, !tbaa !3
  %271 = sext i32 %269 to i64
  %272 = getelementptr inbounds i32, ptr %64, i64 %271
  %273 = trunc nuw nsw i64 %266 to i32
  store i32 %273, ptr %272, align 4, !tbaa !3
  %274 = or disjoint i64 %266, 1
  %275 = getelementptr i32, ptr %259, i64 %274
  %276 = load i32, ptr %275, align 4, !tbaa !3
  %277 = getelementptr inbounds nuw i32, ptr %63, i64 %274
  store i32 %276, ptr %277, align 4, !tbaa !3
  %278 = sext i32 %276 to i64
  %279 = getelementptr inbounds i32, ptr %64, i64 %278
  %280 = trunc nuw nsw i64 %274 to i32
  store i32 %280, ptr %279, align 4, !tbaa !3
  %281 = or disjoint i64 %266, 2
  %282 = getelementptr i32, ptr %259, i64 %281
  %283 = load i32, ptr %282, align 4, !tbaa !3
  %284 = getelementptr inbounds nuw i32, ptr %63, i64 %281
  store i32 %283, ptr %284, align 4, !tbaa !3
  %285 = sext i32 %283 to i64
  %286 = getelementptr inbounds i32, ptr %64, i64 %285
  %287 = trunc nuw nsw i64 %281 to i32
  store i32 %287, ptr %286, align 4, !tbaa !3
  %288 = or disjoint i64 %266, 3
  %289 = getelementptr i32, ptr %259, i64 %288
  %290 = load i32, ptr %289, align 4, !tbaa !3
  %291 = getelementptr inbounds nuw i32, ptr %63, i64 %288
  store i32 %290, ptr %291, align 4, !tbaa !3
  %292 = sext i32 %290 to i64
  %293 = getelementptr inbounds i32, ptr %64, i64 %292
  %294 = trunc nuw nsw i64 %288 to i32
  store i32 %294, ptr %293, align 4, !tbaa !3
  %295 = add nuw nsw i64 %266, 4
  %296 = add i64 %267, 4
  %297 = icmp eq i64 %296, %264
  br i1 %297, label %298, label %265, !llvm.loop !21

298:                                              ; preds = %265
  %299 = icmp eq i64 %261, 0
  br i1 %299, label %315, label %300

300:                                              ; preds = %298, %257
  %301 = phi i64 [ 0, %257 ], [ %295, %298 ]
  %302 = icmp ne i64 %261, 0
  tail call void @llvm.assume(i1 %302)
  br label %303

303:                                              ; preds = %303, %300
  %304 = phi i64 [ %301, %300 ], [ %312, %303 ]
  %305 = phi i64 [ 0, %300 ], [ %313, %303 ]
  %306 = getelementptr i32, ptr %259, i64 %304
  %307 = load i32, ptr %306, align 4, !tbaa !3
  %308 = getelementptr inbounds nuw i32, ptr %63, i64 %304
  store i32 %307, ptr %308, align 4, !tbaa !3
  %309 = sext i32 %307 to i64
  %310 = getelementptr inbounds i32, ptr %64, i64 %309
  %311 = trunc nuw nsw i64 %304 to i32
  store i32 %311, ptr %310, align 4, !tbaa !3
  %312 = add nuw nsw i64 %304, 1
  %313 = add i64 %305, 1
  %314 = icmp eq i64 %313, %261
  br i1 %314, label %315, label %303, !llvm.loop !22

315:                                              ; preds = %303, %298
  br label %325

316:                                              ; preds = %337, %254
  %317 = icmp slt i32 %255, 0
  br i1 %317, label %505, label %318

318:                                              ; preds = %316
  %319 = zext nneg i32 %255 to i64
  %320 = add nuw nsw i64 %319, 1
  %321 = and i64 %320, 1
  %322 = icmp eq i32 %17, %251
  br i1 %322, label %361, label %323

323:                                              ; preds = %318
  %324 = and i64 %320, 4294967294
  br label %374

325:                                              ; preds = %315, %337
  %326 = phi i64 [ %338, %337 ], [ 0, %315 ]
  %327 = getelementptr inbounds nuw i32, ptr %63, i64 %326
  %328 = load i32, ptr %327, align 4, !tbaa !3
  %329 = sext i32 %328 to i64
  %330 = getelementptr i32, ptr %30, i64 %329
  %331 = load i32, ptr %330, align 4, !tbaa !3
  %332 = getelementptr i8, ptr %330, i64 4
  %333 = load i32, ptr %332, align 4, !tbaa !3
  %334 = icmp slt i32 %331, %333
  br i1 %334, label %335, label %337

335:                                              ; preds = %325
  %336 = sext i32 %331 to i64
  br label %340

337:                                              ; preds = %340, %325
  %338 = add nuw nsw i64 %326, 1
  %339 = icmp eq i64 %338, %260
  br i1 %339, label %316, label %325, !llvm.loop !24

340:                                              ; preds = %340, %335
  %341 = phi i64 [ %336, %335 ], [ %351, %340 ]
  %342 = getelementptr inbounds i32, ptr %62, i64 %341
  %343 = load i32, ptr %342, align 4, !tbaa !3
  %344 = sext i32 %343 to i64
  %345 = getelementptr inbounds i32, ptr %64, i64 %344
  %346 = load i32, ptr %345, align 4, !tbaa !3
  %347 = sext i32 %346 to i64
  %348 = getelementptr inbounds i32, ptr %65, i64 %347
  %349 = load i32, ptr %348, align 4, !tbaa !3
  %350 = add nsw i32 %349, 1
  store i32 %350, ptr %348, align 4, !tbaa !3
  %351 = add nsw i64 %341, 1
  %352 = load i32, ptr %327, align 4, !tbaa !3
  %353 = sext i32 %352 to i64
  %354 = getelementptr i32, ptr %30, i64 %353
  %355 = getelementptr i8, ptr %354, i64 4
  %356 = load i32, ptr %355, align 4, !tbaa !3
  %357 = sext i32 %356 to i64
  %358 = icmp slt i64 %351, %357
  br i1 %358, label %340, label %337, !llvm.loop !25

359:                                              ; preds = %391
  %360 = icmp eq i64 %321, 0
  br i1 %360, label %373, label %361

361:                                              ; preds = %359, %318
  %362 = phi i64 [ 0, %318 ], [ %395, %359 ]
  %363 = phi i32 [ 0, %318 ], [ %393, %359 ]
  %364 = icmp ne i64 %321, 0
  tail call void @llvm.assume(i1 %364)
  %365 = icmp samesign ult i64 %362, %319
  br i1 %365, label %366, label %369

366:                                              ; preds = %361
  %367 = getelementptr inbounds nuw i32, ptr %65, i64 %362
  %368 = load i32, ptr %367, align 4, !tbaa !3
  br label %369

369:                                              ; preds = %366, %361
  %370 = phi i32 [ %368, %366 ], [ 0, %361 ]
  %371 = add nsw i32 %370, %363
  %372 = getelementptr inbounds nuw i32, ptr %65, i64 %362
  store i32 %371, ptr %372, align 4, !tbaa !3
  br label %373

373:                                              ; preds = %359, %369
  br i1 %256, label %400, label %505

374:                                              ; preds = %391, %323
  %375 = phi i64 [ 0, %323 ], [ %395, %391 ]
  %376 = phi i32 [ 0, %323 ], [ %393, %391 ]
  %377 = phi i64 [ 0, %323 ], [ %396, %391 ]
  %378 = icmp samesign ult i64 %375, %319
  br i1 %378, label %379, label %382

379:                                              ; preds = %374
  %380 = getelementptr inbounds nuw i32, ptr %65, i64 %375
  %381 = load i32, ptr %380, align 4, !tbaa !3
  br label %382

382:                                              ; preds = %379, %374
  %383 = phi i32 [ %381, %379 ], [ 0, %374 ]
  %384 = add nsw i32 %383, %376
  %385 = getelementptr inbounds nuw i32, ptr %65, i64 %375
  store i32 %384, ptr %385, align 4, !tbaa !3
  %386 = or disjoint i64 %375, 1
  %387 = icmp samesign ult i64 %386, %319
  br i1 %387, label %388, label %391

388:                                              ; preds = %382
  %389 = getelementptr inbounds nuw i32, ptr %65, i64 %386
  %390 = load i32, ptr %389, align 4, !tbaa !3
  br label %391

391:                                              ; preds = %388, %382
  %392 = phi i32 [ %390, %388 ], [ 0, %382 ]
  %393 = add nsw i32 %392, %384
  %394 = getelementptr inbounds nuw i32, ptr %65, i64 %386
  store i32 %393, ptr %394, align 4, !tbaa !3
  %395 = add nuw nsw i64 %375, 2
  %396 = add i64 %377, 2
  %397 = icmp eq i64 %396, %324
  br i1 %397, label %359, label %374, !llvm.loop !26

398:                                              ; preds = %414, %400
  %399 = icmp samesign ugt i64 %401, 1
  br i1 %399, label %400, label %435, !llvm.loop !27

400:                                              ; preds = %373, %398
  %401 = phi i64 [ %402, %398 ], [ %319, %373 ]
  %402 = add nsw i64 %401, -1
  %403 = getelementptr inbounds nuw i32, ptr %63, i64 %402
  %404 = load i32, ptr %403, align 4, !tbaa !3
  %405 = sext i32 %404 to i64
  %406 = getelementptr i32, ptr %30, i64 %405
  %407 = load i32, ptr %406, align 4, !tbaa !3
  %408 = getelementptr i8, ptr %406, i64 4
  %409 = load i32, ptr %408, align 4, !tbaa !3
  %410 = icmp slt i32 %407, %409
  br i1 %410, label %411, label %398

411:                                              ; preds = %400
  %412 = sext i32 %407 to i64
  %413 = trunc nuw nsw i64 %402 to i32
  br label %414

414:                                              ; preds = %414, %411
  %415 = phi i64 [ %412, %411 ], [ %427, %414 ]
  %416 = getelementptr inbounds i32, ptr %62, i64 %415
  %417 = load i32, ptr %416, align 4, !tbaa !3
  %418 = sext i32 %417 to i64
  %419 = getelementptr inbounds i32, ptr %64, i64 %418
  %420 = load i32, ptr %419, align 4, !tbaa !3
  %421 = sext i32 %420 to i64
  %422 = getelementptr inbounds i32, ptr %65, i64 %421
  %423 = load i32, ptr %422, align 4, !tbaa !3
  %424 = add nsw i32 %423, -1
  store i32 %424, ptr %422, align 4, !tbaa !3
  %425 = sext i32 %424 to i64
  %426 = getelementptr inbounds i32, ptr %66, i64 %425
  store i32 %413, ptr %426, align 4, !tbaa !3
  %427 = add nsw i64 %415, 1
  %428 = load i32, ptr %403, align 4, !tbaa !3
  %429 = sext i32 %428 to i64
  %430 = getelementptr i32, ptr %30, i64 %429
  %431 = getelementptr i8, ptr %430, i64 4
  %432 = load i32, ptr %431, align 4, !tbaa !3
  %433 = sext i32 %432 to i64
  %434 = icmp slt i64 %427, %433
  br i1 %434, label %414, label %398, !llvm.loop !28

435:                                              ; preds = %398
  %436 = icmp eq i32 %255, 1
  br i1 %436, label %507, label %437

437:                                              ; preds = %435
  %438 = shl nuw nsw i64 %18, 4
  %439 = shl i64 %22, 3
  %440 = getelementptr i8, ptr %30, i64 %438
  %441 = getelementptr i8, ptr %440, i64 %439
  %442 = getelementptr i8, ptr %441, i64 12
  %443 = shl nuw nsw i64 %319, 2
  %444 = add nsw i64 %443, -4
  tail call void @llvm.memset.p0.i64(ptr align 4 %442, i8 -1, i64 %444, i1 false), !tbaa !3
  br label %447

445:                                              ; preds = %459
  %446 = icmp eq i32 %465, 0
  br i1 %446, label %507, label %467

447:                                              ; preds = %467, %437
  %448 = phi i64 [ 1, %437 ], [ %468, %467 ]
  %449 = phi i32 [ 0, %437 ], [ %469, %467 ]
  %450 = getelementptr inbounds nuw i32, ptr %65, i64 %448
  %451 = load i32, ptr %450, align 4, !tbaa !3
  %452 = add nuw nsw i64 %448, 1
  %453 = getelementptr inbounds nuw i32, ptr %65, i64 %452
  %454 = load i32, ptr %453, align 4, !tbaa !3
  %455 = icmp slt i32 %451, %454
  br i1 %455, label %456, label %459

456:                                              ; preds = %447
  %457 = sext i32 %451 to i64
  %458 = sext i32 %454 to i64
  br label %470

459:                                              ; preds = %501, %447
  %460 = phi i32 [ -1, %447 ], [ %502, %501 ]
  %461 = getelementptr inbounds nuw i32, ptr %67, i64 %448
  %462 = load i32, ptr %461, align 4, !tbaa !3
  %463 = icmp ne i32 %460, %462
  %464 = zext i1 %463 to i32
  %465 = or i32 %449, %464
  store i32 %460, ptr %461, align 4, !tbaa !3
  %466 = icmp eq i64 %452, %319
  br i1 %466, label %445, label %467

467:                                              ; preds = %459, %445
  %468 = phi i64 [ %452, %459 ], [ 1, %445 ]
  %469 = phi i32 [ %465, %459 ], [ 0, %445 ]
  br label %447, !llvm.loop !29

470:                                              ; preds = %501, %456
  %471 = phi i64 [ %457, %456 ], [ %503, %501 ]
  %472 = phi i32 [ -1, %456 ], [ %502, %501 ]
  %473 = getelementptr inbounds i32, ptr %66, i64 %471
  %474 = load i32, ptr %473, align 4, !tbaa !3
  %475 = icmp eq i32 %474, 0
  br i1 %475, label %481, label %476

476:                                              ; preds = %470
  %477 = sext i32 %474 to i64
  %478 = getelementptr inbounds i32, ptr %67, i64 %477
  %479 = load i32, ptr %478, align 4, !tbaa !3
  %480 = icmp slt i32 %479, 0
  br i1 %480, label %501, label %481

481:                                              ; preds = %476, %470
  %482 = icmp slt i32 %472, 0
  %483 = icmp eq i32 %472, %474
  %484 = or i1 %482, %483
  br i1 %484, label %501, label %485

485:                                              ; preds = %481, %497
  %486 = phi i32 [ %499, %497 ], [ %474, %481 ]
  %487 = phi i32 [ %498, %497 ], [ %472, %481 ]
  %488 = icmp sgt i32 %487, %486
  br i1 %488, label %489, label %493

489:                                              ; preds = %485
  %490 = sext i32 %487 to i64
  %491 = getelementptr inbounds i32, ptr %67, i64 %490
  %492 = load i32, ptr %491, align 4, !tbaa !3
  br label %497

493:                                              ; preds = %485
  %494 = sext i32 %486 to i64
  %495 = getelementptr inbounds i32, ptr %67, i64 %494
  %496 = load i32, ptr %495, align 4, !tbaa !3
  br label %497

497:                                              ; preds = %493, %489
  %498 = phi i32 [ %492, %489 ], [ %487, %493 ]
  %499 = phi i32 [ %486, %489 ], [ %496, %493 ]
  %500 = icmp eq i32 %498, %499
  br i1 %500, label %501, label %485, !llvm.loop !30

501:                                              ; preds = %497, %481, %476
  %502 = phi i32 [ %472, %476 ], [ %474, %481 ], [ %498, %497 ]
  %503 = add nsw i64 %471, 1
  %504 = icmp eq i64 %503, %458
  br i1 %504, label %459, label %470, !llvm.loop !31

505:                                              ; preds = %373, %316
  %506 = getelementptr inbounds nuw i8, ptr %15, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(192) %506, i8 0, i64 192, i1 false), !tbaa !32
  br label %686

507:                                              ; preds = %445, %435
  %508 = getelementptr inbounds nuw i8, ptr %15, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(192) %508, i8 0, i64 192, i1 false), !tbaa !32
  %509 = getelementptr inbounds nuw i8, ptr %15, i64 56
  br label %516

510:                                              ; preds = %625
  %511 = getelementptr inbounds nuw i8, ptr %15, i64 48
  %512 = and i64 %319, 3
  %513 = icmp ult i32 %255, 4
  br i1 %513, label %668, label %514

514:                                              ; preds = %510
  %515 = and i64 %319, 2147483644
  br label %628

516:                                              ; preds = %625, %507
  %517 = phi i64 [ 0, %507 ], [ %626, %625 ]
  %518 = phi i64 [ 0, %507 ], [ %519, %625 ]
  %519 = add nuw nsw i64 %518, 1
  %520 = getelementptr inbounds nuw i32, ptr %65, i64 %518
  %521 = load i32, ptr %520, align 4, !tbaa !3
  %522 = getelementptr inbounds nuw i32, ptr %65, i64 %519
  %523 = load i32, ptr %522, align 4, !tbaa !3
  %524 = icmp slt i32 %521, %523
  br i1 %524, label %525, label %625

525:                                              ; preds = %516
  %526 = sext i32 %521 to i64
  %527 = trunc nuw nsw i64 %519 to i32
  br label %533

528:                                              ; preds = %566
  %529 = getelementptr inbounds nuw i32, ptr %68, i64 %518
  %530 = load i32, ptr %529, align 4, !tbaa !3
  %531 = add nsw i32 %530, %568
  store i32 %531, ptr %529, align 4, !tbaa !3
  %532 = icmp eq i32 %569, 0
  br i1 %532, label %618, label %576

533:                                              ; preds = %566, %525
  %534 = phi i32 [ %523, %525 ], [ %567, %566 ]
  %535 = phi i64 [ %526, %525 ], [ %570, %566 ]
  %536 = phi i32 [ 0, %525 ], [ %569, %566 ]
  %537 = phi i32 [ 0, %525 ], [ %568, %566 ]
  %538 = getelementptr inbounds i32, ptr %66, i64 %535
  %539 = load i32, ptr %538, align 4, !tbaa !3
  %540 = sext i32 %539 to i64
  %541 = icmp slt i64 %518, %540
  br i1 %541, label %542, label %549

542:                                              ; preds = %533, %542
  %543 = phi i32 [ %546, %542 ], [ %539, %533 ]
  %544 = sext i32 %543 to i64
  %545 = getelementptr inbounds i32, ptr %67, i64 %544
  %546 = load i32, ptr %545, align 4, !tbaa !3
  %547 = sext i32 %546 to i64
  %548 = icmp slt i64 %518, %547
  br i1 %548, label %542, label %549, !llvm.loop !34

549:                                              ; preds = %542, %533
  %550 = phi i32 [ %539, %533 ], [ %546, %542 ]
  %551 = zext i32 %550 to i64
  %552 = icmp eq i64 %518, %551
  br i1 %552, label %553, label %566

553:                                              ; preds = %549
  %554 = zext i32 %539 to i64
  %555 = icmp eq i64 %518, %554
  br i1 %555, label %566, label %556

556:                                              ; preds = %553
  %557 = getelementptr inbounds i32, ptr %69, i64 %540
  %558 = load i32, ptr %557, align 4, !tbaa !3
  %559 = zext i32 %558 to i64
  %560 = icmp eq i64 %519, %559
  br i1 %560, label %566, label %561

561:                                              ; preds = %556
  store i32 %527, ptr %557, align 4, !tbaa !3
  %562 = add nsw i32 %536, 1
  %563 = sext i32 %536 to i64
  %564 = getelementptr inbounds i32, ptr %70, i64 %563
  store i32 %539, ptr %564, align 4, !tbaa !3
  %565 = load i32, ptr %522, align 4, !tbaa !3
  br label %566

566:                                              ; preds = %561, %556, %553, %549
  %567 = phi i32 [ %534, %549 ], [ %565, %561 ], [ %534, %556 ], [ %534, %553 ]
  %568 = phi i32 [ %537, %549 ], [ 1, %561 ], [ 1, %556 ], [ 1, %553 ]
  %569 = phi i32 [ %536, %549 ], [ %562, %561 ], [ %536, %556 ], [ %536, %553 ]
  %570 = add nsw i64 %535, 1
  %571 = sext i32 %567 to i64
  %572 = icmp slt i64 %570, %571
  br i1 %572, label %533, label %528, !llvm.loop !35

573:                                              ; preds = %612, %576
  %574 = phi i32 [ %578, %576 ], [ %614, %612 ]
  %575 = icmp eq i32 %574, 0
  br i1 %575, label %618, label %576, !llvm.loop !36

576:                                              ; preds = %528, %573
  %577 = phi i32 [ %574, %573 ], [ %569, %528 ]
  %578 = add nsw i32 %577, -1
  %579 = sext i32 %578 to i64
  %580 = getelementptr inbounds i32, ptr %70, i64 %579
  %581 = load i32, ptr %580, align 4, !tbaa !3
  %582 = sext i32 %581 to i64
  %583 = getelementptr inbounds i32, ptr %68, i64 %582
  %584 = load i32, ptr %583, align 4, !tbaa !3
  %585 = add nsw i32 %584, 1
  store i32 %585, ptr %583, align 4, !tbaa !3
  %586 = getelementptr inbounds i32, ptr %65, i64 %582
  %587 = load i32, ptr %586, align 4, !tbaa !3
  %588 = getelementptr i8, ptr %586, i64 4
  %589 = load i32, ptr %588, align 4, !tbaa !3
  %590 = icmp slt i32 %587, %589
  br i1 %590, label %591, label %573

591:                                              ; preds = %576
  %592 = sext i32 %587 to i64
  br label %593

593:                                              ; preds = %612, %591
  %594 = phi i32 [ %589, %591 ], [ %613, %612 ]
  %595 = phi i64 [ %592, %591 ], [ %615, %612 ]
  %596 = phi i32 [ %578, %591 ], [ %614, %612 ]
  %597 = getelementptr inbounds i32, ptr %66, i64 %595
  %598 = load i32, ptr %597, align 4, !tbaa !3
  %599 = zext i32 %598 to i64
  %600 = icmp eq i64 %518, %599
  br i1 %600, label %612, label %601

601:                                              ; preds = %593
  %602 = sext i32 %598 to i64
  %603 = getelementptr inbounds i32, ptr %69, i64 %602
  %604 = load i32, ptr %603, align 4, !tbaa !3
  %605 = zext i32 %604 to i64
  %606 = icmp eq i64 %519, %605
  br i1 %606, label %612, label %607

607:                                              ; preds = %601
  store i32 %527, ptr %603, align 4, !tbaa !3
  %608 = add nsw i32 %596, 1
  %609 = sext i32 %596 to i64
  %610 = getelementptr inbounds i32, ptr %70, i64 %609
  store i32 %598, ptr %610, align 4, !tbaa !3
  %611 = load i32, ptr %588, align 4, !tbaa !3
  br label %612

612:                                              ; preds = %607, %601, %593
  %613 = phi i32 [ %611, %607 ], [ %594, %601 ], [ %594, %593 ]
  %614 = phi i32 [ %608, %607 ], [ %596, %601 ], [ %596, %593 ]
  %615 = add nsw i64 %595, 1
  %616 = sext i32 %613 to i64
  %617 = icmp slt i64 %615, %616
  br i1 %617, label %593, label %573, !llvm.loop !37

618:                                              ; preds = %573, %528
  %619 = icmp eq i32 %568, 0
  br i1 %619, label %625, label %620

620:                                              ; preds = %618
  %621 = load i32, ptr %529, align 4, !tbaa !3
  %622 = icmp eq i32 %621, 1
  %623 = zext i1 %622 to i64
  %624 = add nsw i64 %517, %623
  store i64 %624, ptr %509, align 8, !tbaa !32
  br label %625

625:                                              ; preds = %620, %618, %516
  %626 = phi i64 [ %624, %620 ], [ %517, %618 ], [ %517, %516 ]
  %627 = icmp eq i64 %519, %319
  br i1 %627, label %510, label %516, !llvm.loop !38

628:                                              ; preds = %661, %514
  %629 = phi i64 [ 0, %514 ], [ %663, %661 ]
  %630 = phi i64 [ 0, %514 ], [ %662, %661 ]
  %631 = phi i64 [ 0, %514 ], [ %664, %661 ]
  %632 = getelementptr inbounds nuw i32, ptr %68, i64 %629
  %633 = load i32, ptr %632, align 4, !tbaa !3
  %634 = sext i32 %633 to i64
  %635 = icmp slt i64 %630, %634
  br i1 %635, label %636, label %637

636:                                              ; preds = %628
  store i64 %634, ptr %511, align 8, !tbaa !32
  br label %637

637:                                              ; preds = %636, %628
  %638 = phi i64 [ %630, %628 ], [ %634, %636 ]
  %639 = getelementptr inbounds nuw i32, ptr %68, i64 %629
  %640 = getelementptr inbounds nuw i8, ptr %639, i64 4
  %641 = load i32, ptr %640, align 4, !tbaa !3
  %642 = sext i32 %641 to i64
  %643 = icmp slt i64 %638, %642
  br i1 %643, label %644, label %645

644:                                              ; preds = %637
  store i64 %642, ptr %511, align 8, !tbaa !32
  br label %645

645:                                              ; preds = %644, %637
  %646 = phi i64 [ %638, %637 ], [ %642, %644 ]
  %647 = getelementptr inbounds nuw i32, ptr %68, i64 %629
  %648 = getelementptr inbounds nuw i8, ptr %647, i64 8
  %649 = load i32, ptr %648, align 4, !tbaa !3
  %650 = sext i32 %649 to i64
  %651 = icmp slt i64 %646, %650
  br i1 %651, label %652, label %653

652:                                              ; preds = %645
  store i64 %650, ptr %511, align 8, !tbaa !32
  br label %653

653:                                              ; preds = %652, %645
  %654 = phi i64 [ %646, %645 ], [ %650, %652 ]
  %655 = getelementptr inbounds nuw i32, ptr %68, i64 %629
  %656 = getelementptr inbounds nuw i8, ptr %655, i64 12
  %657 = load i32, ptr %656, align 4, !tbaa !3
  %658 = sext i32 %657 to i64
  %659 = icmp slt i64 %654, %658
  br i1 %659, label %660, label %661

660:                                              ; preds = %653
  store i64 %658, ptr %511, align 8, !tbaa !32
  br label %661

661:                                              ; preds = %660, %653
  %662 = phi i64 [ %654, %653 ], [ %658, %660 ]
  %663 = add nuw nsw i64 %629, 4
  %664 = add i64 %631, 4
  %665 = icmp eq i64 %664, %515
  br i1 %665, label %666, label %628, !llvm.loop !39

666:                                              ; preds = %661
  %667 = icmp eq i64 %512, 0
  br i1 %667, label %686, label %668

668:                                              ; preds = %666, %510
  %669 = phi i64 [ 0, %510 ], [ %663, %666 ]
  %670 = phi i64 [ 0, %510 ], [ %662, %666 ]
  %671 = icmp ne i64 %512, 0
  tail call void @llvm.assume(i1 %671)
  br label %672

672:                                              ; preds = %681, %668
  %673 = phi i64 [ %669, %668 ], [ %683, %681 ]
  %674 = phi i64 [ %670, %668 ], [ %682, %681 ]
  %675 = phi i64 [ 0, %668 ], [ %684, %681 ]
  %676 = getelementptr inbounds nuw i32, ptr %68, i64 %673
  %677 = load i32, ptr %676, align 4, !tbaa !3
  %678 = sext i32 %677 to i64
  %679 = icmp slt i64 %674, %678
  br i1 %679, label %680, label %681

680:                                              ; preds = %672
  store i64 %678, ptr %511, align 8, !tbaa !32
  br label %681

681:                                              ; preds = %680, %672
  %682 = phi i64 [ %674, %672 ], [ %678, %680 ]
  %683 = add nuw nsw i64 %673, 1
  %684 = add i64 %675, 1
  %685 = icmp eq i64 %684, %512
  br i1 %685, label %686, label %672, !llvm.loop !40

686:                                              ; preds = %666, %681, %505
  %687 = sext i32 %255 to i64
  store i64 %687, ptr %15, align 8, !tbaa !32
  %688 = add i32 %16, -10
  %689 = icmp ult i32 %688, -2
  %690 = zext i1 %689 to i64
  %691 = getelementptr inbounds nuw i8, ptr %15, i64 16
  store i64 %690, ptr %691, align 8, !tbaa !32
  %692 = tail call ptr @LLVMGetFirstUse(ptr noundef nonnull %8) #7
  %693 = icmp eq ptr %692, null
  br i1 %693, label %694, label %712

694:                                              ; preds = %712, %686
  br i1 %256, label %695, label %897

695:                                              ; preds = %694
  %696 = getelementptr inbounds nuw i8, ptr %15, i64 128
  %697 = getelementptr inbounds nuw i8, ptr %15, i64 72
  %698 = getelementptr inbounds nuw i8, ptr %15, i64 88
  %699 = getelementptr inbounds nuw i8, ptr %15, i64 104
  %700 = getelementptr inbounds nuw i8, ptr %15, i64 136
  %701 = getelementptr inbounds nuw i8, ptr %15, i64 152
  %702 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %703 = getelementptr inbounds nuw i8, ptr %15, i64 120
  %704 = getelementptr inbounds nuw i8, ptr %15, i64 64
  %705 = getelementptr inbounds nuw i8, ptr %15, i64 32
  %706 = getelementptr inbounds nuw i8, ptr %15, i64 160
  %707 = getelementptr inbounds nuw i8, ptr %15, i64 192
  %708 = getelementptr inbounds nuw i8, ptr %15, i64 24
  %709 = getelementptr inbounds nuw i8, ptr %15, i64 168
  %710 = getelementptr inbounds nuw i8, ptr %15, i64 176
  %711 = zext nneg i32 %255 to i64
  br label %718

712:                                              ; preds = %686, %712
  %713 = phi ptr [ %716, %712 ], [ %692, %686 ]
  %714 = load i64, ptr %691, align 8, !tbaa !32
  %715 = add nsw i64 %714, 1
  store i64 %715, ptr %691, align 8, !tbaa !32
  %716 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %713) #7
  %717 = icmp eq ptr %716, null
  br i1 %717, label %694, label %712, !llvm.loop !41

718:                                              ; preds = %894, %695
  %719 = phi i64 [ 0, %695 ], [ %895, %894 ]
  %720 = getelementptr inbounds nuw i32, ptr %63, i64 %719
  %721 = load i32, ptr %720, align 4, !tbaa !3
  %722 = sext i32 %721 to i64
  %723 = getelementptr inbounds ptr, ptr %25, i64 %722
  %724 = load ptr, ptr %723, align 8, !tbaa !14
  %725 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef %724) #7
  %726 = icmp eq ptr %725, null
  br i1 %726, label %729, label %727

727:                                              ; preds = %718
  %728 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %725) #7
  br label %729

729:                                              ; preds = %727, %718
  %730 = phi i32 [ %728, %727 ], [ 0, %718 ]
  %731 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef %724) #7
  %732 = tail call ptr @LLVMGetFirstUse(ptr noundef %731) #7
  %733 = icmp eq ptr %732, null
  br i1 %733, label %746, label %734

734:                                              ; preds = %729, %734
  %735 = phi ptr [ %742, %734 ], [ %732, %729 ]
  %736 = phi i32 [ %741, %734 ], [ 0, %729 ]
  %737 = tail call ptr @LLVMGetUser(ptr noundef nonnull %735) #7
  %738 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %737) #7
  %739 = icmp ne ptr %738, null
  %740 = zext i1 %739 to i32
  %741 = add nuw nsw i32 %736, %740
  %742 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %735) #7
  %743 = icmp ne ptr %742, null
  %744 = icmp samesign ult i32 %741, 3
  %745 = select i1 %743, i1 %744, i1 false
  br i1 %745, label %734, label %746, !llvm.loop !42

746:                                              ; preds = %734, %729
  %747 = phi i32 [ 0, %729 ], [ %741, %734 ]
  br i1 %726, label %753, label %748

748:                                              ; preds = %746
  %749 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %725) #7
  %750 = and i32 %749, -2
  %751 = icmp eq i32 %750, 70
  %752 = select i1 %751, i32 2, i32 %749
  br label %753

753:                                              ; preds = %748, %746
  %754 = phi i32 [ %752, %748 ], [ 0, %746 ]
  %755 = zext i32 %730 to i64
  %756 = load i64, ptr %696, align 8, !tbaa !32
  %757 = add nsw i64 %756, %755
  store i64 %757, ptr %696, align 8, !tbaa !32
  %758 = insertelement <2 x i32> poison, i32 %730, i64 0
  %759 = shufflevector <2 x i32> %758, <2 x i32> poison, <2 x i32> zeroinitializer
  %760 = icmp eq <2 x i32> %759, <i32 1, i32 2>
  %761 = zext <2 x i1> %760 to <2 x i64>
  %762 = load <2 x i64>, ptr %697, align 8, !tbaa !32
  %763 = add nsw <2 x i64> %762, %761
  store <2 x i64> %763, ptr %697, align 8, !tbaa !32
  %764 = icmp ugt i32 %730, 2
  %765 = insertelement <2 x i32> poison, i32 %747, i64 0
  %766 = shufflevector <2 x i32> %765, <2 x i32> poison, <2 x i32> zeroinitializer
  %767 = icmp eq <2 x i32> %766, <i32 2, i32 1>
  %768 = insertelement <2 x i1> %767, i1 %764, i64 0
  %769 = zext <2 x i1> %768 to <2 x i64>
  %770 = load <2 x i64>, ptr %698, align 8, !tbaa !32
  %771 = add nsw <2 x i64> %770, %769
  store <2 x i64> %771, ptr %698, align 8, !tbaa !32
  %772 = icmp samesign ugt i32 %747, 2
  %773 = insertelement <2 x i1> %767, i1 %772, i64 1
  %774 = zext <2 x i1> %773 to <2 x i64>
  %775 = load <2 x i64>, ptr %699, align 8, !tbaa !32
  %776 = add nsw <2 x i64> %775, %774
  store <2 x i64> %776, ptr %699, align 8, !tbaa !32
  %777 = icmp eq i32 %754, 2
  %778 = insertelement <2 x i1> poison, i1 %777, i64 0
  %779 = shufflevector <2 x i1> %778, <2 x i1> poison, <2 x i32> zeroinitializer
  %780 = select <2 x i1> %779, <2 x i1> %760, <2 x i1> zeroinitializer
  %781 = zext <2 x i1> %780 to <2 x i64>
  %782 = load <2 x i64>, ptr %700, align 8, !tbaa !32
  %783 = add nsw <2 x i64> %782, %781
  store <2 x i64> %783, ptr %700, align 8, !tbaa !32
  %784 = icmp eq i32 %754, 3
  %785 = zext i1 %784 to i64
  %786 = load i64, ptr %701, align 8, !tbaa !32
  %787 = add nsw i64 %786, %785
  store i64 %787, ptr %701, align 8, !tbaa !32
  %788 = extractelement <2 x i1> %780, i64 1
  %789 = select i1 %784, i1 true, i1 %788
  br i1 %789, label %790, label %793

790:                                              ; preds = %753
  %791 = load i64, ptr %702, align 8, !tbaa !32
  %792 = add nsw i64 %791, %755
  store i64 %792, ptr %702, align 8, !tbaa !32
  br label %793

793:                                              ; preds = %790, %753
  %794 = icmp ugt i32 %730, 1
  br i1 %794, label %795, label %822

795:                                              ; preds = %793, %816
  %796 = phi i32 [ %820, %816 ], [ 0, %793 ]
  %797 = tail call ptr @LLVMGetSuccessor(ptr noundef %725, i32 noundef %796) #7
  %798 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef %797) #7
  %799 = tail call ptr @LLVMGetFirstUse(ptr noundef %798) #7
  %800 = icmp eq ptr %799, null
  br i1 %800, label %816, label %801

801:                                              ; preds = %795, %801
  %802 = phi ptr [ %809, %801 ], [ %799, %795 ]
  %803 = phi i32 [ %808, %801 ], [ 0, %795 ]
  %804 = tail call ptr @LLVMGetUser(ptr noundef nonnull %802) #7
  %805 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %804) #7
  %806 = icmp ne ptr %805, null
  %807 = zext i1 %806 to i32
  %808 = add nuw nsw i32 %803, %807
  %809 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %802) #7
  %810 = icmp ne ptr %809, null
  %811 = icmp samesign ult i32 %808, 2
  %812 = select i1 %810, i1 %811, i1 false
  br i1 %812, label %801, label %813, !llvm.loop !42

813:                                              ; preds = %801
  %814 = icmp eq i32 %808, 2
  %815 = zext i1 %814 to i64
  br label %816

816:                                              ; preds = %813, %795
  %817 = phi i64 [ 0, %795 ], [ %815, %813 ]
  %818 = load i64, ptr %703, align 8, !tbaa !32
  %819 = add nsw i64 %818, %817
  store i64 %819, ptr %703, align 8, !tbaa !32
  %820 = add nuw i32 %796, 1
  %821 = icmp eq i32 %820, %730
  br i1 %821, label %822, label %795, !llvm.loop !43

822:                                              ; preds = %816, %793
  %823 = load i32, ptr %720, align 4, !tbaa !3
  %824 = sext i32 %823 to i64
  %825 = getelementptr inbounds ptr, ptr %25, i64 %824
  %826 = load ptr, ptr %825, align 8, !tbaa !14
  %827 = tail call ptr @LLVMGetFirstInstruction(ptr noundef %826) #7
  %828 = icmp eq ptr %827, null
  br i1 %828, label %894, label %829

829:                                              ; preds = %822, %891
  %830 = phi ptr [ %892, %891 ], [ %827, %822 ]
  %831 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %830) #7
  %832 = and i32 %831, -2
  %833 = icmp eq i32 %832, 70
  %834 = select i1 %833, i32 2, i32 %831
  %835 = load i64, ptr %704, align 8, !tbaa !32
  %836 = add nsw i64 %835, 1
  store i64 %836, ptr %704, align 8, !tbaa !32
  %837 = insertelement <2 x i32> poison, i32 %834, i64 0
  %838 = shufflevector <2 x i32> %837, <2 x i32> poison, <2 x i32> zeroinitializer
  %839 = icmp eq <2 x i32> %838, <i32 27, i32 28>
  %840 = zext <2 x i1> %839 to <2 x i64>
  %841 = load <2 x i64>, ptr %705, align 8, !tbaa !32
  %842 = add nsw <2 x i64> %841, %840
  store <2 x i64> %842, ptr %705, align 8, !tbaa !32
  %843 = tail call ptr @LLVMIsACastInst(ptr noundef nonnull %830) #7
  %844 = icmp ne ptr %843, null
  %845 = zext i1 %844 to i64
  %846 = load i64, ptr %706, align 8, !tbaa !32
  %847 = add nsw i64 %846, %845
  store i64 %847, ptr %706, align 8, !tbaa !32
  %848 = tail call ptr @LLVMTypeOf(ptr noundef nonnull %830) #7
  %849 = tail call i32 @LLVMGetTypeKind(ptr noundef %848) #7
  %850 = icmp eq i32 %849, 8
  %851 = zext i1 %850 to i64
  %852 = load i64, ptr %707, align 8, !tbaa !32
  %853 = add nsw i64 %852, %851
  store i64 %853, ptr %707, align 8, !tbaa !32
  switch i32 %834, label %891 [
    i32 67, label %854
    i32 45, label %854
    i32 5, label %854
  ]

854:                                              ; preds = %829, %829, %829
  %855 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %830) #7
  %856 = tail call ptr @LLVMIsAFunction(ptr noundef %855) #7
  %857 = icmp eq ptr %856, null
  br i1 %857, label %869, label %858

858:                                              ; preds = %854
  %859 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %855) #7
  %860 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %830) #7
  %861 = icmp eq ptr %859, %860
  br i1 %861, label %862, label %869

862:                                              ; preds = %858
  %863 = tail call i32 @LLVMGetIntrinsicID(ptr noundef %855) #7
  %864 = icmp eq i32 %863, 0
  br i1 %864, label %865, label %869

865:                                              ; preds = %862
  %866 = tail call i32 @LLVMIsDeclaration(ptr noundef %855) #7
  %867 = icmp eq i32 %866, 0
  %868 = zext i1 %867 to i64
  br label %869

869:                                              ; preds = %865, %862, %858, %854
  %870 = phi i64 [ 0, %865 ], [ 1, %862 ], [ 0, %858 ], [ 0, %854 ]
  %871 = phi i64 [ %868, %865 ], [ 0, %862 ], [ 0, %858 ], [ 0, %854 ]
  %872 = load i64, ptr %708, align 8, !tbaa !32
  %873 = add nsw i64 %872, %871
  store i64 %873, ptr %708, align 8, !tbaa !32
  %874 = icmp eq i32 %834, 45
  br i1 %874, label %875, label %891

875:                                              ; preds = %869
  %876 = tail call ptr @LLVMIsAConstant(ptr noundef %855) #7
  %877 = icmp eq ptr %876, null
  br i1 %877, label %878, label %881

878:                                              ; preds = %875
  %879 = tail call ptr @LLVMIsAInlineAsm(ptr noundef %855) #7
  %880 = icmp eq ptr %879, null
  br label %881

881:                                              ; preds = %878, %875
  %882 = phi i1 [ false, %875 ], [ %880, %878 ]
  %883 = load i64, ptr %709, align 8, !tbaa !32
  %884 = add nsw i64 %883, %870
  store i64 %884, ptr %709, align 8, !tbaa !32
  %885 = insertelement <2 x i1> poison, i1 %882, i64 0
  %886 = shufflevector <2 x i1> %885, <2 x i1> poison, <2 x i32> zeroinitializer
  %887 = xor <2 x i1> %886, <i1 true, i1 false>
  %888 = zext <2 x i1> %887 to <2 x i64>
  %889 = load <2 x i64>, ptr %710, align 8, !tbaa !32
  %890 = add nsw <2 x i64> %889, %888
  store <2 x i64> %890, ptr %710, align 8, !tbaa !32
  br label %891

891:                                              ; preds = %881, %869, %829
  %892 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %830) #7
  %893 = icmp eq ptr %892, null
  br i1 %893, label %894, label %829, !llvm.loop !44

894:                                              ; preds = %891, %822
  %895 = add nuw nsw i64 %719, 1
  %896 = icmp eq i64 %895, %711
  br i1 %896, label %897, label %718, !llvm.loop !45

897:                                              ; preds = %894, %694
  tail call void @free(ptr noundef %203)
  tail call void @free(ptr noundef %204)
  tail call void @free(ptr noundef %25)
  tail call void @free(ptr noundef %30)
  br label %898

898:                                              ; preds = %897, %12
  %899 = add nsw i64 %9, 1
  br label %900

900:                                              ; preds = %7, %898
  %901 = phi i64 [ %9, %7 ], [ %899, %898 ]
  %902 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %8) #7
  %903 = icmp eq ptr %902, null
  br i1 %903, label %905, label %7, !llvm.loop !46

904:                                              ; preds = %56, %49
  tail call void @free(ptr noundef %50)
  tail call void @free(ptr noundef %52)
  tail call void @free(ptr noundef %25)
  tail call void @free(ptr noundef %30)
  br label %905

905:                                              ; preds = %900, %2, %904
  %906 = phi i64 [ -1, %904 ], [ 0, %2 ], [ %901, %900 ]
  ret i64 %906
}

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetLinkage(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstUse(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextUse(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMCountBasicBlocks(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #4

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #1

declare ptr @LLVMBasicBlockAsValue(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsATerminatorInst(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetUser(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsACastInst(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetIntrinsicID(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsAConstant(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsAInlineAsm(ptr noundef) local_unnamed_addr #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { nounwind }
attributes #8 = { allocsize(0) }
attributes #9 = { allocsize(0,1) }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.mustprogress"}
!9 = distinct !{!9, !8}
!10 = !{!11, !11, i64 0}
!11 = !{!"long", !5, i64 0}
!12 = distinct !{!12, !8}
!13 = distinct !{!13, !8}
!14 = !{!15, !15, i64 0}
!15 = !{!"p1 _ZTS5Block", !16, i64 0}
!16 = !{!"any pointer", !5, i64 0}
!17 = distinct !{!17, !8}
!18 = distinct !{!18, !8}
!19 = distinct !{!19, !8}
!20 = distinct !{!20, !8}
!21 = distinct !{!21, !8}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.unroll.disable"}
!24 = distinct !{!24, !8}
!25 = distinct !{!25, !8}
!26 = distinct !{!26, !8}
!27 = distinct !{!27, !8}
!28 = distinct !{!28, !8}
!29 = distinct !{!29, !8}
!30 = distinct !{!30, !8}
!31 = distinct !{!31, !8}
!32 = !{!33, !33, i64 0}
!33 = !{!"long long", !5, i64 0}
!34 = distinct !{!34, !8}
!35 = distinct !{!35, !8}
!36 = distinct !{!36, !8}
!37 = distinct !{!37, !8}
!38 = distinct !{!38, !8}
!39 = distinct !{!39, !8}
!40 = distinct !{!40, !23}
!41 = distinct !{!41, !8}
!42 = distinct !{!42, !8}
!43 = distinct !{!43, !8}
!44 = distinct !{!44, !8}
!45 = distinct !{!45, !8}
!46 = distinct !{!46, !8}
