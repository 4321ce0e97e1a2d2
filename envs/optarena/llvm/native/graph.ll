; ModuleID = 'graph.c'
source_filename = "graph.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Builder = type { ptr, %struct.PointerIndex, %struct.Table, i32, i32, i32 }
%struct.PointerIndex = type { ptr, ptr, i64, i64 }
%struct.Table = type { ptr, i64, i64 }

@add_row.nowhere = internal unnamed_addr global [7 x i64] zeroinitializer, align 16

; Function Attrs: mustprogress nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)
define dso_local void @optarena_graph_free(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr %0, align 8, !tbaa !7
  tail call void @free(ptr noundef %2)
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %4 = load ptr, ptr %3, align 8, !tbaa !13
  tail call void @free(ptr noundef %4)
  ret void
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #1

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_graph(ptr noundef %0, ptr noundef %1) local_unnamed_addr #2 {
  %3 = alloca %struct.Builder, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #10
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 40
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %4, i8 0, i64 40, i1 false)
  store ptr %1, ptr %3, align 8, !tbaa !14
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store i64 4096, ptr %6, align 8, !tbaa !20
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  store i64 0, ptr %7, align 8, !tbaa !21
  %8 = tail call dereferenceable_or_null(32768) ptr @calloc(i64 noundef 4096, i64 noundef 8) #11
  store ptr %8, ptr %5, align 8, !tbaa !22
  %9 = tail call dereferenceable_or_null(16384) ptr @malloc(i64 noundef 16384) #12
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store ptr %9, ptr %10, align 8, !tbaa !23
  %11 = icmp eq ptr %8, null
  %12 = icmp eq ptr %9, null
  %13 = or i1 %11, %12
  br i1 %13, label %14, label %15

14:                                               ; preds = %2
  tail call void @free(ptr noundef %8)
  tail call void @free(ptr noundef %9)
  br label %526

15:                                               ; preds = %2
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %17 = load i64, ptr %16, align 8, !tbaa !24
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %19 = load i64, ptr %18, align 8, !tbaa !25
  %20 = icmp eq i64 %17, %19
  %21 = load ptr, ptr %1, align 8, !tbaa !26
  br i1 %20, label %22, label %33

22:                                               ; preds = %15
  %23 = icmp eq i64 %17, 0
  %24 = shl nsw i64 %17, 1
  %25 = select i1 %23, i64 1024, i64 %24
  %26 = mul i64 %25, 56
  %27 = tail call ptr @realloc(ptr noundef %21, i64 noundef %26) #13
  %28 = icmp eq ptr %27, null
  %29 = zext i1 %28 to i32
  %30 = getelementptr inbounds nuw i8, ptr %3, i64 72
  store i32 %29, ptr %30, align 8, !tbaa !27
  br i1 %28, label %39, label %31

31:                                               ; preds = %22
  store ptr %27, ptr %1, align 8, !tbaa !26
  store i64 %25, ptr %18, align 8, !tbaa !25
  %32 = load i64, ptr %16, align 8, !tbaa !28
  br label %33

33:                                               ; preds = %31, %15
  %34 = phi i64 [ %32, %31 ], [ %17, %15 ]
  %35 = phi ptr [ %27, %31 ], [ %21, %15 ]
  %36 = add nsw i64 %34, 1
  store i64 %36, ptr %16, align 8, !tbaa !28
  %37 = mul nsw i64 %34, 56
  %38 = getelementptr inbounds i8, ptr %35, i64 %37
  br label %39

39:                                               ; preds = %22, %33
  %40 = phi ptr [ %38, %33 ], [ @add_row.nowhere, %22 ]
  store i64 3, ptr %40, align 8, !tbaa !29
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %42 = getelementptr inbounds nuw i8, ptr %40, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %41, i8 0, i64 24, i1 false)
  %43 = getelementptr inbounds nuw i8, ptr %40, i64 48
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %42, i8 -1, i64 16, i1 false)
  store i64 0, ptr %43, align 8, !tbaa !29
  %44 = getelementptr inbounds nuw i8, ptr %3, i64 68
  store i32 0, ptr %44, align 4, !tbaa !30
  %45 = getelementptr inbounds nuw i8, ptr %3, i64 64
  store i32 0, ptr %45, align 8, !tbaa !31
  %46 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #10
  %47 = getelementptr inbounds nuw i8, ptr %3, i64 72
  %48 = icmp eq ptr %46, null
  br i1 %48, label %187, label %49

49:                                               ; preds = %39
  %50 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %51 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %52 = getelementptr inbounds nuw i8, ptr %3, i64 56
  br label %53

53:                                               ; preds = %182, %49
  %54 = phi i32 [ 0, %49 ], [ %184, %182 ]
  %55 = phi ptr [ %46, %49 ], [ %185, %182 ]
  %56 = load i32, ptr %47, align 8, !tbaa !27
  %57 = icmp eq i32 %56, 0
  br i1 %57, label %58, label %187

58:                                               ; preds = %53
  %59 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %55) #10
  %60 = icmp eq i32 %59, 0
  br i1 %60, label %119, label %61

61:                                               ; preds = %58
  %62 = load i64, ptr %51, align 8, !tbaa !28
  %63 = load i64, ptr %52, align 8, !tbaa !25
  %64 = icmp eq i64 %62, %63
  %65 = load ptr, ptr %50, align 8, !tbaa !26
  br i1 %64, label %66, label %75

66:                                               ; preds = %61
  %67 = icmp eq i64 %62, 0
  %68 = shl nsw i64 %62, 1
  %69 = select i1 %67, i64 1024, i64 %68
  %70 = shl i64 %69, 4
  %71 = tail call ptr @realloc(ptr noundef %65, i64 noundef %70) #13
  %72 = icmp eq ptr %71, null
  %73 = zext i1 %72 to i32
  store i32 %73, ptr %47, align 8, !tbaa !27
  br i1 %72, label %80, label %74

74:                                               ; preds = %66
  store ptr %71, ptr %50, align 8, !tbaa !26
  store i64 %69, ptr %52, align 8, !tbaa !25
  br label %75

75:                                               ; preds = %74, %61
  %76 = phi ptr [ %71, %74 ], [ %65, %61 ]
  %77 = add nsw i64 %62, 1
  store i64 %77, ptr %51, align 8, !tbaa !28
  %78 = shl nsw i64 %62, 4
  %79 = getelementptr inbounds i8, ptr %76, i64 %78
  br label %80

80:                                               ; preds = %75, %66
  %81 = phi i32 [ 0, %75 ], [ 1, %66 ]
  %82 = phi ptr [ %79, %75 ], [ @add_row.nowhere, %66 ]
  %83 = sext i32 %54 to i64
  store i64 %83, ptr %82, align 8, !tbaa !29
  %84 = load ptr, ptr %3, align 8, !tbaa !14
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 8
  %86 = load i64, ptr %85, align 8, !tbaa !24
  %87 = getelementptr inbounds nuw i8, ptr %84, i64 16
  %88 = load i64, ptr %87, align 8, !tbaa !25
  %89 = icmp eq i64 %86, %88
  %90 = load ptr, ptr %84, align 8, !tbaa !26
  br i1 %89, label %91, label %102

91:                                               ; preds = %80
  %92 = icmp eq i64 %86, 0
  %93 = shl nsw i64 %86, 1
  %94 = select i1 %92, i64 1024, i64 %93
  %95 = mul i64 %94, 56
  %96 = tail call ptr @realloc(ptr noundef %90, i64 noundef %95) #13
  %97 = icmp eq ptr %96, null
  %98 = zext i1 %97 to i32
  %99 = or i32 %81, %98
  store i32 %99, ptr %47, align 8, !tbaa !27
  br i1 %97, label %108, label %100

100:                                              ; preds = %91
  store ptr %96, ptr %84, align 8, !tbaa !26
  store i64 %94, ptr %87, align 8, !tbaa !25
  %101 = load i64, ptr %85, align 8, !tbaa !28
  br label %102

102:                                              ; preds = %100, %80
  %103 = phi i64 [ %101, %100 ], [ %86, %80 ]
  %104 = phi ptr [ %96, %100 ], [ %90, %80 ]
  %105 = add nsw i64 %103, 1
  store i64 %105, ptr %85, align 8, !tbaa !28
  %106 = mul nsw i64 %103, 56
  %107 = getelementptr inbounds i8, ptr %104, i64 %106
  br label %108

108:                                              ; preds = %102, %91
  %109 = phi ptr [ %107, %102 ], [ @add_row.nowhere, %91 ]
  store i64 4, ptr %109, align 8, !tbaa !29
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %111 = getelementptr inbounds nuw i8, ptr %109, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %110, i8 0, i64 24, i1 false)
  store i64 %83, ptr %111, align 8, !tbaa !29
  %112 = getelementptr inbounds nuw i8, ptr %109, i64 40
  store i64 -1, ptr %112, align 8, !tbaa !29
  %113 = trunc i64 %86 to i32
  %114 = getelementptr inbounds nuw i8, ptr %109, i64 48
  store i64 0, ptr %114, align 8, !tbaa !29
  %115 = shl i64 %86, 32
  %116 = ashr exact i64 %115, 32
  %117 = getelementptr inbounds nuw i8, ptr %82, i64 8
  store i64 %116, ptr %117, align 8, !tbaa !29
  %118 = getelementptr inbounds nuw i8, ptr %55, i64 1
  call fastcc void @remember(ptr noundef nonnull %3, ptr noundef nonnull %118, i32 noundef %113)
  br label %182

119:                                              ; preds = %58
  %120 = getelementptr inbounds nuw i8, ptr %55, i64 1
  %121 = load ptr, ptr %3, align 8, !tbaa !14
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 8
  %123 = load i64, ptr %122, align 8, !tbaa !24
  %124 = trunc i64 %123 to i32
  call fastcc void @remember(ptr noundef nonnull %3, ptr noundef nonnull %120, i32 noundef %124)
  %125 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %55) #10
  %126 = icmp eq ptr %125, null
  br i1 %126, label %182, label %127

127:                                              ; preds = %119, %177
  %128 = phi ptr [ %180, %177 ], [ %125, %119 ]
  %129 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %128) #10
  %130 = icmp eq ptr %129, null
  br i1 %130, label %133, label %137

131:                                              ; preds = %145
  %132 = sext i32 %143 to i64
  br label %133

133:                                              ; preds = %131, %127
  %134 = phi i64 [ -1, %127 ], [ %132, %131 ]
  %135 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %128) #10
  %136 = icmp eq ptr %135, null
  br i1 %136, label %177, label %148

137:                                              ; preds = %127, %145
  %138 = phi i32 [ %143, %145 ], [ -1, %127 ]
  %139 = phi ptr [ %146, %145 ], [ %129, %127 ]
  %140 = icmp slt i32 %138, 0
  %141 = load i32, ptr %45, align 8, !tbaa !31
  %142 = load i32, ptr %44, align 4, !tbaa !30
  %143 = call fastcc i32 @add_node(ptr noundef nonnull %3, ptr noundef nonnull %139, i32 noundef 0, i32 noundef %141, i32 noundef %142)
  call fastcc void @remember(ptr noundef nonnull %3, ptr noundef nonnull %139, i32 noundef %143)
  br i1 %140, label %144, label %145

144:                                              ; preds = %137
  call fastcc void @remember(ptr noundef nonnull %3, ptr noundef nonnull %128, i32 noundef %143)
  br label %145

145:                                              ; preds = %144, %137
  %146 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %139) #10
  %147 = icmp eq ptr %146, null
  br i1 %147, label %131, label %137, !llvm.loop !32

148:                                              ; preds = %133
  %149 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %135) #10
  %150 = icmp eq i32 %149, 0
  br i1 %150, label %151, label %177

151:                                              ; preds = %148
  %152 = load i64, ptr %51, align 8, !tbaa !28
  %153 = load i64, ptr %52, align 8, !tbaa !25
  %154 = icmp eq i64 %152, %153
  %155 = load ptr, ptr %50, align 8, !tbaa !26
  br i1 %154, label %156, label %167

156:                                              ; preds = %151
  %157 = icmp eq i64 %152, 0
  %158 = shl nsw i64 %152, 1
  %159 = select i1 %157, i64 1024, i64 %158
  %160 = shl i64 %159, 4
  %161 = tail call ptr @realloc(ptr noundef %155, i64 noundef %160) #13
  %162 = icmp eq ptr %161, null
  %163 = zext i1 %162 to i32
  %164 = load i32, ptr %47, align 8, !tbaa !27
  %165 = or i32 %164, %163
  store i32 %165, ptr %47, align 8, !tbaa !27
  br i1 %162, label %172, label %166

166:                                              ; preds = %156
  store ptr %161, ptr %50, align 8, !tbaa !26
  store i64 %159, ptr %52, align 8, !tbaa !25
  br label %167

167:                                              ; preds = %166, %151
  %168 = phi ptr [ %161, %166 ], [ %155, %151 ]
  %169 = add nsw i64 %152, 1
  store i64 %169, ptr %51, align 8, !tbaa !28
  %170 = shl nsw i64 %152, 4
  %171 = getelementptr inbounds i8, ptr %168, i64 %170
  br label %172

172:                                              ; preds = %167, %156
  %173 = phi ptr [ %171, %167 ], [ @add_row.nowhere, %156 ]
  %174 = load i32, ptr %45, align 8, !tbaa !31
  %175 = sext i32 %174 to i64
  store i64 %175, ptr %173, align 8, !tbaa !29
  %176 = getelementptr inbounds nuw i8, ptr %173, i64 8
  store i64 %134, ptr %176, align 8, !tbaa !29
  br label %177

177:                                              ; preds = %172, %148, %133
  %178 = load i32, ptr %44, align 4, !tbaa !30
  %179 = add nsw i32 %178, 1
  store i32 %179, ptr %44, align 4, !tbaa !30
  %180 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %128) #10
  %181 = icmp eq ptr %180, null
  br i1 %181, label %182, label %127, !llvm.loop !34

182:                                              ; preds = %177, %119, %108
  %183 = load i32, ptr %45, align 8, !tbaa !31
  %184 = add nsw i32 %183, 1
  store i32 %184, ptr %45, align 8, !tbaa !31
  %185 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %55) #10
  %186 = icmp eq ptr %185, null
  br i1 %186, label %187, label %53, !llvm.loop !35

187:                                              ; preds = %53, %182, %39
  store i32 0, ptr %45, align 8, !tbaa !31
  %188 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #10
  %189 = icmp ne ptr %188, null
  %190 = load i32, ptr %47, align 8
  %191 = icmp eq i32 %190, 0
  %192 = select i1 %189, i1 %191, i1 false
  br i1 %192, label %199, label %193

193:                                              ; preds = %398, %187
  %194 = phi i32 [ %190, %187 ], [ %399, %398 ]
  %195 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #10
  %196 = icmp ne ptr %195, null
  %197 = icmp eq i32 %194, 0
  %198 = select i1 %196, i1 %197, i1 false
  br i1 %198, label %413, label %406

199:                                              ; preds = %187, %398
  %200 = phi i32 [ %399, %398 ], [ 0, %187 ]
  %201 = phi i32 [ %402, %398 ], [ 0, %187 ]
  %202 = phi ptr [ %403, %398 ], [ %188, %187 ]
  %203 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %202) #10
  %204 = icmp eq i32 %203, 0
  br i1 %204, label %205, label %398

205:                                              ; preds = %199
  %206 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %202) #10
  %207 = icmp eq ptr %206, null
  br i1 %207, label %398, label %208

208:                                              ; preds = %205, %295
  %209 = phi ptr [ %296, %295 ], [ %206, %205 ]
  %210 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %209) #10
  %211 = icmp eq ptr %210, null
  br i1 %211, label %217, label %212

212:                                              ; preds = %208, %391
  %213 = phi ptr [ %392, %391 ], [ %210, %208 ]
  %214 = phi i32 [ %320, %391 ], [ -1, %208 ]
  %215 = load i32, ptr %47, align 8, !tbaa !27
  %216 = icmp eq i32 %215, 0
  br i1 %216, label %298, label %217

217:                                              ; preds = %391, %212, %208
  %218 = phi i32 [ -1, %208 ], [ %214, %212 ], [ %320, %391 ]
  %219 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %209) #10
  %220 = icmp eq ptr %219, null
  br i1 %220, label %295, label %221

221:                                              ; preds = %217
  %222 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %219) #10
  %223 = icmp eq i32 %222, 0
  br i1 %223, label %295, label %224

224:                                              ; preds = %221
  %225 = zext nneg i32 %218 to i64
  %226 = load i32, ptr %47, align 8
  %227 = load i64, ptr %6, align 8
  %228 = add i64 %227, -1
  %229 = load ptr, ptr %5, align 8
  %230 = load ptr, ptr %10, align 8
  %231 = load ptr, ptr %3, align 8
  %232 = getelementptr inbounds nuw i8, ptr %231, i64 24
  %233 = getelementptr inbounds nuw i8, ptr %231, i64 32
  %234 = getelementptr inbounds nuw i8, ptr %231, i64 40
  br label %235

235:                                              ; preds = %290, %224
  %236 = phi i32 [ %226, %224 ], [ %291, %290 ]
  %237 = phi i32 [ 0, %224 ], [ %292, %290 ]
  %238 = tail call ptr @LLVMGetSuccessor(ptr noundef nonnull %219, i32 noundef %237) #10
  %239 = ptrtoint ptr %238 to i64
  %240 = mul i64 %239, -7046029254386353131
  %241 = lshr i64 %240, 32
  br label %242

242:                                              ; preds = %242, %235
  %243 = phi i64 [ %241, %235 ], [ %250, %242 ]
  %244 = and i64 %243, %228
  %245 = getelementptr inbounds nuw i64, ptr %229, i64 %244
  %246 = load i64, ptr %245, align 8, !tbaa !36
  %247 = icmp eq i64 %246, 0
  %248 = icmp eq i64 %246, %239
  %249 = or i1 %247, %248
  %250 = add i64 %244, 1
  br i1 %249, label %251, label %242, !llvm.loop !37

251:                                              ; preds = %242
  br i1 %247, label %255, label %252

252:                                              ; preds = %251
  %253 = getelementptr inbounds nuw i32, ptr %230, i64 %244
  %254 = load i32, ptr %253, align 4, !tbaa !3
  br label %255

255:                                              ; preds = %252, %251
  %256 = phi i32 [ %254, %252 ], [ -1, %251 ]
  %257 = or i32 %256, %218
  %258 = icmp sgt i32 %257, -1
  br i1 %258, label %259, label %290

259:                                              ; preds = %255
  %260 = load i64, ptr %233, align 8, !tbaa !28
  %261 = load i64, ptr %234, align 8, !tbaa !25
  %262 = icmp eq i64 %260, %261
  %263 = load ptr, ptr %232, align 8, !tbaa !26
  br i1 %262, label %264, label %275

264:                                              ; preds = %259
  %265 = icmp eq i64 %260, 0
  %266 = shl nsw i64 %260, 1
  %267 = select i1 %265, i64 1024, i64 %266
  %268 = shl i64 %267, 5
  %269 = tail call ptr @realloc(ptr noundef %263, i64 noundef %268) #13
  %270 = icmp eq ptr %269, null
  %271 = zext i1 %270 to i32
  %272 = or i32 %236, %271
  br i1 %270, label %282, label %273

273:                                              ; preds = %264
  store ptr %269, ptr %232, align 8, !tbaa !26
  store i64 %267, ptr %234, align 8, !tbaa !25
  %274 = load i64, ptr %233, align 8, !tbaa !28
  br label %275

275:                                              ; preds = %273, %259
  %276 = phi i32 [ %272, %273 ], [ %236, %259 ]
  %277 = phi i64 [ %274, %273 ], [ %260, %259 ]
  %278 = phi ptr [ %269, %273 ], [ %263, %259 ]
  %279 = add nsw i64 %277, 1
  store i64 %279, ptr %233, align 8, !tbaa !28
  %280 = shl nsw i64 %277, 5
  %281 = getelementptr inbounds i8, ptr %278, i64 %280
  br label %282

282:                                              ; preds = %275, %264
  %283 = phi i32 [ %276, %275 ], [ %272, %264 ]
  %284 = phi ptr [ %281, %275 ], [ @add_row.nowhere, %264 ]
  store i64 %225, ptr %284, align 8, !tbaa !29
  %285 = zext nneg i32 %256 to i64
  %286 = getelementptr inbounds nuw i8, ptr %284, i64 8
  store i64 %285, ptr %286, align 8, !tbaa !29
  %287 = getelementptr inbounds nuw i8, ptr %284, i64 16
  store i64 0, ptr %287, align 8, !tbaa !29
  %288 = sext i32 %237 to i64
  %289 = getelementptr inbounds nuw i8, ptr %284, i64 24
  store i64 %288, ptr %289, align 8, !tbaa !29
  br label %290

290:                                              ; preds = %282, %255
  %291 = phi i32 [ %283, %282 ], [ %236, %255 ]
  %292 = add nuw i32 %237, 1
  %293 = icmp eq i32 %292, %222
  br i1 %293, label %294, label %235, !llvm.loop !38

294:                                              ; preds = %290
  store i32 %291, ptr %47, align 8
  br label %295

295:                                              ; preds = %294, %221, %217
  %296 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %209) #10
  %297 = icmp eq ptr %296, null
  br i1 %297, label %394, label %208, !llvm.loop !39

298:                                              ; preds = %212
  %299 = ptrtoint ptr %213 to i64
  %300 = mul i64 %299, -7046029254386353131
  %301 = lshr i64 %300, 32
  %302 = load i64, ptr %6, align 8, !tbaa !20
  %303 = add i64 %302, -1
  %304 = load ptr, ptr %5, align 8, !tbaa !22
  br label %305

305:                                              ; preds = %305, %298
  %306 = phi i64 [ %301, %298 ], [ %313, %305 ]
  %307 = and i64 %306, %303
  %308 = getelementptr inbounds nuw i64, ptr %304, i64 %307
  %309 = load i64, ptr %308, align 8, !tbaa !36
  %310 = icmp eq i64 %309, 0
  %311 = icmp eq i64 %309, %299
  %312 = or i1 %310, %311
  %313 = add i64 %307, 1
  br i1 %312, label %314, label %305, !llvm.loop !37

314:                                              ; preds = %305
  br i1 %310, label %319, label %315

315:                                              ; preds = %314
  %316 = load ptr, ptr %10, align 8, !tbaa !23
  %317 = getelementptr inbounds nuw i32, ptr %316, i64 %307
  %318 = load i32, ptr %317, align 4, !tbaa !3
  br label %319

319:                                              ; preds = %315, %314
  %320 = phi i32 [ %318, %315 ], [ -1, %314 ]
  %321 = or i32 %320, %214
  %322 = icmp sgt i32 %321, -1
  br i1 %322, label %323, label %354

323:                                              ; preds = %319
  %324 = load ptr, ptr %3, align 8, !tbaa !14
  %325 = getelementptr inbounds nuw i8, ptr %324, i64 24
  %326 = getelementptr inbounds nuw i8, ptr %324, i64 32
  %327 = load i64, ptr %326, align 8, !tbaa !28
  %328 = getelementptr inbounds nuw i8, ptr %324, i64 40
  %329 = load i64, ptr %328, align 8, !tbaa !25
  %330 = icmp eq i64 %327, %329
  %331 = load ptr, ptr %325, align 8, !tbaa !26
  br i1 %330, label %332, label %342

332:                                              ; preds = %323
  %333 = icmp eq i64 %327, 0
  %334 = shl nsw i64 %327, 1
  %335 = select i1 %333, i64 1024, i64 %334
  %336 = shl i64 %335, 5
  %337 = tail call ptr @realloc(ptr noundef %331, i64 noundef %336) #13
  %338 = icmp eq ptr %337, null
  %339 = zext i1 %338 to i32
  store i32 %339, ptr %47, align 8, !tbaa !27
  br i1 %338, label %348, label %340

340:                                              ; preds = %332
  store ptr %337, ptr %325, align 8, !tbaa !26
  store i64 %335, ptr %328, align 8, !tbaa !25
  %341 = load i64, ptr %326, align 8, !tbaa !28
  br label %342

342:                                              ; preds = %340, %323
  %343 = phi i64 [ %341, %340 ], [ %327, %323 ]
  %344 = phi ptr [ %337, %340 ], [ %331, %323 ]
  %345 = add nsw i64 %343, 1
  store i64 %345, ptr %326, align 8, !tbaa !28
  %346 = shl nsw i64 %343, 5
  %347 = getelementptr inbounds i8, ptr %344, i64 %346
  br label %348

348:                                              ; preds = %342, %332
  %349 = phi ptr [ %347, %342 ], [ @add_row.nowhere, %332 ]
  %350 = zext nneg i32 %214 to i64
  store i64 %350, ptr %349, align 8, !tbaa !29
  %351 = zext nneg i32 %320 to i64
  %352 = getelementptr inbounds nuw i8, ptr %349, i64 8
  store i64 %351, ptr %352, align 8, !tbaa !29
  %353 = getelementptr inbounds nuw i8, ptr %349, i64 16
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %353, i8 0, i64 16, i1 false)
  br label %354

354:                                              ; preds = %348, %319
  %355 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %213) #10
  %356 = and i32 %355, -2
  %357 = icmp eq i32 %356, 70
  %358 = select i1 %357, i32 2, i32 %355
  %359 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %213) #10
  switch i32 %358, label %371 [
    i32 67, label %360
    i32 45, label %360
    i32 5, label %360
  ]

360:                                              ; preds = %354, %354, %354
  %361 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %213) #10
  %362 = tail call ptr @LLVMIsAFunction(ptr noundef %361) #10
  %363 = icmp eq ptr %362, null
  br i1 %363, label %371, label %364

364:                                              ; preds = %360
  %365 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %361) #10
  %366 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %213) #10
  %367 = icmp eq ptr %365, %366
  %368 = icmp ne ptr %361, null
  %369 = and i1 %368, %367
  %370 = sext i1 %369 to i32
  br label %371

371:                                              ; preds = %364, %360, %354
  %372 = phi i32 [ 0, %354 ], [ %370, %364 ], [ 0, %360 ]
  %373 = add i32 %372, %359
  %374 = icmp sgt i32 %373, 0
  br i1 %374, label %380, label %375

375:                                              ; preds = %380, %371
  %376 = icmp eq i32 %358, 3
  br i1 %376, label %377, label %391

377:                                              ; preds = %375
  %378 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %213) #10
  %379 = icmp ugt i32 %378, 1
  br i1 %379, label %385, label %391

380:                                              ; preds = %371, %380
  %381 = phi i32 [ %383, %380 ], [ 0, %371 ]
  %382 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %213, i32 noundef %381) #10
  call fastcc void @add_data(ptr noundef nonnull %3, ptr noundef %382, i32 noundef %320, i32 noundef %381)
  %383 = add nuw nsw i32 %381, 1
  %384 = icmp eq i32 %383, %373
  br i1 %384, label %375, label %380, !llvm.loop !40

385:                                              ; preds = %377, %385
  %386 = phi i32 [ %388, %385 ], [ 1, %377 ]
  %387 = tail call ptr @LLVMGetSwitchCaseValue(ptr noundef nonnull %213, i32 noundef %386) #10
  %388 = add nuw i32 %386, 1
  call fastcc void @add_data(ptr noundef nonnull %3, ptr noundef %387, i32 noundef %320, i32 noundef %388)
  %389 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %213) #10
  %390 = icmp ult i32 %388, %389
  br i1 %390, label %385, label %391, !llvm.loop !41

391:                                              ; preds = %385, %377, %375
  %392 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %213) #10
  %393 = icmp eq ptr %392, null
  br i1 %393, label %217, label %212, !llvm.loop !42

394:                                              ; preds = %295
  %395 = load i32, ptr %45, align 8, !tbaa !31
  %396 = load i32, ptr %47, align 8
  %397 = icmp eq i32 %396, 0
  br label %398

398:                                              ; preds = %394, %205, %199
  %399 = phi i32 [ %396, %394 ], [ %200, %205 ], [ %200, %199 ]
  %400 = phi i1 [ %397, %394 ], [ true, %205 ], [ true, %199 ]
  %401 = phi i32 [ %395, %394 ], [ %201, %205 ], [ %201, %199 ]
  %402 = add nsw i32 %401, 1
  store i32 %402, ptr %45, align 8, !tbaa !31
  %403 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %202) #10
  %404 = icmp ne ptr %403, null
  %405 = select i1 %404, i1 %400, i1 false
  br i1 %405, label %199, label %193, !llvm.loop !43

406:                                              ; preds = %520, %193
  %407 = phi i1 [ %197, %193 ], [ %524, %520 ]
  %408 = load ptr, ptr %5, align 8, !tbaa !22
  tail call void @free(ptr noundef %408)
  %409 = load ptr, ptr %10, align 8, !tbaa !23
  tail call void @free(ptr noundef %409)
  %410 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %411 = load ptr, ptr %410, align 8, !tbaa !44
  tail call void @free(ptr noundef %411)
  %412 = zext i1 %407 to i32
  br label %526

413:                                              ; preds = %193, %520
  %414 = phi ptr [ %521, %520 ], [ %195, %193 ]
  %415 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %414) #10
  %416 = icmp eq i32 %415, 0
  br i1 %416, label %417, label %520

417:                                              ; preds = %413
  %418 = tail call i32 @LLVMGetLinkage(ptr noundef nonnull %414) #10
  %419 = add i32 %418, -10
  %420 = icmp ult i32 %419, -2
  br i1 %420, label %421, label %445

421:                                              ; preds = %417
  %422 = getelementptr inbounds nuw i8, ptr %414, i64 1
  %423 = ptrtoint ptr %422 to i64
  %424 = mul i64 %423, -7046029254386353131
  %425 = lshr i64 %424, 32
  %426 = load i64, ptr %6, align 8, !tbaa !20
  %427 = add i64 %426, -1
  %428 = load ptr, ptr %5, align 8, !tbaa !22
  br label %429

429:                                              ; preds = %429, %421
  %430 = phi i64 [ %425, %421 ], [ %437, %429 ]
  %431 = and i64 %430, %427
  %432 = getelementptr inbounds nuw i64, ptr %428, i64 %431
  %433 = load i64, ptr %432, align 8, !tbaa !36
  %434 = icmp eq i64 %433, 0
  %435 = icmp eq i64 %433, %423
  %436 = or i1 %434, %435
  %437 = add i64 %431, 1
  br i1 %436, label %438, label %429, !llvm.loop !37

438:                                              ; preds = %429
  br i1 %434, label %443, label %439

439:                                              ; preds = %438
  %440 = load ptr, ptr %10, align 8, !tbaa !23
  %441 = getelementptr inbounds nuw i32, ptr %440, i64 %431
  %442 = load i32, ptr %441, align 4, !tbaa !3
  br label %443

443:                                              ; preds = %439, %438
  %444 = phi i32 [ %442, %439 ], [ -1, %438 ]
  call fastcc void @add_call(ptr noundef nonnull %3, i32 noundef 0, i32 noundef %444)
  br label %445

445:                                              ; preds = %443, %417
  %446 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %414) #10
  %447 = icmp eq ptr %446, null
  br i1 %447, label %520, label %448

448:                                              ; preds = %445, %456
  %449 = phi ptr [ %457, %456 ], [ %446, %445 ]
  %450 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %449) #10
  %451 = icmp eq ptr %450, null
  br i1 %451, label %456, label %452

452:                                              ; preds = %448, %517
  %453 = phi ptr [ %518, %517 ], [ %450, %448 ]
  %454 = load i32, ptr %47, align 8, !tbaa !27
  %455 = icmp eq i32 %454, 0
  br i1 %455, label %459, label %456

456:                                              ; preds = %517, %452, %448
  %457 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %449) #10
  %458 = icmp eq ptr %457, null
  br i1 %458, label %520, label %448, !llvm.loop !45

459:                                              ; preds = %452
  %460 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %453) #10
  %461 = and i32 %460, -2
  %462 = icmp eq i32 %461, 70
  %463 = select i1 %462, i32 2, i32 %460
  switch i32 %463, label %517 [
    i32 67, label %464
    i32 45, label %464
    i32 5, label %464
  ]

464:                                              ; preds = %459, %459, %459
  %465 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %453) #10
  %466 = tail call ptr @LLVMIsAFunction(ptr noundef %465) #10
  %467 = icmp eq ptr %466, null
  br i1 %467, label %517, label %468

468:                                              ; preds = %464
  %469 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %465) #10
  %470 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %453) #10
  %471 = icmp ne ptr %469, %470
  %472 = icmp eq ptr %465, null
  %473 = or i1 %472, %471
  br i1 %473, label %517, label %474

474:                                              ; preds = %468
  %475 = ptrtoint ptr %453 to i64
  %476 = mul i64 %475, -7046029254386353131
  %477 = lshr i64 %476, 32
  %478 = load i64, ptr %6, align 8, !tbaa !20
  %479 = add i64 %478, -1
  %480 = load ptr, ptr %5, align 8, !tbaa !22
  br label %481

481:                                              ; preds = %481, %474
  %482 = phi i64 [ %477, %474 ], [ %489, %481 ]
  %483 = and i64 %482, %479
  %484 = getelementptr inbounds nuw i64, ptr %480, i64 %483
  %485 = load i64, ptr %484, align 8, !tbaa !36
  %486 = icmp eq i64 %485, 0
  %487 = icmp eq i64 %485, %475
  %488 = or i1 %486, %487
  %489 = add i64 %483, 1
  br i1 %488, label %490, label %481, !llvm.loop !37

490:                                              ; preds = %481
  br i1 %486, label %495, label %491

491:                                              ; preds = %490
  %492 = load ptr, ptr %10, align 8, !tbaa !23
  %493 = getelementptr inbounds nuw i32, ptr %492, i64 %483
  %494 = load i32, ptr %493, align 4, !tbaa !3
  br label %495

495:                                              ; preds = %491, %490
  %496 = phi i32 [ %494, %491 ], [ -1, %490 ]
  %497 = getelementptr inbounds nuw i8, ptr %465, i64 1
  %498 = ptrtoint ptr %497 to i64
  %499 = mul i64 %498, -7046029254386353131
  %500 = lshr i64 %499, 32
  br label %501

501:                                              ; preds = %501, %495
  %502 = phi i64 [ %500, %495 ], [ %509, %501 ]
  %503 = and i64 %502, %479
  %504 = getelementptr inbounds nuw i64, ptr %480, i64 %503
  %505 = load i64, ptr %504, align 8, !tbaa !36
  %506 = icmp eq i64 %505, 0
  %507 = icmp eq i64 %505, %498
  %508 = or i1 %506, %507
  %509 = add i64 %503, 1
  br i1 %508, label %510, label %501, !llvm.loop !37

510:                                              ; preds = %501
  br i1 %506, label %515, label %511

511:                                              ; preds = %510
  %512 = load ptr, ptr %10, align 8, !tbaa !23
  %513 = getelementptr inbounds nuw i32, ptr %512, i64 %503
  %514 = load i32, ptr %513, align 4, !tbaa !3
  br label %515

515:                                              ; preds = %511, %510
  %516 = phi i32 [ %514, %511 ], [ -1, %510 ]
  call fastcc void @add_call(ptr noundef nonnull %3, i32 noundef %496, i32 noundef %516)
  br label %517

517:                                              ; preds = %515, %468, %464, %459
  %518 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %453) #10
  %519 = icmp eq ptr %518, null
  br i1 %519, label %456, label %452, !llvm.loop !46

520:                                              ; preds = %456, %445, %413
  %521 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %414) #10
  %522 = icmp ne ptr %521, null
  %523 = load i32, ptr %47, align 8
  %524 = icmp eq i32 %523, 0
  %525 = select i1 %522, i1 %524, i1 false
  br i1 %525, label %413, label %406, !llvm.loop !47

526:                                              ; preds = %406, %14
  %527 = phi i32 [ %412, %406 ], [ 0, %14 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret i32 %527
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: nounwind
define internal fastcc i32 @add_node(ptr noundef nonnull captures(none) %0, ptr noundef %1, i32 noundef range(i32 0, 5) %2, i32 noundef %3, i32 noundef %4) unnamed_addr #2 {
  %6 = load ptr, ptr %0, align 8, !tbaa !14
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !24
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %10 = load i64, ptr %9, align 8, !tbaa !25
  %11 = icmp eq i64 %8, %10
  %12 = load ptr, ptr %6, align 8, !tbaa !26
  br i1 %11, label %13, label %26

13:                                               ; preds = %5
  %14 = icmp eq i64 %8, 0
  %15 = shl nsw i64 %8, 1
  %16 = select i1 %14, i64 1024, i64 %15
  %17 = mul i64 %16, 56
  %18 = tail call ptr @realloc(ptr noundef %12, i64 noundef %17) #13
  %19 = icmp eq ptr %18, null
  %20 = zext i1 %19 to i32
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %22 = load i32, ptr %21, align 8, !tbaa !27
  %23 = or i32 %22, %20
  store i32 %23, ptr %21, align 8, !tbaa !27
  br i1 %19, label %32, label %24

24:                                               ; preds = %13
  store ptr %18, ptr %6, align 8, !tbaa !26
  store i64 %16, ptr %9, align 8, !tbaa !25
  %25 = load i64, ptr %7, align 8, !tbaa !28
  br label %26

26:                                               ; preds = %24, %5
  %27 = phi i64 [ %25, %24 ], [ %8, %5 ]
  %28 = phi ptr [ %18, %24 ], [ %12, %5 ]
  %29 = add nsw i64 %27, 1
  store i64 %29, ptr %7, align 8, !tbaa !28
  %30 = mul nsw i64 %27, 56
  %31 = getelementptr inbounds i8, ptr %28, i64 %30
  br label %32

32:                                               ; preds = %13, %26
  %33 = phi ptr [ %31, %26 ], [ @add_row.nowhere, %13 ]
  %34 = icmp eq ptr %1, null
  br i1 %34, label %43, label %35

35:                                               ; preds = %32
  %36 = tail call ptr @LLVMTypeOf(ptr noundef nonnull %1) #10
  %37 = icmp eq ptr %36, null
  br i1 %37, label %43, label %38

38:                                               ; preds = %35
  %39 = tail call i32 @LLVMGetTypeKind(ptr noundef nonnull %36) #10
  %40 = icmp eq i32 %39, 8
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = tail call i32 @LLVMGetIntTypeWidth(ptr noundef nonnull %36) #10
  br label %43

43:                                               ; preds = %32, %35, %38, %41
  %44 = phi i32 [ 8, %41 ], [ %39, %38 ], [ 0, %35 ], [ 0, %32 ]
  %45 = phi i32 [ %42, %41 ], [ 0, %38 ], [ 0, %35 ], [ 0, %32 ]
  %46 = zext nneg i32 %2 to i64
  store i64 %46, ptr %33, align 8, !tbaa !29
  %47 = icmp eq i32 %2, 0
  br i1 %47, label %48, label %54

48:                                               ; preds = %43
  %49 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef %1) #10
  %50 = and i32 %49, -2
  %51 = icmp eq i32 %50, 70
  %52 = select i1 %51, i32 2, i32 %49
  %53 = sext i32 %52 to i64
  br label %54

54:                                               ; preds = %43, %48
  %55 = phi i64 [ %53, %48 ], [ 0, %43 ]
  %56 = getelementptr inbounds nuw i8, ptr %33, i64 8
  store i64 %55, ptr %56, align 8, !tbaa !29
  %57 = sext i32 %44 to i64
  %58 = getelementptr inbounds nuw i8, ptr %33, i64 16
  store i64 %57, ptr %58, align 8, !tbaa !29
  %59 = sext i32 %45 to i64
  %60 = getelementptr inbounds nuw i8, ptr %33, i64 24
  store i64 %59, ptr %60, align 8, !tbaa !29
  %61 = sext i32 %3 to i64
  %62 = getelementptr inbounds nuw i8, ptr %33, i64 32
  store i64 %61, ptr %62, align 8, !tbaa !29
  %63 = sext i32 %4 to i64
  %64 = getelementptr inbounds nuw i8, ptr %33, i64 40
  store i64 %63, ptr %64, align 8, !tbaa !29
  %65 = icmp eq i32 %2, 2
  %66 = icmp ne i32 %45, 0
  %67 = icmp slt i32 %45, 65
  %68 = and i1 %66, %67
  %69 = select i1 %65, i1 %68, i1 false
  br i1 %69, label %70, label %75

70:                                               ; preds = %54
  %71 = tail call ptr @LLVMIsAConstantInt(ptr noundef %1) #10
  %72 = icmp eq ptr %71, null
  br i1 %72, label %75, label %73

73:                                               ; preds = %70
  %74 = tail call i64 @LLVMConstIntGetSExtValue(ptr noundef %1) #10
  br label %75

75:                                               ; preds = %54, %70, %73
  %76 = phi i64 [ %74, %73 ], [ 0, %70 ], [ 0, %54 ]
  %77 = trunc i64 %8 to i32
  %78 = getelementptr inbounds nuw i8, ptr %33, i64 48
  store i64 %76, ptr %78, align 8, !tbaa !29
  ret i32 %77
}

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #6

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #7

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMGetIntTypeWidth(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAConstantInt(ptr noundef) local_unnamed_addr #5

declare i64 @LLVMConstIntGetSExtValue(ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nounwind willreturn allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite)
declare noalias noundef ptr @realloc(ptr allocptr noundef captures(none), i64 noundef) local_unnamed_addr #8

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #5

; Function Attrs: nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @remember(ptr noundef nonnull captures(none) %0, ptr noundef %1, i32 noundef %2) unnamed_addr #9 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = ptrtoint ptr %1 to i64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %7 = load i64, ptr %6, align 8, !tbaa !21
  %8 = shl i64 %7, 1
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load i64, ptr %9, align 8, !tbaa !20
  %11 = icmp ult i64 %8, %10
  br i1 %11, label %12, label %14

12:                                               ; preds = %3
  %13 = load ptr, ptr %4, align 8, !tbaa !22
  br label %58

14:                                               ; preds = %3
  %15 = shl i64 %10, 1
  %16 = tail call ptr @calloc(i64 noundef %15, i64 noundef 8) #11
  %17 = shl i64 %10, 3
  %18 = tail call ptr @malloc(i64 noundef %17) #12
  %19 = icmp eq ptr %16, null
  %20 = icmp eq ptr %18, null
  %21 = or i1 %19, %20
  br i1 %21, label %28, label %22

22:                                               ; preds = %14
  %23 = icmp eq i64 %10, 0
  %24 = load ptr, ptr %4, align 8, !tbaa !22
  br i1 %23, label %55, label %25

25:                                               ; preds = %22
  %26 = add i64 %15, -1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %29

28:                                               ; preds = %14
  tail call void @free(ptr noundef %16)
  tail call void @free(ptr noundef %18)
  br label %80

29:                                               ; preds = %52, %25
  %30 = phi i64 [ 0, %25 ], [ %53, %52 ]
  %31 = getelementptr inbounds nuw i64, ptr %24, i64 %30
  %32 = load i64, ptr %31, align 8, !tbaa !36
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %52, label %34

34:                                               ; preds = %29
  %35 = mul i64 %32, -7046029254386353131
  %36 = lshr i64 %35, 32
  br label %37

37:                                               ; preds = %37, %34
  %38 = phi i64 [ %36, %34 ], [ %45, %37 ]
  %39 = and i64 %38, %26
  %40 = getelementptr inbounds nuw i64, ptr %16, i64 %39
  %41 = load i64, ptr %40, align 8, !tbaa !36
  %42 = icmp eq i64 %41, 0
  %43 = icmp eq i64 %41, %32
  %44 = or i1 %42, %43
  %45 = add i64 %39, 1
  br i1 %44, label %46, label %37, !llvm.loop !37

46:                                               ; preds = %37
  %47 = getelementptr inbounds nuw i64, ptr %16, i64 %39
  store i64 %32, ptr %47, align 8, !tbaa !36
  %48 = load ptr, ptr %27, align 8, !tbaa !23
  %49 = getelementptr inbounds nuw i32, ptr %48, i64 %30
  %50 = load i32, ptr %49, align 4, !tbaa !3
  %51 = getelementptr inbounds nuw i32, ptr %18, i64 %39
  store i32 %50, ptr %51, align 4, !tbaa !3
  br label %52

52:                                               ; preds = %46, %29
  %53 = add nuw i64 %30, 1
  %54 = icmp eq i64 %53, %10
  br i1 %54, label %55, label %29, !llvm.loop !48

55:                                               ; preds = %52, %22
  tail call void @free(ptr noundef %24)
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %57 = load ptr, ptr %56, align 8, !tbaa !23
  tail call void @free(ptr noundef %57)
  store ptr %16, ptr %4, align 8, !tbaa !49
  store ptr %18, ptr %56, align 8, !tbaa !50
  store i64 %15, ptr %9, align 8, !tbaa !36
  store i64 %7, ptr %6, align 8, !tbaa !36
  br label %58

58:                                               ; preds = %55, %12
  %59 = phi ptr [ %16, %55 ], [ %13, %12 ]
  %60 = phi i64 [ %15, %55 ], [ %10, %12 ]
  %61 = mul i64 %5, -7046029254386353131
  %62 = lshr i64 %61, 32
  %63 = add i64 %60, -1
  br label %64

64:                                               ; preds = %64, %58
  %65 = phi i64 [ %62, %58 ], [ %72, %64 ]
  %66 = and i64 %65, %63
  %67 = getelementptr inbounds nuw i64, ptr %59, i64 %66
  %68 = load i64, ptr %67, align 8, !tbaa !36
  %69 = icmp eq i64 %68, 0
  %70 = icmp eq i64 %68, %5
  %71 = or i1 %69, %70
  %72 = add i64 %66, 1
  br i1 %71, label %73, label %64, !llvm.loop !37

73:                                               ; preds = %64
  %74 = getelementptr inbounds nuw i64, ptr %59, i64 %66
  store i64 %5, ptr %74, align 8, !tbaa !36
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %76 = load ptr, ptr %75, align 8, !tbaa !23
  %77 = getelementptr inbounds nuw i32, ptr %76, i64 %66
  store i32 %2, ptr %77, align 4, !tbaa !3
  %78 = load i64, ptr %6, align 8, !tbaa !21
  %79 = add i64 %78, 1
  store i64 %79, ptr %6, align 8, !tbaa !21
  br label %80

80:                                               ; preds = %28, %73
  %81 = phi i32 [ 0, %73 ], [ 1, %28 ]
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %83 = load i32, ptr %82, align 8, !tbaa !27
  %84 = or i32 %83, %81
  store i32 %84, ptr %82, align 8, !tbaa !27
  ret void
}

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMGetNumOperands(ptr noundef) local_unnamed_addr #5

; Function Attrs: nounwind
define internal fastcc void @add_data(ptr noundef nonnull captures(none) %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) unnamed_addr #2 {
  %5 = tail call ptr @LLVMIsAArgument(ptr noundef %1) #10
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %10

7:                                                ; preds = %4
  %8 = tail call ptr @LLVMIsAInstruction(ptr noundef %1) #10
  %9 = icmp eq ptr %8, null
  br i1 %9, label %164, label %10

10:                                               ; preds = %7, %4
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = ptrtoint ptr %11 to i64
  %14 = mul i64 %13, -7046029254386353131
  %15 = lshr i64 %14, 32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %17 = load i64, ptr %16, align 8, !tbaa !20
  %18 = add i64 %17, -1
  %19 = load ptr, ptr %12, align 8, !tbaa !22
  br label %20

20:                                               ; preds = %20, %10
  %21 = phi i64 [ %15, %10 ], [ %28, %20 ]
  %22 = and i64 %21, %18
  %23 = getelementptr inbounds nuw i64, ptr %19, i64 %22
  %24 = load i64, ptr %23, align 8, !tbaa !36
  %25 = icmp eq i64 %24, 0
  %26 = icmp eq i64 %24, %13
  %27 = or i1 %25, %26
  %28 = add i64 %22, 1
  br i1 %27, label %29, label %20, !llvm.loop !37

29:                                               ; preds = %20
  br i1 %25, label %36, label %30

30:                                               ; preds = %29
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8, !tbaa !23
  %33 = getelementptr inbounds nuw i32, ptr %32, i64 %22
  %34 = load i32, ptr %33, align 4, !tbaa !3
  %35 = icmp sgt i32 %34, -1
  br i1 %35, label %132, label %36

36:                                               ; preds = %30, %29
  br i1 %6, label %37, label %66

37:                                               ; preds = %36
  %38 = load ptr, ptr %0, align 8, !tbaa !14
  %39 = load ptr, ptr %38, align 8, !tbaa !7
  %40 = ptrtoint ptr %1 to i64
  %41 = mul i64 %40, -7046029254386353131
  %42 = lshr i64 %41, 32
  br label %43

43:                                               ; preds = %43, %37
  %44 = phi i64 [ %42, %37 ], [ %51, %43 ]
  %45 = and i64 %44, %18
  %46 = getelementptr inbounds nuw i64, ptr %19, i64 %45
  %47 = load i64, ptr %46, align 8, !tbaa !36
  %48 = icmp eq i64 %47, 0
  %49 = icmp eq i64 %47, %40
  %50 = or i1 %48, %49
  %51 = add i64 %45, 1
  br i1 %50, label %52, label %43, !llvm.loop !37

52:                                               ; preds = %43
  br i1 %48, label %60, label %53

53:                                               ; preds = %52
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %55 = load ptr, ptr %54, align 8, !tbaa !23
  %56 = getelementptr inbounds nuw i32, ptr %55, i64 %45
  %57 = load i32, ptr %56, align 4, !tbaa !3
  %58 = mul nsw i32 %57, 7
  %59 = sext i32 %58 to i64
  br label %60

60:                                               ; preds = %53, %52
  %61 = phi i64 [ %59, %53 ], [ -7, %52 ]
  %62 = getelementptr i64, ptr %39, i64 %61
  %63 = getelementptr i8, ptr %62, i64 40
  %64 = load i64, ptr %63, align 8, !tbaa !29
  %65 = trunc i64 %64 to i32
  br label %66

66:                                               ; preds = %60, %36
  %67 = phi i32 [ -1, %36 ], [ %65, %60 ]
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %69 = load i32, ptr %68, align 8, !tbaa !31
  %70 = tail call fastcc i32 @add_node(ptr noundef nonnull %0, ptr noundef %1, i32 noundef 1, i32 noundef %69, i32 noundef %67)
  tail call fastcc void @remember(ptr noundef nonnull %0, ptr noundef nonnull %11, i32 noundef %70)
  br i1 %6, label %71, label %132

71:                                               ; preds = %66
  %72 = ptrtoint ptr %1 to i64
  %73 = mul i64 %72, -7046029254386353131
  %74 = lshr i64 %73, 32
  %75 = load i64, ptr %16, align 8, !tbaa !20
  %76 = add i64 %75, -1
  %77 = load ptr, ptr %12, align 8, !tbaa !22
  br label %78

78:                                               ; preds = %78, %71
  %79 = phi i64 [ %74, %71 ], [ %86, %78 ]
  %80 = and i64 %79, %76
  %81 = getelementptr inbounds nuw i64, ptr %77, i64 %80
  %82 = load i64, ptr %81, align 8, !tbaa !36
  %83 = icmp eq i64 %82, 0
  %84 = icmp eq i64 %82, %72
  %85 = or i1 %83, %84
  %86 = add i64 %80, 1
  br i1 %85, label %87, label %78, !llvm.loop !37

87:                                               ; preds = %78
  br i1 %83, label %93, label %88

88:                                               ; preds = %87
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %90 = load ptr, ptr %89, align 8, !tbaa !23
  %91 = getelementptr inbounds nuw i32, ptr %90, i64 %80
  %92 = load i32, ptr %91, align 4, !tbaa !3
  br label %93

93:                                               ; preds = %88, %87
  %94 = phi i32 [ %92, %88 ], [ -1, %87 ]
  %95 = or i32 %94, %70
  %96 = icmp sgt i32 %95, -1
  br i1 %96, label %97, label %132

97:                                               ; preds = %93
  %98 = load ptr, ptr %0, align 8, !tbaa !14
  %99 = getelementptr inbounds nuw i8, ptr %98, i64 24
  %100 = getelementptr inbounds nuw i8, ptr %98, i64 32
  %101 = load i64, ptr %100, align 8, !tbaa !28
  %102 = getelementptr inbounds nuw i8, ptr %98, i64 40
  %103 = load i64, ptr %102, align 8, !tbaa !25
  %104 = icmp eq i64 %101, %103
  %105 = load ptr, ptr %99, align 8, !tbaa !26
  br i1 %104, label %106, label %119

106:                                              ; preds = %97
  %107 = icmp eq i64 %101, 0
  %108 = shl nsw i64 %101, 1
  %109 = select i1 %107, i64 1024, i64 %108
  %110 = shl i64 %109, 5
  %111 = tail call ptr @realloc(ptr noundef %105, i64 noundef %110) #13
  %112 = icmp eq ptr %111, null
  %113 = zext i1 %112 to i32
  %114 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %115 = load i32, ptr %114, align 8, !tbaa !27
  %116 = or i32 %115, %113
  store i32 %116, ptr %114, align 8, !tbaa !27
  br i1 %112, label %125, label %117

117:                                              ; preds = %106
  store ptr %111, ptr %99, align 8, !tbaa !26
  store i64 %109, ptr %102, align 8, !tbaa !25
  %118 = load i64, ptr %100, align 8, !tbaa !28
  br label %119

119:                                              ; preds = %117, %97
  %120 = phi i64 [ %118, %117 ], [ %101, %97 ]
  %121 = phi ptr [ %111, %117 ], [ %105, %97 ]
  %122 = add nsw i64 %120, 1
  store i64 %122, ptr %100, align 8, !tbaa !28
  %123 = shl nsw i64 %120, 5
  %124 = getelementptr inbounds i8, ptr %121, i64 %123
  br label %125

125:                                              ; preds = %119, %106
  %126 = phi ptr [ %124, %119 ], [ @add_row.nowhere, %106 ]
  %127 = zext nneg i32 %94 to i64
  store i64 %127, ptr %126, align 8, !tbaa !29
  %128 = zext nneg i32 %70 to i64
  %129 = getelementptr inbounds nuw i8, ptr %126, i64 8
  store i64 %128, ptr %129, align 8, !tbaa !29
  %130 = getelementptr inbounds nuw i8, ptr %126, i64 16
  store i64 1, ptr %130, align 8, !tbaa !29
  %131 = getelementptr inbounds nuw i8, ptr %126, i64 24
  store i64 0, ptr %131, align 8, !tbaa !29
  br label %132

132:                                              ; preds = %30, %66, %93, %125
  %133 = phi i32 [ %34, %30 ], [ %70, %66 ], [ %70, %93 ], [ %70, %125 ]
  %134 = or i32 %133, %2
  %135 = icmp sgt i32 %134, -1
  br i1 %135, label %136, label %235

136:                                              ; preds = %132
  %137 = load ptr, ptr %0, align 8, !tbaa !14
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 24
  %139 = getelementptr inbounds nuw i8, ptr %137, i64 32
  %140 = load i64, ptr %139, align 8, !tbaa !28
  %141 = getelementptr inbounds nuw i8, ptr %137, i64 40
  %142 = load i64, ptr %141, align 8, !tbaa !25
  %143 = icmp eq i64 %140, %142
  %144 = load ptr, ptr %138, align 8, !tbaa !26
  br i1 %143, label %145, label %158

145:                                              ; preds = %136
  %146 = icmp eq i64 %140, 0
  %147 = shl nsw i64 %140, 1
  %148 = select i1 %146, i64 1024, i64 %147
  %149 = shl i64 %148, 5
  %150 = tail call ptr @realloc(ptr noundef %144, i64 noundef %149) #13
  %151 = icmp eq ptr %150, null
  %152 = zext i1 %151 to i32
  %153 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %154 = load i32, ptr %153, align 8, !tbaa !27
  %155 = or i32 %154, %152
  store i32 %155, ptr %153, align 8, !tbaa !27
  br i1 %151, label %226, label %156

156:                                              ; preds = %145
  store ptr %150, ptr %138, align 8, !tbaa !26
  store i64 %148, ptr %141, align 8, !tbaa !25
  %157 = load i64, ptr %139, align 8, !tbaa !28
  br label %158

158:                                              ; preds = %156, %136
  %159 = phi i64 [ %157, %156 ], [ %140, %136 ]
  %160 = phi ptr [ %150, %156 ], [ %144, %136 ]
  %161 = add nsw i64 %159, 1
  store i64 %161, ptr %139, align 8, !tbaa !28
  %162 = shl nsw i64 %159, 5
  %163 = getelementptr inbounds i8, ptr %160, i64 %162
  br label %226

164:                                              ; preds = %7
  %165 = tail call ptr @LLVMIsAConstant(ptr noundef %1) #10
  %166 = icmp eq ptr %165, null
  br i1 %166, label %235, label %167

167:                                              ; preds = %164
  %168 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %169 = ptrtoint ptr %1 to i64
  %170 = mul i64 %169, -7046029254386353131
  %171 = lshr i64 %170, 32
  %172 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %173 = load i64, ptr %172, align 8, !tbaa !20
  %174 = add i64 %173, -1
  %175 = load ptr, ptr %168, align 8, !tbaa !22
  br label %176

176:                                              ; preds = %176, %167
  %177 = phi i64 [ %171, %167 ], [ %184, %176 ]
  %178 = and i64 %177, %174
  %179 = getelementptr inbounds nuw i64, ptr %175, i64 %178
  %180 = load i64, ptr %179, align 8, !tbaa !36
  %181 = icmp eq i64 %180, 0
  %182 = icmp eq i64 %180, %169
  %183 = or i1 %181, %182
  %184 = add i64 %178, 1
  br i1 %183, label %185, label %176, !llvm.loop !37

185:                                              ; preds = %176
  br i1 %181, label %192, label %186

186:                                              ; preds = %185
  %187 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %188 = load ptr, ptr %187, align 8, !tbaa !23
  %189 = getelementptr inbounds nuw i32, ptr %188, i64 %178
  %190 = load i32, ptr %189, align 4, !tbaa !3
  %191 = icmp sgt i32 %190, -1
  br i1 %191, label %194, label %192

192:                                              ; preds = %186, %185
  %193 = tail call fastcc i32 @add_node(ptr noundef nonnull %0, ptr noundef %1, i32 noundef 2, i32 noundef -1, i32 noundef -1)
  tail call fastcc void @remember(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %193)
  br label %194

194:                                              ; preds = %186, %192
  %195 = phi i32 [ %193, %192 ], [ %190, %186 ]
  %196 = or i32 %195, %2
  %197 = icmp sgt i32 %196, -1
  br i1 %197, label %198, label %235

198:                                              ; preds = %194
  %199 = load ptr, ptr %0, align 8, !tbaa !14
  %200 = getelementptr inbounds nuw i8, ptr %199, i64 24
  %201 = getelementptr inbounds nuw i8, ptr %199, i64 32
  %202 = load i64, ptr %201, align 8, !tbaa !28
  %203 = getelementptr inbounds nuw i8, ptr %199, i64 40
  %204 = load i64, ptr %203, align 8, !tbaa !25
  %205 = icmp eq i64 %202, %204
  %206 = load ptr, ptr %200, align 8, !tbaa !26
  br i1 %205, label %207, label %220

207:                                              ; preds = %198
  %208 = icmp eq i64 %202, 0
  %209 = shl nsw i64 %202, 1
  %210 = select i1 %208, i64 1024, i64 %209
  %211 = shl i64 %210, 5
  %212 = tail call ptr @realloc(ptr noundef %206, i64 noundef %211) #13
  %213 = icmp eq ptr %212, null
  %214 = zext i1 %213 to i32
  %215 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %216 = load i32, ptr %215, align 8, !tbaa !27
  %217 = or i32 %216, %214
  store i32 %217, ptr %215, align 8, !tbaa !27
  br i1 %213, label %226, label %218

218:                                              ; preds = %207
  store ptr %212, ptr %200, align 8, !tbaa !26
  store i64 %210, ptr %203, align 8, !tbaa !25
  %219 = load i64, ptr %201, align 8, !tbaa !28
  br label %220

220:                                              ; preds = %218, %198
  %221 = phi i64 [ %219, %218 ], [ %202, %198 ]
  %222 = phi ptr [ %212, %218 ], [ %206, %198 ]
  %223 = add nsw i64 %221, 1
  store i64 %223, ptr %201, align 8, !tbaa !28
  %224 = shl nsw i64 %221, 5
  %225 = getelementptr inbounds i8, ptr %222, i64 %224
  br label %226

226:                                              ; preds = %207, %220, %145, %158
  %227 = phi i32 [ %133, %145 ], [ %133, %158 ], [ %195, %220 ], [ %195, %207 ]
  %228 = phi ptr [ @add_row.nowhere, %145 ], [ %163, %158 ], [ %225, %220 ], [ @add_row.nowhere, %207 ]
  %229 = zext nneg i32 %227 to i64
  store i64 %229, ptr %228, align 8, !tbaa !29
  %230 = zext nneg i32 %2 to i64
  %231 = getelementptr inbounds nuw i8, ptr %228, i64 8
  store i64 %230, ptr %231, align 8, !tbaa !29
  %232 = getelementptr inbounds nuw i8, ptr %228, i64 16
  store i64 1, ptr %232, align 8, !tbaa !29
  %233 = sext i32 %3 to i64
  %234 = getelementptr inbounds nuw i8, ptr %228, i64 24
  store i64 %233, ptr %234, align 8, !tbaa !29
  br label %235

235:                                              ; preds = %226, %194, %132, %164
  ret void
}

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #5

declare ptr @LLVMGetSwitchCaseValue(ptr noundef, i32 noundef) local_unnamed_addr #5

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAArgument(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAInstruction(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAConstant(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #5

declare i32 @LLVMGetLinkage(ptr noundef) local_unnamed_addr #5

; Function Attrs: nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @add_call(ptr noundef nonnull captures(none) %0, i32 noundef %1, i32 noundef %2) unnamed_addr #9 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %5 = load ptr, ptr %0, align 8, !tbaa !14
  %6 = icmp slt i32 %2, 0
  br i1 %6, label %132, label %7

7:                                                ; preds = %3
  %8 = zext nneg i32 %2 to i64
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %10 = load i64, ptr %9, align 8, !tbaa !28
  %11 = icmp sgt i64 %10, %8
  br i1 %11, label %12, label %132

12:                                               ; preds = %7
  %13 = load ptr, ptr %5, align 8, !tbaa !26
  %14 = mul nuw nsw i32 %2, 7
  %15 = zext nneg i32 %14 to i64
  %16 = getelementptr inbounds nuw i64, ptr %13, i64 %15
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %18 = load i64, ptr %17, align 8, !tbaa !29
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %20 = load i64, ptr %19, align 8, !tbaa !28
  %21 = or i32 %2, %1
  %22 = icmp sgt i32 %21, -1
  br i1 %22, label %23, label %56

23:                                               ; preds = %12
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %26 = load i64, ptr %25, align 8, !tbaa !28
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %28 = load i64, ptr %27, align 8, !tbaa !25
  %29 = icmp eq i64 %26, %28
  %30 = load ptr, ptr %24, align 8, !tbaa !26
  br i1 %29, label %31, label %44

31:                                               ; preds = %23
  %32 = icmp eq i64 %26, 0
  %33 = shl nsw i64 %26, 1
  %34 = select i1 %32, i64 1024, i64 %33
  %35 = shl i64 %34, 5
  %36 = tail call ptr @realloc(ptr noundef %30, i64 noundef %35) #13
  %37 = icmp eq ptr %36, null
  %38 = zext i1 %37 to i32
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %40 = load i32, ptr %39, align 8, !tbaa !27
  %41 = or i32 %40, %38
  store i32 %41, ptr %39, align 8, !tbaa !27
  br i1 %37, label %50, label %42

42:                                               ; preds = %31
  store ptr %36, ptr %24, align 8, !tbaa !26
  store i64 %34, ptr %27, align 8, !tbaa !25
  %43 = load i64, ptr %25, align 8, !tbaa !28
  br label %44

44:                                               ; preds = %42, %23
  %45 = phi i64 [ %43, %42 ], [ %26, %23 ]
  %46 = phi ptr [ %36, %42 ], [ %30, %23 ]
  %47 = add nsw i64 %45, 1
  store i64 %47, ptr %25, align 8, !tbaa !28
  %48 = shl nsw i64 %45, 5
  %49 = getelementptr inbounds i8, ptr %46, i64 %48
  br label %50

50:                                               ; preds = %44, %31
  %51 = phi ptr [ %49, %44 ], [ @add_row.nowhere, %31 ]
  %52 = zext nneg i32 %1 to i64
  store i64 %52, ptr %51, align 8, !tbaa !29
  %53 = getelementptr inbounds nuw i8, ptr %51, i64 8
  store i64 %8, ptr %53, align 8, !tbaa !29
  %54 = getelementptr inbounds nuw i8, ptr %51, i64 16
  store i64 2, ptr %54, align 8, !tbaa !29
  %55 = getelementptr inbounds nuw i8, ptr %51, i64 24
  store i64 0, ptr %55, align 8, !tbaa !29
  br label %56

56:                                               ; preds = %12, %50
  %57 = icmp sgt i64 %20, 0
  br i1 %57, label %58, label %60

58:                                               ; preds = %56
  %59 = load ptr, ptr %4, align 8, !tbaa !26
  br label %67

60:                                               ; preds = %67, %56
  %61 = phi i64 [ 0, %56 ], [ %77, %67 ]
  %62 = load i64, ptr %19, align 8, !tbaa !28
  %63 = icmp slt i64 %61, %62
  br i1 %63, label %64, label %132

64:                                               ; preds = %60
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %66 = zext nneg i32 %1 to i64
  br label %80

67:                                               ; preds = %58, %67
  %68 = phi i64 [ %20, %58 ], [ %78, %67 ]
  %69 = phi i64 [ 0, %58 ], [ %77, %67 ]
  %70 = add nuw nsw i64 %68, %69
  %71 = lshr i64 %70, 1
  %72 = and i64 %70, -2
  %73 = getelementptr inbounds nuw i64, ptr %59, i64 %72
  %74 = load i64, ptr %73, align 8, !tbaa !29
  %75 = icmp slt i64 %74, %18
  %76 = add nuw nsw i64 %71, 1
  %77 = select i1 %75, i64 %76, i64 %69
  %78 = select i1 %75, i64 %68, i64 %71
  %79 = icmp slt i64 %77, %78
  br i1 %79, label %67, label %60, !llvm.loop !51

80:                                               ; preds = %64, %128
  %81 = phi i64 [ %62, %64 ], [ %129, %128 ]
  %82 = phi i64 [ %61, %64 ], [ %130, %128 ]
  %83 = load ptr, ptr %4, align 8, !tbaa !26
  %84 = shl nsw i64 %82, 4
  %85 = getelementptr inbounds i8, ptr %83, i64 %84
  %86 = load i64, ptr %85, align 8, !tbaa !29
  %87 = icmp eq i64 %86, %18
  br i1 %87, label %88, label %132

88:                                               ; preds = %80
  %89 = getelementptr i8, ptr %85, i64 8
  %90 = load i64, ptr %89, align 8, !tbaa !29
  %91 = trunc i64 %90 to i32
  %92 = or i32 %1, %91
  %93 = icmp sgt i32 %92, -1
  br i1 %93, label %94, label %128

94:                                               ; preds = %88
  %95 = load ptr, ptr %0, align 8, !tbaa !14
  %96 = getelementptr inbounds nuw i8, ptr %95, i64 24
  %97 = getelementptr inbounds nuw i8, ptr %95, i64 32
  %98 = load i64, ptr %97, align 8, !tbaa !28
  %99 = getelementptr inbounds nuw i8, ptr %95, i64 40
  %100 = load i64, ptr %99, align 8, !tbaa !25
  %101 = icmp eq i64 %98, %100
  %102 = load ptr, ptr %96, align 8, !tbaa !26
  br i1 %101, label %103, label %115

103:                                              ; preds = %94
  %104 = icmp eq i64 %98, 0
  %105 = shl nsw i64 %98, 1
  %106 = select i1 %104, i64 1024, i64 %105
  %107 = shl i64 %106, 5
  %108 = tail call ptr @realloc(ptr noundef %102, i64 noundef %107) #13
  %109 = icmp eq ptr %108, null
  %110 = zext i1 %109 to i32
  %111 = load i32, ptr %65, align 8, !tbaa !27
  %112 = or i32 %111, %110
  store i32 %112, ptr %65, align 8, !tbaa !27
  br i1 %109, label %121, label %113

113:                                              ; preds = %103
  store ptr %108, ptr %96, align 8, !tbaa !26
  store i64 %106, ptr %99, align 8, !tbaa !25
  %114 = load i64, ptr %97, align 8, !tbaa !28
  br label %115

115:                                              ; preds = %113, %94
  %116 = phi i64 [ %114, %113 ], [ %98, %94 ]
  %117 = phi ptr [ %108, %113 ], [ %102, %94 ]
  %118 = add nsw i64 %116, 1
  store i64 %118, ptr %97, align 8, !tbaa !28
  %119 = shl nsw i64 %116, 5
  %120 = getelementptr inbounds i8, ptr %117, i64 %119
  br label %121

121:                                              ; preds = %115, %103
  %122 = phi ptr [ %120, %115 ], [ @add_row.nowhere, %103 ]
  %123 = and i64 %90, 4294967295
  store i64 %123, ptr %122, align 8, !tbaa !29
  %124 = getelementptr inbounds nuw i8, ptr %122, i64 8
  store i64 %66, ptr %124, align 8, !tbaa !29
  %125 = getelementptr inbounds nuw i8, ptr %122, i64 16
  store i64 2, ptr %125, align 8, !tbaa !29
  %126 = getelementptr inbounds nuw i8, ptr %122, i64 24
  store i64 0, ptr %126, align 8, !tbaa !29
  %127 = load i64, ptr %19, align 8, !tbaa !28
  br label %128

128:                                              ; preds = %88, %121
  %129 = phi i64 [ %81, %88 ], [ %127, %121 ]
  %130 = add nsw i64 %82, 1
  %131 = icmp slt i64 %130, %129
  br i1 %131, label %80, label %132, !llvm.loop !52

132:                                              ; preds = %128, %80, %60, %3, %7
  ret void
}

attributes #0 = { mustprogress nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { mustprogress nounwind willreturn allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nounwind memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { nounwind }
attributes #11 = { allocsize(0,1) }
attributes #12 = { allocsize(0) }
attributes #13 = { allocsize(1) }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!8, !10, i64 0}
!8 = !{!"", !9, i64 0, !9, i64 24}
!9 = !{!"", !10, i64 0, !12, i64 8, !12, i64 16}
!10 = !{!"p1 long long", !11, i64 0}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!"long long", !5, i64 0}
!13 = !{!8, !10, i64 24}
!14 = !{!15, !11, i64 0}
!15 = !{!"", !11, i64 0, !16, i64 8, !9, i64 40, !4, i64 64, !4, i64 68, !4, i64 72}
!16 = !{!"", !17, i64 0, !18, i64 8, !19, i64 16, !19, i64 24}
!17 = !{!"p1 long", !11, i64 0}
!18 = !{!"p1 int", !11, i64 0}
!19 = !{!"long", !5, i64 0}
!20 = !{!16, !19, i64 16}
!21 = !{!16, !19, i64 24}
!22 = !{!16, !17, i64 0}
!23 = !{!16, !18, i64 8}
!24 = !{!8, !12, i64 8}
!25 = !{!9, !12, i64 16}
!26 = !{!9, !10, i64 0}
!27 = !{!15, !4, i64 72}
!28 = !{!9, !12, i64 8}
!29 = !{!12, !12, i64 0}
!30 = !{!15, !4, i64 68}
!31 = !{!15, !4, i64 64}
!32 = distinct !{!32, !33}
!33 = !{!"llvm.loop.mustprogress"}
!34 = distinct !{!34, !33}
!35 = distinct !{!35, !33}
!36 = !{!19, !19, i64 0}
!37 = distinct !{!37, !33}
!38 = distinct !{!38, !33}
!39 = distinct !{!39, !33}
!40 = distinct !{!40, !33}
!41 = distinct !{!41, !33}
!42 = distinct !{!42, !33}
!43 = distinct !{!43, !33}
!44 = !{!15, !10, i64 40}
!45 = distinct !{!45, !33}
!46 = distinct !{!46, !33}
!47 = distinct !{!47, !33}
!48 = distinct !{!48, !33}
!49 = !{!17, !17, i64 0}
!50 = !{!18, !18, i64 0}
!51 = distinct !{!51, !33}
!52 = distinct !{!52, !33}
