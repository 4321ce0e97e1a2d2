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
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 168
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
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %42 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %43 = getelementptr inbounds nuw i8, ptr %8, i64 5
  %44 = getelementptr inbounds nuw i8, ptr %8, i64 6
  %45 = getelementptr inbounds nuw i8, ptr %8, i64 14
  %46 = getelementptr inbounds nuw i8, ptr %8, i64 15
  %47 = getelementptr inbounds nuw i8, ptr %8, i64 19
  %48 = ptrtoint ptr %8 to i64
  br label %49

49:                                               ; preds = %319, %1
  %50 = load i64, ptr %9, align 8, !tbaa !7
  %51 = load i64, ptr %0, align 8, !tbaa !14
  %52 = trunc i64 %51 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #5
  %53 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #5
  %54 = load i64, ptr %6, align 16, !tbaa !15
  %55 = mul i64 %54, 1000000000
  %56 = load i64, ptr %10, align 8, !tbaa !15
  %57 = add i64 %55, %56
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #5
  %58 = load i64, ptr %11, align 8, !tbaa !16
  %59 = load i64, ptr %12, align 8, !tbaa !17
  %60 = icmp ult i64 %58, %59
  br i1 %60, label %61, label %90

61:                                               ; preds = %49
  %62 = load i64, ptr %13, align 8, !tbaa !18
  %63 = icmp ugt i64 %57, %62
  br i1 %63, label %64, label %90

64:                                               ; preds = %61, %72
  %65 = phi i64 [ %81, %72 ], [ %57, %61 ]
  %66 = call i64 @recv(i32 noundef %52, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 66) #5
  %67 = icmp slt i64 %66, 0
  br i1 %67, label %68, label %92

68:                                               ; preds = %64
  %69 = load i64, ptr %14, align 8, !tbaa !19
  %70 = add i64 %69, %57
  %71 = icmp ult i64 %65, %70
  br i1 %71, label %72, label %90

72:                                               ; preds = %68
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #5
  %73 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #5
  %74 = load i64, ptr %5, align 16, !tbaa !15
  %75 = load i64, ptr %15, align 8, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #5
  %76 = call i32 @sched_yield() #5
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  %77 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #5
  %78 = load i64, ptr %4, align 16, !tbaa !15
  %79 = mul i64 %78, 1000000000
  %80 = load i64, ptr %16, align 8, !tbaa !15
  %81 = add i64 %79, %80
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  %82 = mul i64 %74, -1000000000
  %83 = sub i64 %82, %75
  %84 = add i64 %83, %81
  %85 = load i64, ptr %17, align 8, !tbaa !20
  %86 = icmp ugt i64 %84, %85
  br i1 %86, label %87, label %64

87:                                               ; preds = %72
  %88 = load i64, ptr %18, align 8, !tbaa !21
  %89 = add i64 %88, %81
  store i64 %89, ptr %13, align 8, !tbaa !18
  br label %90

90:                                               ; preds = %68, %87, %61, %49
  %91 = call i64 @recv(i32 noundef %52, ptr noundef nonnull %7, i64 noundef 79, i32 noundef 2) #5
  br label %92

92:                                               ; preds = %64, %90
  %93 = phi i64 [ %91, %90 ], [ %66, %64 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  %94 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #5
  %95 = load i64, ptr %3, align 16, !tbaa !15
  %96 = mul i64 %95, 1000000000
  %97 = load i64, ptr %19, align 8, !tbaa !15
  %98 = add i64 %96, %97
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  %99 = load i64, ptr %14, align 8, !tbaa !19
  %100 = add i64 %99, %57
  %101 = icmp ult i64 %98, %100
  br i1 %101, label %105, label %102

102:                                              ; preds = %92
  %103 = load i64, ptr %11, align 8, !tbaa !16
  %104 = add i64 %103, 1
  br label %105

105:                                              ; preds = %92, %102
  %106 = phi i64 [ %104, %102 ], [ 0, %92 ]
  store i64 %106, ptr %11, align 8, !tbaa !16
  %107 = icmp slt i64 %93, 1
  br i1 %107, label %388, label %108

108:                                              ; preds = %105
  %109 = load i64, ptr %20, align 8, !tbaa !22
  %110 = icmp eq i64 %109, 256
  %111 = icmp samesign ult i64 %93, 38
  %112 = select i1 %110, i1 true, i1 %111
  br i1 %112, label %388, label %113

113:                                              ; preds = %108
  %114 = load i32, ptr %7, align 16
  %115 = zext i32 %114 to i64
  %116 = add nuw nsw i64 %115, 4
  %117 = icmp eq i64 %93, %116
  %118 = load i8, ptr %21, align 4
  %119 = icmp eq i8 %118, 0
  %120 = select i1 %117, i1 %119, i1 false
  %121 = load i8, ptr %22, align 1
  %122 = icmp eq i8 %121, 1
  %123 = select i1 %120, i1 %122, i1 false
  br i1 %123, label %124, label %388

124:                                              ; preds = %113
  %125 = load i64, ptr %23, align 2
  %126 = load i64, ptr %24, align 2
  %127 = load i32, ptr %25, align 2
  %128 = load i32, ptr %26, align 2
  %129 = load i64, ptr %27, align 8, !tbaa !23
  %130 = icmp eq i64 %126, %129
  br i1 %130, label %131, label %388

131:                                              ; preds = %124
  %132 = load i32, ptr %28, align 2
  %133 = zext i32 %132 to i64
  %134 = load i64, ptr %29, align 8, !tbaa !24
  %135 = icmp eq i64 %134, %133
  br i1 %135, label %136, label %388

136:                                              ; preds = %131
  %137 = icmp ugt i32 %127, 1
  %138 = icmp ugt i32 %128, 8
  %139 = select i1 %137, i1 true, i1 %138
  br i1 %139, label %388, label %140

140:                                              ; preds = %136
  %141 = shl nuw nsw i32 %127, 3
  %142 = or disjoint i32 %141, 38
  %143 = shl nuw nsw i32 %128, 2
  %144 = add nuw nsw i32 %142, %143
  %145 = zext nneg i32 %144 to i64
  %146 = icmp eq i64 %93, %145
  br i1 %146, label %147, label %388

147:                                              ; preds = %140
  %148 = icmp eq i32 %127, 0
  %149 = load i64, ptr %30, align 2
  %150 = select i1 %148, i64 0, i64 %149
  %151 = zext nneg i32 %141 to i64
  %152 = getelementptr inbounds nuw i8, ptr %30, i64 %151
  %153 = icmp eq i32 %128, 0
  br i1 %153, label %256, label %154

154:                                              ; preds = %147
  %155 = load i64, ptr %31, align 8, !tbaa !25
  %156 = load i32, ptr %152, align 2
  %157 = zext i32 %156 to i64
  %158 = icmp ugt i64 %155, %157
  br i1 %158, label %250, label %388

159:                                              ; preds = %250
  %160 = icmp eq i32 %128, 1
  br i1 %160, label %256, label %161, !llvm.loop !26

161:                                              ; preds = %159
  %162 = getelementptr inbounds nuw i8, ptr %152, i64 4
  %163 = load i32, ptr %162, align 2
  %164 = zext i32 %163 to i64
  %165 = icmp ugt i64 %155, %164
  br i1 %165, label %166, label %388

166:                                              ; preds = %161
  %167 = load ptr, ptr %32, align 8, !tbaa !28
  %168 = getelementptr inbounds nuw %struct.Observation, ptr %167, i64 %164
  %169 = getelementptr inbounds nuw i8, ptr %168, i64 16
  %170 = load i64, ptr %169, align 8, !tbaa !29
  %171 = icmp eq i64 %170, 0
  br i1 %171, label %388, label %172

172:                                              ; preds = %166
  %173 = icmp eq i32 %128, 2
  br i1 %173, label %256, label %174, !llvm.loop !26

174:                                              ; preds = %172
  %175 = getelementptr inbounds nuw i8, ptr %152, i64 8
  %176 = load i32, ptr %175, align 2
  %177 = zext i32 %176 to i64
  %178 = icmp ugt i64 %155, %177
  br i1 %178, label %179, label %388

179:                                              ; preds = %174
  %180 = load ptr, ptr %32, align 8, !tbaa !28
  %181 = getelementptr inbounds nuw %struct.Observation, ptr %180, i64 %177
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 16
  %183 = load i64, ptr %182, align 8, !tbaa !29
  %184 = icmp eq i64 %183, 0
  br i1 %184, label %388, label %185

185:                                              ; preds = %179
  %186 = icmp eq i32 %128, 3
  br i1 %186, label %256, label %187, !llvm.loop !26

187:                                              ; preds = %185
  %188 = getelementptr inbounds nuw i8, ptr %152, i64 12
  %189 = load i32, ptr %188, align 2
  %190 = zext i32 %189 to i64
  %191 = icmp ugt i64 %155, %190
  br i1 %191, label %192, label %388

192:                                              ; preds = %187
  %193 = load ptr, ptr %32, align 8, !tbaa !28
  %194 = getelementptr inbounds nuw %struct.Observation, ptr %193, i64 %190
  %195 = getelementptr inbounds nuw i8, ptr %194, i64 16
  %196 = load i64, ptr %195, align 8, !tbaa !29
  %197 = icmp eq i64 %196, 0
  br i1 %197, label %388, label %198

198:                                              ; preds = %192
  %199 = icmp eq i32 %128, 4
  br i1 %199, label %256, label %200, !llvm.loop !26

200:                                              ; preds = %198
  %201 = getelementptr inbounds nuw i8, ptr %152, i64 16
  %202 = load i32, ptr %201, align 2
  %203 = zext i32 %202 to i64
  %204 = icmp ugt i64 %155, %203
  br i1 %204, label %205, label %388

205:                                              ; preds = %200
  %206 = load ptr, ptr %32, align 8, !tbaa !28
  %207 = getelementptr inbounds nuw %struct.Observation, ptr %206, i64 %203
  %208 = getelementptr inbounds nuw i8, ptr %207, i64 16
  %209 = load i64, ptr %208, align 8, !tbaa !29
  %210 = icmp eq i64 %209, 0
  br i1 %210, label %388, label %211

211:                                              ; preds = %205
  %212 = icmp eq i32 %128, 5
  br i1 %212, label %256, label %213, !llvm.loop !26

213:                                              ; preds = %211
  %214 = getelementptr inbounds nuw i8, ptr %152, i64 20
  %215 = load i32, ptr %214, align 2
  %216 = zext i32 %215 to i64
  %217 = icmp ugt i64 %155, %216
  br i1 %217, label %218, label %388

218:                                              ; preds = %213
  %219 = load ptr, ptr %32, align 8, !tbaa !28
  %220 = getelementptr inbounds nuw %struct.Observation, ptr %219, i64 %216
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 16
  %222 = load i64, ptr %221, align 8, !tbaa !29
  %223 = icmp eq i64 %222, 0
  br i1 %223, label %388, label %224

224:                                              ; preds = %218
  %225 = icmp eq i32 %128, 6
  br i1 %225, label %256, label %226, !llvm.loop !26

226:                                              ; preds = %224
  %227 = getelementptr inbounds nuw i8, ptr %152, i64 24
  %228 = load i32, ptr %227, align 2
  %229 = zext i32 %228 to i64
  %230 = icmp ugt i64 %155, %229
  br i1 %230, label %231, label %388

231:                                              ; preds = %226
  %232 = load ptr, ptr %32, align 8, !tbaa !28
  %233 = getelementptr inbounds nuw %struct.Observation, ptr %232, i64 %229
  %234 = getelementptr inbounds nuw i8, ptr %233, i64 16
  %235 = load i64, ptr %234, align 8, !tbaa !29
  %236 = icmp eq i64 %235, 0
  br i1 %236, label %388, label %237

237:                                              ; preds = %231
  %238 = icmp eq i32 %128, 7
  br i1 %238, label %256, label %239, !llvm.loop !26

239:                                              ; preds = %237
  %240 = getelementptr inbounds nuw i8, ptr %152, i64 28
  %241 = load i32, ptr %240, align 2
  %242 = zext i32 %241 to i64
  %243 = icmp ugt i64 %155, %242
  br i1 %243, label %244, label %388

244:                                              ; preds = %239
  %245 = load ptr, ptr %32, align 8, !tbaa !28
  %246 = getelementptr inbounds nuw %struct.Observation, ptr %245, i64 %242
  %247 = getelementptr inbounds nuw i8, ptr %246, i64 16
  %248 = load i64, ptr %247, align 8, !tbaa !29
  %249 = icmp eq i64 %248, 0
  br i1 %249, label %388, label %256

250:                                              ; preds = %154
  %251 = load ptr, ptr %32, align 8, !tbaa !28
  %252 = getelementptr inbounds nuw %struct.Observation, ptr %251, i64 %157
  %253 = getelementptr inbounds nuw i8, ptr %252, i64 16
  %254 = load i64, ptr %253, align 8, !tbaa !29
  %255 = icmp eq i64 %254, 0
  br i1 %255, label %388, label %159

256:                                              ; preds = %159, %172, %185, %198, %211, %224, %237, %244, %147
  %257 = load i64, ptr %33, align 8, !tbaa !32
  %258 = icmp ult i64 %150, %257
  br i1 %258, label %259, label %388

259:                                              ; preds = %256
  %260 = icmp ne i32 %127, 0
  %261 = icmp ne i32 %128, 0
  %262 = select i1 %260, i1 true, i1 %261
  br i1 %262, label %271, label %263

263:                                              ; preds = %259
  %264 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 0, ptr %264, align 8, !tbaa !15
  %265 = load i64, ptr %35, align 8, !tbaa !15
  %266 = load i64, ptr %36, align 8, !tbaa !15
  %267 = or i64 %266, %265
  %268 = icmp eq i64 %267, 0
  br i1 %268, label %297, label %269

269:                                              ; preds = %263
  %270 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %297

271:                                              ; preds = %259
  br i1 %148, label %297, label %272

272:                                              ; preds = %271
  %273 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 1, ptr %273, align 8, !tbaa !15
  %274 = load i64, ptr %35, align 8, !tbaa !15
  %275 = load i64, ptr %36, align 8, !tbaa !15
  %276 = or i64 %275, %274
  %277 = icmp eq i64 %276, 0
  br i1 %277, label %280, label %278

278:                                              ; preds = %272
  %279 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %280

280:                                              ; preds = %272, %278
  %281 = load ptr, ptr %38, align 8, !tbaa !34
  %282 = load ptr, ptr %39, align 8, !tbaa !35
  %283 = getelementptr inbounds nuw ptr, ptr %282, i64 %149
  %284 = load ptr, ptr %283, align 8, !tbaa !36
  %285 = call i32 @optarena_apply(ptr noundef %281, ptr noundef %284, ptr noundef null) #5
  %286 = icmp eq i32 %285, 0
  br i1 %286, label %388, label %287

287:                                              ; preds = %280
  %288 = load ptr, ptr %38, align 8, !tbaa !34
  %289 = getelementptr inbounds nuw i8, ptr %288, i64 72
  %290 = load i64, ptr %289, align 8, !tbaa !15
  store i64 %290, ptr %9, align 8, !tbaa !7
  %291 = getelementptr inbounds nuw i8, ptr %288, i64 80
  %292 = load i64, ptr %291, align 8, !tbaa !15
  store i64 %292, ptr %40, align 8, !tbaa !38
  %293 = trunc i64 %149 to i32
  %294 = load i64, ptr %20, align 8, !tbaa !22
  %295 = add i64 %294, 1
  store i64 %295, ptr %20, align 8, !tbaa !22
  %296 = getelementptr inbounds nuw i32, ptr %41, i64 %294
  store i32 %293, ptr %296, align 4, !tbaa !3
  br label %297

297:                                              ; preds = %263, %269, %287, %271
  %298 = phi i64 [ 1, %287 ], [ 0, %271 ], [ 0, %269 ], [ 0, %263 ]
  %299 = load i64, ptr %9, align 8, !tbaa !7
  %300 = icmp eq i64 %299, %50
  store i8 0, ptr %42, align 4
  store i8 1, ptr %43, align 1
  store i64 %125, ptr %44, align 2
  %301 = zext i1 %300 to i8
  store i8 %301, ptr %45, align 2
  store i32 %128, ptr %46, align 1
  br i1 %153, label %304, label %302

302:                                              ; preds = %297
  %303 = zext nneg i32 %128 to i64
  br label %328

304:                                              ; preds = %384, %297
  %305 = phi ptr [ %47, %297 ], [ %385, %384 ]
  %306 = ptrtoint ptr %305 to i64
  %307 = sub i64 %306, %48
  %308 = trunc i64 %307 to i32
  %309 = add i32 %308, -4
  store i32 %309, ptr %8, align 16
  %310 = load i64, ptr %0, align 8, !tbaa !14
  %311 = trunc i64 %310 to i32
  br label %312

312:                                              ; preds = %315, %304
  %313 = phi i64 [ %93, %304 ], [ %318, %315 ]
  %314 = icmp eq i64 %313, 0
  br i1 %314, label %319, label %315

315:                                              ; preds = %312
  %316 = call i64 @recv(i32 noundef %311, ptr noundef nonnull %7, i64 noundef %313, i32 noundef 0) #5
  %317 = icmp sgt i64 %316, 0
  %318 = sub i64 %313, %316
  br i1 %317, label %312, label %388

319:                                              ; preds = %312, %322
  %320 = phi ptr [ %327, %322 ], [ %8, %312 ]
  %321 = icmp ult ptr %320, %305
  br i1 %321, label %322, label %49

322:                                              ; preds = %319
  %323 = ptrtoint ptr %320 to i64
  %324 = sub i64 %306, %323
  %325 = call i64 @send(i32 noundef %311, ptr noundef %320, i64 noundef %324, i32 noundef 16384) #5
  %326 = icmp sgt i64 %325, -1
  %327 = getelementptr inbounds nuw i8, ptr %320, i64 %325
  br i1 %326, label %319, label %388

328:                                              ; preds = %302, %384
  %329 = phi i64 [ 0, %302 ], [ %386, %384 ]
  %330 = phi ptr [ %47, %302 ], [ %385, %384 ]
  %331 = phi i64 [ %298, %302 ], [ %332, %384 ]
  %332 = add nuw nsw i64 %331, 1
  %333 = load ptr, ptr %34, align 8, !tbaa !33
  store volatile i64 %332, ptr %333, align 8, !tbaa !15
  %334 = load i64, ptr %35, align 8, !tbaa !15
  %335 = load i64, ptr %36, align 8, !tbaa !15
  %336 = or i64 %335, %334
  %337 = icmp eq i64 %336, 0
  br i1 %337, label %340, label %338

338:                                              ; preds = %328
  %339 = call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %37, ptr noundef null)
  br label %340

340:                                              ; preds = %328, %338
  %341 = load ptr, ptr %32, align 8, !tbaa !28
  %342 = shl i64 %329, 2
  %343 = and i64 %342, 4294967292
  %344 = getelementptr inbounds nuw i8, ptr %152, i64 %343
  %345 = load i32, ptr %344, align 2
  %346 = zext i32 %345 to i64
  %347 = getelementptr inbounds nuw %struct.Observation, ptr %341, i64 %346
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #5
  %348 = getelementptr inbounds nuw i8, ptr %347, i64 16
  %349 = load i64, ptr %348, align 8, !tbaa !29
  %350 = shl i64 %349, 3
  store i8 1, ptr %330, align 1
  %351 = getelementptr inbounds nuw i8, ptr %330, i64 1
  %352 = trunc i64 %350 to i32
  store i32 %352, ptr %351, align 1
  %353 = getelementptr inbounds nuw i8, ptr %330, i64 5
  %354 = load ptr, ptr %347, align 8, !tbaa !39
  %355 = icmp eq ptr %354, null
  br i1 %355, label %356, label %359

356:                                              ; preds = %340
  %357 = load i64, ptr %40, align 8, !tbaa !38
  store i64 %357, ptr %353, align 1
  %358 = getelementptr inbounds nuw i8, ptr %330, i64 13
  br label %384

359:                                              ; preds = %340
  %360 = load ptr, ptr %38, align 8, !tbaa !34
  %361 = load ptr, ptr %360, align 8, !tbaa !40
  call void %354(ptr noundef %361, ptr noundef nonnull %2) #5
  %362 = getelementptr inbounds nuw i8, ptr %347, i64 8
  %363 = load ptr, ptr %362, align 8, !tbaa !43
  %364 = icmp eq ptr %363, null
  br i1 %364, label %381, label %365

365:                                              ; preds = %359
  %366 = load i64, ptr %348, align 8, !tbaa !29
  %367 = icmp eq i64 %366, 0
  br i1 %367, label %382, label %368

368:                                              ; preds = %365, %368
  %369 = phi i64 [ %378, %368 ], [ 0, %365 ]
  %370 = shl i64 %369, 3
  %371 = getelementptr inbounds nuw i8, ptr %353, i64 %370
  %372 = load ptr, ptr %362, align 8, !tbaa !43
  %373 = getelementptr inbounds nuw i32, ptr %372, i64 %369
  %374 = load i32, ptr %373, align 4, !tbaa !3
  %375 = zext i32 %374 to i64
  %376 = getelementptr inbounds nuw i64, ptr %2, i64 %375
  %377 = load i64, ptr %376, align 8, !tbaa !15
  store i64 %377, ptr %371, align 1
  %378 = add nuw i64 %369, 1
  %379 = load i64, ptr %348, align 8, !tbaa !29
  %380 = icmp ult i64 %378, %379
  br i1 %380, label %368, label %382, !llvm.loop !44

381:                                              ; preds = %359
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %353, ptr nonnull align 16 %2, i64 %350, i1 false)
  br label %382

382:                                              ; preds = %368, %381, %365
  %383 = getelementptr inbounds nuw i8, ptr %353, i64 %350
  br label %384

384:                                              ; preds = %356, %382
  %385 = phi ptr [ %383, %382 ], [ %358, %356 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #5
  %386 = add nuw nsw i64 %329, 1
  %387 = icmp eq i64 %386, %303
  br i1 %387, label %304, label %328, !llvm.loop !45

388:                                              ; preds = %131, %113, %136, %124, %140, %280, %108, %256, %105, %154, %250, %161, %166, %174, %179, %187, %192, %200, %205, %213, %218, %226, %231, %239, %244, %315, %322
  %389 = phi i32 [ 0, %322 ], [ 0, %154 ], [ 0, %315 ], [ 0, %244 ], [ 0, %239 ], [ 0, %231 ], [ 0, %226 ], [ 0, %218 ], [ 0, %213 ], [ 0, %205 ], [ 0, %200 ], [ 0, %192 ], [ 0, %187 ], [ 0, %179 ], [ 0, %174 ], [ 0, %166 ], [ 0, %161 ], [ 0, %250 ], [ 0, %113 ], [ 0, %136 ], [ 0, %124 ], [ 0, %140 ], [ 0, %256 ], [ 0, %108 ], [ 1, %280 ], [ 0, %105 ], [ 0, %131 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #5
  ret i32 %389
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
!8 = !{!"", !9, i64 0, !9, i64 8, !9, i64 16, !5, i64 24, !10, i64 56, !11, i64 64, !9, i64 72, !12, i64 80, !9, i64 88, !11, i64 96, !9, i64 104, !9, i64 112, !9, i64 120, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168, !5, i64 176}
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
!22 = !{!8, !9, i64 168}
!23 = !{!8, !9, i64 8}
!24 = !{!8, !9, i64 16}
!25 = !{!8, !9, i64 88}
!26 = distinct !{!26, !27}
!27 = !{!"llvm.loop.mustprogress"}
!28 = !{!8, !11, i64 96}
!29 = !{!30, !9, i64 16}
!30 = !{!"", !11, i64 0, !31, i64 8, !9, i64 16}
!31 = !{!"p1 int", !11, i64 0}
!32 = !{!8, !9, i64 72}
!33 = !{!8, !10, i64 56}
!34 = !{!8, !11, i64 64}
!35 = !{!8, !12, i64 80}
!36 = !{!37, !37, i64 0}
!37 = !{!"p1 omnipotent char", !11, i64 0}
!38 = !{!8, !9, i64 160}
!39 = !{!30, !11, i64 0}
!40 = !{!41, !42, i64 0}
!41 = !{!"", !42, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !31, i64 40, !9, i64 48, !11, i64 56, !9, i64 64, !5, i64 72}
!42 = !{!"p1 _ZTS6Module", !11, i64 0}
!43 = !{!30, !31, i64 8}
!44 = distinct !{!44, !27}
!45 = distinct !{!45, !27}
