; ModuleID = 'features.c'
source_filename = "features.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.anon = type { i32, i32 }
%struct.Integer = type { ptr, ptr, i32 }

@OF_OPCODE = internal unnamed_addr constant [23 x %struct.anon] [%struct.anon { i32 22, i32 25 }, %struct.anon { i32 8, i32 26 }, %struct.anon { i32 26, i32 27 }, %struct.anon { i32 23, i32 28 }, %struct.anon { i32 41, i32 31 }, %struct.anon { i32 2, i32 32 }, %struct.anon { i32 45, i32 33 }, %struct.anon { i32 29, i32 34 }, %struct.anon { i32 42, i32 35 }, %struct.anon { i32 21, i32 36 }, %struct.anon { i32 27, i32 37 }, %struct.anon { i32 12, i32 38 }, %struct.anon { i32 24, i32 39 }, %struct.anon { i32 44, i32 40 }, %struct.anon { i32 1, i32 41 }, %struct.anon { i32 32, i32 42 }, %struct.anon { i32 46, i32 43 }, %struct.anon { i32 20, i32 44 }, %struct.anon { i32 28, i32 45 }, %struct.anon { i32 10, i32 46 }, %struct.anon { i32 30, i32 47 }, %struct.anon { i32 25, i32 48 }, %struct.anon { i32 31, i32 49 }], align 16
@is_unary = internal unnamed_addr global [128 x i8] zeroinitializer, align 16
@is_binary = internal unnamed_addr global [128 x i8] zeroinitializer, align 16

; Function Attrs: nounwind
define dso_local void @optarena_autophase(ptr noundef %0, ptr noundef captures(none) initializes((0, 448)) %1) local_unnamed_addr #0 {
  %3 = alloca [128 x i64], align 16
  %4 = alloca [16 x %struct.Integer], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1024) %3, i8 0, i64 1024, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(384) %4, i8 0, i64 384, i1 false)
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(448) %1, i8 0, i64 448, i1 false), !tbaa !7
  %5 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #4
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %8

7:                                                ; preds = %309, %2
  br label %334

8:                                                ; preds = %2
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 424
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 400
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 144
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 136
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 184
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 112
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 440
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 152
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 168
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 176
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 192
  %26 = getelementptr inbounds nuw i8, ptr %1, i64 408
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 232
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 432
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %30 = getelementptr inbounds nuw i8, ptr %1, i64 88
  br label %31

31:                                               ; preds = %8, %309
  %32 = phi ptr [ %5, %8 ], [ %310, %309 ]
  %33 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %32) #4
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %35, label %309

35:                                               ; preds = %31
  %36 = load i64, ptr %9, align 8, !tbaa !7
  %37 = add nsw i64 %36, 1
  store i64 %37, ptr %9, align 8, !tbaa !7
  %38 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %32) #4
  %39 = icmp eq ptr %38, null
  br i1 %39, label %309, label %40

40:                                               ; preds = %35, %271
  %41 = phi ptr [ %307, %271 ], [ %38, %35 ]
  %42 = load i64, ptr %10, align 8, !tbaa !7
  %43 = add nsw i64 %42, 1
  store i64 %43, ptr %10, align 8, !tbaa !7
  %44 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %41) #4
  %45 = icmp eq ptr %44, null
  br i1 %45, label %48, label %46

46:                                               ; preds = %40
  %47 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %44) #4
  br label %48

48:                                               ; preds = %46, %40
  %49 = phi i32 [ %47, %46 ], [ 0, %40 ]
  %50 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %41) #4
  %51 = tail call ptr @LLVMGetFirstUse(ptr noundef %50) #4
  %52 = icmp eq ptr %51, null
  br i1 %52, label %63, label %53

53:                                               ; preds = %48, %53
  %54 = phi ptr [ %61, %53 ], [ %51, %48 ]
  %55 = phi i32 [ %60, %53 ], [ 0, %48 ]
  %56 = tail call ptr @LLVMGetUser(ptr noundef nonnull %54) #4
  %57 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %56) #4
  %58 = icmp ne ptr %57, null
  %59 = zext i1 %58 to i32
  %60 = add i32 %55, %59
  %61 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %54) #4
  %62 = icmp eq ptr %61, null
  br i1 %62, label %63, label %53, !llvm.loop !9

63:                                               ; preds = %53, %48
  %64 = phi i32 [ 0, %48 ], [ %60, %53 ]
  %65 = zext i32 %49 to i64
  %66 = load i64, ptr %11, align 8, !tbaa !7
  %67 = add nsw i64 %66, %65
  store i64 %67, ptr %11, align 8, !tbaa !7
  %68 = icmp eq i32 %49, 1
  %69 = icmp eq i32 %49, 2
  %70 = icmp eq i32 %64, 1
  %71 = select i1 %70, i1 %68, i1 false
  %72 = insertelement <2 x i1> poison, i1 %70, i64 0
  %73 = insertelement <2 x i1> %72, i1 %71, i64 1
  %74 = zext <2 x i1> %73 to <2 x i64>
  %75 = load <2 x i64>, ptr %12, align 8, !tbaa !7
  %76 = add nsw <2 x i64> %75, %74
  store <2 x i64> %76, ptr %12, align 8, !tbaa !7
  %77 = select i1 %70, i1 %69, i1 false
  %78 = insertelement <2 x i1> poison, i1 %77, i64 0
  %79 = insertelement <2 x i1> %78, i1 %68, i64 1
  %80 = zext <2 x i1> %79 to <2 x i64>
  %81 = load <2 x i64>, ptr %13, align 8, !tbaa !7
  %82 = add nsw <2 x i64> %81, %80
  store <2 x i64> %82, ptr %13, align 8, !tbaa !7
  %83 = icmp eq i32 %64, 2
  %84 = select i1 %83, i1 %68, i1 false
  %85 = insertelement <2 x i1> poison, i1 %83, i64 0
  %86 = insertelement <2 x i1> %85, i1 %84, i64 1
  %87 = zext <2 x i1> %86 to <2 x i64>
  %88 = load <2 x i64>, ptr %14, align 8, !tbaa !7
  %89 = add nsw <2 x i64> %88, %87
  store <2 x i64> %89, ptr %14, align 8, !tbaa !7
  %90 = select i1 %83, i1 %69, i1 false
  %91 = insertelement <2 x i1> poison, i1 %90, i64 0
  %92 = insertelement <2 x i1> %91, i1 %69, i64 1
  %93 = zext <2 x i1> %92 to <2 x i64>
  %94 = load <2 x i64>, ptr %15, align 8, !tbaa !7
  %95 = add nsw <2 x i64> %94, %93
  store <2 x i64> %95, ptr %15, align 8, !tbaa !7
  %96 = icmp ugt i32 %64, 2
  %97 = zext i1 %96 to i64
  %98 = load i64, ptr %16, align 8, !tbaa !7
  %99 = add nsw i64 %98, %97
  store i64 %99, ptr %16, align 8, !tbaa !7
  %100 = icmp ugt i32 %49, 1
  br i1 %100, label %101, label %128

101:                                              ; preds = %63, %122
  %102 = phi i32 [ %126, %122 ], [ 0, %63 ]
  %103 = tail call ptr @LLVMGetSuccessor(ptr noundef %44, i32 noundef %102) #4
  %104 = tail call ptr @LLVMBasicBlockAsValue(ptr noundef %103) #4
  %105 = tail call ptr @LLVMGetFirstUse(ptr noundef %104) #4
  %106 = icmp eq ptr %105, null
  br i1 %106, label %122, label %110

107:                                              ; preds = %110
  %108 = icmp eq i32 %117, 2
  %109 = zext i1 %108 to i64
  br label %122

110:                                              ; preds = %101, %110
  %111 = phi ptr [ %118, %110 ], [ %105, %101 ]
  %112 = phi i32 [ %117, %110 ], [ 0, %101 ]
  %113 = tail call ptr @LLVMGetUser(ptr noundef nonnull %111) #4
  %114 = tail call ptr @LLVMIsATerminatorInst(ptr noundef %113) #4
  %115 = icmp ne ptr %114, null
  %116 = zext i1 %115 to i32
  %117 = add nuw nsw i32 %112, %116
  %118 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %111) #4
  %119 = icmp ne ptr %118, null
  %120 = icmp samesign ult i32 %117, 2
  %121 = select i1 %119, i1 %120, i1 false
  br i1 %121, label %110, label %107, !llvm.loop !11

122:                                              ; preds = %107, %101
  %123 = phi i64 [ 0, %101 ], [ %109, %107 ]
  %124 = load i64, ptr %17, align 8, !tbaa !7
  %125 = add nsw i64 %124, %123
  store i64 %125, ptr %17, align 8, !tbaa !7
  %126 = add nuw i32 %102, 1
  %127 = icmp eq i32 %126, %49
  br i1 %127, label %128, label %101, !llvm.loop !12

128:                                              ; preds = %122, %63
  %129 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %41) #4
  %130 = icmp eq ptr %129, null
  br i1 %130, label %271, label %131

131:                                              ; preds = %128, %264
  %132 = phi i64 [ %269, %264 ], [ 0, %128 ]
  %133 = phi ptr [ %268, %264 ], [ %129, %128 ]
  %134 = phi i64 [ %178, %264 ], [ 0, %128 ]
  %135 = phi i64 [ %179, %264 ], [ 0, %128 ]
  %136 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %133) #4
  %137 = and i32 %136, -2
  %138 = icmp eq i32 %137, 70
  %139 = select i1 %138, i32 2, i32 %136
  %140 = and i32 %139, 127
  %141 = zext nneg i32 %140 to i64
  %142 = getelementptr inbounds nuw i64, ptr %3, i64 %141
  %143 = load i64, ptr %142, align 8, !tbaa !7
  %144 = add nsw i64 %143, 1
  store i64 %144, ptr %142, align 8, !tbaa !7
  switch i32 %139, label %177 [
    i32 44, label %145
    i32 2, label %154
    i32 45, label %160
  ]

145:                                              ; preds = %131
  %146 = icmp eq i64 %132, 0
  %147 = zext i1 %146 to i64
  %148 = load i64, ptr %20, align 8, !tbaa !7
  %149 = add nsw i64 %148, %147
  store i64 %149, ptr %20, align 8, !tbaa !7
  %150 = add nsw i64 %135, 1
  %151 = tail call i32 @LLVMCountIncoming(ptr noundef nonnull %133) #4
  %152 = zext i32 %151 to i64
  %153 = add nsw i64 %134, %152
  br label %177

154:                                              ; preds = %131
  %155 = tail call i32 @LLVMIsConditional(ptr noundef nonnull %133) #4
  %156 = icmp eq i32 %155, 0
  %157 = zext i1 %156 to i64
  %158 = load i64, ptr %19, align 8, !tbaa !7
  %159 = add nsw i64 %158, %157
  store i64 %159, ptr %19, align 8, !tbaa !7
  br label %177

160:                                              ; preds = %131
  %161 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %133) #4
  %162 = tail call ptr @LLVMIsAFunction(ptr noundef %161) #4
  %163 = icmp eq ptr %162, null
  br i1 %163, label %173, label %164

164:                                              ; preds = %160
  %165 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %161) #4
  %166 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %133) #4
  %167 = icmp eq ptr %165, %166
  br i1 %167, label %168, label %173

168:                                              ; preds = %164
  %169 = tail call ptr @LLVMGetReturnType(ptr noundef %165) #4
  %170 = tail call i32 @LLVMGetTypeKind(ptr noundef %169) #4
  %171 = icmp eq i32 %170, 8
  %172 = zext i1 %171 to i64
  br label %173

173:                                              ; preds = %168, %164, %160
  %174 = phi i64 [ 0, %160 ], [ 0, %164 ], [ %172, %168 ]
  %175 = load i64, ptr %18, align 8, !tbaa !7
  %176 = add nsw i64 %175, %174
  store i64 %176, ptr %18, align 8, !tbaa !7
  br label %177

177:                                              ; preds = %173, %154, %145, %131
  %178 = phi i64 [ %153, %145 ], [ %134, %154 ], [ %134, %131 ], [ %134, %173 ]
  %179 = phi i64 [ %150, %145 ], [ %135, %154 ], [ %135, %131 ], [ %135, %173 ]
  %180 = getelementptr inbounds nuw i8, ptr @is_unary, i64 %141
  %181 = load i8, ptr %180, align 1, !tbaa !13
  %182 = icmp eq i8 %181, 0
  br i1 %182, label %183, label %187

183:                                              ; preds = %177
  %184 = tail call ptr @LLVMIsAUnaryInstruction(ptr noundef nonnull %133) #4, !callees !14
  %185 = icmp eq ptr %184, null
  %186 = select i1 %185, i8 1, i8 2
  store i8 %186, ptr %180, align 1, !tbaa !13
  br label %187

187:                                              ; preds = %183, %177
  %188 = phi i8 [ %186, %183 ], [ %181, %177 ]
  %189 = icmp eq i8 %188, 2
  %190 = zext i1 %189 to i64
  %191 = load i64, ptr %21, align 8, !tbaa !7
  %192 = add nsw i64 %191, %190
  store i64 %192, ptr %21, align 8, !tbaa !7
  %193 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %133) #4
  %194 = icmp sgt i32 %193, 0
  br i1 %194, label %197, label %264

195:                                              ; preds = %248
  %196 = icmp eq i32 %249, 0
  br i1 %196, label %264, label %252

197:                                              ; preds = %187, %248
  %198 = phi i32 [ %249, %248 ], [ 0, %187 ]
  %199 = phi i32 [ %250, %248 ], [ 0, %187 ]
  %200 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %133, i32 noundef %199) #4
  %201 = tail call ptr @LLVMIsAConstant(ptr noundef %200) #4
  %202 = icmp eq ptr %201, null
  br i1 %202, label %248, label %203

203:                                              ; preds = %197
  %204 = tail call ptr @LLVMIsAConstantInt(ptr noundef %200) #4
  %205 = icmp eq ptr %204, null
  br i1 %205, label %248, label %206

206:                                              ; preds = %203
  %207 = tail call ptr @LLVMTypeOf(ptr noundef %200) #4
  %208 = ptrtoint ptr %207 to i64
  %209 = lshr i64 %208, 3
  %210 = and i64 %209, 15
  %211 = getelementptr inbounds nuw %struct.Integer, ptr %4, i64 %210
  %212 = load ptr, ptr %211, align 8, !tbaa !15
  %213 = icmp eq ptr %212, %207
  br i1 %213, label %214, label %217

214:                                              ; preds = %206
  %215 = getelementptr inbounds nuw i8, ptr %211, i64 16
  %216 = load i32, ptr %215, align 8, !tbaa !20
  br label %228

217:                                              ; preds = %206
  %218 = tail call i32 @LLVMGetTypeKind(ptr noundef %207) #4
  %219 = icmp eq i32 %218, 8
  store ptr %207, ptr %211, align 8, !tbaa !15
  br i1 %219, label %220, label %223

220:                                              ; preds = %217
  %221 = tail call ptr @LLVMConstInt(ptr noundef %207, i64 noundef 1, i32 noundef 0) #4
  %222 = tail call i32 @LLVMGetIntTypeWidth(ptr noundef %207) #4
  br label %223

223:                                              ; preds = %217, %220
  %224 = phi ptr [ %221, %220 ], [ null, %217 ]
  %225 = phi i32 [ %222, %220 ], [ 0, %217 ]
  %226 = getelementptr inbounds nuw i8, ptr %211, i64 8
  store ptr %224, ptr %226, align 8, !tbaa !21
  %227 = getelementptr inbounds nuw i8, ptr %211, i64 16
  store i32 %225, ptr %227, align 8, !tbaa !20
  br label %228

228:                                              ; preds = %223, %214
  %229 = phi i32 [ %216, %214 ], [ %225, %223 ]
  %230 = icmp eq i32 %229, 0
  br i1 %230, label %248, label %231

231:                                              ; preds = %228
  %232 = insertelement <2 x i32> poison, i32 %229, i64 0
  %233 = shufflevector <2 x i32> %232, <2 x i32> poison, <2 x i32> zeroinitializer
  %234 = icmp eq <2 x i32> %233, <i32 32, i32 64>
  %235 = zext <2 x i1> %234 to <2 x i64>
  %236 = load <2 x i64>, ptr %22, align 8, !tbaa !7
  %237 = add nsw <2 x i64> %236, %235
  store <2 x i64> %237, ptr %22, align 8, !tbaa !7
  %238 = tail call i32 @LLVMIsNull(ptr noundef %200) #4
  %239 = sext i32 %238 to i64
  %240 = load i64, ptr %23, align 8, !tbaa !7
  %241 = add nsw i64 %240, %239
  store i64 %241, ptr %23, align 8, !tbaa !7
  %242 = getelementptr inbounds nuw i8, ptr %211, i64 8
  %243 = load ptr, ptr %242, align 8, !tbaa !21
  %244 = icmp eq ptr %200, %243
  %245 = zext i1 %244 to i64
  %246 = load i64, ptr %24, align 8, !tbaa !7
  %247 = add nsw i64 %246, %245
  store i64 %247, ptr %24, align 8, !tbaa !7
  br label %248

248:                                              ; preds = %231, %228, %203, %197
  %249 = phi i32 [ %198, %197 ], [ 1, %203 ], [ 1, %228 ], [ 1, %231 ]
  %250 = add nuw nsw i32 %199, 1
  %251 = icmp eq i32 %250, %193
  br i1 %251, label %195, label %197, !llvm.loop !22

252:                                              ; preds = %195
  %253 = getelementptr inbounds nuw i8, ptr @is_binary, i64 %141
  %254 = load i8, ptr %253, align 1, !tbaa !13
  %255 = icmp eq i8 %254, 0
  br i1 %255, label %256, label %260

256:                                              ; preds = %252
  %257 = tail call ptr @LLVMIsABinaryOperator(ptr noundef nonnull %133) #4, !callees !14
  %258 = icmp eq ptr %257, null
  %259 = select i1 %258, i8 1, i8 2
  store i8 %259, ptr %253, align 1, !tbaa !13
  br label %260

260:                                              ; preds = %256, %252
  %261 = phi i8 [ %259, %256 ], [ %254, %252 ]
  %262 = icmp eq i8 %261, 2
  %263 = zext i1 %262 to i64
  br label %264

264:                                              ; preds = %260, %195, %187
  %265 = phi i64 [ 0, %195 ], [ %263, %260 ], [ 0, %187 ]
  %266 = load i64, ptr %25, align 8, !tbaa !7
  %267 = add nsw i64 %266, %265
  store i64 %267, ptr %25, align 8, !tbaa !7
  %268 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %133) #4
  %269 = add nuw nsw i64 %132, 1
  %270 = icmp eq ptr %268, null
  br i1 %270, label %271, label %131, !llvm.loop !23

271:                                              ; preds = %264, %128
  %272 = phi i64 [ 0, %128 ], [ %179, %264 ]
  %273 = phi i64 [ 0, %128 ], [ %178, %264 ]
  %274 = phi i64 [ 0, %128 ], [ %269, %264 ]
  %275 = load i64, ptr %26, align 8, !tbaa !7
  %276 = add nsw i64 %275, %274
  store i64 %276, ptr %26, align 8, !tbaa !7
  %277 = add nsw i64 %274, -15
  %278 = icmp samesign ult i64 %274, 15
  %279 = icmp ult i64 %277, 486
  %280 = insertelement <2 x i1> poison, i1 %279, i64 0
  %281 = insertelement <2 x i1> %280, i1 %278, i64 1
  %282 = zext <2 x i1> %281 to <2 x i64>
  %283 = load <2 x i64>, ptr %27, align 8, !tbaa !7
  %284 = add nsw <2 x i64> %283, %282
  store <2 x i64> %284, ptr %27, align 8, !tbaa !7
  %285 = load i64, ptr %28, align 8, !tbaa !7
  %286 = add nsw i64 %285, %273
  store i64 %286, ptr %28, align 8, !tbaa !7
  %287 = icmp sgt i64 %273, 5
  %288 = add i64 %273, -1
  %289 = icmp ult i64 %288, 5
  %290 = insertelement <2 x i1> poison, i1 %287, i64 0
  %291 = insertelement <2 x i1> %290, i1 %289, i64 1
  %292 = zext <2 x i1> %291 to <2 x i64>
  %293 = load <2 x i64>, ptr %1, align 8, !tbaa !7
  %294 = add nsw <2 x i64> %293, %292
  store <2 x i64> %294, ptr %1, align 8, !tbaa !7
  %295 = icmp eq i64 %272, 0
  %296 = zext i1 %295 to i64
  %297 = load i64, ptr %29, align 8, !tbaa !7
  %298 = add nsw i64 %297, %296
  store i64 %298, ptr %29, align 8, !tbaa !7
  %299 = add i64 %272, -1
  %300 = icmp ult i64 %299, 3
  %301 = icmp sgt i64 %272, 3
  %302 = insertelement <2 x i1> poison, i1 %300, i64 0
  %303 = insertelement <2 x i1> %302, i1 %301, i64 1
  %304 = zext <2 x i1> %303 to <2 x i64>
  %305 = load <2 x i64>, ptr %30, align 8, !tbaa !7
  %306 = add nsw <2 x i64> %305, %304
  store <2 x i64> %306, ptr %30, align 8, !tbaa !7
  %307 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %41) #4
  %308 = icmp eq ptr %307, null
  br i1 %308, label %309, label %40, !llvm.loop !24

309:                                              ; preds = %271, %35, %31
  %310 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %32) #4
  %311 = icmp eq ptr %310, null
  br i1 %311, label %7, label %31, !llvm.loop !25

312:                                              ; preds = %334
  %313 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %314 = load i64, ptr %313, align 16, !tbaa !7
  %315 = getelementptr inbounds nuw i8, ptr %1, i64 120
  store i64 %314, ptr %315, align 8, !tbaa !7
  %316 = getelementptr inbounds nuw i8, ptr %3, i64 232
  %317 = load i64, ptr %316, align 8, !tbaa !7
  %318 = getelementptr inbounds nuw i8, ptr %3, i64 216
  %319 = load i64, ptr %318, align 8, !tbaa !7
  %320 = add nsw i64 %319, %317
  %321 = getelementptr inbounds nuw i8, ptr %3, i64 224
  %322 = load i64, ptr %321, align 16, !tbaa !7
  %323 = add nsw i64 %320, %322
  %324 = getelementptr inbounds nuw i8, ptr %3, i64 360
  %325 = load i64, ptr %324, align 8, !tbaa !7
  %326 = add nsw i64 %323, %325
  %327 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %328 = load i64, ptr %327, align 8, !tbaa !7
  %329 = add nsw i64 %326, %328
  %330 = getelementptr inbounds nuw i8, ptr %3, i64 208
  %331 = load i64, ptr %330, align 16, !tbaa !7
  %332 = add nsw i64 %329, %331
  %333 = getelementptr inbounds nuw i8, ptr %1, i64 416
  store i64 %332, ptr %333, align 8, !tbaa !7
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #4
  ret void

334:                                              ; preds = %346, %7
  %335 = phi i64 [ 0, %7 ], [ %357, %346 ]
  %336 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %335
  %337 = load i32, ptr %336, align 16, !tbaa !26
  %338 = sext i32 %337 to i64
  %339 = getelementptr inbounds i64, ptr %3, i64 %338
  %340 = load i64, ptr %339, align 8, !tbaa !7
  %341 = getelementptr inbounds nuw i8, ptr %336, i64 4
  %342 = load i32, ptr %341, align 4, !tbaa !28
  %343 = sext i32 %342 to i64
  %344 = getelementptr inbounds i64, ptr %1, i64 %343
  store i64 %340, ptr %344, align 8, !tbaa !7
  %345 = icmp eq i64 %335, 22
  br i1 %345, label %312, label %346, !llvm.loop !29

346:                                              ; preds = %334
  %347 = getelementptr inbounds nuw %struct.anon, ptr @OF_OPCODE, i64 %335
  %348 = getelementptr inbounds nuw i8, ptr %347, i64 8
  %349 = load i32, ptr %348, align 8, !tbaa !26
  %350 = sext i32 %349 to i64
  %351 = getelementptr inbounds i64, ptr %3, i64 %350
  %352 = load i64, ptr %351, align 8, !tbaa !7
  %353 = getelementptr inbounds nuw i8, ptr %347, i64 12
  %354 = load i32, ptr %353, align 4, !tbaa !28
  %355 = sext i32 %354 to i64
  %356 = getelementptr inbounds i64, ptr %1, i64 %355
  store i64 %352, ptr %356, align 8, !tbaa !7
  %357 = add nuw nsw i64 %335, 2
  br label %334
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

declare ptr @LLVMConstInt(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #3

declare i32 @LLVMGetIntTypeWidth(ptr noundef) local_unnamed_addr #3

declare i32 @LLVMIsNull(ptr noundef) local_unnamed_addr #3

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
!13 = !{!5, !5, i64 0}
!14 = !{ptr @LLVMIsABinaryOperator, ptr @LLVMIsAUnaryInstruction}
!15 = !{!16, !17, i64 0}
!16 = !{!"", !17, i64 0, !19, i64 8, !4, i64 16}
!17 = !{!"p1 _ZTS4Type", !18, i64 0}
!18 = !{!"any pointer", !5, i64 0}
!19 = !{!"p1 _ZTS5Value", !18, i64 0}
!20 = !{!16, !4, i64 16}
!21 = !{!16, !19, i64 8}
!22 = distinct !{!22, !10}
!23 = distinct !{!23, !10}
!24 = distinct !{!24, !10}
!25 = distinct !{!25, !10}
!26 = !{!27, !4, i64 0}
!27 = !{!"", !4, i64 0, !4, i64 4}
!28 = !{!27, !4, i64 4}
!29 = distinct !{!29, !10}
