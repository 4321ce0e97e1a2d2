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
  br i1 %15, label %16, label %19

16:                                               ; preds = %19, %3
  %17 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #19
  %18 = icmp eq ptr %17, null
  br i1 %18, label %23, label %26

19:                                               ; preds = %3, %19
  %20 = phi ptr [ %21, %19 ], [ %14, %3 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %20)
  %21 = tail call ptr @LLVMGetNextGlobal(ptr noundef nonnull %20) #19
  %22 = icmp eq ptr %21, null
  br i1 %22, label %16, label %19, !llvm.loop !25

23:                                               ; preds = %26, %16
  %24 = tail call ptr @LLVMGetFirstGlobalAlias(ptr noundef %0) #19
  %25 = icmp eq ptr %24, null
  br i1 %25, label %30, label %100

26:                                               ; preds = %16, %26
  %27 = phi ptr [ %28, %26 ], [ %17, %16 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %27)
  %28 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %27) #19
  %29 = icmp eq ptr %28, null
  br i1 %29, label %23, label %26, !llvm.loop !27

30:                                               ; preds = %100, %23
  %31 = tail call ptr @LLVMGetModuleContext(ptr noundef %0) #19
  %32 = getelementptr inbounds nuw i8, ptr %1, i64 1232
  %33 = getelementptr inbounds nuw i8, ptr %1, i64 1248
  store ptr %33, ptr %32, align 8, !tbaa !28
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 1240
  store i32 0, ptr %34, align 8, !tbaa !29
  %35 = getelementptr inbounds nuw i8, ptr %1, i64 1244
  store i32 256, ptr %35, align 4, !tbaa !30
  tail call void @_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %31, ptr noundef nonnull %32) #19, !callees !31
  %36 = load ptr, ptr %32, align 8, !tbaa !28
  %37 = icmp eq ptr %36, %33
  br i1 %37, label %39, label %38

38:                                               ; preds = %30
  tail call void @free(ptr noundef %36)
  br label %39

39:                                               ; preds = %38, %30
  %40 = load i32, ptr %34, align 8, !tbaa !29
  %41 = zext i32 %40 to i64
  %42 = load i64, ptr %11, align 8, !tbaa !22
  %43 = xor i64 %42, -6884282663029611473
  %44 = zext i64 %43 to i128
  %45 = xor i64 %41, -1800455987208640293
  %46 = zext i64 %45 to i128
  %47 = mul nuw i128 %44, %46
  %48 = lshr i128 %47, 64
  %49 = xor i128 %48, %47
  %50 = trunc i128 %49 to i64
  store i64 %50, ptr %11, align 8, !tbaa !22
  store ptr %33, ptr %32, align 8, !tbaa !28
  store i32 0, ptr %34, align 8, !tbaa !29
  store i32 256, ptr %35, align 4, !tbaa !30
  tail call void @_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %31, ptr noundef nonnull %32) #19, !callees !31
  %51 = load ptr, ptr %32, align 8, !tbaa !28
  %52 = icmp eq ptr %51, %33
  br i1 %52, label %54, label %53

53:                                               ; preds = %39
  tail call void @free(ptr noundef %51)
  br label %54

54:                                               ; preds = %53, %39
  %55 = load i32, ptr %34, align 8, !tbaa !29
  %56 = zext i32 %55 to i64
  %57 = load i64, ptr %11, align 8, !tbaa !22
  %58 = xor i64 %57, -6884282663029611473
  %59 = zext i64 %58 to i128
  %60 = xor i64 %56, -1800455987208640293
  %61 = zext i64 %60 to i128
  %62 = mul nuw i128 %59, %61
  %63 = lshr i128 %62, 64
  %64 = xor i128 %63, %62
  %65 = trunc i128 %64 to i64
  store i64 %65, ptr %11, align 8, !tbaa !22
  store ptr %33, ptr %32, align 8, !tbaa !28
  store i32 0, ptr %34, align 8, !tbaa !29
  store i32 256, ptr %35, align 4, !tbaa !30
  tail call void @_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE(ptr noundef %31, ptr noundef nonnull %32) #19, !callees !31
  %66 = load ptr, ptr %32, align 8, !tbaa !28
  %67 = icmp eq ptr %66, %33
  br i1 %67, label %69, label %68

68:                                               ; preds = %54
  tail call void @free(ptr noundef %66)
  br label %69

69:                                               ; preds = %54, %68
  %70 = load i32, ptr %34, align 8, !tbaa !29
  %71 = zext i32 %70 to i64
  %72 = load i64, ptr %11, align 8, !tbaa !22
  %73 = xor i64 %72, -6884282663029611473
  %74 = zext i64 %73 to i128
  %75 = xor i64 %71, -1800455987208640293
  %76 = zext i64 %75 to i128
  %77 = mul nuw i128 %74, %76
  %78 = lshr i128 %77, 64
  %79 = xor i128 %78, %77
  %80 = trunc i128 %79 to i64
  store i64 %80, ptr %11, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #19
  %81 = call ptr @LLVMGetModuleInlineAsm(ptr noundef %0, ptr noundef nonnull %5) #19
  %82 = load i64, ptr %5, align 8, !tbaa !32
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %81, i64 noundef %82)
  %83 = call ptr @LLVMGetSourceFileName(ptr noundef %0, ptr noundef nonnull %5) #19
  %84 = load i64, ptr %5, align 8, !tbaa !32
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %83, i64 noundef %84)
  %85 = call ptr @LLVMGetTarget(ptr noundef %0) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %85)
  %86 = call ptr @LLVMGetDataLayoutStr(ptr noundef %0) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %86)
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #19
  %87 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %88 = load i64, ptr %87, align 8, !tbaa !33
  %89 = load i64, ptr %11, align 8, !tbaa !22
  %90 = xor i64 %89, -6884282663029611473
  %91 = zext i64 %90 to i128
  %92 = xor i64 %88, -1800455987208640293
  %93 = zext i64 %92 to i128
  %94 = mul nuw i128 %91, %93
  %95 = lshr i128 %94, 64
  %96 = xor i128 %95, %94
  %97 = trunc i128 %96 to i64
  store i64 %97, ptr %11, align 8, !tbaa !22
  %98 = call ptr @LLVMGetFirstGlobal(ptr noundef %0) #19
  %99 = icmp eq ptr %98, null
  br i1 %99, label %104, label %107

100:                                              ; preds = %23, %100
  %101 = phi ptr [ %102, %100 ], [ %24, %23 ]
  tail call fastcc void @number(ptr noundef nonnull %1, ptr noundef nonnull %101)
  %102 = tail call ptr @LLVMGetNextGlobalAlias(ptr noundef nonnull %101) #19
  %103 = icmp eq ptr %102, null
  br i1 %103, label %30, label %100, !llvm.loop !34

104:                                              ; preds = %185, %69
  %105 = call ptr @LLVMGetFirstGlobalAlias(ptr noundef %0) #19
  %106 = icmp eq ptr %105, null
  br i1 %106, label %188, label %197

107:                                              ; preds = %69, %185
  %108 = phi ptr [ %186, %185 ], [ %98, %69 ]
  call fastcc void @add_object(ptr noundef nonnull %1, ptr noundef nonnull %108)
  %109 = load i8, ptr %108, align 8, !tbaa !35
  %110 = zext i8 %109 to i64
  %111 = getelementptr inbounds nuw i8, ptr %108, i64 1
  %112 = load i8, ptr %111, align 1
  %113 = lshr i8 %112, 1
  %114 = zext nneg i8 %113 to i64
  %115 = shl nuw nsw i64 %114, 8
  %116 = or disjoint i64 %115, %110
  %117 = getelementptr inbounds nuw i8, ptr %108, i64 2
  %118 = load i16, ptr %117, align 2, !tbaa !39
  %119 = zext i16 %118 to i64
  %120 = shl nuw nsw i64 %119, 16
  %121 = or disjoint i64 %116, %120
  %122 = getelementptr inbounds nuw i8, ptr %108, i64 4
  %123 = load i32, ptr %122, align 4
  %124 = and i32 %123, -2013265921
  %125 = zext i32 %124 to i64
  %126 = shl nuw i64 %125, 32
  %127 = or disjoint i64 %126, %121
  %128 = load i64, ptr %11, align 8, !tbaa !22
  %129 = xor i64 %128, -6884282663029611473
  %130 = zext i64 %129 to i128
  %131 = xor i64 %127, -1800455987208640293
  %132 = zext i64 %131 to i128
  %133 = mul nuw i128 %132, %130
  %134 = lshr i128 %133, 64
  %135 = xor i128 %134, %133
  %136 = trunc i128 %135 to i64
  %137 = getelementptr inbounds nuw i8, ptr %108, i64 72
  %138 = load i64, ptr %137, align 8, !tbaa !40
  %139 = xor i64 %136, -6884282663029611473
  %140 = zext i64 %139 to i128
  %141 = xor i64 %138, -1800455987208640293
  %142 = zext i64 %141 to i128
  %143 = mul nuw i128 %140, %142
  %144 = lshr i128 %143, 64
  %145 = xor i128 %144, %143
  %146 = trunc i128 %145 to i64
  store i64 %146, ptr %11, align 8, !tbaa !22
  %147 = getelementptr inbounds nuw i8, ptr %108, i64 80
  %148 = load i8, ptr %147, align 8
  %149 = and i8 %148, 3
  %150 = zext nneg i8 %149 to i64
  %151 = xor i64 %146, -6884282663029611473
  %152 = zext i64 %151 to i128
  %153 = xor i64 %150, -1800455987208640293
  %154 = zext i64 %153 to i128
  %155 = mul nuw i128 %152, %154
  %156 = lshr i128 %155, 64
  %157 = xor i128 %156, %155
  %158 = trunc i128 %157 to i64
  store i64 %158, ptr %11, align 8, !tbaa !22
  %159 = load i32, ptr %122, align 4
  %160 = and i32 %159, 134217727
  %161 = icmp eq i32 %160, 0
  br i1 %161, label %185, label %162

162:                                              ; preds = %107
  %163 = and i32 %159, 1073741824
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %168, label %165

165:                                              ; preds = %162
  %166 = getelementptr inbounds i8, ptr %108, i64 -8
  %167 = load ptr, ptr %166, align 8, !tbaa !45
  br label %172

168:                                              ; preds = %162
  %169 = zext nneg i32 %160 to i64
  %170 = sub nsw i64 0, %169
  %171 = getelementptr inbounds %struct.Use, ptr %108, i64 %170
  br label %172

172:                                              ; preds = %168, %165
  %173 = phi ptr [ %167, %165 ], [ %171, %168 ]
  %174 = load ptr, ptr %173, align 8, !tbaa !46
  %175 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %174)
  %176 = load i64, ptr %11, align 8, !tbaa !22
  %177 = xor i64 %176, -6884282663029611473
  %178 = zext i64 %177 to i128
  %179 = xor i64 %175, -1800455987208640293
  %180 = zext i64 %179 to i128
  %181 = mul nuw i128 %178, %180
  %182 = lshr i128 %181, 64
  %183 = xor i128 %182, %181
  %184 = trunc i128 %183 to i64
  store i64 %184, ptr %11, align 8, !tbaa !22
  br label %185

185:                                              ; preds = %107, %172
  %186 = call ptr @LLVMGetNextGlobal(ptr noundef nonnull %108) #19
  %187 = icmp eq ptr %186, null
  br i1 %187, label %104, label %107, !llvm.loop !49

188:                                              ; preds = %238, %104
  %189 = call ptr @LLVMGetFirstFunction(ptr noundef %0) #19
  %190 = icmp eq ptr %189, null
  br i1 %190, label %253, label %191

191:                                              ; preds = %188
  %192 = getelementptr inbounds nuw i8, ptr %1, i64 160
  %193 = getelementptr inbounds nuw i8, ptr %1, i64 168
  %194 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %195 = getelementptr inbounds nuw i8, ptr %1, i64 176
  %196 = getelementptr inbounds nuw i8, ptr %1, i64 976
  br label %309

197:                                              ; preds = %104, %238
  %198 = phi ptr [ %251, %238 ], [ %105, %104 ]
  call fastcc void @add_global(ptr noundef nonnull %1, ptr noundef nonnull %198)
  %199 = load i8, ptr %198, align 8, !tbaa !35
  %200 = zext i8 %199 to i64
  %201 = getelementptr inbounds nuw i8, ptr %198, i64 1
  %202 = load i8, ptr %201, align 1
  %203 = lshr i8 %202, 1
  %204 = zext nneg i8 %203 to i64
  %205 = shl nuw nsw i64 %204, 8
  %206 = or disjoint i64 %205, %200
  %207 = getelementptr inbounds nuw i8, ptr %198, i64 2
  %208 = load i16, ptr %207, align 2, !tbaa !39
  %209 = zext i16 %208 to i64
  %210 = shl nuw nsw i64 %209, 16
  %211 = or disjoint i64 %206, %210
  %212 = getelementptr inbounds nuw i8, ptr %198, i64 4
  %213 = load i32, ptr %212, align 4
  %214 = and i32 %213, -2013265921
  %215 = zext i32 %214 to i64
  %216 = shl nuw i64 %215, 32
  %217 = or disjoint i64 %216, %211
  %218 = load i64, ptr %11, align 8, !tbaa !22
  %219 = xor i64 %218, -6884282663029611473
  %220 = zext i64 %219 to i128
  %221 = xor i64 %217, -1800455987208640293
  %222 = zext i64 %221 to i128
  %223 = mul nuw i128 %222, %220
  %224 = lshr i128 %223, 64
  %225 = xor i128 %224, %223
  %226 = trunc i128 %225 to i64
  store i64 %226, ptr %11, align 8, !tbaa !22
  %227 = load i32, ptr %212, align 4
  %228 = and i32 %227, 1073741824
  %229 = icmp eq i32 %228, 0
  br i1 %229, label %233, label %230

230:                                              ; preds = %197
  %231 = getelementptr inbounds i8, ptr %198, i64 -8
  %232 = load ptr, ptr %231, align 8, !tbaa !45
  br label %238

233:                                              ; preds = %197
  %234 = and i32 %227, 134217727
  %235 = zext nneg i32 %234 to i64
  %236 = sub nsw i64 0, %235
  %237 = getelementptr inbounds %struct.Use, ptr %198, i64 %236
  br label %238

238:                                              ; preds = %230, %233
  %239 = phi ptr [ %232, %230 ], [ %237, %233 ]
  %240 = load ptr, ptr %239, align 8, !tbaa !46
  %241 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %240)
  %242 = load i64, ptr %11, align 8, !tbaa !22
  %243 = xor i64 %242, -6884282663029611473
  %244 = zext i64 %243 to i128
  %245 = xor i64 %241, -1800455987208640293
  %246 = zext i64 %245 to i128
  %247 = mul nuw i128 %244, %246
  %248 = lshr i128 %247, 64
  %249 = xor i128 %248, %247
  %250 = trunc i128 %249 to i64
  store i64 %250, ptr %11, align 8, !tbaa !22
  %251 = call ptr @LLVMGetNextGlobalAlias(ptr noundef nonnull %198) #19
  %252 = icmp eq ptr %251, null
  br i1 %252, label %188, label %197, !llvm.loop !50

253:                                              ; preds = %563, %188
  %254 = call ptr @LLVMGetFirstNamedMetadata(ptr noundef %0) #19
  %255 = icmp eq ptr %254, null
  br i1 %255, label %256, label %261

256:                                              ; preds = %277, %253
  %257 = load i64, ptr %10, align 8, !tbaa !21
  %258 = icmp eq i64 %257, 0
  br i1 %258, label %303, label %259

259:                                              ; preds = %256
  %260 = getelementptr inbounds nuw i8, ptr %1, i64 184
  br label %295

261:                                              ; preds = %253, %277
  %262 = phi ptr [ %278, %277 ], [ %254, %253 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #19
  %263 = call ptr @LLVMGetNamedMetadataName(ptr noundef nonnull %262, ptr noundef nonnull %4) #19
  %264 = call i32 @_ZNK4llvm11NamedMDNode14getNumOperandsEv(ptr noundef nonnull %262) #19
  %265 = load i64, ptr %4, align 8, !tbaa !32
  call fastcc void @add_bytes(ptr noundef nonnull %1, ptr noundef %263, i64 noundef %265)
  %266 = zext i32 %264 to i64
  %267 = load i64, ptr %11, align 8, !tbaa !22
  %268 = xor i64 %267, -6884282663029611473
  %269 = zext i64 %268 to i128
  %270 = xor i64 %266, -1800455987208640293
  %271 = zext i64 %270 to i128
  %272 = mul nuw i128 %269, %271
  %273 = lshr i128 %272, 64
  %274 = xor i128 %273, %272
  %275 = trunc i128 %274 to i64
  store i64 %275, ptr %11, align 8, !tbaa !22
  %276 = icmp eq i32 %264, 0
  br i1 %276, label %277, label %280

277:                                              ; preds = %280, %261
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #19
  %278 = call ptr @LLVMGetNextNamedMetadata(ptr noundef nonnull %262) #19
  %279 = icmp eq ptr %278, null
  br i1 %279, label %256, label %261, !llvm.loop !51

280:                                              ; preds = %261, %280
  %281 = phi i32 [ %293, %280 ], [ 0, %261 ]
  %282 = call ptr @_ZNK4llvm11NamedMDNode10getOperandEj(ptr noundef nonnull %262, i32 noundef %281) #19
  %283 = call fastcc i64 @node_number(ptr noundef nonnull %1, ptr noundef %282)
  %284 = load i64, ptr %11, align 8, !tbaa !22
  %285 = xor i64 %284, -6884282663029611473
  %286 = zext i64 %285 to i128
  %287 = xor i64 %283, -1800455987208640293
  %288 = zext i64 %287 to i128
  %289 = mul nuw i128 %286, %288
  %290 = lshr i128 %289, 64
  %291 = xor i128 %290, %289
  %292 = trunc i128 %291 to i64
  store i64 %292, ptr %11, align 8, !tbaa !22
  %293 = add nuw i32 %281, 1
  %294 = icmp eq i32 %293, %264
  br i1 %294, label %277, label %280, !llvm.loop !52

295:                                              ; preds = %295, %259
  %296 = phi i64 [ 0, %259 ], [ %300, %295 ]
  %297 = load ptr, ptr %260, align 8, !tbaa !20
  %298 = getelementptr inbounds nuw ptr, ptr %297, i64 %296
  %299 = load ptr, ptr %298, align 8, !tbaa !45
  call fastcc void @add_node(ptr noundef nonnull %1, ptr noundef %299)
  %300 = add nuw i64 %296, 1
  %301 = load i64, ptr %10, align 8, !tbaa !21
  %302 = icmp ult i64 %300, %301
  br i1 %302, label %295, label %303, !llvm.loop !53

303:                                              ; preds = %295, %256
  %304 = load i64, ptr %11, align 8, !tbaa !22
  store i64 %304, ptr %2, align 8, !tbaa !32
  %305 = load i64, ptr %12, align 8, !tbaa !23
  %306 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store i64 %305, ptr %306, align 8, !tbaa !32
  %307 = load i32, ptr %13, align 8, !tbaa !24
  %308 = icmp eq i32 %307, 0
  br i1 %308, label %568, label %572

309:                                              ; preds = %191, %563
  %310 = phi ptr [ %189, %191 ], [ %566, %563 ]
  call fastcc void @add_object(ptr noundef nonnull %1, ptr noundef nonnull %310)
  %311 = getelementptr inbounds nuw i8, ptr %310, i64 2
  %312 = load i16, ptr %311, align 2, !tbaa !39
  %313 = lshr i16 %312, 4
  %314 = zext nneg i16 %313 to i64
  %315 = load i64, ptr %11, align 8, !tbaa !22
  %316 = xor i64 %315, -6884282663029611473
  %317 = zext i64 %316 to i128
  %318 = xor i64 %314, -1800455987208640293
  %319 = zext i64 %318 to i128
  %320 = mul nuw i128 %319, %317
  %321 = lshr i128 %320, 64
  %322 = xor i128 %321, %320
  %323 = trunc i128 %322 to i64
  %324 = getelementptr inbounds nuw i8, ptr %310, i64 120
  %325 = load i64, ptr %324, align 8, !tbaa !54
  %326 = xor i64 %323, -6884282663029611473
  %327 = zext i64 %326 to i128
  %328 = xor i64 %325, -1800455987208640293
  %329 = zext i64 %328 to i128
  %330 = mul nuw i128 %327, %329
  %331 = lshr i128 %330, 64
  %332 = xor i128 %331, %330
  %333 = trunc i128 %332 to i64
  store i64 %333, ptr %11, align 8, !tbaa !22
  %334 = call ptr @LLVMGetGC(ptr noundef nonnull %310) #19
  call fastcc void @add_text(ptr noundef nonnull %1, ptr noundef %334)
  %335 = call i32 @LLVMHasPersonalityFn(ptr noundef nonnull %310) #19
  %336 = icmp eq i32 %335, 0
  br i1 %336, label %341, label %337

337:                                              ; preds = %309
  %338 = call ptr @LLVMGetPersonalityFn(ptr noundef nonnull %310) #19
  %339 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %338)
  %340 = xor i64 %339, -1800455987208640293
  br label %341

341:                                              ; preds = %337, %309
  %342 = phi i64 [ %340, %337 ], [ -1800455987208640293, %309 ]
  %343 = load i64, ptr %11, align 8, !tbaa !22
  %344 = xor i64 %343, -6884282663029611473
  %345 = zext i64 %344 to i128
  %346 = zext i64 %342 to i128
  %347 = mul nuw i128 %345, %346
  %348 = lshr i128 %347, 64
  %349 = xor i128 %348, %347
  %350 = trunc i128 %349 to i64
  store i64 %350, ptr %11, align 8, !tbaa !22
  %351 = call i32 @LLVMHasPrefixData(ptr noundef nonnull %310) #19
  %352 = icmp eq i32 %351, 0
  br i1 %352, label %357, label %353

353:                                              ; preds = %341
  %354 = call ptr @LLVMGetPrefixData(ptr noundef nonnull %310) #19
  %355 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %354)
  %356 = xor i64 %355, -1800455987208640293
  br label %357

357:                                              ; preds = %353, %341
  %358 = phi i64 [ %356, %353 ], [ -1800455987208640293, %341 ]
  %359 = load i64, ptr %11, align 8, !tbaa !22
  %360 = xor i64 %359, -6884282663029611473
  %361 = zext i64 %360 to i128
  %362 = zext i64 %358 to i128
  %363 = mul nuw i128 %361, %362
  %364 = lshr i128 %363, 64
  %365 = xor i128 %364, %363
  %366 = trunc i128 %365 to i64
  store i64 %366, ptr %11, align 8, !tbaa !22
  %367 = call i32 @LLVMHasPrologueData(ptr noundef nonnull %310) #19
  %368 = icmp eq i32 %367, 0
  br i1 %368, label %373, label %369

369:                                              ; preds = %357
  %370 = call ptr @LLVMGetPrologueData(ptr noundef nonnull %310) #19
  %371 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %370)
  %372 = xor i64 %371, -1800455987208640293
  br label %373

373:                                              ; preds = %369, %357
  %374 = phi i64 [ %372, %369 ], [ -1800455987208640293, %357 ]
  %375 = load i64, ptr %11, align 8, !tbaa !22
  %376 = xor i64 %375, -6884282663029611473
  %377 = zext i64 %376 to i128
  %378 = zext i64 %374 to i128
  %379 = mul nuw i128 %377, %378
  %380 = lshr i128 %379, 64
  %381 = xor i128 %380, %379
  %382 = trunc i128 %381 to i64
  store i64 %382, ptr %11, align 8, !tbaa !22
  store i64 0, ptr %193, align 8, !tbaa !56
  call fastcc void @clear(ptr noundef nonnull %194, i64 noundef 32)
  %383 = call ptr @LLVMGetFirstParam(ptr noundef nonnull %310) #19
  %384 = icmp eq ptr %383, null
  br i1 %384, label %385, label %388

385:                                              ; preds = %388, %373
  %386 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %310) #19
  %387 = icmp eq ptr %386, null
  br i1 %387, label %392, label %395

388:                                              ; preds = %373, %388
  %389 = phi ptr [ %390, %388 ], [ %383, %373 ]
  call fastcc void @number(ptr noundef nonnull %194, ptr noundef nonnull %389)
  %390 = call ptr @LLVMGetNextParam(ptr noundef nonnull %389) #19
  %391 = icmp eq ptr %390, null
  br i1 %391, label %385, label %388, !llvm.loop !57

392:                                              ; preds = %406, %385
  %393 = load i64, ptr %193, align 8, !tbaa !56
  %394 = icmp eq i64 %393, 0
  br i1 %394, label %563, label %430

395:                                              ; preds = %385, %406
  %396 = phi ptr [ %411, %406 ], [ %386, %385 ]
  %397 = call ptr @LLVMBasicBlockAsValue(ptr noundef nonnull %396) #19
  call fastcc void @number(ptr noundef nonnull %194, ptr noundef %397)
  %398 = call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %396) #19
  %399 = icmp eq ptr %398, null
  br i1 %399, label %400, label %413

400:                                              ; preds = %420, %395
  %401 = load i64, ptr %193, align 8, !tbaa !56
  %402 = load i64, ptr %195, align 8, !tbaa !58
  %403 = icmp eq i64 %401, %402
  br i1 %403, label %404, label %406

404:                                              ; preds = %400
  call fastcc void @lengthen(ptr noundef nonnull %192)
  %405 = load i64, ptr %193, align 8, !tbaa !56
  br label %406

406:                                              ; preds = %404, %400
  %407 = phi i64 [ %405, %404 ], [ %401, %400 ]
  %408 = load ptr, ptr %192, align 8, !tbaa !59
  %409 = add i64 %407, 1
  store i64 %409, ptr %193, align 8, !tbaa !56
  %410 = getelementptr inbounds nuw ptr, ptr %408, i64 %407
  store ptr null, ptr %410, align 8, !tbaa !45
  %411 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %396) #19
  %412 = icmp eq ptr %411, null
  br i1 %412, label %392, label %395, !llvm.loop !60

413:                                              ; preds = %395, %420
  %414 = phi ptr [ %428, %420 ], [ %398, %395 ]
  %415 = load i64, ptr %193, align 8, !tbaa !56
  %416 = load i64, ptr %195, align 8, !tbaa !58
  %417 = icmp eq i64 %415, %416
  br i1 %417, label %418, label %420

418:                                              ; preds = %413
  call fastcc void @lengthen(ptr noundef nonnull %192)
  %419 = load i64, ptr %193, align 8, !tbaa !56
  br label %420

420:                                              ; preds = %418, %413
  %421 = phi i64 [ %419, %418 ], [ %415, %413 ]
  %422 = load ptr, ptr %192, align 8, !tbaa !59
  %423 = add i64 %421, 1
  store i64 %423, ptr %193, align 8, !tbaa !56
  %424 = getelementptr inbounds nuw ptr, ptr %422, i64 %421
  store ptr %414, ptr %424, align 8, !tbaa !45
  %425 = getelementptr inbounds i8, ptr %414, i64 -64
  call void @llvm.prefetch.p0(ptr nonnull readonly %425, i32 0, i32 3, i32 1)
  %426 = getelementptr inbounds i8, ptr %414, i64 -32
  call void @llvm.prefetch.p0(ptr nonnull readonly %426, i32 0, i32 3, i32 1)
  %427 = getelementptr inbounds nuw i8, ptr %414, i64 72
  call void @llvm.prefetch.p0(ptr nonnull readonly %427, i32 0, i32 3, i32 1)
  call fastcc void @number(ptr noundef nonnull %194, ptr noundef nonnull %414)
  %428 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %414) #19
  %429 = icmp eq ptr %428, null
  br i1 %429, label %400, label %413, !llvm.loop !61

430:                                              ; preds = %392, %559
  %431 = phi i64 [ %560, %559 ], [ %393, %392 ]
  %432 = phi i64 [ %561, %559 ], [ 0, %392 ]
  %433 = load ptr, ptr %192, align 8, !tbaa !59
  %434 = getelementptr inbounds nuw ptr, ptr %433, i64 %432
  %435 = load ptr, ptr %434, align 8, !tbaa !45
  %436 = icmp eq ptr %435, null
  br i1 %436, label %551, label %437

437:                                              ; preds = %430
  %438 = load i8, ptr %435, align 8, !tbaa !35
  %439 = zext i8 %438 to i64
  %440 = getelementptr inbounds nuw i8, ptr %435, i64 1
  %441 = load i8, ptr %440, align 1
  %442 = lshr i8 %441, 1
  %443 = zext nneg i8 %442 to i64
  %444 = shl nuw nsw i64 %443, 8
  %445 = or disjoint i64 %444, %439
  %446 = getelementptr inbounds nuw i8, ptr %435, i64 2
  %447 = load i16, ptr %446, align 2, !tbaa !39
  %448 = zext i16 %447 to i64
  %449 = shl nuw nsw i64 %448, 16
  %450 = or disjoint i64 %445, %449
  %451 = getelementptr inbounds nuw i8, ptr %435, i64 4
  %452 = load i32, ptr %451, align 4
  %453 = and i32 %452, -2013265921
  %454 = zext i32 %453 to i64
  %455 = shl nuw i64 %454, 32
  %456 = or disjoint i64 %455, %450
  %457 = load i64, ptr %11, align 8, !tbaa !22
  %458 = xor i64 %457, -6884282663029611473
  %459 = zext i64 %458 to i128
  %460 = xor i64 %456, -1800455987208640293
  %461 = zext i64 %460 to i128
  %462 = mul nuw i128 %461, %459
  %463 = lshr i128 %462, 64
  %464 = xor i128 %463, %462
  %465 = trunc i128 %464 to i64
  %466 = getelementptr inbounds nuw i8, ptr %435, i64 8
  %467 = load ptr, ptr %466, align 8, !tbaa !62
  %468 = ptrtoint ptr %467 to i64
  %469 = lshr i64 %468, 3
  %470 = and i64 %469, 63
  %471 = getelementptr inbounds nuw ptr, ptr %9, i64 %470
  %472 = xor i64 %465, -6884282663029611473
  %473 = zext i64 %472 to i128
  %474 = xor i64 %468, -1800455987208640293
  %475 = zext i64 %474 to i128
  %476 = mul nuw i128 %473, %475
  %477 = lshr i128 %476, 64
  %478 = xor i128 %477, %476
  %479 = trunc i128 %478 to i64
  store i64 %479, ptr %11, align 8, !tbaa !22
  %480 = load ptr, ptr %471, align 8, !tbaa !63
  %481 = icmp eq ptr %480, %467
  br i1 %481, label %483, label %482

482:                                              ; preds = %437
  store ptr %467, ptr %471, align 8, !tbaa !63
  call fastcc void @add_new_type(ptr noundef nonnull %1, ptr noundef %467)
  br label %483

483:                                              ; preds = %482, %437
  %484 = load i32, ptr %451, align 4
  %485 = and i32 %484, 1073741824
  %486 = icmp eq i32 %485, 0
  br i1 %486, label %491, label %487

487:                                              ; preds = %483
  %488 = getelementptr inbounds i8, ptr %435, i64 -8
  %489 = load ptr, ptr %488, align 8, !tbaa !45
  %490 = and i32 %484, 134217727
  br label %496

491:                                              ; preds = %483
  %492 = and i32 %484, 134217727
  %493 = zext nneg i32 %492 to i64
  %494 = sub nsw i64 0, %493
  %495 = getelementptr inbounds %struct.Use, ptr %435, i64 %494
  br label %496

496:                                              ; preds = %491, %487
  %497 = phi i32 [ %490, %487 ], [ %492, %491 ]
  %498 = phi ptr [ %489, %487 ], [ %495, %491 ]
  %499 = icmp eq i32 %497, 0
  br i1 %499, label %500, label %515

500:                                              ; preds = %515, %496
  %501 = load i8, ptr %435, align 8, !tbaa !35
  %502 = zext i8 %501 to i64
  %503 = getelementptr inbounds nuw i8, ptr %196, i64 %502
  %504 = load i8, ptr %503, align 1, !tbaa !64
  %505 = icmp eq i8 %504, 0
  br i1 %505, label %506, label %509

506:                                              ; preds = %500
  %507 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %435) #19
  %508 = trunc i32 %507 to i8
  store i8 %508, ptr %503, align 1, !tbaa !64
  br label %509

509:                                              ; preds = %506, %500
  %510 = phi i8 [ %508, %506 ], [ %504, %500 ]
  %511 = zext i8 %510 to i32
  call fastcc void @add_particulars(ptr noundef nonnull %1, ptr noundef nonnull %435, i32 noundef %511)
  %512 = load i32, ptr %451, align 4
  %513 = and i32 %512, 536870912
  %514 = icmp eq i32 %513, 0
  br i1 %514, label %535, label %534

515:                                              ; preds = %496, %515
  %516 = phi i64 [ %529, %515 ], [ 0, %496 ]
  %517 = getelementptr inbounds nuw %struct.Use, ptr %498, i64 %516
  %518 = load ptr, ptr %517, align 8, !tbaa !46
  %519 = call fastcc i64 @number_of(ptr noundef nonnull %1, ptr noundef %518)
  %520 = load i64, ptr %11, align 8, !tbaa !22
  %521 = xor i64 %520, -6884282663029611473
  %522 = zext i64 %521 to i128
  %523 = xor i64 %519, -1800455987208640293
  %524 = zext i64 %523 to i128
  %525 = mul nuw i128 %522, %524
  %526 = lshr i128 %525, 64
  %527 = xor i128 %526, %525
  %528 = trunc i128 %527 to i64
  store i64 %528, ptr %11, align 8, !tbaa !22
  %529 = add nuw nsw i64 %516, 1
  %530 = load i32, ptr %451, align 4
  %531 = and i32 %530, 134217727
  %532 = zext nneg i32 %531 to i64
  %533 = icmp samesign ult i64 %529, %532
  br i1 %533, label %515, label %500, !llvm.loop !65

534:                                              ; preds = %509
  call fastcc void @add_attachments(ptr noundef nonnull %1, ptr noundef nonnull %435)
  br label %535

535:                                              ; preds = %534, %509
  %536 = getelementptr inbounds nuw i8, ptr %435, i64 48
  %537 = load ptr, ptr %536, align 8, !tbaa !66
  %538 = icmp eq ptr %537, null
  br i1 %538, label %539, label %546

539:                                              ; preds = %535
  %540 = getelementptr inbounds nuw i8, ptr %435, i64 64
  %541 = load ptr, ptr %540, align 8, !tbaa !69
  %542 = icmp eq ptr %541, null
  br i1 %542, label %547, label %543

543:                                              ; preds = %539
  %544 = call ptr @LLVMGetFirstDbgRecord(ptr noundef nonnull %435) #19
  %545 = icmp eq ptr %544, null
  br i1 %545, label %547, label %546

546:                                              ; preds = %543, %535
  store i32 1, ptr %13, align 8, !tbaa !24
  br label %547

547:                                              ; preds = %546, %543, %539
  %548 = load i64, ptr %12, align 8, !tbaa !23
  %549 = add i64 %548, 1
  store i64 %549, ptr %12, align 8, !tbaa !23
  %550 = load i64, ptr %193, align 8, !tbaa !56
  br label %559

551:                                              ; preds = %430
  %552 = load i64, ptr %11, align 8, !tbaa !22
  %553 = xor i64 %552, -6884282663029611473
  %554 = zext i64 %553 to i128
  %555 = mul nuw i128 %554, 16646288086500911323
  %556 = lshr i128 %555, 64
  %557 = xor i128 %556, %555
  %558 = trunc i128 %557 to i64
  store i64 %558, ptr %11, align 8, !tbaa !22
  br label %559

559:                                              ; preds = %551, %547
  %560 = phi i64 [ %431, %551 ], [ %550, %547 ]
  %561 = add nuw i64 %432, 1
  %562 = icmp ult i64 %561, %560
  br i1 %562, label %430, label %563, !llvm.loop !70

563:                                              ; preds = %559, %392
  %564 = getelementptr inbounds nuw i8, ptr %310, i64 112
  %565 = load ptr, ptr %564, align 8, !tbaa !71
  call fastcc void @add_names(ptr noundef nonnull %1, ptr noundef %565)
  %566 = call ptr @LLVMGetNextFunction(ptr noundef nonnull %310) #19
  %567 = icmp eq ptr %566, null
  br i1 %567, label %253, label %309, !llvm.loop !72

568:                                              ; preds = %303
  %569 = call ptr @LLVMGetFirstGlobalIFunc(ptr noundef %0) #19
  %570 = icmp eq ptr %569, null
  %571 = zext i1 %570 to i32
  br label %572

572:                                              ; preds = %568, %303
  %573 = phi i32 [ 0, %303 ], [ %571, %568 ]
  ret i32 %573
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
  %4 = load i64, ptr %3, align 8, !tbaa !32
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8, !tbaa !32
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
  br i1 %3, label %67, label %4

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
  switch i8 %16, label %65 [
    i8 25, label %17
    i8 1, label %17
    i8 2, label %17
    i8 6, label %37
    i8 9, label %37
    i8 7, label %37
    i8 19, label %56
    i8 20, label %56
    i8 21, label %56
    i8 15, label %56
    i8 26, label %56
    i8 16, label %56
    i8 17, label %56
    i8 18, label %56
    i8 22, label %56
    i8 27, label %56
    i8 24, label %56
    i8 11, label %58
    i8 12, label %58
    i8 13, label %58
    i8 14, label %58
    i8 23, label %62
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
  br label %67

37:                                               ; preds = %15, %15, %15
  %38 = ptrtoint ptr %1 to i64
  %39 = mul i64 %38, -7046029254386353131
  %40 = lshr i64 %39, 32
  %41 = load ptr, ptr %0, align 8, !tbaa !73
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %43 = load i64, ptr %42, align 8, !tbaa !74
  br label %44

44:                                               ; preds = %44, %37
  %45 = phi i64 [ %40, %37 ], [ %52, %44 ]
  %46 = and i64 %45, %43
  %47 = getelementptr inbounds nuw %struct.Slot, ptr %41, i64 %46
  %48 = load ptr, ptr %47, align 8, !tbaa !75
  %49 = icmp eq ptr %48, null
  %50 = icmp eq ptr %48, %1
  %51 = or i1 %49, %50
  %52 = add i64 %45, 1
  br i1 %51, label %53, label %44, !llvm.loop !77

53:                                               ; preds = %44
  %54 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %55 = load i64, ptr %54, align 8, !tbaa !79
  br label %67

56:                                               ; preds = %15, %15, %15, %15, %15, %15, %15, %15, %15, %15, %15
  %57 = ptrtoint ptr %1 to i64
  br label %67

58:                                               ; preds = %15, %15, %15, %15
  %59 = zext nneg i8 %16 to i32
  %60 = add nsw i32 %59, -1
  %61 = tail call fastcc i64 @constant_number(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %60)
  br label %67

62:                                               ; preds = %15
  %63 = tail call ptr @LLVMValueAsMetadata(ptr noundef nonnull %1) #19
  %64 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %63)
  br label %67

65:                                               ; preds = %15
  %66 = getelementptr inbounds nuw i8, ptr %0, i64 5360
  store i32 1, ptr %66, align 8, !tbaa !24
  br label %67

67:                                               ; preds = %34, %53, %56, %58, %62, %65, %2
  %68 = phi i64 [ 0, %2 ], [ 0, %65 ], [ %36, %34 ], [ %55, %53 ], [ %57, %56 ], [ %61, %58 ], [ %64, %62 ]
  ret i64 %68
}

declare ptr @LLVMGetComdat(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_global(ptr noundef %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #19
  %4 = call ptr @LLVMGetValueName2(ptr noundef nonnull %1, ptr noundef nonnull %3) #19
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %6 = load i32, ptr %5, align 8
  %7 = load i64, ptr %3, align 8, !tbaa !32
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
  store ptr %4, ptr %3, align 8, !tbaa !28
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1240
  store i32 0, ptr %5, align 8, !tbaa !29
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1244
  store i32 256, ptr %6, align 4, !tbaa !30
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
  %15 = load i32, ptr %5, align 8, !tbaa !29
  %16 = icmp eq i32 %15, 0
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %18 = load i64, ptr %17, align 8, !tbaa !22
  br i1 %16, label %22, label %35

19:                                               ; preds = %35
  %20 = zext i32 %65 to i64
  %21 = xor i64 %20, -1800455987208640293
  br label %22

22:                                               ; preds = %14, %19
  %23 = phi i64 [ %63, %19 ], [ %18, %14 ]
  %24 = phi i64 [ %21, %19 ], [ -1800455987208640293, %14 ]
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %26 = xor i64 %23, -6884282663029611473
  %27 = zext i64 %26 to i128
  %28 = zext i64 %24 to i128
  %29 = mul nuw i128 %27, %28
  %30 = lshr i128 %29, 64
  %31 = xor i128 %30, %29
  %32 = trunc i128 %31 to i64
  store i64 %32, ptr %25, align 8, !tbaa !22
  %33 = load ptr, ptr %3, align 8, !tbaa !28
  %34 = icmp eq ptr %33, %4
  br i1 %34, label %69, label %68

35:                                               ; preds = %14, %35
  %36 = phi i64 [ %63, %35 ], [ %18, %14 ]
  %37 = phi i64 [ %64, %35 ], [ 0, %14 ]
  %38 = load ptr, ptr %3, align 8, !tbaa !28
  %39 = getelementptr inbounds nuw %struct.Pair, ptr %38, i64 %37
  %40 = load ptr, ptr %39, align 8, !tbaa !75
  %41 = ptrtoint ptr %40 to i64
  %42 = and i64 %41, 4294967295
  %43 = xor i64 %36, -6884282663029611473
  %44 = zext i64 %43 to i128
  %45 = xor i64 %42, -1800455987208640293
  %46 = zext i64 %45 to i128
  %47 = mul nuw i128 %46, %44
  %48 = lshr i128 %47, 64
  %49 = xor i128 %48, %47
  %50 = trunc i128 %49 to i64
  store i64 %50, ptr %17, align 8, !tbaa !22
  %51 = getelementptr inbounds nuw i8, ptr %39, i64 8
  %52 = load i64, ptr %51, align 8, !tbaa !79
  %53 = inttoptr i64 %52 to ptr
  %54 = tail call fastcc i64 @node_number(ptr noundef nonnull %0, ptr noundef %53)
  %55 = load i64, ptr %17, align 8, !tbaa !22
  %56 = xor i64 %55, -6884282663029611473
  %57 = zext i64 %56 to i128
  %58 = xor i64 %54, -1800455987208640293
  %59 = zext i64 %58 to i128
  %60 = mul nuw i128 %57, %59
  %61 = lshr i128 %60, 64
  %62 = xor i128 %61, %60
  %63 = trunc i128 %62 to i64
  store i64 %63, ptr %17, align 8, !tbaa !22
  %64 = add nuw nsw i64 %37, 1
  %65 = load i32, ptr %5, align 8, !tbaa !29
  %66 = zext i32 %65 to i64
  %67 = icmp samesign ult i64 %64, %66
  br i1 %67, label %35, label %19, !llvm.loop !89

68:                                               ; preds = %22
  tail call void @free(ptr noundef %33)
  br label %69

69:                                               ; preds = %68, %22
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
  %141 = load i64, ptr %140, align 8, !tbaa !32
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
  %151 = load i64, ptr %150, align 8, !tbaa !32
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
  %161 = load i64, ptr %160, align 8, !tbaa !32
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
  %171 = load i64, ptr %170, align 8, !tbaa !32
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
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %4 = icmp eq ptr %1, null
  br i1 %4, label %11, label %5

5:                                                ; preds = %2
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  %9 = load i32, ptr %3, align 8, !tbaa !96
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:                                               ; preds = %49, %5, %2
  ret void

12:                                               ; preds = %5, %49
  %13 = phi i64 [ %50, %49 ], [ 0, %5 ]
  %14 = load ptr, ptr %1, align 8, !tbaa !98
  %15 = getelementptr inbounds nuw ptr, ptr %14, i64 %13
  %16 = load ptr, ptr %15, align 8, !tbaa !45
  %17 = ptrtoint ptr %16 to i64
  switch i64 %17, label %18 [
    i64 -8, label %49
    i64 0, label %49
  ]

18:                                               ; preds = %12
  %19 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %20 = load ptr, ptr %19, align 8, !tbaa !99
  %21 = ptrtoint ptr %20 to i64
  %22 = mul i64 %21, -7046029254386353131
  %23 = lshr i64 %22, 32
  %24 = load ptr, ptr %6, align 8, !tbaa !73
  %25 = load i64, ptr %7, align 8, !tbaa !74
  br label %26

26:                                               ; preds = %26, %18
  %27 = phi i64 [ %23, %18 ], [ %34, %26 ]
  %28 = and i64 %27, %25
  %29 = getelementptr inbounds nuw %struct.Slot, ptr %24, i64 %28
  %30 = load ptr, ptr %29, align 8, !tbaa !75
  %31 = icmp eq ptr %30, null
  %32 = icmp eq ptr %30, %20
  %33 = or i1 %31, %32
  %34 = add i64 %27, 1
  br i1 %33, label %35, label %26, !llvm.loop !77

35:                                               ; preds = %26
  %36 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %37 = load i64, ptr %36, align 8, !tbaa !79
  %38 = load i64, ptr %8, align 8, !tbaa !22
  %39 = xor i64 %38, -6884282663029611473
  %40 = zext i64 %39 to i128
  %41 = xor i64 %37, -1800455987208640293
  %42 = zext i64 %41 to i128
  %43 = mul nuw i128 %40, %42
  %44 = lshr i128 %43, 64
  %45 = xor i128 %44, %43
  %46 = trunc i128 %45 to i64
  store i64 %46, ptr %8, align 8, !tbaa !22
  %47 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %48 = load i64, ptr %16, align 8, !tbaa !32
  tail call fastcc void @add_bytes(ptr noundef nonnull %0, ptr noundef nonnull %47, i64 noundef %48)
  br label %49

49:                                               ; preds = %12, %12, %35
  %50 = add nuw nsw i64 %13, 1
  %51 = load i32, ptr %3, align 8, !tbaa !96
  %52 = zext i32 %51 to i64
  %53 = icmp samesign ult i64 %50, %52
  br i1 %53, label %12, label %11
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
  %23 = load i64, ptr %22, align 8, !tbaa !100
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
  %44 = load i64, ptr %43, align 8, !tbaa !100
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
  %56 = load i64, ptr %55, align 8, !tbaa !101
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
  %86 = load i64, ptr %85, align 8, !tbaa !100
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
  %112 = load i64, ptr %19, align 8, !tbaa !100
  %113 = and i64 %112, 4294967295
  %114 = getelementptr inbounds nuw %struct.Use, ptr %111, i64 %113
  %115 = getelementptr inbounds nuw ptr, ptr %114, i64 %99
  %116 = load ptr, ptr %115, align 8, !tbaa !99
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
  br i1 %131, label %98, label %210, !llvm.loop !102

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
  br i1 %149, label %132, label %210, !llvm.loop !103

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
  br i1 %180, label %210, label %164, !llvm.loop !104

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
  br i1 %209, label %210, label %195, !llvm.loop !105

210:                                              ; preds = %195, %164, %132, %110, %181, %150, %5, %12, %41, %21, %3, %84, %78
  ret void
}

declare ptr @LLVMGetFirstDbgRecord(ptr noundef) local_unnamed_addr #6

; Function Attrs: noinline nounwind
define internal fastcc void @add_bundles(ptr noundef captures(none) %0, ptr noundef nonnull %1) unnamed_addr #12 {
  %3 = alloca i64, align 8
  %4 = tail call i32 @LLVMGetNumOperandBundles(ptr noundef nonnull %1) #19
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %8, label %6

6:                                                ; preds = %2
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 5344
  br label %9

8:                                                ; preds = %9, %2
  ret void

9:                                                ; preds = %6, %9
  %10 = phi i32 [ 0, %6 ], [ %25, %9 ]
  %11 = call ptr @LLVMGetOperandBundleAtIndex(ptr noundef nonnull %1, i32 noundef %10) #19
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #19
  %12 = call ptr @LLVMGetOperandBundleTag(ptr noundef %11, ptr noundef nonnull %3) #19
  %13 = load i64, ptr %3, align 8, !tbaa !32
  call fastcc void @add_bytes(ptr noundef %0, ptr noundef %12, i64 noundef %13)
  %14 = call i32 @LLVMGetNumOperandBundleArgs(ptr noundef %11) #19
  %15 = zext i32 %14 to i64
  %16 = load i64, ptr %7, align 8, !tbaa !22
  %17 = xor i64 %16, -6884282663029611473
  %18 = zext i64 %17 to i128
  %19 = xor i64 %15, -1800455987208640293
  %20 = zext i64 %19 to i128
  %21 = mul nuw i128 %18, %20
  %22 = lshr i128 %21, 64
  %23 = xor i128 %22, %21
  %24 = trunc i128 %23 to i64
  store i64 %24, ptr %7, align 8, !tbaa !22
  call void @LLVMDisposeOperandBundle(ptr noundef %11) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #19
  %25 = add nuw i32 %10, 1
  %26 = icmp eq i32 %25, %4
  br i1 %26, label %8, label %9, !llvm.loop !106
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
  %3 = load i8, ptr %1, align 4, !tbaa !107
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
  %35 = load ptr, ptr %34, align 8, !tbaa !109
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
  %54 = load i32, ptr %53, align 8, !tbaa !111
  %55 = zext i32 %54 to i64
  %56 = load ptr, ptr %52, align 8, !tbaa !114
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
  %80 = load ptr, ptr %79, align 8, !tbaa !115
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
  br i1 %92, label %95, label %77, !llvm.loop !116

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
!25 = distinct !{!25, !26}
!26 = !{!"llvm.loop.mustprogress"}
!27 = distinct !{!27, !26}
!28 = !{!14, !10, i64 0}
!29 = !{!14, !4, i64 8}
!30 = !{!14, !4, i64 12}
!31 = !{ptr @_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE, ptr @_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE, ptr @_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE}
!32 = !{!11, !11, i64 0}
!33 = !{!8, !11, i64 16}
!34 = distinct !{!34, !26}
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
!49 = distinct !{!49, !26}
!50 = distinct !{!50, !26}
!51 = distinct !{!51, !26}
!52 = distinct !{!52, !26}
!53 = distinct !{!53, !26}
!54 = !{!55, !11, i64 120}
!55 = !{!"", !42, i64 0, !5, i64 72, !11, i64 96, !11, i64 104, !10, i64 112, !11, i64 120}
!56 = !{!12, !11, i64 8}
!57 = distinct !{!57, !26}
!58 = !{!12, !11, i64 16}
!59 = !{!12, !13, i64 0}
!60 = distinct !{!60, !26}
!61 = distinct !{!61, !26}
!62 = !{!36, !38, i64 8}
!63 = !{!38, !38, i64 0}
!64 = !{!5, !5, i64 0}
!65 = distinct !{!65, !26}
!66 = !{!67, !68, i64 48}
!67 = !{!"", !36, i64 0, !10, i64 24, !10, i64 32, !10, i64 40, !68, i64 48, !11, i64 56, !10, i64 64, !11, i64 72, !11, i64 80}
!68 = !{!"p1 _ZTS8Metadata", !10, i64 0}
!69 = !{!67, !10, i64 64}
!70 = distinct !{!70, !26}
!71 = !{!55, !10, i64 112}
!72 = distinct !{!72, !26}
!73 = !{!9, !10, i64 0}
!74 = !{!9, !11, i64 8}
!75 = !{!76, !10, i64 0}
!76 = !{!"", !10, i64 0, !11, i64 8}
!77 = distinct !{!77, !26}
!78 = !{!9, !11, i64 16}
!79 = !{!76, !11, i64 8}
!80 = distinct !{!80, !26}
!81 = !{!9, !11, i64 24}
!82 = !{i64 0, i64 8, !45, i64 8, i64 8, !32}
!83 = distinct !{!83, !26}
!84 = distinct !{!84, !26}
!85 = distinct !{!85, !26}
!86 = distinct !{!86, !87}
!87 = !{!"llvm.loop.unroll.disable"}
!88 = !{!42, !38, i64 24}
!89 = distinct !{!89, !26}
!90 = distinct !{!90, !26}
!91 = !{!8, !11, i64 112}
!92 = distinct !{!92, !26}
!93 = !{!94, !38, i64 24}
!94 = !{!"", !36, i64 0, !38, i64 24, !38, i64 32, !5, i64 40, !5, i64 72}
!95 = !{!94, !5, i64 72}
!96 = !{!97, !4, i64 8}
!97 = !{!"", !13, i64 0, !4, i64 8, !4, i64 12}
!98 = !{!97, !13, i64 0}
!99 = !{!48, !48, i64 0}
!100 = !{!67, !11, i64 72}
!101 = !{!67, !11, i64 80}
!102 = distinct !{!102, !26}
!103 = distinct !{!103, !26}
!104 = distinct !{!104, !26}
!105 = distinct !{!105, !26}
!106 = distinct !{!106, !26}
!107 = !{!108, !5, i64 0}
!108 = !{!"Metadata", !5, i64 0, !5, i64 1, !5, i64 1, !37, i64 2, !4, i64 4}
!109 = !{!110, !48, i64 128}
!110 = !{!"", !108, i64 0, !5, i64 8, !48, i64 128}
!111 = !{!112, !4, i64 8}
!112 = !{!"", !113, i64 0, !4, i64 8, !4, i64 12}
!113 = !{!"p2 _ZTS8Metadata", !13, i64 0}
!114 = !{!112, !113, i64 0}
!115 = !{!68, !68, i64 0}
!116 = distinct !{!116, !26}
