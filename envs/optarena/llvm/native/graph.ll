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
  br label %520

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

193:                                              ; preds = %395, %187
  %194 = phi i32 [ %190, %187 ], [ %396, %395 ]
  %195 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #10
  %196 = icmp ne ptr %195, null
  %197 = icmp eq i32 %194, 0
  %198 = select i1 %196, i1 %197, i1 false
  br i1 %198, label %410, label %403

199:                                              ; preds = %187, %395
  %200 = phi i32 [ %396, %395 ], [ 0, %187 ]
  %201 = phi i32 [ %399, %395 ], [ 0, %187 ]
  %202 = phi ptr [ %400, %395 ], [ %188, %187 ]
  %203 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %202) #10
  %204 = icmp eq i32 %203, 0
  br i1 %204, label %205, label %395

205:                                              ; preds = %199
  %206 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %202) #10
  %207 = icmp eq ptr %206, null
  br i1 %207, label %395, label %208

208:                                              ; preds = %205, %295
  %209 = phi ptr [ %296, %295 ], [ %206, %205 ]
  %210 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %209) #10
  %211 = icmp eq ptr %210, null
  br i1 %211, label %217, label %212

212:                                              ; preds = %208, %388
  %213 = phi ptr [ %389, %388 ], [ %210, %208 ]
  %214 = phi i32 [ %320, %388 ], [ -1, %208 ]
  %215 = load i32, ptr %47, align 8, !tbaa !27
  %216 = icmp eq i32 %215, 0
  br i1 %216, label %298, label %217

217:                                              ; preds = %388, %212, %208
  %218 = phi i32 [ -1, %208 ], [ %214, %212 ], [ %320, %388 ]
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
  br i1 %297, label %391, label %208, !llvm.loop !39

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
  %356 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %213) #10
  switch i32 %355, label %368 [
    i32 67, label %357
    i32 45, label %357
    i32 5, label %357
  ]

357:                                              ; preds = %354, %354, %354
  %358 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %213) #10
  %359 = tail call ptr @LLVMIsAFunction(ptr noundef %358) #10
  %360 = icmp eq ptr %359, null
  br i1 %360, label %368, label %361

361:                                              ; preds = %357
  %362 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %358) #10
  %363 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %213) #10
  %364 = icmp eq ptr %362, %363
  %365 = icmp ne ptr %358, null
  %366 = and i1 %365, %364
  %367 = sext i1 %366 to i32
  br label %368

368:                                              ; preds = %361, %357, %354
  %369 = phi i32 [ 0, %354 ], [ %367, %361 ], [ 0, %357 ]
  %370 = add i32 %369, %356
  %371 = icmp sgt i32 %370, 0
  br i1 %371, label %377, label %372

372:                                              ; preds = %377, %368
  %373 = icmp eq i32 %355, 3
  br i1 %373, label %374, label %388

374:                                              ; preds = %372
  %375 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %213) #10
  %376 = icmp ugt i32 %375, 1
  br i1 %376, label %382, label %388

377:                                              ; preds = %368, %377
  %378 = phi i32 [ %380, %377 ], [ 0, %368 ]
  %379 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %213, i32 noundef %378) #10
  call fastcc void @add_data(ptr noundef nonnull %3, ptr noundef %379, i32 noundef %320, i32 noundef %378)
  %380 = add nuw nsw i32 %378, 1
  %381 = icmp eq i32 %380, %370
  br i1 %381, label %372, label %377, !llvm.loop !40

382:                                              ; preds = %374, %382
  %383 = phi i32 [ %385, %382 ], [ 1, %374 ]
  %384 = tail call ptr @LLVMGetSwitchCaseValue(ptr noundef nonnull %213, i32 noundef %383) #10
  %385 = add nuw i32 %383, 1
  call fastcc void @add_data(ptr noundef nonnull %3, ptr noundef %384, i32 noundef %320, i32 noundef %385)
  %386 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %213) #10
  %387 = icmp ult i32 %385, %386
  br i1 %387, label %382, label %388, !llvm.loop !41

388:                                              ; preds = %382, %374, %372
  %389 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %213) #10
  %390 = icmp eq ptr %389, null
  br i1 %390, label %217, label %212, !llvm.loop !42

391:                                              ; preds = %295
  %392 = load i32, ptr %45, align 8, !tbaa !31
  %393 = load i32, ptr %47, align 8
  %394 = icmp eq i32 %393, 0
  br label %395

395:                                              ; preds = %391, %205, %199
  %396 = phi i32 [ %393, %391 ], [ %200, %205 ], [ %200, %199 ]
  %397 = phi i1 [ %394, %391 ], [ true, %205 ], [ true, %199 ]
  %398 = phi i32 [ %392, %391 ], [ %201, %205 ], [ %201, %199 ]
  %399 = add nsw i32 %398, 1
  store i32 %399, ptr %45, align 8, !tbaa !31
  %400 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %202) #10
  %401 = icmp ne ptr %400, null
  %402 = select i1 %401, i1 %397, i1 false
  br i1 %402, label %199, label %193, !llvm.loop !43

403:                                              ; preds = %514, %193
  %404 = phi i1 [ %197, %193 ], [ %518, %514 ]
  %405 = load ptr, ptr %5, align 8, !tbaa !22
  tail call void @free(ptr noundef %405)
  %406 = load ptr, ptr %10, align 8, !tbaa !23
  tail call void @free(ptr noundef %406)
  %407 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %408 = load ptr, ptr %407, align 8, !tbaa !44
  tail call void @free(ptr noundef %408)
  %409 = zext i1 %404 to i32
  br label %520

410:                                              ; preds = %193, %514
  %411 = phi ptr [ %515, %514 ], [ %195, %193 ]
  %412 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %411) #10
  %413 = icmp eq i32 %412, 0
  br i1 %413, label %414, label %514

414:                                              ; preds = %410
  %415 = tail call i32 @LLVMGetLinkage(ptr noundef nonnull %411) #10
  %416 = add i32 %415, -10
  %417 = icmp ult i32 %416, -2
  br i1 %417, label %418, label %442

418:                                              ; preds = %414
  %419 = getelementptr inbounds nuw i8, ptr %411, i64 1
  %420 = ptrtoint ptr %419 to i64
  %421 = mul i64 %420, -7046029254386353131
  %422 = lshr i64 %421, 32
  %423 = load i64, ptr %6, align 8, !tbaa !20
  %424 = add i64 %423, -1
  %425 = load ptr, ptr %5, align 8, !tbaa !22
  br label %426

426:                                              ; preds = %426, %418
  %427 = phi i64 [ %422, %418 ], [ %434, %426 ]
  %428 = and i64 %427, %424
  %429 = getelementptr inbounds nuw i64, ptr %425, i64 %428
  %430 = load i64, ptr %429, align 8, !tbaa !36
  %431 = icmp eq i64 %430, 0
  %432 = icmp eq i64 %430, %420
  %433 = or i1 %431, %432
  %434 = add i64 %428, 1
  br i1 %433, label %435, label %426, !llvm.loop !37

435:                                              ; preds = %426
  br i1 %431, label %440, label %436

436:                                              ; preds = %435
  %437 = load ptr, ptr %10, align 8, !tbaa !23
  %438 = getelementptr inbounds nuw i32, ptr %437, i64 %428
  %439 = load i32, ptr %438, align 4, !tbaa !3
  br label %440

440:                                              ; preds = %436, %435
  %441 = phi i32 [ %439, %436 ], [ -1, %435 ]
  call fastcc void @add_call(ptr noundef nonnull %3, i32 noundef 0, i32 noundef %441)
  br label %442

442:                                              ; preds = %440, %414
  %443 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %411) #10
  %444 = icmp eq ptr %443, null
  br i1 %444, label %514, label %445

445:                                              ; preds = %442, %453
  %446 = phi ptr [ %454, %453 ], [ %443, %442 ]
  %447 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %446) #10
  %448 = icmp eq ptr %447, null
  br i1 %448, label %453, label %449

449:                                              ; preds = %445, %511
  %450 = phi ptr [ %512, %511 ], [ %447, %445 ]
  %451 = load i32, ptr %47, align 8, !tbaa !27
  %452 = icmp eq i32 %451, 0
  br i1 %452, label %456, label %453

453:                                              ; preds = %511, %449, %445
  %454 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %446) #10
  %455 = icmp eq ptr %454, null
  br i1 %455, label %514, label %445, !llvm.loop !45

456:                                              ; preds = %449
  %457 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %450) #10
  switch i32 %457, label %511 [
    i32 67, label %458
    i32 45, label %458
    i32 5, label %458
  ]

458:                                              ; preds = %456, %456, %456
  %459 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %450) #10
  %460 = tail call ptr @LLVMIsAFunction(ptr noundef %459) #10
  %461 = icmp eq ptr %460, null
  br i1 %461, label %511, label %462

462:                                              ; preds = %458
  %463 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %459) #10
  %464 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %450) #10
  %465 = icmp ne ptr %463, %464
  %466 = icmp eq ptr %459, null
  %467 = or i1 %466, %465
  br i1 %467, label %511, label %468

468:                                              ; preds = %462
  %469 = ptrtoint ptr %450 to i64
  %470 = mul i64 %469, -7046029254386353131
  %471 = lshr i64 %470, 32
  %472 = load i64, ptr %6, align 8, !tbaa !20
  %473 = add i64 %472, -1
  %474 = load ptr, ptr %5, align 8, !tbaa !22
  br label %475

475:                                              ; preds = %475, %468
  %476 = phi i64 [ %471, %468 ], [ %483, %475 ]
  %477 = and i64 %476, %473
  %478 = getelementptr inbounds nuw i64, ptr %474, i64 %477
  %479 = load i64, ptr %478, align 8, !tbaa !36
  %480 = icmp eq i64 %479, 0
  %481 = icmp eq i64 %479, %469
  %482 = or i1 %480, %481
  %483 = add i64 %477, 1
  br i1 %482, label %484, label %475, !llvm.loop !37

484:                                              ; preds = %475
  br i1 %480, label %489, label %485

485:                                              ; preds = %484
  %486 = load ptr, ptr %10, align 8, !tbaa !23
  %487 = getelementptr inbounds nuw i32, ptr %486, i64 %477
  %488 = load i32, ptr %487, align 4, !tbaa !3
  br label %489

489:                                              ; preds = %485, %484
  %490 = phi i32 [ %488, %485 ], [ -1, %484 ]
  %491 = getelementptr inbounds nuw i8, ptr %459, i64 1
  %492 = ptrtoint ptr %491 to i64
  %493 = mul i64 %492, -7046029254386353131
  %494 = lshr i64 %493, 32
  br label %495

495:                                              ; preds = %495, %489
  %496 = phi i64 [ %494, %489 ], [ %503, %495 ]
  %497 = and i64 %496, %473
  %498 = getelementptr inbounds nuw i64, ptr %474, i64 %497
  %499 = load i64, ptr %498, align 8, !tbaa !36
  %500 = icmp eq i64 %499, 0
  %501 = icmp eq i64 %499, %492
  %502 = or i1 %500, %501
  %503 = add i64 %497, 1
  br i1 %502, label %504, label %495, !llvm.loop !37

504:                                              ; preds = %495
  br i1 %500, label %509, label %505

505:                                              ; preds = %504
  %506 = load ptr, ptr %10, align 8, !tbaa !23
  %507 = getelementptr inbounds nuw i32, ptr %506, i64 %497
  %508 = load i32, ptr %507, align 4, !tbaa !3
  br label %509

509:                                              ; preds = %505, %504
  %510 = phi i32 [ %508, %505 ], [ -1, %504 ]
  call fastcc void @add_call(ptr noundef nonnull %3, i32 noundef %490, i32 noundef %510)
  br label %511

511:                                              ; preds = %509, %462, %458, %456
  %512 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %450) #10
  %513 = icmp eq ptr %512, null
  br i1 %513, label %453, label %449, !llvm.loop !46

514:                                              ; preds = %453, %442, %410
  %515 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %411) #10
  %516 = icmp ne ptr %515, null
  %517 = load i32, ptr %47, align 8
  %518 = icmp eq i32 %517, 0
  %519 = select i1 %516, i1 %518, i1 false
  br i1 %519, label %410, label %403, !llvm.loop !47

520:                                              ; preds = %403, %14
  %521 = phi i32 [ %409, %403 ], [ 0, %14 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #10
  ret i32 %521
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
  br i1 %47, label %48, label %51

48:                                               ; preds = %43
  %49 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef %1) #10
  %50 = sext i32 %49 to i64
  br label %51

51:                                               ; preds = %43, %48
  %52 = phi i64 [ %50, %48 ], [ 0, %43 ]
  %53 = getelementptr inbounds nuw i8, ptr %33, i64 8
  store i64 %52, ptr %53, align 8, !tbaa !29
  %54 = sext i32 %44 to i64
  %55 = getelementptr inbounds nuw i8, ptr %33, i64 16
  store i64 %54, ptr %55, align 8, !tbaa !29
  %56 = sext i32 %45 to i64
  %57 = getelementptr inbounds nuw i8, ptr %33, i64 24
  store i64 %56, ptr %57, align 8, !tbaa !29
  %58 = sext i32 %3 to i64
  %59 = getelementptr inbounds nuw i8, ptr %33, i64 32
  store i64 %58, ptr %59, align 8, !tbaa !29
  %60 = sext i32 %4 to i64
  %61 = getelementptr inbounds nuw i8, ptr %33, i64 40
  store i64 %60, ptr %61, align 8, !tbaa !29
  %62 = icmp eq i32 %2, 2
  %63 = icmp ne i32 %45, 0
  %64 = icmp slt i32 %45, 65
  %65 = and i1 %63, %64
  %66 = select i1 %62, i1 %65, i1 false
  br i1 %66, label %67, label %72

67:                                               ; preds = %51
  %68 = tail call ptr @LLVMIsAConstantInt(ptr noundef %1) #10
  %69 = icmp eq ptr %68, null
  br i1 %69, label %72, label %70

70:                                               ; preds = %67
  %71 = tail call i64 @LLVMConstIntGetSExtValue(ptr noundef %1) #10
  br label %72

72:                                               ; preds = %51, %67, %70
  %73 = phi i64 [ %71, %70 ], [ 0, %67 ], [ 0, %51 ]
  %74 = trunc i64 %8 to i32
  %75 = getelementptr inbounds nuw i8, ptr %33, i64 48
  store i64 %73, ptr %75, align 8, !tbaa !29
  ret i32 %74
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

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAConstantInt(ptr noundef) local_unnamed_addr #5

declare i64 @LLVMConstIntGetSExtValue(ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nounwind willreturn allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite)
declare noalias noundef ptr @realloc(ptr allocptr noundef captures(none), i64 noundef) local_unnamed_addr #8

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
  %5 = tail call i32 @LLVMGetValueKind(ptr noundef %1) #10
  switch i32 %5, label %129 [
    i32 23, label %196
    i32 22, label %196
    i32 1, label %196
    i32 24, label %6
    i32 0, label %6
  ]

6:                                                ; preds = %4, %4
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = ptrtoint ptr %7 to i64
  %10 = mul i64 %9, -7046029254386353131
  %11 = lshr i64 %10, 32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = load i64, ptr %12, align 8, !tbaa !20
  %14 = add i64 %13, -1
  %15 = load ptr, ptr %8, align 8, !tbaa !22
  br label %16

16:                                               ; preds = %16, %6
  %17 = phi i64 [ %11, %6 ], [ %24, %16 ]
  %18 = and i64 %17, %14
  %19 = getelementptr inbounds nuw i64, ptr %15, i64 %18
  %20 = load i64, ptr %19, align 8, !tbaa !36
  %21 = icmp eq i64 %20, 0
  %22 = icmp eq i64 %20, %9
  %23 = or i1 %21, %22
  %24 = add i64 %18, 1
  br i1 %23, label %25, label %16, !llvm.loop !37

25:                                               ; preds = %16
  %26 = icmp eq i32 %5, 0
  br i1 %21, label %33, label %27

27:                                               ; preds = %25
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %29 = load ptr, ptr %28, align 8, !tbaa !23
  %30 = getelementptr inbounds nuw i32, ptr %29, i64 %18
  %31 = load i32, ptr %30, align 4, !tbaa !3
  %32 = icmp sgt i32 %31, -1
  br i1 %32, label %156, label %33

33:                                               ; preds = %27, %25
  br i1 %26, label %63, label %34

34:                                               ; preds = %33
  %35 = load ptr, ptr %0, align 8, !tbaa !14
  %36 = load ptr, ptr %35, align 8, !tbaa !7
  %37 = ptrtoint ptr %1 to i64
  %38 = mul i64 %37, -7046029254386353131
  %39 = lshr i64 %38, 32
  br label %40

40:                                               ; preds = %40, %34
  %41 = phi i64 [ %39, %34 ], [ %48, %40 ]
  %42 = and i64 %41, %14
  %43 = getelementptr inbounds nuw i64, ptr %15, i64 %42
  %44 = load i64, ptr %43, align 8, !tbaa !36
  %45 = icmp eq i64 %44, 0
  %46 = icmp eq i64 %44, %37
  %47 = or i1 %45, %46
  %48 = add i64 %42, 1
  br i1 %47, label %49, label %40, !llvm.loop !37

49:                                               ; preds = %40
  br i1 %45, label %57, label %50

50:                                               ; preds = %49
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %52 = load ptr, ptr %51, align 8, !tbaa !23
  %53 = getelementptr inbounds nuw i32, ptr %52, i64 %42
  %54 = load i32, ptr %53, align 4, !tbaa !3
  %55 = mul nsw i32 %54, 7
  %56 = sext i32 %55 to i64
  br label %57

57:                                               ; preds = %50, %49
  %58 = phi i64 [ %56, %50 ], [ -7, %49 ]
  %59 = getelementptr i64, ptr %36, i64 %58
  %60 = getelementptr i8, ptr %59, i64 40
  %61 = load i64, ptr %60, align 8, !tbaa !29
  %62 = trunc i64 %61 to i32
  br label %63

63:                                               ; preds = %57, %33
  %64 = phi i32 [ -1, %33 ], [ %62, %57 ]
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %66 = load i32, ptr %65, align 8, !tbaa !31
  %67 = tail call fastcc i32 @add_node(ptr noundef nonnull %0, ptr noundef %1, i32 noundef 1, i32 noundef %66, i32 noundef %64)
  tail call fastcc void @remember(ptr noundef nonnull %0, ptr noundef nonnull %7, i32 noundef %67)
  br i1 %26, label %156, label %68

68:                                               ; preds = %63
  %69 = ptrtoint ptr %1 to i64
  %70 = mul i64 %69, -7046029254386353131
  %71 = lshr i64 %70, 32
  %72 = load i64, ptr %12, align 8, !tbaa !20
  %73 = add i64 %72, -1
  %74 = load ptr, ptr %8, align 8, !tbaa !22
  br label %75

75:                                               ; preds = %75, %68
  %76 = phi i64 [ %71, %68 ], [ %83, %75 ]
  %77 = and i64 %76, %73
  %78 = getelementptr inbounds nuw i64, ptr %74, i64 %77
  %79 = load i64, ptr %78, align 8, !tbaa !36
  %80 = icmp eq i64 %79, 0
  %81 = icmp eq i64 %79, %69
  %82 = or i1 %80, %81
  %83 = add i64 %77, 1
  br i1 %82, label %84, label %75, !llvm.loop !37

84:                                               ; preds = %75
  br i1 %80, label %90, label %85

85:                                               ; preds = %84
  %86 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %87 = load ptr, ptr %86, align 8, !tbaa !23
  %88 = getelementptr inbounds nuw i32, ptr %87, i64 %77
  %89 = load i32, ptr %88, align 4, !tbaa !3
  br label %90

90:                                               ; preds = %85, %84
  %91 = phi i32 [ %89, %85 ], [ -1, %84 ]
  %92 = or i32 %91, %67
  %93 = icmp sgt i32 %92, -1
  br i1 %93, label %94, label %156

94:                                               ; preds = %90
  %95 = load ptr, ptr %0, align 8, !tbaa !14
  %96 = getelementptr inbounds nuw i8, ptr %95, i64 24
  %97 = getelementptr inbounds nuw i8, ptr %95, i64 32
  %98 = load i64, ptr %97, align 8, !tbaa !28
  %99 = getelementptr inbounds nuw i8, ptr %95, i64 40
  %100 = load i64, ptr %99, align 8, !tbaa !25
  %101 = icmp eq i64 %98, %100
  %102 = load ptr, ptr %96, align 8, !tbaa !26
  br i1 %101, label %103, label %116

103:                                              ; preds = %94
  %104 = icmp eq i64 %98, 0
  %105 = shl nsw i64 %98, 1
  %106 = select i1 %104, i64 1024, i64 %105
  %107 = shl i64 %106, 5
  %108 = tail call ptr @realloc(ptr noundef %102, i64 noundef %107) #13
  %109 = icmp eq ptr %108, null
  %110 = zext i1 %109 to i32
  %111 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %112 = load i32, ptr %111, align 8, !tbaa !27
  %113 = or i32 %112, %110
  store i32 %113, ptr %111, align 8, !tbaa !27
  br i1 %109, label %122, label %114

114:                                              ; preds = %103
  store ptr %108, ptr %96, align 8, !tbaa !26
  store i64 %106, ptr %99, align 8, !tbaa !25
  %115 = load i64, ptr %97, align 8, !tbaa !28
  br label %116

116:                                              ; preds = %114, %94
  %117 = phi i64 [ %115, %114 ], [ %98, %94 ]
  %118 = phi ptr [ %108, %114 ], [ %102, %94 ]
  %119 = add nsw i64 %117, 1
  store i64 %119, ptr %97, align 8, !tbaa !28
  %120 = shl nsw i64 %117, 5
  %121 = getelementptr inbounds i8, ptr %118, i64 %120
  br label %122

122:                                              ; preds = %116, %103
  %123 = phi ptr [ %121, %116 ], [ @add_row.nowhere, %103 ]
  %124 = zext nneg i32 %91 to i64
  store i64 %124, ptr %123, align 8, !tbaa !29
  %125 = zext nneg i32 %67 to i64
  %126 = getelementptr inbounds nuw i8, ptr %123, i64 8
  store i64 %125, ptr %126, align 8, !tbaa !29
  %127 = getelementptr inbounds nuw i8, ptr %123, i64 16
  store i64 1, ptr %127, align 8, !tbaa !29
  %128 = getelementptr inbounds nuw i8, ptr %123, i64 24
  store i64 0, ptr %128, align 8, !tbaa !29
  br label %156

129:                                              ; preds = %4
  %130 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %131 = ptrtoint ptr %1 to i64
  %132 = mul i64 %131, -7046029254386353131
  %133 = lshr i64 %132, 32
  %134 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %135 = load i64, ptr %134, align 8, !tbaa !20
  %136 = add i64 %135, -1
  %137 = load ptr, ptr %130, align 8, !tbaa !22
  br label %138

138:                                              ; preds = %138, %129
  %139 = phi i64 [ %133, %129 ], [ %146, %138 ]
  %140 = and i64 %139, %136
  %141 = getelementptr inbounds nuw i64, ptr %137, i64 %140
  %142 = load i64, ptr %141, align 8, !tbaa !36
  %143 = icmp eq i64 %142, 0
  %144 = icmp eq i64 %142, %131
  %145 = or i1 %143, %144
  %146 = add i64 %140, 1
  br i1 %145, label %147, label %138, !llvm.loop !37

147:                                              ; preds = %138
  br i1 %143, label %154, label %148

148:                                              ; preds = %147
  %149 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %150 = load ptr, ptr %149, align 8, !tbaa !23
  %151 = getelementptr inbounds nuw i32, ptr %150, i64 %140
  %152 = load i32, ptr %151, align 4, !tbaa !3
  %153 = icmp sgt i32 %152, -1
  br i1 %153, label %156, label %154

154:                                              ; preds = %148, %147
  %155 = tail call fastcc i32 @add_node(ptr noundef nonnull %0, ptr noundef %1, i32 noundef 2, i32 noundef -1, i32 noundef -1)
  tail call fastcc void @remember(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %155)
  br label %156

156:                                              ; preds = %154, %148, %122, %90, %63, %27
  %157 = phi i32 [ %67, %122 ], [ %31, %27 ], [ %67, %63 ], [ %67, %90 ], [ %155, %154 ], [ %152, %148 ]
  %158 = or i32 %157, %2
  %159 = icmp sgt i32 %158, -1
  br i1 %159, label %160, label %196

160:                                              ; preds = %156
  %161 = load ptr, ptr %0, align 8, !tbaa !14
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 24
  %163 = getelementptr inbounds nuw i8, ptr %161, i64 32
  %164 = load i64, ptr %163, align 8, !tbaa !28
  %165 = getelementptr inbounds nuw i8, ptr %161, i64 40
  %166 = load i64, ptr %165, align 8, !tbaa !25
  %167 = icmp eq i64 %164, %166
  %168 = load ptr, ptr %162, align 8, !tbaa !26
  br i1 %167, label %169, label %182

169:                                              ; preds = %160
  %170 = icmp eq i64 %164, 0
  %171 = shl nsw i64 %164, 1
  %172 = select i1 %170, i64 1024, i64 %171
  %173 = shl i64 %172, 5
  %174 = tail call ptr @realloc(ptr noundef %168, i64 noundef %173) #13
  %175 = icmp eq ptr %174, null
  %176 = zext i1 %175 to i32
  %177 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %178 = load i32, ptr %177, align 8, !tbaa !27
  %179 = or i32 %178, %176
  store i32 %179, ptr %177, align 8, !tbaa !27
  br i1 %175, label %188, label %180

180:                                              ; preds = %169
  store ptr %174, ptr %162, align 8, !tbaa !26
  store i64 %172, ptr %165, align 8, !tbaa !25
  %181 = load i64, ptr %163, align 8, !tbaa !28
  br label %182

182:                                              ; preds = %180, %160
  %183 = phi i64 [ %181, %180 ], [ %164, %160 ]
  %184 = phi ptr [ %174, %180 ], [ %168, %160 ]
  %185 = add nsw i64 %183, 1
  store i64 %185, ptr %163, align 8, !tbaa !28
  %186 = shl nsw i64 %183, 5
  %187 = getelementptr inbounds i8, ptr %184, i64 %186
  br label %188

188:                                              ; preds = %182, %169
  %189 = phi ptr [ %187, %182 ], [ @add_row.nowhere, %169 ]
  %190 = zext nneg i32 %157 to i64
  store i64 %190, ptr %189, align 8, !tbaa !29
  %191 = zext nneg i32 %2 to i64
  %192 = getelementptr inbounds nuw i8, ptr %189, i64 8
  store i64 %191, ptr %192, align 8, !tbaa !29
  %193 = getelementptr inbounds nuw i8, ptr %189, i64 16
  store i64 1, ptr %193, align 8, !tbaa !29
  %194 = sext i32 %3 to i64
  %195 = getelementptr inbounds nuw i8, ptr %189, i64 24
  store i64 %194, ptr %195, align 8, !tbaa !29
  br label %196

196:                                              ; preds = %4, %4, %4, %188, %156
  ret void
}

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #5

declare ptr @LLVMGetSwitchCaseValue(ptr noundef, i32 noundef) local_unnamed_addr #5

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #5

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #5

declare i32 @LLVMGetValueKind(ptr noundef) local_unnamed_addr #5

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
