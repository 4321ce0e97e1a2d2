; ModuleID = 'fingerprint.c'
source_filename = "fingerprint.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Use = type { ptr, ptr, ptr, ptr }
%struct.Slot = type { ptr, i64 }
%struct.Pair = type { ptr, i64 }

; Function Attrs: mustprogress nofree nounwind willreturn memory(inaccessiblemem: readwrite)
define dso_local noalias noundef ptr @optarena_fingerprint_new() local_unnamed_addr #0 {
  %1 = tail call dereferenceable_or_null(5368) ptr @calloc(i64 noundef 1, i64 noundef 5368) #18
  ret ptr %1
}

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)
define dso_local void @optarena_fingerprint_free(ptr noundef captures(none) %0) local_unnamed_addr #2 {
  %2 = load ptr, ptr %0, align 8, !tbaa !7
  tail call void @free(ptr noundef %2)
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8, !tbaa !15
  tail call void @free(ptr noundef %4)
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %6 = load ptr, ptr %5, align 8, !tbaa !16
  tail call void @free(ptr noundef %6)
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %8 = load ptr, ptr %7, align 8, !tbaa !17
  tail call void @free(ptr noundef %8)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %10 = load ptr, ptr %9, align 8, !tbaa !18
  tail call void @free(ptr noundef %10)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %12 = load ptr, ptr %11, align 8, !tbaa !19
  tail call void @free(ptr noundef %12)
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %14 = load ptr, ptr %13, align 8, !tbaa !20
  tail call void @free(ptr noundef %14)
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
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 208
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(512) %9, i8 0, i64 512, i1 false)
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 192
  store i64 0, ptr %10, align 8, !tbaa !21
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 5344
  store i64 1, ptr %11, align 8, !tbaa !22
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 5352
  store i64 0, ptr %12, align 8, !tbaa !23
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 5360
  store i32 0, ptr %13, align 8, !tbaa !24
  %14 = tail call ptr @LLVMGetFirstGlobal(ptr noundef %0) #19
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %30

16:                                               ; preds = %30, %3
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %18 = load i64, ptr %17, align 8, !tbaa !25
  %19 = load i64, ptr %11, align 8, !tbaa !22
  %20 = xor i64 %19, -6884282663029611473
  %21 = zext i64 %20 to i128
  %22 = xor i64 %18, -1800455987208640293
  %23 = zext i64 %22 to i128
  %24 = mul nuw i128 %21, %23
  %25 = lshr i128 %24, 64
  %26 = xor i128 %25, %24
  %27 = trunc i128 %26 to i64
  store i64 %27, ptr %11, align 8, !tbaa !22
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
  %36 = load i64, ptr %11, align 8, !tbaa !22
  %37 = xor i64 %36, -6884282663029611473
  %38 = zext i64 %37 to i128
  %39 = xor i64 %35, -1800455987208640293
  %40 = zext i64 %39 to i128
  %41 = mul nuw i128 %38, %40
  %42 = lshr i128 %41, 64
  %43 = xor i128 %42, %41
  %44 = trunc i128 %43 to i64
  store i64 %44, ptr %11, align 8, !tbaa !22
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
  %53 = load i64, ptr %11, align 8, !tbaa !22
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %11, align 8, !tbaa !22
  %62 = tail call ptr @LLVMGetModuleContext(ptr noundef %0) #19
  %63 = getelementptr inbounds nuw i8, ptr %1, i64 1232
  %64 = getelementptr inbounds nuw i8, ptr %1, i64 1248
  store ptr %64, ptr %63, align 8, !tbaa !29
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 1240
  store i32 0, ptr %65, align 8, !tbaa !30
  %66 = getelementptr inbounds nuw i8, ptr %1, i64 1244
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
  %73 = load i64, ptr %11, align 8, !tbaa !22
  %74 = xor i64 %73, -6884282663029611473
  %75 = zext i64 %74 to i128
  %76 = xor i64 %72, -1800455987208640293
  %77 = zext i64 %76 to i128
  %78 = mul nuw i128 %75, %77
  %79 = lshr i128 %78, 64
  %80 = xor i128 %79, %78
  %81 = trunc i128 %80 to i64
  store i64 %81, ptr %11, align 8, !tbaa !22
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
  %88 = load i64, ptr %11, align 8, !tbaa !22
  %89 = xor i64 %88, -6884282663029611473
  %90 = zext i64 %89 to i128
  %91 = xor i64 %87, -1800455987208640293
  %92 = zext i64 %91 to i128
  %93 = mul nuw i128 %90, %92
  %94 = lshr i128 %93, 64
  %95 = xor i128 %94, %93
  %96 = trunc i128 %95 to i64
  store i64 %96, ptr %11, align 8, !tbaa !22
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
  %103 = load i64, ptr %11, align 8, !tbaa !22
  %104 = xor i64 %103, -6884282663029611473
  %105 = zext i64 %104 to i128
  %106 = xor i64 %102, -1800455987208640293
  %107 = zext i64 %106 to i128
  %108 = mul nuw i128 %105, %107
  %109 = lshr i128 %108, 64
  %110 = xor i128 %109, %108
  %111 = trunc i128 %110 to i64
  store i64 %111, ptr %11, align 8, !tbaa !22
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
  br i1 %126, label %208, label %217

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
  %148 = load i64, ptr %11, align 8, !tbaa !22
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
  store i64 %166, ptr %11, align 8, !tbaa !22
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
  store i64 %178, ptr %11, align 8, !tbaa !22
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
  %196 = load i64, ptr %11, align 8, !tbaa !22
  %197 = xor i64 %196, -6884282663029611473
  %198 = zext i64 %197 to i128
  %199 = xor i64 %195, -1800455987208640293
  %200 = zext i64 %199 to i128
  %201 = mul nuw i128 %198, %200
  %202 = lshr i128 %201, 64
  %203 = xor i128 %202, %201
  %204 = trunc i128 %203 to i64
  store i64 %204, ptr %11, align 8, !tbaa !22
  br label %205

205:                                              ; preds = %127, %192
  %206 = call ptr @LLVMGetNextGlobal(ptr noundef nonnull %128) #19
  %207 = icmp eq ptr %206, null
  br i1 %207, label %124, label %127, !llvm.loop !49

208:                                              ; preds = %258, %124
  %209 = call ptr @LLVMGetFirstFunction(ptr noundef %0) #19
  %210 = icmp eq ptr %209, null
  br i1 %210, label %273, label %211

211:                                              ; preds = %208
  %212 = getelementptr inbounds nuw i8, ptr %1, i64 160
  %213 = getelementptr inbounds nuw i8, ptr %1, i64 168
  %214 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %215 = getelementptr inbounds nuw i8, ptr %1, i64 176
  %216 = getelementptr inbounds nuw i8, ptr %1, i64 976
  br label %329

217:                                              ; preds = %124, %258
  %218 = phi ptr [ %271, %258 ], [ %125, %124 ]
  call fastcc void @add_global(ptr noundef nonnull %1, ptr noundef nonnull %218)
  %219 = load i8, ptr %218, align 8, !tbaa !35
  %220 = zext i8 %219 to i64
  %221 = getelementptr inbounds nuw i8, ptr %218, i64 1
  %222 = load i8, ptr %221, align 1
  %223 = lshr i8 %222, 1
  %224 = zext nneg i8 %223 to i64
  %225 = shl nuw nsw i64 %224, 8
  %226 = or disjoint i64 %225, %220
  %227 = getelementptr inbounds nuw i8, ptr %218, i64 2
  %228 = load i16, ptr %227, align 2, !tbaa !39
  %229 = zext i16 %228 to i64
  %230 = shl nuw nsw i64 %229, 16
  %231 = or disjoint i64 %226, %230
  %232 = getelementptr inbounds nuw i8, ptr %218, i64 4
  %233 = load i32, ptr %232, align 4
  %234 = and i32 %233, -2013265921
  %235 = zext i32 %234 to i64
  %236 = shl nuw i64 %235, 32
  %237 = or disjoint i64 %236, %231
  %238 = load i64, ptr %11, align 8, !tbaa !22
  %239 = xor i64 %238, -6884282663029611473
  %240 = zext i64 %239 to i128
  %241 = xor i64 %237, -1800455987208640293
  %242 = zext i64 %241 to i128
  %243 = mul nuw i128 %242, %240
  %244 = lshr i128 %243, 64
  %245 = xor i128 %244, %243
  %246 = trunc i128 %245 to i64
  store i64 %246, ptr %11, align 8, !tbaa !22
  %247 = load i32, ptr %232, align 4
  %248 = and i32 %247, 1073741824
  %249 = icmp eq i32 %248, 0
  br i1 %249, label %253, label %250

250:                                              ; preds = %217
  %251 = getelementptr inbounds i8, ptr %218, i64 -8
  %252 = load ptr, ptr %251, align 8, !tbaa !45
  br label %258

253:                                              ; preds = %217
  %254 = and i32 %247, 134217727
  %255 = zext nneg i32 %254 to i64
  %256 = sub nsw i64 0, %255
  %257 = getelementptr inbounds %struct.Use, ptr %218, i64 %256
  br label %258

258:                                              ; preds = %250, %253
  %259 = phi ptr [ %252, %250 ], [ %257, %253 ]
  %260 = load ptr, ptr %259, align 8, !tbaa !46
  %261 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %260)
  %262 = load i64, ptr %11, align 8, !tbaa !22
  %263 = xor i64 %262, -6884282663029611473
  %264 = zext i64 %263 to i128
  %265 = xor i64 %261, -1800455987208640293
  %266 = zext i64 %265 to i128
  %267 = mul nuw i128 %264, %266
  %268 = lshr i128 %267, 64
  %269 = xor i128 %268, %267
  %270 = trunc i128 %269 to i64
  store i64 %270, ptr %11, align 8, !tbaa !22
  %271 = call ptr @LLVMGetNextGlobalAlias(ptr noundef nonnull %218) #19
  %272 = icmp eq ptr %271, null
  br i1 %272, label %208, label %217, !llvm.loop !50

273:                                              ; preds = %592, %208
  %274 = call ptr @LLVMGetFirstNamedMetadata(ptr noundef %0) #19
  %275 = icmp eq ptr %274, null
  br i1 %275, label %276, label %281

276:                                              ; preds = %297, %273
  %277 = load i64, ptr %10, align 8, !tbaa !21
  %278 = icmp eq i64 %277, 0
  br i1 %278, label %323, label %279

279:                                              ; preds = %276
  %280 = getelementptr inbounds nuw i8, ptr %1, i64 184
  br label %315

281:                                              ; preds = %273, %297
  %282 = phi ptr [ %298, %297 ], [ %274, %273 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #19
  %283 = call ptr @LLVMGetNamedMetadataName(ptr noundef nonnull %282, ptr noundef nonnull %4) #19
  %284 = call i32 @_ZNK4llvm11NamedMDNode14getNumOperandsEv(ptr noundef nonnull %282) #19
  %285 = load i64, ptr %4, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %283, i64 noundef %285)
  %286 = zext i32 %284 to i64
  %287 = load i64, ptr %11, align 8, !tbaa !22
  %288 = xor i64 %287, -6884282663029611473
  %289 = zext i64 %288 to i128
  %290 = xor i64 %286, -1800455987208640293
  %291 = zext i64 %290 to i128
  %292 = mul nuw i128 %289, %291
  %293 = lshr i128 %292, 64
  %294 = xor i128 %293, %292
  %295 = trunc i128 %294 to i64
  store i64 %295, ptr %11, align 8, !tbaa !22
  %296 = icmp eq i32 %284, 0
  br i1 %296, label %297, label %300

297:                                              ; preds = %300, %281
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #19
  %298 = call ptr @LLVMGetNextNamedMetadata(ptr noundef nonnull %282) #19
  %299 = icmp eq ptr %298, null
  br i1 %299, label %276, label %281, !llvm.loop !51

300:                                              ; preds = %281, %300
  %301 = phi i32 [ %313, %300 ], [ 0, %281 ]
  %302 = call ptr @_ZNK4llvm11NamedMDNode10getOperandEj(ptr noundef nonnull %282, i32 noundef %301) #19
  %303 = call fastcc i64 @node_number(ptr noundef nonnull %1, ptr noundef %302)
  %304 = load i64, ptr %11, align 8, !tbaa !22
  %305 = xor i64 %304, -6884282663029611473
  %306 = zext i64 %305 to i128
  %307 = xor i64 %303, -1800455987208640293
  %308 = zext i64 %307 to i128
  %309 = mul nuw i128 %306, %308
  %310 = lshr i128 %309, 64
  %311 = xor i128 %310, %309
  %312 = trunc i128 %311 to i64
  store i64 %312, ptr %11, align 8, !tbaa !22
  %313 = add nuw i32 %301, 1
  %314 = icmp eq i32 %313, %284
  br i1 %314, label %297, label %300, !llvm.loop !52

315:                                              ; preds = %315, %279
  %316 = phi i64 [ 0, %279 ], [ %320, %315 ]
  %317 = load ptr, ptr %280, align 8, !tbaa !20
  %318 = getelementptr inbounds nuw ptr, ptr %317, i64 %316
  %319 = load ptr, ptr %318, align 8, !tbaa !45
  call fastcc void @add_node(ptr noundef nonnull %1, ptr noundef %319)
  %320 = add nuw i64 %316, 1
  %321 = load i64, ptr %10, align 8, !tbaa !21
  %322 = icmp ult i64 %320, %321
  br i1 %322, label %315, label %323, !llvm.loop !53

323:                                              ; preds = %315, %276
  %324 = load i64, ptr %11, align 8, !tbaa !22
  store i64 %324, ptr %2, align 8, !tbaa !33
  %325 = load i64, ptr %12, align 8, !tbaa !23
  %326 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store i64 %325, ptr %326, align 8, !tbaa !33
  %327 = load i32, ptr %13, align 8, !tbaa !24
  %328 = icmp eq i32 %327, 0
  br i1 %328, label %597, label %601

329:                                              ; preds = %211, %592
  %330 = phi ptr [ %209, %211 ], [ %595, %592 ]
  call fastcc void @add_object(ptr noundef nonnull %1, ptr noundef nonnull %330)
  %331 = getelementptr inbounds nuw i8, ptr %330, i64 2
  %332 = load i16, ptr %331, align 2, !tbaa !39
  %333 = lshr i16 %332, 4
  %334 = zext nneg i16 %333 to i64
  %335 = load i64, ptr %11, align 8, !tbaa !22
  %336 = xor i64 %335, -6884282663029611473
  %337 = zext i64 %336 to i128
  %338 = xor i64 %334, -1800455987208640293
  %339 = zext i64 %338 to i128
  %340 = mul nuw i128 %339, %337
  %341 = lshr i128 %340, 64
  %342 = xor i128 %341, %340
  %343 = trunc i128 %342 to i64
  %344 = getelementptr inbounds nuw i8, ptr %330, i64 120
  %345 = load i64, ptr %344, align 8, !tbaa !54
  %346 = xor i64 %343, -6884282663029611473
  %347 = zext i64 %346 to i128
  %348 = xor i64 %345, -1800455987208640293
  %349 = zext i64 %348 to i128
  %350 = mul nuw i128 %347, %349
  %351 = lshr i128 %350, 64
  %352 = xor i128 %351, %350
  %353 = trunc i128 %352 to i64
  store i64 %353, ptr %11, align 8, !tbaa !22
  %354 = call ptr @LLVMGetGC(ptr noundef nonnull %330) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %354)
  %355 = call i32 @LLVMHasPersonalityFn(ptr noundef nonnull %330) #19
  %356 = icmp eq i32 %355, 0
  br i1 %356, label %361, label %357

357:                                              ; preds = %329
  %358 = call ptr @LLVMGetPersonalityFn(ptr noundef nonnull %330) #19
  %359 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %358)
  %360 = xor i64 %359, -1800455987208640293
  br label %361

361:                                              ; preds = %357, %329
  %362 = phi i64 [ %360, %357 ], [ -1800455987208640293, %329 ]
  %363 = load i64, ptr %11, align 8, !tbaa !22
  %364 = xor i64 %363, -6884282663029611473
  %365 = zext i64 %364 to i128
  %366 = zext i64 %362 to i128
  %367 = mul nuw i128 %365, %366
  %368 = lshr i128 %367, 64
  %369 = xor i128 %368, %367
  %370 = trunc i128 %369 to i64
  store i64 %370, ptr %11, align 8, !tbaa !22
  %371 = call i32 @LLVMHasPrefixData(ptr noundef nonnull %330) #19
  %372 = icmp eq i32 %371, 0
  br i1 %372, label %377, label %373

373:                                              ; preds = %361
  %374 = call ptr @LLVMGetPrefixData(ptr noundef nonnull %330) #19
  %375 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %374)
  %376 = xor i64 %375, -1800455987208640293
  br label %377

377:                                              ; preds = %373, %361
  %378 = phi i64 [ %376, %373 ], [ -1800455987208640293, %361 ]
  %379 = load i64, ptr %11, align 8, !tbaa !22
  %380 = xor i64 %379, -6884282663029611473
  %381 = zext i64 %380 to i128
  %382 = zext i64 %378 to i128
  %383 = mul nuw i128 %381, %382
  %384 = lshr i128 %383, 64
  %385 = xor i128 %384, %383
  %386 = trunc i128 %385 to i64
  store i64 %386, ptr %11, align 8, !tbaa !22
  %387 = call i32 @LLVMHasPrologueData(ptr noundef nonnull %330) #19
  %388 = icmp eq i32 %387, 0
  br i1 %388, label %393, label %389

389:                                              ; preds = %377
  %390 = call ptr @LLVMGetPrologueData(ptr noundef nonnull %330) #19
  %391 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %390)
  %392 = xor i64 %391, -1800455987208640293
  br label %393

393:                                              ; preds = %389, %377
  %394 = phi i64 [ %392, %389 ], [ -1800455987208640293, %377 ]
  %395 = load i64, ptr %11, align 8, !tbaa !22
  %396 = xor i64 %395, -6884282663029611473
  %397 = zext i64 %396 to i128
  %398 = zext i64 %394 to i128
  %399 = mul nuw i128 %397, %398
  %400 = lshr i128 %399, 64
  %401 = xor i128 %400, %399
  %402 = trunc i128 %401 to i64
  store i64 %402, ptr %11, align 8, !tbaa !22
  store i64 0, ptr %213, align 8, !tbaa !56
  call fastcc void @clear(ptr noundef nonnull %214, i64 noundef 32)
  %403 = call ptr @LLVMGetFirstParam(ptr noundef nonnull %330) #19
  %404 = icmp eq ptr %403, null
  br i1 %404, label %405, label %408

405:                                              ; preds = %408, %393
  %406 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %330) #19
  %407 = icmp eq ptr %406, null
  br i1 %407, label %412, label %424

408:                                              ; preds = %393, %408
  %409 = phi ptr [ %410, %408 ], [ %403, %393 ]
  call fastcc void @number(ptr noundef nonnull %214, ptr noundef nonnull %409)
  %410 = call ptr @LLVMGetNextParam(ptr noundef nonnull %409) #19
  %411 = icmp eq ptr %410, null
  br i1 %411, label %405, label %408, !llvm.loop !57

412:                                              ; preds = %435, %405
  %413 = load i64, ptr %213, align 8, !tbaa !56
  %414 = load i64, ptr %11, align 8, !tbaa !22
  %415 = xor i64 %414, -6884282663029611473
  %416 = zext i64 %415 to i128
  %417 = xor i64 %413, -1800455987208640293
  %418 = zext i64 %417 to i128
  %419 = mul nuw i128 %416, %418
  %420 = lshr i128 %419, 64
  %421 = xor i128 %420, %419
  %422 = trunc i128 %421 to i64
  store i64 %422, ptr %11, align 8, !tbaa !22
  %423 = icmp eq i64 %413, 0
  br i1 %423, label %592, label %459

424:                                              ; preds = %405, %435
  %425 = phi ptr [ %440, %435 ], [ %406, %405 ]
  %426 = call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %425) #19
  call fastcc void @number(ptr noundef nonnull %214, ptr noundef %426)
  %427 = call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %425) #19
  %428 = icmp eq ptr %427, null
  br i1 %428, label %429, label %442

429:                                              ; preds = %449, %424
  %430 = load i64, ptr %213, align 8, !tbaa !56
  %431 = load i64, ptr %215, align 8, !tbaa !58
  %432 = icmp eq i64 %430, %431
  br i1 %432, label %433, label %435

433:                                              ; preds = %429
  call fastcc void @lengthen(ptr noundef nonnull %212)
  %434 = load i64, ptr %213, align 8, !tbaa !56
  br label %435

435:                                              ; preds = %433, %429
  %436 = phi i64 [ %434, %433 ], [ %430, %429 ]
  %437 = load ptr, ptr %212, align 8, !tbaa !59
  %438 = add i64 %436, 1
  store i64 %438, ptr %213, align 8, !tbaa !56
  %439 = getelementptr inbounds nuw ptr, ptr %437, i64 %436
  store ptr null, ptr %439, align 8, !tbaa !45
  %440 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %425) #19
  %441 = icmp eq ptr %440, null
  br i1 %441, label %412, label %424, !llvm.loop !60

442:                                              ; preds = %424, %449
  %443 = phi ptr [ %457, %449 ], [ %427, %424 ]
  %444 = load i64, ptr %213, align 8, !tbaa !56
  %445 = load i64, ptr %215, align 8, !tbaa !58
  %446 = icmp eq i64 %444, %445
  br i1 %446, label %447, label %449

447:                                              ; preds = %442
  call fastcc void @lengthen(ptr noundef nonnull %212)
  %448 = load i64, ptr %213, align 8, !tbaa !56
  br label %449

449:                                              ; preds = %447, %442
  %450 = phi i64 [ %448, %447 ], [ %444, %442 ]
  %451 = load ptr, ptr %212, align 8, !tbaa !59
  %452 = add i64 %450, 1
  store i64 %452, ptr %213, align 8, !tbaa !56
  %453 = getelementptr inbounds nuw ptr, ptr %451, i64 %450
  store ptr %443, ptr %453, align 8, !tbaa !45
  %454 = getelementptr inbounds i8, ptr %443, i64 -64
  call void @llvm.prefetch.p0(ptr nonnull readonly %454, i32 0, i32 3, i32 1)
  %455 = getelementptr inbounds i8, ptr %443, i64 -32
  call void @llvm.prefetch.p0(ptr nonnull readonly %455, i32 0, i32 3, i32 1)
  %456 = getelementptr inbounds nuw i8, ptr %443, i64 72
  call void @llvm.prefetch.p0(ptr nonnull readonly %456, i32 0, i32 3, i32 1)
  call fastcc void @number(ptr noundef nonnull %214, ptr noundef nonnull %443)
  %457 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %443) #19
  %458 = icmp eq ptr %457, null
  br i1 %458, label %429, label %442, !llvm.loop !61

459:                                              ; preds = %412, %588
  %460 = phi i64 [ %589, %588 ], [ %413, %412 ]
  %461 = phi i64 [ %590, %588 ], [ 0, %412 ]
  %462 = load ptr, ptr %212, align 8, !tbaa !59
  %463 = getelementptr inbounds nuw ptr, ptr %462, i64 %461
  %464 = load ptr, ptr %463, align 8, !tbaa !45
  %465 = icmp eq ptr %464, null
  br i1 %465, label %580, label %466

466:                                              ; preds = %459
  %467 = load i8, ptr %464, align 8, !tbaa !35
  %468 = zext i8 %467 to i64
  %469 = getelementptr inbounds nuw i8, ptr %464, i64 1
  %470 = load i8, ptr %469, align 1
  %471 = lshr i8 %470, 1
  %472 = zext nneg i8 %471 to i64
  %473 = shl nuw nsw i64 %472, 8
  %474 = or disjoint i64 %473, %468
  %475 = getelementptr inbounds nuw i8, ptr %464, i64 2
  %476 = load i16, ptr %475, align 2, !tbaa !39
  %477 = zext i16 %476 to i64
  %478 = shl nuw nsw i64 %477, 16
  %479 = or disjoint i64 %474, %478
  %480 = getelementptr inbounds nuw i8, ptr %464, i64 4
  %481 = load i32, ptr %480, align 4
  %482 = and i32 %481, -2013265921
  %483 = zext i32 %482 to i64
  %484 = shl nuw i64 %483, 32
  %485 = or disjoint i64 %484, %479
  %486 = load i64, ptr %11, align 8, !tbaa !22
  %487 = xor i64 %486, -6884282663029611473
  %488 = zext i64 %487 to i128
  %489 = xor i64 %485, -1800455987208640293
  %490 = zext i64 %489 to i128
  %491 = mul nuw i128 %490, %488
  %492 = lshr i128 %491, 64
  %493 = xor i128 %492, %491
  %494 = trunc i128 %493 to i64
  %495 = getelementptr inbounds nuw i8, ptr %464, i64 8
  %496 = load ptr, ptr %495, align 8, !tbaa !62
  %497 = ptrtoint ptr %496 to i64
  %498 = lshr i64 %497, 3
  %499 = and i64 %498, 63
  %500 = getelementptr inbounds nuw ptr, ptr %9, i64 %499
  %501 = xor i64 %494, -6884282663029611473
  %502 = zext i64 %501 to i128
  %503 = xor i64 %497, -1800455987208640293
  %504 = zext i64 %503 to i128
  %505 = mul nuw i128 %502, %504
  %506 = lshr i128 %505, 64
  %507 = xor i128 %506, %505
  %508 = trunc i128 %507 to i64
  store i64 %508, ptr %11, align 8, !tbaa !22
  %509 = load ptr, ptr %500, align 8, !tbaa !63
  %510 = icmp eq ptr %509, %496
  br i1 %510, label %512, label %511

511:                                              ; preds = %466
  store ptr %496, ptr %500, align 8, !tbaa !63
  call fastcc void @add_new_type(ptr noundef nonnull %1, ptr noundef %496)
  br label %512

512:                                              ; preds = %511, %466
  %513 = load i32, ptr %480, align 4
  %514 = and i32 %513, 1073741824
  %515 = icmp eq i32 %514, 0
  br i1 %515, label %520, label %516

516:                                              ; preds = %512
  %517 = getelementptr inbounds i8, ptr %464, i64 -8
  %518 = load ptr, ptr %517, align 8, !tbaa !45
  %519 = and i32 %513, 134217727
  br label %525

520:                                              ; preds = %512
  %521 = and i32 %513, 134217727
  %522 = zext nneg i32 %521 to i64
  %523 = sub nsw i64 0, %522
  %524 = getelementptr inbounds %struct.Use, ptr %464, i64 %523
  br label %525

525:                                              ; preds = %520, %516
  %526 = phi i32 [ %519, %516 ], [ %521, %520 ]
  %527 = phi ptr [ %518, %516 ], [ %524, %520 ]
  %528 = icmp eq i32 %526, 0
  br i1 %528, label %529, label %544

529:                                              ; preds = %544, %525
  %530 = load i8, ptr %464, align 8, !tbaa !35
  %531 = zext i8 %530 to i64
  %532 = getelementptr inbounds nuw i8, ptr %216, i64 %531
  %533 = load i8, ptr %532, align 1, !tbaa !64
  %534 = icmp eq i8 %533, 0
  br i1 %534, label %535, label %538

535:                                              ; preds = %529
  %536 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %464) #19
  %537 = trunc i32 %536 to i8
  store i8 %537, ptr %532, align 1, !tbaa !64
  br label %538

538:                                              ; preds = %535, %529
  %539 = phi i8 [ %537, %535 ], [ %533, %529 ]
  %540 = zext i8 %539 to i32
  call fastcc void @add_particulars(ptr noundef nonnull %1, ptr noundef nonnull %464, i32 noundef %540)
  %541 = load i32, ptr %480, align 4
  %542 = and i32 %541, 536870912
  %543 = icmp eq i32 %542, 0
  br i1 %543, label %564, label %563

544:                                              ; preds = %525, %544
  %545 = phi i64 [ %558, %544 ], [ 0, %525 ]
  %546 = getelementptr inbounds nuw %struct.Use, ptr %527, i64 %545
  %547 = load ptr, ptr %546, align 8, !tbaa !46
  %548 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %547)
  %549 = load i64, ptr %11, align 8, !tbaa !22
  %550 = xor i64 %549, -6884282663029611473
  %551 = zext i64 %550 to i128
  %552 = xor i64 %548, -1800455987208640293
  %553 = zext i64 %552 to i128
  %554 = mul nuw i128 %551, %553
  %555 = lshr i128 %554, 64
  %556 = xor i128 %555, %554
  %557 = trunc i128 %556 to i64
  store i64 %557, ptr %11, align 8, !tbaa !22
  %558 = add nuw nsw i64 %545, 1
  %559 = load i32, ptr %480, align 4
  %560 = and i32 %559, 134217727
  %561 = zext nneg i32 %560 to i64
  %562 = icmp samesign ult i64 %558, %561
  br i1 %562, label %544, label %529, !llvm.loop !65

563:                                              ; preds = %538
  call fastcc void @add_attachments(ptr noundef nonnull %1, ptr noundef nonnull %464)
  br label %564

564:                                              ; preds = %563, %538
  %565 = getelementptr inbounds nuw i8, ptr %464, i64 48
  %566 = load ptr, ptr %565, align 8, !tbaa !66
  %567 = icmp eq ptr %566, null
  br i1 %567, label %568, label %575

568:                                              ; preds = %564
  %569 = getelementptr inbounds nuw i8, ptr %464, i64 64
  %570 = load ptr, ptr %569, align 8, !tbaa !69
  %571 = icmp eq ptr %570, null
  br i1 %571, label %576, label %572

572:                                              ; preds = %568
  %573 = call ptr @LLVMGetFirstDbgRecord(ptr noundef nonnull %464) #19
  %574 = icmp eq ptr %573, null
  br i1 %574, label %576, label %575

575:                                              ; preds = %572, %564
  store i32 1, ptr %13, align 8, !tbaa !24
  br label %576

576:                                              ; preds = %575, %572, %568
  %577 = load i64, ptr %12, align 8, !tbaa !23
  %578 = add i64 %577, 1
  store i64 %578, ptr %12, align 8, !tbaa !23
  %579 = load i64, ptr %213, align 8, !tbaa !56
  br label %588

580:                                              ; preds = %459
  %581 = load i64, ptr %11, align 8, !tbaa !22
  %582 = xor i64 %581, -6884282663029611473
  %583 = zext i64 %582 to i128
  %584 = mul nuw i128 %583, 16646288086500911323
  %585 = lshr i128 %584, 64
  %586 = xor i128 %585, %584
  %587 = trunc i128 %586 to i64
  store i64 %587, ptr %11, align 8, !tbaa !22
  br label %588

588:                                              ; preds = %580, %576
  %589 = phi i64 [ %460, %580 ], [ %579, %576 ]
  %590 = add nuw i64 %461, 1
  %591 = icmp ult i64 %590, %589
  br i1 %591, label %459, label %592, !llvm.loop !70

592:                                              ; preds = %588, %412
  %593 = getelementptr inbounds nuw i8, ptr %330, i64 112
  %594 = load ptr, ptr %593, align 8, !tbaa !71
  call fastcc void @add_names(ptr noundef nonnull %1, ptr noundef %594)
  %595 = call ptr @LLVMGetNextFunction(ptr noundef nonnull %330) #19
  %596 = icmp eq ptr %595, null
  br i1 %596, label %273, label %329, !llvm.loop !72

597:                                              ; preds = %323
  %598 = call ptr @LLVMGetFirstGlobalIFunc(ptr noundef %0) #19
  %599 = icmp eq ptr %598, null
  %600 = zext i1 %599 to i32
  br label %601

601:                                              ; preds = %597, %323
  %602 = phi i32 [ 0, %323 ], [ %600, %597 ]
  ret i32 %602
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #5

declare ptr @LLVMGetFirstGlobal(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @number(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #7 {
  %3 = ptrtoint ptr %1 to i64
  %4 = mul i64 %3, -7046029254386353131
  %5 = lshr i64 %4, 32
  %6 = load ptr, ptr %0, align 8, !tbaa !73
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8, !tbaa !74
  br label %9

9:                                                ; preds = %9, %2
  %10 = phi i64 [ %5, %2 ], [ %17, %9 ]
  %11 = and i64 %10, %8
  %12 = getelementptr inbounds nuw %struct.Slot, ptr %6, i64 %11
  %13 = load ptr, ptr %12, align 8, !tbaa !75
  %14 = icmp eq ptr %13, null
  %15 = icmp eq ptr %13, %1
  %16 = or i1 %14, %15
  %17 = add i64 %10, 1
  br i1 %16, label %18, label %9, !llvm.loop !77

18:                                               ; preds = %9
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = load i64, ptr %19, align 8, !tbaa !78
  br i1 %14, label %21, label %44

21:                                               ; preds = %18
  %22 = shl i64 %20, 1
  %23 = add i64 %22, 2
  %24 = icmp ugt i64 %23, %8
  br i1 %24, label %25, label %39

25:                                               ; preds = %21
  tail call fastcc void @enlarge(ptr noundef nonnull %0)
  %26 = load ptr, ptr %0, align 8, !tbaa !73
  %27 = load i64, ptr %7, align 8, !tbaa !74
  br label %28

28:                                               ; preds = %28, %25
  %29 = phi i64 [ %5, %25 ], [ %36, %28 ]
  %30 = and i64 %29, %27
  %31 = getelementptr inbounds nuw %struct.Slot, ptr %26, i64 %30
  %32 = load ptr, ptr %31, align 8, !tbaa !75
  %33 = icmp eq ptr %32, null
  %34 = icmp eq ptr %32, %1
  %35 = or i1 %33, %34
  %36 = add i64 %29, 1
  br i1 %35, label %37, label %28, !llvm.loop !77

37:                                               ; preds = %28
  %38 = load i64, ptr %19, align 8, !tbaa !78
  br label %39

39:                                               ; preds = %37, %21
  %40 = phi i64 [ %20, %21 ], [ %38, %37 ]
  %41 = phi ptr [ %12, %21 ], [ %31, %37 ]
  %42 = add i64 %40, 1
  store i64 %42, ptr %19, align 8, !tbaa !78
  store ptr %1, ptr %41, align 8, !tbaa !75
  %43 = getelementptr inbounds nuw i8, ptr %41, i64 8
  store i64 0, ptr %43, align 8, !tbaa !79
  br label %44

44:                                               ; preds = %18, %39
  %45 = phi i64 [ %42, %39 ], [ %20, %18 ]
  %46 = phi ptr [ %41, %39 ], [ %12, %18 ]
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 8
  store i64 %45, ptr %47, align 8, !tbaa !79
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
  br i1 %6, label %4, label %8, !llvm.loop !80

8:                                                ; preds = %4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load i64, ptr %9, align 8, !tbaa !81
  %11 = icmp ugt i64 %5, %10
  %12 = load ptr, ptr %0, align 8, !tbaa !73
  br i1 %11, label %15, label %13

13:                                               ; preds = %8
  %14 = shl i64 %5, 4
  br label %18

15:                                               ; preds = %8
  tail call void @free(ptr noundef %12)
  %16 = shl i64 %5, 4
  %17 = tail call ptr @malloc(i64 noundef %16) #20
  store ptr %17, ptr %0, align 8, !tbaa !73
  store i64 %5, ptr %9, align 8, !tbaa !81
  br label %18

18:                                               ; preds = %13, %15
  %19 = phi i64 [ %14, %13 ], [ %16, %15 ]
  %20 = phi ptr [ %12, %13 ], [ %17, %15 ]
  tail call void @llvm.memset.p0.i64(ptr align 8 %20, i8 0, i64 %19, i1 false)
  %21 = add i64 %5, -1
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %21, ptr %22, align 8, !tbaa !74
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i64 0, ptr %23, align 8, !tbaa !78
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
  store ptr null, ptr %0, align 8, !tbaa !73
  store i64 0, ptr %7, align 8, !tbaa !81
  %8 = shl i64 %6, 2
  tail call fastcc void @clear(ptr noundef nonnull %0, i64 noundef %8)
  %9 = add i64 %4, 1
  %10 = tail call i64 @llvm.umax.i64(i64 %9, i64 1)
  br label %12

11:                                               ; preds = %33
  store i64 %6, ptr %5, align 8, !tbaa !78
  tail call void @free(ptr noundef nonnull %2)
  ret void

12:                                               ; preds = %1, %33
  %13 = phi i64 [ 0, %1 ], [ %34, %33 ]
  %14 = getelementptr inbounds nuw %struct.Slot, ptr %2, i64 %13
  %15 = load ptr, ptr %14, align 8, !tbaa !75
  %16 = icmp eq ptr %15, null
  br i1 %16, label %33, label %17

17:                                               ; preds = %12
  %18 = ptrtoint ptr %15 to i64
  %19 = mul i64 %18, -7046029254386353131
  %20 = lshr i64 %19, 32
  %21 = load ptr, ptr %0, align 8, !tbaa !73
  %22 = load i64, ptr %3, align 8, !tbaa !74
  br label %23

23:                                               ; preds = %23, %17
  %24 = phi i64 [ %20, %17 ], [ %31, %23 ]
  %25 = and i64 %24, %22
  %26 = getelementptr inbounds nuw %struct.Slot, ptr %21, i64 %25
  %27 = load ptr, ptr %26, align 8, !tbaa !75
  %28 = icmp eq ptr %27, null
  %29 = icmp eq ptr %27, %15
  %30 = or i1 %28, %29
  %31 = add i64 %24, 1
  br i1 %30, label %32, label %23, !llvm.loop !77

32:                                               ; preds = %23
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %26, ptr noundef nonnull align 8 dereferenceable(16) %14, i64 16, i1 false), !tbaa.struct !82
  br label %33

33:                                               ; preds = %12, %32
  %34 = add nuw i64 %13, 1
  %35 = icmp eq i64 %34, %10
  br i1 %35, label %11, label %12, !llvm.loop !83
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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %5 = load i64, ptr %4, align 8, !tbaa !22
  %6 = xor i64 %5, -6884282663029611473
  %7 = zext i64 %6 to i128
  %8 = xor i64 %2, -1800455987208640293
  %9 = zext i64 %8 to i128
  %10 = mul nuw i128 %7, %9
  %11 = lshr i128 %10, 64
  %12 = xor i128 %11, %10
  %13 = trunc i128 %12 to i64
  store i64 %13, ptr %4, align 8, !tbaa !22
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
  store i64 %28, ptr %4, align 8, !tbaa !22
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
  store i64 %61, ptr %4, align 8, !tbaa !22
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
  store i64 %71, ptr %4, align 8, !tbaa !22
  %72 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %73 = add i64 %52, -16
  %74 = icmp ugt i64 %73, 7
  br i1 %74, label %49, label %39, !llvm.loop !84

75:                                               ; preds = %75, %47
  %76 = phi i64 [ 0, %47 ], [ %106, %75 ]
  %77 = phi i64 [ 0, %47 ], [ %105, %75 ]
  %78 = phi i64 [ 0, %47 ], [ %107, %75 ]
  %79 = getelementptr inbounds nuw i8, ptr %42, i64 %76
  %80 = load i8, ptr %79, align 1, !tbaa !64
  %81 = zext i8 %80 to i64
  %82 = shl nuw nsw i64 %76, 3
  %83 = shl nuw nsw i64 %81, %82
  %84 = or i64 %83, %77
  %85 = or disjoint i64 %76, 1
  %86 = getelementptr inbounds nuw i8, ptr %42, i64 %85
  %87 = load i8, ptr %86, align 1, !tbaa !64
  %88 = zext i8 %87 to i64
  %89 = shl nuw nsw i64 %85, 3
  %90 = shl nuw nsw i64 %88, %89
  %91 = or i64 %90, %84
  %92 = or disjoint i64 %76, 2
  %93 = getelementptr inbounds nuw i8, ptr %42, i64 %92
  %94 = load i8, ptr %93, align 1, !tbaa !64
  %95 = zext i8 %94 to i64
  %96 = shl nuw nsw i64 %92, 3
  %97 = shl nuw nsw i64 %95, %96
  %98 = or i64 %97, %91
  %99 = or disjoint i64 %76, 3
  %100 = getelementptr inbounds nuw i8, ptr %42, i64 %99
  %101 = load i8, ptr %100, align 1, !tbaa !64
  %102 = zext i8 %101 to i64
  %103 = shl nuw nsw i64 %99, 3
  %104 = shl nuw nsw i64 %102, %103
  %105 = or i64 %104, %98
  %106 = add nuw nsw i64 %76, 4
  %107 = add i64 %78, 4
  %108 = icmp eq i64 %107, %48
  br i1 %108, label %109, label %75, !llvm.loop !85

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
  %120 = load i8, ptr %119, align 1, !tbaa !64
  %121 = zext i8 %120 to i64
  %122 = shl nuw nsw i64 %116, 3
  %123 = shl nuw nsw i64 %121, %122
  %124 = or i64 %123, %117
  %125 = add nuw nsw i64 %116, 1
  %126 = add i64 %118, 1
  %127 = icmp eq i64 %126, %45
  br i1 %127, label %128, label %115, !llvm.loop !86

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
  store i64 %137, ptr %4, align 8, !tbaa !22
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
  %7 = load i8, ptr %6, align 1, !tbaa !64
  %8 = icmp eq i8 %7, 0
  %9 = add i64 %5, 1
  br i1 %8, label %10, label %4

10:                                               ; preds = %4, %2
  %11 = phi i64 [ 0, %2 ], [ %5, %4 ]
  %12 = phi i64 [ -1800455987208640293, %2 ], [ -1800455987208640294, %4 ]
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %14 = load i64, ptr %13, align 8, !tbaa !22
  %15 = xor i64 %14, -6884282663029611473
  %16 = zext i64 %15 to i128
  %17 = zext i64 %12 to i128
  %18 = mul nuw i128 %16, %17
  %19 = lshr i128 %18, 64
  %20 = xor i128 %19, %18
  %21 = trunc i128 %20 to i64
  store i64 %21, ptr %13, align 8, !tbaa !22
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %7 = load i64, ptr %6, align 8, !tbaa !22
  %8 = xor i64 %7, -6884282663029611473
  %9 = zext i64 %8 to i128
  %10 = xor i64 %5, -1800455987208640293
  %11 = zext i64 %10 to i128
  %12 = mul nuw i128 %9, %11
  %13 = lshr i128 %12, 64
  %14 = xor i128 %13, %12
  %15 = trunc i128 %14 to i64
  store i64 %15, ptr %6, align 8, !tbaa !22
  %16 = icmp eq ptr %3, null
  br i1 %16, label %29, label %17

17:                                               ; preds = %2
  %18 = tail call i32 @LLVMGetComdatSelectionKind(ptr noundef nonnull %3) #19
  %19 = sext i32 %18 to i64
  %20 = load i64, ptr %6, align 8, !tbaa !22
  %21 = xor i64 %20, -6884282663029611473
  %22 = zext i64 %21 to i128
  %23 = xor i64 %19, -1800455987208640293
  %24 = zext i64 %23 to i128
  %25 = mul nuw i128 %22, %24
  %26 = lshr i128 %25, 64
  %27 = xor i128 %26, %25
  %28 = trunc i128 %27 to i64
  store i64 %28, ptr %6, align 8, !tbaa !22
  br label %29

29:                                               ; preds = %17, %2
  ret void
}

; Function Attrs: nounwind
define internal fastcc i64 @number_of(ptr noundef captures(none) %0, ptr noundef %1) unnamed_addr #4 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %73, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 720
  %6 = load i8, ptr %1, align 8, !tbaa !35
  %7 = zext i8 %6 to i64
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 %7
  %9 = load i8, ptr %8, align 1, !tbaa !64
  %10 = icmp eq i8 %9, 0
  br i1 %10, label %11, label %15

11:                                               ; preds = %4
  %12 = tail call i32 @LLVMGetValueKind(ptr noundef nonnull %1) #19
  %13 = trunc i32 %12 to i8
  %14 = add i8 %13, 1
  store i8 %14, ptr %8, align 1, !tbaa !64
  br label %15

15:                                               ; preds = %4, %11
  %16 = phi i8 [ %14, %11 ], [ %9, %4 ]
  switch i8 %16, label %71 [
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
    i8 11, label %62
    i8 12, label %62
    i8 13, label %62
    i8 14, label %62
    i8 23, label %66
  ]

17:                                               ; preds = %15, %15, %15
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %19 = ptrtoint ptr %1 to i64
  %20 = mul i64 %19, -7046029254386353131
  %21 = lshr i64 %20, 32
  %22 = load ptr, ptr %18, align 8, !tbaa !73
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %24 = load i64, ptr %23, align 8, !tbaa !74
  br label %25

25:                                               ; preds = %25, %17
  %26 = phi i64 [ %21, %17 ], [ %33, %25 ]
  %27 = and i64 %26, %24
  %28 = getelementptr inbounds nuw %struct.Slot, ptr %22, i64 %27
  %29 = load ptr, ptr %28, align 8, !tbaa !75
  %30 = icmp eq ptr %29, null
  %31 = icmp eq ptr %29, %1
  %32 = or i1 %30, %31
  %33 = add i64 %26, 1
  br i1 %32, label %34, label %25, !llvm.loop !77

34:                                               ; preds = %25
  %35 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %36 = load i64, ptr %35, align 8, !tbaa !79
  %37 = shl i64 %36, 2
  %38 = or disjoint i64 %37, 1
  br label %73

39:                                               ; preds = %15, %15, %15
  %40 = ptrtoint ptr %1 to i64
  %41 = mul i64 %40, -7046029254386353131
  %42 = lshr i64 %41, 32
  %43 = load ptr, ptr %0, align 8, !tbaa !73
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %45 = load i64, ptr %44, align 8, !tbaa !74
  br label %46

46:                                               ; preds = %46, %39
  %47 = phi i64 [ %42, %39 ], [ %54, %46 ]
  %48 = and i64 %47, %45
  %49 = getelementptr inbounds nuw %struct.Slot, ptr %43, i64 %48
  %50 = load ptr, ptr %49, align 8, !tbaa !75
  %51 = icmp eq ptr %50, null
  %52 = icmp eq ptr %50, %1
  %53 = or i1 %51, %52
  %54 = add i64 %47, 1
  br i1 %53, label %55, label %46, !llvm.loop !77

55:                                               ; preds = %46
  %56 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %57 = load i64, ptr %56, align 8, !tbaa !79
  %58 = shl i64 %57, 2
  %59 = or disjoint i64 %58, 2
  br label %73

60:                                               ; preds = %15, %15, %15, %15, %15, %15, %15, %15, %15, %15, %15
  %61 = ptrtoint ptr %1 to i64
  br label %73

62:                                               ; preds = %15, %15, %15, %15
  %63 = zext nneg i8 %16 to i32
  %64 = add nsw i32 %63, -1
  %65 = tail call fastcc i64 @constant_number(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %64)
  br label %73

66:                                               ; preds = %15
  %67 = tail call ptr @LLVMValueAsMetadata(ptr noundef nonnull %1) #19
  %68 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %67)
  %69 = shl i64 %68, 2
  %70 = or disjoint i64 %69, 3
  br label %73

71:                                               ; preds = %15
  %72 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  store i32 1, ptr %72, align 8, !tbaa !24
  br label %73

73:                                               ; preds = %34, %55, %60, %62, %66, %71, %2
  %74 = phi i64 [ 0, %2 ], [ 0, %71 ], [ %38, %34 ], [ %59, %55 ], [ %61, %60 ], [ %65, %62 ], [ %70, %66 ]
  ret i64 %74
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
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %10 = load i64, ptr %9, align 8, !tbaa !22
  %11 = xor i64 %10, -6884282663029611473
  %12 = zext i64 %11 to i128
  %13 = xor i64 %8, -1800455987208640293
  %14 = zext i64 %13 to i128
  %15 = mul nuw i128 %12, %14
  %16 = lshr i128 %15, 64
  %17 = xor i128 %16, %15
  %18 = trunc i128 %17 to i64
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %20 = load ptr, ptr %19, align 8, !tbaa !88
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 208
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
  store i64 %33, ptr %9, align 8, !tbaa !22
  %34 = load ptr, ptr %25, align 8, !tbaa !63
  %35 = icmp eq ptr %34, %20
  br i1 %35, label %38, label %36

36:                                               ; preds = %2
  store ptr %20, ptr %25, align 8, !tbaa !63
  call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %20)
  %37 = load i64, ptr %9, align 8, !tbaa !22
  br label %38

38:                                               ; preds = %2, %36
  %39 = phi i64 [ %33, %2 ], [ %37, %36 ]
  %40 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %41 = load ptr, ptr %40, align 8, !tbaa !62
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
  store i64 %53, ptr %9, align 8, !tbaa !22
  %54 = load ptr, ptr %45, align 8, !tbaa !63
  %55 = icmp eq ptr %54, %41
  br i1 %55, label %57, label %56

56:                                               ; preds = %38
  store ptr %41, ptr %45, align 8, !tbaa !63
  call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %41)
  br label %57

57:                                               ; preds = %38, %56
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %59 = load i32, ptr %58, align 4
  %60 = and i32 %59, 536870912
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %63, label %62

62:                                               ; preds = %57
  call fastcc void @add_attachments(ptr noundef nonnull %0, ptr noundef %1)
  br label %63

63:                                               ; preds = %62, %57
  %64 = load i32, ptr %5, align 8
  %65 = and i32 %64, 98304
  %66 = icmp ne i32 %65, 0
  %67 = zext i1 %66 to i32
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  %69 = load i32, ptr %68, align 8, !tbaa !24
  %70 = or i32 %69, %67
  store i32 %70, ptr %68, align 8, !tbaa !24
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #19
  ret void
}

declare ptr @LLVMGetSection(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetComdatSelectionKind(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetValueName2(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_attachments(ptr noundef %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 1232
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1248
  store ptr %4, ptr %3, align 8, !tbaa !29
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1240
  store i32 0, ptr %5, align 8, !tbaa !30
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1244
  store i32 256, ptr %6, align 4, !tbaa !31
  %7 = icmp eq ptr @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE, null
  br i1 %7, label %9, label %8

8:                                                ; preds = %2
  tail call void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE(ptr noundef nonnull %1, ptr noundef nonnull %3) #19
  br label %14

9:                                                ; preds = %2
  %10 = icmp eq ptr @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE, null
  br i1 %10, label %12, label %11

11:                                               ; preds = %9
  tail call void @_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE(ptr noundef nonnull %1, ptr noundef nonnull %3) #19
  br label %14

12:                                               ; preds = %9
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  store i32 1, ptr %13, align 8, !tbaa !24
  br label %14

14:                                               ; preds = %11, %12, %8
  %15 = load i32, ptr %5, align 8, !tbaa !30
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %30, label %17

17:                                               ; preds = %14
  %18 = zext i32 %15 to i64
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %20 = load i64, ptr %19, align 8, !tbaa !22
  %21 = xor i64 %20, -6884282663029611473
  %22 = zext i64 %21 to i128
  %23 = xor i64 %18, 1800455987208640292
  %24 = zext nneg i64 %23 to i128
  %25 = mul nuw nsw i128 %22, %24
  %26 = lshr i128 %25, 64
  %27 = xor i128 %26, %25
  %28 = trunc i128 %27 to i64
  store i64 %28, ptr %19, align 8, !tbaa !22
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 5344
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
  %38 = load ptr, ptr %37, align 8, !tbaa !75
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
  store i64 %48, ptr %29, align 8, !tbaa !22
  %49 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %50 = load i64, ptr %49, align 8, !tbaa !79
  %51 = inttoptr i64 %50 to ptr
  %52 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %51)
  %53 = load i64, ptr %29, align 8, !tbaa !22
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %29, align 8, !tbaa !22
  %62 = add nuw nsw i64 %35, 1
  %63 = load i32, ptr %5, align 8, !tbaa !30
  %64 = zext i32 %63 to i64
  %65 = icmp samesign ult i64 %62, %64
  br i1 %65, label %33, label %30, !llvm.loop !89

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
  %7 = load ptr, ptr %3, align 8, !tbaa !73
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %9 = load i64, ptr %8, align 8, !tbaa !74
  br label %10

10:                                               ; preds = %10, %2
  %11 = phi i64 [ %6, %2 ], [ %18, %10 ]
  %12 = and i64 %11, %9
  %13 = getelementptr inbounds nuw %struct.Slot, ptr %7, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !75
  %15 = icmp eq ptr %14, null
  %16 = icmp eq ptr %14, %1
  %17 = or i1 %15, %16
  %18 = add i64 %11, 1
  br i1 %17, label %19, label %10, !llvm.loop !77

19:                                               ; preds = %10
  br i1 %15, label %20, label %45

20:                                               ; preds = %19
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %22 = load i64, ptr %21, align 8, !tbaa !78
  %23 = shl i64 %22, 1
  %24 = add i64 %23, 2
  %25 = icmp ugt i64 %24, %9
  br i1 %25, label %26, label %40

26:                                               ; preds = %20
  tail call fastcc void @enlarge(ptr noundef nonnull %3)
  %27 = load ptr, ptr %3, align 8, !tbaa !73
  %28 = load i64, ptr %8, align 8, !tbaa !74
  br label %29

29:                                               ; preds = %29, %26
  %30 = phi i64 [ %6, %26 ], [ %37, %29 ]
  %31 = and i64 %30, %28
  %32 = getelementptr inbounds nuw %struct.Slot, ptr %27, i64 %31
  %33 = load ptr, ptr %32, align 8, !tbaa !75
  %34 = icmp eq ptr %33, null
  %35 = icmp eq ptr %33, %1
  %36 = or i1 %34, %35
  %37 = add i64 %30, 1
  br i1 %36, label %38, label %29, !llvm.loop !77

38:                                               ; preds = %29
  %39 = load i64, ptr %21, align 8, !tbaa !78
  br label %40

40:                                               ; preds = %20, %38
  %41 = phi i64 [ %22, %20 ], [ %39, %38 ]
  %42 = phi ptr [ %13, %20 ], [ %32, %38 ]
  %43 = add i64 %41, 1
  store i64 %43, ptr %21, align 8, !tbaa !78
  store ptr %1, ptr %42, align 8, !tbaa !75
  %44 = getelementptr inbounds nuw i8, ptr %42, i64 8
  store i64 0, ptr %44, align 8, !tbaa !79
  br label %49

45:                                               ; preds = %19
  %46 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %47 = load i64, ptr %46, align 8, !tbaa !79
  %48 = icmp eq i64 %47, 0
  br i1 %48, label %49, label %89

49:                                               ; preds = %40, %45
  %50 = phi ptr [ %42, %40 ], [ %13, %45 ]
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 8
  store i64 1, ptr %51, align 8, !tbaa !79
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
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  br label %66

65:                                               ; preds = %86
  tail call void @free(ptr noundef nonnull %62)
  br label %89

66:                                               ; preds = %59, %86
  %67 = phi i64 [ 0, %59 ], [ %87, %86 ]
  %68 = getelementptr inbounds nuw ptr, ptr %62, i64 %67
  %69 = load ptr, ptr %68, align 8, !tbaa !63
  %70 = ptrtoint ptr %69 to i64
  %71 = lshr i64 %70, 3
  %72 = and i64 %71, 63
  %73 = getelementptr inbounds nuw ptr, ptr %63, i64 %72
  %74 = load i64, ptr %64, align 8, !tbaa !22
  %75 = xor i64 %74, -6884282663029611473
  %76 = zext i64 %75 to i128
  %77 = xor i64 %70, -1800455987208640293
  %78 = zext i64 %77 to i128
  %79 = mul nuw i128 %76, %78
  %80 = lshr i128 %79, 64
  %81 = xor i128 %80, %79
  %82 = trunc i128 %81 to i64
  store i64 %82, ptr %64, align 8, !tbaa !22
  %83 = load ptr, ptr %73, align 8, !tbaa !63
  %84 = icmp eq ptr %83, %69
  br i1 %84, label %86, label %85

85:                                               ; preds = %66
  store ptr %69, ptr %73, align 8, !tbaa !63
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %69)
  br label %86

86:                                               ; preds = %66, %85
  %87 = add nuw nsw i64 %67, 1
  %88 = icmp eq i64 %87, %60
  br i1 %88, label %65, label %66, !llvm.loop !90

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
  %9 = load ptr, ptr %5, align 8, !tbaa !73
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %11 = load i64, ptr %10, align 8, !tbaa !74
  br label %12

12:                                               ; preds = %12, %4
  %13 = phi i64 [ %8, %4 ], [ %20, %12 ]
  %14 = and i64 %13, %11
  %15 = getelementptr inbounds nuw %struct.Slot, ptr %9, i64 %14
  %16 = load ptr, ptr %15, align 8, !tbaa !75
  %17 = icmp eq ptr %16, null
  %18 = icmp eq ptr %16, %1
  %19 = or i1 %17, %18
  %20 = add i64 %13, 1
  br i1 %19, label %21, label %12, !llvm.loop !77

21:                                               ; preds = %12
  br i1 %17, label %22, label %47

22:                                               ; preds = %21
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %24 = load i64, ptr %23, align 8, !tbaa !78
  %25 = shl i64 %24, 1
  %26 = add i64 %25, 2
  %27 = icmp ugt i64 %26, %11
  br i1 %27, label %28, label %42

28:                                               ; preds = %22
  tail call fastcc void @enlarge(ptr noundef nonnull %5)
  %29 = load ptr, ptr %5, align 8, !tbaa !73
  %30 = load i64, ptr %10, align 8, !tbaa !74
  br label %31

31:                                               ; preds = %31, %28
  %32 = phi i64 [ %8, %28 ], [ %39, %31 ]
  %33 = and i64 %32, %30
  %34 = getelementptr inbounds nuw %struct.Slot, ptr %29, i64 %33
  %35 = load ptr, ptr %34, align 8, !tbaa !75
  %36 = icmp eq ptr %35, null
  %37 = icmp eq ptr %35, %1
  %38 = or i1 %36, %37
  %39 = add i64 %32, 1
  br i1 %38, label %40, label %31, !llvm.loop !77

40:                                               ; preds = %31
  %41 = load i64, ptr %23, align 8, !tbaa !78
  br label %42

42:                                               ; preds = %22, %40
  %43 = phi i64 [ %24, %22 ], [ %41, %40 ]
  %44 = phi ptr [ %15, %22 ], [ %34, %40 ]
  %45 = add i64 %43, 1
  store i64 %45, ptr %23, align 8, !tbaa !78
  store ptr %1, ptr %44, align 8, !tbaa !75
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 8
  store i64 0, ptr %46, align 8, !tbaa !79
  br label %51

47:                                               ; preds = %21
  %48 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %49 = load i64, ptr %48, align 8, !tbaa !79
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %51, label %71

51:                                               ; preds = %42, %47
  %52 = phi ptr [ %44, %42 ], [ %15, %47 ]
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %55 = load i64, ptr %54, align 8, !tbaa !91
  store i64 %55, ptr %53, align 8, !tbaa !79
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %58 = load i64, ptr %57, align 8, !tbaa !56
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %60 = load i64, ptr %59, align 8, !tbaa !58
  %61 = icmp eq i64 %58, %60
  br i1 %61, label %62, label %65

62:                                               ; preds = %51
  tail call fastcc void @lengthen(ptr noundef nonnull %56)
  %63 = load i64, ptr %57, align 8, !tbaa !56
  %64 = load i64, ptr %53, align 8, !tbaa !79
  br label %65

65:                                               ; preds = %51, %62
  %66 = phi i64 [ %64, %62 ], [ %55, %51 ]
  %67 = phi i64 [ %63, %62 ], [ %58, %51 ]
  %68 = load ptr, ptr %56, align 8, !tbaa !59
  %69 = add i64 %67, 1
  store i64 %69, ptr %57, align 8, !tbaa !56
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
  %3 = load i64, ptr %2, align 8, !tbaa !58
  %4 = icmp eq i64 %3, 0
  %5 = shl i64 %3, 1
  %6 = select i1 %4, i64 256, i64 %5
  %7 = shl i64 %6, 3
  %8 = tail call ptr @malloc(i64 noundef %7) #20
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8, !tbaa !56
  %11 = icmp eq i64 %10, 0
  %12 = load ptr, ptr %0, align 8, !tbaa !59
  br i1 %11, label %15, label %13

13:                                               ; preds = %1
  %14 = shl i64 %10, 3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %8, ptr align 8 %12, i64 %14, i1 false)
  br label %15

15:                                               ; preds = %13, %1
  tail call void @free(ptr noundef %12)
  store ptr %8, ptr %0, align 8, !tbaa !59
  store i64 %6, ptr %2, align 8, !tbaa !58
  ret void
}

; Function Attrs: noinline nounwind
define internal fastcc i64 @constant_number(ptr noundef captures(none) %0, ptr noundef nonnull %1, i32 noundef range(i32 -1, 255) %2) unnamed_addr #12 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %5 = ptrtoint ptr %1 to i64
  %6 = mul i64 %5, -7046029254386353131
  %7 = lshr i64 %6, 32
  %8 = load ptr, ptr %4, align 8, !tbaa !73
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = load i64, ptr %9, align 8, !tbaa !74
  br label %11

11:                                               ; preds = %11, %3
  %12 = phi i64 [ %7, %3 ], [ %19, %11 ]
  %13 = and i64 %12, %10
  %14 = getelementptr inbounds nuw %struct.Slot, ptr %8, i64 %13
  %15 = load ptr, ptr %14, align 8, !tbaa !75
  %16 = icmp eq ptr %15, null
  %17 = icmp eq ptr %15, %1
  %18 = or i1 %16, %17
  %19 = add i64 %12, 1
  br i1 %18, label %20, label %11, !llvm.loop !77

20:                                               ; preds = %11
  br i1 %16, label %24, label %21

21:                                               ; preds = %20
  %22 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %23 = load i64, ptr %22, align 8, !tbaa !79
  br label %228

24:                                               ; preds = %20
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %26 = load i64, ptr %25, align 8, !tbaa !22
  %27 = load i8, ptr %1, align 8, !tbaa !35
  %28 = zext i8 %27 to i64
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %30 = load i8, ptr %29, align 1
  %31 = lshr i8 %30, 1
  %32 = zext nneg i8 %31 to i64
  %33 = shl nuw nsw i64 %32, 8
  %34 = or disjoint i64 %33, %28
  %35 = getelementptr inbounds nuw i8, ptr %1, i64 2
  %36 = load i16, ptr %35, align 2, !tbaa !39
  %37 = zext i16 %36 to i64
  %38 = shl nuw nsw i64 %37, 16
  %39 = or disjoint i64 %34, %38
  %40 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %41 = load i32, ptr %40, align 4
  %42 = and i32 %41, -2013265921
  %43 = zext i32 %42 to i64
  %44 = shl nuw i64 %43, 32
  %45 = or disjoint i64 %44, %39
  %46 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %47 = load ptr, ptr %46, align 8, !tbaa !62
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %49 = ptrtoint ptr %47 to i64
  %50 = lshr i64 %49, 3
  %51 = and i64 %50, 63
  %52 = getelementptr inbounds nuw ptr, ptr %48, i64 %51
  %53 = xor i64 %45, -6884282663029611473
  %54 = zext i64 %53 to i128
  %55 = xor i64 %49, -1800455987208640293
  %56 = zext i64 %55 to i128
  %57 = mul nuw i128 %54, %56
  %58 = lshr i128 %57, 64
  %59 = xor i128 %58, %57
  %60 = trunc i128 %59 to i64
  store i64 %60, ptr %25, align 8, !tbaa !22
  %61 = load ptr, ptr %52, align 8, !tbaa !63
  %62 = icmp eq ptr %61, %47
  br i1 %62, label %64, label %63

63:                                               ; preds = %24
  store ptr %47, ptr %52, align 8, !tbaa !63
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %47)
  br label %64

64:                                               ; preds = %24, %63
  %65 = load i32, ptr %40, align 4
  %66 = and i32 %65, 1073741824
  %67 = icmp eq i32 %66, 0
  br i1 %67, label %72, label %68

68:                                               ; preds = %64
  %69 = getelementptr inbounds i8, ptr %1, i64 -8
  %70 = load ptr, ptr %69, align 8, !tbaa !45
  %71 = and i32 %65, 134217727
  br label %77

72:                                               ; preds = %64
  %73 = and i32 %65, 134217727
  %74 = zext nneg i32 %73 to i64
  %75 = sub nsw i64 0, %74
  %76 = getelementptr inbounds %struct.Use, ptr %1, i64 %75
  br label %77

77:                                               ; preds = %68, %72
  %78 = phi i32 [ %71, %68 ], [ %73, %72 ]
  %79 = phi ptr [ %70, %68 ], [ %76, %72 ]
  %80 = icmp eq i32 %78, 0
  br i1 %80, label %81, label %83

81:                                               ; preds = %83, %77
  %82 = icmp eq i32 %2, 10
  br i1 %82, label %102, label %186

83:                                               ; preds = %77, %83
  %84 = phi i64 [ %97, %83 ], [ 0, %77 ]
  %85 = getelementptr inbounds nuw %struct.Use, ptr %79, i64 %84
  %86 = load ptr, ptr %85, align 8, !tbaa !46
  %87 = tail call fastcc i64 @number_of(ptr noundef nonnull %0, ptr noundef %86)
  %88 = load i64, ptr %25, align 8, !tbaa !22
  %89 = xor i64 %88, -6884282663029611473
  %90 = zext i64 %89 to i128
  %91 = xor i64 %87, -1800455987208640293
  %92 = zext i64 %91 to i128
  %93 = mul nuw i128 %90, %92
  %94 = lshr i128 %93, 64
  %95 = xor i128 %94, %93
  %96 = trunc i128 %95 to i64
  store i64 %96, ptr %25, align 8, !tbaa !22
  %97 = add nuw nsw i64 %84, 1
  %98 = load i32, ptr %40, align 4
  %99 = and i32 %98, 134217727
  %100 = zext nneg i32 %99 to i64
  %101 = icmp samesign ult i64 %97, %100
  br i1 %101, label %83, label %81, !llvm.loop !92

102:                                              ; preds = %81
  %103 = tail call i32 @LLVMGetConstOpcode(ptr noundef nonnull %1) #19
  %104 = icmp eq i32 %103, 29
  br i1 %104, label %105, label %180

105:                                              ; preds = %102
  %106 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %107 = load ptr, ptr %106, align 8, !tbaa !93
  %108 = ptrtoint ptr %107 to i64
  %109 = lshr i64 %108, 3
  %110 = and i64 %109, 63
  %111 = getelementptr inbounds nuw ptr, ptr %48, i64 %110
  %112 = load i64, ptr %25, align 8, !tbaa !22
  %113 = xor i64 %112, -6884282663029611473
  %114 = zext i64 %113 to i128
  %115 = xor i64 %108, -1800455987208640293
  %116 = zext i64 %115 to i128
  %117 = mul nuw i128 %114, %116
  %118 = lshr i128 %117, 64
  %119 = xor i128 %118, %117
  %120 = trunc i128 %119 to i64
  store i64 %120, ptr %25, align 8, !tbaa !22
  %121 = load ptr, ptr %111, align 8, !tbaa !63
  %122 = icmp eq ptr %121, %107
  br i1 %122, label %125, label %123

123:                                              ; preds = %105
  store ptr %107, ptr %111, align 8, !tbaa !63
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %107)
  %124 = load i64, ptr %25, align 8, !tbaa !22
  br label %125

125:                                              ; preds = %105, %123
  %126 = phi i64 [ %120, %105 ], [ %124, %123 ]
  %127 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %128 = load i8, ptr %127, align 8, !tbaa !95
  %129 = zext i8 %128 to i64
  %130 = xor i64 %126, -6884282663029611473
  %131 = zext i64 %130 to i128
  %132 = xor i64 %129, -1800455987208640293
  %133 = zext i64 %132 to i128
  %134 = mul nuw i128 %131, %133
  %135 = lshr i128 %134, 64
  %136 = xor i128 %135, %134
  %137 = trunc i128 %136 to i64
  store i64 %137, ptr %25, align 8, !tbaa !22
  %138 = icmp eq i8 %128, 0
  br i1 %138, label %180, label %139

139:                                              ; preds = %125
  %140 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %141 = load i64, ptr %140, align 8, !tbaa !33
  %142 = xor i64 %137, -6884282663029611473
  %143 = zext i64 %142 to i128
  %144 = xor i64 %141, -1800455987208640293
  %145 = zext i64 %144 to i128
  %146 = mul nuw i128 %143, %145
  %147 = lshr i128 %146, 64
  %148 = xor i128 %147, %146
  %149 = trunc i128 %148 to i64
  store i64 %149, ptr %25, align 8, !tbaa !22
  %150 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %151 = load i64, ptr %150, align 8, !tbaa !33
  %152 = xor i64 %149, -6884282663029611473
  %153 = zext i64 %152 to i128
  %154 = xor i64 %151, -1800455987208640293
  %155 = zext i64 %154 to i128
  %156 = mul nuw i128 %153, %155
  %157 = lshr i128 %156, 64
  %158 = xor i128 %157, %156
  %159 = trunc i128 %158 to i64
  store i64 %159, ptr %25, align 8, !tbaa !22
  %160 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %161 = load i64, ptr %160, align 8, !tbaa !33
  %162 = xor i64 %159, -6884282663029611473
  %163 = zext i64 %162 to i128
  %164 = xor i64 %161, -1800455987208640293
  %165 = zext i64 %164 to i128
  %166 = mul nuw i128 %163, %165
  %167 = lshr i128 %166, 64
  %168 = xor i128 %167, %166
  %169 = trunc i128 %168 to i64
  store i64 %169, ptr %25, align 8, !tbaa !22
  %170 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %171 = load i64, ptr %170, align 8, !tbaa !33
  %172 = xor i64 %169, -6884282663029611473
  %173 = zext i64 %172 to i128
  %174 = xor i64 %171, -1800455987208640293
  %175 = zext i64 %174 to i128
  %176 = mul nuw i128 %173, %175
  %177 = lshr i128 %176, 64
  %178 = xor i128 %177, %176
  %179 = trunc i128 %178 to i64
  store i64 %179, ptr %25, align 8, !tbaa !22
  br label %180

180:                                              ; preds = %139, %125, %102
  %181 = icmp eq i32 %103, 52
  %182 = zext i1 %181 to i32
  %183 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  %184 = load i32, ptr %183, align 8, !tbaa !24
  %185 = or i32 %184, %182
  store i32 %185, ptr %183, align 8, !tbaa !24
  br label %186

186:                                              ; preds = %180, %81
  %187 = load i64, ptr %25, align 8, !tbaa !22
  store i64 %26, ptr %25, align 8, !tbaa !22
  %188 = load ptr, ptr %4, align 8, !tbaa !73
  %189 = load i64, ptr %9, align 8, !tbaa !74
  br label %190

190:                                              ; preds = %190, %186
  %191 = phi i64 [ %7, %186 ], [ %198, %190 ]
  %192 = and i64 %191, %189
  %193 = getelementptr inbounds nuw %struct.Slot, ptr %188, i64 %192
  %194 = load ptr, ptr %193, align 8, !tbaa !75
  %195 = icmp eq ptr %194, null
  %196 = icmp eq ptr %194, %1
  %197 = or i1 %195, %196
  %198 = add i64 %191, 1
  br i1 %197, label %199, label %190, !llvm.loop !77

199:                                              ; preds = %190
  br i1 %195, label %200, label %225

200:                                              ; preds = %199
  %201 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %202 = load i64, ptr %201, align 8, !tbaa !78
  %203 = shl i64 %202, 1
  %204 = add i64 %203, 2
  %205 = icmp ugt i64 %204, %189
  br i1 %205, label %206, label %220

206:                                              ; preds = %200
  tail call fastcc void @enlarge(ptr noundef nonnull %4)
  %207 = load ptr, ptr %4, align 8, !tbaa !73
  %208 = load i64, ptr %9, align 8, !tbaa !74
  br label %209

209:                                              ; preds = %209, %206
  %210 = phi i64 [ %7, %206 ], [ %217, %209 ]
  %211 = and i64 %210, %208
  %212 = getelementptr inbounds nuw %struct.Slot, ptr %207, i64 %211
  %213 = load ptr, ptr %212, align 8, !tbaa !75
  %214 = icmp eq ptr %213, null
  %215 = icmp eq ptr %213, %1
  %216 = or i1 %214, %215
  %217 = add i64 %210, 1
  br i1 %216, label %218, label %209, !llvm.loop !77

218:                                              ; preds = %209
  %219 = load i64, ptr %201, align 8, !tbaa !78
  br label %220

220:                                              ; preds = %218, %200
  %221 = phi i64 [ %202, %200 ], [ %219, %218 ]
  %222 = phi ptr [ %193, %200 ], [ %212, %218 ]
  %223 = add i64 %221, 1
  store i64 %223, ptr %201, align 8, !tbaa !78
  store ptr %1, ptr %222, align 8, !tbaa !75
  %224 = getelementptr inbounds nuw i8, ptr %222, i64 8
  store i64 0, ptr %224, align 8, !tbaa !79
  br label %225

225:                                              ; preds = %199, %220
  %226 = phi ptr [ %222, %220 ], [ %193, %199 ]
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 8
  store i64 %187, ptr %227, align 8, !tbaa !79
  br label %228

228:                                              ; preds = %225, %21
  %229 = phi i64 [ %23, %21 ], [ %187, %225 ]
  ret i64 %229
}

declare ptr @LLVMValueAsMetadata(ptr noundef) local_unnamed_addr #6

declare i32 @LLVMGetValueKind(ptr noundef) local_unnamed_addr #6

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

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMBasicBlockAsValue(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #6

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #6

; Function Attrs: nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @add_names(ptr noundef captures(none) %0, ptr noundef readonly captures(address_is_null) %1) unnamed_addr #14 {
  %3 = icmp eq ptr %1, null
  br i1 %3, label %9, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %6 = load i32, ptr %5, align 4, !tbaa !96
  %7 = zext i32 %6 to i64
  %8 = xor i64 %7, -1800455987208640293
  br label %9

9:                                                ; preds = %2, %4
  %10 = phi i64 [ %8, %4 ], [ -1800455987208640293, %2 ]
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %12 = load i64, ptr %11, align 8, !tbaa !22
  %13 = xor i64 %12, -6884282663029611473
  %14 = zext i64 %13 to i128
  %15 = zext i64 %10 to i128
  %16 = mul nuw i128 %14, %15
  %17 = lshr i128 %16, 64
  %18 = xor i128 %17, %16
  %19 = trunc i128 %18 to i64
  store i64 %19, ptr %11, align 8, !tbaa !22
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 8
  br i1 %3, label %26, label %21

21:                                               ; preds = %9
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %24 = load i32, ptr %20, align 8, !tbaa !98
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %27

26:                                               ; preds = %64, %21, %9
  ret void

27:                                               ; preds = %21, %64
  %28 = phi i64 [ %65, %64 ], [ 0, %21 ]
  %29 = load ptr, ptr %1, align 8, !tbaa !99
  %30 = getelementptr inbounds nuw ptr, ptr %29, i64 %28
  %31 = load ptr, ptr %30, align 8, !tbaa !45
  %32 = ptrtoint ptr %31 to i64
  switch i64 %32, label %33 [
    i64 -8, label %64
    i64 0, label %64
  ]

33:                                               ; preds = %27
  %34 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %35 = load ptr, ptr %34, align 8, !tbaa !100
  %36 = ptrtoint ptr %35 to i64
  %37 = mul i64 %36, -7046029254386353131
  %38 = lshr i64 %37, 32
  %39 = load ptr, ptr %22, align 8, !tbaa !73
  %40 = load i64, ptr %23, align 8, !tbaa !74
  br label %41

41:                                               ; preds = %41, %33
  %42 = phi i64 [ %38, %33 ], [ %49, %41 ]
  %43 = and i64 %42, %40
  %44 = getelementptr inbounds nuw %struct.Slot, ptr %39, i64 %43
  %45 = load ptr, ptr %44, align 8, !tbaa !75
  %46 = icmp eq ptr %45, null
  %47 = icmp eq ptr %45, %35
  %48 = or i1 %46, %47
  %49 = add i64 %42, 1
  br i1 %48, label %50, label %41, !llvm.loop !77

50:                                               ; preds = %41
  %51 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %52 = load i64, ptr %51, align 8, !tbaa !79
  %53 = load i64, ptr %11, align 8, !tbaa !22
  %54 = xor i64 %53, -6884282663029611473
  %55 = zext i64 %54 to i128
  %56 = xor i64 %52, -1800455987208640293
  %57 = zext i64 %56 to i128
  %58 = mul nuw i128 %55, %57
  %59 = lshr i128 %58, 64
  %60 = xor i128 %59, %58
  %61 = trunc i128 %60 to i64
  store i64 %61, ptr %11, align 8, !tbaa !22
  %62 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %63 = load i64, ptr %31, align 8, !tbaa !33
  tail call fastcc void @add_bytes(ptr noundef nonnull %0, ptr noundef nonnull %62, i64 noundef %63)
  br label %64

64:                                               ; preds = %27, %27, %50
  %65 = add nuw nsw i64 %28, 1
  %66 = load i32, ptr %20, align 8, !tbaa !98
  %67 = zext i32 %66 to i64
  %68 = icmp samesign ult i64 %65, %67
  br i1 %68, label %27, label %26
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #15

; Function Attrs: noinline nounwind
define internal fastcc void @add_particulars(ptr noundef captures(none) %0, ptr noundef nonnull %1, i32 noundef range(i32 0, 256) %2) unnamed_addr #12 {
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
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5344
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
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  br label %98

21:                                               ; preds = %3, %3
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %23 = load i64, ptr %22, align 8, !tbaa !101
  %24 = inttoptr i64 %23 to ptr
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %26 = lshr i64 %23, 3
  %27 = and i64 %26, 63
  %28 = getelementptr inbounds nuw ptr, ptr %25, i64 %27
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %30 = load i64, ptr %29, align 8, !tbaa !22
  %31 = xor i64 %30, -6884282663029611473
  %32 = zext i64 %31 to i128
  %33 = xor i64 %23, -1800455987208640293
  %34 = zext i64 %33 to i128
  %35 = mul nuw i128 %32, %34
  %36 = lshr i128 %35, 64
  %37 = xor i128 %36, %35
  %38 = trunc i128 %37 to i64
  store i64 %38, ptr %29, align 8, !tbaa !22
  %39 = load ptr, ptr %28, align 8, !tbaa !63
  %40 = icmp eq ptr %39, %24
  br i1 %40, label %210, label %41

41:                                               ; preds = %21
  store ptr %24, ptr %28, align 8, !tbaa !63
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %24)
  br label %210

42:                                               ; preds = %3, %3, %3
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %44 = load i64, ptr %43, align 8, !tbaa !101
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %46 = load i64, ptr %45, align 8, !tbaa !22
  %47 = xor i64 %46, -6884282663029611473
  %48 = zext i64 %47 to i128
  %49 = xor i64 %44, -1800455987208640293
  %50 = zext i64 %49 to i128
  %51 = mul nuw i128 %48, %50
  %52 = lshr i128 %51, 64
  %53 = xor i128 %52, %51
  %54 = trunc i128 %53 to i64
  %55 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %56 = load i64, ptr %55, align 8, !tbaa !102
  %57 = inttoptr i64 %56 to ptr
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 208
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
  store i64 %69, ptr %45, align 8, !tbaa !22
  %70 = load ptr, ptr %61, align 8, !tbaa !63
  %71 = icmp eq ptr %70, %57
  br i1 %71, label %73, label %72

72:                                               ; preds = %42
  store ptr %57, ptr %61, align 8, !tbaa !63
  tail call fastcc void @add_new_type(ptr noundef nonnull %0, ptr noundef %57)
  br label %73

73:                                               ; preds = %42, %72
  %74 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %75 = load i32, ptr %74, align 4
  %76 = icmp sgt i32 %75, -1
  br i1 %76, label %78, label %77

77:                                               ; preds = %73
  tail call fastcc void @add_bundles(ptr noundef nonnull %0, ptr noundef %1)
  br label %78

78:                                               ; preds = %77, %73
  %79 = icmp eq i32 %2, 67
  %80 = zext i1 %79 to i32
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  %82 = load i32, ptr %81, align 8, !tbaa !24
  %83 = or i32 %82, %80
  store i32 %83, ptr %81, align 8, !tbaa !24
  br label %210

84:                                               ; preds = %3, %3, %3, %3, %3
  %85 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %86 = load i64, ptr %85, align 8, !tbaa !101
  %87 = and i64 %86, 255
  %88 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %89 = load i64, ptr %88, align 8, !tbaa !22
  %90 = xor i64 %89, -6884282663029611473
  %91 = zext i64 %90 to i128
  %92 = xor i64 %87, -1800455987208640293
  %93 = zext i64 %92 to i128
  %94 = mul nuw i128 %91, %93
  %95 = lshr i128 %94, 64
  %96 = xor i128 %95, %94
  %97 = trunc i128 %96 to i64
  store i64 %97, ptr %88, align 8, !tbaa !22
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
  %112 = load i64, ptr %19, align 8, !tbaa !101
  %113 = and i64 %112, 4294967295
  %114 = getelementptr inbounds nuw %struct.Use, ptr %111, i64 %113
  %115 = getelementptr inbounds nuw ptr, ptr %114, i64 %99
  %116 = load ptr, ptr %115, align 8, !tbaa !100
  %117 = tail call fastcc i64 @number_of(ptr noundef %0, ptr noundef %116)
  %118 = load i64, ptr %20, align 8, !tbaa !22
  %119 = xor i64 %118, -6884282663029611473
  %120 = zext i64 %119 to i128
  %121 = xor i64 %117, -1800455987208640293
  %122 = zext i64 %121 to i128
  %123 = mul nuw i128 %120, %122
  %124 = lshr i128 %123, 64
  %125 = xor i128 %124, %123
  %126 = trunc i128 %125 to i64
  store i64 %126, ptr %20, align 8, !tbaa !22
  %127 = add nuw nsw i64 %99, 1
  %128 = load i32, ptr %13, align 4
  %129 = and i32 %128, 134217727
  %130 = zext nneg i32 %129 to i64
  %131 = icmp samesign ult i64 %127, %130
  br i1 %131, label %98, label %210, !llvm.loop !103

132:                                              ; preds = %10, %132
  %133 = phi i32 [ 2, %10 ], [ %146, %132 ]
  %134 = phi i32 [ 1, %10 ], [ %133, %132 ]
  %135 = tail call ptr @LLVMGetSwitchCaseValue(ptr noundef nonnull %1, i32 noundef %134) #19
  %136 = ptrtoint ptr %135 to i64
  %137 = load i64, ptr %11, align 8, !tbaa !22
  %138 = xor i64 %137, -6884282663029611473
  %139 = zext i64 %138 to i128
  %140 = xor i64 %136, -1800455987208640293
  %141 = zext i64 %140 to i128
  %142 = mul nuw i128 %139, %141
  %143 = lshr i128 %142, 64
  %144 = xor i128 %143, %142
  %145 = trunc i128 %144 to i64
  store i64 %145, ptr %11, align 8, !tbaa !22
  %146 = add nuw nsw i32 %133, 1
  %147 = load i32, ptr %6, align 4
  %148 = and i32 %147, 134217727
  %149 = icmp samesign ult i32 %146, %148
  br i1 %149, label %132, label %210, !llvm.loop !104

150:                                              ; preds = %3, %3
  %151 = tail call i32 @LLVMGetNumIndices(ptr noundef nonnull %1) #19
  %152 = zext i32 %151 to i64
  %153 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %154 = load i64, ptr %153, align 8, !tbaa !22
  %155 = xor i64 %154, -6884282663029611473
  %156 = zext i64 %155 to i128
  %157 = xor i64 %152, -1800455987208640293
  %158 = zext i64 %157 to i128
  %159 = mul nuw i128 %156, %158
  %160 = lshr i128 %159, 64
  %161 = xor i128 %160, %159
  %162 = trunc i128 %161 to i64
  store i64 %162, ptr %153, align 8, !tbaa !22
  %163 = icmp eq i32 %151, 0
  br i1 %163, label %210, label %164

164:                                              ; preds = %150, %164
  %165 = phi i64 [ %179, %164 ], [ 0, %150 ]
  %166 = tail call ptr @LLVMGetIndices(ptr noundef nonnull %1) #19
  %167 = getelementptr inbounds nuw i32, ptr %166, i64 %165
  %168 = load i32, ptr %167, align 4, !tbaa !3
  %169 = zext i32 %168 to i64
  %170 = load i64, ptr %153, align 8, !tbaa !22
  %171 = xor i64 %170, -6884282663029611473
  %172 = zext i64 %171 to i128
  %173 = xor i64 %169, -1800455987208640293
  %174 = zext i64 %173 to i128
  %175 = mul nuw i128 %172, %174
  %176 = lshr i128 %175, 64
  %177 = xor i128 %176, %175
  %178 = trunc i128 %177 to i64
  store i64 %178, ptr %153, align 8, !tbaa !22
  %179 = add nuw nsw i64 %165, 1
  %180 = icmp eq i64 %179, %152
  br i1 %180, label %210, label %164, !llvm.loop !105

181:                                              ; preds = %3
  %182 = tail call i32 @LLVMGetNumMaskElements(ptr noundef nonnull %1) #19
  %183 = zext i32 %182 to i64
  %184 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %185 = load i64, ptr %184, align 8, !tbaa !22
  %186 = xor i64 %185, -6884282663029611473
  %187 = zext i64 %186 to i128
  %188 = xor i64 %183, -1800455987208640293
  %189 = zext i64 %188 to i128
  %190 = mul nuw i128 %187, %189
  %191 = lshr i128 %190, 64
  %192 = xor i128 %191, %190
  %193 = trunc i128 %192 to i64
  store i64 %193, ptr %184, align 8, !tbaa !22
  %194 = icmp eq i32 %182, 0
  br i1 %194, label %210, label %195

195:                                              ; preds = %181, %195
  %196 = phi i32 [ %208, %195 ], [ 0, %181 ]
  %197 = tail call i32 @LLVMGetMaskValue(ptr noundef nonnull %1, i32 noundef %196) #19
  %198 = sext i32 %197 to i64
  %199 = load i64, ptr %184, align 8, !tbaa !22
  %200 = xor i64 %199, -6884282663029611473
  %201 = zext i64 %200 to i128
  %202 = xor i64 %198, -1800455987208640293
  %203 = zext i64 %202 to i128
  %204 = mul nuw i128 %201, %203
  %205 = lshr i128 %204, 64
  %206 = xor i128 %205, %204
  %207 = trunc i128 %206 to i64
  store i64 %207, ptr %184, align 8, !tbaa !22
  %208 = add nuw i32 %196, 1
  %209 = icmp eq i32 %208, %182
  br i1 %209, label %210, label %195, !llvm.loop !106

210:                                              ; preds = %195, %164, %132, %110, %181, %150, %5, %12, %41, %21, %3, %84, %78
  ret void
}

declare ptr @LLVMGetFirstDbgRecord(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_bundles(ptr noundef captures(none) %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = alloca i64, align 8
  %4 = tail call i32 @LLVMGetNumOperandBundles(ptr noundef nonnull %1) #19
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %7 = load i64, ptr %6, align 8, !tbaa !22
  %8 = xor i64 %7, -6884282663029611473
  %9 = zext i64 %8 to i128
  %10 = xor i64 %5, -1800455987208640293
  %11 = zext i64 %10 to i128
  %12 = mul nuw i128 %9, %11
  %13 = lshr i128 %12, 64
  %14 = xor i128 %13, %12
  %15 = trunc i128 %14 to i64
  store i64 %15, ptr %6, align 8, !tbaa !22
  %16 = icmp eq i32 %4, 0
  br i1 %16, label %17, label %18

17:                                               ; preds = %18, %2
  ret void

18:                                               ; preds = %2, %18
  %19 = phi i32 [ %34, %18 ], [ 0, %2 ]
  %20 = call ptr @LLVMGetOperandBundleAtIndex(ptr noundef nonnull %1, i32 noundef %19) #19
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #19
  %21 = call ptr @LLVMGetOperandBundleTag(ptr noundef %20, ptr noundef nonnull %3) #19
  %22 = load i64, ptr %3, align 8, !tbaa !33
  call fastcc void @add_bytes(ptr noundef nonnull %0, ptr noundef %21, i64 noundef %22)
  %23 = call i32 @LLVMGetNumOperandBundleArgs(ptr noundef %20) #19
  %24 = zext i32 %23 to i64
  %25 = load i64, ptr %6, align 8, !tbaa !22
  %26 = xor i64 %25, -6884282663029611473
  %27 = zext i64 %26 to i128
  %28 = xor i64 %24, -1800455987208640293
  %29 = zext i64 %28 to i128
  %30 = mul nuw i128 %27, %29
  %31 = lshr i128 %30, 64
  %32 = xor i128 %31, %30
  %33 = trunc i128 %32 to i64
  store i64 %33, ptr %6, align 8, !tbaa !22
  call void @LLVMDisposeOperandBundle(ptr noundef %20) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #19
  %34 = add nuw i32 %19, 1
  %35 = icmp eq i32 %34, %4
  br i1 %35, label %17, label %18, !llvm.loop !107
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
  %3 = load i8, ptr %1, align 4, !tbaa !108
  %4 = zext i8 %3 to i64
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 1
  %6 = load i8, ptr %5, align 1
  %7 = and i8 %6, 127
  %8 = zext nneg i8 %7 to i64
  %9 = shl nuw nsw i64 %8, 8
  %10 = or disjoint i64 %9, %4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %12 = load i64, ptr %11, align 8, !tbaa !22
  %13 = xor i64 %12, -6884282663029611473
  %14 = zext i64 %13 to i128
  %15 = xor i64 %10, -1800455987208640293
  %16 = zext i64 %15 to i128
  %17 = mul nuw i128 %16, %14
  %18 = lshr i128 %17, 64
  %19 = xor i128 %18, %17
  %20 = trunc i128 %19 to i64
  store i64 %20, ptr %11, align 8, !tbaa !22
  %21 = tail call i32 @LLVMGetMetadataKind(ptr noundef nonnull %1) #19
  switch i32 %21, label %93 [
    i32 0, label %22
    i32 1, label %33
    i32 4, label %46
  ]

22:                                               ; preds = %2
  %23 = ptrtoint ptr %1 to i64
  %24 = load i64, ptr %11, align 8, !tbaa !22
  %25 = xor i64 %24, -6884282663029611473
  %26 = zext i64 %25 to i128
  %27 = xor i64 %23, -1800455987208640293
  %28 = zext i64 %27 to i128
  %29 = mul nuw i128 %26, %28
  %30 = lshr i128 %29, 64
  %31 = xor i128 %30, %29
  %32 = trunc i128 %31 to i64
  store i64 %32, ptr %11, align 8, !tbaa !22
  br label %95

33:                                               ; preds = %2
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 128
  %35 = load ptr, ptr %34, align 8, !tbaa !110
  %36 = tail call fastcc i64 @number_of(ptr noundef nonnull %0, ptr noundef %35)
  %37 = load i64, ptr %11, align 8, !tbaa !22
  %38 = xor i64 %37, -6884282663029611473
  %39 = zext i64 %38 to i128
  %40 = xor i64 %36, -1800455987208640293
  %41 = zext i64 %40 to i128
  %42 = mul nuw i128 %39, %41
  %43 = lshr i128 %42, 64
  %44 = xor i128 %43, %42
  %45 = trunc i128 %44 to i64
  store i64 %45, ptr %11, align 8, !tbaa !22
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
  %54 = load i32, ptr %53, align 8, !tbaa !112
  %55 = zext i32 %54 to i64
  %56 = load ptr, ptr %52, align 8, !tbaa !115
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
  %67 = load i64, ptr %11, align 8, !tbaa !22
  %68 = xor i64 %67, -6884282663029611473
  %69 = zext i64 %68 to i128
  %70 = xor i64 %65, -1800455987208640293
  %71 = zext i64 %70 to i128
  %72 = mul nuw i128 %69, %71
  %73 = lshr i128 %72, 64
  %74 = xor i128 %73, %72
  %75 = trunc i128 %74 to i64
  store i64 %75, ptr %11, align 8, !tbaa !22
  %76 = icmp eq i64 %65, 0
  br i1 %76, label %95, label %77

77:                                               ; preds = %64, %77
  %78 = phi i64 [ %91, %77 ], [ 0, %64 ]
  %79 = getelementptr inbounds nuw ptr, ptr %66, i64 %78
  %80 = load ptr, ptr %79, align 8, !tbaa !116
  %81 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %80)
  %82 = load i64, ptr %11, align 8, !tbaa !22
  %83 = xor i64 %82, -6884282663029611473
  %84 = zext i64 %83 to i128
  %85 = xor i64 %81, -1800455987208640293
  %86 = zext i64 %85 to i128
  %87 = mul nuw i128 %84, %86
  %88 = lshr i128 %87, 64
  %89 = xor i128 %88, %87
  %90 = trunc i128 %89 to i64
  store i64 %90, ptr %11, align 8, !tbaa !22
  %91 = add nuw nsw i64 %78, 1
  %92 = icmp eq i64 %91, %65
  br i1 %92, label %95, label %77, !llvm.loop !117

93:                                               ; preds = %2
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  store i32 1, ptr %94, align 8, !tbaa !24
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
!8 = !{!"", !9, i64 0, !9, i64 32, !9, i64 64, !9, i64 96, !9, i64 128, !12, i64 160, !12, i64 184, !5, i64 208, !5, i64 720, !5, i64 976, !14, i64 1232, !11, i64 5344, !11, i64 5352, !4, i64 5360}
!9 = !{!"", !10, i64 0, !11, i64 8, !11, i64 16, !11, i64 24}
!10 = !{!"any pointer", !5, i64 0}
!11 = !{!"long", !5, i64 0}
!12 = !{!"", !13, i64 0, !11, i64 8, !11, i64 16}
!13 = !{!"any p2 pointer", !10, i64 0}
!14 = !{!"", !10, i64 0, !4, i64 8, !4, i64 12, !5, i64 16}
!15 = !{!8, !10, i64 32}
!16 = !{!8, !10, i64 64}
!17 = !{!8, !10, i64 96}
!18 = !{!8, !10, i64 128}
!19 = !{!8, !13, i64 160}
!20 = !{!8, !13, i64 184}
!21 = !{!8, !11, i64 192}
!22 = !{!8, !11, i64 5344}
!23 = !{!8, !11, i64 5352}
!24 = !{!8, !4, i64 5360}
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
!46 = !{!47, !48, i64 0}
!47 = !{!"", !48, i64 0, !10, i64 8, !10, i64 16, !48, i64 24}
!48 = !{!"p1 _ZTS5Value", !10, i64 0}
!49 = distinct !{!49, !27}
!50 = distinct !{!50, !27}
!51 = distinct !{!51, !27}
!52 = distinct !{!52, !27}
!53 = distinct !{!53, !27}
!54 = !{!55, !11, i64 120}
!55 = !{!"", !42, i64 0, !5, i64 72, !11, i64 96, !11, i64 104, !10, i64 112, !11, i64 120}
!56 = !{!12, !11, i64 8}
!57 = distinct !{!57, !27}
!58 = !{!12, !11, i64 16}
!59 = !{!12, !13, i64 0}
!60 = distinct !{!60, !27}
!61 = distinct !{!61, !27}
!62 = !{!36, !38, i64 8}
!63 = !{!38, !38, i64 0}
!64 = !{!5, !5, i64 0}
!65 = distinct !{!65, !27}
!66 = !{!67, !68, i64 48}
!67 = !{!"", !36, i64 0, !10, i64 24, !10, i64 32, !10, i64 40, !68, i64 48, !11, i64 56, !10, i64 64, !11, i64 72, !11, i64 80}
!68 = !{!"p1 _ZTS8Metadata", !10, i64 0}
!69 = !{!67, !10, i64 64}
!70 = distinct !{!70, !27}
!71 = !{!55, !10, i64 112}
!72 = distinct !{!72, !27}
!73 = !{!9, !10, i64 0}
!74 = !{!9, !11, i64 8}
!75 = !{!76, !10, i64 0}
!76 = !{!"", !10, i64 0, !11, i64 8}
!77 = distinct !{!77, !27}
!78 = !{!9, !11, i64 16}
!79 = !{!76, !11, i64 8}
!80 = distinct !{!80, !27}
!81 = !{!9, !11, i64 24}
!82 = !{i64 0, i64 8, !45, i64 8, i64 8, !33}
!83 = distinct !{!83, !27}
!84 = distinct !{!84, !27}
!85 = distinct !{!85, !27}
!86 = distinct !{!86, !87}
!87 = !{!"llvm.loop.unroll.disable"}
!88 = !{!42, !38, i64 24}
!89 = distinct !{!89, !27}
!90 = distinct !{!90, !27}
!91 = !{!8, !11, i64 112}
!92 = distinct !{!92, !27}
!93 = !{!94, !38, i64 24}
!94 = !{!"", !36, i64 0, !38, i64 24, !38, i64 32, !5, i64 40, !5, i64 72}
!95 = !{!94, !5, i64 72}
!96 = !{!97, !4, i64 12}
!97 = !{!"", !13, i64 0, !4, i64 8, !4, i64 12}
!98 = !{!97, !4, i64 8}
!99 = !{!97, !13, i64 0}
!100 = !{!48, !48, i64 0}
!101 = !{!67, !11, i64 72}
!102 = !{!67, !11, i64 80}
!103 = distinct !{!103, !27}
!104 = distinct !{!104, !27}
!105 = distinct !{!105, !27}
!106 = distinct !{!106, !27}
!107 = distinct !{!107, !27}
!108 = !{!109, !5, i64 0}
!109 = !{!"Metadata", !5, i64 0, !5, i64 1, !5, i64 1, !37, i64 2, !4, i64 4}
!110 = !{!111, !48, i64 128}
!111 = !{!"", !109, i64 0, !5, i64 8, !48, i64 128}
!112 = !{!113, !4, i64 8}
!113 = !{!"", !114, i64 0, !4, i64 8, !4, i64 12}
!114 = !{!"p2 _ZTS8Metadata", !13, i64 0}
!115 = !{!113, !114, i64 0}
!116 = !{!68, !68, i64 0}
!117 = distinct !{!117, !27}
