; ModuleID = 'features.c'
source_filename = "features.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.anon = type { i32, i32 }

@OF_OPCODE = internal unnamed_addr constant [23 x %struct.anon] [%struct.anon { i32 22, i32 25 }, %struct.anon { i32 8, i32 26 }, %struct.anon { i32 26, i32 27 }, %struct.anon { i32 23, i32 28 }, %struct.anon { i32 41, i32 31 }, %struct.anon { i32 2, i32 32 }, %struct.anon { i32 45, i32 33 }, %struct.anon { i32 29, i32 34 }, %struct.anon { i32 42, i32 35 }, %struct.anon { i32 21, i32 36 }, %struct.anon { i32 27, i32 37 }, %struct.anon { i32 12, i32 38 }, %struct.anon { i32 24, i32 39 }, %struct.anon { i32 44, i32 40 }, %struct.anon { i32 1, i32 41 }, %struct.anon { i32 32, i32 42 }, %struct.anon { i32 46, i32 43 }, %struct.anon { i32 20, i32 44 }, %struct.anon { i32 28, i32 45 }, %struct.anon { i32 10, i32 46 }, %struct.anon { i32 30, i32 47 }, %struct.anon { i32 25, i32 48 }, %struct.anon { i32 31, i32 49 }], align 16

; Function Attrs: nounwind
define dso_local void @optarena_autophase(ptr noundef %0, ptr noundef captures(none) initializes((0, 448)) %1) local_unnamed_addr #0 {
  %3 = alloca [128 x i64], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %3, i8 0, i64 1024, i1 false)
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(448) %1, i8 0, i64 448, i1 false), !tbaa !7
  %4 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #4
  %5 = icmp eq ptr %4, null
  br i1 %5, label %6, label %7

6:                                                ; preds = %268, %2
  br label %293

7:                                                ; preds = %2
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 424
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 400
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 144
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 136
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 184
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 112
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 440
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 152
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 168
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 176
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 192
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 408
  %26 = getelementptr inbounds nuw i8, ptr %1, i64 232
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 432
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 88
  br label %30

30:                                               ; preds = %7, %268
  %31 = phi ptr [ %4, %7 ], [ %269, %268 ]
  %32 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %31) #4
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %34, label %268

34:                                               ; preds = %30
  %35 = load i64, ptr %8, align 8, !tbaa !7
  %36 = add nsw i64 %35, 1
  store i64 %36, ptr %8, align 8, !tbaa !7
  %37 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %31) #4
  %38 = icmp eq ptr %37, null
  br i1 %38, label %268, label %39

39:                                               ; preds = %34, %230
  %40 = phi ptr [ %266, %230 ], [ %37, %34 ]
  %41 = load i64, ptr %9, align 8, !tbaa !7
  %42 = add nsw i64 %41, 1
  store i64 %42, ptr %9, align 8, !tbaa !7
  %43 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %40) #4
  %44 = icmp eq ptr %43, null
  br i1 %44, label %47, label %45

45:                                               ; preds = %39
  %46 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %43) #4
  br label %47

47:                                               ; preds = %45, %39
  %48 = phi i32 [ %46, %45 ], [ 0, %39 ]
  %49 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %40) #4
  %50 = tail call ptr @LLVMGetFirstUse(ptr noundef %49) #4
  %51 = icmp eq ptr %50, null
  br i1 %51, label %62, label %52

52:                                               ; preds = %47, %52
  %53 = phi ptr [ %60, %52 ], [ %50, %47 ]
  %54 = phi i32 [ %59, %52 ], [ 0, %47 ]
  %55 = tail call ptr @LLVMGetUser(ptr noundef nonnull %53) #4
  %56 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %55) #4
  %57 = icmp ne ptr %56, null
  %58 = zext i1 %57 to i32
  %59 = add i32 %54, %58
  %60 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %53) #4
  %61 = icmp eq ptr %60, null
  br i1 %61, label %62, label %52, !llvm.loop !9

62:                                               ; preds = %52, %47
  %63 = phi i32 [ 0, %47 ], [ %59, %52 ]
  %64 = zext i32 %48 to i64
  %65 = load i64, ptr %10, align 8, !tbaa !7
  %66 = add nsw i64 %65, %64
  store i64 %66, ptr %10, align 8, !tbaa !7
  %67 = icmp eq i32 %48, 1
  %68 = icmp eq i32 %48, 2
  %69 = icmp eq i32 %63, 1
  %70 = select i1 %69, i1 %67, i1 false
  %71 = insertelement <2 x i1> poison, i1 %69, i64 0
  %72 = insertelement <2 x i1> %71, i1 %70, i64 1
  %73 = zext <2 x i1> %72 to <2 x i64>
  %74 = load <2 x i64>, ptr %11, align 8, !tbaa !7
  %75 = add nsw <2 x i64> %74, %73
  store <2 x i64> %75, ptr %11, align 8, !tbaa !7
  %76 = select i1 %69, i1 %68, i1 false
  %77 = insertelement <2 x i1> poison, i1 %76, i64 0
  %78 = insertelement <2 x i1> %77, i1 %67, i64 1
  %79 = zext <2 x i1> %78 to <2 x i64>
  %80 = load <2 x i64>, ptr %12, align 8, !tbaa !7
  %81 = add nsw <2 x i64> %80, %79
  store <2 x i64> %81, ptr %12, align 8, !tbaa !7
  %82 = icmp eq i32 %63, 2
  %83 = select i1 %82, i1 %67, i1 false
  %84 = insertelement <2 x i1> poison, i1 %82, i64 0
  %85 = insertelement <2 x i1> %84, i1 %83, i64 1
  %86 = zext <2 x i1> %85 to <2 x i64>
  %87 = load <2 x i64>, ptr %13, align 8, !tbaa !7
  %88 = add nsw <2 x i64> %87, %86
  store <2 x i64> %88, ptr %13, align 8, !tbaa !7
  %89 = select i1 %82, i1 %68, i1 false
  %90 = insertelement <2 x i1> poison, i1 %89, i64 0
  %91 = insertelement <2 x i1> %90, i1 %68, i64 1
  %92 = zext <2 x i1> %91 to <2 x i64>
  %93 = load <2 x i64>, ptr %14, align 8, !tbaa !7
  %94 = add nsw <2 x i64> %93, %92
  store <2 x i64> %94, ptr %14, align 8, !tbaa !7
  %95 = icmp ugt i32 %63, 2
  %96 = zext i1 %95 to i64
  %97 = load i64, ptr %15, align 8, !tbaa !7
  %98 = add nsw i64 %97, %96
  store i64 %98, ptr %15, align 8, !tbaa !7
  %99 = icmp ugt i32 %48, 1
  br i1 %99, label %100, label %127

100:                                              ; preds = %62, %121
  %101 = phi i32 [ %125, %121 ], [ 0, %62 ]
  %102 = tail call ptr @LLVMGetSuccessor(ptr noundef %43, i32 noundef %101) #4
  %103 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef %102) #4
  %104 = tail call ptr @LLVMGetFirstUse(ptr noundef %103) #4
  %105 = icmp eq ptr %104, null
  br i1 %105, label %121, label %109

106:                                              ; preds = %109
  %107 = icmp eq i32 %116, 2
  %108 = zext i1 %107 to i64
  br label %121

109:                                              ; preds = %100, %109
  %110 = phi ptr [ %117, %109 ], [ %104, %100 ]
  %111 = phi i32 [ %116, %109 ], [ 0, %100 ]
  %112 = tail call ptr @LLVMGetUser(ptr noundef nonnull %110) #4
  %113 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %112) #4
  %114 = icmp ne ptr %113, null
  %115 = zext i1 %114 to i32
  %116 = add nuw nsw i32 %111, %115
  %117 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %110) #4
  %118 = icmp ne ptr %117, null
  %119 = icmp samesign ult i32 %116, 2
  %120 = select i1 %118, i1 %119, i1 false
  br i1 %120, label %109, label %106, !llvm.loop !11

121:                                              ; preds = %106, %100
  %122 = phi i64 [ 0, %100 ], [ %108, %106 ]
  %123 = load i64, ptr %16, align 8, !tbaa !7
  %124 = add nsw i64 %123, %122
  store i64 %124, ptr %16, align 8, !tbaa !7
  %125 = add nuw i32 %101, 1
  %126 = icmp eq i32 %125, %48
  br i1 %126, label %127, label %100, !llvm.loop !12

127:                                              ; preds = %121, %62
  %128 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %40) #4
  %129 = icmp eq ptr %128, null
  br i1 %129, label %230, label %130

130:                                              ; preds = %127, %223
  %131 = phi i64 [ %228, %223 ], [ 0, %127 ]
  %132 = phi ptr [ %227, %223 ], [ %128, %127 ]
  %133 = phi i64 [ %174, %223 ], [ 0, %127 ]
  %134 = phi i64 [ %175, %223 ], [ 0, %127 ]
  %135 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %132) #4
  %136 = and i32 %135, 127
  %137 = zext nneg i32 %136 to i64
  %138 = getelementptr inbounds nuw i64, ptr %3, i64 %137
  %139 = load i64, ptr %138, align 8, !tbaa !7
  %140 = add nsw i64 %139, 1
  store i64 %140, ptr %138, align 8, !tbaa !7
  switch i32 %135, label %173 [
    i32 44, label %141
    i32 2, label %150
    i32 45, label %156
  ]

141:                                              ; preds = %130
  %142 = icmp eq i64 %131, 0
  %143 = zext i1 %142 to i64
  %144 = load i64, ptr %19, align 8, !tbaa !7
  %145 = add nsw i64 %144, %143
  store i64 %145, ptr %19, align 8, !tbaa !7
  %146 = add nsw i64 %134, 1
  %147 = tail call i32 @LLVMCountIncoming(ptr noundef nonnull %132) #4
  %148 = zext i32 %147 to i64
  %149 = add nsw i64 %133, %148
  br label %173

150:                                              ; preds = %130
  %151 = tail call i32 @LLVMIsConditional(ptr noundef nonnull %132) #4
  %152 = icmp eq i32 %151, 0
  %153 = zext i1 %152 to i64
  %154 = load i64, ptr %18, align 8, !tbaa !7
  %155 = add nsw i64 %154, %153
  store i64 %155, ptr %18, align 8, !tbaa !7
  br label %173

156:                                              ; preds = %130
  %157 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %132) #4
  %158 = tail call ptr @LLVMIsAFunction(ptr noundef %157) #4
  %159 = icmp eq ptr %158, null
  br i1 %159, label %169, label %160

160:                                              ; preds = %156
  %161 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %157) #4
  %162 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %132) #4
  %163 = icmp eq ptr %161, %162
  br i1 %163, label %164, label %169

164:                                              ; preds = %160
  %165 = tail call ptr @LLVMGetReturnType(ptr noundef %161) #4
  %166 = tail call i32 @LLVMGetTypeKind(ptr noundef %165) #4
  %167 = icmp eq i32 %166, 8
  %168 = zext i1 %167 to i64
  br label %169

169:                                              ; preds = %164, %160, %156
  %170 = phi i64 [ 0, %156 ], [ 0, %160 ], [ %168, %164 ]
  %171 = load i64, ptr %17, align 8, !tbaa !7
  %172 = add nsw i64 %171, %170
  store i64 %172, ptr %17, align 8, !tbaa !7
  br label %173

173:                                              ; preds = %169, %150, %141, %130
  %174 = phi i64 [ %149, %141 ], [ %133, %150 ], [ %133, %130 ], [ %133, %169 ]
  %175 = phi i64 [ %146, %141 ], [ %134, %150 ], [ %134, %130 ], [ %134, %169 ]
  %176 = tail call ptr @LLVMIsAUnaryInstruction(ptr noundef nonnull %132) #4
  %177 = icmp ne ptr %176, null
  %178 = zext i1 %177 to i64
  %179 = load i64, ptr %20, align 8, !tbaa !7
  %180 = add nsw i64 %179, %178
  store i64 %180, ptr %20, align 8, !tbaa !7
  %181 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %132) #4
  %182 = icmp sgt i32 %181, 0
  br i1 %182, label %185, label %223

183:                                              ; preds = %215
  %184 = icmp eq i32 %216, 0
  br i1 %184, label %223, label %219

185:                                              ; preds = %173, %215
  %186 = phi i32 [ %216, %215 ], [ 0, %173 ]
  %187 = phi i32 [ %217, %215 ], [ 0, %173 ]
  %188 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %132, i32 noundef %187) #4
  %189 = tail call ptr @LLVMIsAConstant(ptr noundef %188) #4
  %190 = icmp eq ptr %189, null
  br i1 %190, label %215, label %191

191:                                              ; preds = %185
  %192 = tail call ptr @LLVMIsAConstantInt(ptr noundef %188) #4
  %193 = icmp eq ptr %192, null
  br i1 %193, label %215, label %194

194:                                              ; preds = %191
  %195 = tail call ptr @LLVMTypeOf(ptr noundef %188) #4
  %196 = tail call i32 @LLVMGetTypeKind(ptr noundef %195) #4
  %197 = icmp eq i32 %196, 8
  br i1 %197, label %198, label %215

198:                                              ; preds = %194
  %199 = tail call i32 @LLVMGetIntTypeWidth(ptr noundef %195) #4
  %200 = insertelement <2 x i32> poison, i32 %199, i64 0
  %201 = shufflevector <2 x i32> %200, <2 x i32> poison, <2 x i32> zeroinitializer
  %202 = icmp eq <2 x i32> %201, <i32 32, i32 64>
  %203 = zext <2 x i1> %202 to <2 x i64>
  %204 = load <2 x i64>, ptr %21, align 8, !tbaa !7
  %205 = add nsw <2 x i64> %204, %203
  store <2 x i64> %205, ptr %21, align 8, !tbaa !7
  %206 = tail call i32 @LLVMIsNull(ptr noundef %188) #4
  %207 = sext i32 %206 to i64
  %208 = load i64, ptr %22, align 8, !tbaa !7
  %209 = add nsw i64 %208, %207
  store i64 %209, ptr %22, align 8, !tbaa !7
  %210 = tail call ptr @LLVMConstInt(ptr noundef %195, i64 noundef 1, i32 noundef 0) #4
  %211 = icmp eq ptr %188, %210
  %212 = zext i1 %211 to i64
  %213 = load i64, ptr %23, align 8, !tbaa !7
  %214 = add nsw i64 %213, %212
  store i64 %214, ptr %23, align 8, !tbaa !7
  br label %215

215:                                              ; preds = %198, %194, %191, %185
  %216 = phi i32 [ %186, %185 ], [ 1, %191 ], [ 1, %194 ], [ 1, %198 ]
  %217 = add nuw nsw i32 %187, 1
  %218 = icmp eq i32 %217, %181
  br i1 %218, label %183, label %185, !llvm.loop !13

219:                                              ; preds = %183
  %220 = tail call ptr @LLVMIsABinaryOperator(ptr noundef nonnull %132) #4
  %221 = icmp ne ptr %220, null
  %222 = zext i1 %221 to i64
  br label %223

223:                                              ; preds = %219, %183, %173
  %224 = phi i64 [ 0, %183 ], [ %222, %219 ], [ 0, %173 ]
  %225 = load i64, ptr %24, align 8, !tbaa !7
  %226 = add nsw i64 %225, %224
  store i64 %226, ptr %24, align 8, !tbaa !7
  %227 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %132) #4
  %228 = add nuw nsw i64 %131, 1
  %229 = icmp eq ptr %227, null
  br i1 %229, label %230, label %130, !llvm.loop !14

230:                                              ; preds = %223, %127
  %231 = phi i64 [ 0, %127 ], [ %175, %223 ]
  %232 = phi i64 [ 0, %127 ], [ %174, %223 ]
  %233 = phi i64 [ 0, %127 ], [ %228, %223 ]
  %234 = load i64, ptr %25, align 8, !tbaa !7
  %235 = add nsw i64 %234, %233
  store i64 %235, ptr %25, align 8, !tbaa !7
  %236 = add nsw i64 %233, -15
  %237 = icmp samesign ult i64 %233, 15
  %238 = icmp ult i64 %236, 486
  %239 = insertelement <2 x i1> poison, i1 %238, i64 0
  %240 = insertelement <2 x i1> %239, i1 %237, i64 1
  %241 = zext <2 x i1> %240 to <2 x i64>
  %242 = load <2 x i64>, ptr %26, align 8, !tbaa !7
  %243 = add nsw <2 x i64> %242, %241
  store <2 x i64> %243, ptr %26, align 8, !tbaa !7
  %244 = load i64, ptr %27, align 8, !tbaa !7
  %245 = add nsw i64 %244, %232
  store i64 %245, ptr %27, align 8, !tbaa !7
  %246 = icmp sgt i64 %232, 5
  %247 = add i64 %232, -1
  %248 = icmp ult i64 %247, 5
  %249 = insertelement <2 x i1> poison, i1 %246, i64 0
  %250 = insertelement <2 x i1> %249, i1 %248, i64 1
  %251 = zext <2 x i1> %250 to <2 x i64>
  %252 = load <2 x i64>, ptr %1, align 8, !tbaa !7
  %253 = add nsw <2 x i64> %252, %251
  store <2 x i64> %253, ptr %1, align 8, !tbaa !7
  %254 = icmp eq i64 %231, 0
  %255 = zext i1 %254 to i64
  %256 = load i64, ptr %28, align 8, !tbaa !7
  %257 = add nsw i64 %256, %255
  store i64 %257, ptr %28, align 8, !tbaa !7
  %258 = add i64 %231, -1
  %259 = icmp ult i64 %258, 3
  %260 = icmp sgt i64 %231, 3
  %261 = insertelement <2 x i1> poison, i1 %259, i64 0
  %262 = insertelement <2 x i1> %261, i1 %260, i64 1
  %263 = zext <2 x i1> %262 to <2 x i64>
  %264 = load <2 x i64>, ptr %29, align 8, !tbaa !7
  %265 = add nsw <2 x i64> %264, %263
  store <2 x i64> %265, ptr %29, align 8, !tbaa !7
  %266 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %40) #4
  %267 = icmp eq ptr %266, null
  br i1 %267, label %268, label %39, !llvm.loop !15

268:                                              ; preds = %230, %34, %30
  %269 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %31) #4
  %270 = icmp eq ptr %269, null
  br i1 %270, label %6, label %30, !llvm.loop !16

271:                                              ; preds = %293
  %272 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %273 = load i64, ptr %272, align 16, !tbaa !7
  %274 = getelementptr inbounds nuw i8, ptr %1, i64 120
  store i64 %273, ptr %274, align 8, !tbaa !7
  %275 = getelementptr inbounds nuw i8, ptr %3, i64 232
  %276 = load i64, ptr %275, align 8, !tbaa !7
  %277 = getelementptr inbounds nuw i8, ptr %3, i64 216
  %278 = load i64, ptr %277, align 8, !tbaa !7
  %279 = add nsw i64 %278, %276
  %280 = getelementptr inbounds nuw i8, ptr %3, i64 224
  %281 = load i64, ptr %280, align 16, !tbaa !7
  %282 = add nsw i64 %279, %281
  %283 = getelementptr inbounds nuw i8, ptr %3, i64 360
  %284 = load i64, ptr %283, align 8, !tbaa !7
  %285 = add nsw i64 %282, %284
  %286 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %287 = load i64, ptr %286, align 8, !tbaa !7
  %288 = add nsw i64 %285, %287
  %289 = getelementptr inbounds nuw i8, ptr %3, i64 208
  %290 = load i64, ptr %289, align 16, !tbaa !7
  %291 = add nsw i64 %288, %290
  %292 = getelementptr inbounds nuw i8, ptr %1, i64 416
  store i64 %291, ptr %292, align 8, !tbaa !7
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  ret void

293:                                              ; preds = %305, %6
  %294 = phi i64 [ 0, %6 ], [ %316, %305 ]
  %295 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %294
  %296 = load i32, ptr %295, align 16, !tbaa !17
  %297 = sext i32 %296 to i64
  %298 = getelementptr inbounds i64, ptr %3, i64 %297
  %299 = load i64, ptr %298, align 8, !tbaa !7
  %300 = getelementptr inbounds nuw i8, ptr %295, i64 4
  %301 = load i32, ptr %300, align 4, !tbaa !19
  %302 = sext i32 %301 to i64
  %303 = getelementptr inbounds i64, ptr %1, i64 %302
  store i64 %299, ptr %303, align 8, !tbaa !7
  %304 = icmp eq i64 %294, 22
  br i1 %304, label %271, label %305, !llvm.loop !20

305:                                              ; preds = %293
  %306 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %294
  %307 = getelementptr inbounds nuw i8, ptr %306, i64 8
  %308 = load i32, ptr %307, align 8, !tbaa !17
  %309 = sext i32 %308 to i64
  %310 = getelementptr inbounds i64, ptr %3, i64 %309
  %311 = load i64, ptr %310, align 8, !tbaa !7
  %312 = getelementptr inbounds nuw i8, ptr %306, i64 12
  %313 = load i32, ptr %312, align 4, !tbaa !19
  %314 = sext i32 %313 to i64
  %315 = getelementptr inbounds i64, ptr %1, i64 %314
  store i64 %311, ptr %315, align 8, !tbaa !7
  %316 = add nuw nsw i64 %294, 2
  br label %293
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #3

declare ptr @LLVMGetFirstUse(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMBasicBlockAsValue(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsATerminatorInst(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetUser(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetNextUse(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMCountIncoming(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMIsConditional(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsAUnaryInstruction(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetReturnType(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetNumOperands(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #3

declare ptr @LLVMIsAConstant(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsAConstantInt(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsABinaryOperator(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetIntTypeWidth(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMIsNull(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMConstInt(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #3

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!8, !8, i64 0}
!8 = !{!"long long", !5, i64 0}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = distinct !{!11, !10}
!12 = distinct !{!12, !10}
!13 = distinct !{!13, !10}
!14 = distinct !{!14, !10}
!15 = distinct !{!15, !10}
!16 = distinct !{!16, !10}
!17 = !{!18, !4, i64 0}
!18 = !{!"", !4, i64 0, !4, i64 4}
!19 = !{!18, !4, i64 4}
!20 = distinct !{!20, !10}
