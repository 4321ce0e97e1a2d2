; ModuleID = 'steps.c'
source_filename = "steps.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Observation = type { ptr, ptr, ptr, i64 }

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_steps(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca [2 x i64], align 16
  %3 = alloca [2 x i64], align 16
  %4 = alloca [2 x i64], align 16
  %5 = alloca [2 x i64], align 16
  %6 = alloca [79 x i8], align 16
  %7 = alloca [16443 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #5
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #5
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %18 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %20 = getelementptr inbounds nuw i8, ptr %6, i64 4
  %21 = getelementptr inbounds nuw i8, ptr %6, i64 5
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 6
  %23 = getelementptr inbounds nuw i8, ptr %6, i64 14
  %24 = getelementptr inbounds nuw i8, ptr %6, i64 30
  %25 = getelementptr inbounds nuw i8, ptr %6, i64 34
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %6, i64 26
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %29 = getelementptr inbounds nuw i8, ptr %6, i64 38
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 4
  %43 = getelementptr inbounds nuw i8, ptr %7, i64 5
  %44 = getelementptr inbounds nuw i8, ptr %7, i64 6
  %45 = getelementptr inbounds nuw i8, ptr %7, i64 14
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 15
  %47 = getelementptr inbounds nuw i8, ptr %7, i64 19
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 1208
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 1216
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 1224
  %51 = ptrtoint ptr %7 to i64
  br label %52

52:                                               ; preds = %336, %1
  %53 = load i64, ptr %8, align 8, !tbaa !7
  %54 = load i64, ptr %0, align 8, !tbaa !14
  %55 = trunc i64 %54 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %56 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #5
  %57 = load i64, ptr %5, align 16, !tbaa !15
  %58 = mul i64 %57, 1000000000
  %59 = load i64, ptr %9, align 8, !tbaa !15
  %60 = add i64 %58, %59
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %61 = load i64, ptr %10, align 8, !tbaa !16
  %62 = load i64, ptr %11, align 8, !tbaa !17
  %63 = icmp ult i64 %61, %62
  br i1 %63, label %64, label %93

64:                                               ; preds = %52
  %65 = load i64, ptr %12, align 8, !tbaa !18
  %66 = icmp ugt i64 %60, %65
  br i1 %66, label %67, label %93

67:                                               ; preds = %64, %75
  %68 = phi i64 [ %84, %75 ], [ %60, %64 ]
  %69 = call i64 @recv(i32 noundef %55, ptr noundef nonnull %6, i64 noundef 79, i32 noundef 66) #5
  %70 = icmp slt i64 %69, 0
  br i1 %70, label %71, label %95

71:                                               ; preds = %67
  %72 = load i64, ptr %13, align 8, !tbaa !19
  %73 = add i64 %72, %60
  %74 = icmp ult i64 %68, %73
  br i1 %74, label %75, label %93

75:                                               ; preds = %71
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  %76 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #5
  %77 = load i64, ptr %4, align 16, !tbaa !15
  %78 = load i64, ptr %14, align 8, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  %79 = call i32 @sched_yield() #5
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  %80 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #5
  %81 = load i64, ptr %3, align 16, !tbaa !15
  %82 = mul i64 %81, 1000000000
  %83 = load i64, ptr %15, align 8, !tbaa !15
  %84 = add i64 %82, %83
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  %85 = mul i64 %77, -1000000000
  %86 = sub i64 %85, %78
  %87 = add i64 %86, %84
  %88 = load i64, ptr %16, align 8, !tbaa !20
  %89 = icmp ugt i64 %87, %88
  br i1 %89, label %90, label %67

90:                                               ; preds = %75
  %91 = load i64, ptr %17, align 8, !tbaa !21
  %92 = add i64 %91, %84
  store i64 %92, ptr %12, align 8, !tbaa !18
  br label %93

93:                                               ; preds = %71, %90, %64, %52
  %94 = call i64 @recv(i32 noundef %55, ptr noundef nonnull %6, i64 noundef 79, i32 noundef 2) #5
  br label %95

95:                                               ; preds = %67, %93
  %96 = phi i64 [ %94, %93 ], [ %69, %67 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  %97 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #5
  %98 = load i64, ptr %2, align 16, !tbaa !15
  %99 = mul i64 %98, 1000000000
  %100 = load i64, ptr %18, align 8, !tbaa !15
  %101 = add i64 %99, %100
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  %102 = load i64, ptr %13, align 8, !tbaa !19
  %103 = add i64 %102, %60
  %104 = icmp ult i64 %101, %103
  br i1 %104, label %108, label %105

105:                                              ; preds = %95
  %106 = load i64, ptr %10, align 8, !tbaa !16
  %107 = add i64 %106, 1
  br label %108

108:                                              ; preds = %95, %105
  %109 = phi i64 [ %107, %105 ], [ 0, %95 ]
  store i64 %109, ptr %10, align 8, !tbaa !16
  %110 = icmp slt i64 %96, 1
  br i1 %110, label %420, label %111

111:                                              ; preds = %108
  %112 = load i64, ptr %19, align 8, !tbaa !22
  %113 = icmp eq i64 %112, 256
  %114 = icmp samesign ult i64 %96, 38
  %115 = select i1 %113, i1 true, i1 %114
  br i1 %115, label %420, label %116

116:                                              ; preds = %111
  %117 = load i32, ptr %6, align 16
  %118 = zext i32 %117 to i64
  %119 = add nuw nsw i64 %118, 4
  %120 = icmp eq i64 %96, %119
  %121 = load i8, ptr %20, align 4
  %122 = icmp eq i8 %121, 0
  %123 = select i1 %120, i1 %122, i1 false
  %124 = load i8, ptr %21, align 1
  %125 = icmp eq i8 %124, 1
  %126 = select i1 %123, i1 %125, i1 false
  br i1 %126, label %127, label %420

127:                                              ; preds = %116
  %128 = load i64, ptr %22, align 2
  %129 = load i64, ptr %23, align 2
  %130 = load i32, ptr %24, align 2
  %131 = load i32, ptr %25, align 2
  %132 = load i64, ptr %26, align 8, !tbaa !23
  %133 = icmp eq i64 %129, %132
  br i1 %133, label %134, label %420

134:                                              ; preds = %127
  %135 = load i32, ptr %27, align 2
  %136 = zext i32 %135 to i64
  %137 = load i64, ptr %28, align 8, !tbaa !24
  %138 = icmp eq i64 %137, %136
  br i1 %138, label %139, label %420

139:                                              ; preds = %134
  %140 = icmp ugt i32 %130, 1
  %141 = icmp ugt i32 %131, 8
  %142 = select i1 %140, i1 true, i1 %141
  br i1 %142, label %420, label %143

143:                                              ; preds = %139
  %144 = shl nuw nsw i32 %130, 3
  %145 = or disjoint i32 %144, 38
  %146 = shl nuw nsw i32 %131, 2
  %147 = add nuw nsw i32 %145, %146
  %148 = zext nneg i32 %147 to i64
  %149 = icmp eq i64 %96, %148
  br i1 %149, label %150, label %420

150:                                              ; preds = %143
  %151 = icmp eq i32 %130, 0
  %152 = load i64, ptr %29, align 2
  %153 = select i1 %151, i64 0, i64 %152
  %154 = zext nneg i32 %144 to i64
  %155 = getelementptr inbounds nuw i8, ptr %29, i64 %154
  %156 = icmp eq i32 %131, 0
  br i1 %156, label %259, label %157

157:                                              ; preds = %150
  %158 = load i64, ptr %30, align 8, !tbaa !25
  %159 = load i32, ptr %155, align 2
  %160 = zext i32 %159 to i64
  %161 = icmp ugt i64 %158, %160
  br i1 %161, label %253, label %420

162:                                              ; preds = %253
  %163 = icmp eq i32 %131, 1
  br i1 %163, label %259, label %164, !llvm.loop !26

164:                                              ; preds = %162
  %165 = getelementptr inbounds nuw i8, ptr %155, i64 4
  %166 = load i32, ptr %165, align 2
  %167 = zext i32 %166 to i64
  %168 = icmp ugt i64 %158, %167
  br i1 %168, label %169, label %420

169:                                              ; preds = %164
  %170 = load ptr, ptr %31, align 8, !tbaa !28
  %171 = getelementptr inbounds nuw %struct.Observation, ptr %170, i64 %167
  %172 = getelementptr inbounds nuw i8, ptr %171, i64 24
  %173 = load i64, ptr %172, align 8, !tbaa !29
  %174 = icmp eq i64 %173, 0
  br i1 %174, label %420, label %175

175:                                              ; preds = %169
  %176 = icmp eq i32 %131, 2
  br i1 %176, label %259, label %177, !llvm.loop !26

177:                                              ; preds = %175
  %178 = getelementptr inbounds nuw i8, ptr %155, i64 8
  %179 = load i32, ptr %178, align 2
  %180 = zext i32 %179 to i64
  %181 = icmp ugt i64 %158, %180
  br i1 %181, label %182, label %420

182:                                              ; preds = %177
  %183 = load ptr, ptr %31, align 8, !tbaa !28
  %184 = getelementptr inbounds nuw %struct.Observation, ptr %183, i64 %180
  %185 = getelementptr inbounds nuw i8, ptr %184, i64 24
  %186 = load i64, ptr %185, align 8, !tbaa !29
  %187 = icmp eq i64 %186, 0
  br i1 %187, label %420, label %188

188:                                              ; preds = %182
  %189 = icmp eq i32 %131, 3
  br i1 %189, label %259, label %190, !llvm.loop !26

190:                                              ; preds = %188
  %191 = getelementptr inbounds nuw i8, ptr %155, i64 12
  %192 = load i32, ptr %191, align 2
  %193 = zext i32 %192 to i64
  %194 = icmp ugt i64 %158, %193
  br i1 %194, label %195, label %420

195:                                              ; preds = %190
  %196 = load ptr, ptr %31, align 8, !tbaa !28
  %197 = getelementptr inbounds nuw %struct.Observation, ptr %196, i64 %193
  %198 = getelementptr inbounds nuw i8, ptr %197, i64 24
  %199 = load i64, ptr %198, align 8, !tbaa !29
  %200 = icmp eq i64 %199, 0
  br i1 %200, label %420, label %201

201:                                              ; preds = %195
  %202 = icmp eq i32 %131, 4
  br i1 %202, label %259, label %203, !llvm.loop !26

203:                                              ; preds = %201
  %204 = getelementptr inbounds nuw i8, ptr %155, i64 16
  %205 = load i32, ptr %204, align 2
  %206 = zext i32 %205 to i64
  %207 = icmp ugt i64 %158, %206
  br i1 %207, label %208, label %420

208:                                              ; preds = %203
  %209 = load ptr, ptr %31, align 8, !tbaa !28
  %210 = getelementptr inbounds nuw %struct.Observation, ptr %209, i64 %206
  %211 = getelementptr inbounds nuw i8, ptr %210, i64 24
  %212 = load i64, ptr %211, align 8, !tbaa !29
  %213 = icmp eq i64 %212, 0
  br i1 %213, label %420, label %214

214:                                              ; preds = %208
  %215 = icmp eq i32 %131, 5
  br i1 %215, label %259, label %216, !llvm.loop !26

216:                                              ; preds = %214
  %217 = getelementptr inbounds nuw i8, ptr %155, i64 20
  %218 = load i32, ptr %217, align 2
  %219 = zext i32 %218 to i64
  %220 = icmp ugt i64 %158, %219
  br i1 %220, label %221, label %420

221:                                              ; preds = %216
  %222 = load ptr, ptr %31, align 8, !tbaa !28
  %223 = getelementptr inbounds nuw %struct.Observation, ptr %222, i64 %219
  %224 = getelementptr inbounds nuw i8, ptr %223, i64 24
  %225 = load i64, ptr %224, align 8, !tbaa !29
  %226 = icmp eq i64 %225, 0
  br i1 %226, label %420, label %227

227:                                              ; preds = %221
  %228 = icmp eq i32 %131, 6
  br i1 %228, label %259, label %229, !llvm.loop !26

229:                                              ; preds = %227
  %230 = getelementptr inbounds nuw i8, ptr %155, i64 24
  %231 = load i32, ptr %230, align 2
  %232 = zext i32 %231 to i64
  %233 = icmp ugt i64 %158, %232
  br i1 %233, label %234, label %420

234:                                              ; preds = %229
  %235 = load ptr, ptr %31, align 8, !tbaa !28
  %236 = getelementptr inbounds nuw %struct.Observation, ptr %235, i64 %232
  %237 = getelementptr inbounds nuw i8, ptr %236, i64 24
  %238 = load i64, ptr %237, align 8, !tbaa !29
  %239 = icmp eq i64 %238, 0
  br i1 %239, label %420, label %240

240:                                              ; preds = %234
  %241 = icmp eq i32 %131, 7
  br i1 %241, label %259, label %242, !llvm.loop !26

242:                                              ; preds = %240
  %243 = getelementptr inbounds nuw i8, ptr %155, i64 28
  %244 = load i32, ptr %243, align 2
  %245 = zext i32 %244 to i64
  %246 = icmp ugt i64 %158, %245
  br i1 %246, label %247, label %420

247:                                              ; preds = %242
  %248 = load ptr, ptr %31, align 8, !tbaa !28
  %249 = getelementptr inbounds nuw %struct.Observation, ptr %248, i64 %245
  %250 = getelementptr inbounds nuw i8, ptr %249, i64 24
  %251 = load i64, ptr %250, align 8, !tbaa !29
  %252 = icmp eq i64 %251, 0
  br i1 %252, label %420, label %259

253:                                              ; preds = %157
  %254 = load ptr, ptr %31, align 8, !tbaa !28
  %255 = getelementptr inbounds nuw %struct.Observation, ptr %254, i64 %160
  %256 = getelementptr inbounds nuw i8, ptr %255, i64 24
  %257 = load i64, ptr %256, align 8, !tbaa !29
  %258 = icmp eq i64 %257, 0
  br i1 %258, label %420, label %162

259:                                              ; preds = %162, %175, %188, %201, %214, %227, %240, %247, %150
  %260 = load i64, ptr %32, align 8, !tbaa !32
  %261 = icmp ult i64 %153, %260
  br i1 %261, label %262, label %420

262:                                              ; preds = %259
  %263 = icmp ne i32 %130, 0
  %264 = icmp ne i32 %131, 0
  %265 = select i1 %263, i1 true, i1 %264
  br i1 %265, label %274, label %266

266:                                              ; preds = %262
  %267 = load ptr, ptr %33, align 8, !tbaa !33
  store volatile i64 0, ptr %267, align 8, !tbaa !15
  %268 = load i64, ptr %34, align 8, !tbaa !15
  %269 = load i64, ptr %35, align 8, !tbaa !15
  %270 = or i64 %269, %268
  %271 = icmp eq i64 %270, 0
  br i1 %271, label %302, label %272

272:                                              ; preds = %266
  %273 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %302

274:                                              ; preds = %262
  br i1 %151, label %302, label %275

275:                                              ; preds = %274
  %276 = load ptr, ptr %33, align 8, !tbaa !33
  store volatile i64 1, ptr %276, align 8, !tbaa !15
  %277 = load i64, ptr %34, align 8, !tbaa !15
  %278 = load i64, ptr %35, align 8, !tbaa !15
  %279 = or i64 %278, %277
  %280 = icmp eq i64 %279, 0
  br i1 %280, label %283, label %281

281:                                              ; preds = %275
  %282 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %283

283:                                              ; preds = %275, %281
  %284 = load ptr, ptr %37, align 8, !tbaa !34
  %285 = icmp eq ptr %284, null
  br i1 %285, label %286, label %299

286:                                              ; preds = %283
  %287 = load ptr, ptr %38, align 8, !tbaa !35
  %288 = load ptr, ptr %39, align 8, !tbaa !36
  %289 = getelementptr inbounds nuw ptr, ptr %288, i64 %152
  %290 = load ptr, ptr %289, align 8, !tbaa !37
  %291 = call i32 @optarena_apply(ptr noundef %287, ptr noundef %290, ptr noundef null) #5
  %292 = icmp eq i32 %291, 0
  br i1 %292, label %420, label %293

293:                                              ; preds = %286
  %294 = load ptr, ptr %38, align 8, !tbaa !35
  %295 = getelementptr inbounds nuw i8, ptr %294, i64 72
  %296 = load i64, ptr %295, align 8, !tbaa !15
  store i64 %296, ptr %8, align 8, !tbaa !7
  %297 = getelementptr inbounds nuw i8, ptr %294, i64 80
  %298 = load i64, ptr %297, align 8, !tbaa !15
  store i64 %298, ptr %40, align 8, !tbaa !39
  br label %305

299:                                              ; preds = %283
  %300 = call i32 @optarena_dialogue_decide(ptr noundef nonnull %284, i64 noundef %152) #5
  %301 = icmp eq i32 %300, 0
  br i1 %301, label %420, label %305

302:                                              ; preds = %274, %272, %266
  %303 = load i64, ptr %8, align 8, !tbaa !7
  %304 = icmp eq i64 %303, %53
  br label %315

305:                                              ; preds = %299, %293
  %306 = trunc i64 %152 to i32
  %307 = load i64, ptr %19, align 8, !tbaa !22
  %308 = add i64 %307, 1
  store i64 %308, ptr %19, align 8, !tbaa !22
  %309 = getelementptr inbounds nuw i32, ptr %41, i64 %307
  store i32 %306, ptr %309, align 4, !tbaa !3
  %310 = load i64, ptr %8, align 8, !tbaa !7
  %311 = icmp eq i64 %310, %53
  br i1 %311, label %312, label %315

312:                                              ; preds = %305
  %313 = load ptr, ptr %37, align 8, !tbaa !34
  %314 = icmp eq ptr %313, null
  br label %315

315:                                              ; preds = %302, %305, %312
  %316 = phi i64 [ 1, %305 ], [ 1, %312 ], [ 0, %302 ]
  %317 = phi i1 [ false, %305 ], [ %314, %312 ], [ %304, %302 ]
  store i8 0, ptr %42, align 4
  store i8 1, ptr %43, align 1
  store i64 %128, ptr %44, align 2
  %318 = zext i1 %317 to i8
  store i8 %318, ptr %45, align 2
  store i32 %131, ptr %46, align 1
  br i1 %156, label %321, label %319

319:                                              ; preds = %315
  %320 = zext nneg i32 %131 to i64
  br label %345

321:                                              ; preds = %416, %315
  %322 = phi ptr [ %47, %315 ], [ %417, %416 ]
  %323 = ptrtoint ptr %322 to i64
  %324 = sub i64 %323, %51
  %325 = trunc i64 %324 to i32
  %326 = add i32 %325, -4
  store i32 %326, ptr %7, align 16
  %327 = load i64, ptr %0, align 8, !tbaa !14
  %328 = trunc i64 %327 to i32
  br label %329

329:                                              ; preds = %332, %321
  %330 = phi i64 [ %96, %321 ], [ %335, %332 ]
  %331 = icmp eq i64 %330, 0
  br i1 %331, label %336, label %332

332:                                              ; preds = %329
  %333 = call i64 @recv(i32 noundef %328, ptr noundef nonnull %6, i64 noundef %330, i32 noundef 0) #5
  %334 = icmp sgt i64 %333, 0
  %335 = sub i64 %330, %333
  br i1 %334, label %329, label %420

336:                                              ; preds = %329, %339
  %337 = phi ptr [ %344, %339 ], [ %7, %329 ]
  %338 = icmp ult ptr %337, %322
  br i1 %338, label %339, label %52

339:                                              ; preds = %336
  %340 = ptrtoint ptr %337 to i64
  %341 = sub i64 %323, %340
  %342 = call i64 @send(i32 noundef %328, ptr noundef %337, i64 noundef %341, i32 noundef 16384) #5
  %343 = icmp sgt i64 %342, -1
  %344 = getelementptr inbounds nuw i8, ptr %337, i64 %342
  br i1 %343, label %336, label %420

345:                                              ; preds = %319, %416
  %346 = phi i64 [ 0, %319 ], [ %418, %416 ]
  %347 = phi ptr [ %47, %319 ], [ %417, %416 ]
  %348 = phi i64 [ %316, %319 ], [ %349, %416 ]
  %349 = add nuw nsw i64 %348, 1
  %350 = load ptr, ptr %33, align 8, !tbaa !33
  store volatile i64 %349, ptr %350, align 8, !tbaa !15
  %351 = load i64, ptr %34, align 8, !tbaa !15
  %352 = load i64, ptr %35, align 8, !tbaa !15
  %353 = or i64 %352, %351
  %354 = icmp eq i64 %353, 0
  br i1 %354, label %357, label %355

355:                                              ; preds = %345
  %356 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %36, ptr noundef null)
  br label %357

357:                                              ; preds = %345, %355
  %358 = load ptr, ptr %31, align 8, !tbaa !28
  %359 = shl i64 %346, 2
  %360 = and i64 %359, 4294967292
  %361 = getelementptr inbounds nuw i8, ptr %155, i64 %360
  %362 = load i32, ptr %361, align 2
  %363 = zext i32 %362 to i64
  %364 = getelementptr inbounds nuw %struct.Observation, ptr %358, i64 %363
  %365 = getelementptr inbounds nuw i8, ptr %364, i64 24
  %366 = load i64, ptr %365, align 8, !tbaa !29
  %367 = shl i64 %366, 3
  store i8 1, ptr %347, align 1
  %368 = getelementptr inbounds nuw i8, ptr %347, i64 1
  %369 = trunc i64 %367 to i32
  store i32 %369, ptr %368, align 1
  %370 = getelementptr inbounds nuw i8, ptr %347, i64 5
  %371 = load ptr, ptr %364, align 8, !tbaa !40
  %372 = icmp eq ptr %371, null
  br i1 %372, label %373, label %380

373:                                              ; preds = %357
  %374 = getelementptr inbounds nuw i8, ptr %364, i64 16
  %375 = load ptr, ptr %374, align 8, !tbaa !41
  %376 = icmp eq ptr %375, null
  br i1 %376, label %377, label %392

377:                                              ; preds = %373
  %378 = load i64, ptr %40, align 8, !tbaa !39
  store i64 %378, ptr %370, align 1
  %379 = getelementptr inbounds nuw i8, ptr %347, i64 13
  br label %416

380:                                              ; preds = %357
  %381 = load ptr, ptr %48, align 8, !tbaa !42
  %382 = icmp eq ptr %381, %371
  br i1 %382, label %383, label %387

383:                                              ; preds = %380
  %384 = load i64, ptr %49, align 8, !tbaa !43
  %385 = load i64, ptr %8, align 8, !tbaa !7
  %386 = icmp eq i64 %384, %385
  br i1 %386, label %392, label %387

387:                                              ; preds = %383, %380
  %388 = load ptr, ptr %38, align 8, !tbaa !35
  %389 = load ptr, ptr %388, align 8, !tbaa !44
  call void %371(ptr noundef %389, ptr noundef nonnull %50) #5
  %390 = load ptr, ptr %364, align 8, !tbaa !40
  store ptr %390, ptr %48, align 8, !tbaa !42
  %391 = load i64, ptr %8, align 8, !tbaa !7
  store i64 %391, ptr %49, align 8, !tbaa !43
  br label %392

392:                                              ; preds = %383, %387, %373
  %393 = phi ptr [ %375, %373 ], [ %50, %387 ], [ %50, %383 ]
  %394 = getelementptr inbounds nuw i8, ptr %364, i64 8
  %395 = load ptr, ptr %394, align 8, !tbaa !47
  %396 = icmp eq ptr %395, null
  br i1 %396, label %413, label %397

397:                                              ; preds = %392
  %398 = load i64, ptr %365, align 8, !tbaa !29
  %399 = icmp eq i64 %398, 0
  br i1 %399, label %414, label %400

400:                                              ; preds = %397, %400
  %401 = phi i64 [ %410, %400 ], [ 0, %397 ]
  %402 = shl i64 %401, 3
  %403 = getelementptr inbounds nuw i8, ptr %370, i64 %402
  %404 = load ptr, ptr %394, align 8, !tbaa !47
  %405 = getelementptr inbounds nuw i32, ptr %404, i64 %401
  %406 = load i32, ptr %405, align 4, !tbaa !3
  %407 = zext i32 %406 to i64
  %408 = getelementptr inbounds nuw i64, ptr %393, i64 %407
  %409 = load i64, ptr %408, align 8, !tbaa !15
  store i64 %409, ptr %403, align 1
  %410 = add nuw i64 %401, 1
  %411 = load i64, ptr %365, align 8, !tbaa !29
  %412 = icmp ult i64 %410, %411
  br i1 %412, label %400, label %414, !llvm.loop !48

413:                                              ; preds = %392
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %370, ptr nonnull align 8 %393, i64 %367, i1 false)
  br label %414

414:                                              ; preds = %400, %413, %397
  %415 = getelementptr inbounds nuw i8, ptr %370, i64 %367
  br label %416

416:                                              ; preds = %377, %414
  %417 = phi ptr [ %415, %414 ], [ %379, %377 ]
  %418 = add nuw nsw i64 %346, 1
  %419 = icmp eq i64 %418, %320
  br i1 %419, label %321, label %345, !llvm.loop !49

420:                                              ; preds = %286, %134, %116, %139, %127, %143, %299, %111, %259, %108, %157, %253, %164, %169, %177, %182, %190, %195, %203, %208, %216, %221, %229, %234, %242, %247, %332, %339
  %421 = phi i32 [ 0, %339 ], [ 0, %332 ], [ 0, %157 ], [ 0, %247 ], [ 0, %242 ], [ 0, %234 ], [ 0, %229 ], [ 0, %221 ], [ 0, %216 ], [ 0, %208 ], [ 0, %203 ], [ 0, %195 ], [ 0, %190 ], [ 0, %182 ], [ 0, %177 ], [ 0, %169 ], [ 0, %164 ], [ 0, %253 ], [ 0, %116 ], [ 0, %139 ], [ 0, %127 ], [ 0, %143 ], [ 0, %259 ], [ 0, %111 ], [ 1, %299 ], [ 0, %108 ], [ 1, %286 ], [ 0, %134 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #5
  ret i32 %421
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
!8 = !{!"", !9, i64 0, !9, i64 8, !9, i64 16, !5, i64 24, !10, i64 56, !11, i64 64, !11, i64 72, !9, i64 80, !12, i64 88, !9, i64 96, !11, i64 104, !9, i64 112, !9, i64 120, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168, !9, i64 176, !5, i64 184, !11, i64 1208, !9, i64 1216, !5, i64 1224}
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
!42 = !{!8, !11, i64 1208}
!43 = !{!8, !9, i64 1216}
!44 = !{!45, !46, i64 0}
!45 = !{!"", !46, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !31, i64 40, !9, i64 48, !11, i64 56, !9, i64 64, !5, i64 72}
!46 = !{!"p1 _ZTS6Module", !11, i64 0}
!47 = !{!30, !31, i64 8}
!48 = distinct !{!48, !27}
!49 = distinct !{!49, !27}
