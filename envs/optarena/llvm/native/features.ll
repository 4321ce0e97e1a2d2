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

6:                                                ; preds = %271, %2
  br label %296

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

30:                                               ; preds = %7, %271
  %31 = phi ptr [ %4, %7 ], [ %272, %271 ]
  %32 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %31) #4
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %34, label %271

34:                                               ; preds = %30
  %35 = load i64, ptr %8, align 8, !tbaa !7
  %36 = add nsw i64 %35, 1
  store i64 %36, ptr %8, align 8, !tbaa !7
  %37 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %31) #4
  %38 = icmp eq ptr %37, null
  br i1 %38, label %271, label %39

39:                                               ; preds = %34, %233
  %40 = phi ptr [ %269, %233 ], [ %37, %34 ]
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
  br i1 %129, label %233, label %130

130:                                              ; preds = %127, %226
  %131 = phi i64 [ %231, %226 ], [ 0, %127 ]
  %132 = phi ptr [ %230, %226 ], [ %128, %127 ]
  %133 = phi i64 [ %177, %226 ], [ 0, %127 ]
  %134 = phi i64 [ %178, %226 ], [ 0, %127 ]
  %135 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %132) #4
  %136 = and i32 %135, -2
  %137 = icmp eq i32 %136, 70
  %138 = select i1 %137, i32 2, i32 %135
  %139 = and i32 %138, 127
  %140 = zext nneg i32 %139 to i64
  %141 = getelementptr inbounds nuw i64, ptr %3, i64 %140
  %142 = load i64, ptr %141, align 8, !tbaa !7
  %143 = add nsw i64 %142, 1
  store i64 %143, ptr %141, align 8, !tbaa !7
  switch i32 %138, label %176 [
    i32 44, label %144
    i32 2, label %153
    i32 45, label %159
  ]

144:                                              ; preds = %130
  %145 = icmp eq i64 %131, 0
  %146 = zext i1 %145 to i64
  %147 = load i64, ptr %19, align 8, !tbaa !7
  %148 = add nsw i64 %147, %146
  store i64 %148, ptr %19, align 8, !tbaa !7
  %149 = add nsw i64 %134, 1
  %150 = tail call i32 @LLVMCountIncoming(ptr noundef nonnull %132) #4
  %151 = zext i32 %150 to i64
  %152 = add nsw i64 %133, %151
  br label %176

153:                                              ; preds = %130
  %154 = tail call i32 @LLVMIsConditional(ptr noundef nonnull %132) #4
  %155 = icmp eq i32 %154, 0
  %156 = zext i1 %155 to i64
  %157 = load i64, ptr %18, align 8, !tbaa !7
  %158 = add nsw i64 %157, %156
  store i64 %158, ptr %18, align 8, !tbaa !7
  br label %176

159:                                              ; preds = %130
  %160 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %132) #4
  %161 = tail call ptr @LLVMIsAFunction(ptr noundef %160) #4
  %162 = icmp eq ptr %161, null
  br i1 %162, label %172, label %163

163:                                              ; preds = %159
  %164 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %160) #4
  %165 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %132) #4
  %166 = icmp eq ptr %164, %165
  br i1 %166, label %167, label %172

167:                                              ; preds = %163
  %168 = tail call ptr @LLVMGetReturnType(ptr noundef %164) #4
  %169 = tail call i32 @LLVMGetTypeKind(ptr noundef %168) #4
  %170 = icmp eq i32 %169, 8
  %171 = zext i1 %170 to i64
  br label %172

172:                                              ; preds = %167, %163, %159
  %173 = phi i64 [ 0, %159 ], [ 0, %163 ], [ %171, %167 ]
  %174 = load i64, ptr %17, align 8, !tbaa !7
  %175 = add nsw i64 %174, %173
  store i64 %175, ptr %17, align 8, !tbaa !7
  br label %176

176:                                              ; preds = %172, %153, %144, %130
  %177 = phi i64 [ %152, %144 ], [ %133, %153 ], [ %133, %130 ], [ %133, %172 ]
  %178 = phi i64 [ %149, %144 ], [ %134, %153 ], [ %134, %130 ], [ %134, %172 ]
  %179 = tail call ptr @LLVMIsAUnaryInstruction(ptr noundef nonnull %132) #4
  %180 = icmp ne ptr %179, null
  %181 = zext i1 %180 to i64
  %182 = load i64, ptr %20, align 8, !tbaa !7
  %183 = add nsw i64 %182, %181
  store i64 %183, ptr %20, align 8, !tbaa !7
  %184 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %132) #4
  %185 = icmp sgt i32 %184, 0
  br i1 %185, label %188, label %226

186:                                              ; preds = %218
  %187 = icmp eq i32 %219, 0
  br i1 %187, label %226, label %222

188:                                              ; preds = %176, %218
  %189 = phi i32 [ %219, %218 ], [ 0, %176 ]
  %190 = phi i32 [ %220, %218 ], [ 0, %176 ]
  %191 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %132, i32 noundef %190) #4
  %192 = tail call ptr @LLVMIsAConstant(ptr noundef %191) #4
  %193 = icmp eq ptr %192, null
  br i1 %193, label %218, label %194

194:                                              ; preds = %188
  %195 = tail call ptr @LLVMIsAConstantInt(ptr noundef %191) #4
  %196 = icmp eq ptr %195, null
  br i1 %196, label %218, label %197

197:                                              ; preds = %194
  %198 = tail call ptr @LLVMTypeOf(ptr noundef %191) #4
  %199 = tail call i32 @LLVMGetTypeKind(ptr noundef %198) #4
  %200 = icmp eq i32 %199, 8
  br i1 %200, label %201, label %218

201:                                              ; preds = %197
  %202 = tail call i32 @LLVMGetIntTypeWidth(ptr noundef %198) #4
  %203 = insertelement <2 x i32> poison, i32 %202, i64 0
  %204 = shufflevector <2 x i32> %203, <2 x i32> poison, <2 x i32> zeroinitializer
  %205 = icmp eq <2 x i32> %204, <i32 32, i32 64>
  %206 = zext <2 x i1> %205 to <2 x i64>
  %207 = load <2 x i64>, ptr %21, align 8, !tbaa !7
  %208 = add nsw <2 x i64> %207, %206
  store <2 x i64> %208, ptr %21, align 8, !tbaa !7
  %209 = tail call i32 @LLVMIsNull(ptr noundef %191) #4
  %210 = sext i32 %209 to i64
  %211 = load i64, ptr %22, align 8, !tbaa !7
  %212 = add nsw i64 %211, %210
  store i64 %212, ptr %22, align 8, !tbaa !7
  %213 = tail call ptr @LLVMConstInt(ptr noundef %198, i64 noundef 1, i32 noundef 0) #4
  %214 = icmp eq ptr %191, %213
  %215 = zext i1 %214 to i64
  %216 = load i64, ptr %23, align 8, !tbaa !7
  %217 = add nsw i64 %216, %215
  store i64 %217, ptr %23, align 8, !tbaa !7
  br label %218

218:                                              ; preds = %201, %197, %194, %188
  %219 = phi i32 [ %189, %188 ], [ 1, %194 ], [ 1, %197 ], [ 1, %201 ]
  %220 = add nuw nsw i32 %190, 1
  %221 = icmp eq i32 %220, %184
  br i1 %221, label %186, label %188, !llvm.loop !13

222:                                              ; preds = %186
  %223 = tail call ptr @LLVMIsABinaryOperator(ptr noundef nonnull %132) #4
  %224 = icmp ne ptr %223, null
  %225 = zext i1 %224 to i64
  br label %226

226:                                              ; preds = %222, %186, %176
  %227 = phi i64 [ 0, %186 ], [ %225, %222 ], [ 0, %176 ]
  %228 = load i64, ptr %24, align 8, !tbaa !7
  %229 = add nsw i64 %228, %227
  store i64 %229, ptr %24, align 8, !tbaa !7
  %230 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %132) #4
  %231 = add nuw nsw i64 %131, 1
  %232 = icmp eq ptr %230, null
  br i1 %232, label %233, label %130, !llvm.loop !14

233:                                              ; preds = %226, %127
  %234 = phi i64 [ 0, %127 ], [ %178, %226 ]
  %235 = phi i64 [ 0, %127 ], [ %177, %226 ]
  %236 = phi i64 [ 0, %127 ], [ %231, %226 ]
  %237 = load i64, ptr %25, align 8, !tbaa !7
  %238 = add nsw i64 %237, %236
  store i64 %238, ptr %25, align 8, !tbaa !7
  %239 = add nsw i64 %236, -15
  %240 = icmp samesign ult i64 %236, 15
  %241 = icmp ult i64 %239, 486
  %242 = insertelement <2 x i1> poison, i1 %241, i64 0
  %243 = insertelement <2 x i1> %242, i1 %240, i64 1
  %244 = zext <2 x i1> %243 to <2 x i64>
  %245 = load <2 x i64>, ptr %26, align 8, !tbaa !7
  %246 = add nsw <2 x i64> %245, %244
  store <2 x i64> %246, ptr %26, align 8, !tbaa !7
  %247 = load i64, ptr %27, align 8, !tbaa !7
  %248 = add nsw i64 %247, %235
  store i64 %248, ptr %27, align 8, !tbaa !7
  %249 = icmp sgt i64 %235, 5
  %250 = add i64 %235, -1
  %251 = icmp ult i64 %250, 5
  %252 = insertelement <2 x i1> poison, i1 %249, i64 0
  %253 = insertelement <2 x i1> %252, i1 %251, i64 1
  %254 = zext <2 x i1> %253 to <2 x i64>
  %255 = load <2 x i64>, ptr %1, align 8, !tbaa !7
  %256 = add nsw <2 x i64> %255, %254
  store <2 x i64> %256, ptr %1, align 8, !tbaa !7
  %257 = icmp eq i64 %234, 0
  %258 = zext i1 %257 to i64
  %259 = load i64, ptr %28, align 8, !tbaa !7
  %260 = add nsw i64 %259, %258
  store i64 %260, ptr %28, align 8, !tbaa !7
  %261 = add i64 %234, -1
  %262 = icmp ult i64 %261, 3
  %263 = icmp sgt i64 %234, 3
  %264 = insertelement <2 x i1> poison, i1 %262, i64 0
  %265 = insertelement <2 x i1> %264, i1 %263, i64 1
  %266 = zext <2 x i1> %265 to <2 x i64>
  %267 = load <2 x i64>, ptr %29, align 8, !tbaa !7
  %268 = add nsw <2 x i64> %267, %266
  store <2 x i64> %268, ptr %29, align 8, !tbaa !7
  %269 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %40) #4
  %270 = icmp eq ptr %269, null
  br i1 %270, label %271, label %39, !llvm.loop !15

271:                                              ; preds = %233, %34, %30
  %272 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %31) #4
  %273 = icmp eq ptr %272, null
  br i1 %273, label %6, label %30, !llvm.loop !16

274:                                              ; preds = %296
  %275 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %276 = load i64, ptr %275, align 16, !tbaa !7
  %277 = getelementptr inbounds nuw i8, ptr %1, i64 120
  store i64 %276, ptr %277, align 8, !tbaa !7
  %278 = getelementptr inbounds nuw i8, ptr %3, i64 232
  %279 = load i64, ptr %278, align 8, !tbaa !7
  %280 = getelementptr inbounds nuw i8, ptr %3, i64 216
  %281 = load i64, ptr %280, align 8, !tbaa !7
  %282 = add nsw i64 %281, %279
  %283 = getelementptr inbounds nuw i8, ptr %3, i64 224
  %284 = load i64, ptr %283, align 16, !tbaa !7
  %285 = add nsw i64 %282, %284
  %286 = getelementptr inbounds nuw i8, ptr %3, i64 360
  %287 = load i64, ptr %286, align 8, !tbaa !7
  %288 = add nsw i64 %285, %287
  %289 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %290 = load i64, ptr %289, align 8, !tbaa !7
  %291 = add nsw i64 %288, %290
  %292 = getelementptr inbounds nuw i8, ptr %3, i64 208
  %293 = load i64, ptr %292, align 16, !tbaa !7
  %294 = add nsw i64 %291, %293
  %295 = getelementptr inbounds nuw i8, ptr %1, i64 416
  store i64 %294, ptr %295, align 8, !tbaa !7
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  ret void

296:                                              ; preds = %308, %6
  %297 = phi i64 [ 0, %6 ], [ %319, %308 ]
  %298 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %297
  %299 = load i32, ptr %298, align 16, !tbaa !17
  %300 = sext i32 %299 to i64
  %301 = getelementptr inbounds i64, ptr %3, i64 %300
  %302 = load i64, ptr %301, align 8, !tbaa !7
  %303 = getelementptr inbounds nuw i8, ptr %298, i64 4
  %304 = load i32, ptr %303, align 4, !tbaa !19
  %305 = sext i32 %304 to i64
  %306 = getelementptr inbounds i64, ptr %1, i64 %305
  store i64 %302, ptr %306, align 8, !tbaa !7
  %307 = icmp eq i64 %297, 22
  br i1 %307, label %274, label %308, !llvm.loop !20

308:                                              ; preds = %296
  %309 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %297
  %310 = getelementptr inbounds nuw i8, ptr %309, i64 8
  %311 = load i32, ptr %310, align 8, !tbaa !17
  %312 = sext i32 %311 to i64
  %313 = getelementptr inbounds i64, ptr %3, i64 %312
  %314 = load i64, ptr %313, align 8, !tbaa !7
  %315 = getelementptr inbounds nuw i8, ptr %309, i64 12
  %316 = load i32, ptr %315, align 4, !tbaa !19
  %317 = sext i32 %316 to i64
  %318 = getelementptr inbounds i64, ptr %1, i64 %317
  store i64 %314, ptr %318, align 8, !tbaa !7
  %319 = add nuw nsw i64 %297, 2
  br label %296
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

declare i32 @LLVMCountIncoming(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMIsConditional(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMIsAUnaryInstruction(ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #3

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
