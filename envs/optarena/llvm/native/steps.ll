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
  %5 = alloca [64 x i8], align 16
  %6 = alloca [2 x i64], align 16
  %7 = alloca [79 x i8], align 16
  %8 = alloca [16443 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #6
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #6
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %17 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %21 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 192
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
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %45 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %46 = getelementptr inbounds nuw i8, ptr %8, i64 5
  %47 = getelementptr inbounds nuw i8, ptr %8, i64 6
  %48 = getelementptr inbounds nuw i8, ptr %8, i64 14
  %49 = getelementptr inbounds nuw i8, ptr %8, i64 15
  %50 = getelementptr inbounds nuw i8, ptr %8, i64 19
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 1224
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 1232
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 1240
  %54 = ptrtoint ptr %8 to i64
  br label %55

55:                                               ; preds = %371, %1
  %56 = load i64, ptr %9, align 8, !tbaa !7
  %57 = load i64, ptr %0, align 8, !tbaa !14
  %58 = trunc i64 %57 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #6
  %59 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #6
  %60 = load i64, ptr %6, align 16, !tbaa !15
  %61 = mul i64 %60, 1000000000
  %62 = load i64, ptr %10, align 8, !tbaa !15
  %63 = add i64 %61, %62
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #6
  %64 = call i64 @recv(i32 noundef %58, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #6
  %65 = icmp slt i64 %64, 0
  br i1 %65, label %66, label %130

66:                                               ; preds = %55
  %67 = load i64, ptr %11, align 8, !tbaa !16
  %68 = load i64, ptr %12, align 8, !tbaa !17
  %69 = icmp ult i64 %67, %68
  br i1 %69, label %70, label %128

70:                                               ; preds = %66
  %71 = load i64, ptr %13, align 8, !tbaa !18
  %72 = icmp ugt i64 %63, %71
  br i1 %72, label %73, label %128

73:                                               ; preds = %70
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #6
  %74 = load i64, ptr %14, align 8, !tbaa !19
  %75 = trunc i64 %74 to i32
  %76 = call i64 @pread(i32 noundef %75, ptr noundef nonnull %5, i64 noundef 64, i64 noundef 0) #6
  %77 = icmp sgt i64 %76, 0
  br i1 %77, label %78, label %98

78:                                               ; preds = %73, %93
  %79 = phi i64 [ %96, %93 ], [ 0, %73 ]
  %80 = phi i32 [ %95, %93 ], [ 0, %73 ]
  %81 = phi i64 [ %94, %93 ], [ 0, %73 ]
  %82 = getelementptr inbounds nuw i8, ptr %5, i64 %79
  %83 = load i8, ptr %82, align 1, !tbaa !20
  switch i8 %83, label %86 [
    i8 47, label %98
    i8 32, label %84
  ]

84:                                               ; preds = %78
  %85 = add nsw i32 %80, 1
  br label %93

86:                                               ; preds = %78
  %87 = icmp eq i32 %80, 3
  br i1 %87, label %88, label %93

88:                                               ; preds = %86
  %89 = mul nsw i64 %81, 10
  %90 = sext i8 %83 to i64
  %91 = add i64 %89, -48
  %92 = add i64 %91, %90
  br label %93

93:                                               ; preds = %88, %86, %84
  %94 = phi i64 [ %81, %84 ], [ %92, %88 ], [ %81, %86 ]
  %95 = phi i32 [ %85, %84 ], [ 3, %88 ], [ %80, %86 ]
  %96 = add nuw nsw i64 %79, 1
  %97 = icmp eq i64 %96, %76
  br i1 %97, label %98, label %78, !llvm.loop !21

98:                                               ; preds = %93, %78, %73
  %99 = phi i64 [ 0, %73 ], [ %81, %78 ], [ %94, %93 ]
  %100 = load i64, ptr %15, align 8, !tbaa !23
  %101 = icmp sgt i64 %99, %100
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #6
  br i1 %101, label %128, label %102

102:                                              ; preds = %98, %125
  %103 = phi i64 [ %116, %125 ], [ %63, %98 ]
  %104 = load i64, ptr %16, align 8, !tbaa !24
  %105 = add i64 %104, %63
  %106 = icmp ult i64 %103, %105
  br i1 %106, label %107, label %128

107:                                              ; preds = %102
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #6
  %108 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #6
  %109 = load i64, ptr %4, align 16, !tbaa !15
  %110 = load i64, ptr %17, align 8, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #6
  %111 = call i32 @sched_yield() #6
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #6
  %112 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #6
  %113 = load i64, ptr %3, align 16, !tbaa !15
  %114 = mul i64 %113, 1000000000
  %115 = load i64, ptr %18, align 8, !tbaa !15
  %116 = add i64 %114, %115
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #6
  %117 = mul i64 %109, -1000000000
  %118 = sub i64 %117, %110
  %119 = add i64 %118, %116
  %120 = load i64, ptr %19, align 8, !tbaa !25
  %121 = icmp ugt i64 %119, %120
  br i1 %121, label %122, label %125

122:                                              ; preds = %107
  %123 = load i64, ptr %20, align 8, !tbaa !26
  %124 = add i64 %123, %116
  store i64 %124, ptr %13, align 8, !tbaa !18
  br label %128

125:                                              ; preds = %107
  %126 = call i64 @recv(i32 noundef %58, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #6
  %127 = icmp slt i64 %126, 0
  br i1 %127, label %102, label %130

128:                                              ; preds = %102, %122, %98, %70, %66
  %129 = call i64 @recv(i32 noundef %58, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 2) #6
  br label %130

130:                                              ; preds = %125, %128, %55
  %131 = phi i64 [ %129, %128 ], [ %64, %55 ], [ %126, %125 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #6
  %132 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %2) #6
  %133 = load i64, ptr %2, align 16, !tbaa !15
  %134 = mul i64 %133, 1000000000
  %135 = load i64, ptr %21, align 8, !tbaa !15
  %136 = add i64 %134, %135
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #6
  %137 = load i64, ptr %16, align 8, !tbaa !24
  %138 = add i64 %137, %63
  %139 = icmp ult i64 %136, %138
  br i1 %139, label %143, label %140

140:                                              ; preds = %130
  %141 = load i64, ptr %11, align 8, !tbaa !16
  %142 = add i64 %141, 1
  br label %143

143:                                              ; preds = %130, %140
  %144 = phi i64 [ %142, %140 ], [ 0, %130 ]
  store i64 %144, ptr %11, align 8, !tbaa !16
  %145 = icmp slt i64 %131, 1
  br i1 %145, label %455, label %146

146:                                              ; preds = %143
  %147 = load i64, ptr %22, align 8, !tbaa !27
  %148 = icmp eq i64 %147, 256
  %149 = icmp samesign ult i64 %131, 38
  %150 = select i1 %148, i1 true, i1 %149
  br i1 %150, label %455, label %151

151:                                              ; preds = %146
  %152 = load i32, ptr %7, align 16
  %153 = zext i32 %152 to i64
  %154 = add nuw nsw i64 %153, 4
  %155 = icmp eq i64 %131, %154
  %156 = load i8, ptr %23, align 4
  %157 = icmp eq i8 %156, 0
  %158 = select i1 %155, i1 %157, i1 false
  %159 = load i8, ptr %24, align 1
  %160 = icmp eq i8 %159, 1
  %161 = select i1 %158, i1 %160, i1 false
  br i1 %161, label %162, label %455

162:                                              ; preds = %151
  %163 = load i64, ptr %25, align 2
  %164 = load i64, ptr %26, align 2
  %165 = load i32, ptr %27, align 2
  %166 = load i32, ptr %28, align 2
  %167 = load i64, ptr %29, align 8, !tbaa !28
  %168 = icmp eq i64 %164, %167
  br i1 %168, label %169, label %455

169:                                              ; preds = %162
  %170 = load i32, ptr %30, align 2
  %171 = zext i32 %170 to i64
  %172 = load i64, ptr %31, align 8, !tbaa !29
  %173 = icmp eq i64 %172, %171
  br i1 %173, label %174, label %455

174:                                              ; preds = %169
  %175 = icmp ugt i32 %165, 1
  %176 = icmp ugt i32 %166, 8
  %177 = select i1 %175, i1 true, i1 %176
  br i1 %177, label %455, label %178

178:                                              ; preds = %174
  %179 = shl nuw nsw i32 %165, 3
  %180 = or disjoint i32 %179, 38
  %181 = shl nuw nsw i32 %166, 2
  %182 = add nuw nsw i32 %180, %181
  %183 = zext nneg i32 %182 to i64
  %184 = icmp eq i64 %131, %183
  br i1 %184, label %185, label %455

185:                                              ; preds = %178
  %186 = icmp eq i32 %165, 0
  %187 = load i64, ptr %32, align 2
  %188 = select i1 %186, i64 0, i64 %187
  %189 = zext nneg i32 %179 to i64
  %190 = getelementptr inbounds nuw i8, ptr %32, i64 %189
  %191 = icmp eq i32 %166, 0
  br i1 %191, label %294, label %192

192:                                              ; preds = %185
  %193 = load i64, ptr %33, align 8, !tbaa !30
  %194 = load i32, ptr %190, align 2
  %195 = zext i32 %194 to i64
  %196 = icmp ugt i64 %193, %195
  br i1 %196, label %288, label %455

197:                                              ; preds = %288
  %198 = icmp eq i32 %166, 1
  br i1 %198, label %294, label %199, !llvm.loop !31

199:                                              ; preds = %197
  %200 = getelementptr inbounds nuw i8, ptr %190, i64 4
  %201 = load i32, ptr %200, align 2
  %202 = zext i32 %201 to i64
  %203 = icmp ugt i64 %193, %202
  br i1 %203, label %204, label %455

204:                                              ; preds = %199
  %205 = load ptr, ptr %34, align 8, !tbaa !32
  %206 = getelementptr inbounds nuw %struct.Observation, ptr %205, i64 %202
  %207 = getelementptr inbounds nuw i8, ptr %206, i64 24
  %208 = load i64, ptr %207, align 8, !tbaa !33
  %209 = icmp eq i64 %208, 0
  br i1 %209, label %455, label %210

210:                                              ; preds = %204
  %211 = icmp eq i32 %166, 2
  br i1 %211, label %294, label %212, !llvm.loop !31

212:                                              ; preds = %210
  %213 = getelementptr inbounds nuw i8, ptr %190, i64 8
  %214 = load i32, ptr %213, align 2
  %215 = zext i32 %214 to i64
  %216 = icmp ugt i64 %193, %215
  br i1 %216, label %217, label %455

217:                                              ; preds = %212
  %218 = load ptr, ptr %34, align 8, !tbaa !32
  %219 = getelementptr inbounds nuw %struct.Observation, ptr %218, i64 %215
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 24
  %221 = load i64, ptr %220, align 8, !tbaa !33
  %222 = icmp eq i64 %221, 0
  br i1 %222, label %455, label %223

223:                                              ; preds = %217
  %224 = icmp eq i32 %166, 3
  br i1 %224, label %294, label %225, !llvm.loop !31

225:                                              ; preds = %223
  %226 = getelementptr inbounds nuw i8, ptr %190, i64 12
  %227 = load i32, ptr %226, align 2
  %228 = zext i32 %227 to i64
  %229 = icmp ugt i64 %193, %228
  br i1 %229, label %230, label %455

230:                                              ; preds = %225
  %231 = load ptr, ptr %34, align 8, !tbaa !32
  %232 = getelementptr inbounds nuw %struct.Observation, ptr %231, i64 %228
  %233 = getelementptr inbounds nuw i8, ptr %232, i64 24
  %234 = load i64, ptr %233, align 8, !tbaa !33
  %235 = icmp eq i64 %234, 0
  br i1 %235, label %455, label %236

236:                                              ; preds = %230
  %237 = icmp eq i32 %166, 4
  br i1 %237, label %294, label %238, !llvm.loop !31

238:                                              ; preds = %236
  %239 = getelementptr inbounds nuw i8, ptr %190, i64 16
  %240 = load i32, ptr %239, align 2
  %241 = zext i32 %240 to i64
  %242 = icmp ugt i64 %193, %241
  br i1 %242, label %243, label %455

243:                                              ; preds = %238
  %244 = load ptr, ptr %34, align 8, !tbaa !32
  %245 = getelementptr inbounds nuw %struct.Observation, ptr %244, i64 %241
  %246 = getelementptr inbounds nuw i8, ptr %245, i64 24
  %247 = load i64, ptr %246, align 8, !tbaa !33
  %248 = icmp eq i64 %247, 0
  br i1 %248, label %455, label %249

249:                                              ; preds = %243
  %250 = icmp eq i32 %166, 5
  br i1 %250, label %294, label %251, !llvm.loop !31

251:                                              ; preds = %249
  %252 = getelementptr inbounds nuw i8, ptr %190, i64 20
  %253 = load i32, ptr %252, align 2
  %254 = zext i32 %253 to i64
  %255 = icmp ugt i64 %193, %254
  br i1 %255, label %256, label %455

256:                                              ; preds = %251
  %257 = load ptr, ptr %34, align 8, !tbaa !32
  %258 = getelementptr inbounds nuw %struct.Observation, ptr %257, i64 %254
  %259 = getelementptr inbounds nuw i8, ptr %258, i64 24
  %260 = load i64, ptr %259, align 8, !tbaa !33
  %261 = icmp eq i64 %260, 0
  br i1 %261, label %455, label %262

262:                                              ; preds = %256
  %263 = icmp eq i32 %166, 6
  br i1 %263, label %294, label %264, !llvm.loop !31

264:                                              ; preds = %262
  %265 = getelementptr inbounds nuw i8, ptr %190, i64 24
  %266 = load i32, ptr %265, align 2
  %267 = zext i32 %266 to i64
  %268 = icmp ugt i64 %193, %267
  br i1 %268, label %269, label %455

269:                                              ; preds = %264
  %270 = load ptr, ptr %34, align 8, !tbaa !32
  %271 = getelementptr inbounds nuw %struct.Observation, ptr %270, i64 %267
  %272 = getelementptr inbounds nuw i8, ptr %271, i64 24
  %273 = load i64, ptr %272, align 8, !tbaa !33
  %274 = icmp eq i64 %273, 0
  br i1 %274, label %455, label %275

275:                                              ; preds = %269
  %276 = icmp eq i32 %166, 7
  br i1 %276, label %294, label %277, !llvm.loop !31

277:                                              ; preds = %275
  %278 = getelementptr inbounds nuw i8, ptr %190, i64 28
  %279 = load i32, ptr %278, align 2
  %280 = zext i32 %279 to i64
  %281 = icmp ugt i64 %193, %280
  br i1 %281, label %282, label %455

282:                                              ; preds = %277
  %283 = load ptr, ptr %34, align 8, !tbaa !32
  %284 = getelementptr inbounds nuw %struct.Observation, ptr %283, i64 %280
  %285 = getelementptr inbounds nuw i8, ptr %284, i64 24
  %286 = load i64, ptr %285, align 8, !tbaa !33
  %287 = icmp eq i64 %286, 0
  br i1 %287, label %455, label %294

288:                                              ; preds = %192
  %289 = load ptr, ptr %34, align 8, !tbaa !32
  %290 = getelementptr inbounds nuw %struct.Observation, ptr %289, i64 %195
  %291 = getelementptr inbounds nuw i8, ptr %290, i64 24
  %292 = load i64, ptr %291, align 8, !tbaa !33
  %293 = icmp eq i64 %292, 0
  br i1 %293, label %455, label %197

294:                                              ; preds = %197, %210, %223, %236, %249, %262, %275, %282, %185
  %295 = load i64, ptr %35, align 8, !tbaa !36
  %296 = icmp ult i64 %188, %295
  br i1 %296, label %297, label %455

297:                                              ; preds = %294
  %298 = icmp ne i32 %165, 0
  %299 = icmp ne i32 %166, 0
  %300 = select i1 %298, i1 true, i1 %299
  br i1 %300, label %309, label %301

301:                                              ; preds = %297
  %302 = load ptr, ptr %36, align 8, !tbaa !37
  store volatile i64 0, ptr %302, align 8, !tbaa !15
  %303 = load i64, ptr %37, align 8, !tbaa !15
  %304 = load i64, ptr %38, align 8, !tbaa !15
  %305 = or i64 %304, %303
  %306 = icmp eq i64 %305, 0
  br i1 %306, label %337, label %307

307:                                              ; preds = %301
  %308 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %39, ptr noundef null)
  br label %337

309:                                              ; preds = %297
  br i1 %186, label %337, label %310

310:                                              ; preds = %309
  %311 = load ptr, ptr %36, align 8, !tbaa !37
  store volatile i64 1, ptr %311, align 8, !tbaa !15
  %312 = load i64, ptr %37, align 8, !tbaa !15
  %313 = load i64, ptr %38, align 8, !tbaa !15
  %314 = or i64 %313, %312
  %315 = icmp eq i64 %314, 0
  br i1 %315, label %318, label %316

316:                                              ; preds = %310
  %317 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %39, ptr noundef null)
  br label %318

318:                                              ; preds = %310, %316
  %319 = load ptr, ptr %40, align 8, !tbaa !38
  %320 = icmp eq ptr %319, null
  br i1 %320, label %321, label %334

321:                                              ; preds = %318
  %322 = load ptr, ptr %41, align 8, !tbaa !39
  %323 = load ptr, ptr %42, align 8, !tbaa !40
  %324 = getelementptr inbounds nuw ptr, ptr %323, i64 %187
  %325 = load ptr, ptr %324, align 8, !tbaa !41
  %326 = call i32 @optarena_apply(ptr noundef %322, ptr noundef %325, ptr noundef null) #6
  %327 = icmp eq i32 %326, 0
  br i1 %327, label %455, label %328

328:                                              ; preds = %321
  %329 = load ptr, ptr %41, align 8, !tbaa !39
  %330 = getelementptr inbounds nuw i8, ptr %329, i64 72
  %331 = load i64, ptr %330, align 8, !tbaa !15
  store i64 %331, ptr %9, align 8, !tbaa !7
  %332 = getelementptr inbounds nuw i8, ptr %329, i64 80
  %333 = load i64, ptr %332, align 8, !tbaa !15
  store i64 %333, ptr %43, align 8, !tbaa !43
  br label %340

334:                                              ; preds = %318
  %335 = call i32 @optarena_dialogue_decide(ptr noundef nonnull %319, i64 noundef %187) #6
  %336 = icmp eq i32 %335, 0
  br i1 %336, label %455, label %340

337:                                              ; preds = %309, %307, %301
  %338 = load i64, ptr %9, align 8, !tbaa !7
  %339 = icmp eq i64 %338, %56
  br label %350

340:                                              ; preds = %334, %328
  %341 = trunc i64 %187 to i32
  %342 = load i64, ptr %22, align 8, !tbaa !27
  %343 = add i64 %342, 1
  store i64 %343, ptr %22, align 8, !tbaa !27
  %344 = getelementptr inbounds nuw i32, ptr %44, i64 %342
  store i32 %341, ptr %344, align 4, !tbaa !3
  %345 = load i64, ptr %9, align 8, !tbaa !7
  %346 = icmp eq i64 %345, %56
  br i1 %346, label %347, label %350

347:                                              ; preds = %340
  %348 = load ptr, ptr %40, align 8, !tbaa !38
  %349 = icmp eq ptr %348, null
  br label %350

350:                                              ; preds = %337, %340, %347
  %351 = phi i64 [ 1, %340 ], [ 1, %347 ], [ 0, %337 ]
  %352 = phi i1 [ false, %340 ], [ %349, %347 ], [ %339, %337 ]
  store i8 0, ptr %45, align 4
  store i8 1, ptr %46, align 1
  store i64 %163, ptr %47, align 2
  %353 = zext i1 %352 to i8
  store i8 %353, ptr %48, align 2
  store i32 %166, ptr %49, align 1
  br i1 %191, label %356, label %354

354:                                              ; preds = %350
  %355 = zext nneg i32 %166 to i64
  br label %380

356:                                              ; preds = %451, %350
  %357 = phi ptr [ %50, %350 ], [ %452, %451 ]
  %358 = ptrtoint ptr %357 to i64
  %359 = sub i64 %358, %54
  %360 = trunc i64 %359 to i32
  %361 = add i32 %360, -4
  store i32 %361, ptr %8, align 16
  %362 = load i64, ptr %0, align 8, !tbaa !14
  %363 = trunc i64 %362 to i32
  br label %364

364:                                              ; preds = %367, %356
  %365 = phi i64 [ %131, %356 ], [ %370, %367 ]
  %366 = icmp eq i64 %365, 0
  br i1 %366, label %371, label %367

367:                                              ; preds = %364
  %368 = call i64 @recv(i32 noundef %363, ptr noundef nonnull %7, i64 noundef %365, i32 noundef 0) #6
  %369 = icmp sgt i64 %368, 0
  %370 = sub i64 %365, %368
  br i1 %369, label %364, label %455

371:                                              ; preds = %364, %374
  %372 = phi ptr [ %379, %374 ], [ %8, %364 ]
  %373 = icmp ult ptr %372, %357
  br i1 %373, label %374, label %55

374:                                              ; preds = %371
  %375 = ptrtoint ptr %372 to i64
  %376 = sub i64 %358, %375
  %377 = call i64 @send(i32 noundef %363, ptr noundef %372, i64 noundef %376, i32 noundef 16384) #6
  %378 = icmp sgt i64 %377, -1
  %379 = getelementptr inbounds nuw i8, ptr %372, i64 %377
  br i1 %378, label %371, label %455

380:                                              ; preds = %354, %451
  %381 = phi i64 [ 0, %354 ], [ %453, %451 ]
  %382 = phi ptr [ %50, %354 ], [ %452, %451 ]
  %383 = phi i64 [ %351, %354 ], [ %384, %451 ]
  %384 = add nuw nsw i64 %383, 1
  %385 = load ptr, ptr %36, align 8, !tbaa !37
  store volatile i64 %384, ptr %385, align 8, !tbaa !15
  %386 = load i64, ptr %37, align 8, !tbaa !15
  %387 = load i64, ptr %38, align 8, !tbaa !15
  %388 = or i64 %387, %386
  %389 = icmp eq i64 %388, 0
  br i1 %389, label %392, label %390

390:                                              ; preds = %380
  %391 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %39, ptr noundef null)
  br label %392

392:                                              ; preds = %380, %390
  %393 = load ptr, ptr %34, align 8, !tbaa !32
  %394 = shl i64 %381, 2
  %395 = and i64 %394, 4294967292
  %396 = getelementptr inbounds nuw i8, ptr %190, i64 %395
  %397 = load i32, ptr %396, align 2
  %398 = zext i32 %397 to i64
  %399 = getelementptr inbounds nuw %struct.Observation, ptr %393, i64 %398
  %400 = getelementptr inbounds nuw i8, ptr %399, i64 24
  %401 = load i64, ptr %400, align 8, !tbaa !33
  %402 = shl i64 %401, 3
  store i8 1, ptr %382, align 1
  %403 = getelementptr inbounds nuw i8, ptr %382, i64 1
  %404 = trunc i64 %402 to i32
  store i32 %404, ptr %403, align 1
  %405 = getelementptr inbounds nuw i8, ptr %382, i64 5
  %406 = load ptr, ptr %399, align 8, !tbaa !44
  %407 = icmp eq ptr %406, null
  br i1 %407, label %408, label %415

408:                                              ; preds = %392
  %409 = getelementptr inbounds nuw i8, ptr %399, i64 16
  %410 = load ptr, ptr %409, align 8, !tbaa !45
  %411 = icmp eq ptr %410, null
  br i1 %411, label %412, label %427

412:                                              ; preds = %408
  %413 = load i64, ptr %43, align 8, !tbaa !43
  store i64 %413, ptr %405, align 1
  %414 = getelementptr inbounds nuw i8, ptr %382, i64 13
  br label %451

415:                                              ; preds = %392
  %416 = load ptr, ptr %51, align 8, !tbaa !46
  %417 = icmp eq ptr %416, %406
  br i1 %417, label %418, label %422

418:                                              ; preds = %415
  %419 = load i64, ptr %52, align 8, !tbaa !47
  %420 = load i64, ptr %9, align 8, !tbaa !7
  %421 = icmp eq i64 %419, %420
  br i1 %421, label %427, label %422

422:                                              ; preds = %418, %415
  %423 = load ptr, ptr %41, align 8, !tbaa !39
  %424 = load ptr, ptr %423, align 8, !tbaa !48
  call void %406(ptr noundef %424, ptr noundef nonnull %53) #6
  %425 = load ptr, ptr %399, align 8, !tbaa !44
  store ptr %425, ptr %51, align 8, !tbaa !46
  %426 = load i64, ptr %9, align 8, !tbaa !7
  store i64 %426, ptr %52, align 8, !tbaa !47
  br label %427

427:                                              ; preds = %418, %422, %408
  %428 = phi ptr [ %410, %408 ], [ %53, %422 ], [ %53, %418 ]
  %429 = getelementptr inbounds nuw i8, ptr %399, i64 8
  %430 = load ptr, ptr %429, align 8, !tbaa !51
  %431 = icmp eq ptr %430, null
  br i1 %431, label %448, label %432

432:                                              ; preds = %427
  %433 = load i64, ptr %400, align 8, !tbaa !33
  %434 = icmp eq i64 %433, 0
  br i1 %434, label %449, label %435

435:                                              ; preds = %432, %435
  %436 = phi i64 [ %445, %435 ], [ 0, %432 ]
  %437 = shl i64 %436, 3
  %438 = getelementptr inbounds nuw i8, ptr %405, i64 %437
  %439 = load ptr, ptr %429, align 8, !tbaa !51
  %440 = getelementptr inbounds nuw i32, ptr %439, i64 %436
  %441 = load i32, ptr %440, align 4, !tbaa !3
  %442 = zext i32 %441 to i64
  %443 = getelementptr inbounds nuw i64, ptr %428, i64 %442
  %444 = load i64, ptr %443, align 8, !tbaa !15
  store i64 %444, ptr %438, align 1
  %445 = add nuw i64 %436, 1
  %446 = load i64, ptr %400, align 8, !tbaa !33
  %447 = icmp ult i64 %445, %446
  br i1 %447, label %435, label %449, !llvm.loop !52

448:                                              ; preds = %427
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %405, ptr nonnull align 8 %428, i64 %402, i1 false)
  br label %449

449:                                              ; preds = %435, %448, %432
  %450 = getelementptr inbounds nuw i8, ptr %405, i64 %402
  br label %451

451:                                              ; preds = %412, %449
  %452 = phi ptr [ %450, %449 ], [ %414, %412 ]
  %453 = add nuw nsw i64 %381, 1
  %454 = icmp eq i64 %453, %355
  br i1 %454, label %356, label %380, !llvm.loop !53

455:                                              ; preds = %321, %169, %151, %174, %162, %178, %334, %146, %294, %143, %192, %288, %199, %204, %212, %217, %225, %230, %238, %243, %251, %256, %264, %269, %277, %282, %367, %374
  %456 = phi i32 [ 0, %374 ], [ 0, %367 ], [ 0, %192 ], [ 0, %282 ], [ 0, %277 ], [ 0, %269 ], [ 0, %264 ], [ 0, %256 ], [ 0, %251 ], [ 0, %243 ], [ 0, %238 ], [ 0, %230 ], [ 0, %225 ], [ 0, %217 ], [ 0, %212 ], [ 0, %204 ], [ 0, %199 ], [ 0, %288 ], [ 0, %151 ], [ 0, %174 ], [ 0, %162 ], [ 0, %178 ], [ 0, %294 ], [ 0, %146 ], [ 1, %334 ], [ 0, %143 ], [ 1, %321 ], [ 0, %169 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #6
  ret i32 %456
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i64 @recv(i32 noundef, ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @sched_yield() local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nofree
declare noundef i64 @pread(i32 noundef, ptr noundef captures(none), i64 noundef, i64 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nofree nounwind willreturn
declare noundef i32 @setitimer(i32 noundef, ptr noundef readonly captures(none), ptr noundef captures(none)) local_unnamed_addr #4

declare i32 @optarena_dialogue_decide(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i32 @optarena_apply(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #5

declare i64 @send(i32 noundef, ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree nounwind willreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!8, !9, i64 176}
!8 = !{!"", !9, i64 0, !9, i64 8, !9, i64 16, !5, i64 24, !10, i64 56, !11, i64 64, !11, i64 72, !9, i64 80, !12, i64 88, !9, i64 96, !11, i64 104, !9, i64 112, !9, i64 120, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168, !9, i64 176, !9, i64 184, !9, i64 192, !5, i64 200, !11, i64 1224, !9, i64 1232, !5, i64 1240}
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
!19 = !{!8, !9, i64 160}
!20 = !{!5, !5, i64 0}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.mustprogress"}
!23 = !{!8, !9, i64 168}
!24 = !{!8, !9, i64 112}
!25 = !{!8, !9, i64 120}
!26 = !{!8, !9, i64 128}
!27 = !{!8, !9, i64 192}
!28 = !{!8, !9, i64 8}
!29 = !{!8, !9, i64 16}
!30 = !{!8, !9, i64 96}
!31 = distinct !{!31, !22}
!32 = !{!8, !11, i64 104}
!33 = !{!34, !9, i64 24}
!34 = !{!"", !11, i64 0, !35, i64 8, !10, i64 16, !9, i64 24}
!35 = !{!"p1 int", !11, i64 0}
!36 = !{!8, !9, i64 80}
!37 = !{!8, !10, i64 56}
!38 = !{!8, !11, i64 72}
!39 = !{!8, !11, i64 64}
!40 = !{!8, !12, i64 88}
!41 = !{!42, !42, i64 0}
!42 = !{!"p1 omnipotent char", !11, i64 0}
!43 = !{!8, !9, i64 184}
!44 = !{!34, !11, i64 0}
!45 = !{!34, !10, i64 16}
!46 = !{!8, !11, i64 1224}
!47 = !{!8, !9, i64 1232}
!48 = !{!49, !50, i64 0}
!49 = !{!"", !50, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !35, i64 40, !9, i64 48, !11, i64 56, !9, i64 64, !5, i64 72}
!50 = !{!"p1 _ZTS6Module", !11, i64 0}
!51 = !{!34, !35, i64 8}
!52 = distinct !{!52, !22}
!53 = distinct !{!53, !22}
