; ModuleID = 'steps.c'
source_filename = "steps.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Observation = type { ptr, ptr, ptr, i64 }

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
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %19 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 4
  %22 = getelementptr inbounds nuw i8, ptr %7, i64 5
  %23 = getelementptr inbounds nuw i8, ptr %7, i64 6
  %24 = getelementptr inbounds nuw i8, ptr %7, i64 14
  %25 = getelementptr inbounds nuw i8, ptr %7, i64 30
  %26 = getelementptr inbounds nuw i8, ptr %7, i64 34
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %7, i64 26
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %30 = getelementptr inbounds nuw i8, ptr %7, i64 38
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %43 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %44 = getelementptr inbounds nuw i8, ptr %8, i64 5
  %45 = getelementptr inbounds nuw i8, ptr %8, i64 6
  %46 = getelementptr inbounds nuw i8, ptr %8, i64 14
  %47 = getelementptr inbounds nuw i8, ptr %8, i64 15
  %48 = getelementptr inbounds nuw i8, ptr %8, i64 19
  %49 = ptrtoint ptr %8 to i64
  br label %50

50:                                               ; preds = %334, %1
  %51 = load i64, ptr %9, align 8, !tbaa !7
  %52 = load i64, ptr %0, align 8, !tbaa !14
  %53 = trunc i64 %52 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #5
  %54 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #5
  %55 = load i64, ptr %6, align 16, !tbaa !15
  %56 = mul i64 %55, 1000000000
  %57 = load i64, ptr %10, align 8, !tbaa !15
  %58 = add i64 %56, %57
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #5
  %59 = load i64, ptr %11, align 8, !tbaa !16
  %60 = load i64, ptr %12, align 8, !tbaa !17
  %61 = icmp ult i64 %59, %60
  br i1 %61, label %62, label %91

62:                                               ; preds = %50
  %63 = load i64, ptr %13, align 8, !tbaa !18
  %64 = icmp ugt i64 %58, %63
  br i1 %64, label %65, label %91

65:                                               ; preds = %62, %73
  %66 = phi i64 [ %82, %73 ], [ %58, %62 ]
  %67 = call i64 @recv(i32 noundef %53, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #5
  %68 = icmp slt i64 %67, 0
  br i1 %68, label %69, label %93

69:                                               ; preds = %65
  %70 = load i64, ptr %14, align 8, !tbaa !19
  %71 = add i64 %70, %58
  %72 = icmp ult i64 %66, %71
  br i1 %72, label %73, label %91

73:                                               ; preds = %69
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %74 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #5
  %75 = load i64, ptr %5, align 16, !tbaa !15
  %76 = load i64, ptr %15, align 8, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %77 = call i32 @sched_yield() #5
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  %78 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #5
  %79 = load i64, ptr %4, align 16, !tbaa !15
  %80 = mul i64 %79, 1000000000
  %81 = load i64, ptr %16, align 8, !tbaa !15
  %82 = add i64 %80, %81
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  %83 = mul i64 %75, -1000000000
  %84 = sub i64 %83, %76
  %85 = add i64 %84, %82
  %86 = load i64, ptr %17, align 8, !tbaa !20
  %87 = icmp ugt i64 %85, %86
  br i1 %87, label %88, label %65

88:                                               ; preds = %73
  %89 = load i64, ptr %18, align 8, !tbaa !21
  %90 = add i64 %89, %82
  store i64 %90, ptr %13, align 8, !tbaa !18
  br label %91

91:                                               ; preds = %69, %88, %62, %50
  %92 = call i64 @recv(i32 noundef %53, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 2) #5
  br label %93

93:                                               ; preds = %65, %91
  %94 = phi i64 [ %92, %91 ], [ %67, %65 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  %95 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #5
  %96 = load i64, ptr %3, align 16, !tbaa !15
  %97 = mul i64 %96, 1000000000
  %98 = load i64, ptr %19, align 8, !tbaa !15
  %99 = add i64 %97, %98
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  %100 = load i64, ptr %14, align 8, !tbaa !19
  %101 = add i64 %100, %58
  %102 = icmp ult i64 %99, %101
  br i1 %102, label %106, label %103

103:                                              ; preds = %93
  %104 = load i64, ptr %11, align 8, !tbaa !16
  %105 = add i64 %104, 1
  br label %106

106:                                              ; preds = %93, %103
  %107 = phi i64 [ %105, %103 ], [ 0, %93 ]
  store i64 %107, ptr %11, align 8, !tbaa !16
  %108 = icmp slt i64 %94, 1
  br i1 %108, label %409, label %109

109:                                              ; preds = %106
  %110 = load i64, ptr %20, align 8, !tbaa !22
  %111 = icmp eq i64 %110, 256
  %112 = icmp samesign ult i64 %94, 38
  %113 = select i1 %111, i1 true, i1 %112
  br i1 %113, label %409, label %114

114:                                              ; preds = %109
  %115 = load i32, ptr %7, align 16
  %116 = zext i32 %115 to i64
  %117 = add nuw nsw i64 %116, 4
  %118 = icmp eq i64 %94, %117
  %119 = load i8, ptr %21, align 4
  %120 = icmp eq i8 %119, 0
  %121 = select i1 %118, i1 %120, i1 false
  %122 = load i8, ptr %22, align 1
  %123 = icmp eq i8 %122, 1
  %124 = select i1 %121, i1 %123, i1 false
  br i1 %124, label %125, label %409

125:                                              ; preds = %114
  %126 = load i64, ptr %23, align 2
  %127 = load i64, ptr %24, align 2
  %128 = load i32, ptr %25, align 2
  %129 = load i32, ptr %26, align 2
  %130 = load i64, ptr %27, align 8, !tbaa !23
  %131 = icmp eq i64 %127, %130
  br i1 %131, label %132, label %409

132:                                              ; preds = %125
  %133 = load i32, ptr %28, align 2
  %134 = zext i32 %133 to i64
  %135 = load i64, ptr %29, align 8, !tbaa !24
  %136 = icmp eq i64 %135, %134
  br i1 %136, label %137, label %409

137:                                              ; preds = %132
  %138 = icmp ugt i32 %128, 1
  %139 = icmp ugt i32 %129, 8
  %140 = select i1 %138, i1 true, i1 %139
  br i1 %140, label %409, label %141

141:                                              ; preds = %137
  %142 = shl nuw nsw i32 %128, 3
  %143 = or disjoint i32 %142, 38
  %144 = shl nuw nsw i32 %129, 2
  %145 = add nuw nsw i32 %143, %144
  %146 = zext nneg i32 %145 to i64
  %147 = icmp eq i64 %94, %146
  br i1 %147, label %148, label %409

148:                                              ; preds = %141
  %149 = icmp eq i32 %128, 0
  %150 = load i64, ptr %30, align 2
  %151 = select i1 %149, i64 0, i64 %150
  %152 = zext nneg i32 %142 to i64
  %153 = getelementptr inbounds nuw i8, ptr %30, i64 %152
  %154 = icmp eq i32 %129, 0
  br i1 %154, label %257, label %155

155:                                              ; preds = %148
  %156 = load i64, ptr %31, align 8, !tbaa !25
  %157 = load i32, ptr %153, align 2
  %158 = zext i32 %157 to i64
  %159 = icmp ugt i64 %156, %158
  br i1 %159, label %251, label %409

160:                                              ; preds = %251
  %161 = icmp eq i32 %129, 1
  br i1 %161, label %257, label %162, !llvm.loop !26

162:                                              ; preds = %160
  %163 = getelementptr inbounds nuw i8, ptr %153, i64 4
  %164 = load i32, ptr %163, align 2
  %165 = zext i32 %164 to i64
  %166 = icmp ugt i64 %156, %165
  br i1 %166, label %167, label %409

167:                                              ; preds = %162
  %168 = load ptr, ptr %32, align 8, !tbaa !28
  %169 = getelementptr inbounds nuw %struct.Observation, ptr %168, i64 %165
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 24
  %171 = load i64, ptr %170, align 8, !tbaa !29
  %172 = icmp eq i64 %171, 0
  br i1 %172, label %409, label %173

173:                                              ; preds = %167
  %174 = icmp eq i32 %129, 2
  br i1 %174, label %257, label %175, !llvm.loop !26

175:                                              ; preds = %173
  %176 = getelementptr inbounds nuw i8, ptr %153, i64 8
  %177 = load i32, ptr %176, align 2
  %178 = zext i32 %177 to i64
  %179 = icmp ugt i64 %156, %178
  br i1 %179, label %180, label %409

180:                                              ; preds = %175
  %181 = load ptr, ptr %32, align 8, !tbaa !28
  %182 = getelementptr inbounds nuw %struct.Observation, ptr %181, i64 %178
  %183 = getelementptr inbounds nuw i8, ptr %182, i64 24
  %184 = load i64, ptr %183, align 8, !tbaa !29
  %185 = icmp eq i64 %184, 0
  br i1 %185, label %409, label %186

186:                                              ; preds = %180
  %187 = icmp eq i32 %129, 3
  br i1 %187, label %257, label %188, !llvm.loop !26

188:                                              ; preds = %186
  %189 = getelementptr inbounds nuw i8, ptr %153, i64 12
  %190 = load i32, ptr %189, align 2
  %191 = zext i32 %190 to i64
  %192 = icmp ugt i64 %156, %191
  br i1 %192, label %193, label %409

193:                                              ; preds = %188
  %194 = load ptr, ptr %32, align 8, !tbaa !28
  %195 = getelementptr inbounds nuw %struct.Observation, ptr %194, i64 %191
  %196 = getelementptr inbounds nuw i8, ptr %195, i64 24
  %197 = load i64, ptr %196, align 8, !tbaa !29
  %198 = icmp eq i64 %197, 0
  br i1 %198, label %409, label %199

199:                                              ; preds = %193
  %200 = icmp eq i32 %129, 4
  br i1 %200, label %257, label %201, !llvm.loop !26

201:                                              ; preds = %199
  %202 = getelementptr inbounds nuw i8, ptr %153, i64 16
  %203 = load i32, ptr %202, align 2
  %204 = zext i32 %203 to i64
  %205 = icmp ugt i64 %156, %204
  br i1 %205, label %206, label %409

206:                                              ; preds = %201
  %207 = load ptr, ptr %32, align 8, !tbaa !28
  %208 = getelementptr inbounds nuw %struct.Observation, ptr %207, i64 %204
  %209 = getelementptr inbounds nuw i8, ptr %208, i64 24
  %210 = load i64, ptr %209, align 8, !tbaa !29
  %211 = icmp eq i64 %210, 0
  br i1 %211, label %409, label %212

212:                                              ; preds = %206
  %213 = icmp eq i32 %129, 5
  br i1 %213, label %257, label %214, !llvm.loop !26

214:                                              ; preds = %212
  %215 = getelementptr inbounds nuw i8, ptr %153, i64 20
  %216 = load i32, ptr %215, align 2
  %217 = zext i32 %216 to i64
  %218 = icmp ugt i64 %156, %217
  br i1 %218, label %219, label %409

219:                                              ; preds = %214
  %220 = load ptr, ptr %32, align 8, !tbaa !28
  %221 = getelementptr inbounds nuw %struct.Observation, ptr %220, i64 %217
  %222 = getelementptr inbounds nuw i8, ptr %221, i64 24
  %223 = load i64, ptr %222, align 8, !tbaa !29
  %224 = icmp eq i64 %223, 0
  br i1 %224, label %409, label %225

225:                                              ; preds = %219
  %226 = icmp eq i32 %129, 6
  br i1 %226, label %257, label %227, !llvm.loop !26

227:                                              ; preds = %225
  %228 = getelementptr inbounds nuw i8, ptr %153, i64 24
  %229 = load i32, ptr %228, align 2
  %230 = zext i32 %229 to i64
  %231 = icmp ugt i64 %156, %230
  br i1 %231, label %232, label %409

232:                                              ; preds = %227
  %233 = load ptr, ptr %32, align 8, !tbaa !28
  %234 = getelementptr inbounds nuw %struct.Observation, ptr %233, i64 %230
  %235 = getelementptr inbounds nuw i8, ptr %234, i64 24
  %236 = load i64, ptr %235, align 8, !tbaa !29
  %237 = icmp eq i64 %236, 0
  br i1 %237, label %409, label %238

238:                                              ; preds = %232
  %239 = icmp eq i32 %129, 7
  br i1 %239, label %257, label %240, !llvm.loop !26

240:                                              ; preds = %238
  %241 = getelementptr inbounds nuw i8, ptr %153, i64 28
  %242 = load i32, ptr %241, align 2
  %243 = zext i32 %242 to i64
  %244 = icmp ugt i64 %156, %243
  br i1 %244, label %245, label %409

245:                                              ; preds = %240
  %246 = load ptr, ptr %32, align 8, !tbaa !28
  %247 = getelementptr inbounds nuw %struct.Observation, ptr %246, i64 %243
  %248 = getelementptr inbounds nuw i8, ptr %247, i64 24
  %249 = load i64, ptr %248, align 8, !tbaa !29
  %250 = icmp eq i64 %249, 0
  br i1 %250, label %409, label %257

251:                                              ; preds = %155
  %252 = load ptr, ptr %32, align 8, !tbaa !28
  %253 = getelementptr inbounds nuw %struct.Observation, ptr %252, i64 %158
  %254 = getelementptr inbounds nuw i8, ptr %253, i64 24
  %255 = load i64, ptr %254, align 8, !tbaa !29
  %256 = icmp eq i64 %255, 0
  br i1 %256, label %409, label %160

257:                                              ; preds = %160, %173, %186, %199, %212, %225, %238, %245, %148
  %258 = load i64, ptr %33, align 8, !tbaa !32
  %259 = icmp ult i64 %151, %258
  br i1 %259, label %260, label %409

260:                                              ; preds = %257
  %261 = icmp ne i32 %128, 0
  %262 = icmp ne i32 %129, 0
  %263 = select i1 %261, i1 true, i1 %262
  br i1 %263, label %272, label %264

264:                                              ; preds = %260
  %265 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 0, ptr %265, align 8, !tbaa !15
  %266 = load i64, ptr %35, align 8, !tbaa !15
  %267 = load i64, ptr %36, align 8, !tbaa !15
  %268 = or i64 %267, %266
  %269 = icmp eq i64 %268, 0
  br i1 %269, label %300, label %270

270:                                              ; preds = %264
  %271 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %300

272:                                              ; preds = %260
  br i1 %149, label %300, label %273

273:                                              ; preds = %272
  %274 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 1, ptr %274, align 8, !tbaa !15
  %275 = load i64, ptr %35, align 8, !tbaa !15
  %276 = load i64, ptr %36, align 8, !tbaa !15
  %277 = or i64 %276, %275
  %278 = icmp eq i64 %277, 0
  br i1 %278, label %281, label %279

279:                                              ; preds = %273
  %280 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %281

281:                                              ; preds = %273, %279
  %282 = load ptr, ptr %38, align 8, !tbaa !34
  %283 = icmp eq ptr %282, null
  br i1 %283, label %284, label %297

284:                                              ; preds = %281
  %285 = load ptr, ptr %39, align 8, !tbaa !35
  %286 = load ptr, ptr %40, align 8, !tbaa !36
  %287 = getelementptr inbounds nuw ptr, ptr %286, i64 %150
  %288 = load ptr, ptr %287, align 8, !tbaa !37
  %289 = call i32 @optarena_apply(ptr noundef %285, ptr noundef %288, ptr noundef null) #5
  %290 = icmp eq i32 %289, 0
  br i1 %290, label %409, label %291

291:                                              ; preds = %284
  %292 = load ptr, ptr %39, align 8, !tbaa !35
  %293 = getelementptr inbounds nuw i8, ptr %292, i64 72
  %294 = load i64, ptr %293, align 8, !tbaa !15
  store i64 %294, ptr %9, align 8, !tbaa !7
  %295 = getelementptr inbounds nuw i8, ptr %292, i64 80
  %296 = load i64, ptr %295, align 8, !tbaa !15
  store i64 %296, ptr %41, align 8, !tbaa !39
  br label %303

297:                                              ; preds = %281
  %298 = call i32 @optarena_dialogue_decide(ptr noundef nonnull %282, i64 noundef %150) #5
  %299 = icmp eq i32 %298, 0
  br i1 %299, label %409, label %303

300:                                              ; preds = %272, %270, %264
  %301 = load i64, ptr %9, align 8, !tbaa !7
  %302 = icmp eq i64 %301, %51
  br label %313

303:                                              ; preds = %297, %291
  %304 = trunc i64 %150 to i32
  %305 = load i64, ptr %20, align 8, !tbaa !22
  %306 = add i64 %305, 1
  store i64 %306, ptr %20, align 8, !tbaa !22
  %307 = getelementptr inbounds nuw i32, ptr %42, i64 %305
  store i32 %304, ptr %307, align 4, !tbaa !3
  %308 = load i64, ptr %9, align 8, !tbaa !7
  %309 = icmp eq i64 %308, %51
  br i1 %309, label %310, label %313

310:                                              ; preds = %303
  %311 = load ptr, ptr %38, align 8, !tbaa !34
  %312 = icmp eq ptr %311, null
  br label %313

313:                                              ; preds = %300, %303, %310
  %314 = phi i64 [ 1, %303 ], [ 1, %310 ], [ 0, %300 ]
  %315 = phi i1 [ false, %303 ], [ %312, %310 ], [ %302, %300 ]
  store i8 0, ptr %43, align 4
  store i8 1, ptr %44, align 1
  store i64 %126, ptr %45, align 2
  %316 = zext i1 %315 to i8
  store i8 %316, ptr %46, align 2
  store i32 %129, ptr %47, align 1
  br i1 %154, label %319, label %317

317:                                              ; preds = %313
  %318 = zext nneg i32 %129 to i64
  br label %343

319:                                              ; preds = %405, %313
  %320 = phi ptr [ %48, %313 ], [ %406, %405 ]
  %321 = ptrtoint ptr %320 to i64
  %322 = sub i64 %321, %49
  %323 = trunc i64 %322 to i32
  %324 = add i32 %323, -4
  store i32 %324, ptr %8, align 16
  %325 = load i64, ptr %0, align 8, !tbaa !14
  %326 = trunc i64 %325 to i32
  br label %327

327:                                              ; preds = %330, %319
  %328 = phi i64 [ %94, %319 ], [ %333, %330 ]
  %329 = icmp eq i64 %328, 0
  br i1 %329, label %334, label %330

330:                                              ; preds = %327
  %331 = call i64 @recv(i32 noundef %326, ptr noundef nonnull %7, i64 noundef %328, i32 noundef 0) #5
  %332 = icmp sgt i64 %331, 0
  %333 = sub i64 %328, %331
  br i1 %332, label %327, label %409

334:                                              ; preds = %327, %337
  %335 = phi ptr [ %342, %337 ], [ %8, %327 ]
  %336 = icmp ult ptr %335, %320
  br i1 %336, label %337, label %50

337:                                              ; preds = %334
  %338 = ptrtoint ptr %335 to i64
  %339 = sub i64 %321, %338
  %340 = call i64 @send(i32 noundef %326, ptr noundef %335, i64 noundef %339, i32 noundef 16384) #5
  %341 = icmp sgt i64 %340, -1
  %342 = getelementptr inbounds nuw i8, ptr %335, i64 %340
  br i1 %341, label %334, label %409

343:                                              ; preds = %317, %405
  %344 = phi i64 [ 0, %317 ], [ %407, %405 ]
  %345 = phi ptr [ %48, %317 ], [ %406, %405 ]
  %346 = phi i64 [ %314, %317 ], [ %347, %405 ]
  %347 = add nuw nsw i64 %346, 1
  %348 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 %347, ptr %348, align 8, !tbaa !15
  %349 = load i64, ptr %35, align 8, !tbaa !15
  %350 = load i64, ptr %36, align 8, !tbaa !15
  %351 = or i64 %350, %349
  %352 = icmp eq i64 %351, 0
  br i1 %352, label %355, label %353

353:                                              ; preds = %343
  %354 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %355

355:                                              ; preds = %343, %353
  %356 = load ptr, ptr %32, align 8, !tbaa !28
  %357 = shl i64 %344, 2
  %358 = and i64 %357, 4294967292
  %359 = getelementptr inbounds nuw i8, ptr %153, i64 %358
  %360 = load i32, ptr %359, align 2
  %361 = zext i32 %360 to i64
  %362 = getelementptr inbounds nuw %struct.Observation, ptr %356, i64 %361
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  %363 = getelementptr inbounds nuw i8, ptr %362, i64 24
  %364 = load i64, ptr %363, align 8, !tbaa !29
  %365 = shl i64 %364, 3
  store i8 1, ptr %345, align 1
  %366 = getelementptr inbounds nuw i8, ptr %345, i64 1
  %367 = trunc i64 %365 to i32
  store i32 %367, ptr %366, align 1
  %368 = getelementptr inbounds nuw i8, ptr %345, i64 5
  %369 = load ptr, ptr %362, align 8, !tbaa !40
  %370 = icmp eq ptr %369, null
  br i1 %370, label %371, label %378

371:                                              ; preds = %355
  %372 = getelementptr inbounds nuw i8, ptr %362, i64 16
  %373 = load ptr, ptr %372, align 8, !tbaa !41
  %374 = icmp eq ptr %373, null
  br i1 %374, label %375, label %381

375:                                              ; preds = %371
  %376 = load i64, ptr %41, align 8, !tbaa !39
  store i64 %376, ptr %368, align 1
  %377 = getelementptr inbounds nuw i8, ptr %345, i64 13
  br label %405

378:                                              ; preds = %355
  %379 = load ptr, ptr %39, align 8, !tbaa !35
  %380 = load ptr, ptr %379, align 8, !tbaa !42
  call void %369(ptr noundef %380, ptr noundef nonnull %2) #5
  br label %382

381:                                              ; preds = %371
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %2, ptr nonnull align 8 %373, i64 %365, i1 false)
  br label %382

382:                                              ; preds = %381, %378
  %383 = getelementptr inbounds nuw i8, ptr %362, i64 8
  %384 = load ptr, ptr %383, align 8, !tbaa !45
  %385 = icmp eq ptr %384, null
  br i1 %385, label %402, label %386

386:                                              ; preds = %382
  %387 = load i64, ptr %363, align 8, !tbaa !29
  %388 = icmp eq i64 %387, 0
  br i1 %388, label %403, label %389

389:                                              ; preds = %386, %389
  %390 = phi i64 [ %399, %389 ], [ 0, %386 ]
  %391 = shl i64 %390, 3
  %392 = getelementptr inbounds nuw i8, ptr %368, i64 %391
  %393 = load ptr, ptr %383, align 8, !tbaa !45
  %394 = getelementptr inbounds nuw i32, ptr %393, i64 %390
  %395 = load i32, ptr %394, align 4, !tbaa !3
  %396 = zext i32 %395 to i64
  %397 = getelementptr inbounds nuw i64, ptr %2, i64 %396
  %398 = load i64, ptr %397, align 8, !tbaa !15
  store i64 %398, ptr %392, align 1
  %399 = add nuw i64 %390, 1
  %400 = load i64, ptr %363, align 8, !tbaa !29
  %401 = icmp ult i64 %399, %400
  br i1 %401, label %389, label %403, !llvm.loop !46

402:                                              ; preds = %382
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %368, ptr nonnull align 16 %2, i64 %365, i1 false)
  br label %403

403:                                              ; preds = %389, %402, %386
  %404 = getelementptr inbounds nuw i8, ptr %368, i64 %365
  br label %405

405:                                              ; preds = %375, %403
  %406 = phi ptr [ %404, %403 ], [ %377, %375 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  %407 = add nuw nsw i64 %344, 1
  %408 = icmp eq i64 %407, %318
  br i1 %408, label %319, label %343, !llvm.loop !47

409:                                              ; preds = %284, %132, %114, %137, %125, %141, %297, %109, %257, %106, %155, %251, %162, %167, %175, %180, %188, %193, %201, %206, %214, %219, %227, %232, %240, %245, %330, %337
  %410 = phi i32 [ 0, %337 ], [ 0, %330 ], [ 0, %155 ], [ 0, %245 ], [ 0, %240 ], [ 0, %232 ], [ 0, %227 ], [ 0, %219 ], [ 0, %214 ], [ 0, %206 ], [ 0, %201 ], [ 0, %193 ], [ 0, %188 ], [ 0, %180 ], [ 0, %175 ], [ 0, %167 ], [ 0, %162 ], [ 0, %251 ], [ 0, %114 ], [ 0, %137 ], [ 0, %125 ], [ 0, %141 ], [ 0, %257 ], [ 0, %109 ], [ 1, %297 ], [ 0, %106 ], [ 1, %284 ], [ 0, %132 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #5
  ret i32 %410
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i64 @recv(i32 noundef, ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @sched_yield() local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree nounwind willreturn
declare noundef i32 @setitimer(i32 noundef, ptr noundef readonly captures(none), ptr noundef captures(none)) local_unnamed_addr #3

declare i32 @optarena_dialogue_decide(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i32 @optarena_apply(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

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
!7 = !{!8, !9, i64 160}
!8 = !{!"", !9, i64 0, !9, i64 8, !9, i64 16, !5, i64 24, !10, i64 56, !11, i64 64, !11, i64 72, !9, i64 80, !12, i64 88, !9, i64 96, !11, i64 104, !9, i64 112, !9, i64 120, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168, !9, i64 176, !5, i64 184}
!9 = !{!"long long", !5, i64 0}
!10 = !{!"p1 long long", !11, i64 0}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!"p2 omnipotent char", !13, i64 0}
!13 = !{!"any p2 pointer", !11, i64 0}
!14 = !{!8, !9, i64 0}
!15 = !{!9, !9, i64 0}
!16 = !{!8, !9, i64 144}
!17 = !{!8, !9, i64 136}
!18 = !{!8, !9, i64 152}
!19 = !{!8, !9, i64 112}
!20 = !{!8, !9, i64 120}
!21 = !{!8, !9, i64 128}
!22 = !{!8, !9, i64 176}
!23 = !{!8, !9, i64 8}
!24 = !{!8, !9, i64 16}
!25 = !{!8, !9, i64 96}
!26 = distinct !{!26, !27}
!27 = !{!"llvm.loop.mustprogress"}
!28 = !{!8, !11, i64 104}
!29 = !{!30, !9, i64 24}
!30 = !{!"", !11, i64 0, !31, i64 8, !10, i64 16, !9, i64 24}
!31 = !{!"p1 int", !11, i64 0}
!32 = !{!8, !9, i64 80}
!33 = !{!8, !10, i64 56}
!34 = !{!8, !11, i64 72}
!35 = !{!8, !11, i64 64}
!36 = !{!8, !12, i64 88}
!37 = !{!38, !38, i64 0}
!38 = !{!"p1 omnipotent char", !11, i64 0}
!39 = !{!8, !9, i64 168}
!40 = !{!30, !11, i64 0}
!41 = !{!30, !10, i64 16}
!42 = !{!43, !44, i64 0}
!43 = !{!"", !44, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !31, i64 40, !9, i64 48, !11, i64 56, !9, i64 64, !5, i64 72}
!44 = !{!"p1 _ZTS6Module", !11, i64 0}
!45 = !{!30, !31, i64 8}
!46 = distinct !{!46, !27}
!47 = distinct !{!47, !27}
