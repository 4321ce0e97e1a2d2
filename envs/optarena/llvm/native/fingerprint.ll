; ModuleID = 'fingerprint.c'
source_filename = "fingerprint.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Use = type { ptr, ptr, ptr, ptr }
%struct.Slot = type { ptr, i64 }
%struct.Pair = type { ptr, i64 }

; Function Attrs: mustprogress nofree nounwind willreturn memory(inaccessiblemem: readwrite)
define dso_local noalias noundef ptr @optarena_fingerprint_new() local_unnamed_addr #0 {
  %1 = tail call dereferenceable_or_null(5416) ptr @calloc(i64 noundef 1, i64 noundef 5416) #18
  ret ptr %1
}

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)
define dso_local void @optarena_fingerprint_free(ptr noundef captures(none) %0) local_unnamed_addr #2 {
  %2 = load ptr, ptr %0, align 8, !tbaa !7
  tail call void @free(ptr noundef %2)
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8, !tbaa !16
  tail call void @free(ptr noundef %4)
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %6 = load ptr, ptr %5, align 8, !tbaa !17
  tail call void @free(ptr noundef %6)
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %8 = load ptr, ptr %7, align 8, !tbaa !18
  tail call void @free(ptr noundef %8)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %10 = load ptr, ptr %9, align 8, !tbaa !19
  tail call void @free(ptr noundef %10)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %12 = load ptr, ptr %11, align 8, !tbaa !20
  tail call void @free(ptr noundef %12)
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %14 = load ptr, ptr %13, align 8, !tbaa !21
  tail call void @free(ptr noundef %14)
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %16 = load ptr, ptr %15, align 8, !tbaa !22
  tail call void @free(ptr noundef %16)
  tail call void @free(ptr noundef %0)
  ret void
}

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #3

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_fingerprint(ptr noundef %0, ptr noundef %1, ptr noundef writeonly captures(none) %2) local_unnamed_addr #4 {
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  tail call fastcc void @clear(ptr noundef %1, i64 noundef 256)
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 64
  tail call fastcc void @clear(ptr noundef nonnull %6, i64 noundef 256)
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 96
  tail call fastcc void @clear(ptr noundef nonnull %7, i64 noundef 256)
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 128
  tail call fastcc void @clear(ptr noundef nonnull %8, i64 noundef 64)
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 160
  tail call fastcc void @clear(ptr noundef nonnull %9, i64 noundef 16)
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 240
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(512) %10, i8 0, i64 512, i1 false)
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 224
  store i64 0, ptr %11, align 8, !tbaa !23
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 5376
  store i64 1, ptr %12, align 8, !tbaa !24
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 5384
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(28) %13, i8 0, i64 28, i1 false)
  %14 = tail call ptr @LLVMGetFirstGlobal(ptr noundef %0) #19
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %30

16:                                               ; preds = %30, %3
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %18 = load i64, ptr %17, align 8, !tbaa !25
  %19 = load i64, ptr %12, align 8, !tbaa !24
  %20 = xor i64 %19, -6884282663029611473
  %21 = zext i64 %20 to i128
  %22 = xor i64 %18, -1800455987208640293
  %23 = zext i64 %22 to i128
  %24 = mul nuw i128 %21, %23
  %25 = lshr i128 %24, 64
  %26 = xor i128 %25, %24
  %27 = trunc i128 %26 to i64
  store i64 %27, ptr %12, align 8, !tbaa !24
  %28 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #19
  %29 = icmp eq ptr %28, null
  br i1 %29, label %34, label %47

30:                                               ; preds = %3, %30
  %31 = phi ptr [ %32, %30 ], [ %14, %3 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %31)
  %32 = tail call ptr @LLVMGetNextGlobal(ptr noundef nonnull %31) #19
  %33 = icmp eq ptr %32, null
  br i1 %33, label %16, label %30, !llvm.loop !26

34:                                               ; preds = %47, %16
  %35 = load i64, ptr %17, align 8, !tbaa !25
  %36 = load i64, ptr %12, align 8, !tbaa !24
  %37 = xor i64 %36, -6884282663029611473
  %38 = zext i64 %37 to i128
  %39 = xor i64 %35, -1800455987208640293
  %40 = zext i64 %39 to i128
  %41 = mul nuw i128 %38, %40
  %42 = lshr i128 %41, 64
  %43 = xor i128 %42, %41
  %44 = trunc i128 %43 to i64
  store i64 %44, ptr %12, align 8, !tbaa !24
  %45 = tail call ptr @LLVMGetFirstGlobalAlias(ptr noundef %0) #19
  %46 = icmp eq ptr %45, null
  br i1 %46, label %51, label %120

47:                                               ; preds = %16, %47
  %48 = phi ptr [ %49, %47 ], [ %28, %16 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %48)
  %49 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %48) #19
  %50 = icmp eq ptr %49, null
  br i1 %50, label %34, label %47, !llvm.loop !28

51:                                               ; preds = %120, %34
  %52 = load i64, ptr %17, align 8, !tbaa !25
  %53 = load i64, ptr %12, align 8, !tbaa !24
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %12, align 8, !tbaa !24
  %62 = tail call ptr @LLVMGetModuleContext(ptr noundef %0) #19
  %63 = getelementptr inbounds nuw i8, ptr %1, i64 1264
  %64 = getelementptr inbounds nuw i8, ptr %1, i64 1280
  store ptr %64, ptr %63, align 8, !tbaa !29
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 1272
  store i32 0, ptr %65, align 8, !tbaa !30
  %66 = getelementptr inbounds nuw i8, ptr %1, i64 1276
  store i32 256, ptr %66, align 4, !tbaa !31
  tail call void @_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %62, ptr noundef nonnull %63) #19, !callees !32
  %67 = load ptr, ptr %63, align 8, !tbaa !29
  %68 = icmp eq ptr %67, %64
  br i1 %68, label %70, label %69

69:                                               ; preds = %51
  tail call void @free(ptr noundef %67)
  br label %70

70:                                               ; preds = %69, %51
  %71 = load i32, ptr %65, align 8, !tbaa !30
  %72 = zext i32 %71 to i64
  %73 = load i64, ptr %12, align 8, !tbaa !24
  %74 = xor i64 %73, -6884282663029611473
  %75 = zext i64 %74 to i128
  %76 = xor i64 %72, -1800455987208640293
  %77 = zext i64 %76 to i128
  %78 = mul nuw i128 %75, %77
  %79 = lshr i128 %78, 64
  %80 = xor i128 %79, %78
  %81 = trunc i128 %80 to i64
  store i64 %81, ptr %12, align 8, !tbaa !24
  store ptr %64, ptr %63, align 8, !tbaa !29
  store i32 0, ptr %65, align 8, !tbaa !30
  store i32 256, ptr %66, align 4, !tbaa !31
  tail call void @_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %62, ptr noundef nonnull %63) #19, !callees !32
  %82 = load ptr, ptr %63, align 8, !tbaa !29
  %83 = icmp eq ptr %82, %64
  br i1 %83, label %85, label %84

84:                                               ; preds = %70
  tail call void @free(ptr noundef %82)
  br label %85

85:                                               ; preds = %84, %70
  %86 = load i32, ptr %65, align 8, !tbaa !30
  %87 = zext i32 %86 to i64
  %88 = load i64, ptr %12, align 8, !tbaa !24
  %89 = xor i64 %88, -6884282663029611473
  %90 = zext i64 %89 to i128
  %91 = xor i64 %87, -1800455987208640293
  %92 = zext i64 %91 to i128
  %93 = mul nuw i128 %90, %92
  %94 = lshr i128 %93, 64
  %95 = xor i128 %94, %93
  %96 = trunc i128 %95 to i64
  store i64 %96, ptr %12, align 8, !tbaa !24
  store ptr %64, ptr %63, align 8, !tbaa !29
  store i32 0, ptr %65, align 8, !tbaa !30
  store i32 256, ptr %66, align 4, !tbaa !31
  tail call void @_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %62, ptr noundef nonnull %63) #19, !callees !32
  %97 = load ptr, ptr %63, align 8, !tbaa !29
  %98 = icmp eq ptr %97, %64
  br i1 %98, label %100, label %99

99:                                               ; preds = %85
  tail call void @free(ptr noundef %97)
  br label %100

100:                                              ; preds = %85, %99
  %101 = load i32, ptr %65, align 8, !tbaa !30
  %102 = zext i32 %101 to i64
  %103 = load i64, ptr %12, align 8, !tbaa !24
  %104 = xor i64 %103, -6884282663029611473
  %105 = zext i64 %104 to i128
  %106 = xor i64 %102, -1800455987208640293
  %107 = zext i64 %106 to i128
  %108 = mul nuw i128 %105, %107
  %109 = lshr i128 %108, 64
  %110 = xor i128 %109, %108
  %111 = trunc i128 %110 to i64
  store i64 %111, ptr %12, align 8, !tbaa !24
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #19
  %112 = call ptr @LLVMGetModuleInlineAsm(ptr noundef %0, ptr noundef nonnull %5) #19
  %113 = load i64, ptr %5, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %112, i64 noundef %113)
  %114 = call ptr @LLVMGetSourceFileName(ptr noundef %0, ptr noundef nonnull %5) #19
  %115 = load i64, ptr %5, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %114, i64 noundef %115)
  %116 = call ptr @LLVMGetTarget(ptr noundef %0) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %116)
  %117 = call ptr @LLVMGetDataLayoutStr(ptr noundef %0) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %117)
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #19
  %118 = call ptr @LLVMGetFirstGlobal(ptr noundef %0) #19
  %119 = icmp eq ptr %118, null
  br i1 %119, label %124, label %127

120:                                              ; preds = %34, %120
  %121 = phi ptr [ %122, %120 ], [ %45, %34 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %121)
  %122 = tail call ptr @LLVMGetNextGlobalAlias(ptr noundef nonnull %121) #19
  %123 = icmp eq ptr %122, null
  br i1 %123, label %51, label %120, !llvm.loop !34

124:                                              ; preds = %205, %100
  %125 = call ptr @LLVMGetFirstGlobalAlias(ptr noundef %0) #19
  %126 = icmp eq ptr %125, null
  br i1 %126, label %208, label %220

127:                                              ; preds = %100, %205
  %128 = phi ptr [ %206, %205 ], [ %118, %100 ]
  call fastcc void @add_object(ptr noundef nonnull %1, ptr noundef nonnull %128)
  %129 = load i8, ptr %128, align 8, !tbaa !35
  %130 = zext i8 %129 to i64
  %131 = getelementptr inbounds nuw i8, ptr %128, i64 1
  %132 = load i8, ptr %131, align 1
  %133 = lshr i8 %132, 1
  %134 = zext nneg i8 %133 to i64
  %135 = shl nuw nsw i64 %134, 8
  %136 = or disjoint i64 %135, %130
  %137 = getelementptr inbounds nuw i8, ptr %128, i64 2
  %138 = load i16, ptr %137, align 2, !tbaa !39
  %139 = zext i16 %138 to i64
  %140 = shl nuw nsw i64 %139, 16
  %141 = or disjoint i64 %136, %140
  %142 = getelementptr inbounds nuw i8, ptr %128, i64 4
  %143 = load i32, ptr %142, align 4
  %144 = and i32 %143, -2013265921
  %145 = zext i32 %144 to i64
  %146 = shl nuw i64 %145, 32
  %147 = or disjoint i64 %146, %141
  %148 = load i64, ptr %12, align 8, !tbaa !24
  %149 = xor i64 %148, -6884282663029611473
  %150 = zext i64 %149 to i128
  %151 = xor i64 %147, -1800455987208640293
  %152 = zext i64 %151 to i128
  %153 = mul nuw i128 %152, %150
  %154 = lshr i128 %153, 64
  %155 = xor i128 %154, %153
  %156 = trunc i128 %155 to i64
  %157 = getelementptr inbounds nuw i8, ptr %128, i64 72
  %158 = load i64, ptr %157, align 8, !tbaa !40
  %159 = xor i64 %156, -6884282663029611473
  %160 = zext i64 %159 to i128
  %161 = xor i64 %158, -1800455987208640293
  %162 = zext i64 %161 to i128
  %163 = mul nuw i128 %160, %162
  %164 = lshr i128 %163, 64
  %165 = xor i128 %164, %163
  %166 = trunc i128 %165 to i64
  store i64 %166, ptr %12, align 8, !tbaa !24
  %167 = getelementptr inbounds nuw i8, ptr %128, i64 80
  %168 = load i8, ptr %167, align 8
  %169 = and i8 %168, 3
  %170 = zext nneg i8 %169 to i64
  %171 = xor i64 %166, -6884282663029611473
  %172 = zext i64 %171 to i128
  %173 = xor i64 %170, -1800455987208640293
  %174 = zext i64 %173 to i128
  %175 = mul nuw i128 %172, %174
  %176 = lshr i128 %175, 64
  %177 = xor i128 %176, %175
  %178 = trunc i128 %177 to i64
  store i64 %178, ptr %12, align 8, !tbaa !24
  %179 = load i32, ptr %142, align 4
  %180 = and i32 %179, 134217727
  %181 = icmp eq i32 %180, 0
  br i1 %181, label %205, label %182

182:                                              ; preds = %127
  %183 = and i32 %179, 1073741824
  %184 = icmp eq i32 %183, 0
  br i1 %184, label %188, label %185

185:                                              ; preds = %182
  %186 = getelementptr inbounds i8, ptr %128, i64 -8
  %187 = load ptr, ptr %186, align 8, !tbaa !45
  br label %192

188:                                              ; preds = %182
  %189 = zext nneg i32 %180 to i64
  %190 = sub nsw i64 0, %189
  %191 = getelementptr inbounds %struct.Use, ptr %128, i64 %190
  br label %192

192:                                              ; preds = %188, %185
  %193 = phi ptr [ %187, %185 ], [ %191, %188 ]
  %194 = load ptr, ptr %193, align 8, !tbaa !46
  %195 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %194)
  %196 = load i64, ptr %12, align 8, !tbaa !24
  %197 = xor i64 %196, -6884282663029611473
  %198 = zext i64 %197 to i128
  %199 = xor i64 %195, -1800455987208640293
  %200 = zext i64 %199 to i128
  %201 = mul nuw i128 %198, %200
  %202 = lshr i128 %201, 64
  %203 = xor i128 %202, %201
  %204 = trunc i128 %203 to i64
  store i64 %204, ptr %12, align 8, !tbaa !24
  br label %205

205:                                              ; preds = %127, %192
  %206 = call ptr @LLVMGetNextGlobal(ptr noundef nonnull %128) #19
  %207 = icmp eq ptr %206, null
  br i1 %207, label %124, label %127, !llvm.loop !48

208:                                              ; preds = %261, %124
  %209 = call ptr @LLVMGetFirstFunction(ptr noundef %0) #19
  %210 = icmp eq ptr %209, null
  br i1 %210, label %276, label %211

211:                                              ; preds = %208
  %212 = getelementptr inbounds nuw i8, ptr %1, i64 192
  %213 = getelementptr inbounds nuw i8, ptr %1, i64 200
  %214 = getelementptr inbounds nuw i8, ptr %1, i64 5392
  %215 = getelementptr inbounds nuw i8, ptr %1, i64 208
  %216 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %217 = getelementptr inbounds nuw i8, ptr %1, i64 752
  %218 = getelementptr inbounds nuw i8, ptr %1, i64 1008
  %219 = getelementptr inbounds nuw i8, ptr %1, i64 5408
  br label %333

220:                                              ; preds = %124, %261
  %221 = phi ptr [ %274, %261 ], [ %125, %124 ]
  call fastcc void @add_global(ptr noundef nonnull %1, ptr noundef nonnull %221)
  %222 = load i8, ptr %221, align 8, !tbaa !35
  %223 = zext i8 %222 to i64
  %224 = getelementptr inbounds nuw i8, ptr %221, i64 1
  %225 = load i8, ptr %224, align 1
  %226 = lshr i8 %225, 1
  %227 = zext nneg i8 %226 to i64
  %228 = shl nuw nsw i64 %227, 8
  %229 = or disjoint i64 %228, %223
  %230 = getelementptr inbounds nuw i8, ptr %221, i64 2
  %231 = load i16, ptr %230, align 2, !tbaa !39
  %232 = zext i16 %231 to i64
  %233 = shl nuw nsw i64 %232, 16
  %234 = or disjoint i64 %229, %233
  %235 = getelementptr inbounds nuw i8, ptr %221, i64 4
  %236 = load i32, ptr %235, align 4
  %237 = and i32 %236, -2013265921
  %238 = zext i32 %237 to i64
  %239 = shl nuw i64 %238, 32
  %240 = or disjoint i64 %239, %234
  %241 = load i64, ptr %12, align 8, !tbaa !24
  %242 = xor i64 %241, -6884282663029611473
  %243 = zext i64 %242 to i128
  %244 = xor i64 %240, -1800455987208640293
  %245 = zext i64 %244 to i128
  %246 = mul nuw i128 %245, %243
  %247 = lshr i128 %246, 64
  %248 = xor i128 %247, %246
  %249 = trunc i128 %248 to i64
  store i64 %249, ptr %12, align 8, !tbaa !24
  %250 = load i32, ptr %235, align 4
  %251 = and i32 %250, 1073741824
  %252 = icmp eq i32 %251, 0
  br i1 %252, label %256, label %253

253:                                              ; preds = %220
  %254 = getelementptr inbounds i8, ptr %221, i64 -8
  %255 = load ptr, ptr %254, align 8, !tbaa !45
  br label %261

256:                                              ; preds = %220
  %257 = and i32 %250, 134217727
  %258 = zext nneg i32 %257 to i64
  %259 = sub nsw i64 0, %258
  %260 = getelementptr inbounds %struct.Use, ptr %221, i64 %259
  br label %261

261:                                              ; preds = %253, %256
  %262 = phi ptr [ %255, %253 ], [ %260, %256 ]
  %263 = load ptr, ptr %262, align 8, !tbaa !46
  %264 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %263)
  %265 = load i64, ptr %12, align 8, !tbaa !24
  %266 = xor i64 %265, -6884282663029611473
  %267 = zext i64 %266 to i128
  %268 = xor i64 %264, -1800455987208640293
  %269 = zext i64 %268 to i128
  %270 = mul nuw i128 %267, %269
  %271 = lshr i128 %270, 64
  %272 = xor i128 %271, %270
  %273 = trunc i128 %272 to i64
  store i64 %273, ptr %12, align 8, !tbaa !24
  %274 = call ptr @LLVMGetNextGlobalAlias(ptr noundef nonnull %221) #19
  %275 = icmp eq ptr %274, null
  br i1 %275, label %208, label %220, !llvm.loop !49

276:                                              ; preds = %625, %208
  %277 = call ptr @LLVMGetFirstNamedMetadata(ptr noundef %0) #19
  %278 = icmp eq ptr %277, null
  br i1 %278, label %279, label %284

279:                                              ; preds = %300, %276
  %280 = load i64, ptr %11, align 8, !tbaa !23
  %281 = icmp eq i64 %280, 0
  br i1 %281, label %326, label %282

282:                                              ; preds = %279
  %283 = getelementptr inbounds nuw i8, ptr %1, i64 216
  br label %318

284:                                              ; preds = %276, %300
  %285 = phi ptr [ %301, %300 ], [ %277, %276 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #19
  %286 = call ptr @LLVMGetNamedMetadataName(ptr noundef nonnull %285, ptr noundef nonnull %4) #19
  %287 = call i32 @_ZNK4llvm11NamedMDNode14getNumOperandsEv(ptr noundef nonnull %285) #19
  %288 = load i64, ptr %4, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %286, i64 noundef %288)
  %289 = zext i32 %287 to i64
  %290 = load i64, ptr %12, align 8, !tbaa !24
  %291 = xor i64 %290, -6884282663029611473
  %292 = zext i64 %291 to i128
  %293 = xor i64 %289, -1800455987208640293
  %294 = zext i64 %293 to i128
  %295 = mul nuw i128 %292, %294
  %296 = lshr i128 %295, 64
  %297 = xor i128 %296, %295
  %298 = trunc i128 %297 to i64
  store i64 %298, ptr %12, align 8, !tbaa !24
  %299 = icmp eq i32 %287, 0
  br i1 %299, label %300, label %303

300:                                              ; preds = %303, %284
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #19
  %301 = call ptr @LLVMGetNextNamedMetadata(ptr noundef nonnull %285) #19
  %302 = icmp eq ptr %301, null
  br i1 %302, label %279, label %284, !llvm.loop !50

303:                                              ; preds = %284, %303
  %304 = phi i32 [ %316, %303 ], [ 0, %284 ]
  %305 = call ptr @_ZNK4llvm11NamedMDNode10getOperandEj(ptr noundef nonnull %285, i32 noundef %304) #19
  %306 = call fastcc i64 @node_number(ptr noundef nonnull %1, ptr noundef %305)
  %307 = load i64, ptr %12, align 8, !tbaa !24
  %308 = xor i64 %307, -6884282663029611473
  %309 = zext i64 %308 to i128
  %310 = xor i64 %306, -1800455987208640293
  %311 = zext i64 %310 to i128
  %312 = mul nuw i128 %309, %311
  %313 = lshr i128 %312, 64
  %314 = xor i128 %313, %312
  %315 = trunc i128 %314 to i64
  store i64 %315, ptr %12, align 8, !tbaa !24
  %316 = add nuw i32 %304, 1
  %317 = icmp eq i32 %316, %287
  br i1 %317, label %300, label %303, !llvm.loop !51

318:                                              ; preds = %318, %282
  %319 = phi i64 [ 0, %282 ], [ %323, %318 ]
  %320 = load ptr, ptr %283, align 8, !tbaa !22
  %321 = getelementptr inbounds nuw ptr, ptr %320, i64 %319
  %322 = load ptr, ptr %321, align 8, !tbaa !45
  call fastcc void @add_node(ptr noundef nonnull %1, ptr noundef %322)
  %323 = add nuw i64 %319, 1
  %324 = load i64, ptr %11, align 8, !tbaa !23
  %325 = icmp ult i64 %323, %324
  br i1 %325, label %318, label %326, !llvm.loop !52

326:                                              ; preds = %318, %279
  %327 = load i64, ptr %12, align 8, !tbaa !24
  store i64 %327, ptr %2, align 8, !tbaa !33
  %328 = load i64, ptr %13, align 8, !tbaa !53
  %329 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store i64 %328, ptr %329, align 8, !tbaa !33
  %330 = getelementptr inbounds nuw i8, ptr %1, i64 5408
  %331 = load i32, ptr %330, align 8, !tbaa !54
  %332 = icmp eq i32 %331, 0
  br i1 %332, label %630, label %634

333:                                              ; preds = %211, %625
  %334 = phi ptr [ %209, %211 ], [ %628, %625 ]
  call fastcc void @add_object(ptr noundef nonnull %1, ptr noundef nonnull %334)
  %335 = getelementptr inbounds nuw i8, ptr %334, i64 2
  %336 = load i16, ptr %335, align 2, !tbaa !39
  %337 = lshr i16 %336, 4
  %338 = zext nneg i16 %337 to i64
  %339 = load i64, ptr %12, align 8, !tbaa !24
  %340 = xor i64 %339, -6884282663029611473
  %341 = zext i64 %340 to i128
  %342 = xor i64 %338, -1800455987208640293
  %343 = zext i64 %342 to i128
  %344 = mul nuw i128 %343, %341
  %345 = lshr i128 %344, 64
  %346 = xor i128 %345, %344
  %347 = trunc i128 %346 to i64
  %348 = getelementptr inbounds nuw i8, ptr %334, i64 120
  %349 = load i64, ptr %348, align 8, !tbaa !55
  %350 = xor i64 %347, -6884282663029611473
  %351 = zext i64 %350 to i128
  %352 = xor i64 %349, -1800455987208640293
  %353 = zext i64 %352 to i128
  %354 = mul nuw i128 %351, %353
  %355 = lshr i128 %354, 64
  %356 = xor i128 %355, %354
  %357 = trunc i128 %356 to i64
  store i64 %357, ptr %12, align 8, !tbaa !24
  %358 = call ptr @LLVMGetGC(ptr noundef nonnull %334) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %358)
  %359 = call i32 @LLVMHasPersonalityFn(ptr noundef nonnull %334) #19
  %360 = icmp eq i32 %359, 0
  br i1 %360, label %365, label %361

361:                                              ; preds = %333
  %362 = call ptr @LLVMGetPersonalityFn(ptr noundef nonnull %334) #19
  %363 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %362)
  %364 = xor i64 %363, -1800455987208640293
  br label %365

365:                                              ; preds = %361, %333
  %366 = phi i64 [ %364, %361 ], [ -1800455987208640293, %333 ]
  %367 = load i64, ptr %12, align 8, !tbaa !24
  %368 = xor i64 %367, -6884282663029611473
  %369 = zext i64 %368 to i128
  %370 = zext i64 %366 to i128
  %371 = mul nuw i128 %369, %370
  %372 = lshr i128 %371, 64
  %373 = xor i128 %372, %371
  %374 = trunc i128 %373 to i64
  store i64 %374, ptr %12, align 8, !tbaa !24
  %375 = call i32 @LLVMHasPrefixData(ptr noundef nonnull %334) #19
  %376 = icmp eq i32 %375, 0
  br i1 %376, label %381, label %377

377:                                              ; preds = %365
  %378 = call ptr @LLVMGetPrefixData(ptr noundef nonnull %334) #19
  %379 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %378)
  %380 = xor i64 %379, -1800455987208640293
  br label %381

381:                                              ; preds = %377, %365
  %382 = phi i64 [ %380, %377 ], [ -1800455987208640293, %365 ]
  %383 = load i64, ptr %12, align 8, !tbaa !24
  %384 = xor i64 %383, -6884282663029611473
  %385 = zext i64 %384 to i128
  %386 = zext i64 %382 to i128
  %387 = mul nuw i128 %385, %386
  %388 = lshr i128 %387, 64
  %389 = xor i128 %388, %387
  %390 = trunc i128 %389 to i64
  store i64 %390, ptr %12, align 8, !tbaa !24
  %391 = call i32 @LLVMHasPrologueData(ptr noundef nonnull %334) #19
  %392 = icmp eq i32 %391, 0
  br i1 %392, label %397, label %393

393:                                              ; preds = %381
  %394 = call ptr @LLVMGetPrologueData(ptr noundef nonnull %334) #19
  %395 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %394)
  %396 = xor i64 %395, -1800455987208640293
  br label %397

397:                                              ; preds = %393, %381
  %398 = phi i64 [ %396, %393 ], [ -1800455987208640293, %381 ]
  %399 = load i64, ptr %12, align 8, !tbaa !24
  %400 = xor i64 %399, -6884282663029611473
  %401 = zext i64 %400 to i128
  %402 = zext i64 %398 to i128
  %403 = mul nuw i128 %401, %402
  %404 = lshr i128 %403, 64
  %405 = xor i128 %404, %403
  %406 = trunc i128 %405 to i64
  store i64 %406, ptr %12, align 8, !tbaa !24
  store i64 0, ptr %213, align 8, !tbaa !57
  store ptr %334, ptr %214, align 8, !tbaa !58
  %407 = call ptr @LLVMGetFirstParam(ptr noundef nonnull %334) #19
  %408 = icmp eq ptr %407, null
  br i1 %408, label %409, label %413

409:                                              ; preds = %420, %397
  %410 = load i64, ptr %213, align 8, !tbaa !57
  %411 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %334) #19
  %412 = icmp eq ptr %411, null
  br i1 %412, label %427, label %431

413:                                              ; preds = %397, %420
  %414 = phi ptr [ %425, %420 ], [ %407, %397 ]
  %415 = load i64, ptr %213, align 8, !tbaa !57
  %416 = load i64, ptr %215, align 8, !tbaa !59
  %417 = icmp eq i64 %415, %416
  br i1 %417, label %418, label %420

418:                                              ; preds = %413
  call fastcc void @lengthen(ptr noundef nonnull %212)
  %419 = load i64, ptr %213, align 8, !tbaa !57
  br label %420

420:                                              ; preds = %418, %413
  %421 = phi i64 [ %419, %418 ], [ %415, %413 ]
  %422 = load ptr, ptr %212, align 8, !tbaa !60
  %423 = add i64 %421, 1
  store i64 %423, ptr %213, align 8, !tbaa !57
  %424 = getelementptr inbounds nuw ptr, ptr %422, i64 %421
  store ptr %414, ptr %424, align 8, !tbaa !45
  %425 = call ptr @LLVMGetNextParam(ptr noundef nonnull %414) #19
  %426 = icmp eq ptr %425, null
  br i1 %426, label %409, label %413, !llvm.loop !61

427:                                              ; preds = %446, %409
  %428 = load i64, ptr %213, align 8, !tbaa !57
  %429 = add i64 %428, 1
  call fastcc void @clear(ptr noundef nonnull %216, i64 noundef %429)
  %430 = icmp eq i64 %428, 0
  br i1 %430, label %466, label %477

431:                                              ; preds = %409, %446
  %432 = phi ptr [ %447, %446 ], [ %411, %409 ]
  %433 = call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %432) #19
  %434 = load i64, ptr %213, align 8, !tbaa !57
  %435 = load i64, ptr %215, align 8, !tbaa !59
  %436 = icmp eq i64 %434, %435
  br i1 %436, label %437, label %439

437:                                              ; preds = %431
  call fastcc void @lengthen(ptr noundef nonnull %212)
  %438 = load i64, ptr %213, align 8, !tbaa !57
  br label %439

439:                                              ; preds = %437, %431
  %440 = phi i64 [ %438, %437 ], [ %434, %431 ]
  %441 = load ptr, ptr %212, align 8, !tbaa !60
  %442 = add i64 %440, 1
  store i64 %442, ptr %213, align 8, !tbaa !57
  %443 = getelementptr inbounds nuw ptr, ptr %441, i64 %440
  store ptr %433, ptr %443, align 8, !tbaa !45
  %444 = call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %432) #19
  %445 = icmp eq ptr %444, null
  br i1 %445, label %446, label %449

446:                                              ; preds = %456, %439
  %447 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %432) #19
  %448 = icmp eq ptr %447, null
  br i1 %448, label %427, label %431, !llvm.loop !62

449:                                              ; preds = %439, %456
  %450 = phi ptr [ %464, %456 ], [ %444, %439 ]
  %451 = load i64, ptr %213, align 8, !tbaa !57
  %452 = load i64, ptr %215, align 8, !tbaa !59
  %453 = icmp eq i64 %451, %452
  br i1 %453, label %454, label %456

454:                                              ; preds = %449
  call fastcc void @lengthen(ptr noundef nonnull %212)
  %455 = load i64, ptr %213, align 8, !tbaa !57
  br label %456

456:                                              ; preds = %454, %449
  %457 = phi i64 [ %455, %454 ], [ %451, %449 ]
  %458 = load ptr, ptr %212, align 8, !tbaa !60
  %459 = add i64 %457, 1
  store i64 %459, ptr %213, align 8, !tbaa !57
  %460 = getelementptr inbounds nuw ptr, ptr %458, i64 %457
  store ptr %450, ptr %460, align 8, !tbaa !45
  %461 = getelementptr inbounds i8, ptr %450, i64 -64
  call void @llvm.prefetch.p0(ptr nonnull readonly %461, i32 0, i32 3, i32 1)
  %462 = getelementptr inbounds i8, ptr %450, i64 -32
  call void @llvm.prefetch.p0(ptr nonnull readonly %462, i32 0, i32 3, i32 1)
  %463 = getelementptr inbounds nuw i8, ptr %450, i64 72
  call void @llvm.prefetch.p0(ptr nonnull readonly %463, i32 0, i32 3, i32 1)
  %464 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %450) #19
  %465 = icmp eq ptr %464, null
  br i1 %465, label %446, label %449, !llvm.loop !63

466:                                              ; preds = %477, %427
  %467 = load i64, ptr %12, align 8, !tbaa !24
  %468 = xor i64 %467, -6884282663029611473
  %469 = zext i64 %468 to i128
  %470 = xor i64 %428, -1800455987208640293
  %471 = zext i64 %470 to i128
  %472 = mul nuw i128 %469, %471
  %473 = lshr i128 %472, 64
  %474 = xor i128 %473, %472
  %475 = trunc i128 %474 to i64
  store i64 %475, ptr %12, align 8, !tbaa !24
  %476 = icmp ult i64 %410, %428
  br i1 %476, label %484, label %625

477:                                              ; preds = %427, %477
  %478 = phi i64 [ %482, %477 ], [ 0, %427 ]
  %479 = load ptr, ptr %212, align 8, !tbaa !60
  %480 = getelementptr inbounds nuw ptr, ptr %479, i64 %478
  %481 = load ptr, ptr %480, align 8, !tbaa !45
  call fastcc void @number(ptr noundef nonnull %216, ptr noundef %481)
  %482 = add nuw i64 %478, 1
  %483 = icmp eq i64 %482, %428
  br i1 %483, label %466, label %477, !llvm.loop !64

484:                                              ; preds = %466, %622
  %485 = phi i64 [ %623, %622 ], [ %410, %466 ]
  %486 = load ptr, ptr %212, align 8, !tbaa !60
  %487 = getelementptr inbounds nuw ptr, ptr %486, i64 %485
  %488 = load ptr, ptr %487, align 8, !tbaa !45
  %489 = load i8, ptr %488, align 8, !tbaa !35
  %490 = zext i8 %489 to i64
  %491 = getelementptr inbounds nuw i8, ptr %217, i64 %490
  %492 = load i8, ptr %491, align 1, !tbaa !65
  %493 = icmp eq i8 %492, 0
  br i1 %493, label %494, label %498

494:                                              ; preds = %484
  %495 = call i32 @LLVMGetValueKind(ptr noundef nonnull %488) #19
  %496 = trunc i32 %495 to i8
  %497 = add i8 %496, 1
  store i8 %497, ptr %491, align 1, !tbaa !65
  br label %498

498:                                              ; preds = %494, %484
  %499 = phi i8 [ %497, %494 ], [ %492, %484 ]
  %500 = icmp eq i8 %499, 2
  br i1 %500, label %501, label %509

501:                                              ; preds = %498
  %502 = load i64, ptr %12, align 8, !tbaa !24
  %503 = xor i64 %502, -6884282663029611473
  %504 = zext i64 %503 to i128
  %505 = mul nuw i128 %504, 16646288086500911323
  %506 = lshr i128 %505, 64
  %507 = xor i128 %506, %505
  %508 = trunc i128 %507 to i64
  store i64 %508, ptr %12, align 8, !tbaa !24
  br label %622

509:                                              ; preds = %498
  %510 = load i8, ptr %488, align 8, !tbaa !35
  %511 = zext i8 %510 to i64
  %512 = getelementptr inbounds nuw i8, ptr %488, i64 1
  %513 = load i8, ptr %512, align 1
  %514 = lshr i8 %513, 1
  %515 = zext nneg i8 %514 to i64
  %516 = shl nuw nsw i64 %515, 8
  %517 = or disjoint i64 %516, %511
  %518 = getelementptr inbounds nuw i8, ptr %488, i64 2
  %519 = load i16, ptr %518, align 2, !tbaa !39
  %520 = zext i16 %519 to i64
  %521 = shl nuw nsw i64 %520, 16
  %522 = or disjoint i64 %517, %521
  %523 = getelementptr inbounds nuw i8, ptr %488, i64 4
  %524 = load i32, ptr %523, align 4
  %525 = and i32 %524, -2013265921
  %526 = zext i32 %525 to i64
  %527 = shl nuw i64 %526, 32
  %528 = or disjoint i64 %527, %522
  %529 = load i64, ptr %12, align 8, !tbaa !24
  %530 = xor i64 %529, -6884282663029611473
  %531 = zext i64 %530 to i128
  %532 = xor i64 %528, -1800455987208640293
  %533 = zext i64 %532 to i128
  %534 = mul nuw i128 %533, %531
  %535 = lshr i128 %534, 64
  %536 = xor i128 %535, %534
  %537 = trunc i128 %536 to i64
  %538 = getelementptr inbounds nuw i8, ptr %488, i64 8
  %539 = load ptr, ptr %538, align 8, !tbaa !66
  %540 = ptrtoint ptr %539 to i64
  %541 = lshr i64 %540, 3
  %542 = and i64 %541, 63
  %543 = getelementptr inbounds nuw ptr, ptr %10, i64 %542
  %544 = xor i64 %537, -6884282663029611473
  %545 = zext i64 %544 to i128
  %546 = xor i64 %540, -1800455987208640293
  %547 = zext i64 %546 to i128
  %548 = mul nuw i128 %545, %547
  %549 = lshr i128 %548, 64
  %550 = xor i128 %549, %548
  %551 = trunc i128 %550 to i64
  store i64 %551, ptr %12, align 8, !tbaa !24
  %552 = load ptr, ptr %543, align 8, !tbaa !67
  %553 = icmp eq ptr %552, %539
  br i1 %553, label %555, label %554

554:                                              ; preds = %509
  store ptr %539, ptr %543, align 8, !tbaa !67
  call fastcc void @add_new_type(ptr noundef nonnull %1, ptr noundef %539)
  br label %555

555:                                              ; preds = %554, %509
  %556 = load i32, ptr %523, align 4
  %557 = and i32 %556, 1073741824
  %558 = icmp eq i32 %557, 0
  br i1 %558, label %563, label %559

559:                                              ; preds = %555
  %560 = getelementptr inbounds i8, ptr %488, i64 -8
  %561 = load ptr, ptr %560, align 8, !tbaa !45
  %562 = and i32 %556, 134217727
  br label %568

563:                                              ; preds = %555
  %564 = and i32 %556, 134217727
  %565 = zext nneg i32 %564 to i64
  %566 = sub nsw i64 0, %565
  %567 = getelementptr inbounds %struct.Use, ptr %488, i64 %566
  br label %568

568:                                              ; preds = %563, %559
  %569 = phi i32 [ %562, %559 ], [ %564, %563 ]
  %570 = phi ptr [ %561, %559 ], [ %567, %563 ]
  %571 = icmp eq i32 %569, 0
  br i1 %571, label %572, label %587

572:                                              ; preds = %587, %568
  %573 = load i8, ptr %488, align 8, !tbaa !35
  %574 = zext i8 %573 to i64
  %575 = getelementptr inbounds nuw i8, ptr %218, i64 %574
  %576 = load i8, ptr %575, align 1, !tbaa !65
  %577 = icmp eq i8 %576, 0
  br i1 %577, label %578, label %581

578:                                              ; preds = %572
  %579 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %488) #19
  %580 = trunc i32 %579 to i8
  store i8 %580, ptr %575, align 1, !tbaa !65
  br label %581

581:                                              ; preds = %578, %572
  %582 = phi i8 [ %580, %578 ], [ %576, %572 ]
  %583 = zext i8 %582 to i32
  call fastcc void @add_particulars(ptr noundef nonnull %1, ptr noundef nonnull %488, i32 noundef %583)
  %584 = load i32, ptr %523, align 4
  %585 = and i32 %584, 536870912
  %586 = icmp eq i32 %585, 0
  br i1 %586, label %607, label %606

587:                                              ; preds = %568, %587
  %588 = phi i64 [ %601, %587 ], [ 0, %568 ]
  %589 = getelementptr inbounds nuw %struct.Use, ptr %570, i64 %588
  %590 = load ptr, ptr %589, align 8, !tbaa !46
  %591 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %590)
  %592 = load i64, ptr %12, align 8, !tbaa !24
  %593 = xor i64 %592, -6884282663029611473
  %594 = zext i64 %593 to i128
  %595 = xor i64 %591, -1800455987208640293
  %596 = zext i64 %595 to i128
  %597 = mul nuw i128 %594, %596
  %598 = lshr i128 %597, 64
  %599 = xor i128 %598, %597
  %600 = trunc i128 %599 to i64
  store i64 %600, ptr %12, align 8, !tbaa !24
  %601 = add nuw nsw i64 %588, 1
  %602 = load i32, ptr %523, align 4
  %603 = and i32 %602, 134217727
  %604 = zext nneg i32 %603 to i64
  %605 = icmp samesign ult i64 %601, %604
  br i1 %605, label %587, label %572, !llvm.loop !68

606:                                              ; preds = %581
  call fastcc void @add_attachments(ptr noundef nonnull %1, ptr noundef nonnull %488)
  br label %607

607:                                              ; preds = %606, %581
  %608 = getelementptr inbounds nuw i8, ptr %488, i64 48
  %609 = load ptr, ptr %608, align 8, !tbaa !69
  %610 = icmp eq ptr %609, null
  br i1 %610, label %611, label %618

611:                                              ; preds = %607
  %612 = getelementptr inbounds nuw i8, ptr %488, i64 64
  %613 = load ptr, ptr %612, align 8, !tbaa !72
  %614 = icmp eq ptr %613, null
  br i1 %614, label %619, label %615

615:                                              ; preds = %611
  %616 = call ptr @LLVMGetFirstDbgRecord(ptr noundef nonnull %488) #19
  %617 = icmp eq ptr %616, null
  br i1 %617, label %619, label %618

618:                                              ; preds = %615, %607
  store i32 1, ptr %219, align 8, !tbaa !54
  br label %619

619:                                              ; preds = %618, %615, %611
  %620 = load i64, ptr %13, align 8, !tbaa !53
  %621 = add i64 %620, 1
  store i64 %621, ptr %13, align 8, !tbaa !53
  br label %622

622:                                              ; preds = %619, %501
  %623 = add i64 %485, 1
  %624 = icmp eq i64 %623, %428
  br i1 %624, label %625, label %484, !llvm.loop !73

625:                                              ; preds = %622, %466
  %626 = getelementptr inbounds nuw i8, ptr %334, i64 112
  %627 = load ptr, ptr %626, align 8, !tbaa !74
  call fastcc void @add_names(ptr noundef nonnull %1, ptr noundef %627)
  %628 = call ptr @LLVMGetNextFunction(ptr noundef nonnull %334) #19
  %629 = icmp eq ptr %628, null
  br i1 %629, label %276, label %333, !llvm.loop !75

630:                                              ; preds = %326
  %631 = call ptr @LLVMGetFirstGlobalIFunc(ptr noundef %0) #19
  %632 = icmp eq ptr %631, null
  %633 = zext i1 %632 to i32
  br label %634

634:                                              ; preds = %630, %326
  %635 = phi i32 [ 0, %326 ], [ %633, %630 ]
  ret i32 %635
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #5

declare ptr @LLVMGetFirstGlobal(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @number(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #7 {
  %3 = ptrtoint ptr %1 to i64
  %4 = mul i64 %3, -7046029254386353131
  %5 = lshr i64 %4, 32
  %6 = load ptr, ptr %0, align 8, !tbaa !76
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !77
  br label %9

9:                                                ; preds = %9, %2
  %10 = phi i64 [ %5, %2 ], [ %17, %9 ]
  %11 = and i64 %10, %8
  %12 = getelementptr inbounds nuw %struct.Slot, ptr %6, i64 %11
  %13 = load ptr, ptr %12, align 8, !tbaa !78
  %14 = icmp eq ptr %13, null
  %15 = icmp eq ptr %13, %1
  %16 = or i1 %14, %15
  %17 = add i64 %10, 1
  br i1 %16, label %18, label %9, !llvm.loop !80

18:                                               ; preds = %9
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = load i64, ptr %19, align 8, !tbaa !81
  br i1 %14, label %21, label %44

21:                                               ; preds = %18
  %22 = shl i64 %20, 1
  %23 = add i64 %22, 2
  %24 = icmp ugt i64 %23, %8
  br i1 %24, label %25, label %39

25:                                               ; preds = %21
  tail call fastcc void @enlarge(ptr noundef nonnull %0)
  %26 = load ptr, ptr %0, align 8, !tbaa !76
  %27 = load i64, ptr %7, align 8, !tbaa !77
  br label %28

28:                                               ; preds = %28, %25
  %29 = phi i64 [ %5, %25 ], [ %36, %28 ]
  %30 = and i64 %29, %27
  %31 = getelementptr inbounds nuw %struct.Slot, ptr %26, i64 %30
  %32 = load ptr, ptr %31, align 8, !tbaa !78
  %33 = icmp eq ptr %32, null
  %34 = icmp eq ptr %32, %1
  %35 = or i1 %33, %34
  %36 = add i64 %29, 1
  br i1 %35, label %37, label %28, !llvm.loop !80

37:                                               ; preds = %28
  %38 = load i64, ptr %19, align 8, !tbaa !81
  br label %39

39:                                               ; preds = %37, %21
  %40 = phi i64 [ %20, %21 ], [ %38, %37 ]
  %41 = phi ptr [ %12, %21 ], [ %31, %37 ]
  %42 = add i64 %40, 1
  store i64 %42, ptr %19, align 8, !tbaa !81
  store ptr %1, ptr %41, align 8, !tbaa !78
  %43 = getelementptr inbounds nuw i8, ptr %41, i64 8
  store i64 0, ptr %43, align 8, !tbaa !82
  br label %44

44:                                               ; preds = %18, %39
  %45 = phi i64 [ %42, %39 ], [ %20, %18 ]
  %46 = phi ptr [ %41, %39 ], [ %12, %18 ]
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 8
  store i64 %45, ptr %47, align 8, !tbaa !82
  ret void
}

declare ptr @LLVMGetNextGlobal(ptr noundef) local_unnamed_addr #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #5

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstGlobalAlias(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextGlobalAlias(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstGlobalIFunc(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @clear(ptr noundef captures(none) %0, i64 noundef %1) unnamed_addr #7 {
  %3 = shl i64 %1, 1
  br label %4

4:                                                ; preds = %4, %2
  %5 = phi i64 [ 16, %2 ], [ %7, %4 ]
  %6 = icmp ult i64 %5, %3
  %7 = shl i64 %5, 1
  br i1 %6, label %4, label %8, !llvm.loop !83

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load i64, ptr %9, align 8, !tbaa !84
  %11 = icmp ugt i64 %5, %10
  %12 = load ptr, ptr %0, align 8, !tbaa !76
  br i1 %11, label %15, label %13

13:                                               ; preds = %8
  %14 = shl i64 %5, 4
  br label %18

15:                                               ; preds = %8
  tail call void @free(ptr noundef %12)
  %16 = shl i64 %5, 4
  %17 = tail call ptr @malloc(i64 noundef %16) #20
  store ptr %17, ptr %0, align 8, !tbaa !76
  store i64 %5, ptr %9, align 8, !tbaa !84
  br label %18

18:                                               ; preds = %13, %15
  %19 = phi i64 [ %14, %13 ], [ %16, %15 ]
  %20 = phi ptr [ %12, %13 ], [ %17, %15 ]
  tail call void @llvm.memset.p0.i64(ptr align 8 %20, i8 0, i64 %19, i1 false)
  %21 = add i64 %5, -1
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %21, ptr %22, align 8, !tbaa !77
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i64 0, ptr %23, align 8, !tbaa !81
  ret void
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #8

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #9

; Function Attrs: noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @enlarge(ptr noundef captures(none) initializes((24, 32)) %0) unnamed_addr #7 {
  %2 = load ptr, ptr %0, align 8, !tbaa !45
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %3, align 8, !tbaa !33
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8, !tbaa !33
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store ptr null, ptr %0, align 8, !tbaa !76
  store i64 0, ptr %7, align 8, !tbaa !84
  %8 = shl i64 %6, 2
  tail call fastcc void @clear(ptr noundef nonnull %0, i64 noundef %8)
  %9 = add i64 %4, 1
  %10 = tail call i64 @llvm.umax.i64(i64 %9, i64 1)
  br label %12

11:                                               ; preds = %33
  store i64 %6, ptr %5, align 8, !tbaa !81
  tail call void @free(ptr noundef nonnull %2)
  ret void

12:                                               ; preds = %1, %33
  %13 = phi i64 [ 0, %1 ], [ %34, %33 ]
  %14 = getelementptr inbounds nuw %struct.Slot, ptr %2, i64 %13
  %15 = load ptr, ptr %14, align 8, !tbaa !78
  %16 = icmp eq ptr %15, null
  br i1 %16, label %33, label %17

17:                                               ; preds = %12
  %18 = ptrtoint ptr %15 to i64
  %19 = mul i64 %18, -7046029254386353131
  %20 = lshr i64 %19, 32
  %21 = load ptr, ptr %0, align 8, !tbaa !76
  %22 = load i64, ptr %3, align 8, !tbaa !77
  br label %23

23:                                               ; preds = %23, %17
  %24 = phi i64 [ %20, %17 ], [ %31, %23 ]
  %25 = and i64 %24, %22
  %26 = getelementptr inbounds nuw %struct.Slot, ptr %21, i64 %25
  %27 = load ptr, ptr %26, align 8, !tbaa !78
  %28 = icmp eq ptr %27, null
  %29 = icmp eq ptr %27, %15
  %30 = or i1 %28, %29
  %31 = add i64 %24, 1
  br i1 %30, label %32, label %23, !llvm.loop !80

32:                                               ; preds = %23
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %26, ptr noundef nonnull align 8 dereferenceable(16) %14, i64 16, i1 false), !tbaa.struct !85
  br label %33

33:                                               ; preds = %12, %32
  %34 = add nuw i64 %13, 1
  %35 = icmp eq i64 %34, %10
  br i1 %35, label %11, label %12, !llvm.loop !86
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #10

declare ptr @LLVMGetModuleContext(ptr noundef) local_unnamed_addr #6

declare void @_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef, ptr noundef) local_unnamed_addr #6

declare void @_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef, ptr noundef) local_unnamed_addr #6

declare void @_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef, ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetModuleInlineAsm(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define internal fastcc void @add_bytes(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) unnamed_addr #11 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %5 = load i64, ptr %4, align 8, !tbaa !24
  %6 = xor i64 %5, -6884282663029611473
  %7 = zext i64 %6 to i128
  %8 = xor i64 %2, -1800455987208640293
  %9 = zext i64 %8 to i128
  %10 = mul nuw i128 %7, %9
  %11 = lshr i128 %10, 64
  %12 = xor i128 %11, %10
  %13 = trunc i128 %12 to i64
  store i64 %13, ptr %4, align 8, !tbaa !24
  %14 = icmp ugt i64 %2, 7
  br i1 %14, label %15, label %39

15:                                               ; preds = %3
  %16 = add i64 %2, -8
  %17 = and i64 %16, 8
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %19, label %31

19:                                               ; preds = %15
  %20 = load i64, ptr %1, align 1
  %21 = xor i64 %13, -6884282663029611473
  %22 = zext i64 %21 to i128
  %23 = xor i64 %20, -1800455987208640293
  %24 = zext i64 %23 to i128
  %25 = mul nuw i128 %22, %24
  %26 = lshr i128 %25, 64
  %27 = xor i128 %26, %25
  %28 = trunc i128 %27 to i64
  store i64 %28, ptr %4, align 8, !tbaa !24
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %30 = add i64 %2, -8
  br label %31

31:                                               ; preds = %19, %15
  %32 = phi i64 [ %13, %15 ], [ %28, %19 ]
  %33 = phi ptr [ %1, %15 ], [ %29, %19 ]
  %34 = phi i64 [ %2, %15 ], [ %30, %19 ]
  %35 = phi i64 [ poison, %15 ], [ %28, %19 ]
  %36 = phi ptr [ poison, %15 ], [ %29, %19 ]
  %37 = phi i64 [ poison, %15 ], [ %30, %19 ]
  %38 = icmp ult i64 %16, 8
  br i1 %38, label %39, label %49

39:                                               ; preds = %31, %49, %3
  %40 = phi i64 [ %13, %3 ], [ %35, %31 ], [ %71, %49 ]
  %41 = phi i64 [ %2, %3 ], [ %37, %31 ], [ %73, %49 ]
  %42 = phi ptr [ %1, %3 ], [ %36, %31 ], [ %72, %49 ]
  %43 = icmp eq i64 %41, 0
  br i1 %43, label %138, label %44

44:                                               ; preds = %39
  %45 = and i64 %41, 3
  %46 = icmp ult i64 %41, 4
  br i1 %46, label %111, label %47

47:                                               ; preds = %44
  %48 = and i64 %41, -4
  br label %75

49:                                               ; preds = %31, %49
  %50 = phi i64 [ %71, %49 ], [ %32, %31 ]
  %51 = phi ptr [ %72, %49 ], [ %33, %31 ]
  %52 = phi i64 [ %73, %49 ], [ %34, %31 ]
  %53 = load i64, ptr %51, align 1
  %54 = xor i64 %50, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %53, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %4, align 8, !tbaa !24
  %62 = getelementptr inbounds nuw i8, ptr %51, i64 8
  %63 = load i64, ptr %62, align 1
  %64 = xor i64 %61, -6884282663029611473
  %65 = zext i64 %64 to i128
  %66 = xor i64 %63, -1800455987208640293
  %67 = zext i64 %66 to i128
  %68 = mul nuw i128 %65, %67
  %69 = lshr i128 %68, 64
  %70 = xor i128 %69, %68
  %71 = trunc i128 %70 to i64
  store i64 %71, ptr %4, align 8, !tbaa !24
  %72 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %73 = add i64 %52, -16
  %74 = icmp ugt i64 %73, 7
  br i1 %74, label %49, label %39, !llvm.loop !87

75:                                               ; preds = %75, %47
  %76 = phi i64 [ 0, %47 ], [ %106, %75 ]
  %77 = phi i64 [ 0, %47 ], [ %105, %75 ]
  %78 = phi i64 [ 0, %47 ], [ %107, %75 ]
  %79 = getelementptr inbounds nuw i8, ptr %42, i64 %76
  %80 = load i8, ptr %79, align 1, !tbaa !65
  %81 = zext i8 %80 to i64
  %82 = shl nuw nsw i64 %76, 3
  %83 = shl nuw nsw i64 %81, %82
  %84 = or i64 %83, %77
  %85 = or disjoint i64 %76, 1
  %86 = getelementptr inbounds nuw i8, ptr %42, i64 %85
  %87 = load i8, ptr %86, align 1, !tbaa !65
  %88 = zext i8 %87 to i64
  %89 = shl nuw nsw i64 %85, 3
  %90 = shl nuw nsw i64 %88, %89
  %91 = or i64 %90, %84
  %92 = or disjoint i64 %76, 2
  %93 = getelementptr inbounds nuw i8, ptr %42, i64 %92
  %94 = load i8, ptr %93, align 1, !tbaa !65
  %95 = zext i8 %94 to i64
  %96 = shl nuw nsw i64 %92, 3
  %97 = shl nuw nsw i64 %95, %96
  %98 = or i64 %97, %91
  %99 = or disjoint i64 %76, 3
  %100 = getelementptr inbounds nuw i8, ptr %42, i64 %99
  %101 = load i8, ptr %100, align 1, !tbaa !65
  %102 = zext i8 %101 to i64
  %103 = shl nuw nsw i64 %99, 3
  %104 = shl nuw nsw i64 %102, %103
  %105 = or i64 %104, %98
  %106 = add nuw nsw i64 %76, 4
  %107 = add i64 %78, 4
  %108 = icmp eq i64 %107, %48
  br i1 %108, label %109, label %75, !llvm.loop !88

109:                                              ; preds = %75
  %110 = icmp eq i64 %45, 0
  br i1 %110, label %128, label %111

111:                                              ; preds = %109, %44
  %112 = phi i64 [ 0, %44 ], [ %106, %109 ]
  %113 = phi i64 [ 0, %44 ], [ %105, %109 ]
  %114 = icmp ne i64 %45, 0
  tail call void @llvm.assume(i1 %114)
  br label %115

115:                                              ; preds = %115, %111
  %116 = phi i64 [ %125, %115 ], [ %112, %111 ]
  %117 = phi i64 [ %124, %115 ], [ %113, %111 ]
  %118 = phi i64 [ %126, %115 ], [ 0, %111 ]
  %119 = getelementptr inbounds nuw i8, ptr %42, i64 %116
  %120 = load i8, ptr %119, align 1, !tbaa !65
  %121 = zext i8 %120 to i64
  %122 = shl nuw nsw i64 %116, 3
  %123 = shl nuw nsw i64 %121, %122
  %124 = or i64 %123, %117
  %125 = add nuw nsw i64 %116, 1
  %126 = add i64 %118, 1
  %127 = icmp eq i64 %126, %45
  br i1 %127, label %128, label %115, !llvm.loop !89

128:                                              ; preds = %115, %109
  %129 = phi i64 [ %105, %109 ], [ %124, %115 ]
  %130 = xor i64 %129, -1800455987208640293
  %131 = xor i64 %40, -6884282663029611473
  %132 = zext i64 %131 to i128
  %133 = zext i64 %130 to i128
  %134 = mul nuw i128 %132, %133
  %135 = lshr i128 %134, 64
  %136 = xor i128 %135, %134
  %137 = trunc i128 %136 to i64
  store i64 %137, ptr %4, align 8, !tbaa !24
  br label %138

138:                                              ; preds = %39, %128
  ret void
}

declare ptr @LLVMGetSourceFileName(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define internal fastcc void @add_text(ptr noundef captures(none) %0, ptr noundef readonly captures(address_is_null) %1) unnamed_addr #11 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %10, label %4

4:                                                ; preds = %2, %4
  %5 = phi i64 [ %9, %4 ], [ 0, %2 ]
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 %5
  %7 = load i8, ptr %6, align 1, !tbaa !65
  %8 = icmp eq i8 %7, 0
  %9 = add i64 %5, 1
  br i1 %8, label %10, label %4

10:                                               ; preds = %4, %2
  %11 = phi i64 [ 0, %2 ], [ %5, %4 ]
  %12 = phi i64 [ -1800455987208640293, %2 ], [ -1800455987208640294, %4 ]
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %14 = load i64, ptr %13, align 8, !tbaa !24
  %15 = xor i64 %14, -6884282663029611473
  %16 = zext i64 %15 to i128
  %17 = zext i64 %12 to i128
  %18 = mul nuw i128 %16, %17
  %19 = lshr i128 %18, 64
  %20 = xor i128 %19, %18
  %21 = trunc i128 %20 to i64
  store i64 %21, ptr %13, align 8, !tbaa !24
  tail call fastcc void @add_bytes(ptr noundef %0, ptr noundef %1, i64 noundef %11)
  ret void
}

declare ptr @LLVMGetTarget(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetDataLayoutStr(ptr noundef) local_unnamed_addr #6

; Function Attrs: nounwind
define internal fastcc void @add_object(ptr noundef %0, ptr noundef nonnull %1) unnamed_addr #4 {
  %3 = tail call ptr @LLVMGetComdat(ptr noundef nonnull %1) #19
  tail call fastcc void @add_global(ptr noundef %0, ptr noundef %1)
  %4 = tail call ptr @LLVMGetSection(ptr noundef nonnull %1) #19
  tail call fastcc void @add_text(ptr noundef %0, ptr noundef %4)
  %5 = ptrtoint ptr %3 to i64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %7 = load i64, ptr %6, align 8, !tbaa !24
  %8 = xor i64 %7, -6884282663029611473
  %9 = zext i64 %8 to i128
  %10 = xor i64 %5, -1800455987208640293
  %11 = zext i64 %10 to i128
  %12 = mul nuw i128 %9, %11
  %13 = lshr i128 %12, 64
  %14 = xor i128 %13, %12
  %15 = trunc i128 %14 to i64
  store i64 %15, ptr %6, align 8, !tbaa !24
  %16 = icmp eq ptr %3, null
  br i1 %16, label %29, label %17

17:                                               ; preds = %2
  %18 = tail call i32 @LLVMGetComdatSelectionKind(ptr noundef nonnull %3) #19
  %19 = sext i32 %18 to i64
  %20 = load i64, ptr %6, align 8, !tbaa !24
  %21 = xor i64 %20, -6884282663029611473
  %22 = zext i64 %21 to i128
  %23 = xor i64 %19, -1800455987208640293
  %24 = zext i64 %23 to i128
  %25 = mul nuw i128 %22, %24
  %26 = lshr i128 %25, 64
  %27 = xor i128 %26, %25
  %28 = trunc i128 %27 to i64
  store i64 %28, ptr %6, align 8, !tbaa !24
  br label %29

29:                                               ; preds = %17, %2
  ret void
}

; Function Attrs: nounwind
define internal fastcc i64 @number_of(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #4 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %75, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 752
  %6 = load i8, ptr %1, align 8, !tbaa !35
  %7 = zext i8 %6 to i64
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 %7
  %9 = load i8, ptr %8, align 1, !tbaa !65
  %10 = icmp eq i8 %9, 0
  br i1 %10, label %11, label %15

11:                                               ; preds = %4
  %12 = tail call i32 @LLVMGetValueKind(ptr noundef nonnull %1) #19
  %13 = trunc i32 %12 to i8
  %14 = add i8 %13, 1
  store i8 %14, ptr %8, align 1, !tbaa !65
  br label %15

15:                                               ; preds = %4, %11
  %16 = phi i8 [ %14, %11 ], [ %9, %4 ]
  switch i8 %16, label %73 [
    i8 25, label %17
    i8 1, label %17
    i8 2, label %17
    i8 6, label %39
    i8 9, label %39
    i8 7, label %39
    i8 19, label %60
    i8 20, label %60
    i8 21, label %60
    i8 15, label %60
    i8 26, label %60
    i8 16, label %60
    i8 17, label %60
    i8 18, label %60
    i8 22, label %60
    i8 27, label %60
    i8 24, label %60
    i8 10, label %62
    i8 11, label %64
    i8 12, label %64
    i8 13, label %64
    i8 14, label %64
    i8 23, label %68
  ]

17:                                               ; preds = %15, %15, %15
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %19 = ptrtoint ptr %1 to i64
  %20 = mul i64 %19, -7046029254386353131
  %21 = lshr i64 %20, 32
  %22 = load ptr, ptr %18, align 8, !tbaa !76
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %24 = load i64, ptr %23, align 8, !tbaa !77
  br label %25

25:                                               ; preds = %25, %17
  %26 = phi i64 [ %21, %17 ], [ %33, %25 ]
  %27 = and i64 %26, %24
  %28 = getelementptr inbounds nuw %struct.Slot, ptr %22, i64 %27
  %29 = load ptr, ptr %28, align 8, !tbaa !78
  %30 = icmp eq ptr %29, null
  %31 = icmp eq ptr %29, %1
  %32 = or i1 %30, %31
  %33 = add i64 %26, 1
  br i1 %32, label %34, label %25, !llvm.loop !80

34:                                               ; preds = %25
  %35 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %36 = load i64, ptr %35, align 8, !tbaa !82
  %37 = shl i64 %36, 2
  %38 = or disjoint i64 %37, 1
  br label %75

39:                                               ; preds = %15, %15, %15
  %40 = ptrtoint ptr %1 to i64
  %41 = mul i64 %40, -7046029254386353131
  %42 = lshr i64 %41, 32
  %43 = load ptr, ptr %0, align 8, !tbaa !76
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %45 = load i64, ptr %44, align 8, !tbaa !77
  br label %46

46:                                               ; preds = %46, %39
  %47 = phi i64 [ %42, %39 ], [ %54, %46 ]
  %48 = and i64 %47, %45
  %49 = getelementptr inbounds nuw %struct.Slot, ptr %43, i64 %48
  %50 = load ptr, ptr %49, align 8, !tbaa !78
  %51 = icmp eq ptr %50, null
  %52 = icmp eq ptr %50, %1
  %53 = or i1 %51, %52
  %54 = add i64 %47, 1
  br i1 %53, label %55, label %46, !llvm.loop !80

55:                                               ; preds = %46
  %56 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %57 = load i64, ptr %56, align 8, !tbaa !82
  %58 = shl i64 %57, 2
  %59 = or disjoint i64 %58, 2
  br label %75

60:                                               ; preds = %15, %15, %15, %15, %15, %15, %15, %15, %15, %15, %15
  %61 = ptrtoint ptr %1 to i64
  br label %75

62:                                               ; preds = %15
  %63 = tail call fastcc i64 @address_number(ptr noundef nonnull %0, ptr noundef %1)
  br label %75

64:                                               ; preds = %15, %15, %15, %15
  %65 = zext nneg i8 %16 to i32
  %66 = add nsw i32 %65, -1
  %67 = tail call fastcc i64 @constant_number(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %66)
  br label %75

68:                                               ; preds = %15
  %69 = tail call ptr @LLVMValueAsMetadata(ptr noundef nonnull %1) #19
  %70 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %69)
  %71 = shl i64 %70, 2
  %72 = or disjoint i64 %71, 3
  br label %75

73:                                               ; preds = %15
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  store i32 1, ptr %74, align 8, !tbaa !54
  br label %75

75:                                               ; preds = %34, %55, %60, %62, %64, %68, %73, %2
  %76 = phi i64 [ 0, %2 ], [ 0, %73 ], [ %38, %34 ], [ %59, %55 ], [ %61, %60 ], [ %63, %62 ], [ %67, %64 ], [ %72, %68 ]
  ret i64 %76
}

declare ptr @LLVMGetComdat(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_global(ptr noundef %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #19
  %4 = call ptr @LLVMGetValueName2(ptr noundef nonnull %1, ptr noundef nonnull %3) #19
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %6 = load i32, ptr %5, align 8
  %7 = load i64, ptr %3, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef %0, ptr noundef %4, i64 noundef %7)
  %8 = zext i32 %6 to i64
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %10 = load i64, ptr %9, align 8, !tbaa !24
  %11 = xor i64 %10, -6884282663029611473
  %12 = zext i64 %11 to i128
  %13 = xor i64 %8, -1800455987208640293
  %14 = zext i64 %13 to i128
  %15 = mul nuw i128 %12, %14
  %16 = lshr i128 %15, 64
  %17 = xor i128 %16, %15
  %18 = trunc i128 %17 to i64
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %20 = load ptr, ptr %19, align 8, !tbaa !91
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %22 = ptrtoint ptr %20 to i64
  %23 = lshr i64 %22, 3
  %24 = and i64 %23, 63
  %25 = getelementptr inbounds nuw ptr, ptr %21, i64 %24
  %26 = xor i64 %18, -6884282663029611473
  %27 = zext i64 %26 to i128
  %28 = xor i64 %22, -1800455987208640293
  %29 = zext i64 %28 to i128
  %30 = mul nuw i128 %27, %29
  %31 = lshr i128 %30, 64
  %32 = xor i128 %31, %30
  %33 = trunc i128 %32 to i64
  store i64 %33, ptr %9, align 8, !tbaa !24
  %34 = load ptr, ptr %25, align 8, !tbaa !67
  %35 = icmp eq ptr %34, %20
  br i1 %35, label %38, label %36

36:                                               ; preds = %2
  store ptr %20, ptr %25, align 8, !tbaa !67
  call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %20)
  %37 = load i64, ptr %9, align 8, !tbaa !24
  br label %38

38:                                               ; preds = %2, %36
  %39 = phi i64 [ %33, %2 ], [ %37, %36 ]
  %40 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %41 = load ptr, ptr %40, align 8, !tbaa !66
  %42 = ptrtoint ptr %41 to i64
  %43 = lshr i64 %42, 3
  %44 = and i64 %43, 63
  %45 = getelementptr inbounds nuw ptr, ptr %21, i64 %44
  %46 = xor i64 %39, -6884282663029611473
  %47 = zext i64 %46 to i128
  %48 = xor i64 %42, -1800455987208640293
  %49 = zext i64 %48 to i128
  %50 = mul nuw i128 %47, %49
  %51 = lshr i128 %50, 64
  %52 = xor i128 %51, %50
  %53 = trunc i128 %52 to i64
  store i64 %53, ptr %9, align 8, !tbaa !24
  %54 = load ptr, ptr %45, align 8, !tbaa !67
  %55 = icmp eq ptr %54, %41
  br i1 %55, label %57, label %56

56:                                               ; preds = %38
  store ptr %41, ptr %45, align 8, !tbaa !67
  call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %41)
  br label %57

57:                                               ; preds = %38, %56
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %59 = load i32, ptr %58, align 4
  %60 = and i32 %59, 536870912
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %63, label %62

62:                                               ; preds = %57
  call fastcc void @add_attachments(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %63

63:                                               ; preds = %62, %57
  %64 = load i32, ptr %5, align 8
  %65 = and i32 %64, 98304
  %66 = icmp ne i32 %65, 0
  %67 = zext i1 %66 to i32
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  %69 = load i32, ptr %68, align 8, !tbaa !54
  %70 = or i32 %69, %67
  store i32 %70, ptr %68, align 8, !tbaa !54
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #19
  ret void
}

declare ptr @LLVMGetSection(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetComdatSelectionKind(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetValueName2(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_attachments(ptr noundef %0, ptr noundef %1) unnamed_addr #12 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 1264
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1280
  store ptr %4, ptr %3, align 8, !tbaa !29
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1272
  store i32 0, ptr %5, align 8, !tbaa !30
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1276
  store i32 256, ptr %6, align 4, !tbaa !31
  %7 = icmp eq ptr @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE, null
  br i1 %7, label %9, label %8

8:                                                ; preds = %2
  tail call void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE(ptr noundef %1, ptr noundef nonnull %3) #19
  br label %14

9:                                                ; preds = %2
  %10 = icmp eq ptr @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE, null
  br i1 %10, label %12, label %11

11:                                               ; preds = %9
  tail call void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE(ptr noundef %1, ptr noundef nonnull %3) #19
  br label %14

12:                                               ; preds = %9
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  store i32 1, ptr %13, align 8, !tbaa !54
  br label %14

14:                                               ; preds = %11, %12, %8
  %15 = load i32, ptr %5, align 8, !tbaa !30
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %30, label %17

17:                                               ; preds = %14
  %18 = zext i32 %15 to i64
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %20 = load i64, ptr %19, align 8, !tbaa !24
  %21 = xor i64 %20, -6884282663029611473
  %22 = zext i64 %21 to i128
  %23 = xor i64 %18, 1800455987208640292
  %24 = zext nneg i64 %23 to i128
  %25 = mul nuw nsw i128 %22, %24
  %26 = lshr i128 %25, 64
  %27 = xor i128 %26, %25
  %28 = trunc i128 %27 to i64
  store i64 %28, ptr %19, align 8, !tbaa !24
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  br label %33

30:                                               ; preds = %33, %14
  %31 = load ptr, ptr %3, align 8, !tbaa !29
  %32 = icmp eq ptr %31, %4
  br i1 %32, label %67, label %66

33:                                               ; preds = %17, %33
  %34 = phi i64 [ %28, %17 ], [ %61, %33 ]
  %35 = phi i64 [ 0, %17 ], [ %62, %33 ]
  %36 = load ptr, ptr %3, align 8, !tbaa !29
  %37 = getelementptr inbounds nuw %struct.Pair, ptr %36, i64 %35
  %38 = load ptr, ptr %37, align 8, !tbaa !78
  %39 = ptrtoint ptr %38 to i64
  %40 = and i64 %39, 4294967295
  %41 = xor i64 %34, -6884282663029611473
  %42 = zext i64 %41 to i128
  %43 = xor i64 %40, -1800455987208640293
  %44 = zext i64 %43 to i128
  %45 = mul nuw i128 %44, %42
  %46 = lshr i128 %45, 64
  %47 = xor i128 %46, %45
  %48 = trunc i128 %47 to i64
  store i64 %48, ptr %29, align 8, !tbaa !24
  %49 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %50 = load i64, ptr %49, align 8, !tbaa !82
  %51 = inttoptr i64 %50 to ptr
  %52 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %51)
  %53 = load i64, ptr %29, align 8, !tbaa !24
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %29, align 8, !tbaa !24
  %62 = add nuw nsw i64 %35, 1
  %63 = load i32, ptr %5, align 8, !tbaa !30
  %64 = zext i32 %63 to i64
  %65 = icmp samesign ult i64 %62, %64
  br i1 %65, label %33, label %30, !llvm.loop !92

66:                                               ; preds = %30
  tail call void @free(ptr noundef %31)
  br label %67

67:                                               ; preds = %66, %30
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc void @add_new_type(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #12 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %4 = ptrtoint ptr %1 to i64
  %5 = mul i64 %4, -7046029254386353131
  %6 = lshr i64 %5, 32
  %7 = load ptr, ptr %3, align 8, !tbaa !76
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %9 = load i64, ptr %8, align 8, !tbaa !77
  br label %10

10:                                               ; preds = %10, %2
  %11 = phi i64 [ %6, %2 ], [ %18, %10 ]
  %12 = and i64 %11, %9
  %13 = getelementptr inbounds nuw %struct.Slot, ptr %7, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !78
  %15 = icmp eq ptr %14, null
  %16 = icmp eq ptr %14, %1
  %17 = or i1 %15, %16
  %18 = add i64 %11, 1
  br i1 %17, label %19, label %10, !llvm.loop !80

19:                                               ; preds = %10
  br i1 %15, label %20, label %45

20:                                               ; preds = %19
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %22 = load i64, ptr %21, align 8, !tbaa !81
  %23 = shl i64 %22, 1
  %24 = add i64 %23, 2
  %25 = icmp ugt i64 %24, %9
  br i1 %25, label %26, label %40

26:                                               ; preds = %20
  tail call fastcc void @enlarge(ptr noundef nonnull %3)
  %27 = load ptr, ptr %3, align 8, !tbaa !76
  %28 = load i64, ptr %8, align 8, !tbaa !77
  br label %29

29:                                               ; preds = %29, %26
  %30 = phi i64 [ %6, %26 ], [ %37, %29 ]
  %31 = and i64 %30, %28
  %32 = getelementptr inbounds nuw %struct.Slot, ptr %27, i64 %31
  %33 = load ptr, ptr %32, align 8, !tbaa !78
  %34 = icmp eq ptr %33, null
  %35 = icmp eq ptr %33, %1
  %36 = or i1 %34, %35
  %37 = add i64 %30, 1
  br i1 %36, label %38, label %29, !llvm.loop !80

38:                                               ; preds = %29
  %39 = load i64, ptr %21, align 8, !tbaa !81
  br label %40

40:                                               ; preds = %20, %38
  %41 = phi i64 [ %22, %20 ], [ %39, %38 ]
  %42 = phi ptr [ %13, %20 ], [ %32, %38 ]
  %43 = add i64 %41, 1
  store i64 %43, ptr %21, align 8, !tbaa !81
  store ptr %1, ptr %42, align 8, !tbaa !78
  %44 = getelementptr inbounds nuw i8, ptr %42, i64 8
  store i64 0, ptr %44, align 8, !tbaa !82
  br label %49

45:                                               ; preds = %19
  %46 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %47 = load i64, ptr %46, align 8, !tbaa !82
  %48 = icmp eq i64 %47, 0
  br i1 %48, label %49, label %89

49:                                               ; preds = %40, %45
  %50 = phi ptr [ %42, %40 ], [ %13, %45 ]
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 8
  store i64 1, ptr %51, align 8, !tbaa !82
  %52 = tail call i32 @LLVMGetTypeKind(ptr noundef %1) #19
  %53 = icmp eq i32 %52, 10
  br i1 %53, label %54, label %56

54:                                               ; preds = %49
  %55 = tail call ptr @LLVMGetStructName(ptr noundef %1) #19
  tail call fastcc void @add_text(ptr noundef nonnull %0, ptr noundef %55)
  br label %56

56:                                               ; preds = %54, %49
  %57 = tail call i32 @LLVMGetNumContainedTypes(ptr noundef %1) #19
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %89, label %59

59:                                               ; preds = %56
  %60 = zext i32 %57 to i64
  %61 = shl nuw nsw i64 %60, 3
  %62 = tail call ptr @malloc(i64 noundef %61) #20
  tail call void @LLVMGetSubtypes(ptr noundef %1, ptr noundef %62) #19
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  br label %66

65:                                               ; preds = %86
  tail call void @free(ptr noundef nonnull %62)
  br label %89

66:                                               ; preds = %59, %86
  %67 = phi i64 [ 0, %59 ], [ %87, %86 ]
  %68 = getelementptr inbounds nuw ptr, ptr %62, i64 %67
  %69 = load ptr, ptr %68, align 8, !tbaa !67
  %70 = ptrtoint ptr %69 to i64
  %71 = lshr i64 %70, 3
  %72 = and i64 %71, 63
  %73 = getelementptr inbounds nuw ptr, ptr %63, i64 %72
  %74 = load i64, ptr %64, align 8, !tbaa !24
  %75 = xor i64 %74, -6884282663029611473
  %76 = zext i64 %75 to i128
  %77 = xor i64 %70, -1800455987208640293
  %78 = zext i64 %77 to i128
  %79 = mul nuw i128 %76, %78
  %80 = lshr i128 %79, 64
  %81 = xor i128 %80, %79
  %82 = trunc i128 %81 to i64
  store i64 %82, ptr %64, align 8, !tbaa !24
  %83 = load ptr, ptr %73, align 8, !tbaa !67
  %84 = icmp eq ptr %83, %69
  br i1 %84, label %86, label %85

85:                                               ; preds = %66
  store ptr %69, ptr %73, align 8, !tbaa !67
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %69)
  br label %86

86:                                               ; preds = %66, %85
  %87 = add nuw nsw i64 %67, 1
  %88 = icmp eq i64 %87, %60
  br i1 %88, label %65, label %66, !llvm.loop !93

89:                                               ; preds = %65, %56, %45
  ret void
}

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetStructName(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetNumContainedTypes(ptr noundef) local_unnamed_addr #6

declare void @LLVMGetSubtypes(ptr noundef, ptr noundef) local_unnamed_addr #6

declare extern_weak void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE(ptr noundef, ptr noundef) #6

declare extern_weak void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE(ptr noundef, ptr noundef) #6

; Function Attrs: noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc i64 @node_number(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #7 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %71, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %6 = ptrtoint ptr %1 to i64
  %7 = mul i64 %6, -7046029254386353131
  %8 = lshr i64 %7, 32
  %9 = load ptr, ptr %5, align 8, !tbaa !76
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %11 = load i64, ptr %10, align 8, !tbaa !77
  br label %12

12:                                               ; preds = %12, %4
  %13 = phi i64 [ %8, %4 ], [ %20, %12 ]
  %14 = and i64 %13, %11
  %15 = getelementptr inbounds nuw %struct.Slot, ptr %9, i64 %14
  %16 = load ptr, ptr %15, align 8, !tbaa !78
  %17 = icmp eq ptr %16, null
  %18 = icmp eq ptr %16, %1
  %19 = or i1 %17, %18
  %20 = add i64 %13, 1
  br i1 %19, label %21, label %12, !llvm.loop !80

21:                                               ; preds = %12
  br i1 %17, label %22, label %47

22:                                               ; preds = %21
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %24 = load i64, ptr %23, align 8, !tbaa !81
  %25 = shl i64 %24, 1
  %26 = add i64 %25, 2
  %27 = icmp ugt i64 %26, %11
  br i1 %27, label %28, label %42

28:                                               ; preds = %22
  tail call fastcc void @enlarge(ptr noundef nonnull %5)
  %29 = load ptr, ptr %5, align 8, !tbaa !76
  %30 = load i64, ptr %10, align 8, !tbaa !77
  br label %31

31:                                               ; preds = %31, %28
  %32 = phi i64 [ %8, %28 ], [ %39, %31 ]
  %33 = and i64 %32, %30
  %34 = getelementptr inbounds nuw %struct.Slot, ptr %29, i64 %33
  %35 = load ptr, ptr %34, align 8, !tbaa !78
  %36 = icmp eq ptr %35, null
  %37 = icmp eq ptr %35, %1
  %38 = or i1 %36, %37
  %39 = add i64 %32, 1
  br i1 %38, label %40, label %31, !llvm.loop !80

40:                                               ; preds = %31
  %41 = load i64, ptr %23, align 8, !tbaa !81
  br label %42

42:                                               ; preds = %22, %40
  %43 = phi i64 [ %24, %22 ], [ %41, %40 ]
  %44 = phi ptr [ %15, %22 ], [ %34, %40 ]
  %45 = add i64 %43, 1
  store i64 %45, ptr %23, align 8, !tbaa !81
  store ptr %1, ptr %44, align 8, !tbaa !78
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 8
  store i64 0, ptr %46, align 8, !tbaa !82
  br label %51

47:                                               ; preds = %21
  %48 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %49 = load i64, ptr %48, align 8, !tbaa !82
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %51, label %71

51:                                               ; preds = %42, %47
  %52 = phi ptr [ %44, %42 ], [ %15, %47 ]
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %55 = load i64, ptr %54, align 8, !tbaa !94
  store i64 %55, ptr %53, align 8, !tbaa !82
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %58 = load i64, ptr %57, align 8, !tbaa !57
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %60 = load i64, ptr %59, align 8, !tbaa !59
  %61 = icmp eq i64 %58, %60
  br i1 %61, label %62, label %65

62:                                               ; preds = %51
  tail call fastcc void @lengthen(ptr noundef nonnull %56)
  %63 = load i64, ptr %57, align 8, !tbaa !57
  %64 = load i64, ptr %53, align 8, !tbaa !82
  br label %65

65:                                               ; preds = %51, %62
  %66 = phi i64 [ %64, %62 ], [ %55, %51 ]
  %67 = phi i64 [ %63, %62 ], [ %58, %51 ]
  %68 = load ptr, ptr %56, align 8, !tbaa !60
  %69 = add i64 %67, 1
  store i64 %69, ptr %57, align 8, !tbaa !57
  %70 = getelementptr inbounds nuw ptr, ptr %68, i64 %67
  store ptr %1, ptr %70, align 8, !tbaa !45
  br label %71

71:                                               ; preds = %47, %65, %2
  %72 = phi i64 [ 0, %2 ], [ %66, %65 ], [ %49, %47 ]
  ret i64 %72
}

; Function Attrs: mustprogress noinline nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @lengthen(ptr noundef captures(none) %0) unnamed_addr #13 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load i64, ptr %2, align 8, !tbaa !59
  %4 = icmp eq i64 %3, 0
  %5 = shl i64 %3, 1
  %6 = select i1 %4, i64 256, i64 %5
  %7 = shl i64 %6, 3
  %8 = tail call ptr @malloc(i64 noundef %7) #20
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8, !tbaa !57
  %11 = icmp eq i64 %10, 0
  %12 = load ptr, ptr %0, align 8, !tbaa !60
  br i1 %11, label %15, label %13

13:                                               ; preds = %1
  %14 = shl i64 %10, 3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %8, ptr align 8 %12, i64 %14, i1 false)
  br label %15

15:                                               ; preds = %13, %1
  tail call void @free(ptr noundef %12)
  store ptr %8, ptr %0, align 8, !tbaa !60
  store i64 %6, ptr %2, align 8, !tbaa !59
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc i64 @address_number(ptr noundef captures(none) %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = tail call ptr @LLVMGetBlockAddressFunction(ptr noundef nonnull %1) #19
  %4 = tail call ptr @LLVMGetBlockAddressBasicBlock(ptr noundef nonnull %1) #19
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 5400
  %6 = load i64, ptr %5, align 8, !tbaa !95
  %7 = add i64 %6, 1
  store i64 %7, ptr %5, align 8, !tbaa !95
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 5392
  %9 = load ptr, ptr %8, align 8, !tbaa !58
  %10 = icmp ne ptr %9, null
  %11 = icmp ne ptr %9, %3
  %12 = select i1 %10, i1 %11, i1 false
  %13 = zext i1 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  %15 = load i32, ptr %14, align 8, !tbaa !54
  %16 = or i32 %15, %13
  store i32 %16, ptr %14, align 8, !tbaa !54
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %18 = ptrtoint ptr %4 to i64
  %19 = mul i64 %18, -7046029254386353131
  %20 = lshr i64 %19, 32
  %21 = load ptr, ptr %17, align 8, !tbaa !76
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %23 = load i64, ptr %22, align 8, !tbaa !77
  br label %24

24:                                               ; preds = %24, %2
  %25 = phi i64 [ %20, %2 ], [ %32, %24 ]
  %26 = and i64 %25, %23
  %27 = getelementptr inbounds nuw %struct.Slot, ptr %21, i64 %26
  %28 = load ptr, ptr %27, align 8, !tbaa !78
  %29 = icmp eq ptr %28, null
  %30 = icmp eq ptr %28, %4
  %31 = or i1 %29, %30
  %32 = add i64 %25, 1
  br i1 %31, label %33, label %24, !llvm.loop !80

33:                                               ; preds = %24
  br i1 %29, label %34, label %41

34:                                               ; preds = %33
  %35 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef %3) #19
  %36 = icmp eq ptr %35, null
  br i1 %36, label %41, label %37

37:                                               ; preds = %34, %37
  %38 = phi ptr [ %39, %37 ], [ %35, %34 ]
  tail call fastcc void @number(ptr noundef nonnull %17, ptr noundef nonnull %38)
  %39 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %38) #19
  %40 = icmp eq ptr %39, null
  br i1 %40, label %41, label %37, !llvm.loop !96

41:                                               ; preds = %37, %34, %33
  %42 = ptrtoint ptr %3 to i64
  %43 = mul i64 %42, -7046029254386353131
  %44 = lshr i64 %43, 32
  %45 = load ptr, ptr %0, align 8, !tbaa !76
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %47 = load i64, ptr %46, align 8, !tbaa !77
  br label %48

48:                                               ; preds = %48, %41
  %49 = phi i64 [ %44, %41 ], [ %56, %48 ]
  %50 = and i64 %49, %47
  %51 = getelementptr inbounds nuw %struct.Slot, ptr %45, i64 %50
  %52 = load ptr, ptr %51, align 8, !tbaa !78
  %53 = icmp eq ptr %52, null
  %54 = icmp eq ptr %52, %3
  %55 = or i1 %53, %54
  %56 = add i64 %49, 1
  br i1 %55, label %57, label %48, !llvm.loop !80

57:                                               ; preds = %48
  %58 = getelementptr inbounds nuw i8, ptr %51, i64 8
  %59 = load i64, ptr %58, align 8, !tbaa !82
  %60 = load ptr, ptr %17, align 8, !tbaa !76
  %61 = load i64, ptr %22, align 8, !tbaa !77
  br label %62

62:                                               ; preds = %62, %57
  %63 = phi i64 [ %20, %57 ], [ %70, %62 ]
  %64 = and i64 %63, %61
  %65 = getelementptr inbounds nuw %struct.Slot, ptr %60, i64 %64
  %66 = load ptr, ptr %65, align 8, !tbaa !78
  %67 = icmp eq ptr %66, null
  %68 = icmp eq ptr %66, %4
  %69 = or i1 %67, %68
  %70 = add i64 %63, 1
  br i1 %69, label %71, label %62, !llvm.loop !80

71:                                               ; preds = %62
  %72 = getelementptr inbounds nuw i8, ptr %65, i64 8
  %73 = load i64, ptr %72, align 8, !tbaa !82
  %74 = xor i64 %59, -6884282663029611473
  %75 = zext i64 %74 to i128
  %76 = xor i64 %73, -1800455987208640293
  %77 = zext i64 %76 to i128
  %78 = mul nuw i128 %77, %75
  %79 = lshr i128 %78, 64
  %80 = xor i128 %79, %78
  %81 = trunc i128 %80 to i64
  %82 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %83 = load ptr, ptr %82, align 8, !tbaa !66
  %84 = ptrtoint ptr %83 to i64
  %85 = xor i64 %81, -6884282663029611473
  %86 = zext i64 %85 to i128
  %87 = xor i64 %84, -1800455987208640293
  %88 = zext i64 %87 to i128
  %89 = mul nuw i128 %86, %88
  %90 = lshr i128 %89, 64
  %91 = xor i128 %90, %89
  %92 = trunc i128 %91 to i64
  ret i64 %92
}

; Function Attrs: noinline nounwind
define internal fastcc i64 @constant_number(ptr noundef captures(none) %0, ptr noundef nonnull %1, i32 noundef range(i32 -1, 255) %2) unnamed_addr #12 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %5 = ptrtoint ptr %1 to i64
  %6 = mul i64 %5, -7046029254386353131
  %7 = lshr i64 %6, 32
  %8 = load ptr, ptr %4, align 8, !tbaa !76
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = load i64, ptr %9, align 8, !tbaa !77
  br label %11

11:                                               ; preds = %11, %3
  %12 = phi i64 [ %7, %3 ], [ %19, %11 ]
  %13 = and i64 %12, %10
  %14 = getelementptr inbounds nuw %struct.Slot, ptr %8, i64 %13
  %15 = load ptr, ptr %14, align 8, !tbaa !78
  %16 = icmp eq ptr %15, null
  %17 = icmp eq ptr %15, %1
  %18 = or i1 %16, %17
  %19 = add i64 %12, 1
  br i1 %18, label %20, label %11, !llvm.loop !80

20:                                               ; preds = %11
  br i1 %16, label %24, label %21

21:                                               ; preds = %20
  %22 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %23 = load i64, ptr %22, align 8, !tbaa !82
  br label %233

24:                                               ; preds = %20
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %26 = load i64, ptr %25, align 8, !tbaa !24
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 5400
  %28 = load i64, ptr %27, align 8, !tbaa !95
  %29 = load i8, ptr %1, align 8, !tbaa !35
  %30 = zext i8 %29 to i64
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %32 = load i8, ptr %31, align 1
  %33 = lshr i8 %32, 1
  %34 = zext nneg i8 %33 to i64
  %35 = shl nuw nsw i64 %34, 8
  %36 = or disjoint i64 %35, %30
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 2
  %38 = load i16, ptr %37, align 2, !tbaa !39
  %39 = zext i16 %38 to i64
  %40 = shl nuw nsw i64 %39, 16
  %41 = or disjoint i64 %36, %40
  %42 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %43 = load i32, ptr %42, align 4
  %44 = and i32 %43, -2013265921
  %45 = zext i32 %44 to i64
  %46 = shl nuw i64 %45, 32
  %47 = or disjoint i64 %46, %41
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %49 = load ptr, ptr %48, align 8, !tbaa !66
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %51 = ptrtoint ptr %49 to i64
  %52 = lshr i64 %51, 3
  %53 = and i64 %52, 63
  %54 = getelementptr inbounds nuw ptr, ptr %50, i64 %53
  %55 = xor i64 %47, -6884282663029611473
  %56 = zext i64 %55 to i128
  %57 = xor i64 %51, -1800455987208640293
  %58 = zext i64 %57 to i128
  %59 = mul nuw i128 %56, %58
  %60 = lshr i128 %59, 64
  %61 = xor i128 %60, %59
  %62 = trunc i128 %61 to i64
  store i64 %62, ptr %25, align 8, !tbaa !24
  %63 = load ptr, ptr %54, align 8, !tbaa !67
  %64 = icmp eq ptr %63, %49
  br i1 %64, label %66, label %65

65:                                               ; preds = %24
  store ptr %49, ptr %54, align 8, !tbaa !67
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %49)
  br label %66

66:                                               ; preds = %24, %65
  %67 = load i32, ptr %42, align 4
  %68 = and i32 %67, 1073741824
  %69 = icmp eq i32 %68, 0
  br i1 %69, label %74, label %70

70:                                               ; preds = %66
  %71 = getelementptr inbounds i8, ptr %1, i64 -8
  %72 = load ptr, ptr %71, align 8, !tbaa !45
  %73 = and i32 %67, 134217727
  br label %79

74:                                               ; preds = %66
  %75 = and i32 %67, 134217727
  %76 = zext nneg i32 %75 to i64
  %77 = sub nsw i64 0, %76
  %78 = getelementptr inbounds %struct.Use, ptr %1, i64 %77
  br label %79

79:                                               ; preds = %70, %74
  %80 = phi i32 [ %73, %70 ], [ %75, %74 ]
  %81 = phi ptr [ %72, %70 ], [ %78, %74 ]
  %82 = icmp eq i32 %80, 0
  br i1 %82, label %83, label %85

83:                                               ; preds = %85, %79
  %84 = icmp eq i32 %2, 10
  br i1 %84, label %104, label %188

85:                                               ; preds = %79, %85
  %86 = phi i64 [ %99, %85 ], [ 0, %79 ]
  %87 = getelementptr inbounds nuw %struct.Use, ptr %81, i64 %86
  %88 = load ptr, ptr %87, align 8, !tbaa !46
  %89 = tail call fastcc i64 @number_of(ptr noundef nonnull %0, ptr noundef %88)
  %90 = load i64, ptr %25, align 8, !tbaa !24
  %91 = xor i64 %90, -6884282663029611473
  %92 = zext i64 %91 to i128
  %93 = xor i64 %89, -1800455987208640293
  %94 = zext i64 %93 to i128
  %95 = mul nuw i128 %92, %94
  %96 = lshr i128 %95, 64
  %97 = xor i128 %96, %95
  %98 = trunc i128 %97 to i64
  store i64 %98, ptr %25, align 8, !tbaa !24
  %99 = add nuw nsw i64 %86, 1
  %100 = load i32, ptr %42, align 4
  %101 = and i32 %100, 134217727
  %102 = zext nneg i32 %101 to i64
  %103 = icmp samesign ult i64 %99, %102
  br i1 %103, label %85, label %83, !llvm.loop !97

104:                                              ; preds = %83
  %105 = tail call i32 @LLVMGetConstOpcode(ptr noundef nonnull %1) #19
  %106 = icmp eq i32 %105, 29
  br i1 %106, label %107, label %182

107:                                              ; preds = %104
  %108 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %109 = load ptr, ptr %108, align 8, !tbaa !98
  %110 = ptrtoint ptr %109 to i64
  %111 = lshr i64 %110, 3
  %112 = and i64 %111, 63
  %113 = getelementptr inbounds nuw ptr, ptr %50, i64 %112
  %114 = load i64, ptr %25, align 8, !tbaa !24
  %115 = xor i64 %114, -6884282663029611473
  %116 = zext i64 %115 to i128
  %117 = xor i64 %110, -1800455987208640293
  %118 = zext i64 %117 to i128
  %119 = mul nuw i128 %116, %118
  %120 = lshr i128 %119, 64
  %121 = xor i128 %120, %119
  %122 = trunc i128 %121 to i64
  store i64 %122, ptr %25, align 8, !tbaa !24
  %123 = load ptr, ptr %113, align 8, !tbaa !67
  %124 = icmp eq ptr %123, %109
  br i1 %124, label %127, label %125

125:                                              ; preds = %107
  store ptr %109, ptr %113, align 8, !tbaa !67
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %109)
  %126 = load i64, ptr %25, align 8, !tbaa !24
  br label %127

127:                                              ; preds = %107, %125
  %128 = phi i64 [ %122, %107 ], [ %126, %125 ]
  %129 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %130 = load i8, ptr %129, align 8, !tbaa !100
  %131 = zext i8 %130 to i64
  %132 = xor i64 %128, -6884282663029611473
  %133 = zext i64 %132 to i128
  %134 = xor i64 %131, -1800455987208640293
  %135 = zext i64 %134 to i128
  %136 = mul nuw i128 %133, %135
  %137 = lshr i128 %136, 64
  %138 = xor i128 %137, %136
  %139 = trunc i128 %138 to i64
  store i64 %139, ptr %25, align 8, !tbaa !24
  %140 = icmp eq i8 %130, 0
  br i1 %140, label %182, label %141

141:                                              ; preds = %127
  %142 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %143 = load i64, ptr %142, align 8, !tbaa !33
  %144 = xor i64 %139, -6884282663029611473
  %145 = zext i64 %144 to i128
  %146 = xor i64 %143, -1800455987208640293
  %147 = zext i64 %146 to i128
  %148 = mul nuw i128 %145, %147
  %149 = lshr i128 %148, 64
  %150 = xor i128 %149, %148
  %151 = trunc i128 %150 to i64
  store i64 %151, ptr %25, align 8, !tbaa !24
  %152 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %153 = load i64, ptr %152, align 8, !tbaa !33
  %154 = xor i64 %151, -6884282663029611473
  %155 = zext i64 %154 to i128
  %156 = xor i64 %153, -1800455987208640293
  %157 = zext i64 %156 to i128
  %158 = mul nuw i128 %155, %157
  %159 = lshr i128 %158, 64
  %160 = xor i128 %159, %158
  %161 = trunc i128 %160 to i64
  store i64 %161, ptr %25, align 8, !tbaa !24
  %162 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %163 = load i64, ptr %162, align 8, !tbaa !33
  %164 = xor i64 %161, -6884282663029611473
  %165 = zext i64 %164 to i128
  %166 = xor i64 %163, -1800455987208640293
  %167 = zext i64 %166 to i128
  %168 = mul nuw i128 %165, %167
  %169 = lshr i128 %168, 64
  %170 = xor i128 %169, %168
  %171 = trunc i128 %170 to i64
  store i64 %171, ptr %25, align 8, !tbaa !24
  %172 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %173 = load i64, ptr %172, align 8, !tbaa !33
  %174 = xor i64 %171, -6884282663029611473
  %175 = zext i64 %174 to i128
  %176 = xor i64 %173, -1800455987208640293
  %177 = zext i64 %176 to i128
  %178 = mul nuw i128 %175, %177
  %179 = lshr i128 %178, 64
  %180 = xor i128 %179, %178
  %181 = trunc i128 %180 to i64
  store i64 %181, ptr %25, align 8, !tbaa !24
  br label %182

182:                                              ; preds = %141, %127, %104
  %183 = icmp eq i32 %105, 52
  %184 = zext i1 %183 to i32
  %185 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  %186 = load i32, ptr %185, align 8, !tbaa !54
  %187 = or i32 %186, %184
  store i32 %187, ptr %185, align 8, !tbaa !54
  br label %188

188:                                              ; preds = %182, %83
  %189 = load i64, ptr %25, align 8, !tbaa !24
  store i64 %26, ptr %25, align 8, !tbaa !24
  %190 = load i64, ptr %27, align 8, !tbaa !95
  %191 = icmp eq i64 %190, %28
  br i1 %191, label %192, label %233

192:                                              ; preds = %188
  %193 = load ptr, ptr %4, align 8, !tbaa !76
  %194 = load i64, ptr %9, align 8, !tbaa !77
  br label %195

195:                                              ; preds = %195, %192
  %196 = phi i64 [ %7, %192 ], [ %203, %195 ]
  %197 = and i64 %196, %194
  %198 = getelementptr inbounds nuw %struct.Slot, ptr %193, i64 %197
  %199 = load ptr, ptr %198, align 8, !tbaa !78
  %200 = icmp eq ptr %199, null
  %201 = icmp eq ptr %199, %1
  %202 = or i1 %200, %201
  %203 = add i64 %196, 1
  br i1 %202, label %204, label %195, !llvm.loop !80

204:                                              ; preds = %195
  br i1 %200, label %205, label %230

205:                                              ; preds = %204
  %206 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %207 = load i64, ptr %206, align 8, !tbaa !81
  %208 = shl i64 %207, 1
  %209 = add i64 %208, 2
  %210 = icmp ugt i64 %209, %194
  br i1 %210, label %211, label %225

211:                                              ; preds = %205
  tail call fastcc void @enlarge(ptr noundef nonnull %4)
  %212 = load ptr, ptr %4, align 8, !tbaa !76
  %213 = load i64, ptr %9, align 8, !tbaa !77
  br label %214

214:                                              ; preds = %214, %211
  %215 = phi i64 [ %7, %211 ], [ %222, %214 ]
  %216 = and i64 %215, %213
  %217 = getelementptr inbounds nuw %struct.Slot, ptr %212, i64 %216
  %218 = load ptr, ptr %217, align 8, !tbaa !78
  %219 = icmp eq ptr %218, null
  %220 = icmp eq ptr %218, %1
  %221 = or i1 %219, %220
  %222 = add i64 %215, 1
  br i1 %221, label %223, label %214, !llvm.loop !80

223:                                              ; preds = %214
  %224 = load i64, ptr %206, align 8, !tbaa !81
  br label %225

225:                                              ; preds = %223, %205
  %226 = phi i64 [ %207, %205 ], [ %224, %223 ]
  %227 = phi ptr [ %198, %205 ], [ %217, %223 ]
  %228 = add i64 %226, 1
  store i64 %228, ptr %206, align 8, !tbaa !81
  store ptr %1, ptr %227, align 8, !tbaa !78
  %229 = getelementptr inbounds nuw i8, ptr %227, i64 8
  store i64 0, ptr %229, align 8, !tbaa !82
  br label %230

230:                                              ; preds = %204, %225
  %231 = phi ptr [ %227, %225 ], [ %198, %204 ]
  %232 = getelementptr inbounds nuw i8, ptr %231, i64 8
  store i64 %189, ptr %232, align 8, !tbaa !82
  br label %233

233:                                              ; preds = %188, %230, %21
  %234 = phi i64 [ %23, %21 ], [ %189, %230 ], [ %189, %188 ]
  ret i64 %234
}

declare ptr @LLVMValueAsMetadata(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetValueKind(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetBlockAddressFunction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetBlockAddressBasicBlock(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetConstOpcode(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetGC(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMHasPersonalityFn(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetPersonalityFn(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMHasPrefixData(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetPrefixData(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMHasPrologueData(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetPrologueData(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstParam(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextParam(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMBasicBlockAsValue(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #6

; Function Attrs: nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @add_names(ptr noundef captures(none) %0, ptr noundef readonly captures(address_is_null) %1) unnamed_addr #14 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %9, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %6 = load i32, ptr %5, align 4, !tbaa !101
  %7 = zext i32 %6 to i64
  %8 = xor i64 %7, -1800455987208640293
  br label %9

9:                                                ; preds = %2, %4
  %10 = phi i64 [ %8, %4 ], [ -1800455987208640293, %2 ]
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %12 = load i64, ptr %11, align 8, !tbaa !24
  %13 = xor i64 %12, -6884282663029611473
  %14 = zext i64 %13 to i128
  %15 = zext i64 %10 to i128
  %16 = mul nuw i128 %14, %15
  %17 = lshr i128 %16, 64
  %18 = xor i128 %17, %16
  %19 = trunc i128 %18 to i64
  store i64 %19, ptr %11, align 8, !tbaa !24
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 8
  br i1 %3, label %26, label %21

21:                                               ; preds = %9
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %24 = load i32, ptr %20, align 8, !tbaa !103
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %27

26:                                               ; preds = %64, %21, %9
  ret void

27:                                               ; preds = %21, %64
  %28 = phi i64 [ %65, %64 ], [ 0, %21 ]
  %29 = load ptr, ptr %1, align 8, !tbaa !104
  %30 = getelementptr inbounds nuw ptr, ptr %29, i64 %28
  %31 = load ptr, ptr %30, align 8, !tbaa !45
  %32 = ptrtoint ptr %31 to i64
  switch i64 %32, label %33 [
    i64 -8, label %64
    i64 0, label %64
  ]

33:                                               ; preds = %27
  %34 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %35 = load ptr, ptr %34, align 8, !tbaa !105
  %36 = ptrtoint ptr %35 to i64
  %37 = mul i64 %36, -7046029254386353131
  %38 = lshr i64 %37, 32
  %39 = load ptr, ptr %22, align 8, !tbaa !76
  %40 = load i64, ptr %23, align 8, !tbaa !77
  br label %41

41:                                               ; preds = %41, %33
  %42 = phi i64 [ %38, %33 ], [ %49, %41 ]
  %43 = and i64 %42, %40
  %44 = getelementptr inbounds nuw %struct.Slot, ptr %39, i64 %43
  %45 = load ptr, ptr %44, align 8, !tbaa !78
  %46 = icmp eq ptr %45, null
  %47 = icmp eq ptr %45, %35
  %48 = or i1 %46, %47
  %49 = add i64 %42, 1
  br i1 %48, label %50, label %41, !llvm.loop !80

50:                                               ; preds = %41
  %51 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %52 = load i64, ptr %51, align 8, !tbaa !82
  %53 = load i64, ptr %11, align 8, !tbaa !24
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %11, align 8, !tbaa !24
  %62 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %63 = load i64, ptr %31, align 8, !tbaa !33
  tail call fastcc void @add_bytes(ptr noundef nonnull %0, ptr noundef nonnull %62, i64 noundef %63)
  br label %64

64:                                               ; preds = %27, %27, %50
  %65 = add nuw nsw i64 %28, 1
  %66 = load i32, ptr %20, align 8, !tbaa !103
  %67 = zext i32 %66 to i64
  %68 = icmp samesign ult i64 %65, %67
  br i1 %68, label %27, label %26
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #15

; Function Attrs: noinline nounwind
define internal fastcc void @add_particulars(ptr noundef captures(none) %0, ptr noundef %1, i32 noundef range(i32 0, 256) %2) unnamed_addr #12 {
  %4 = trunc nuw i32 %2 to i8
  switch i8 %4, label %210 [
    i8 26, label %21
    i8 29, label %21
    i8 45, label %42
    i8 5, label %42
    i8 67, label %42
    i8 27, label %84
    i8 28, label %84
    i8 55, label %84
    i8 56, label %84
    i8 57, label %84
    i8 44, label %12
    i8 3, label %5
    i8 53, label %150
    i8 54, label %150
    i8 52, label %181
  ]

5:                                                ; preds = %3
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %7 = load i32, ptr %6, align 4
  %8 = and i32 %7, 134217727
  %9 = icmp samesign ugt i32 %8, 2
  br i1 %9, label %10, label %210

10:                                               ; preds = %5
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  br label %132

12:                                               ; preds = %3
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %14 = load i32, ptr %13, align 4
  %15 = and i32 %14, 134217727
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %210, label %17

17:                                               ; preds = %12
  %18 = getelementptr inbounds i8, ptr %1, i64 -8
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  br label %98

21:                                               ; preds = %3, %3
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %23 = load i64, ptr %22, align 8, !tbaa !106
  %24 = inttoptr i64 %23 to ptr
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %26 = lshr i64 %23, 3
  %27 = and i64 %26, 63
  %28 = getelementptr inbounds nuw ptr, ptr %25, i64 %27
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %30 = load i64, ptr %29, align 8, !tbaa !24
  %31 = xor i64 %30, -6884282663029611473
  %32 = zext i64 %31 to i128
  %33 = xor i64 %23, -1800455987208640293
  %34 = zext i64 %33 to i128
  %35 = mul nuw i128 %32, %34
  %36 = lshr i128 %35, 64
  %37 = xor i128 %36, %35
  %38 = trunc i128 %37 to i64
  store i64 %38, ptr %29, align 8, !tbaa !24
  %39 = load ptr, ptr %28, align 8, !tbaa !67
  %40 = icmp eq ptr %39, %24
  br i1 %40, label %210, label %41

41:                                               ; preds = %21
  store ptr %24, ptr %28, align 8, !tbaa !67
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %24)
  br label %210

42:                                               ; preds = %3, %3, %3
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %44 = load i64, ptr %43, align 8, !tbaa !106
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %46 = load i64, ptr %45, align 8, !tbaa !24
  %47 = xor i64 %46, -6884282663029611473
  %48 = zext i64 %47 to i128
  %49 = xor i64 %44, -1800455987208640293
  %50 = zext i64 %49 to i128
  %51 = mul nuw i128 %48, %50
  %52 = lshr i128 %51, 64
  %53 = xor i128 %52, %51
  %54 = trunc i128 %53 to i64
  %55 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %56 = load i64, ptr %55, align 8, !tbaa !107
  %57 = inttoptr i64 %56 to ptr
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %59 = lshr i64 %56, 3
  %60 = and i64 %59, 63
  %61 = getelementptr inbounds nuw ptr, ptr %58, i64 %60
  %62 = xor i64 %54, -6884282663029611473
  %63 = zext i64 %62 to i128
  %64 = xor i64 %56, -1800455987208640293
  %65 = zext i64 %64 to i128
  %66 = mul nuw i128 %63, %65
  %67 = lshr i128 %66, 64
  %68 = xor i128 %67, %66
  %69 = trunc i128 %68 to i64
  store i64 %69, ptr %45, align 8, !tbaa !24
  %70 = load ptr, ptr %61, align 8, !tbaa !67
  %71 = icmp eq ptr %70, %57
  br i1 %71, label %73, label %72

72:                                               ; preds = %42
  store ptr %57, ptr %61, align 8, !tbaa !67
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %57)
  br label %73

73:                                               ; preds = %42, %72
  %74 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %75 = load i32, ptr %74, align 4
  %76 = icmp sgt i32 %75, -1
  br i1 %76, label %78, label %77

77:                                               ; preds = %73
  tail call fastcc void @add_bundles(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %78

78:                                               ; preds = %77, %73
  %79 = icmp eq i32 %2, 67
  %80 = zext i1 %79 to i32
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  %82 = load i32, ptr %81, align 8, !tbaa !54
  %83 = or i32 %82, %80
  store i32 %83, ptr %81, align 8, !tbaa !54
  br label %210

84:                                               ; preds = %3, %3, %3, %3, %3
  %85 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %86 = load i64, ptr %85, align 8, !tbaa !106
  %87 = and i64 %86, 255
  %88 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %89 = load i64, ptr %88, align 8, !tbaa !24
  %90 = xor i64 %89, -6884282663029611473
  %91 = zext i64 %90 to i128
  %92 = xor i64 %87, -1800455987208640293
  %93 = zext i64 %92 to i128
  %94 = mul nuw i128 %91, %93
  %95 = lshr i128 %94, 64
  %96 = xor i128 %95, %94
  %97 = trunc i128 %96 to i64
  store i64 %97, ptr %88, align 8, !tbaa !24
  br label %210

98:                                               ; preds = %17, %110
  %99 = phi i64 [ 0, %17 ], [ %127, %110 ]
  %100 = phi i32 [ %15, %17 ], [ %129, %110 ]
  %101 = phi i32 [ %14, %17 ], [ %128, %110 ]
  %102 = and i32 %101, 1073741824
  %103 = icmp eq i32 %102, 0
  br i1 %103, label %106, label %104

104:                                              ; preds = %98
  %105 = load ptr, ptr %18, align 8, !tbaa !45
  br label %110

106:                                              ; preds = %98
  %107 = zext nneg i32 %100 to i64
  %108 = sub nsw i64 0, %107
  %109 = getelementptr inbounds %struct.Use, ptr %1, i64 %108
  br label %110

110:                                              ; preds = %104, %106
  %111 = phi ptr [ %105, %104 ], [ %109, %106 ]
  %112 = load i64, ptr %19, align 8, !tbaa !106
  %113 = and i64 %112, 4294967295
  %114 = getelementptr inbounds nuw %struct.Use, ptr %111, i64 %113
  %115 = getelementptr inbounds nuw ptr, ptr %114, i64 %99
  %116 = load ptr, ptr %115, align 8, !tbaa !105
  %117 = tail call fastcc i64 @number_of(ptr noundef %0, ptr noundef %116)
  %118 = load i64, ptr %20, align 8, !tbaa !24
  %119 = xor i64 %118, -6884282663029611473
  %120 = zext i64 %119 to i128
  %121 = xor i64 %117, -1800455987208640293
  %122 = zext i64 %121 to i128
  %123 = mul nuw i128 %120, %122
  %124 = lshr i128 %123, 64
  %125 = xor i128 %124, %123
  %126 = trunc i128 %125 to i64
  store i64 %126, ptr %20, align 8, !tbaa !24
  %127 = add nuw nsw i64 %99, 1
  %128 = load i32, ptr %13, align 4
  %129 = and i32 %128, 134217727
  %130 = zext nneg i32 %129 to i64
  %131 = icmp samesign ult i64 %127, %130
  br i1 %131, label %98, label %210, !llvm.loop !108

132:                                              ; preds = %10, %132
  %133 = phi i32 [ 2, %10 ], [ %146, %132 ]
  %134 = phi i32 [ 1, %10 ], [ %133, %132 ]
  %135 = tail call ptr @LLVMGetSwitchCaseValue(ptr noundef nonnull %1, i32 noundef %134) #19
  %136 = ptrtoint ptr %135 to i64
  %137 = load i64, ptr %11, align 8, !tbaa !24
  %138 = xor i64 %137, -6884282663029611473
  %139 = zext i64 %138 to i128
  %140 = xor i64 %136, -1800455987208640293
  %141 = zext i64 %140 to i128
  %142 = mul nuw i128 %139, %141
  %143 = lshr i128 %142, 64
  %144 = xor i128 %143, %142
  %145 = trunc i128 %144 to i64
  store i64 %145, ptr %11, align 8, !tbaa !24
  %146 = add nuw nsw i32 %133, 1
  %147 = load i32, ptr %6, align 4
  %148 = and i32 %147, 134217727
  %149 = icmp samesign ult i32 %146, %148
  br i1 %149, label %132, label %210, !llvm.loop !109

150:                                              ; preds = %3, %3
  %151 = tail call i32 @LLVMGetNumIndices(ptr noundef %1) #19
  %152 = zext i32 %151 to i64
  %153 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %154 = load i64, ptr %153, align 8, !tbaa !24
  %155 = xor i64 %154, -6884282663029611473
  %156 = zext i64 %155 to i128
  %157 = xor i64 %152, -1800455987208640293
  %158 = zext i64 %157 to i128
  %159 = mul nuw i128 %156, %158
  %160 = lshr i128 %159, 64
  %161 = xor i128 %160, %159
  %162 = trunc i128 %161 to i64
  store i64 %162, ptr %153, align 8, !tbaa !24
  %163 = icmp eq i32 %151, 0
  br i1 %163, label %210, label %164

164:                                              ; preds = %150, %164
  %165 = phi i64 [ %179, %164 ], [ 0, %150 ]
  %166 = tail call ptr @LLVMGetIndices(ptr noundef %1) #19
  %167 = getelementptr inbounds nuw i32, ptr %166, i64 %165
  %168 = load i32, ptr %167, align 4, !tbaa !3
  %169 = zext i32 %168 to i64
  %170 = load i64, ptr %153, align 8, !tbaa !24
  %171 = xor i64 %170, -6884282663029611473
  %172 = zext i64 %171 to i128
  %173 = xor i64 %169, -1800455987208640293
  %174 = zext i64 %173 to i128
  %175 = mul nuw i128 %172, %174
  %176 = lshr i128 %175, 64
  %177 = xor i128 %176, %175
  %178 = trunc i128 %177 to i64
  store i64 %178, ptr %153, align 8, !tbaa !24
  %179 = add nuw nsw i64 %165, 1
  %180 = icmp eq i64 %179, %152
  br i1 %180, label %210, label %164, !llvm.loop !110

181:                                              ; preds = %3
  %182 = tail call i32 @LLVMGetNumMaskElements(ptr noundef %1) #19
  %183 = zext i32 %182 to i64
  %184 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %185 = load i64, ptr %184, align 8, !tbaa !24
  %186 = xor i64 %185, -6884282663029611473
  %187 = zext i64 %186 to i128
  %188 = xor i64 %183, -1800455987208640293
  %189 = zext i64 %188 to i128
  %190 = mul nuw i128 %187, %189
  %191 = lshr i128 %190, 64
  %192 = xor i128 %191, %190
  %193 = trunc i128 %192 to i64
  store i64 %193, ptr %184, align 8, !tbaa !24
  %194 = icmp eq i32 %182, 0
  br i1 %194, label %210, label %195

195:                                              ; preds = %181, %195
  %196 = phi i32 [ %208, %195 ], [ 0, %181 ]
  %197 = tail call i32 @LLVMGetMaskValue(ptr noundef %1, i32 noundef %196) #19
  %198 = sext i32 %197 to i64
  %199 = load i64, ptr %184, align 8, !tbaa !24
  %200 = xor i64 %199, -6884282663029611473
  %201 = zext i64 %200 to i128
  %202 = xor i64 %198, -1800455987208640293
  %203 = zext i64 %202 to i128
  %204 = mul nuw i128 %201, %203
  %205 = lshr i128 %204, 64
  %206 = xor i128 %205, %204
  %207 = trunc i128 %206 to i64
  store i64 %207, ptr %184, align 8, !tbaa !24
  %208 = add nuw i32 %196, 1
  %209 = icmp eq i32 %208, %182
  br i1 %209, label %210, label %195, !llvm.loop !111

210:                                              ; preds = %195, %164, %132, %110, %181, %150, %5, %12, %41, %21, %3, %84, %78
  ret void
}

declare ptr @LLVMGetFirstDbgRecord(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_bundles(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #12 {
  %3 = alloca i64, align 8
  %4 = tail call i32 @LLVMGetNumOperandBundles(ptr noundef %1) #19
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %7 = load i64, ptr %6, align 8, !tbaa !24
  %8 = xor i64 %7, -6884282663029611473
  %9 = zext i64 %8 to i128
  %10 = xor i64 %5, -1800455987208640293
  %11 = zext i64 %10 to i128
  %12 = mul nuw i128 %9, %11
  %13 = lshr i128 %12, 64
  %14 = xor i128 %13, %12
  %15 = trunc i128 %14 to i64
  store i64 %15, ptr %6, align 8, !tbaa !24
  %16 = icmp eq i32 %4, 0
  br i1 %16, label %17, label %18

17:                                               ; preds = %18, %2
  ret void

18:                                               ; preds = %2, %18
  %19 = phi i32 [ %34, %18 ], [ 0, %2 ]
  %20 = call ptr @LLVMGetOperandBundleAtIndex(ptr noundef %1, i32 noundef %19) #19
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #19
  %21 = call ptr @LLVMGetOperandBundleTag(ptr noundef %20, ptr noundef nonnull %3) #19
  %22 = load i64, ptr %3, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %0, ptr noundef %21, i64 noundef %22)
  %23 = call i32 @LLVMGetNumOperandBundleArgs(ptr noundef %20) #19
  %24 = zext i32 %23 to i64
  %25 = load i64, ptr %6, align 8, !tbaa !24
  %26 = xor i64 %25, -6884282663029611473
  %27 = zext i64 %26 to i128
  %28 = xor i64 %24, -1800455987208640293
  %29 = zext i64 %28 to i128
  %30 = mul nuw i128 %27, %29
  %31 = lshr i128 %30, 64
  %32 = xor i128 %31, %30
  %33 = trunc i128 %32 to i64
  store i64 %33, ptr %6, align 8, !tbaa !24
  call void @LLVMDisposeOperandBundle(ptr noundef %20) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #19
  %34 = add nuw i32 %19, 1
  %35 = icmp eq i32 %34, %4
  br i1 %35, label %17, label %18, !llvm.loop !112
}

declare ptr @LLVMGetSwitchCaseValue(ptr noundef, i32 noundef) local_unnamed_addr #6

declare i32 @LLVMGetNumIndices(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetIndices(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetNumMaskElements(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetMaskValue(ptr noundef, i32 noundef) local_unnamed_addr #6

declare i32 @LLVMGetNumOperandBundles(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetOperandBundleAtIndex(ptr noundef, i32 noundef) local_unnamed_addr #6

declare ptr @LLVMGetOperandBundleTag(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetNumOperandBundleArgs(ptr noundef) local_unnamed_addr #6

declare void @LLVMDisposeOperandBundle(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstNamedMetadata(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNamedMetadataName(ptr noundef, ptr noundef) local_unnamed_addr #6

declare i32 @_ZNK4llvm11NamedMDNode14getNumOperandsEv(ptr noundef) local_unnamed_addr #6

declare ptr @_ZNK4llvm11NamedMDNode10getOperandEj(ptr noundef, i32 noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextNamedMetadata(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_node(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #12 {
  %3 = load i8, ptr %1, align 4, !tbaa !113
  %4 = zext i8 %3 to i64
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %6 = load i8, ptr %5, align 1
  %7 = and i8 %6, 127
  %8 = zext nneg i8 %7 to i64
  %9 = shl nuw nsw i64 %8, 8
  %10 = or disjoint i64 %9, %4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5376
  %12 = load i64, ptr %11, align 8, !tbaa !24
  %13 = xor i64 %12, -6884282663029611473
  %14 = zext i64 %13 to i128
  %15 = xor i64 %10, -1800455987208640293
  %16 = zext i64 %15 to i128
  %17 = mul nuw i128 %16, %14
  %18 = lshr i128 %17, 64
  %19 = xor i128 %18, %17
  %20 = trunc i128 %19 to i64
  store i64 %20, ptr %11, align 8, !tbaa !24
  %21 = tail call i32 @LLVMGetMetadataKind(ptr noundef nonnull %1) #19
  switch i32 %21, label %93 [
    i32 0, label %22
    i32 1, label %33
    i32 4, label %46
  ]

22:                                               ; preds = %2
  %23 = ptrtoint ptr %1 to i64
  %24 = load i64, ptr %11, align 8, !tbaa !24
  %25 = xor i64 %24, -6884282663029611473
  %26 = zext i64 %25 to i128
  %27 = xor i64 %23, -1800455987208640293
  %28 = zext i64 %27 to i128
  %29 = mul nuw i128 %26, %28
  %30 = lshr i128 %29, 64
  %31 = xor i128 %30, %29
  %32 = trunc i128 %31 to i64
  store i64 %32, ptr %11, align 8, !tbaa !24
  br label %95

33:                                               ; preds = %2
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %35 = load ptr, ptr %34, align 8, !tbaa !115
  %36 = tail call fastcc i64 @number_of(ptr noundef nonnull %0, ptr noundef %35)
  %37 = load i64, ptr %11, align 8, !tbaa !24
  %38 = xor i64 %37, -6884282663029611473
  %39 = zext i64 %38 to i128
  %40 = xor i64 %36, -1800455987208640293
  %41 = zext i64 %40 to i128
  %42 = mul nuw i128 %39, %41
  %43 = lshr i128 %42, 64
  %44 = xor i128 %43, %42
  %45 = trunc i128 %44 to i64
  store i64 %45, ptr %11, align 8, !tbaa !24
  br label %95

46:                                               ; preds = %2
  %47 = getelementptr inbounds i8, ptr %1, i64 -16
  %48 = load i64, ptr %47, align 8
  %49 = and i64 %48, 2
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %57, label %51

51:                                               ; preds = %46
  %52 = getelementptr inbounds i8, ptr %1, i64 -32
  %53 = getelementptr inbounds i8, ptr %1, i64 -24
  %54 = load i32, ptr %53, align 8, !tbaa !117
  %55 = zext i32 %54 to i64
  %56 = load ptr, ptr %52, align 8, !tbaa !120
  br label %64

57:                                               ; preds = %46
  %58 = lshr i64 %48, 6
  %59 = and i64 %58, 15
  %60 = lshr i64 %48, 2
  %61 = and i64 %60, 15
  %62 = sub nsw i64 0, %61
  %63 = getelementptr inbounds ptr, ptr %47, i64 %62
  br label %64

64:                                               ; preds = %51, %57
  %65 = phi i64 [ %55, %51 ], [ %59, %57 ]
  %66 = phi ptr [ %56, %51 ], [ %63, %57 ]
  %67 = load i64, ptr %11, align 8, !tbaa !24
  %68 = xor i64 %67, -6884282663029611473
  %69 = zext i64 %68 to i128
  %70 = xor i64 %65, -1800455987208640293
  %71 = zext i64 %70 to i128
  %72 = mul nuw i128 %69, %71
  %73 = lshr i128 %72, 64
  %74 = xor i128 %73, %72
  %75 = trunc i128 %74 to i64
  store i64 %75, ptr %11, align 8, !tbaa !24
  %76 = icmp eq i64 %65, 0
  br i1 %76, label %95, label %77

77:                                               ; preds = %64, %77
  %78 = phi i64 [ %91, %77 ], [ 0, %64 ]
  %79 = getelementptr inbounds nuw ptr, ptr %66, i64 %78
  %80 = load ptr, ptr %79, align 8, !tbaa !121
  %81 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %80)
  %82 = load i64, ptr %11, align 8, !tbaa !24
  %83 = xor i64 %82, -6884282663029611473
  %84 = zext i64 %83 to i128
  %85 = xor i64 %81, -1800455987208640293
  %86 = zext i64 %85 to i128
  %87 = mul nuw i128 %84, %86
  %88 = lshr i128 %87, 64
  %89 = xor i128 %88, %87
  %90 = trunc i128 %89 to i64
  store i64 %90, ptr %11, align 8, !tbaa !24
  %91 = add nuw nsw i64 %78, 1
  %92 = icmp eq i64 %91, %65
  br i1 %92, label %95, label %77, !llvm.loop !122

93:                                               ; preds = %2
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 5408
  store i32 1, ptr %94, align 8, !tbaa !54
  br label %95

95:                                               ; preds = %77, %64, %33, %93, %22
  ret void
}

declare i32 @LLVMGetMetadataKind(ptr noundef) local_unnamed_addr #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #16

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #17

attributes #0 = { mustprogress nofree nounwind willreturn memory(inaccessiblemem: readwrite) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #9 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #11 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #12 = { noinline nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #13 = { mustprogress noinline nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #14 = { nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #15 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #16 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #17 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #18 = { allocsize(0,1) }
attributes #19 = { nounwind }
attributes #20 = { allocsize(0) }

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
!8 = !{!"", !9, i64 0, !9, i64 32, !9, i64 64, !9, i64 96, !9, i64 128, !9, i64 160, !12, i64 192, !12, i64 216, !5, i64 240, !5, i64 752, !5, i64 1008, !14, i64 1264, !11, i64 5376, !11, i64 5384, !15, i64 5392, !11, i64 5400, !4, i64 5408}
!9 = !{!"", !10, i64 0, !11, i64 8, !11, i64 16, !11, i64 24}
!10 = !{!"any pointer", !5, i64 0}
!11 = !{!"long", !5, i64 0}
!12 = !{!"", !13, i64 0, !11, i64 8, !11, i64 16}
!13 = !{!"any p2 pointer", !10, i64 0}
!14 = !{!"", !10, i64 0, !4, i64 8, !4, i64 12, !5, i64 16}
!15 = !{!"p1 _ZTS5Value", !10, i64 0}
!16 = !{!8, !10, i64 32}
!17 = !{!8, !10, i64 64}
!18 = !{!8, !10, i64 96}
!19 = !{!8, !10, i64 128}
!20 = !{!8, !10, i64 160}
!21 = !{!8, !13, i64 192}
!22 = !{!8, !13, i64 216}
!23 = !{!8, !11, i64 224}
!24 = !{!8, !11, i64 5376}
!25 = !{!8, !11, i64 16}
!26 = distinct !{!26, !27}
!27 = !{!"llvm.loop.mustprogress"}
!28 = distinct !{!28, !27}
!29 = !{!14, !10, i64 0}
!30 = !{!14, !4, i64 8}
!31 = !{!14, !4, i64 12}
!32 = !{ptr @_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE, ptr @_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE, ptr @_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE}
!33 = !{!11, !11, i64 0}
!34 = distinct !{!34, !27}
!35 = !{!36, !5, i64 0}
!36 = !{!"Value", !5, i64 0, !5, i64 1, !5, i64 1, !37, i64 2, !4, i64 4, !4, i64 7, !4, i64 7, !4, i64 7, !4, i64 7, !4, i64 7, !38, i64 8, !10, i64 16}
!37 = !{!"short", !5, i64 0}
!38 = !{!"p1 _ZTS4Type", !10, i64 0}
!39 = !{!36, !37, i64 2}
!40 = !{!41, !11, i64 72}
!41 = !{!"", !42, i64 0, !11, i64 72, !5, i64 80, !5, i64 80}
!42 = !{!"", !36, i64 0, !38, i64 24, !43, i64 32, !4, i64 36, !44, i64 40, !10, i64 48, !5, i64 56}
!43 = !{!"", !4, i64 0, !4, i64 0, !4, i64 0, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 1, !4, i64 2, !4, i64 2}
!44 = !{!"p1 _ZTS6Module", !10, i64 0}
!45 = !{!10, !10, i64 0}
!46 = !{!47, !15, i64 0}
!47 = !{!"", !15, i64 0, !10, i64 8, !10, i64 16, !15, i64 24}
!48 = distinct !{!48, !27}
!49 = distinct !{!49, !27}
!50 = distinct !{!50, !27}
!51 = distinct !{!51, !27}
!52 = distinct !{!52, !27}
!53 = !{!8, !11, i64 5384}
!54 = !{!8, !4, i64 5408}
!55 = !{!56, !11, i64 120}
!56 = !{!"", !42, i64 0, !5, i64 72, !11, i64 96, !11, i64 104, !10, i64 112, !11, i64 120}
!57 = !{!12, !11, i64 8}
!58 = !{!8, !15, i64 5392}
!59 = !{!12, !11, i64 16}
!60 = !{!12, !13, i64 0}
!61 = distinct !{!61, !27}
!62 = distinct !{!62, !27}
!63 = distinct !{!63, !27}
!64 = distinct !{!64, !27}
!65 = !{!5, !5, i64 0}
!66 = !{!36, !38, i64 8}
!67 = !{!38, !38, i64 0}
!68 = distinct !{!68, !27}
!69 = !{!70, !71, i64 48}
!70 = !{!"", !36, i64 0, !10, i64 24, !10, i64 32, !10, i64 40, !71, i64 48, !11, i64 56, !10, i64 64, !11, i64 72, !11, i64 80}
!71 = !{!"p1 _ZTS8Metadata", !10, i64 0}
!72 = !{!70, !10, i64 64}
!73 = distinct !{!73, !27}
!74 = !{!56, !10, i64 112}
!75 = distinct !{!75, !27}
!76 = !{!9, !10, i64 0}
!77 = !{!9, !11, i64 8}
!78 = !{!79, !10, i64 0}
!79 = !{!"", !10, i64 0, !11, i64 8}
!80 = distinct !{!80, !27}
!81 = !{!9, !11, i64 16}
!82 = !{!79, !11, i64 8}
!83 = distinct !{!83, !27}
!84 = !{!9, !11, i64 24}
!85 = !{i64 0, i64 8, !45, i64 8, i64 8, !33}
!86 = distinct !{!86, !27}
!87 = distinct !{!87, !27}
!88 = distinct !{!88, !27}
!89 = distinct !{!89, !90}
!90 = !{!"llvm.loop.unroll.disable"}
!91 = !{!42, !38, i64 24}
!92 = distinct !{!92, !27}
!93 = distinct !{!93, !27}
!94 = !{!8, !11, i64 112}
!95 = !{!8, !11, i64 5400}
!96 = distinct !{!96, !27}
!97 = distinct !{!97, !27}
!98 = !{!99, !38, i64 24}
!99 = !{!"", !36, i64 0, !38, i64 24, !38, i64 32, !5, i64 40, !5, i64 72}
!100 = !{!99, !5, i64 72}
!101 = !{!102, !4, i64 12}
!102 = !{!"", !13, i64 0, !4, i64 8, !4, i64 12}
!103 = !{!102, !4, i64 8}
!104 = !{!102, !13, i64 0}
!105 = !{!15, !15, i64 0}
!106 = !{!70, !11, i64 72}
!107 = !{!70, !11, i64 80}
!108 = distinct !{!108, !27}
!109 = distinct !{!109, !27}
!110 = distinct !{!110, !27}
!111 = distinct !{!111, !27}
!112 = distinct !{!112, !27}
!113 = !{!114, !5, i64 0}
!114 = !{!"Metadata", !5, i64 0, !5, i64 1, !5, i64 1, !37, i64 2, !4, i64 4}
!115 = !{!116, !15, i64 128}
!116 = !{!"", !114, i64 0, !5, i64 8, !15, i64 128}
!117 = !{!118, !4, i64 8}
!118 = !{!"", !119, i64 0, !4, i64 8, !4, i64 12}
!119 = !{!"p2 _ZTS8Metadata", !13, i64 0}
!120 = !{!118, !119, i64 0}
!121 = !{!71, !71, i64 0}
!122 = distinct !{!122, !27}
