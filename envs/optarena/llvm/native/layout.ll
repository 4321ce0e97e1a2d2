; ModuleID = 'layout.c'
source_filename = "layout.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Use = type { ptr, ptr, ptr, ptr }

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_layout(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca [32 x ptr], align 16
  %3 = alloca [32 x ptr], align 16
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = tail call ptr @LLVMGetFirstGlobal(ptr noundef %0) #3
  %10 = icmp eq ptr %9, null
  br i1 %10, label %108, label %11

11:                                               ; preds = %1, %105
  %12 = phi ptr [ %106, %105 ], [ %9, %1 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #3
  %13 = call ptr @LLVMGetValueName2(ptr noundef nonnull %12, ptr noundef nonnull %8) #3
  %14 = load i8, ptr %13, align 1, !tbaa !7
  %15 = call fastcc i32 @wrong_global(ptr noundef nonnull %12)
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %103

17:                                               ; preds = %11
  %18 = getelementptr inbounds nuw i8, ptr %12, i64 4
  %19 = load i32, ptr %18, align 4
  %20 = and i32 %19, 134217727
  %21 = call i32 @LLVMGetNumOperands(ptr noundef nonnull %12) #3
  %22 = icmp eq i32 %20, %21
  br i1 %22, label %23, label %103

23:                                               ; preds = %17
  %24 = load i32, ptr %18, align 4
  %25 = and i32 %24, 134217727
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %54, label %27

27:                                               ; preds = %23
  %28 = getelementptr inbounds i8, ptr %12, i64 -8
  br label %35

29:                                               ; preds = %47
  %30 = add nuw nsw i64 %36, 1
  %31 = load i32, ptr %18, align 4
  %32 = and i32 %31, 134217727
  %33 = zext nneg i32 %32 to i64
  %34 = icmp samesign ult i64 %30, %33
  br i1 %34, label %35, label %54, !llvm.loop !8

35:                                               ; preds = %29, %27
  %36 = phi i64 [ 0, %27 ], [ %30, %29 ]
  %37 = phi i32 [ %25, %27 ], [ %32, %29 ]
  %38 = phi i32 [ %24, %27 ], [ %31, %29 ]
  %39 = and i32 %38, 1073741824
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %43, label %41

41:                                               ; preds = %35
  %42 = load ptr, ptr %28, align 8, !tbaa !10
  br label %47

43:                                               ; preds = %35
  %44 = zext nneg i32 %37 to i64
  %45 = sub nsw i64 0, %44
  %46 = getelementptr inbounds %struct.Use, ptr %12, i64 %45
  br label %47

47:                                               ; preds = %43, %41
  %48 = phi ptr [ %42, %41 ], [ %46, %43 ]
  %49 = getelementptr inbounds nuw %struct.Use, ptr %48, i64 %36
  %50 = load ptr, ptr %49, align 8, !tbaa !12
  %51 = trunc nuw nsw i64 %36 to i32
  %52 = call ptr @LLVMGetOperand(ptr noundef nonnull %12, i32 noundef %51) #3
  %53 = icmp eq ptr %50, %52
  br i1 %53, label %29, label %103

54:                                               ; preds = %29, %23
  %55 = getelementptr inbounds nuw i8, ptr %12, i64 80
  %56 = load i8, ptr %55, align 8
  %57 = and i8 %56, 1
  %58 = zext nneg i8 %57 to i32
  %59 = call i32 @LLVMIsGlobalConstant(ptr noundef nonnull %12) #3
  %60 = icmp eq i32 %59, %58
  br i1 %60, label %61, label %103

61:                                               ; preds = %54
  %62 = load i8, ptr %55, align 8
  %63 = lshr i8 %62, 1
  %64 = and i8 %63, 1
  %65 = zext nneg i8 %64 to i32
  %66 = call i32 @LLVMIsExternallyInitialized(ptr noundef nonnull %12) #3
  %67 = icmp eq i32 %66, %65
  br i1 %67, label %68, label %103

68:                                               ; preds = %61
  %69 = getelementptr inbounds nuw i8, ptr %12, i64 72
  %70 = load i64, ptr %69, align 8, !tbaa !15
  %71 = icmp ne i64 %70, 0
  %72 = icmp ne i8 %14, 97
  %73 = xor i1 %72, %71
  br i1 %73, label %74, label %103

74:                                               ; preds = %68
  switch i8 %14, label %75 [
    i8 117, label %76
    i8 114, label %76
  ]

75:                                               ; preds = %74
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  br label %105

76:                                               ; preds = %74, %74
  %77 = call ptr @LLVMGetOperand(ptr noundef nonnull %12, i32 noundef 0) #3
  %78 = call i32 @LLVMGetValueKind(ptr noundef %77) #3
  %79 = icmp eq i32 %78, 10
  br i1 %79, label %80, label %103

80:                                               ; preds = %76
  %81 = call i32 @LLVMGetConstOpcode(ptr noundef %77) #3
  %82 = icmp eq i32 %81, 29
  br i1 %82, label %83, label %103

83:                                               ; preds = %80
  %84 = getelementptr inbounds nuw i8, ptr %77, i64 24
  %85 = load ptr, ptr %84, align 8, !tbaa !24
  %86 = call ptr @LLVMGetGEPSourceElementType(ptr noundef %77) #3
  %87 = icmp eq ptr %85, %86
  br i1 %87, label %88, label %103

88:                                               ; preds = %83
  %89 = getelementptr inbounds nuw i8, ptr %77, i64 72
  %90 = load i8, ptr %89, align 8, !tbaa !26
  %91 = icmp eq i8 %14, 114
  %92 = zext i1 %91 to i8
  %93 = icmp eq i8 %90, %92
  %94 = and i1 %91, %93
  br i1 %94, label %95, label %104

95:                                               ; preds = %88
  %96 = getelementptr inbounds nuw i8, ptr %77, i64 40
  %97 = load i64, ptr %96, align 8, !tbaa !27
  %98 = icmp eq i64 %97, 4
  br i1 %98, label %99, label %103

99:                                               ; preds = %95
  %100 = getelementptr inbounds nuw i8, ptr %77, i64 56
  %101 = load i64, ptr %100, align 8, !tbaa !27
  %102 = icmp eq i64 %101, 12
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  br i1 %102, label %105, label %548

103:                                              ; preds = %11, %54, %61, %68, %95, %76, %83, %80, %17, %47
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  br label %548

104:                                              ; preds = %88
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #3
  br i1 %93, label %105, label %548

105:                                              ; preds = %99, %75, %104
  %106 = call ptr @LLVMGetNextGlobal(ptr noundef nonnull %12) #3
  %107 = icmp eq ptr %106, null
  br i1 %107, label %108, label %11, !llvm.loop !28

108:                                              ; preds = %105, %1
  %109 = call ptr @LLVMGetFirstFunction(ptr noundef %0) #3
  %110 = icmp eq ptr %109, null
  br i1 %110, label %548, label %111

111:                                              ; preds = %108
  %112 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %113 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %114 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %115 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %116 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %117 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %118 = getelementptr inbounds nuw i8, ptr %2, i64 64
  %119 = getelementptr inbounds nuw i8, ptr %2, i64 80
  %120 = getelementptr inbounds nuw i8, ptr %3, i64 64
  %121 = getelementptr inbounds nuw i8, ptr %3, i64 80
  %122 = getelementptr inbounds nuw i8, ptr %2, i64 96
  %123 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %124 = getelementptr inbounds nuw i8, ptr %3, i64 96
  %125 = getelementptr inbounds nuw i8, ptr %3, i64 112
  %126 = getelementptr inbounds nuw i8, ptr %2, i64 128
  %127 = getelementptr inbounds nuw i8, ptr %2, i64 144
  %128 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %129 = getelementptr inbounds nuw i8, ptr %3, i64 144
  %130 = getelementptr inbounds nuw i8, ptr %2, i64 160
  %131 = getelementptr inbounds nuw i8, ptr %2, i64 176
  %132 = getelementptr inbounds nuw i8, ptr %3, i64 160
  %133 = getelementptr inbounds nuw i8, ptr %3, i64 176
  %134 = getelementptr inbounds nuw i8, ptr %2, i64 192
  %135 = getelementptr inbounds nuw i8, ptr %2, i64 208
  %136 = getelementptr inbounds nuw i8, ptr %3, i64 192
  %137 = getelementptr inbounds nuw i8, ptr %3, i64 208
  %138 = getelementptr inbounds nuw i8, ptr %2, i64 224
  %139 = getelementptr inbounds nuw i8, ptr %2, i64 240
  %140 = getelementptr inbounds nuw i8, ptr %3, i64 224
  %141 = getelementptr inbounds nuw i8, ptr %3, i64 240
  br label %142

142:                                              ; preds = %111, %545
  %143 = phi ptr [ %546, %545 ], [ %109, %111 ]
  %144 = call fastcc i32 @wrong_global(ptr noundef nonnull %143)
  %145 = icmp eq i32 %144, 0
  br i1 %145, label %146, label %548

146:                                              ; preds = %142
  %147 = call i32 @LLVMGetAttributeCountAtIndex(ptr noundef nonnull %143, i32 noundef -1) #3
  %148 = getelementptr inbounds nuw i8, ptr %143, i64 120
  %149 = load i64, ptr %148, align 8, !tbaa !29
  %150 = icmp ne i64 %149, 0
  %151 = icmp eq i32 %147, 0
  %152 = xor i1 %151, %150
  br i1 %152, label %153, label %548

153:                                              ; preds = %146
  %154 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %143) #3
  %155 = icmp eq ptr %154, null
  br i1 %155, label %545, label %156

156:                                              ; preds = %153
  %157 = call ptr @LLVMGetFirstParam(ptr noundef nonnull %143) #3
  %158 = icmp eq ptr %157, null
  br i1 %158, label %159, label %163

159:                                              ; preds = %163, %156
  %160 = phi i32 [ 0, %156 ], [ %170, %163 ]
  %161 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %143) #3
  %162 = icmp eq ptr %161, null
  br i1 %162, label %501, label %173

163:                                              ; preds = %156, %163
  %164 = phi ptr [ %171, %163 ], [ %157, %156 ]
  %165 = phi i32 [ %170, %163 ], [ 0, %156 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #3
  %166 = call ptr @LLVMGetValueName2(ptr noundef nonnull %164, ptr noundef nonnull %7) #3
  %167 = load i64, ptr %7, align 8, !tbaa !27
  %168 = icmp ne i64 %167, 0
  %169 = zext i1 %168 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #3
  %170 = add i32 %165, %169
  %171 = call ptr @LLVMGetNextParam(ptr noundef nonnull %164) #3
  %172 = icmp eq ptr %171, null
  br i1 %172, label %159, label %163, !llvm.loop !31

173:                                              ; preds = %159, %496
  %174 = phi ptr [ %499, %496 ], [ %161, %159 ]
  %175 = phi i32 [ %498, %496 ], [ %160, %159 ]
  %176 = phi ptr [ %497, %496 ], [ null, %159 ]
  %177 = call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %174) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %178 = call ptr @LLVMGetValueName2(ptr noundef %177, ptr noundef nonnull %6) #3
  %179 = load i64, ptr %6, align 8, !tbaa !27
  %180 = icmp ne i64 %179, 0
  %181 = zext i1 %180 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  %182 = add i32 %175, %181
  %183 = call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %174) #3
  %184 = icmp eq ptr %183, null
  br i1 %184, label %496, label %185

185:                                              ; preds = %173, %492
  %186 = phi ptr [ %494, %492 ], [ %183, %173 ]
  %187 = phi i32 [ %193, %492 ], [ %182, %173 ]
  %188 = phi ptr [ %493, %492 ], [ %176, %173 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #3
  %189 = call ptr @LLVMGetValueName2(ptr noundef nonnull %186, ptr noundef nonnull %5) #3
  %190 = load i64, ptr %5, align 8, !tbaa !27
  %191 = icmp ne i64 %190, 0
  %192 = zext i1 %191 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #3
  %193 = add i32 %187, %192
  %194 = getelementptr inbounds nuw i8, ptr %186, i64 8
  %195 = load ptr, ptr %194, align 8, !tbaa !32
  %196 = call ptr @LLVMTypeOf(ptr noundef nonnull %186) #3
  %197 = icmp eq ptr %195, %196
  br i1 %197, label %198, label %548

198:                                              ; preds = %185
  %199 = getelementptr inbounds nuw i8, ptr %186, i64 4
  %200 = load i32, ptr %199, align 4
  %201 = and i32 %200, 134217727
  %202 = call i32 @LLVMGetNumOperands(ptr noundef nonnull %186) #3
  %203 = icmp eq i32 %201, %202
  br i1 %203, label %204, label %548

204:                                              ; preds = %198
  %205 = load i32, ptr %199, align 4
  %206 = and i32 %205, 134217727
  %207 = icmp eq i32 %206, 0
  br i1 %207, label %235, label %208

208:                                              ; preds = %204
  %209 = getelementptr inbounds i8, ptr %186, i64 -8
  br label %216

210:                                              ; preds = %228
  %211 = add nuw nsw i64 %217, 1
  %212 = load i32, ptr %199, align 4
  %213 = and i32 %212, 134217727
  %214 = zext nneg i32 %213 to i64
  %215 = icmp samesign ult i64 %211, %214
  br i1 %215, label %216, label %235, !llvm.loop !8

216:                                              ; preds = %210, %208
  %217 = phi i64 [ 0, %208 ], [ %211, %210 ]
  %218 = phi i32 [ %206, %208 ], [ %213, %210 ]
  %219 = phi i32 [ %205, %208 ], [ %212, %210 ]
  %220 = and i32 %219, 1073741824
  %221 = icmp eq i32 %220, 0
  br i1 %221, label %224, label %222

222:                                              ; preds = %216
  %223 = load ptr, ptr %209, align 8, !tbaa !10
  br label %228

224:                                              ; preds = %216
  %225 = zext nneg i32 %218 to i64
  %226 = sub nsw i64 0, %225
  %227 = getelementptr inbounds %struct.Use, ptr %186, i64 %226
  br label %228

228:                                              ; preds = %224, %222
  %229 = phi ptr [ %223, %222 ], [ %227, %224 ]
  %230 = getelementptr inbounds nuw %struct.Use, ptr %229, i64 %217
  %231 = load ptr, ptr %230, align 8, !tbaa !12
  %232 = trunc nuw nsw i64 %217 to i32
  %233 = call ptr @LLVMGetOperand(ptr noundef nonnull %186, i32 noundef %232) #3
  %234 = icmp eq ptr %231, %233
  br i1 %234, label %210, label %548

235:                                              ; preds = %210, %204
  %236 = phi i32 [ %205, %204 ], [ %212, %210 ]
  %237 = lshr i32 %236, 29
  %238 = and i32 %237, 1
  %239 = call i32 @LLVMHasMetadata(ptr noundef nonnull %186) #3
  %240 = icmp ne i32 %238, %239
  %241 = getelementptr inbounds nuw i8, ptr %186, i64 48
  %242 = load ptr, ptr %241, align 8, !tbaa !33
  %243 = icmp eq ptr %242, null
  %244 = select i1 %240, i1 %243, i1 false
  br i1 %244, label %548, label %245

245:                                              ; preds = %235
  %246 = call ptr @LLVMInstructionGetDebugLoc(ptr noundef nonnull %186) #3
  %247 = icmp eq ptr %242, %246
  br i1 %247, label %248, label %548

248:                                              ; preds = %245
  %249 = call ptr @LLVMGetFirstDbgRecord(ptr noundef nonnull %186) #3
  %250 = icmp eq ptr %249, null
  br i1 %250, label %255, label %251

251:                                              ; preds = %248
  %252 = getelementptr inbounds nuw i8, ptr %186, i64 64
  %253 = load ptr, ptr %252, align 8, !tbaa !36
  %254 = icmp eq ptr %253, null
  br i1 %254, label %548, label %255

255:                                              ; preds = %251, %248
  %256 = call ptr @LLVMGetMetadata(ptr noundef nonnull %186, i32 noundef 1) #3
  %257 = call ptr @LLVMGetMetadata(ptr noundef nonnull %186, i32 noundef 18) #3
  %258 = icmp eq ptr %256, null
  br i1 %258, label %262, label %259

259:                                              ; preds = %255
  %260 = call fastcc i32 @wrong_metadata(ptr noundef nonnull %256)
  %261 = icmp eq i32 %260, 0
  br i1 %261, label %262, label %548

262:                                              ; preds = %259, %255
  %263 = icmp eq ptr %257, null
  br i1 %263, label %267, label %264

264:                                              ; preds = %262
  %265 = call fastcc i32 @wrong_metadata(ptr noundef nonnull %257)
  %266 = icmp eq i32 %265, 0
  br i1 %266, label %267, label %548

267:                                              ; preds = %264, %262
  %268 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %186) #3
  switch i32 %268, label %492 [
    i32 8, label %276
    i32 26, label %284
    i32 29, label %290
    i32 27, label %296
    i32 28, label %296
    i32 55, label %313
    i32 56, label %313
    i32 57, label %313
    i32 44, label %269
    i32 45, label %349
  ]

269:                                              ; preds = %267
  %270 = load i32, ptr %199, align 4
  %271 = and i32 %270, 134217727
  %272 = icmp eq i32 %271, 0
  br i1 %272, label %492, label %273

273:                                              ; preds = %269
  %274 = getelementptr inbounds i8, ptr %186, i64 -8
  %275 = getelementptr inbounds nuw i8, ptr %186, i64 72
  br label %326

276:                                              ; preds = %267
  %277 = getelementptr inbounds nuw i8, ptr %186, i64 1
  %278 = load i8, ptr %277, align 1
  %279 = lshr i8 %278, 1
  %280 = and i8 %279, 1
  %281 = zext nneg i8 %280 to i32
  %282 = call i32 @LLVMGetNUW(ptr noundef nonnull %186) #3
  %283 = icmp eq i32 %282, %281
  br i1 %283, label %485, label %548

284:                                              ; preds = %267
  %285 = getelementptr inbounds nuw i8, ptr %186, i64 72
  %286 = load i64, ptr %285, align 8, !tbaa !37
  %287 = inttoptr i64 %286 to ptr
  %288 = call ptr @LLVMGetAllocatedType(ptr noundef nonnull %186) #3
  %289 = icmp eq ptr %288, %287
  br i1 %289, label %492, label %548

290:                                              ; preds = %267
  %291 = getelementptr inbounds nuw i8, ptr %186, i64 72
  %292 = load i64, ptr %291, align 8, !tbaa !37
  %293 = inttoptr i64 %292 to ptr
  %294 = call ptr @LLVMGetGEPSourceElementType(ptr noundef nonnull %186) #3
  %295 = icmp eq ptr %294, %293
  br i1 %295, label %492, label %548

296:                                              ; preds = %267, %267
  %297 = getelementptr inbounds nuw i8, ptr %186, i64 2
  %298 = load i16, ptr %297, align 2, !tbaa !38
  %299 = and i16 %298, 1
  %300 = zext nneg i16 %299 to i32
  %301 = call i32 @LLVMGetVolatile(ptr noundef nonnull %186) #3
  %302 = icmp eq i32 %301, %300
  br i1 %302, label %303, label %548

303:                                              ; preds = %296
  %304 = call i32 @LLVMIsAtomic(ptr noundef nonnull %186) #3
  %305 = icmp eq i32 %304, 0
  br i1 %305, label %492, label %306

306:                                              ; preds = %303
  %307 = getelementptr inbounds nuw i8, ptr %186, i64 72
  %308 = load i64, ptr %307, align 8, !tbaa !37
  %309 = and i64 %308, 255
  %310 = call i32 @LLVMGetAtomicSyncScopeID(ptr noundef nonnull %186) #3
  %311 = zext i32 %310 to i64
  %312 = icmp eq i64 %309, %311
  br i1 %312, label %492, label %548

313:                                              ; preds = %267, %267, %267
  %314 = getelementptr inbounds nuw i8, ptr %186, i64 72
  %315 = load i64, ptr %314, align 8, !tbaa !37
  %316 = and i64 %315, 255
  %317 = call i32 @LLVMGetAtomicSyncScopeID(ptr noundef nonnull %186) #3
  %318 = zext i32 %317 to i64
  %319 = icmp eq i64 %316, %318
  br i1 %319, label %492, label %548

320:                                              ; preds = %338
  %321 = add nuw nsw i64 %327, 1
  %322 = load i32, ptr %199, align 4
  %323 = and i32 %322, 134217727
  %324 = zext nneg i32 %323 to i64
  %325 = icmp samesign ult i64 %321, %324
  br i1 %325, label %326, label %492, !llvm.loop !39

326:                                              ; preds = %320, %273
  %327 = phi i64 [ 0, %273 ], [ %321, %320 ]
  %328 = phi i32 [ %271, %273 ], [ %323, %320 ]
  %329 = phi i32 [ %270, %273 ], [ %322, %320 ]
  %330 = and i32 %329, 1073741824
  %331 = icmp eq i32 %330, 0
  br i1 %331, label %334, label %332

332:                                              ; preds = %326
  %333 = load ptr, ptr %274, align 8, !tbaa !10
  br label %338

334:                                              ; preds = %326
  %335 = zext nneg i32 %328 to i64
  %336 = sub nsw i64 0, %335
  %337 = getelementptr inbounds %struct.Use, ptr %186, i64 %336
  br label %338

338:                                              ; preds = %334, %332
  %339 = phi ptr [ %333, %332 ], [ %337, %334 ]
  %340 = load i64, ptr %275, align 8, !tbaa !37
  %341 = and i64 %340, 4294967295
  %342 = getelementptr inbounds nuw %struct.Use, ptr %339, i64 %341
  %343 = getelementptr inbounds nuw ptr, ptr %342, i64 %327
  %344 = load ptr, ptr %343, align 8, !tbaa !40
  %345 = trunc nuw nsw i64 %327 to i32
  %346 = call ptr @LLVMGetIncomingBlock(ptr noundef nonnull %186, i32 noundef %345) #3
  %347 = call ptr @LLVMBasicBlockAsValue(ptr noundef %346) #3
  %348 = icmp eq ptr %344, %347
  br i1 %348, label %320, label %548

349:                                              ; preds = %267
  %350 = icmp eq ptr %188, null
  br i1 %350, label %473, label %351

351:                                              ; preds = %349
  %352 = call i32 @LLVMGetCallSiteAttributeCount(ptr noundef nonnull %186, i32 noundef -1) #3
  %353 = call i32 @LLVMGetCallSiteAttributeCount(ptr noundef nonnull %188, i32 noundef -1) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  %354 = icmp ugt i32 %352, 32
  br i1 %354, label %355, label %356

355:                                              ; preds = %351
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
  br label %548

356:                                              ; preds = %351
  %357 = icmp eq i32 %352, %353
  br i1 %357, label %358, label %464

358:                                              ; preds = %356
  call void @LLVMGetCallSiteAttributes(ptr noundef nonnull %186, i32 noundef -1, ptr noundef nonnull %2) #3
  call void @LLVMGetCallSiteAttributes(ptr noundef nonnull %188, i32 noundef -1, ptr noundef nonnull %3) #3
  %359 = icmp eq i32 %352, 0
  br i1 %359, label %464, label %360

360:                                              ; preds = %358
  %361 = zext nneg i32 %352 to i64
  %362 = icmp ult i32 %352, 4
  br i1 %362, label %450, label %363

363:                                              ; preds = %360
  %364 = and i64 %361, 60
  %365 = load <2 x ptr>, ptr %2, align 16, !tbaa !41
  %366 = load <2 x ptr>, ptr %112, align 16, !tbaa !41
  %367 = load <2 x ptr>, ptr %3, align 16, !tbaa !41
  %368 = load <2 x ptr>, ptr %113, align 16, !tbaa !41
  %369 = icmp ne <2 x ptr> %365, %367
  %370 = icmp ne <2 x ptr> %366, %368
  %371 = icmp eq i64 %364, 4
  br i1 %371, label %441, label %372, !llvm.loop !43

372:                                              ; preds = %363
  %373 = load <2 x ptr>, ptr %114, align 16, !tbaa !41
  %374 = load <2 x ptr>, ptr %115, align 16, !tbaa !41
  %375 = load <2 x ptr>, ptr %116, align 16, !tbaa !41
  %376 = load <2 x ptr>, ptr %117, align 16, !tbaa !41
  %377 = icmp ne <2 x ptr> %373, %375
  %378 = icmp ne <2 x ptr> %374, %376
  %379 = or <2 x i1> %369, %377
  %380 = or <2 x i1> %370, %378
  %381 = icmp eq i64 %364, 8
  br i1 %381, label %441, label %382, !llvm.loop !43

382:                                              ; preds = %372
  %383 = load <2 x ptr>, ptr %118, align 16, !tbaa !41
  %384 = load <2 x ptr>, ptr %119, align 16, !tbaa !41
  %385 = load <2 x ptr>, ptr %120, align 16, !tbaa !41
  %386 = load <2 x ptr>, ptr %121, align 16, !tbaa !41
  %387 = icmp ne <2 x ptr> %383, %385
  %388 = icmp ne <2 x ptr> %384, %386
  %389 = or <2 x i1> %379, %387
  %390 = or <2 x i1> %380, %388
  %391 = icmp eq i64 %364, 12
  br i1 %391, label %441, label %392, !llvm.loop !43

392:                                              ; preds = %382
  %393 = load <2 x ptr>, ptr %122, align 16, !tbaa !41
  %394 = load <2 x ptr>, ptr %123, align 16, !tbaa !41
  %395 = load <2 x ptr>, ptr %124, align 16, !tbaa !41
  %396 = load <2 x ptr>, ptr %125, align 16, !tbaa !41
  %397 = icmp ne <2 x ptr> %393, %395
  %398 = icmp ne <2 x ptr> %394, %396
  %399 = or <2 x i1> %389, %397
  %400 = or <2 x i1> %390, %398
  %401 = icmp eq i64 %364, 16
  br i1 %401, label %441, label %402, !llvm.loop !43

402:                                              ; preds = %392
  %403 = load <2 x ptr>, ptr %126, align 16, !tbaa !41
  %404 = load <2 x ptr>, ptr %127, align 16, !tbaa !41
  %405 = load <2 x ptr>, ptr %128, align 16, !tbaa !41
  %406 = load <2 x ptr>, ptr %129, align 16, !tbaa !41
  %407 = icmp ne <2 x ptr> %403, %405
  %408 = icmp ne <2 x ptr> %404, %406
  %409 = or <2 x i1> %399, %407
  %410 = or <2 x i1> %400, %408
  %411 = icmp eq i64 %364, 20
  br i1 %411, label %441, label %412, !llvm.loop !43

412:                                              ; preds = %402
  %413 = load <2 x ptr>, ptr %130, align 16, !tbaa !41
  %414 = load <2 x ptr>, ptr %131, align 16, !tbaa !41
  %415 = load <2 x ptr>, ptr %132, align 16, !tbaa !41
  %416 = load <2 x ptr>, ptr %133, align 16, !tbaa !41
  %417 = icmp ne <2 x ptr> %413, %415
  %418 = icmp ne <2 x ptr> %414, %416
  %419 = or <2 x i1> %409, %417
  %420 = or <2 x i1> %410, %418
  %421 = icmp eq i64 %364, 24
  br i1 %421, label %441, label %422, !llvm.loop !43

422:                                              ; preds = %412
  %423 = load <2 x ptr>, ptr %134, align 16, !tbaa !41
  %424 = load <2 x ptr>, ptr %135, align 16, !tbaa !41
  %425 = load <2 x ptr>, ptr %136, align 16, !tbaa !41
  %426 = load <2 x ptr>, ptr %137, align 16, !tbaa !41
  %427 = icmp ne <2 x ptr> %423, %425
  %428 = icmp ne <2 x ptr> %424, %426
  %429 = or <2 x i1> %419, %427
  %430 = or <2 x i1> %420, %428
  %431 = icmp eq i64 %364, 28
  br i1 %431, label %441, label %432, !llvm.loop !43

432:                                              ; preds = %422
  %433 = load <2 x ptr>, ptr %138, align 16, !tbaa !41
  %434 = load <2 x ptr>, ptr %139, align 16, !tbaa !41
  %435 = load <2 x ptr>, ptr %140, align 16, !tbaa !41
  %436 = load <2 x ptr>, ptr %141, align 16, !tbaa !41
  %437 = icmp ne <2 x ptr> %433, %435
  %438 = icmp ne <2 x ptr> %434, %436
  %439 = or <2 x i1> %429, %437
  %440 = or <2 x i1> %430, %438
  br label %441

441:                                              ; preds = %432, %422, %412, %402, %392, %382, %372, %363
  %442 = phi <2 x i1> [ %369, %363 ], [ %379, %372 ], [ %389, %382 ], [ %399, %392 ], [ %409, %402 ], [ %419, %412 ], [ %429, %422 ], [ %439, %432 ]
  %443 = phi <2 x i1> [ %370, %363 ], [ %380, %372 ], [ %390, %382 ], [ %400, %392 ], [ %410, %402 ], [ %420, %412 ], [ %430, %422 ], [ %440, %432 ]
  %444 = or <2 x i1> %443, %442
  %445 = freeze <2 x i1> %444
  %446 = bitcast <2 x i1> %445 to i2
  %447 = icmp eq i2 %446, 0
  %448 = zext i1 %447 to i32
  %449 = icmp eq i64 %364, %361
  br i1 %449, label %464, label %450

450:                                              ; preds = %360, %441
  %451 = phi i64 [ 0, %360 ], [ %364, %441 ]
  %452 = phi i32 [ 1, %360 ], [ %448, %441 ]
  br label %453

453:                                              ; preds = %450, %453
  %454 = phi i64 [ %462, %453 ], [ %451, %450 ]
  %455 = phi i32 [ %461, %453 ], [ %452, %450 ]
  %456 = getelementptr inbounds nuw ptr, ptr %2, i64 %454
  %457 = load ptr, ptr %456, align 8, !tbaa !41
  %458 = getelementptr inbounds nuw ptr, ptr %3, i64 %454
  %459 = load ptr, ptr %458, align 8, !tbaa !41
  %460 = icmp eq ptr %457, %459
  %461 = select i1 %460, i32 %455, i32 0
  %462 = add nuw nsw i64 %454, 1
  %463 = icmp eq i64 %462, %361
  br i1 %463, label %464, label %453, !llvm.loop !46

464:                                              ; preds = %453, %441, %358, %356
  %465 = phi i32 [ 0, %356 ], [ 1, %358 ], [ %448, %441 ], [ %461, %453 ]
  %466 = getelementptr inbounds nuw i8, ptr %186, i64 72
  %467 = load i64, ptr %466, align 8, !tbaa !37
  %468 = getelementptr inbounds nuw i8, ptr %188, i64 72
  %469 = load i64, ptr %468, align 8, !tbaa !37
  %470 = icmp eq i64 %467, %469
  %471 = zext i1 %470 to i32
  %472 = icmp eq i32 %465, %471
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
  br i1 %472, label %473, label %548

473:                                              ; preds = %464, %349
  %474 = getelementptr inbounds nuw i8, ptr %186, i64 80
  %475 = load i64, ptr %474, align 8, !tbaa !47
  %476 = inttoptr i64 %475 to ptr
  %477 = call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %186) #3
  %478 = icmp eq ptr %477, %476
  br i1 %478, label %479, label %548

479:                                              ; preds = %473
  %480 = load i32, ptr %199, align 4
  %481 = call i32 @LLVMGetNumOperandBundles(ptr noundef nonnull %186) #3
  %482 = icmp ne i32 %481, 0
  %483 = icmp slt i32 %480, 0
  %484 = xor i1 %483, %482
  br i1 %484, label %548, label %492

485:                                              ; preds = %276
  %486 = load i8, ptr %277, align 1
  %487 = lshr i8 %486, 2
  %488 = and i8 %487, 1
  %489 = zext nneg i8 %488 to i32
  %490 = call i32 @LLVMGetNSW(ptr noundef nonnull %186) #3
  %491 = icmp eq i32 %490, %489
  br i1 %491, label %492, label %548

492:                                              ; preds = %320, %485, %479, %313, %306, %303, %290, %284, %269, %267
  %493 = phi ptr [ %188, %485 ], [ %188, %269 ], [ %188, %303 ], [ %188, %267 ], [ %186, %479 ], [ %188, %306 ], [ %188, %313 ], [ %188, %290 ], [ %188, %284 ], [ %188, %320 ]
  %494 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %186) #3
  %495 = icmp eq ptr %494, null
  br i1 %495, label %496, label %185, !llvm.loop !48

496:                                              ; preds = %492, %173
  %497 = phi ptr [ %176, %173 ], [ %493, %492 ]
  %498 = phi i32 [ %182, %173 ], [ %193, %492 ]
  %499 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %174) #3
  %500 = icmp eq ptr %499, null
  br i1 %500, label %501, label %173, !llvm.loop !49

501:                                              ; preds = %496, %159
  %502 = phi i32 [ %160, %159 ], [ %498, %496 ]
  %503 = getelementptr inbounds nuw i8, ptr %143, i64 112
  %504 = load ptr, ptr %503, align 8, !tbaa !50
  %505 = icmp eq ptr %504, null
  br i1 %505, label %548, label %506

506:                                              ; preds = %501
  %507 = getelementptr inbounds nuw i8, ptr %504, i64 12
  %508 = load i32, ptr %507, align 4, !tbaa !51
  %509 = icmp eq i32 %508, %502
  br i1 %509, label %510, label %548

510:                                              ; preds = %506
  %511 = getelementptr inbounds nuw i8, ptr %504, i64 8
  %512 = load i32, ptr %511, align 8, !tbaa !54
  %513 = icmp eq i32 %512, 0
  br i1 %513, label %542, label %514

514:                                              ; preds = %510, %536
  %515 = phi i32 [ %537, %536 ], [ %512, %510 ]
  %516 = phi i64 [ %539, %536 ], [ 0, %510 ]
  %517 = phi i32 [ %538, %536 ], [ 0, %510 ]
  %518 = load ptr, ptr %504, align 8, !tbaa !55
  %519 = getelementptr inbounds nuw ptr, ptr %518, i64 %516
  %520 = load ptr, ptr %519, align 8, !tbaa !10
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #3
  %521 = ptrtoint ptr %520 to i64
  switch i64 %521, label %522 [
    i64 -8, label %536
    i64 0, label %536
  ]

522:                                              ; preds = %514
  %523 = getelementptr inbounds nuw i8, ptr %520, i64 8
  %524 = load ptr, ptr %523, align 8, !tbaa !40
  %525 = call ptr @LLVMGetValueName2(ptr noundef %524, ptr noundef nonnull %4) #3
  %526 = getelementptr inbounds nuw i8, ptr %520, i64 16
  %527 = icmp eq ptr %525, %526
  br i1 %527, label %528, label %535

528:                                              ; preds = %522
  %529 = load i64, ptr %4, align 8, !tbaa !27
  %530 = load i64, ptr %520, align 8, !tbaa !27
  %531 = icmp eq i64 %529, %530
  br i1 %531, label %532, label %535

532:                                              ; preds = %528
  %533 = add i32 %517, 1
  %534 = load i32, ptr %511, align 8, !tbaa !54
  br label %536

535:                                              ; preds = %528, %522
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #3
  br label %548

536:                                              ; preds = %532, %514, %514
  %537 = phi i32 [ %515, %514 ], [ %534, %532 ], [ %515, %514 ]
  %538 = phi i32 [ %517, %514 ], [ %533, %532 ], [ %517, %514 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #3
  %539 = add nuw nsw i64 %516, 1
  %540 = zext i32 %537 to i64
  %541 = icmp samesign ult i64 %539, %540
  br i1 %541, label %514, label %542, !llvm.loop !56

542:                                              ; preds = %536, %510
  %543 = phi i32 [ 0, %510 ], [ %538, %536 ]
  %544 = icmp eq i32 %543, %502
  br i1 %544, label %545, label %548

545:                                              ; preds = %153, %542
  %546 = call ptr @LLVMGetNextFunction(ptr noundef nonnull %143) #3
  %547 = icmp eq ptr %546, null
  br i1 %547, label %548, label %142, !llvm.loop !57

548:                                              ; preds = %104, %99, %545, %542, %142, %146, %501, %506, %485, %185, %235, %251, %245, %259, %264, %198, %464, %296, %276, %473, %306, %313, %290, %284, %479, %228, %338, %108, %355, %535, %103
  %549 = phi i32 [ 1, %535 ], [ 1, %103 ], [ 1, %485 ], [ 1, %338 ], [ 1, %355 ], [ 0, %545 ], [ 1, %228 ], [ 0, %108 ], [ 1, %479 ], [ 1, %284 ], [ 1, %290 ], [ 1, %313 ], [ 1, %306 ], [ 1, %473 ], [ 1, %276 ], [ 1, %296 ], [ 1, %464 ], [ 1, %198 ], [ 1, %264 ], [ 1, %259 ], [ 1, %245 ], [ 1, %251 ], [ 1, %235 ], [ 1, %185 ], [ 1, %501 ], [ 1, %146 ], [ 1, %142 ], [ 1, %542 ], [ 1, %506 ], [ 1, %99 ], [ 1, %104 ]
  ret i32 %549
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @LLVMGetFirstGlobal(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextGlobal(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetValueName2(ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc range(i32 0, 2) i32 @wrong_global(ptr noundef nonnull %0) unnamed_addr #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %3 = load ptr, ptr %2, align 8, !tbaa !58
  %4 = tail call ptr @LLVMGlobalGetValueType(ptr noundef nonnull %0) #3
  %5 = icmp eq ptr %3, %4
  br i1 %5, label %6, label %30

6:                                                ; preds = %1
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8, !tbaa !59
  %9 = tail call ptr @LLVMGetGlobalParent(ptr noundef nonnull %0) #3
  %10 = icmp eq ptr %8, %9
  br i1 %10, label %11, label %30

11:                                               ; preds = %6
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %13 = load i32, ptr %12, align 8
  %14 = lshr i32 %13, 4
  %15 = and i32 %14, 3
  %16 = tail call i32 @LLVMGetVisibility(ptr noundef nonnull %0) #3
  %17 = icmp eq i32 %15, %16
  br i1 %17, label %18, label %30

18:                                               ; preds = %11
  %19 = load i32, ptr %12, align 8
  %20 = lshr i32 %19, 10
  %21 = and i32 %20, 7
  %22 = tail call i32 @LLVMGetThreadLocalMode(ptr noundef nonnull %0) #3
  %23 = icmp eq i32 %21, %22
  br i1 %23, label %24, label %30

24:                                               ; preds = %18
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %26 = load ptr, ptr %25, align 8, !tbaa !60
  %27 = tail call ptr @LLVMGetComdat(ptr noundef nonnull %0) #3
  %28 = icmp ne ptr %26, %27
  %29 = zext i1 %28 to i32
  br label %30

30:                                               ; preds = %24, %18, %11, %6, %1
  %31 = phi i32 [ 1, %18 ], [ 1, %11 ], [ 1, %6 ], [ 1, %1 ], [ %29, %24 ]
  ret i32 %31
}

declare i32 @LLVMIsGlobalConstant(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMIsExternallyInitialized(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @LLVMGetValueKind(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetConstOpcode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetGEPSourceElementType(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetGlobalParent(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetVisibility(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetThreadLocalMode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetComdat(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNumOperands(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetAttributeCountAtIndex(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstParam(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextParam(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMBasicBlockAsValue(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMHasMetadata(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMInstructionGetDebugLoc(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstDbgRecord(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetMetadata(ptr noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc range(i32 0, 2) i32 @wrong_metadata(ptr noundef %0) unnamed_addr #0 {
  %2 = alloca [32 x ptr], align 16
  %3 = tail call ptr @LLVMValueAsMetadata(ptr noundef %0) #3
  %4 = tail call i32 @LLVMGetMetadataKind(ptr noundef %3) #3
  %5 = icmp eq i32 %4, 4
  br i1 %5, label %6, label %62

6:                                                ; preds = %1
  %7 = getelementptr inbounds i8, ptr %3, i64 -16
  %8 = load i64, ptr %7, align 8
  %9 = and i64 %8, 2
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %17, label %11

11:                                               ; preds = %6
  %12 = getelementptr inbounds i8, ptr %3, i64 -32
  %13 = getelementptr inbounds i8, ptr %3, i64 -24
  %14 = load i32, ptr %13, align 8, !tbaa !61
  %15 = zext i32 %14 to i64
  %16 = load ptr, ptr %12, align 8, !tbaa !64
  br label %24

17:                                               ; preds = %6
  %18 = lshr i64 %8, 6
  %19 = and i64 %18, 15
  %20 = lshr i64 %8, 2
  %21 = and i64 %20, 15
  %22 = sub nsw i64 0, %21
  %23 = getelementptr inbounds ptr, ptr %7, i64 %22
  br label %24

24:                                               ; preds = %11, %17
  %25 = phi i64 [ %15, %11 ], [ %19, %17 ]
  %26 = phi ptr [ %16, %11 ], [ %23, %17 ]
  %27 = tail call i32 @LLVMGetMDNodeNumOperands(ptr noundef %0) #3
  %28 = zext i32 %27 to i64
  %29 = icmp ne i64 %25, %28
  %30 = icmp samesign ugt i64 %25, 32
  %31 = select i1 %29, i1 true, i1 %30
  br i1 %31, label %62, label %32

32:                                               ; preds = %24
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #3
  call void @LLVMGetMDNodeOperands(ptr noundef %0, ptr noundef nonnull %2) #3
  %33 = icmp eq i64 %25, 0
  br i1 %33, label %60, label %34

34:                                               ; preds = %32, %57
  %35 = phi i64 [ %58, %57 ], [ 0, %32 ]
  %36 = getelementptr inbounds nuw ptr, ptr %26, i64 %35
  %37 = load ptr, ptr %36, align 8, !tbaa !65
  %38 = call i32 @LLVMGetMetadataKind(ptr noundef %37) #3
  %39 = icmp eq i32 %38, 1
  br i1 %39, label %40, label %47

40:                                               ; preds = %34
  %41 = load ptr, ptr %36, align 8, !tbaa !65
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 128
  %43 = load ptr, ptr %42, align 8, !tbaa !66
  %44 = getelementptr inbounds nuw ptr, ptr %2, i64 %35
  %45 = load ptr, ptr %44, align 8, !tbaa !40
  %46 = icmp eq ptr %43, %45
  br i1 %46, label %57, label %60

47:                                               ; preds = %34
  %48 = getelementptr inbounds nuw ptr, ptr %2, i64 %35
  %49 = load ptr, ptr %48, align 8, !tbaa !40
  %50 = call ptr @LLVMValueAsMetadata(ptr noundef %49) #3
  %51 = load ptr, ptr %36, align 8, !tbaa !65
  %52 = icmp eq ptr %50, %51
  br i1 %52, label %53, label %60

53:                                               ; preds = %47
  %54 = load ptr, ptr %48, align 8, !tbaa !40
  %55 = call fastcc i32 @wrong_metadata(ptr noundef %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %57, label %60

57:                                               ; preds = %40, %53
  %58 = add nuw nsw i64 %35, 1
  %59 = icmp eq i64 %58, %25
  br i1 %59, label %60, label %34, !llvm.loop !69

60:                                               ; preds = %57, %40, %53, %47, %32
  %61 = phi i32 [ 0, %32 ], [ 1, %47 ], [ 1, %53 ], [ 1, %40 ], [ 0, %57 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
  br label %62

62:                                               ; preds = %60, %24, %1
  %63 = phi i32 [ 0, %1 ], [ %61, %60 ], [ 1, %24 ]
  ret i32 %63
}

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMValueAsMetadata(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetMetadataKind(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetMDNodeNumOperands(ptr noundef) local_unnamed_addr #2

declare void @LLVMGetMDNodeOperands(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNUW(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNSW(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetAllocatedType(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetVolatile(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMIsAtomic(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetAtomicSyncScopeID(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetIncomingBlock(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNumOperandBundles(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetCallSiteAttributeCount(ptr noundef, i32 noundef) local_unnamed_addr #2

declare void @LLVMGetCallSiteAttributes(ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!5, !5, i64 0}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!11, !11, i64 0}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!13, !14, i64 0}
!13 = !{!"", !14, i64 0, !11, i64 8, !11, i64 16, !14, i64 24}
!14 = !{!"p1 _ZTS5Value", !11, i64 0}
!15 = !{!16, !23, i64 72}
!16 = !{!"", !17, i64 0, !23, i64 72, !5, i64 80, !5, i64 80}
!17 = !{!"", !18, i64 0, !20, i64 24, !21, i64 32, !4, i64 36, !22, i64 40, !11, i64 48, !5, i64 56}
!18 = !{!"Value", !5, i64 0, !5, i64 1, !5, i64 1, !19, i64 2, !4, i64 4, !4, i64 7, !4, i64 7, !4, i64 7, !4, i64 7, !4, i64 7, !20, i64 8, !11, i64 16}
!19 = !{!"short", !5, i64 0}
!20 = !{!"p1 _ZTS4Type", !11, i64 0}
!21 = !{!"", !4, i64 0, !4, i64 0, !4, i64 0, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 2, !4, i64 2}
!22 = !{!"p1 _ZTS6Module", !11, i64 0}
!23 = !{!"long", !5, i64 0}
!24 = !{!25, !20, i64 24}
!25 = !{!"", !18, i64 0, !20, i64 24, !20, i64 32, !5, i64 40, !5, i64 72}
!26 = !{!25, !5, i64 72}
!27 = !{!23, !23, i64 0}
!28 = distinct !{!28, !9}
!29 = !{!30, !23, i64 120}
!30 = !{!"", !17, i64 0, !5, i64 72, !23, i64 96, !23, i64 104, !11, i64 112, !23, i64 120}
!31 = distinct !{!31, !9}
!32 = !{!18, !20, i64 8}
!33 = !{!34, !35, i64 48}
!34 = !{!"", !18, i64 0, !11, i64 24, !11, i64 32, !11, i64 40, !35, i64 48, !23, i64 56, !11, i64 64, !23, i64 72, !23, i64 80}
!35 = !{!"p1 _ZTS8Metadata", !11, i64 0}
!36 = !{!34, !11, i64 64}
!37 = !{!34, !23, i64 72}
!38 = !{!18, !19, i64 2}
!39 = distinct !{!39, !9}
!40 = !{!14, !14, i64 0}
!41 = !{!42, !42, i64 0}
!42 = !{!"p1 _ZTS9Attribute", !11, i64 0}
!43 = distinct !{!43, !9, !44, !45}
!44 = !{!"llvm.loop.isvectorized", i32 1}
!45 = !{!"llvm.loop.unroll.runtime.disable"}
!46 = distinct !{!46, !9, !45, !44}
!47 = !{!34, !23, i64 80}
!48 = distinct !{!48, !9}
!49 = distinct !{!49, !9}
!50 = !{!30, !11, i64 112}
!51 = !{!52, !4, i64 12}
!52 = !{!"", !53, i64 0, !4, i64 8, !4, i64 12}
!53 = !{!"any p2 pointer", !11, i64 0}
!54 = !{!52, !4, i64 8}
!55 = !{!52, !53, i64 0}
!56 = distinct !{!56, !9}
!57 = distinct !{!57, !9}
!58 = !{!17, !20, i64 24}
!59 = !{!17, !22, i64 40}
!60 = !{!17, !11, i64 48}
!61 = !{!62, !4, i64 8}
!62 = !{!"", !63, i64 0, !4, i64 8, !4, i64 12}
!63 = !{!"p2 _ZTS8Metadata", !53, i64 0}
!64 = !{!62, !63, i64 0}
!65 = !{!35, !35, i64 0}
!66 = !{!67, !14, i64 128}
!67 = !{!"", !68, i64 0, !5, i64 8, !14, i64 128}
!68 = !{!"Metadata", !5, i64 0, !5, i64 1, !5, i64 1, !19, i64 2, !4, i64 4}
!69 = distinct !{!69, !9}
