; ModuleID = 'steps.c'
source_filename = "steps.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Observation = type { ptr, ptr, i64 }

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_steps(ptr noundef captures(none) %0) local_unnamed_addr #0 {
  %2 = alloca [256 x i64], align 16
  %3 = alloca [2 x i64], align 16
  %4 = alloca [2 x i64], align 16
  %5 = alloca [2 x i64], align 16
  %6 = alloca [2 x i64], align 16
  %7 = alloca [79 x i8], align 16
  %8 = alloca [16443 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #5
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #5
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %19 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %20 = getelementptr inbounds nuw i8, ptr %7, i64 4
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 5
  %22 = getelementptr inbounds nuw i8, ptr %7, i64 6
  %23 = getelementptr inbounds nuw i8, ptr %7, i64 14
  %24 = getelementptr inbounds nuw i8, ptr %7, i64 30
  %25 = getelementptr inbounds nuw i8, ptr %7, i64 34
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %7, i64 26
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %29 = getelementptr inbounds nuw i8, ptr %7, i64 38
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %41 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %42 = getelementptr inbounds nuw i8, ptr %8, i64 5
  %43 = getelementptr inbounds nuw i8, ptr %8, i64 6
  %44 = getelementptr inbounds nuw i8, ptr %8, i64 14
  %45 = getelementptr inbounds nuw i8, ptr %8, i64 15
  %46 = getelementptr inbounds nuw i8, ptr %8, i64 19
  %47 = ptrtoint ptr %8 to i64
  br label %48

48:                                               ; preds = %311, %1
  %49 = load i64, ptr %9, align 8, !tbaa !7
  %50 = load i64, ptr %0, align 8, !tbaa !14
  %51 = trunc i64 %50 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #5
  %52 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #5
  %53 = load i64, ptr %6, align 16, !tbaa !15
  %54 = mul i64 %53, 1000000000
  %55 = load i64, ptr %10, align 8, !tbaa !15
  %56 = add i64 %54, %55
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #5
  %57 = load i64, ptr %11, align 8, !tbaa !16
  %58 = load i64, ptr %12, align 8, !tbaa !17
  %59 = icmp ult i64 %57, %58
  br i1 %59, label %60, label %89

60:                                               ; preds = %48
  %61 = load i64, ptr %13, align 8, !tbaa !18
  %62 = icmp ugt i64 %56, %61
  br i1 %62, label %63, label %89

63:                                               ; preds = %60, %71
  %64 = phi i64 [ %80, %71 ], [ %56, %60 ]
  %65 = call i64 @recv(i32 noundef %51, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #5
  %66 = icmp slt i64 %65, 0
  br i1 %66, label %67, label %91

67:                                               ; preds = %63
  %68 = load i64, ptr %14, align 8, !tbaa !19
  %69 = add i64 %68, %56
  %70 = icmp ult i64 %64, %69
  br i1 %70, label %71, label %89

71:                                               ; preds = %67
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %72 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #5
  %73 = load i64, ptr %5, align 16, !tbaa !15
  %74 = load i64, ptr %15, align 8, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %75 = call i32 @sched_yield() #5
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  %76 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #5
  %77 = load i64, ptr %4, align 16, !tbaa !15
  %78 = mul i64 %77, 1000000000
  %79 = load i64, ptr %16, align 8, !tbaa !15
  %80 = add i64 %78, %79
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  %81 = mul i64 %73, -1000000000
  %82 = sub i64 %81, %74
  %83 = add i64 %82, %80
  %84 = load i64, ptr %17, align 8, !tbaa !20
  %85 = icmp ugt i64 %83, %84
  br i1 %85, label %86, label %63

86:                                               ; preds = %71
  %87 = load i64, ptr %18, align 8, !tbaa !21
  %88 = add i64 %87, %80
  store i64 %88, ptr %13, align 8, !tbaa !18
  br label %89

89:                                               ; preds = %67, %86, %60, %48
  %90 = call i64 @recv(i32 noundef %51, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 2) #5
  br label %91

91:                                               ; preds = %63, %89
  %92 = phi i64 [ %90, %89 ], [ %65, %63 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  %93 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #5
  %94 = load i64, ptr %3, align 16, !tbaa !15
  %95 = mul i64 %94, 1000000000
  %96 = load i64, ptr %19, align 8, !tbaa !15
  %97 = add i64 %95, %96
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  %98 = load i64, ptr %14, align 8, !tbaa !19
  %99 = add i64 %98, %56
  %100 = icmp ult i64 %97, %99
  br i1 %100, label %104, label %101

101:                                              ; preds = %91
  %102 = load i64, ptr %11, align 8, !tbaa !16
  %103 = add i64 %102, 1
  br label %104

104:                                              ; preds = %91, %101
  %105 = phi i64 [ %103, %101 ], [ 0, %91 ]
  store i64 %105, ptr %11, align 8, !tbaa !16
  %106 = icmp slt i64 %92, 38
  br i1 %106, label %380, label %107

107:                                              ; preds = %104
  %108 = load i32, ptr %7, align 16
  %109 = zext i32 %108 to i64
  %110 = add nuw nsw i64 %109, 4
  %111 = icmp eq i64 %92, %110
  %112 = load i8, ptr %20, align 4
  %113 = icmp eq i8 %112, 0
  %114 = select i1 %111, i1 %113, i1 false
  %115 = load i8, ptr %21, align 1
  %116 = icmp eq i8 %115, 1
  %117 = select i1 %114, i1 %116, i1 false
  br i1 %117, label %118, label %380

118:                                              ; preds = %107
  %119 = load i64, ptr %22, align 2
  %120 = load i64, ptr %23, align 2
  %121 = load i32, ptr %24, align 2
  %122 = load i32, ptr %25, align 2
  %123 = load i64, ptr %26, align 8, !tbaa !22
  %124 = icmp eq i64 %120, %123
  br i1 %124, label %125, label %380

125:                                              ; preds = %118
  %126 = load i32, ptr %27, align 2
  %127 = zext i32 %126 to i64
  %128 = load i64, ptr %28, align 8, !tbaa !23
  %129 = icmp eq i64 %128, %127
  br i1 %129, label %130, label %380

130:                                              ; preds = %125
  %131 = icmp ugt i32 %121, 1
  %132 = icmp ugt i32 %122, 8
  %133 = select i1 %131, i1 true, i1 %132
  br i1 %133, label %380, label %134

134:                                              ; preds = %130
  %135 = shl nuw nsw i32 %121, 3
  %136 = or disjoint i32 %135, 38
  %137 = shl nuw nsw i32 %122, 2
  %138 = add nuw nsw i32 %136, %137
  %139 = zext nneg i32 %138 to i64
  %140 = icmp eq i64 %92, %139
  br i1 %140, label %141, label %380

141:                                              ; preds = %134
  %142 = icmp eq i32 %121, 0
  %143 = load i64, ptr %29, align 2
  %144 = select i1 %142, i64 0, i64 %143
  %145 = zext nneg i32 %135 to i64
  %146 = getelementptr inbounds nuw i8, ptr %29, i64 %145
  %147 = icmp eq i32 %122, 0
  br i1 %147, label %250, label %148

148:                                              ; preds = %141
  %149 = load i64, ptr %30, align 8, !tbaa !24
  %150 = load i32, ptr %146, align 2
  %151 = zext i32 %150 to i64
  %152 = icmp ugt i64 %149, %151
  br i1 %152, label %244, label %380

153:                                              ; preds = %244
  %154 = icmp eq i32 %122, 1
  br i1 %154, label %250, label %155, !llvm.loop !25

155:                                              ; preds = %153
  %156 = getelementptr inbounds nuw i8, ptr %146, i64 4
  %157 = load i32, ptr %156, align 2
  %158 = zext i32 %157 to i64
  %159 = icmp ugt i64 %149, %158
  br i1 %159, label %160, label %380

160:                                              ; preds = %155
  %161 = load ptr, ptr %31, align 8, !tbaa !27
  %162 = getelementptr inbounds nuw %struct.Observation, ptr %161, i64 %158
  %163 = getelementptr inbounds nuw i8, ptr %162, i64 16
  %164 = load i64, ptr %163, align 8, !tbaa !28
  %165 = icmp eq i64 %164, 0
  br i1 %165, label %380, label %166

166:                                              ; preds = %160
  %167 = icmp eq i32 %122, 2
  br i1 %167, label %250, label %168, !llvm.loop !25

168:                                              ; preds = %166
  %169 = getelementptr inbounds nuw i8, ptr %146, i64 8
  %170 = load i32, ptr %169, align 2
  %171 = zext i32 %170 to i64
  %172 = icmp ugt i64 %149, %171
  br i1 %172, label %173, label %380

173:                                              ; preds = %168
  %174 = load ptr, ptr %31, align 8, !tbaa !27
  %175 = getelementptr inbounds nuw %struct.Observation, ptr %174, i64 %171
  %176 = getelementptr inbounds nuw i8, ptr %175, i64 16
  %177 = load i64, ptr %176, align 8, !tbaa !28
  %178 = icmp eq i64 %177, 0
  br i1 %178, label %380, label %179

179:                                              ; preds = %173
  %180 = icmp eq i32 %122, 3
  br i1 %180, label %250, label %181, !llvm.loop !25

181:                                              ; preds = %179
  %182 = getelementptr inbounds nuw i8, ptr %146, i64 12
  %183 = load i32, ptr %182, align 2
  %184 = zext i32 %183 to i64
  %185 = icmp ugt i64 %149, %184
  br i1 %185, label %186, label %380

186:                                              ; preds = %181
  %187 = load ptr, ptr %31, align 8, !tbaa !27
  %188 = getelementptr inbounds nuw %struct.Observation, ptr %187, i64 %184
  %189 = getelementptr inbounds nuw i8, ptr %188, i64 16
  %190 = load i64, ptr %189, align 8, !tbaa !28
  %191 = icmp eq i64 %190, 0
  br i1 %191, label %380, label %192

192:                                              ; preds = %186
  %193 = icmp eq i32 %122, 4
  br i1 %193, label %250, label %194, !llvm.loop !25

194:                                              ; preds = %192
  %195 = getelementptr inbounds nuw i8, ptr %146, i64 16
  %196 = load i32, ptr %195, align 2
  %197 = zext i32 %196 to i64
  %198 = icmp ugt i64 %149, %197
  br i1 %198, label %199, label %380

199:                                              ; preds = %194
  %200 = load ptr, ptr %31, align 8, !tbaa !27
  %201 = getelementptr inbounds nuw %struct.Observation, ptr %200, i64 %197
  %202 = getelementptr inbounds nuw i8, ptr %201, i64 16
  %203 = load i64, ptr %202, align 8, !tbaa !28
  %204 = icmp eq i64 %203, 0
  br i1 %204, label %380, label %205

205:                                              ; preds = %199
  %206 = icmp eq i32 %122, 5
  br i1 %206, label %250, label %207, !llvm.loop !25

207:                                              ; preds = %205
  %208 = getelementptr inbounds nuw i8, ptr %146, i64 20
  %209 = load i32, ptr %208, align 2
  %210 = zext i32 %209 to i64
  %211 = icmp ugt i64 %149, %210
  br i1 %211, label %212, label %380

212:                                              ; preds = %207
  %213 = load ptr, ptr %31, align 8, !tbaa !27
  %214 = getelementptr inbounds nuw %struct.Observation, ptr %213, i64 %210
  %215 = getelementptr inbounds nuw i8, ptr %214, i64 16
  %216 = load i64, ptr %215, align 8, !tbaa !28
  %217 = icmp eq i64 %216, 0
  br i1 %217, label %380, label %218

218:                                              ; preds = %212
  %219 = icmp eq i32 %122, 6
  br i1 %219, label %250, label %220, !llvm.loop !25

220:                                              ; preds = %218
  %221 = getelementptr inbounds nuw i8, ptr %146, i64 24
  %222 = load i32, ptr %221, align 2
  %223 = zext i32 %222 to i64
  %224 = icmp ugt i64 %149, %223
  br i1 %224, label %225, label %380

225:                                              ; preds = %220
  %226 = load ptr, ptr %31, align 8, !tbaa !27
  %227 = getelementptr inbounds nuw %struct.Observation, ptr %226, i64 %223
  %228 = getelementptr inbounds nuw i8, ptr %227, i64 16
  %229 = load i64, ptr %228, align 8, !tbaa !28
  %230 = icmp eq i64 %229, 0
  br i1 %230, label %380, label %231

231:                                              ; preds = %225
  %232 = icmp eq i32 %122, 7
  br i1 %232, label %250, label %233, !llvm.loop !25

233:                                              ; preds = %231
  %234 = getelementptr inbounds nuw i8, ptr %146, i64 28
  %235 = load i32, ptr %234, align 2
  %236 = zext i32 %235 to i64
  %237 = icmp ugt i64 %149, %236
  br i1 %237, label %238, label %380

238:                                              ; preds = %233
  %239 = load ptr, ptr %31, align 8, !tbaa !27
  %240 = getelementptr inbounds nuw %struct.Observation, ptr %239, i64 %236
  %241 = getelementptr inbounds nuw i8, ptr %240, i64 16
  %242 = load i64, ptr %241, align 8, !tbaa !28
  %243 = icmp eq i64 %242, 0
  br i1 %243, label %380, label %250

244:                                              ; preds = %148
  %245 = load ptr, ptr %31, align 8, !tbaa !27
  %246 = getelementptr inbounds nuw %struct.Observation, ptr %245, i64 %151
  %247 = getelementptr inbounds nuw i8, ptr %246, i64 16
  %248 = load i64, ptr %247, align 8, !tbaa !28
  %249 = icmp eq i64 %248, 0
  br i1 %249, label %380, label %153

250:                                              ; preds = %153, %166, %179, %192, %205, %218, %231, %238, %141
  %251 = load i64, ptr %32, align 8, !tbaa !31
  %252 = icmp ult i64 %144, %251
  br i1 %252, label %253, label %380

253:                                              ; preds = %250
  %254 = icmp ne i32 %121, 0
  %255 = icmp ne i32 %122, 0
  %256 = select i1 %254, i1 true, i1 %255
  br i1 %256, label %265, label %257

257:                                              ; preds = %253
  %258 = load ptr, ptr %33, align 8, !tbaa !32
  store volatile i64 0, ptr %258, align 8, !tbaa !15
  %259 = load i64, ptr %34, align 8, !tbaa !15
  %260 = load i64, ptr %35, align 8, !tbaa !15
  %261 = or i64 %260, %259
  %262 = icmp eq i64 %261, 0
  br i1 %262, label %289, label %263

263:                                              ; preds = %257
  %264 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %289

265:                                              ; preds = %253
  br i1 %142, label %289, label %266

266:                                              ; preds = %265
  %267 = load ptr, ptr %33, align 8, !tbaa !32
  store volatile i64 1, ptr %267, align 8, !tbaa !15
  %268 = load i64, ptr %34, align 8, !tbaa !15
  %269 = load i64, ptr %35, align 8, !tbaa !15
  %270 = or i64 %269, %268
  %271 = icmp eq i64 %270, 0
  br i1 %271, label %274, label %272

272:                                              ; preds = %266
  %273 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %274

274:                                              ; preds = %266, %272
  %275 = load ptr, ptr %37, align 8, !tbaa !33
  %276 = load ptr, ptr %38, align 8, !tbaa !34
  %277 = getelementptr inbounds nuw ptr, ptr %276, i64 %143
  %278 = load ptr, ptr %277, align 8, !tbaa !35
  %279 = call i32 @optarena_apply(ptr noundef %275, ptr noundef %278, ptr noundef null) #5
  %280 = icmp eq i32 %279, 0
  br i1 %280, label %380, label %281

281:                                              ; preds = %274
  %282 = load ptr, ptr %37, align 8, !tbaa !33
  %283 = getelementptr inbounds nuw i8, ptr %282, i64 72
  %284 = load i64, ptr %283, align 8, !tbaa !15
  store i64 %284, ptr %9, align 8, !tbaa !7
  %285 = getelementptr inbounds nuw i8, ptr %282, i64 80
  %286 = load i64, ptr %285, align 8, !tbaa !15
  store i64 %286, ptr %39, align 8, !tbaa !37
  %287 = load i64, ptr %40, align 8, !tbaa !38
  %288 = add i64 %287, 1
  store i64 %288, ptr %40, align 8, !tbaa !38
  br label %289

289:                                              ; preds = %257, %263, %281, %265
  %290 = phi i64 [ 1, %281 ], [ 0, %265 ], [ 0, %263 ], [ 0, %257 ]
  %291 = load i64, ptr %9, align 8, !tbaa !7
  %292 = icmp eq i64 %291, %49
  store i8 0, ptr %41, align 4
  store i8 1, ptr %42, align 1
  store i64 %119, ptr %43, align 2
  %293 = zext i1 %292 to i8
  store i8 %293, ptr %44, align 2
  store i32 %122, ptr %45, align 1
  br i1 %147, label %296, label %294

294:                                              ; preds = %289
  %295 = zext nneg i32 %122 to i64
  br label %320

296:                                              ; preds = %376, %289
  %297 = phi ptr [ %46, %289 ], [ %377, %376 ]
  %298 = ptrtoint ptr %297 to i64
  %299 = sub i64 %298, %47
  %300 = trunc i64 %299 to i32
  %301 = add i32 %300, -4
  store i32 %301, ptr %8, align 16
  %302 = load i64, ptr %0, align 8, !tbaa !14
  %303 = trunc i64 %302 to i32
  br label %304

304:                                              ; preds = %307, %296
  %305 = phi i64 [ %92, %296 ], [ %310, %307 ]
  %306 = icmp eq i64 %305, 0
  br i1 %306, label %311, label %307

307:                                              ; preds = %304
  %308 = call i64 @recv(i32 noundef %303, ptr noundef nonnull %7, i64 noundef %305, i32 noundef 0) #5
  %309 = icmp sgt i64 %308, 0
  %310 = sub i64 %305, %308
  br i1 %309, label %304, label %380

311:                                              ; preds = %304, %314
  %312 = phi ptr [ %319, %314 ], [ %8, %304 ]
  %313 = icmp ult ptr %312, %297
  br i1 %313, label %314, label %48

314:                                              ; preds = %311
  %315 = ptrtoint ptr %312 to i64
  %316 = sub i64 %298, %315
  %317 = call i64 @send(i32 noundef %303, ptr noundef %312, i64 noundef %316, i32 noundef 16384) #5
  %318 = icmp sgt i64 %317, -1
  %319 = getelementptr inbounds nuw i8, ptr %312, i64 %317
  br i1 %318, label %311, label %380

320:                                              ; preds = %294, %376
  %321 = phi i64 [ 0, %294 ], [ %378, %376 ]
  %322 = phi ptr [ %46, %294 ], [ %377, %376 ]
  %323 = phi i64 [ %290, %294 ], [ %324, %376 ]
  %324 = add nuw nsw i64 %323, 1
  %325 = load ptr, ptr %33, align 8, !tbaa !32
  store volatile i64 %324, ptr %325, align 8, !tbaa !15
  %326 = load i64, ptr %34, align 8, !tbaa !15
  %327 = load i64, ptr %35, align 8, !tbaa !15
  %328 = or i64 %327, %326
  %329 = icmp eq i64 %328, 0
  br i1 %329, label %332, label %330

330:                                              ; preds = %320
  %331 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %332

332:                                              ; preds = %320, %330
  %333 = load ptr, ptr %31, align 8, !tbaa !27
  %334 = shl i64 %321, 2
  %335 = and i64 %334, 4294967292
  %336 = getelementptr inbounds nuw i8, ptr %146, i64 %335
  %337 = load i32, ptr %336, align 2
  %338 = zext i32 %337 to i64
  %339 = getelementptr inbounds nuw %struct.Observation, ptr %333, i64 %338
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  %340 = getelementptr inbounds nuw i8, ptr %339, i64 16
  %341 = load i64, ptr %340, align 8, !tbaa !28
  %342 = shl i64 %341, 3
  store i8 1, ptr %322, align 1
  %343 = getelementptr inbounds nuw i8, ptr %322, i64 1
  %344 = trunc i64 %342 to i32
  store i32 %344, ptr %343, align 1
  %345 = getelementptr inbounds nuw i8, ptr %322, i64 5
  %346 = load ptr, ptr %339, align 8, !tbaa !39
  %347 = icmp eq ptr %346, null
  br i1 %347, label %348, label %351

348:                                              ; preds = %332
  %349 = load i64, ptr %39, align 8, !tbaa !37
  store i64 %349, ptr %345, align 1
  %350 = getelementptr inbounds nuw i8, ptr %322, i64 13
  br label %376

351:                                              ; preds = %332
  %352 = load ptr, ptr %37, align 8, !tbaa !33
  %353 = load ptr, ptr %352, align 8, !tbaa !40
  call void %346(ptr noundef %353, ptr noundef nonnull %2) #5
  %354 = getelementptr inbounds nuw i8, ptr %339, i64 8
  %355 = load ptr, ptr %354, align 8, !tbaa !43
  %356 = icmp eq ptr %355, null
  br i1 %356, label %373, label %357

357:                                              ; preds = %351
  %358 = load i64, ptr %340, align 8, !tbaa !28
  %359 = icmp eq i64 %358, 0
  br i1 %359, label %374, label %360

360:                                              ; preds = %357, %360
  %361 = phi i64 [ %370, %360 ], [ 0, %357 ]
  %362 = shl i64 %361, 3
  %363 = getelementptr inbounds nuw i8, ptr %345, i64 %362
  %364 = load ptr, ptr %354, align 8, !tbaa !43
  %365 = getelementptr inbounds nuw i32, ptr %364, i64 %361
  %366 = load i32, ptr %365, align 4, !tbaa !3
  %367 = zext i32 %366 to i64
  %368 = getelementptr inbounds nuw i64, ptr %2, i64 %367
  %369 = load i64, ptr %368, align 8, !tbaa !15
  store i64 %369, ptr %363, align 1
  %370 = add nuw i64 %361, 1
  %371 = load i64, ptr %340, align 8, !tbaa !28
  %372 = icmp ult i64 %370, %371
  br i1 %372, label %360, label %374, !llvm.loop !44

373:                                              ; preds = %351
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %345, ptr nonnull align 16 %2, i64 %342, i1 false)
  br label %374

374:                                              ; preds = %360, %373, %357
  %375 = getelementptr inbounds nuw i8, ptr %345, i64 %342
  br label %376

376:                                              ; preds = %348, %374
  %377 = phi ptr [ %375, %374 ], [ %350, %348 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  %378 = add nuw nsw i64 %321, 1
  %379 = icmp eq i64 %378, %295
  br i1 %379, label %296, label %320, !llvm.loop !45

380:                                              ; preds = %125, %107, %130, %118, %134, %274, %250, %104, %148, %244, %155, %160, %168, %173, %181, %186, %194, %199, %207, %212, %220, %225, %233, %238, %307, %314
  %381 = phi i32 [ 0, %314 ], [ 0, %307 ], [ 0, %148 ], [ 0, %238 ], [ 0, %233 ], [ 0, %225 ], [ 0, %220 ], [ 0, %212 ], [ 0, %207 ], [ 0, %199 ], [ 0, %194 ], [ 0, %186 ], [ 0, %181 ], [ 0, %173 ], [ 0, %168 ], [ 0, %160 ], [ 0, %155 ], [ 0, %244 ], [ 0, %107 ], [ 0, %130 ], [ 0, %118 ], [ 0, %134 ], [ 0, %250 ], [ 1, %274 ], [ 0, %125 ], [ 0, %104 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #5
  ret i32 %381
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare i32 @optarena_apply(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i64 @recv(i32 noundef, ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @sched_yield() local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree nounwind willreturn
declare noundef i32 @setitimer(i32 noundef, ptr noundef readonly captures(none), ptr noundef captures(none)) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

declare i64 @send(i32 noundef, ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree nounwind willreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!8, !9, i64 152}
!8 = !{!"", !9, i64 0, !9, i64 8, !9, i64 16, !5, i64 24, !10, i64 56, !11, i64 64, !9, i64 72, !12, i64 80, !9, i64 88, !11, i64 96, !9, i64 104, !9, i64 112, !9, i64 120, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168}
!9 = !{!"long long", !5, i64 0}
!10 = !{!"p1 long long", !11, i64 0}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!"p2 omnipotent char", !13, i64 0}
!13 = !{!"any p2 pointer", !11, i64 0}
!14 = !{!8, !9, i64 0}
!15 = !{!9, !9, i64 0}
!16 = !{!8, !9, i64 136}
!17 = !{!8, !9, i64 128}
!18 = !{!8, !9, i64 144}
!19 = !{!8, !9, i64 104}
!20 = !{!8, !9, i64 112}
!21 = !{!8, !9, i64 120}
!22 = !{!8, !9, i64 8}
!23 = !{!8, !9, i64 16}
!24 = !{!8, !9, i64 88}
!25 = distinct !{!25, !26}
!26 = !{!"llvm.loop.mustprogress"}
!27 = !{!8, !11, i64 96}
!28 = !{!29, !9, i64 16}
!29 = !{!"", !11, i64 0, !30, i64 8, !9, i64 16}
!30 = !{!"p1 int", !11, i64 0}
!31 = !{!8, !9, i64 72}
!32 = !{!8, !10, i64 56}
!33 = !{!8, !11, i64 64}
!34 = !{!8, !12, i64 80}
!35 = !{!36, !36, i64 0}
!36 = !{!"p1 omnipotent char", !11, i64 0}
!37 = !{!8, !9, i64 160}
!38 = !{!8, !9, i64 168}
!39 = !{!29, !11, i64 0}
!40 = !{!41, !42, i64 0}
!41 = !{!"", !42, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !30, i64 40, !9, i64 48, !11, i64 56, !9, i64 64, !5, i64 72}
!42 = !{!"p1 _ZTS6Module", !11, i64 0}
!43 = !{!29, !30, i64 8}
!44 = distinct !{!44, !26}
!45 = distinct !{!45, !26}
