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
  %9 = alloca [2 x i64], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #5
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #5
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %11 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %18 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %19 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %22 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %23 = getelementptr inbounds nuw i8, ptr %7, i64 4
  %24 = getelementptr inbounds nuw i8, ptr %7, i64 5
  %25 = getelementptr inbounds nuw i8, ptr %7, i64 6
  %26 = getelementptr inbounds nuw i8, ptr %7, i64 14
  %27 = getelementptr inbounds nuw i8, ptr %7, i64 30
  %28 = getelementptr inbounds nuw i8, ptr %7, i64 34
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %30 = getelementptr inbounds nuw i8, ptr %7, i64 26
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = getelementptr inbounds nuw i8, ptr %7, i64 38
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %48 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %49 = getelementptr inbounds nuw i8, ptr %8, i64 5
  %50 = getelementptr inbounds nuw i8, ptr %8, i64 6
  %51 = getelementptr inbounds nuw i8, ptr %8, i64 14
  %52 = getelementptr inbounds nuw i8, ptr %8, i64 15
  %53 = getelementptr inbounds nuw i8, ptr %8, i64 19
  %54 = ptrtoint ptr %8 to i64
  br label %55

55:                                               ; preds = %393, %1
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #5
  %56 = load <2 x i64>, ptr %10, align 8, !tbaa !7
  store <2 x i64> %56, ptr %9, align 16, !tbaa !7
  %57 = load i64, ptr %0, align 8, !tbaa !9
  %58 = trunc i64 %57 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #5
  %59 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #5
  %60 = load i64, ptr %6, align 16, !tbaa !7
  %61 = mul i64 %60, 1000000000
  %62 = load i64, ptr %13, align 8, !tbaa !7
  %63 = add i64 %61, %62
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #5
  %64 = load i64, ptr %14, align 8, !tbaa !17
  %65 = load i64, ptr %15, align 8, !tbaa !18
  %66 = icmp ult i64 %64, %65
  br i1 %66, label %67, label %96

67:                                               ; preds = %55
  %68 = load i64, ptr %16, align 8, !tbaa !19
  %69 = icmp ugt i64 %63, %68
  br i1 %69, label %70, label %96

70:                                               ; preds = %67, %78
  %71 = phi i64 [ %87, %78 ], [ %63, %67 ]
  %72 = call i64 @recv(i32 noundef %58, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #5
  %73 = icmp slt i64 %72, 0
  br i1 %73, label %74, label %98

74:                                               ; preds = %70
  %75 = load i64, ptr %17, align 8, !tbaa !20
  %76 = add i64 %75, %63
  %77 = icmp ult i64 %71, %76
  br i1 %77, label %78, label %96

78:                                               ; preds = %74
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %79 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #5
  %80 = load i64, ptr %5, align 16, !tbaa !7
  %81 = load i64, ptr %18, align 8, !tbaa !7
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %82 = call i32 @sched_yield() #5
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  %83 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #5
  %84 = load i64, ptr %4, align 16, !tbaa !7
  %85 = mul i64 %84, 1000000000
  %86 = load i64, ptr %19, align 8, !tbaa !7
  %87 = add i64 %85, %86
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  %88 = mul i64 %80, -1000000000
  %89 = sub i64 %88, %81
  %90 = add i64 %89, %87
  %91 = load i64, ptr %20, align 8, !tbaa !21
  %92 = icmp ugt i64 %90, %91
  br i1 %92, label %93, label %70

93:                                               ; preds = %78
  %94 = load i64, ptr %21, align 8, !tbaa !22
  %95 = add i64 %94, %87
  store i64 %95, ptr %16, align 8, !tbaa !19
  br label %96

96:                                               ; preds = %74, %93, %67, %55
  %97 = call i64 @recv(i32 noundef %58, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 2) #5
  br label %98

98:                                               ; preds = %70, %96
  %99 = phi i64 [ %97, %96 ], [ %72, %70 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  %100 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #5
  %101 = load i64, ptr %3, align 16, !tbaa !7
  %102 = mul i64 %101, 1000000000
  %103 = load i64, ptr %22, align 8, !tbaa !7
  %104 = add i64 %102, %103
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  %105 = load i64, ptr %17, align 8, !tbaa !20
  %106 = add i64 %105, %63
  %107 = icmp ult i64 %104, %106
  br i1 %107, label %111, label %108

108:                                              ; preds = %98
  %109 = load i64, ptr %14, align 8, !tbaa !17
  %110 = add i64 %109, 1
  br label %111

111:                                              ; preds = %98, %108
  %112 = phi i64 [ %110, %108 ], [ 0, %98 ]
  store i64 %112, ptr %14, align 8, !tbaa !17
  %113 = icmp slt i64 %99, 38
  br i1 %113, label %394, label %114

114:                                              ; preds = %111
  %115 = load i32, ptr %7, align 16
  %116 = zext i32 %115 to i64
  %117 = add nuw nsw i64 %116, 4
  %118 = icmp eq i64 %99, %117
  %119 = load i8, ptr %23, align 4
  %120 = icmp eq i8 %119, 0
  %121 = select i1 %118, i1 %120, i1 false
  %122 = load i8, ptr %24, align 1
  %123 = icmp eq i8 %122, 1
  %124 = select i1 %121, i1 %123, i1 false
  br i1 %124, label %125, label %394

125:                                              ; preds = %114
  %126 = load i64, ptr %25, align 2
  %127 = load i64, ptr %26, align 2
  %128 = load i32, ptr %27, align 2
  %129 = load i32, ptr %28, align 2
  %130 = load i64, ptr %29, align 8, !tbaa !23
  %131 = icmp eq i64 %127, %130
  br i1 %131, label %132, label %394

132:                                              ; preds = %125
  %133 = load i32, ptr %30, align 2
  %134 = zext i32 %133 to i64
  %135 = load i64, ptr %31, align 8, !tbaa !24
  %136 = icmp eq i64 %135, %134
  br i1 %136, label %137, label %394

137:                                              ; preds = %132
  %138 = icmp ugt i32 %128, 1
  %139 = icmp ugt i32 %129, 8
  %140 = select i1 %138, i1 true, i1 %139
  br i1 %140, label %394, label %141

141:                                              ; preds = %137
  %142 = shl nuw nsw i32 %128, 3
  %143 = or disjoint i32 %142, 38
  %144 = shl nuw nsw i32 %129, 2
  %145 = add nuw nsw i32 %143, %144
  %146 = zext nneg i32 %145 to i64
  %147 = icmp eq i64 %99, %146
  br i1 %147, label %148, label %394

148:                                              ; preds = %141
  %149 = icmp eq i32 %128, 0
  %150 = load i64, ptr %32, align 2
  %151 = select i1 %149, i64 0, i64 %150
  %152 = zext nneg i32 %142 to i64
  %153 = getelementptr inbounds nuw i8, ptr %32, i64 %152
  %154 = icmp eq i32 %129, 0
  br i1 %154, label %257, label %155

155:                                              ; preds = %148
  %156 = load i64, ptr %33, align 8, !tbaa !25
  %157 = load i32, ptr %153, align 2
  %158 = zext i32 %157 to i64
  %159 = icmp ugt i64 %156, %158
  br i1 %159, label %251, label %394

160:                                              ; preds = %251
  %161 = icmp eq i32 %129, 1
  br i1 %161, label %257, label %162, !llvm.loop !26

162:                                              ; preds = %160
  %163 = getelementptr inbounds nuw i8, ptr %153, i64 4
  %164 = load i32, ptr %163, align 2
  %165 = zext i32 %164 to i64
  %166 = icmp ugt i64 %156, %165
  br i1 %166, label %167, label %394

167:                                              ; preds = %162
  %168 = load ptr, ptr %34, align 8, !tbaa !28
  %169 = getelementptr inbounds nuw %struct.Observation, ptr %168, i64 %165
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 16
  %171 = load i64, ptr %170, align 8, !tbaa !29
  %172 = icmp eq i64 %171, 0
  br i1 %172, label %394, label %173

173:                                              ; preds = %167
  %174 = icmp eq i32 %129, 2
  br i1 %174, label %257, label %175, !llvm.loop !26

175:                                              ; preds = %173
  %176 = getelementptr inbounds nuw i8, ptr %153, i64 8
  %177 = load i32, ptr %176, align 2
  %178 = zext i32 %177 to i64
  %179 = icmp ugt i64 %156, %178
  br i1 %179, label %180, label %394

180:                                              ; preds = %175
  %181 = load ptr, ptr %34, align 8, !tbaa !28
  %182 = getelementptr inbounds nuw %struct.Observation, ptr %181, i64 %178
  %183 = getelementptr inbounds nuw i8, ptr %182, i64 16
  %184 = load i64, ptr %183, align 8, !tbaa !29
  %185 = icmp eq i64 %184, 0
  br i1 %185, label %394, label %186

186:                                              ; preds = %180
  %187 = icmp eq i32 %129, 3
  br i1 %187, label %257, label %188, !llvm.loop !26

188:                                              ; preds = %186
  %189 = getelementptr inbounds nuw i8, ptr %153, i64 12
  %190 = load i32, ptr %189, align 2
  %191 = zext i32 %190 to i64
  %192 = icmp ugt i64 %156, %191
  br i1 %192, label %193, label %394

193:                                              ; preds = %188
  %194 = load ptr, ptr %34, align 8, !tbaa !28
  %195 = getelementptr inbounds nuw %struct.Observation, ptr %194, i64 %191
  %196 = getelementptr inbounds nuw i8, ptr %195, i64 16
  %197 = load i64, ptr %196, align 8, !tbaa !29
  %198 = icmp eq i64 %197, 0
  br i1 %198, label %394, label %199

199:                                              ; preds = %193
  %200 = icmp eq i32 %129, 4
  br i1 %200, label %257, label %201, !llvm.loop !26

201:                                              ; preds = %199
  %202 = getelementptr inbounds nuw i8, ptr %153, i64 16
  %203 = load i32, ptr %202, align 2
  %204 = zext i32 %203 to i64
  %205 = icmp ugt i64 %156, %204
  br i1 %205, label %206, label %394

206:                                              ; preds = %201
  %207 = load ptr, ptr %34, align 8, !tbaa !28
  %208 = getelementptr inbounds nuw %struct.Observation, ptr %207, i64 %204
  %209 = getelementptr inbounds nuw i8, ptr %208, i64 16
  %210 = load i64, ptr %209, align 8, !tbaa !29
  %211 = icmp eq i64 %210, 0
  br i1 %211, label %394, label %212

212:                                              ; preds = %206
  %213 = icmp eq i32 %129, 5
  br i1 %213, label %257, label %214, !llvm.loop !26

214:                                              ; preds = %212
  %215 = getelementptr inbounds nuw i8, ptr %153, i64 20
  %216 = load i32, ptr %215, align 2
  %217 = zext i32 %216 to i64
  %218 = icmp ugt i64 %156, %217
  br i1 %218, label %219, label %394

219:                                              ; preds = %214
  %220 = load ptr, ptr %34, align 8, !tbaa !28
  %221 = getelementptr inbounds nuw %struct.Observation, ptr %220, i64 %217
  %222 = getelementptr inbounds nuw i8, ptr %221, i64 16
  %223 = load i64, ptr %222, align 8, !tbaa !29
  %224 = icmp eq i64 %223, 0
  br i1 %224, label %394, label %225

225:                                              ; preds = %219
  %226 = icmp eq i32 %129, 6
  br i1 %226, label %257, label %227, !llvm.loop !26

227:                                              ; preds = %225
  %228 = getelementptr inbounds nuw i8, ptr %153, i64 24
  %229 = load i32, ptr %228, align 2
  %230 = zext i32 %229 to i64
  %231 = icmp ugt i64 %156, %230
  br i1 %231, label %232, label %394

232:                                              ; preds = %227
  %233 = load ptr, ptr %34, align 8, !tbaa !28
  %234 = getelementptr inbounds nuw %struct.Observation, ptr %233, i64 %230
  %235 = getelementptr inbounds nuw i8, ptr %234, i64 16
  %236 = load i64, ptr %235, align 8, !tbaa !29
  %237 = icmp eq i64 %236, 0
  br i1 %237, label %394, label %238

238:                                              ; preds = %232
  %239 = icmp eq i32 %129, 7
  br i1 %239, label %257, label %240, !llvm.loop !26

240:                                              ; preds = %238
  %241 = getelementptr inbounds nuw i8, ptr %153, i64 28
  %242 = load i32, ptr %241, align 2
  %243 = zext i32 %242 to i64
  %244 = icmp ugt i64 %156, %243
  br i1 %244, label %245, label %394

245:                                              ; preds = %240
  %246 = load ptr, ptr %34, align 8, !tbaa !28
  %247 = getelementptr inbounds nuw %struct.Observation, ptr %246, i64 %243
  %248 = getelementptr inbounds nuw i8, ptr %247, i64 16
  %249 = load i64, ptr %248, align 8, !tbaa !29
  %250 = icmp eq i64 %249, 0
  br i1 %250, label %394, label %257

251:                                              ; preds = %155
  %252 = load ptr, ptr %34, align 8, !tbaa !28
  %253 = getelementptr inbounds nuw %struct.Observation, ptr %252, i64 %158
  %254 = getelementptr inbounds nuw i8, ptr %253, i64 16
  %255 = load i64, ptr %254, align 8, !tbaa !29
  %256 = icmp eq i64 %255, 0
  br i1 %256, label %394, label %160

257:                                              ; preds = %160, %173, %186, %199, %212, %225, %238, %245, %148
  %258 = load i64, ptr %35, align 8, !tbaa !31
  %259 = icmp ult i64 %151, %258
  br i1 %259, label %260, label %394

260:                                              ; preds = %257
  %261 = icmp ne i32 %128, 0
  %262 = icmp ne i32 %129, 0
  %263 = select i1 %261, i1 true, i1 %262
  br i1 %263, label %270, label %264

264:                                              ; preds = %260
  %265 = load ptr, ptr %36, align 8, !tbaa !32
  store volatile i64 0, ptr %265, align 8, !tbaa !7
  %266 = load i64, ptr %31, align 8, !tbaa !24
  %267 = icmp eq i64 %266, 0
  br i1 %267, label %300, label %268

268:                                              ; preds = %264
  %269 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %300

270:                                              ; preds = %260
  br i1 %149, label %300, label %271

271:                                              ; preds = %270
  %272 = load ptr, ptr %36, align 8, !tbaa !32
  store volatile i64 1, ptr %272, align 8, !tbaa !7
  %273 = load i64, ptr %31, align 8, !tbaa !24
  %274 = icmp eq i64 %273, 0
  br i1 %274, label %277, label %275

275:                                              ; preds = %271
  %276 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %277

277:                                              ; preds = %271, %275
  %278 = load ptr, ptr %38, align 8, !tbaa !33
  %279 = load ptr, ptr %39, align 8, !tbaa !34
  %280 = getelementptr inbounds nuw ptr, ptr %279, i64 %150
  %281 = load ptr, ptr %280, align 8, !tbaa !35
  %282 = load ptr, ptr %40, align 8, !tbaa !37
  %283 = load ptr, ptr %41, align 8, !tbaa !38
  %284 = call ptr @LLVMRunPasses(ptr noundef %278, ptr noundef %281, ptr noundef %282, ptr noundef %283) #5
  store ptr %284, ptr %42, align 8, !tbaa !39
  %285 = icmp eq ptr %284, null
  br i1 %285, label %286, label %394

286:                                              ; preds = %277
  %287 = load ptr, ptr %43, align 8, !tbaa !40
  %288 = load i32, ptr %287, align 4, !tbaa !3
  %289 = icmp eq i32 %288, 0
  br i1 %289, label %290, label %394

290:                                              ; preds = %286
  %291 = load ptr, ptr %44, align 8, !tbaa !41
  %292 = load ptr, ptr %38, align 8, !tbaa !33
  %293 = load ptr, ptr %45, align 8, !tbaa !42
  %294 = call i32 %291(ptr noundef %292, ptr noundef %293, ptr noundef nonnull %9) #5
  %295 = icmp eq i32 %294, 0
  br i1 %295, label %394, label %296

296:                                              ; preds = %290
  %297 = load i64, ptr %11, align 8, !tbaa !7
  %298 = load i64, ptr %46, align 8, !tbaa !43
  %299 = icmp ugt i64 %297, %298
  br i1 %299, label %394, label %300

300:                                              ; preds = %264, %268, %296, %270
  %301 = phi i64 [ 1, %296 ], [ 0, %270 ], [ 0, %268 ], [ 0, %264 ]
  %302 = load i64, ptr %10, align 8, !tbaa !44
  %303 = load <2 x i64>, ptr %9, align 16, !tbaa !7
  %304 = load i64, ptr %9, align 16, !tbaa !7
  %305 = icmp eq i64 %304, %302
  store <2 x i64> %303, ptr %10, align 8, !tbaa !7
  %306 = zext nneg i32 %128 to i64
  %307 = load i64, ptr %47, align 8, !tbaa !45
  %308 = add i64 %307, %306
  store i64 %308, ptr %47, align 8, !tbaa !45
  store i8 0, ptr %48, align 4
  store i8 1, ptr %49, align 1
  store i64 %126, ptr %50, align 2
  %309 = zext i1 %305 to i8
  store i8 %309, ptr %51, align 2
  store i32 %129, ptr %52, align 1
  br i1 %154, label %312, label %310

310:                                              ; preds = %300
  %311 = zext nneg i32 %129 to i64
  br label %336

312:                                              ; preds = %389, %300
  %313 = phi ptr [ %53, %300 ], [ %390, %389 ]
  %314 = ptrtoint ptr %313 to i64
  %315 = sub i64 %314, %54
  %316 = trunc i64 %315 to i32
  %317 = add i32 %316, -4
  store i32 %317, ptr %8, align 16
  %318 = load i64, ptr %0, align 8, !tbaa !9
  %319 = trunc i64 %318 to i32
  br label %320

320:                                              ; preds = %323, %312
  %321 = phi i64 [ %99, %312 ], [ %326, %323 ]
  %322 = icmp eq i64 %321, 0
  br i1 %322, label %327, label %323

323:                                              ; preds = %320
  %324 = call i64 @recv(i32 noundef %319, ptr noundef nonnull %7, i64 noundef %321, i32 noundef 0) #5
  %325 = icmp sgt i64 %324, 0
  %326 = sub i64 %321, %324
  br i1 %325, label %320, label %394

327:                                              ; preds = %320, %330
  %328 = phi ptr [ %335, %330 ], [ %8, %320 ]
  %329 = icmp ult ptr %328, %313
  br i1 %329, label %330, label %393

330:                                              ; preds = %327
  %331 = ptrtoint ptr %328 to i64
  %332 = sub i64 %314, %331
  %333 = call i64 @send(i32 noundef %319, ptr noundef %328, i64 noundef %332, i32 noundef 16384) #5
  %334 = icmp sgt i64 %333, -1
  %335 = getelementptr inbounds nuw i8, ptr %328, i64 %333
  br i1 %334, label %327, label %394

336:                                              ; preds = %310, %389
  %337 = phi i64 [ 0, %310 ], [ %391, %389 ]
  %338 = phi ptr [ %53, %310 ], [ %390, %389 ]
  %339 = phi i64 [ %301, %310 ], [ %340, %389 ]
  %340 = add nuw nsw i64 %339, 1
  %341 = load ptr, ptr %36, align 8, !tbaa !32
  store volatile i64 %340, ptr %341, align 8, !tbaa !7
  %342 = load i64, ptr %31, align 8, !tbaa !24
  %343 = icmp eq i64 %342, 0
  br i1 %343, label %346, label %344

344:                                              ; preds = %336
  %345 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %346

346:                                              ; preds = %336, %344
  %347 = load ptr, ptr %34, align 8, !tbaa !28
  %348 = shl i64 %337, 2
  %349 = and i64 %348, 4294967292
  %350 = getelementptr inbounds nuw i8, ptr %153, i64 %349
  %351 = load i32, ptr %350, align 2
  %352 = zext i32 %351 to i64
  %353 = getelementptr inbounds nuw %struct.Observation, ptr %347, i64 %352
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  %354 = getelementptr inbounds nuw i8, ptr %353, i64 16
  %355 = load i64, ptr %354, align 8, !tbaa !29
  %356 = shl i64 %355, 3
  store i8 1, ptr %338, align 1
  %357 = getelementptr inbounds nuw i8, ptr %338, i64 1
  %358 = trunc i64 %356 to i32
  store i32 %358, ptr %357, align 1
  %359 = getelementptr inbounds nuw i8, ptr %338, i64 5
  %360 = load ptr, ptr %353, align 8, !tbaa !46
  %361 = icmp eq ptr %360, null
  br i1 %361, label %362, label %365

362:                                              ; preds = %346
  %363 = load i64, ptr %12, align 8, !tbaa !47
  store i64 %363, ptr %359, align 1
  %364 = getelementptr inbounds nuw i8, ptr %338, i64 13
  br label %389

365:                                              ; preds = %346
  %366 = load ptr, ptr %38, align 8, !tbaa !33
  call void %360(ptr noundef %366, ptr noundef nonnull %2) #5
  %367 = getelementptr inbounds nuw i8, ptr %353, i64 8
  %368 = load ptr, ptr %367, align 8, !tbaa !48
  %369 = icmp eq ptr %368, null
  br i1 %369, label %386, label %370

370:                                              ; preds = %365
  %371 = load i64, ptr %354, align 8, !tbaa !29
  %372 = icmp eq i64 %371, 0
  br i1 %372, label %387, label %373

373:                                              ; preds = %370, %373
  %374 = phi i64 [ %383, %373 ], [ 0, %370 ]
  %375 = shl i64 %374, 3
  %376 = getelementptr inbounds nuw i8, ptr %359, i64 %375
  %377 = load ptr, ptr %367, align 8, !tbaa !48
  %378 = getelementptr inbounds nuw i32, ptr %377, i64 %374
  %379 = load i32, ptr %378, align 4, !tbaa !3
  %380 = zext i32 %379 to i64
  %381 = getelementptr inbounds nuw i64, ptr %2, i64 %380
  %382 = load i64, ptr %381, align 8, !tbaa !7
  store i64 %382, ptr %376, align 1
  %383 = add nuw i64 %374, 1
  %384 = load i64, ptr %354, align 8, !tbaa !29
  %385 = icmp ult i64 %383, %384
  br i1 %385, label %373, label %387, !llvm.loop !49

386:                                              ; preds = %365
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %359, ptr nonnull align 16 %2, i64 %356, i1 false)
  br label %387

387:                                              ; preds = %373, %386, %370
  %388 = getelementptr inbounds nuw i8, ptr %359, i64 %356
  br label %389

389:                                              ; preds = %362, %387
  %390 = phi ptr [ %388, %387 ], [ %364, %362 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  %391 = add nuw nsw i64 %337, 1
  %392 = icmp eq i64 %391, %311
  br i1 %392, label %312, label %336, !llvm.loop !50

393:                                              ; preds = %327
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #5
  br label %55

394:                                              ; preds = %290, %286, %277, %132, %114, %137, %125, %141, %296, %257, %111, %155, %251, %162, %167, %175, %180, %188, %193, %201, %206, %214, %219, %227, %232, %240, %245, %323, %330
  %395 = phi i32 [ 0, %155 ], [ 0, %330 ], [ 0, %323 ], [ 0, %245 ], [ 0, %240 ], [ 0, %232 ], [ 0, %227 ], [ 0, %219 ], [ 0, %214 ], [ 0, %206 ], [ 0, %201 ], [ 0, %193 ], [ 0, %188 ], [ 0, %180 ], [ 0, %175 ], [ 0, %167 ], [ 0, %162 ], [ 0, %251 ], [ 0, %114 ], [ 0, %137 ], [ 0, %125 ], [ 1, %290 ], [ 1, %277 ], [ 0, %141 ], [ 0, %257 ], [ 1, %296 ], [ 0, %111 ], [ 0, %132 ], [ 1, %286 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #5
  ret i32 %395
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

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

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
!7 = !{!8, !8, i64 0}
!8 = !{!"long long", !5, i64 0}
!9 = !{!10, !8, i64 0}
!10 = !{!"", !8, i64 0, !8, i64 8, !8, i64 16, !5, i64 24, !11, i64 56, !13, i64 64, !12, i64 72, !12, i64 80, !12, i64 88, !12, i64 96, !14, i64 104, !8, i64 112, !8, i64 120, !15, i64 128, !8, i64 136, !12, i64 144, !8, i64 152, !8, i64 160, !8, i64 168, !8, i64 176, !8, i64 184, !8, i64 192, !8, i64 200, !8, i64 208, !8, i64 216, !12, i64 224}
!11 = !{!"p1 long long", !12, i64 0}
!12 = !{!"any pointer", !5, i64 0}
!13 = !{!"p1 _ZTS6Module", !12, i64 0}
!14 = !{!"p1 int", !12, i64 0}
!15 = !{!"p2 omnipotent char", !16, i64 0}
!16 = !{!"any p2 pointer", !12, i64 0}
!17 = !{!10, !8, i64 184}
!18 = !{!10, !8, i64 176}
!19 = !{!10, !8, i64 192}
!20 = !{!10, !8, i64 152}
!21 = !{!10, !8, i64 160}
!22 = !{!10, !8, i64 168}
!23 = !{!10, !8, i64 8}
!24 = !{!10, !8, i64 16}
!25 = !{!10, !8, i64 136}
!26 = distinct !{!26, !27}
!27 = !{!"llvm.loop.mustprogress"}
!28 = !{!10, !12, i64 144}
!29 = !{!30, !8, i64 16}
!30 = !{!"", !12, i64 0, !14, i64 8, !8, i64 16}
!31 = !{!10, !8, i64 120}
!32 = !{!10, !11, i64 56}
!33 = !{!10, !13, i64 64}
!34 = !{!10, !15, i64 128}
!35 = !{!36, !36, i64 0}
!36 = !{!"p1 omnipotent char", !12, i64 0}
!37 = !{!10, !12, i64 72}
!38 = !{!10, !12, i64 80}
!39 = !{!10, !12, i64 224}
!40 = !{!10, !14, i64 104}
!41 = !{!10, !12, i64 88}
!42 = !{!10, !12, i64 96}
!43 = !{!10, !8, i64 112}
!44 = !{!10, !8, i64 200}
!45 = !{!10, !8, i64 216}
!46 = !{!30, !12, i64 0}
!47 = !{!10, !8, i64 208}
!48 = !{!30, !14, i64 8}
!49 = distinct !{!49, !27}
!50 = distinct !{!50, !27}
