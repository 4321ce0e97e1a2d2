; ModuleID = 'call_sites.c'
source_filename = "call_sites.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Facts = type { i64, i64, i64, i64, i64 }

@.str = private unnamed_addr constant [9 x i8] c"noinline\00", align 1
@.str.1 = private unnamed_addr constant [13 x i8] c"alwaysinline\00", align 1

; Function Attrs: nounwind
define dso_local i64 @optarena_call_sites_memory(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #5
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %66

4:                                                ; preds = %66, %1
  %5 = phi i64 [ 0, %1 ], [ %72, %66 ]
  %6 = shl nuw nsw i64 %5, 1
  br label %7

7:                                                ; preds = %7, %4
  %8 = phi i64 [ 4, %4 ], [ %10, %7 ]
  %9 = icmp slt i64 %8, %6
  %10 = shl nsw i64 %8, 1
  br i1 %9, label %7, label %11, !llvm.loop !7

11:                                               ; preds = %7
  %12 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #5
  %13 = icmp eq ptr %12, null
  br i1 %13, label %61, label %14

14:                                               ; preds = %11, %57
  %15 = phi ptr [ %59, %57 ], [ %12, %11 ]
  %16 = phi i64 [ %58, %57 ], [ 0, %11 ]
  %17 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %15) #5
  %18 = icmp eq ptr %17, null
  br i1 %18, label %34, label %19

19:                                               ; preds = %14, %29
  %20 = phi i64 [ %24, %29 ], [ 0, %14 ]
  %21 = phi i64 [ %31, %29 ], [ 0, %14 ]
  %22 = phi ptr [ %32, %29 ], [ %17, %14 ]
  %23 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %22) #5
  %24 = add nuw nsw i64 %20, 1
  %25 = icmp eq ptr %23, null
  br i1 %25, label %29, label %26

26:                                               ; preds = %19
  %27 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %23) #5
  %28 = zext i32 %27 to i64
  br label %29

29:                                               ; preds = %26, %19
  %30 = phi i64 [ %28, %26 ], [ 0, %19 ]
  %31 = add nuw nsw i64 %30, %21
  %32 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %22) #5
  %33 = icmp eq ptr %32, null
  br i1 %33, label %34, label %19, !llvm.loop !9

34:                                               ; preds = %29, %14
  %35 = phi i64 [ 0, %14 ], [ %24, %29 ]
  %36 = phi i64 [ 0, %14 ], [ %31, %29 ]
  %37 = shl nsw i64 %35, 1
  br label %38

38:                                               ; preds = %38, %34
  %39 = phi i64 [ 4, %34 ], [ %41, %38 ]
  %40 = icmp slt i64 %39, %37
  %41 = shl nsw i64 %39, 1
  br i1 %40, label %38, label %42, !llvm.loop !7

42:                                               ; preds = %38
  %43 = mul i64 %35, 15
  %44 = add i64 %43, 15
  %45 = add i64 %39, %36
  %46 = shl i64 %45, 1
  %47 = add i64 %46, %44
  %48 = icmp sgt i64 %47, %16
  br i1 %48, label %49, label %57

49:                                               ; preds = %42, %49
  %50 = phi i64 [ %52, %49 ], [ 4, %42 ]
  %51 = icmp slt i64 %50, %37
  %52 = shl nsw i64 %50, 1
  br i1 %51, label %49, label %53, !llvm.loop !7

53:                                               ; preds = %49
  %54 = add i64 %50, %36
  %55 = shl i64 %54, 1
  %56 = add i64 %55, %44
  br label %57

57:                                               ; preds = %53, %42
  %58 = phi i64 [ %56, %53 ], [ %16, %42 ]
  %59 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %15) #5
  %60 = icmp eq ptr %59, null
  br i1 %60, label %61, label %14, !llvm.loop !10

61:                                               ; preds = %57, %11
  %62 = phi i64 [ 0, %11 ], [ %58, %57 ]
  %63 = mul nuw nsw i64 %5, 6
  %64 = add nsw i64 %10, %63
  %65 = add nsw i64 %64, %62
  ret i64 %65

66:                                               ; preds = %1, %66
  %67 = phi ptr [ %73, %66 ], [ %2, %1 ]
  %68 = phi i64 [ %72, %66 ], [ 0, %1 ]
  %69 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %67) #5
  %70 = icmp eq i32 %69, 0
  %71 = zext i1 %70 to i64
  %72 = add nuw nsw i64 %68, %71
  %73 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %67) #5
  %74 = icmp eq ptr %73, null
  br i1 %74, label %4, label %66, !llvm.loop !11
}

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define dso_local i64 @optarena_call_sites(ptr noundef %0, ptr noundef %1, ptr noundef captures(none) %2, i64 noundef %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #5
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %25

8:                                                ; preds = %25, %5
  %9 = phi i64 [ 0, %5 ], [ %31, %25 ]
  %10 = shl nsw i64 %9, 1
  br label %11

11:                                               ; preds = %11, %8
  %12 = phi i64 [ 4, %8 ], [ %14, %11 ]
  %13 = icmp slt i64 %12, %10
  %14 = shl nsw i64 %12, 1
  br i1 %13, label %11, label %15, !llvm.loop !7

15:                                               ; preds = %11
  %16 = add i64 %12, -1
  %17 = getelementptr inbounds i64, ptr %1, i64 %9
  %18 = mul i64 %9, 48
  %19 = getelementptr i8, ptr %1, i64 %18
  %20 = getelementptr i64, ptr %19, i64 %16
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 8
  %22 = icmp slt i64 %12, 1
  br i1 %22, label %34, label %23

23:                                               ; preds = %15
  %24 = shl nuw i64 %12, 3
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %19, i8 0, i64 %24, i1 false), !tbaa !12
  br label %34

25:                                               ; preds = %5, %25
  %26 = phi i64 [ %31, %25 ], [ 0, %5 ]
  %27 = phi ptr [ %32, %25 ], [ %6, %5 ]
  %28 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %27) #5
  %29 = icmp eq i32 %28, 0
  %30 = zext i1 %29 to i64
  %31 = add nuw nsw i64 %26, %30
  %32 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %27) #5
  %33 = icmp eq ptr %32, null
  br i1 %33, label %8, label %25, !llvm.loop !14

34:                                               ; preds = %23, %15
  %35 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #5
  %36 = icmp eq ptr %35, null
  br i1 %36, label %123, label %37

37:                                               ; preds = %34, %119
  %38 = phi ptr [ %121, %119 ], [ %35, %34 ]
  %39 = phi i64 [ %120, %119 ], [ 0, %34 ]
  %40 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %38) #5
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %42, label %119

42:                                               ; preds = %37
  %43 = ptrtoint ptr %38 to i64
  %44 = lshr i64 %43, 4
  %45 = mul i64 %44, -7046029254386353131
  %46 = lshr i64 %45, 20
  br label %47

47:                                               ; preds = %47, %42
  %48 = phi i64 [ %46, %42 ], [ %55, %47 ]
  %49 = and i64 %48, %16
  %50 = getelementptr inbounds i64, ptr %19, i64 %49
  %51 = load i64, ptr %50, align 8, !tbaa !12
  %52 = icmp eq i64 %51, 0
  %53 = icmp eq i64 %51, %43
  %54 = or i1 %52, %53
  %55 = add nsw i64 %49, 1
  br i1 %54, label %56, label %47, !llvm.loop !15

56:                                               ; preds = %47
  %57 = getelementptr inbounds i64, ptr %19, i64 %49
  %58 = getelementptr inbounds i64, ptr %1, i64 %39
  store i64 %43, ptr %58, align 8, !tbaa !12
  store i64 %43, ptr %57, align 8, !tbaa !12
  %59 = getelementptr inbounds %struct.Facts, ptr %17, i64 %39
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %59, i8 0, i64 40, i1 false)
  %60 = tail call i32 @LLVMCountBasicBlocks(ptr noundef nonnull %38) #5
  %61 = zext i32 %60 to i64
  %62 = getelementptr inbounds nuw i8, ptr %59, i64 8
  store i64 %61, ptr %62, align 8, !tbaa !16
  %63 = tail call ptr @LLVMGetFirstUse(ptr noundef nonnull %38) #5
  %64 = icmp eq ptr %63, null
  br i1 %64, label %67, label %65

65:                                               ; preds = %56
  %66 = getelementptr inbounds nuw i8, ptr %59, i64 24
  br label %73

67:                                               ; preds = %73, %56
  %68 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %38) #5
  %69 = icmp eq ptr %68, null
  br i1 %69, label %116, label %70

70:                                               ; preds = %67
  %71 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %72 = getelementptr inbounds nuw i8, ptr %59, i64 32
  br label %79

73:                                               ; preds = %73, %65
  %74 = phi ptr [ %63, %65 ], [ %77, %73 ]
  %75 = load i64, ptr %66, align 8, !tbaa !18
  %76 = add nsw i64 %75, 1
  store i64 %76, ptr %66, align 8, !tbaa !18
  %77 = tail call ptr @LLVMGetNextUse(ptr noundef nonnull %74) #5
  %78 = icmp eq ptr %77, null
  br i1 %78, label %67, label %73, !llvm.loop !19

79:                                               ; preds = %83, %70
  %80 = phi ptr [ %68, %70 ], [ %84, %83 ]
  %81 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %80) #5
  %82 = icmp eq ptr %81, null
  br i1 %82, label %83, label %86

83:                                               ; preds = %113, %79
  %84 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %80) #5
  %85 = icmp eq ptr %84, null
  br i1 %85, label %116, label %79, !llvm.loop !20

86:                                               ; preds = %79, %113
  %87 = phi ptr [ %114, %113 ], [ %81, %79 ]
  %88 = load i64, ptr %59, align 8, !tbaa !21
  %89 = add nsw i64 %88, 1
  store i64 %89, ptr %59, align 8, !tbaa !21
  %90 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %87) #5
  switch i32 %90, label %113 [
    i32 45, label %91
    i32 5, label %91
  ]

91:                                               ; preds = %86, %86
  %92 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %87) #5
  %93 = tail call ptr @LLVMIsAFunction(ptr noundef %92) #5
  %94 = icmp eq ptr %93, null
  br i1 %94, label %103, label %95

95:                                               ; preds = %91
  %96 = tail call i32 @LLVMIsDeclaration(ptr noundef %92) #5
  %97 = icmp eq i32 %96, 0
  br i1 %97, label %98, label %103

98:                                               ; preds = %95
  %99 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %92) #5
  %100 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %87) #5
  %101 = icmp eq ptr %99, %100
  %102 = select i1 %101, ptr %92, ptr null
  br label %103

103:                                              ; preds = %98, %95, %91
  %104 = phi ptr [ %102, %98 ], [ null, %95 ], [ null, %91 ]
  %105 = icmp ne ptr %104, null
  %106 = zext i1 %105 to i64
  %107 = load i64, ptr %71, align 8, !tbaa !22
  %108 = add nsw i64 %107, %106
  store i64 %108, ptr %71, align 8, !tbaa !22
  %109 = icmp eq ptr %104, %38
  %110 = zext i1 %109 to i64
  %111 = load i64, ptr %72, align 8, !tbaa !23
  %112 = or i64 %111, %110
  store i64 %112, ptr %72, align 8, !tbaa !23
  br label %113

113:                                              ; preds = %103, %86
  %114 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %87) #5
  %115 = icmp eq ptr %114, null
  br i1 %115, label %83, label %86, !llvm.loop !24

116:                                              ; preds = %83, %67
  %117 = add nsw i64 %39, 1
  %118 = getelementptr inbounds i64, ptr %21, i64 %49
  store i64 %39, ptr %118, align 8, !tbaa !12
  br label %119

119:                                              ; preds = %116, %37
  %120 = phi i64 [ %39, %37 ], [ %117, %116 ]
  %121 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %38) #5
  %122 = icmp eq ptr %121, null
  br i1 %122, label %123, label %37, !llvm.loop !25

123:                                              ; preds = %119, %34
  %124 = getelementptr i64, ptr %20, i64 %12
  %125 = getelementptr i8, ptr %124, i64 8
  %126 = icmp sgt i64 %9, 0
  br i1 %126, label %127, label %138

127:                                              ; preds = %123
  %128 = getelementptr i8, ptr %1, i64 %18
  %129 = getelementptr i8, ptr %128, i64 112
  %130 = shl i64 %12, 4
  %131 = getelementptr i8, ptr %129, i64 %130
  %132 = getelementptr i8, ptr %1, i64 %18
  %133 = getelementptr i8, ptr %132, i64 64
  %134 = getelementptr i8, ptr %133, i64 %130
  %135 = getelementptr i8, ptr %1, i64 %18
  %136 = getelementptr i8, ptr %135, i64 56
  %137 = getelementptr i8, ptr %136, i64 %130
  br label %140

138:                                              ; preds = %1062, %123
  %139 = phi i64 [ 0, %123 ], [ %1063, %1062 ]
  ret i64 %139

140:                                              ; preds = %127, %1062
  %141 = phi i64 [ %1064, %1062 ], [ 0, %127 ]
  %142 = phi i64 [ %1063, %1062 ], [ 0, %127 ]
  %143 = phi ptr [ %920, %1062 ], [ undef, %127 ]
  %144 = icmp slt i64 %142, %3
  br i1 %144, label %145, label %919

145:                                              ; preds = %140
  %146 = getelementptr inbounds nuw i64, ptr %1, i64 %141
  %147 = load i64, ptr %146, align 8, !tbaa !12
  %148 = inttoptr i64 %147 to ptr
  %149 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef %148) #5
  %150 = icmp eq ptr %149, null
  br i1 %150, label %166, label %151

151:                                              ; preds = %145, %161
  %152 = phi i64 [ %156, %161 ], [ 0, %145 ]
  %153 = phi i64 [ %163, %161 ], [ 0, %145 ]
  %154 = phi ptr [ %164, %161 ], [ %149, %145 ]
  %155 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %154) #5
  %156 = add nuw nsw i64 %152, 1
  %157 = icmp eq ptr %155, null
  br i1 %157, label %161, label %158

158:                                              ; preds = %151
  %159 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %155) #5
  %160 = zext i32 %159 to i64
  br label %161

161:                                              ; preds = %158, %151
  %162 = phi i64 [ %160, %158 ], [ 0, %151 ]
  %163 = add nuw nsw i64 %162, %153
  %164 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %154) #5
  %165 = icmp eq ptr %164, null
  br i1 %165, label %166, label %151, !llvm.loop !9

166:                                              ; preds = %161, %145
  %167 = phi i64 [ 0, %145 ], [ %156, %161 ]
  %168 = phi i64 [ 0, %145 ], [ %163, %161 ]
  %169 = shl nsw i64 %167, 1
  br label %170

170:                                              ; preds = %170, %166
  %171 = phi i64 [ 4, %166 ], [ %173, %170 ]
  %172 = icmp slt i64 %171, %169
  %173 = shl nsw i64 %171, 1
  br i1 %172, label %170, label %174, !llvm.loop !7

174:                                              ; preds = %170
  %175 = getelementptr i64, ptr %125, i64 %167
  %176 = getelementptr i8, ptr %175, i64 8
  %177 = getelementptr i64, ptr %176, i64 %167
  %178 = getelementptr i8, ptr %177, i64 8
  %179 = getelementptr i64, ptr %178, i64 %167
  %180 = getelementptr i8, ptr %179, i64 8
  %181 = getelementptr i64, ptr %180, i64 %167
  %182 = getelementptr i8, ptr %181, i64 8
  %183 = getelementptr i64, ptr %182, i64 %167
  %184 = getelementptr i8, ptr %183, i64 8
  %185 = getelementptr i64, ptr %184, i64 %167
  %186 = getelementptr i8, ptr %185, i64 8
  %187 = getelementptr i64, ptr %186, i64 %167
  %188 = getelementptr i8, ptr %187, i64 8
  %189 = getelementptr i64, ptr %188, i64 %167
  %190 = getelementptr i8, ptr %189, i64 8
  %191 = getelementptr i64, ptr %190, i64 %167
  %192 = getelementptr i8, ptr %191, i64 8
  %193 = getelementptr i64, ptr %192, i64 %167
  %194 = getelementptr i8, ptr %193, i64 8
  %195 = getelementptr i64, ptr %194, i64 %167
  %196 = getelementptr i8, ptr %195, i64 8
  %197 = getelementptr i64, ptr %196, i64 %167
  %198 = getelementptr i8, ptr %197, i64 8
  %199 = getelementptr i64, ptr %198, i64 %167
  %200 = getelementptr i8, ptr %199, i64 8
  %201 = getelementptr i64, ptr %200, i64 %167
  %202 = getelementptr i8, ptr %201, i64 8
  %203 = getelementptr inbounds i64, ptr %202, i64 %168
  %204 = getelementptr inbounds i64, ptr %203, i64 %168
  %205 = add nsw i64 %171, -1
  %206 = getelementptr inbounds i64, ptr %204, i64 %205
  %207 = getelementptr inbounds nuw i8, ptr %206, i64 8
  %208 = icmp slt i64 %171, 1
  br i1 %208, label %215, label %209

209:                                              ; preds = %174
  %210 = mul i64 %167, 112
  %211 = shl i64 %168, 4
  %212 = getelementptr i8, ptr %131, i64 %210
  %213 = getelementptr i8, ptr %212, i64 %211
  %214 = shl nuw i64 %171, 3
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %213, i8 0, i64 %214, i1 false), !tbaa !12
  br label %215

215:                                              ; preds = %209, %174
  %216 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef %148) #5
  %217 = icmp eq ptr %216, null
  br i1 %217, label %241, label %218

218:                                              ; preds = %215, %234
  %219 = phi ptr [ %239, %234 ], [ %216, %215 ]
  %220 = phi i64 [ %237, %234 ], [ 0, %215 ]
  %221 = ptrtoint ptr %219 to i64
  %222 = lshr i64 %221, 4
  %223 = mul i64 %222, -7046029254386353131
  %224 = lshr i64 %223, 20
  br label %225

225:                                              ; preds = %225, %218
  %226 = phi i64 [ %224, %218 ], [ %233, %225 ]
  %227 = and i64 %226, %205
  %228 = getelementptr inbounds i64, ptr %204, i64 %227
  %229 = load i64, ptr %228, align 8, !tbaa !12
  %230 = icmp eq i64 %229, 0
  %231 = icmp eq i64 %229, %221
  %232 = or i1 %230, %231
  %233 = add nsw i64 %227, 1
  br i1 %232, label %234, label %225, !llvm.loop !26

234:                                              ; preds = %225
  %235 = getelementptr inbounds i64, ptr %204, i64 %227
  %236 = getelementptr inbounds nuw i64, ptr %125, i64 %220
  store i64 %221, ptr %236, align 8, !tbaa !12
  store i64 %221, ptr %235, align 8, !tbaa !12
  %237 = add nuw nsw i64 %220, 1
  %238 = getelementptr inbounds i64, ptr %207, i64 %227
  store i64 %220, ptr %238, align 8, !tbaa !12
  %239 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %219) #5
  %240 = icmp eq ptr %239, null
  br i1 %240, label %241, label %218, !llvm.loop !27

241:                                              ; preds = %234, %215
  %242 = shl i64 %167, 3
  %243 = add i64 %242, 8
  tail call void @llvm.memset.p0.i64(ptr align 8 %178, i8 0, i64 %243, i1 false), !tbaa !12
  %244 = icmp sgt i64 %167, 0
  br i1 %244, label %253, label %245

245:                                              ; preds = %241
  store i64 0, ptr %177, align 8, !tbaa !12
  br label %469

246:                                              ; preds = %267
  store i64 %268, ptr %177, align 8, !tbaa !12
  %247 = load i64, ptr %178, align 8, !tbaa !12
  %248 = add nsw i64 %167, -1
  %249 = and i64 %167, 3
  %250 = icmp ult i64 %248, 3
  br i1 %250, label %323, label %251

251:                                              ; preds = %246
  %252 = and i64 %167, 9223372036854775804
  br label %299

253:                                              ; preds = %241, %267
  %254 = phi i64 [ %268, %267 ], [ 0, %241 ]
  %255 = phi i64 [ %269, %267 ], [ 0, %241 ]
  %256 = getelementptr inbounds nuw i64, ptr %125, i64 %255
  %257 = load i64, ptr %256, align 8, !tbaa !12
  %258 = inttoptr i64 %257 to ptr
  %259 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef %258) #5
  %260 = icmp eq ptr %259, null
  br i1 %260, label %261, label %263

261:                                              ; preds = %253
  %262 = getelementptr inbounds nuw i64, ptr %176, i64 %255
  store i64 %254, ptr %262, align 8, !tbaa !12
  br label %267

263:                                              ; preds = %253
  %264 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %259) #5
  %265 = getelementptr inbounds nuw i64, ptr %176, i64 %255
  store i64 %254, ptr %265, align 8, !tbaa !12
  %266 = icmp eq i32 %264, 0
  br i1 %266, label %267, label %271

267:                                              ; preds = %288, %263, %261
  %268 = phi i64 [ %254, %263 ], [ %254, %261 ], [ %291, %288 ]
  %269 = add nuw nsw i64 %255, 1
  %270 = icmp eq i64 %269, %167
  br i1 %270, label %246, label %253, !llvm.loop !28

271:                                              ; preds = %263, %288
  %272 = phi i64 [ %291, %288 ], [ %254, %263 ]
  %273 = phi i32 [ %297, %288 ], [ 0, %263 ]
  %274 = tail call ptr @LLVMGetSuccessor(ptr noundef nonnull %259, i32 noundef %273) #5
  %275 = ptrtoint ptr %274 to i64
  %276 = lshr i64 %275, 4
  %277 = mul i64 %276, -7046029254386353131
  %278 = lshr i64 %277, 20
  br label %279

279:                                              ; preds = %279, %271
  %280 = phi i64 [ %278, %271 ], [ %287, %279 ]
  %281 = and i64 %280, %205
  %282 = getelementptr inbounds i64, ptr %204, i64 %281
  %283 = load i64, ptr %282, align 8, !tbaa !12
  %284 = icmp eq i64 %283, 0
  %285 = icmp eq i64 %283, %275
  %286 = or i1 %284, %285
  %287 = add nsw i64 %281, 1
  br i1 %286, label %288, label %279, !llvm.loop !26

288:                                              ; preds = %279
  %289 = getelementptr inbounds i64, ptr %207, i64 %281
  %290 = load i64, ptr %289, align 8, !tbaa !12
  %291 = add nsw i64 %272, 1
  %292 = getelementptr inbounds i64, ptr %202, i64 %272
  store i64 %290, ptr %292, align 8, !tbaa !12
  %293 = getelementptr i64, ptr %178, i64 %290
  %294 = getelementptr i8, ptr %293, i64 8
  %295 = load i64, ptr %294, align 8, !tbaa !12
  %296 = add nsw i64 %295, 1
  store i64 %296, ptr %294, align 8, !tbaa !12
  %297 = add nuw i32 %273, 1
  %298 = icmp eq i32 %297, %264
  br i1 %298, label %267, label %271, !llvm.loop !29

299:                                              ; preds = %299, %251
  %300 = phi i64 [ %247, %251 ], [ %318, %299 ]
  %301 = phi i64 [ 0, %251 ], [ %315, %299 ]
  %302 = phi i64 [ 0, %251 ], [ %319, %299 ]
  %303 = getelementptr inbounds nuw i64, ptr %178, i64 %301
  %304 = getelementptr inbounds nuw i8, ptr %303, i64 8
  %305 = load i64, ptr %304, align 8, !tbaa !12
  %306 = add nsw i64 %305, %300
  store i64 %306, ptr %304, align 8, !tbaa !12
  %307 = getelementptr inbounds nuw i64, ptr %178, i64 %301
  %308 = getelementptr inbounds nuw i8, ptr %307, i64 16
  %309 = load i64, ptr %308, align 8, !tbaa !12
  %310 = add nsw i64 %309, %306
  store i64 %310, ptr %308, align 8, !tbaa !12
  %311 = getelementptr inbounds nuw i64, ptr %178, i64 %301
  %312 = getelementptr inbounds nuw i8, ptr %311, i64 24
  %313 = load i64, ptr %312, align 8, !tbaa !12
  %314 = add nsw i64 %313, %310
  store i64 %314, ptr %312, align 8, !tbaa !12
  %315 = add nuw nsw i64 %301, 4
  %316 = getelementptr inbounds nuw i64, ptr %178, i64 %315
  %317 = load i64, ptr %316, align 8, !tbaa !12
  %318 = add nsw i64 %317, %314
  store i64 %318, ptr %316, align 8, !tbaa !12
  %319 = add i64 %302, 4
  %320 = icmp eq i64 %319, %252
  br i1 %320, label %321, label %299, !llvm.loop !30

321:                                              ; preds = %299
  %322 = icmp eq i64 %249, 0
  br i1 %322, label %337, label %323

323:                                              ; preds = %321, %246
  %324 = phi i64 [ %247, %246 ], [ %318, %321 ]
  %325 = phi i64 [ 0, %246 ], [ %315, %321 ]
  %326 = icmp ne i64 %249, 0
  tail call void @llvm.assume(i1 %326)
  br label %327

327:                                              ; preds = %327, %323
  %328 = phi i64 [ %324, %323 ], [ %334, %327 ]
  %329 = phi i64 [ %325, %323 ], [ %331, %327 ]
  %330 = phi i64 [ 0, %323 ], [ %335, %327 ]
  %331 = add nuw nsw i64 %329, 1
  %332 = getelementptr inbounds nuw i64, ptr %178, i64 %331
  %333 = load i64, ptr %332, align 8, !tbaa !12
  %334 = add nsw i64 %333, %328
  store i64 %334, ptr %332, align 8, !tbaa !12
  %335 = add i64 %330, 1
  %336 = icmp eq i64 %335, %249
  br i1 %336, label %337, label %327, !llvm.loop !31

337:                                              ; preds = %327, %321
  %338 = icmp ult i64 %167, 6
  br i1 %338, label %357, label %339

339:                                              ; preds = %337
  %340 = mul i64 %167, 40
  %341 = add i64 %340, 40
  %342 = icmp ult i64 %341, 32
  br i1 %342, label %357, label %343

343:                                              ; preds = %339
  %344 = and i64 %167, 9223372036854775804
  br label %345

345:                                              ; preds = %345, %343
  %346 = phi i64 [ 0, %343 ], [ %353, %345 ]
  %347 = getelementptr inbounds nuw i64, ptr %178, i64 %346
  %348 = getelementptr inbounds nuw i8, ptr %347, i64 16
  %349 = load <2 x i64>, ptr %347, align 8, !tbaa !12
  %350 = load <2 x i64>, ptr %348, align 8, !tbaa !12
  %351 = getelementptr inbounds nuw i64, ptr %188, i64 %346
  %352 = getelementptr inbounds nuw i8, ptr %351, i64 16
  store <2 x i64> %349, ptr %351, align 8, !tbaa !12
  store <2 x i64> %350, ptr %352, align 8, !tbaa !12
  %353 = add nuw i64 %346, 4
  %354 = icmp eq i64 %353, %344
  br i1 %354, label %355, label %345, !llvm.loop !33

355:                                              ; preds = %345
  %356 = icmp eq i64 %167, %344
  br i1 %356, label %374, label %357

357:                                              ; preds = %339, %337, %355
  %358 = phi i64 [ 0, %339 ], [ 0, %337 ], [ %344, %355 ]
  %359 = and i64 %167, 3
  %360 = icmp eq i64 %359, 0
  br i1 %360, label %370, label %361

361:                                              ; preds = %357, %361
  %362 = phi i64 [ %367, %361 ], [ %358, %357 ]
  %363 = phi i64 [ %368, %361 ], [ 0, %357 ]
  %364 = getelementptr inbounds nuw i64, ptr %178, i64 %362
  %365 = load i64, ptr %364, align 8, !tbaa !12
  %366 = getelementptr inbounds nuw i64, ptr %188, i64 %362
  store i64 %365, ptr %366, align 8, !tbaa !12
  %367 = add nuw nsw i64 %362, 1
  %368 = add i64 %363, 1
  %369 = icmp eq i64 %368, %359
  br i1 %369, label %370, label %361, !llvm.loop !36

370:                                              ; preds = %361, %357
  %371 = phi i64 [ %358, %357 ], [ %367, %361 ]
  %372 = sub nsw i64 %358, %167
  %373 = icmp ugt i64 %372, -4
  br i1 %373, label %374, label %376

374:                                              ; preds = %370, %376, %355
  %375 = load i64, ptr %176, align 8, !tbaa !12
  br label %451

376:                                              ; preds = %370, %376
  %377 = phi i64 [ %393, %376 ], [ %371, %370 ]
  %378 = getelementptr inbounds nuw i64, ptr %178, i64 %377
  %379 = load i64, ptr %378, align 8, !tbaa !12
  %380 = getelementptr inbounds nuw i64, ptr %188, i64 %377
  store i64 %379, ptr %380, align 8, !tbaa !12
  %381 = add nuw nsw i64 %377, 1
  %382 = getelementptr inbounds nuw i64, ptr %178, i64 %381
  %383 = load i64, ptr %382, align 8, !tbaa !12
  %384 = getelementptr inbounds nuw i64, ptr %188, i64 %381
  store i64 %383, ptr %384, align 8, !tbaa !12
  %385 = add nuw nsw i64 %377, 2
  %386 = getelementptr inbounds nuw i64, ptr %178, i64 %385
  %387 = load i64, ptr %386, align 8, !tbaa !12
  %388 = getelementptr inbounds nuw i64, ptr %188, i64 %385
  store i64 %387, ptr %388, align 8, !tbaa !12
  %389 = add nuw nsw i64 %377, 3
  %390 = getelementptr inbounds nuw i64, ptr %178, i64 %389
  %391 = load i64, ptr %390, align 8, !tbaa !12
  %392 = getelementptr inbounds nuw i64, ptr %188, i64 %389
  store i64 %391, ptr %392, align 8, !tbaa !12
  %393 = add nuw nsw i64 %377, 4
  %394 = icmp eq i64 %393, %167
  br i1 %394, label %374, label %376, !llvm.loop !37

395:                                              ; preds = %458, %451
  %396 = phi i64 [ %456, %451 ], [ %467, %458 ]
  %397 = icmp eq i64 %454, %167
  br i1 %397, label %398, label %451, !llvm.loop !38

398:                                              ; preds = %395
  %399 = icmp ult i64 %167, 20
  br i1 %399, label %436, label %400

400:                                              ; preds = %398
  %401 = mul i64 %167, -40
  %402 = add i64 %401, -40
  %403 = icmp ult i64 %402, 32
  %404 = shl i64 %167, 4
  %405 = icmp ugt i64 %404, -48
  %406 = or i1 %403, %405
  %407 = and i64 %167, 288230376151711743
  %408 = icmp eq i64 %407, 288230376151711743
  %409 = or i1 %406, %408
  %410 = mul i64 %167, 24
  %411 = add i64 %410, 55
  %412 = icmp ult i64 %411, 63
  %413 = or i1 %409, %412
  %414 = mul i64 %167, 48
  %415 = add i64 %414, 48
  %416 = icmp ult i64 %415, 32
  %417 = or i1 %413, %416
  br i1 %417, label %436, label %418

418:                                              ; preds = %400
  %419 = and i64 %167, 9223372036854775804
  br label %420

420:                                              ; preds = %420, %418
  %421 = phi i64 [ 0, %418 ], [ %432, %420 ]
  %422 = getelementptr inbounds nuw i64, ptr %192, i64 %421
  %423 = getelementptr inbounds nuw i8, ptr %422, i64 16
  store <2 x i64> zeroinitializer, ptr %422, align 8, !tbaa !12
  store <2 x i64> zeroinitializer, ptr %423, align 8, !tbaa !12
  %424 = getelementptr inbounds nuw i64, ptr %182, i64 %421
  %425 = getelementptr inbounds nuw i8, ptr %424, i64 16
  store <2 x i64> splat (i64 -1), ptr %424, align 8, !tbaa !12
  store <2 x i64> splat (i64 -1), ptr %425, align 8, !tbaa !12
  %426 = getelementptr inbounds nuw i64, ptr %176, i64 %421
  %427 = getelementptr inbounds nuw i8, ptr %426, i64 16
  %428 = load <2 x i64>, ptr %426, align 8, !tbaa !12
  %429 = load <2 x i64>, ptr %427, align 8, !tbaa !12
  %430 = getelementptr inbounds nuw i64, ptr %188, i64 %421
  %431 = getelementptr inbounds nuw i8, ptr %430, i64 16
  store <2 x i64> %428, ptr %430, align 8, !tbaa !12
  store <2 x i64> %429, ptr %431, align 8, !tbaa !12
  %432 = add nuw i64 %421, 4
  %433 = icmp eq i64 %432, %419
  br i1 %433, label %434, label %420, !llvm.loop !39

434:                                              ; preds = %420
  %435 = icmp eq i64 %167, %419
  br i1 %435, label %469, label %436

436:                                              ; preds = %400, %398, %434
  %437 = phi i64 [ 0, %400 ], [ 0, %398 ], [ %419, %434 ]
  %438 = or disjoint i64 %437, 1
  %439 = and i64 %167, 1
  %440 = icmp eq i64 %439, 0
  br i1 %440, label %448, label %441

441:                                              ; preds = %436
  %442 = getelementptr inbounds nuw i64, ptr %192, i64 %437
  store i64 0, ptr %442, align 8, !tbaa !12
  %443 = getelementptr inbounds nuw i64, ptr %182, i64 %437
  store i64 -1, ptr %443, align 8, !tbaa !12
  %444 = getelementptr inbounds nuw i64, ptr %176, i64 %437
  %445 = load i64, ptr %444, align 8, !tbaa !12
  %446 = getelementptr inbounds nuw i64, ptr %188, i64 %437
  store i64 %445, ptr %446, align 8, !tbaa !12
  %447 = or disjoint i64 %437, 1
  br label %448

448:                                              ; preds = %441, %436
  %449 = phi i64 [ %437, %436 ], [ %447, %441 ]
  %450 = icmp eq i64 %167, %438
  br i1 %450, label %469, label %470

451:                                              ; preds = %395, %374
  %452 = phi i64 [ %375, %374 ], [ %396, %395 ]
  %453 = phi i64 [ 0, %374 ], [ %454, %395 ]
  %454 = add nuw nsw i64 %453, 1
  %455 = getelementptr inbounds nuw i64, ptr %176, i64 %454
  %456 = load i64, ptr %455, align 8, !tbaa !12
  %457 = icmp slt i64 %452, %456
  br i1 %457, label %458, label %395

458:                                              ; preds = %451, %458
  %459 = phi i64 [ %466, %458 ], [ %452, %451 ]
  %460 = getelementptr inbounds i64, ptr %202, i64 %459
  %461 = load i64, ptr %460, align 8, !tbaa !12
  %462 = getelementptr inbounds i64, ptr %188, i64 %461
  %463 = load i64, ptr %462, align 8, !tbaa !12
  %464 = add nsw i64 %463, 1
  store i64 %464, ptr %462, align 8, !tbaa !12
  %465 = getelementptr inbounds i64, ptr %203, i64 %463
  store i64 %453, ptr %465, align 8, !tbaa !12
  %466 = add nsw i64 %459, 1
  %467 = load i64, ptr %455, align 8, !tbaa !12
  %468 = icmp slt i64 %466, %467
  br i1 %468, label %458, label %395, !llvm.loop !40

469:                                              ; preds = %448, %470, %434, %245
  store i64 0, ptr %186, align 8, !tbaa !12
  store i64 1, ptr %192, align 8, !tbaa !12
  br label %485

470:                                              ; preds = %448, %470
  %471 = phi i64 [ %483, %470 ], [ %449, %448 ]
  %472 = getelementptr inbounds nuw i64, ptr %192, i64 %471
  store i64 0, ptr %472, align 8, !tbaa !12
  %473 = getelementptr inbounds nuw i64, ptr %182, i64 %471
  store i64 -1, ptr %473, align 8, !tbaa !12
  %474 = getelementptr inbounds nuw i64, ptr %176, i64 %471
  %475 = load i64, ptr %474, align 8, !tbaa !12
  %476 = getelementptr inbounds nuw i64, ptr %188, i64 %471
  store i64 %475, ptr %476, align 8, !tbaa !12
  %477 = add nuw nsw i64 %471, 1
  %478 = getelementptr inbounds nuw i64, ptr %192, i64 %477
  store i64 0, ptr %478, align 8, !tbaa !12
  %479 = getelementptr inbounds nuw i64, ptr %182, i64 %477
  store i64 -1, ptr %479, align 8, !tbaa !12
  %480 = getelementptr inbounds nuw i64, ptr %176, i64 %477
  %481 = load i64, ptr %480, align 8, !tbaa !12
  %482 = getelementptr inbounds nuw i64, ptr %188, i64 %477
  store i64 %481, ptr %482, align 8, !tbaa !12
  %483 = add nuw nsw i64 %471, 2
  %484 = icmp eq i64 %483, %167
  br i1 %484, label %469, label %470, !llvm.loop !41

485:                                              ; preds = %511, %469
  %486 = phi i64 [ %167, %469 ], [ %513, %511 ]
  %487 = phi i64 [ 1, %469 ], [ %512, %511 ]
  %488 = getelementptr i64, ptr %186, i64 %487
  %489 = getelementptr i8, ptr %488, i64 -8
  %490 = load i64, ptr %489, align 8, !tbaa !12
  %491 = getelementptr inbounds i64, ptr %188, i64 %490
  %492 = load i64, ptr %491, align 8, !tbaa !12
  %493 = getelementptr i64, ptr %176, i64 %490
  %494 = getelementptr i8, ptr %493, i64 8
  %495 = load i64, ptr %494, align 8, !tbaa !12
  %496 = icmp eq i64 %492, %495
  br i1 %496, label %497, label %502

497:                                              ; preds = %485
  %498 = add nsw i64 %486, -1
  %499 = getelementptr inbounds i64, ptr %182, i64 %490
  store i64 %498, ptr %499, align 8, !tbaa !12
  %500 = getelementptr i64, ptr %179, i64 %486
  store i64 %490, ptr %500, align 8, !tbaa !12
  %501 = add nsw i64 %487, -1
  br label %511, !llvm.loop !42

502:                                              ; preds = %485
  %503 = add nsw i64 %492, 1
  store i64 %503, ptr %491, align 8, !tbaa !12
  %504 = getelementptr inbounds i64, ptr %202, i64 %492
  %505 = load i64, ptr %504, align 8, !tbaa !12
  %506 = getelementptr inbounds i64, ptr %192, i64 %505
  %507 = load i64, ptr %506, align 8, !tbaa !12
  %508 = icmp eq i64 %507, 0
  br i1 %508, label %509, label %511

509:                                              ; preds = %502
  store i64 1, ptr %506, align 8, !tbaa !12
  %510 = add nsw i64 %487, 1
  store i64 %505, ptr %488, align 8, !tbaa !12
  br label %511

511:                                              ; preds = %509, %502, %497
  %512 = phi i64 [ %501, %497 ], [ %487, %502 ], [ %510, %509 ]
  %513 = phi i64 [ %498, %497 ], [ %486, %502 ], [ %486, %509 ]
  %514 = icmp eq i64 %512, 0
  br i1 %514, label %515, label %485

515:                                              ; preds = %511
  br i1 %244, label %516, label %517

516:                                              ; preds = %515
  tail call void @llvm.memset.p0.i64(ptr align 8 %184, i8 -1, i64 %242, i1 false), !tbaa !12
  br label %517

517:                                              ; preds = %516, %515
  store i64 0, ptr %184, align 8, !tbaa !12
  %518 = add nsw i64 %513, 1
  %519 = icmp slt i64 %518, %167
  br i1 %519, label %522, label %589

520:                                              ; preds = %532
  %521 = icmp eq i32 %538, 0
  br i1 %521, label %589, label %541

522:                                              ; preds = %517, %541
  %523 = phi i64 [ %542, %541 ], [ %518, %517 ]
  %524 = phi i32 [ %543, %541 ], [ 0, %517 ]
  %525 = getelementptr inbounds i64, ptr %180, i64 %523
  %526 = load i64, ptr %525, align 8, !tbaa !12
  %527 = getelementptr inbounds i64, ptr %178, i64 %526
  %528 = load i64, ptr %527, align 8, !tbaa !12
  %529 = getelementptr i8, ptr %527, i64 8
  %530 = load i64, ptr %529, align 8, !tbaa !12
  %531 = icmp slt i64 %528, %530
  br i1 %531, label %544, label %532

532:                                              ; preds = %585, %522
  %533 = phi i64 [ -1, %522 ], [ %586, %585 ]
  %534 = getelementptr inbounds i64, ptr %184, i64 %526
  %535 = load i64, ptr %534, align 8, !tbaa !12
  %536 = icmp ne i64 %535, %533
  %537 = zext i1 %536 to i32
  %538 = or i32 %524, %537
  store i64 %533, ptr %534, align 8, !tbaa !12
  %539 = add nsw i64 %523, 1
  %540 = icmp eq i64 %539, %167
  br i1 %540, label %520, label %541

541:                                              ; preds = %532, %520
  %542 = phi i64 [ %539, %532 ], [ %518, %520 ]
  %543 = phi i32 [ %538, %532 ], [ 0, %520 ]
  br label %522, !llvm.loop !43

544:                                              ; preds = %522, %585
  %545 = phi i64 [ %587, %585 ], [ %528, %522 ]
  %546 = phi i64 [ %586, %585 ], [ -1, %522 ]
  %547 = getelementptr inbounds i64, ptr %203, i64 %545
  %548 = load i64, ptr %547, align 8, !tbaa !12
  %549 = getelementptr inbounds i64, ptr %184, i64 %548
  %550 = load i64, ptr %549, align 8, !tbaa !12
  %551 = icmp sgt i64 %550, -1
  br i1 %551, label %552, label %585

552:                                              ; preds = %544
  %553 = icmp slt i64 %546, 0
  br i1 %553, label %585, label %554

554:                                              ; preds = %552
  %555 = icmp eq i64 %546, %548
  br i1 %555, label %585, label %559

556:                                              ; preds = %578, %567
  %557 = phi i64 [ %560, %567 ], [ %581, %578 ]
  %558 = icmp eq i64 %568, %557
  br i1 %558, label %585, label %559, !llvm.loop !44

559:                                              ; preds = %554, %556
  %560 = phi i64 [ %557, %556 ], [ %548, %554 ]
  %561 = phi i64 [ %568, %556 ], [ %546, %554 ]
  %562 = getelementptr inbounds i64, ptr %182, i64 %560
  %563 = load i64, ptr %562, align 8, !tbaa !12
  %564 = getelementptr inbounds i64, ptr %182, i64 %561
  %565 = load i64, ptr %564, align 8, !tbaa !12
  %566 = icmp sgt i64 %565, %563
  br i1 %566, label %571, label %567

567:                                              ; preds = %571, %559
  %568 = phi i64 [ %561, %559 ], [ %574, %571 ]
  %569 = phi i64 [ %565, %559 ], [ %576, %571 ]
  %570 = icmp sgt i64 %563, %569
  br i1 %570, label %578, label %556

571:                                              ; preds = %559, %571
  %572 = phi i64 [ %574, %571 ], [ %561, %559 ]
  %573 = getelementptr inbounds i64, ptr %184, i64 %572
  %574 = load i64, ptr %573, align 8, !tbaa !12
  %575 = getelementptr inbounds i64, ptr %182, i64 %574
  %576 = load i64, ptr %575, align 8, !tbaa !12
  %577 = icmp sgt i64 %576, %563
  br i1 %577, label %571, label %567, !llvm.loop !45

578:                                              ; preds = %567, %578
  %579 = phi i64 [ %581, %578 ], [ %560, %567 ]
  %580 = getelementptr inbounds i64, ptr %184, i64 %579
  %581 = load i64, ptr %580, align 8, !tbaa !12
  %582 = getelementptr inbounds i64, ptr %182, i64 %581
  %583 = load i64, ptr %582, align 8, !tbaa !12
  %584 = icmp sgt i64 %583, %569
  br i1 %584, label %578, label %556, !llvm.loop !46

585:                                              ; preds = %556, %554, %552, %544
  %586 = phi i64 [ %546, %544 ], [ %548, %552 ], [ %546, %554 ], [ %568, %556 ]
  %587 = add nsw i64 %545, 1
  %588 = icmp eq i64 %587, %530
  br i1 %588, label %532, label %544, !llvm.loop !47

589:                                              ; preds = %520, %517
  br i1 %244, label %590, label %919

590:                                              ; preds = %589, %610
  %591 = phi i64 [ %611, %610 ], [ 0, %589 ]
  %592 = phi i64 [ %597, %610 ], [ 0, %589 ]
  %593 = getelementptr inbounds nuw i64, ptr %194, i64 %592
  store i64 -1, ptr %593, align 8, !tbaa !12
  %594 = getelementptr inbounds nuw i64, ptr %190, i64 %592
  store i64 -1, ptr %594, align 8, !tbaa !12
  %595 = getelementptr inbounds nuw i64, ptr %178, i64 %592
  %596 = load i64, ptr %595, align 8, !tbaa !12
  %597 = add nuw nsw i64 %592, 1
  %598 = getelementptr inbounds nuw i64, ptr %178, i64 %597
  %599 = load i64, ptr %598, align 8, !tbaa !12
  %600 = icmp slt i64 %596, %599
  br i1 %600, label %601, label %610

601:                                              ; preds = %590
  %602 = load i64, ptr %593, align 8, !tbaa !12
  %603 = getelementptr inbounds nuw i64, ptr %182, i64 %592
  br label %604

604:                                              ; preds = %639, %601
  %605 = phi i64 [ %591, %601 ], [ %640, %639 ]
  %606 = phi i64 [ %599, %601 ], [ %641, %639 ]
  %607 = phi i64 [ %602, %601 ], [ %642, %639 ]
  %608 = phi i64 [ %596, %601 ], [ %643, %639 ]
  %609 = icmp slt i64 %607, 0
  br i1 %609, label %613, label %610

610:                                              ; preds = %639, %604, %590
  %611 = phi i64 [ %591, %590 ], [ %605, %604 ], [ %640, %639 ]
  %612 = icmp eq i64 %597, %167
  br i1 %612, label %645, label %590, !llvm.loop !48

613:                                              ; preds = %604
  %614 = getelementptr inbounds i64, ptr %203, i64 %608
  %615 = load i64, ptr %614, align 8, !tbaa !12
  %616 = load i64, ptr %603, align 8, !tbaa !12
  %617 = icmp slt i64 %616, 0
  br i1 %617, label %639, label %618

618:                                              ; preds = %613
  %619 = getelementptr inbounds i64, ptr %182, i64 %615
  %620 = load i64, ptr %619, align 8, !tbaa !12
  %621 = icmp slt i64 %620, 0
  br i1 %621, label %639, label %622

622:                                              ; preds = %618
  %623 = icmp samesign ugt i64 %620, %616
  br i1 %623, label %624, label %631

624:                                              ; preds = %622, %624
  %625 = phi i64 [ %627, %624 ], [ %615, %622 ]
  %626 = getelementptr inbounds i64, ptr %184, i64 %625
  %627 = load i64, ptr %626, align 8, !tbaa !12
  %628 = getelementptr inbounds i64, ptr %182, i64 %627
  %629 = load i64, ptr %628, align 8, !tbaa !12
  %630 = icmp sgt i64 %629, %616
  br i1 %630, label %624, label %631, !llvm.loop !49

631:                                              ; preds = %624, %622
  %632 = phi i64 [ %615, %622 ], [ %627, %624 ]
  %633 = icmp eq i64 %592, %632
  br i1 %633, label %634, label %639

634:                                              ; preds = %631
  %635 = getelementptr inbounds i64, ptr %196, i64 %605
  store i64 %592, ptr %635, align 8, !tbaa !12
  %636 = getelementptr inbounds i64, ptr %200, i64 %605
  store i64 -1, ptr %636, align 8, !tbaa !12
  %637 = add nsw i64 %605, 1
  store i64 %605, ptr %593, align 8, !tbaa !12
  %638 = load i64, ptr %598, align 8, !tbaa !12
  br label %639

639:                                              ; preds = %634, %631, %618, %613
  %640 = phi i64 [ %605, %613 ], [ %605, %618 ], [ %637, %634 ], [ %605, %631 ]
  %641 = phi i64 [ %606, %613 ], [ %606, %618 ], [ %638, %634 ], [ %606, %631 ]
  %642 = phi i64 [ %607, %613 ], [ %607, %618 ], [ %605, %634 ], [ %607, %631 ]
  %643 = add nsw i64 %608, 1
  %644 = icmp slt i64 %643, %641
  br i1 %644, label %604, label %610, !llvm.loop !50

645:                                              ; preds = %610
  %646 = icmp sgt i64 %611, 0
  br i1 %646, label %659, label %647

647:                                              ; preds = %645
  %648 = shl i64 %167, 6
  %649 = getelementptr i8, ptr %134, i64 %648
  %650 = tail call i64 @llvm.smax.i64(i64 %167, i64 1)
  %651 = shl nuw i64 %650, 3
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %649, i8 -1, i64 %651, i1 false), !tbaa !12
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %649, i8 -1, i64 %651, i1 false), !tbaa !12
  %652 = mul i64 %167, 56
  %653 = getelementptr i8, ptr %137, i64 %652
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %653, i8 0, i64 %651, i1 false), !tbaa !12
  br label %919

654:                                              ; preds = %719
  %655 = shl i64 %167, 6
  %656 = getelementptr i8, ptr %134, i64 %655
  %657 = tail call i64 @llvm.smax.i64(i64 %167, i64 1)
  %658 = shl nuw i64 %657, 3
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %656, i8 -1, i64 %658, i1 false), !tbaa !12
  br label %726

659:                                              ; preds = %645, %719
  %660 = phi i64 [ %721, %719 ], [ 0, %645 ]
  %661 = getelementptr inbounds nuw i64, ptr %196, i64 %660
  %662 = load i64, ptr %661, align 8, !tbaa !12
  %663 = getelementptr inbounds i64, ptr %190, i64 %662
  store i64 %660, ptr %663, align 8, !tbaa !12
  store i64 %662, ptr %186, align 8, !tbaa !12
  %664 = getelementptr inbounds i64, ptr %182, i64 %662
  br label %665

665:                                              ; preds = %677, %659
  %666 = phi i64 [ 1, %659 ], [ %678, %677 ]
  %667 = phi i64 [ 0, %659 ], [ %679, %677 ]
  %668 = getelementptr inbounds nuw i64, ptr %186, i64 %667
  %669 = load i64, ptr %668, align 8, !tbaa !12
  %670 = getelementptr inbounds i64, ptr %178, i64 %669
  %671 = load i64, ptr %670, align 8, !tbaa !12
  %672 = getelementptr i8, ptr %670, i64 8
  %673 = load i64, ptr %672, align 8, !tbaa !12
  %674 = icmp slt i64 %671, %673
  br i1 %674, label %675, label %677

675:                                              ; preds = %665
  %676 = icmp eq i64 %669, %662
  br label %681

677:                                              ; preds = %714, %665
  %678 = phi i64 [ %666, %665 ], [ %716, %714 ]
  %679 = add nuw nsw i64 %667, 1
  %680 = icmp slt i64 %679, %678
  br i1 %680, label %665, label %719, !llvm.loop !51

681:                                              ; preds = %714, %675
  %682 = phi i64 [ %673, %675 ], [ %715, %714 ]
  %683 = phi i64 [ %666, %675 ], [ %716, %714 ]
  %684 = phi i64 [ %671, %675 ], [ %717, %714 ]
  %685 = getelementptr inbounds i64, ptr %203, i64 %684
  %686 = load i64, ptr %685, align 8, !tbaa !12
  %687 = getelementptr inbounds i64, ptr %182, i64 %686
  %688 = load i64, ptr %687, align 8, !tbaa !12
  %689 = icmp slt i64 %688, 0
  br i1 %689, label %714, label %690

690:                                              ; preds = %681
  %691 = getelementptr inbounds i64, ptr %190, i64 %686
  %692 = load i64, ptr %691, align 8, !tbaa !12
  %693 = icmp eq i64 %692, %660
  br i1 %693, label %714, label %694

694:                                              ; preds = %690
  br i1 %676, label %695, label %710

695:                                              ; preds = %694
  %696 = load i64, ptr %664, align 8, !tbaa !12
  %697 = icmp slt i64 %696, 0
  br i1 %697, label %714, label %698

698:                                              ; preds = %695
  %699 = icmp samesign ugt i64 %688, %696
  br i1 %699, label %700, label %707

700:                                              ; preds = %698, %700
  %701 = phi i64 [ %703, %700 ], [ %686, %698 ]
  %702 = getelementptr inbounds i64, ptr %184, i64 %701
  %703 = load i64, ptr %702, align 8, !tbaa !12
  %704 = getelementptr inbounds i64, ptr %182, i64 %703
  %705 = load i64, ptr %704, align 8, !tbaa !12
  %706 = icmp sgt i64 %705, %696
  br i1 %706, label %700, label %707, !llvm.loop !49

707:                                              ; preds = %700, %698
  %708 = phi i64 [ %686, %698 ], [ %703, %700 ]
  %709 = icmp eq i64 %662, %708
  br i1 %709, label %710, label %714

710:                                              ; preds = %707, %694
  store i64 %660, ptr %691, align 8, !tbaa !12
  %711 = add nsw i64 %683, 1
  %712 = getelementptr inbounds i64, ptr %186, i64 %683
  store i64 %686, ptr %712, align 8, !tbaa !12
  %713 = load i64, ptr %672, align 8, !tbaa !12
  br label %714

714:                                              ; preds = %710, %707, %695, %690, %681
  %715 = phi i64 [ %682, %681 ], [ %713, %710 ], [ %682, %690 ], [ %682, %707 ], [ %682, %695 ]
  %716 = phi i64 [ %683, %681 ], [ %711, %710 ], [ %683, %690 ], [ %683, %707 ], [ %683, %695 ]
  %717 = add nsw i64 %684, 1
  %718 = icmp slt i64 %717, %715
  br i1 %718, label %681, label %677, !llvm.loop !52

719:                                              ; preds = %677
  %720 = getelementptr inbounds nuw i64, ptr %198, i64 %660
  store i64 %678, ptr %720, align 8, !tbaa !12
  %721 = add nuw nsw i64 %660, 1
  %722 = icmp eq i64 %721, %611
  br i1 %722, label %654, label %659, !llvm.loop !53

723:                                              ; preds = %788
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %656, i8 -1, i64 %658, i1 false), !tbaa !12
  %724 = mul i64 %167, 56
  %725 = getelementptr i8, ptr %137, i64 %724
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %725, i8 0, i64 %658, i1 false), !tbaa !12
  br label %810

726:                                              ; preds = %654, %788
  %727 = phi i64 [ %789, %788 ], [ 0, %654 ]
  %728 = getelementptr inbounds nuw i64, ptr %196, i64 %727
  %729 = load i64, ptr %728, align 8, !tbaa !12
  %730 = getelementptr inbounds i64, ptr %190, i64 %729
  store i64 %727, ptr %730, align 8, !tbaa !12
  store i64 %729, ptr %186, align 8, !tbaa !12
  %731 = getelementptr inbounds i64, ptr %182, i64 %729
  br label %732

732:                                              ; preds = %744, %726
  %733 = phi i64 [ 1, %726 ], [ %745, %744 ]
  %734 = phi i64 [ 0, %726 ], [ %746, %744 ]
  %735 = getelementptr inbounds nuw i64, ptr %186, i64 %734
  %736 = load i64, ptr %735, align 8, !tbaa !12
  %737 = getelementptr inbounds i64, ptr %178, i64 %736
  %738 = load i64, ptr %737, align 8, !tbaa !12
  %739 = getelementptr i8, ptr %737, i64 8
  %740 = load i64, ptr %739, align 8, !tbaa !12
  %741 = icmp slt i64 %738, %740
  br i1 %741, label %742, label %744

742:                                              ; preds = %732
  %743 = icmp eq i64 %736, %729
  br label %750

744:                                              ; preds = %783, %732
  %745 = phi i64 [ %733, %732 ], [ %785, %783 ]
  %746 = add nuw nsw i64 %734, 1
  %747 = icmp slt i64 %746, %745
  br i1 %747, label %732, label %748, !llvm.loop !51

748:                                              ; preds = %744
  %749 = icmp sgt i64 %745, 1
  br i1 %749, label %791, label %788

750:                                              ; preds = %783, %742
  %751 = phi i64 [ %740, %742 ], [ %784, %783 ]
  %752 = phi i64 [ %733, %742 ], [ %785, %783 ]
  %753 = phi i64 [ %738, %742 ], [ %786, %783 ]
  %754 = getelementptr inbounds i64, ptr %203, i64 %753
  %755 = load i64, ptr %754, align 8, !tbaa !12
  %756 = getelementptr inbounds i64, ptr %182, i64 %755
  %757 = load i64, ptr %756, align 8, !tbaa !12
  %758 = icmp slt i64 %757, 0
  br i1 %758, label %783, label %759

759:                                              ; preds = %750
  %760 = getelementptr inbounds i64, ptr %190, i64 %755
  %761 = load i64, ptr %760, align 8, !tbaa !12
  %762 = icmp eq i64 %761, %727
  br i1 %762, label %783, label %763

763:                                              ; preds = %759
  br i1 %743, label %764, label %779

764:                                              ; preds = %763
  %765 = load i64, ptr %731, align 8, !tbaa !12
  %766 = icmp slt i64 %765, 0
  br i1 %766, label %783, label %767

767:                                              ; preds = %764
  %768 = icmp samesign ugt i64 %757, %765
  br i1 %768, label %769, label %776

769:                                              ; preds = %767, %769
  %770 = phi i64 [ %772, %769 ], [ %755, %767 ]
  %771 = getelementptr inbounds i64, ptr %184, i64 %770
  %772 = load i64, ptr %771, align 8, !tbaa !12
  %773 = getelementptr inbounds i64, ptr %182, i64 %772
  %774 = load i64, ptr %773, align 8, !tbaa !12
  %775 = icmp sgt i64 %774, %765
  br i1 %775, label %769, label %776, !llvm.loop !49

776:                                              ; preds = %769, %767
  %777 = phi i64 [ %755, %767 ], [ %772, %769 ]
  %778 = icmp eq i64 %729, %777
  br i1 %778, label %779, label %783

779:                                              ; preds = %776, %763
  store i64 %727, ptr %760, align 8, !tbaa !12
  %780 = add nsw i64 %752, 1
  %781 = getelementptr inbounds i64, ptr %186, i64 %752
  store i64 %755, ptr %781, align 8, !tbaa !12
  %782 = load i64, ptr %739, align 8, !tbaa !12
  br label %783

783:                                              ; preds = %779, %776, %764, %759, %750
  %784 = phi i64 [ %751, %750 ], [ %782, %779 ], [ %751, %759 ], [ %751, %776 ], [ %751, %764 ]
  %785 = phi i64 [ %752, %750 ], [ %780, %779 ], [ %752, %759 ], [ %752, %776 ], [ %752, %764 ]
  %786 = add nsw i64 %753, 1
  %787 = icmp slt i64 %786, %784
  br i1 %787, label %750, label %744, !llvm.loop !52

788:                                              ; preds = %807, %748
  %789 = add nuw nsw i64 %727, 1
  %790 = icmp eq i64 %789, %611
  br i1 %790, label %723, label %726, !llvm.loop !54

791:                                              ; preds = %748, %807
  %792 = phi i64 [ %808, %807 ], [ 1, %748 ]
  %793 = getelementptr inbounds nuw i64, ptr %186, i64 %792
  %794 = load i64, ptr %793, align 8, !tbaa !12
  %795 = getelementptr inbounds i64, ptr %194, i64 %794
  %796 = load i64, ptr %795, align 8, !tbaa !12
  %797 = icmp sgt i64 %796, -1
  br i1 %797, label %798, label %807

798:                                              ; preds = %791
  %799 = getelementptr inbounds nuw i64, ptr %200, i64 %796
  %800 = load i64, ptr %799, align 8, !tbaa !12
  %801 = icmp slt i64 %800, 0
  br i1 %801, label %806, label %802

802:                                              ; preds = %798
  %803 = getelementptr inbounds nuw i64, ptr %198, i64 %800
  %804 = load i64, ptr %803, align 8, !tbaa !12
  %805 = icmp slt i64 %745, %804
  br i1 %805, label %806, label %807

806:                                              ; preds = %802, %798
  store i64 %727, ptr %799, align 8, !tbaa !12
  br label %807

807:                                              ; preds = %806, %802, %791
  %808 = add nuw nsw i64 %792, 1
  %809 = icmp eq i64 %808, %745
  br i1 %809, label %788, label %791, !llvm.loop !55

810:                                              ; preds = %723, %889
  %811 = phi i64 [ %890, %889 ], [ 0, %723 ]
  %812 = getelementptr inbounds nuw i64, ptr %196, i64 %811
  %813 = load i64, ptr %812, align 8, !tbaa !12
  %814 = getelementptr inbounds i64, ptr %190, i64 %813
  store i64 %811, ptr %814, align 8, !tbaa !12
  store i64 %813, ptr %186, align 8, !tbaa !12
  %815 = getelementptr inbounds i64, ptr %182, i64 %813
  br label %816

816:                                              ; preds = %828, %810
  %817 = phi i64 [ 1, %810 ], [ %829, %828 ]
  %818 = phi i64 [ 0, %810 ], [ %830, %828 ]
  %819 = getelementptr inbounds nuw i64, ptr %186, i64 %818
  %820 = load i64, ptr %819, align 8, !tbaa !12
  %821 = getelementptr inbounds i64, ptr %178, i64 %820
  %822 = load i64, ptr %821, align 8, !tbaa !12
  %823 = getelementptr i8, ptr %821, i64 8
  %824 = load i64, ptr %823, align 8, !tbaa !12
  %825 = icmp slt i64 %822, %824
  br i1 %825, label %826, label %828

826:                                              ; preds = %816
  %827 = icmp eq i64 %820, %813
  br label %851

828:                                              ; preds = %884, %816
  %829 = phi i64 [ %817, %816 ], [ %886, %884 ]
  %830 = add nuw nsw i64 %818, 1
  %831 = icmp slt i64 %830, %829
  br i1 %831, label %816, label %832, !llvm.loop !51

832:                                              ; preds = %828
  %833 = icmp sgt i64 %829, 0
  br i1 %833, label %834, label %889

834:                                              ; preds = %832
  %835 = and i64 %829, 3
  %836 = icmp eq i64 %835, 0
  br i1 %836, label %848, label %837

837:                                              ; preds = %834, %837
  %838 = phi i64 [ %840, %837 ], [ %829, %834 ]
  %839 = phi i64 [ %846, %837 ], [ 0, %834 ]
  %840 = add nsw i64 %838, -1
  %841 = getelementptr i64, ptr %185, i64 %838
  %842 = load i64, ptr %841, align 8, !tbaa !12
  %843 = getelementptr inbounds i64, ptr %188, i64 %842
  %844 = load i64, ptr %843, align 8, !tbaa !12
  %845 = add nsw i64 %844, 1
  store i64 %845, ptr %843, align 8, !tbaa !12
  %846 = add i64 %839, 1
  %847 = icmp eq i64 %846, %835
  br i1 %847, label %848, label %837, !llvm.loop !56

848:                                              ; preds = %837, %834
  %849 = phi i64 [ %829, %834 ], [ %840, %837 ]
  %850 = icmp ult i64 %829, 4
  br i1 %850, label %889, label %892

851:                                              ; preds = %884, %826
  %852 = phi i64 [ %824, %826 ], [ %885, %884 ]
  %853 = phi i64 [ %817, %826 ], [ %886, %884 ]
  %854 = phi i64 [ %822, %826 ], [ %887, %884 ]
  %855 = getelementptr inbounds i64, ptr %203, i64 %854
  %856 = load i64, ptr %855, align 8, !tbaa !12
  %857 = getelementptr inbounds i64, ptr %182, i64 %856
  %858 = load i64, ptr %857, align 8, !tbaa !12
  %859 = icmp slt i64 %858, 0
  br i1 %859, label %884, label %860

860:                                              ; preds = %851
  %861 = getelementptr inbounds i64, ptr %190, i64 %856
  %862 = load i64, ptr %861, align 8, !tbaa !12
  %863 = icmp eq i64 %862, %811
  br i1 %863, label %884, label %864

864:                                              ; preds = %860
  br i1 %827, label %865, label %880

865:                                              ; preds = %864
  %866 = load i64, ptr %815, align 8, !tbaa !12
  %867 = icmp slt i64 %866, 0
  br i1 %867, label %884, label %868

868:                                              ; preds = %865
  %869 = icmp samesign ugt i64 %858, %866
  br i1 %869, label %870, label %877

870:                                              ; preds = %868, %870
  %871 = phi i64 [ %873, %870 ], [ %856, %868 ]
  %872 = getelementptr inbounds i64, ptr %184, i64 %871
  %873 = load i64, ptr %872, align 8, !tbaa !12
  %874 = getelementptr inbounds i64, ptr %182, i64 %873
  %875 = load i64, ptr %874, align 8, !tbaa !12
  %876 = icmp sgt i64 %875, %866
  br i1 %876, label %870, label %877, !llvm.loop !49

877:                                              ; preds = %870, %868
  %878 = phi i64 [ %856, %868 ], [ %873, %870 ]
  %879 = icmp eq i64 %813, %878
  br i1 %879, label %880, label %884

880:                                              ; preds = %877, %864
  store i64 %811, ptr %861, align 8, !tbaa !12
  %881 = add nsw i64 %853, 1
  %882 = getelementptr inbounds i64, ptr %186, i64 %853
  store i64 %856, ptr %882, align 8, !tbaa !12
  %883 = load i64, ptr %823, align 8, !tbaa !12
  br label %884

884:                                              ; preds = %880, %877, %865, %860, %851
  %885 = phi i64 [ %852, %851 ], [ %883, %880 ], [ %852, %860 ], [ %852, %877 ], [ %852, %865 ]
  %886 = phi i64 [ %853, %851 ], [ %881, %880 ], [ %853, %860 ], [ %853, %877 ], [ %853, %865 ]
  %887 = add nsw i64 %854, 1
  %888 = icmp slt i64 %887, %885
  br i1 %888, label %851, label %828, !llvm.loop !52

889:                                              ; preds = %848, %892, %832
  %890 = add nuw nsw i64 %811, 1
  %891 = icmp eq i64 %890, %611
  br i1 %891, label %919, label %810, !llvm.loop !57

892:                                              ; preds = %848, %892
  %893 = phi i64 [ %911, %892 ], [ %849, %848 ]
  %894 = getelementptr i64, ptr %185, i64 %893
  %895 = load i64, ptr %894, align 8, !tbaa !12
  %896 = getelementptr inbounds i64, ptr %188, i64 %895
  %897 = load i64, ptr %896, align 8, !tbaa !12
  %898 = add nsw i64 %897, 1
  store i64 %898, ptr %896, align 8, !tbaa !12
  %899 = getelementptr i64, ptr %185, i64 %893
  %900 = getelementptr i8, ptr %899, i64 -8
  %901 = load i64, ptr %900, align 8, !tbaa !12
  %902 = getelementptr inbounds i64, ptr %188, i64 %901
  %903 = load i64, ptr %902, align 8, !tbaa !12
  %904 = add nsw i64 %903, 1
  store i64 %904, ptr %902, align 8, !tbaa !12
  %905 = getelementptr i64, ptr %185, i64 %893
  %906 = getelementptr i8, ptr %905, i64 -16
  %907 = load i64, ptr %906, align 8, !tbaa !12
  %908 = getelementptr inbounds i64, ptr %188, i64 %907
  %909 = load i64, ptr %908, align 8, !tbaa !12
  %910 = add nsw i64 %909, 1
  store i64 %910, ptr %908, align 8, !tbaa !12
  %911 = add nsw i64 %893, -4
  %912 = getelementptr i64, ptr %185, i64 %893
  %913 = getelementptr i8, ptr %912, i64 -24
  %914 = load i64, ptr %913, align 8, !tbaa !12
  %915 = getelementptr inbounds i64, ptr %188, i64 %914
  %916 = load i64, ptr %915, align 8, !tbaa !12
  %917 = add nsw i64 %916, 1
  store i64 %917, ptr %915, align 8, !tbaa !12
  %918 = icmp sgt i64 %893, 4
  br i1 %918, label %892, label %889, !llvm.loop !58

919:                                              ; preds = %889, %647, %589, %140
  %920 = phi ptr [ %143, %140 ], [ %188, %589 ], [ %188, %647 ], [ %188, %889 ]
  %921 = getelementptr inbounds nuw i64, ptr %1, i64 %141
  %922 = load i64, ptr %921, align 8, !tbaa !12
  %923 = inttoptr i64 %922 to ptr
  %924 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef %923) #5
  %925 = icmp eq ptr %924, null
  br i1 %925, label %1062, label %926

926:                                              ; preds = %919
  %927 = getelementptr inbounds nuw %struct.Facts, ptr %17, i64 %141
  %928 = getelementptr inbounds nuw i8, ptr %927, i64 8
  br label %929

929:                                              ; preds = %926, %937
  %930 = phi i64 [ %938, %937 ], [ %142, %926 ]
  %931 = phi ptr [ %939, %937 ], [ %924, %926 ]
  %932 = phi i64 [ %940, %937 ], [ 0, %926 ]
  %933 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %931) #5
  %934 = icmp eq ptr %933, null
  br i1 %934, label %937, label %935

935:                                              ; preds = %929
  %936 = getelementptr inbounds nuw i64, ptr %920, i64 %932
  br label %942

937:                                              ; preds = %1057, %929
  %938 = phi i64 [ %930, %929 ], [ %1058, %1057 ]
  %939 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %931) #5
  %940 = add nuw nsw i64 %932, 1
  %941 = icmp eq ptr %939, null
  br i1 %941, label %1062, label %929, !llvm.loop !59

942:                                              ; preds = %935, %1057
  %943 = phi i64 [ %1058, %1057 ], [ %930, %935 ]
  %944 = phi ptr [ %1059, %1057 ], [ %933, %935 ]
  %945 = phi i64 [ %1060, %1057 ], [ 0, %935 ]
  %946 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %944) #5
  switch i32 %946, label %1057 [
    i32 45, label %947
    i32 5, label %947
  ]

947:                                              ; preds = %942, %942
  %948 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %944) #5
  %949 = tail call ptr @LLVMIsAFunction(ptr noundef %948) #5
  %950 = icmp eq ptr %949, null
  br i1 %950, label %1057, label %951

951:                                              ; preds = %947
  %952 = tail call i32 @LLVMIsDeclaration(ptr noundef %948) #5
  %953 = icmp eq i32 %952, 0
  br i1 %953, label %954, label %1057

954:                                              ; preds = %951
  %955 = tail call ptr @LLVMGlobalGetValueType(ptr noundef %948) #5
  %956 = tail call ptr @LLVMGetCalledFunctionType(ptr noundef nonnull %944) #5
  %957 = icmp ne ptr %955, %956
  %958 = icmp eq ptr %948, null
  %959 = or i1 %958, %957
  br i1 %959, label %1057, label %960

960:                                              ; preds = %954
  %961 = add nsw i64 %943, 1
  %962 = icmp slt i64 %943, %3
  br i1 %962, label %963, label %1057

963:                                              ; preds = %960
  %964 = ptrtoint ptr %948 to i64
  %965 = lshr i64 %964, 4
  %966 = mul i64 %965, -7046029254386353131
  %967 = lshr i64 %966, 20
  br label %968

968:                                              ; preds = %968, %963
  %969 = phi i64 [ %967, %963 ], [ %976, %968 ]
  %970 = and i64 %969, %16
  %971 = getelementptr inbounds i64, ptr %19, i64 %970
  %972 = load i64, ptr %971, align 8, !tbaa !12
  %973 = icmp eq i64 %972, 0
  %974 = icmp eq i64 %972, %964
  %975 = or i1 %973, %974
  %976 = add nsw i64 %970, 1
  br i1 %975, label %977, label %968, !llvm.loop !15

977:                                              ; preds = %968
  %978 = mul nsw i64 %943, 176
  %979 = getelementptr inbounds i8, ptr %2, i64 %978
  %980 = getelementptr inbounds i64, ptr %21, i64 %970
  %981 = load i64, ptr %980, align 8, !tbaa !12
  %982 = getelementptr inbounds %struct.Facts, ptr %17, i64 %981
  %983 = tail call i32 @LLVMGetNumArgOperands(ptr noundef nonnull %944) #5
  %984 = tail call i32 @LLVMGetLinkage(ptr noundef nonnull %948) #5
  store i64 1, ptr %979, align 8, !tbaa !12
  %985 = load i64, ptr %927, align 8, !tbaa !21
  %986 = getelementptr inbounds nuw i8, ptr %979, i64 40
  store i64 %985, ptr %986, align 8, !tbaa !12
  %987 = load i64, ptr %928, align 8, !tbaa !16
  %988 = getelementptr inbounds nuw i8, ptr %979, i64 48
  store i64 %987, ptr %988, align 8, !tbaa !12
  %989 = load i64, ptr %982, align 8, !tbaa !21
  %990 = getelementptr inbounds nuw i8, ptr %979, i64 56
  store i64 %989, ptr %990, align 8, !tbaa !12
  %991 = getelementptr inbounds nuw i8, ptr %982, i64 8
  %992 = load i64, ptr %991, align 8, !tbaa !16
  %993 = getelementptr inbounds nuw i8, ptr %979, i64 64
  store i64 %992, ptr %993, align 8, !tbaa !12
  %994 = getelementptr inbounds nuw i8, ptr %982, i64 16
  %995 = load i64, ptr %994, align 8, !tbaa !22
  %996 = getelementptr inbounds nuw i8, ptr %979, i64 72
  store i64 %995, ptr %996, align 8, !tbaa !12
  %997 = getelementptr inbounds nuw i8, ptr %982, i64 24
  %998 = load i64, ptr %997, align 8, !tbaa !18
  %999 = getelementptr inbounds nuw i8, ptr %979, i64 80
  store i64 %998, ptr %999, align 8, !tbaa !12
  %1000 = and i32 %984, -2
  %1001 = icmp eq i32 %1000, 8
  %1002 = zext i1 %1001 to i64
  %1003 = getelementptr inbounds nuw i8, ptr %979, i64 88
  store i64 %1002, ptr %1003, align 8, !tbaa !12
  %1004 = tail call ptr @LLVMGlobalGetValueType(ptr noundef nonnull %948) #5
  %1005 = tail call i32 @LLVMIsFunctionVarArg(ptr noundef %1004) #5
  %1006 = sext i32 %1005 to i64
  %1007 = getelementptr inbounds nuw i8, ptr %979, i64 96
  store i64 %1006, ptr %1007, align 8, !tbaa !12
  %1008 = getelementptr inbounds nuw i8, ptr %982, i64 32
  %1009 = load i64, ptr %1008, align 8, !tbaa !23
  %1010 = getelementptr inbounds nuw i8, ptr %979, i64 104
  store i64 %1009, ptr %1010, align 8, !tbaa !12
  %1011 = icmp eq i64 %141, %981
  %1012 = zext i1 %1011 to i64
  %1013 = getelementptr inbounds nuw i8, ptr %979, i64 112
  store i64 %1012, ptr %1013, align 8, !tbaa !12
  %1014 = zext i32 %983 to i64
  %1015 = getelementptr inbounds nuw i8, ptr %979, i64 120
  store i64 %1014, ptr %1015, align 8, !tbaa !12
  %1016 = getelementptr inbounds nuw i8, ptr %979, i64 128
  store i64 0, ptr %1016, align 8, !tbaa !12
  %1017 = icmp eq i32 %983, 0
  br i1 %1017, label %1028, label %1018

1018:                                             ; preds = %977, %1018
  %1019 = phi i32 [ %1026, %1018 ], [ 0, %977 ]
  %1020 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %944, i32 noundef %1019) #5
  %1021 = tail call ptr @LLVMIsAConstant(ptr noundef %1020) #5
  %1022 = icmp ne ptr %1021, null
  %1023 = zext i1 %1022 to i64
  %1024 = load i64, ptr %1016, align 8, !tbaa !12
  %1025 = add nsw i64 %1024, %1023
  store i64 %1025, ptr %1016, align 8, !tbaa !12
  %1026 = add nuw i32 %1019, 1
  %1027 = icmp eq i32 %1026, %983
  br i1 %1027, label %1028, label %1018, !llvm.loop !60

1028:                                             ; preds = %1018, %977
  %1029 = tail call i32 @LLVMGetEnumAttributeKindForName(ptr noundef nonnull @.str, i64 noundef 8) #5
  %1030 = tail call ptr @LLVMGetEnumAttributeAtIndex(ptr noundef nonnull %948, i32 noundef -1, i32 noundef %1029) #5
  %1031 = icmp ne ptr %1030, null
  %1032 = zext i1 %1031 to i64
  %1033 = getelementptr inbounds nuw i8, ptr %979, i64 144
  store i64 %1032, ptr %1033, align 8, !tbaa !12
  %1034 = tail call i32 @LLVMGetEnumAttributeKindForName(ptr noundef nonnull @.str.1, i64 noundef 12) #5
  %1035 = tail call ptr @LLVMGetEnumAttributeAtIndex(ptr noundef nonnull %948, i32 noundef -1, i32 noundef %1034) #5
  %1036 = icmp ne ptr %1035, null
  %1037 = zext i1 %1036 to i64
  %1038 = getelementptr inbounds nuw i8, ptr %979, i64 152
  store i64 %1037, ptr %1038, align 8, !tbaa !12
  %1039 = tail call i32 @LLVMGetEnumAttributeKindForName(ptr noundef nonnull @.str, i64 noundef 8) #5
  %1040 = tail call ptr @LLVMGetCallSiteEnumAttribute(ptr noundef nonnull %944, i32 noundef -1, i32 noundef %1039) #5
  %1041 = icmp ne ptr %1040, null
  %1042 = zext i1 %1041 to i64
  %1043 = getelementptr inbounds nuw i8, ptr %979, i64 160
  store i64 %1042, ptr %1043, align 8, !tbaa !12
  %1044 = tail call i32 @LLVMGetEnumAttributeKindForName(ptr noundef nonnull @.str.1, i64 noundef 12) #5
  %1045 = tail call ptr @LLVMGetCallSiteEnumAttribute(ptr noundef nonnull %944, i32 noundef -1, i32 noundef %1044) #5
  %1046 = icmp ne ptr %1045, null
  %1047 = zext i1 %1046 to i64
  %1048 = getelementptr inbounds nuw i8, ptr %979, i64 168
  store i64 %1047, ptr %1048, align 8, !tbaa !12
  %1049 = getelementptr inbounds nuw i8, ptr %979, i64 8
  store i64 %141, ptr %1049, align 8, !tbaa !12
  %1050 = getelementptr inbounds nuw i8, ptr %979, i64 16
  store i64 %932, ptr %1050, align 8, !tbaa !12
  %1051 = load i64, ptr %936, align 8, !tbaa !12
  %1052 = getelementptr inbounds nuw i8, ptr %979, i64 136
  store i64 %1051, ptr %1052, align 8, !tbaa !12
  %1053 = getelementptr inbounds nuw i8, ptr %979, i64 24
  store i64 %945, ptr %1053, align 8, !tbaa !12
  %1054 = getelementptr inbounds nuw i8, ptr %979, i64 32
  store i64 %981, ptr %1054, align 8, !tbaa !12
  %1055 = ptrtoint ptr %944 to i64
  %1056 = getelementptr inbounds i64, ptr %4, i64 %943
  store i64 %1055, ptr %1056, align 8, !tbaa !12
  br label %1057

1057:                                             ; preds = %1028, %960, %954, %951, %947, %942
  %1058 = phi i64 [ %961, %1028 ], [ %961, %960 ], [ %943, %947 ], [ %943, %942 ], [ %943, %954 ], [ %943, %951 ]
  %1059 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %944) #5
  %1060 = add nuw nsw i64 %945, 1
  %1061 = icmp eq ptr %1059, null
  br i1 %1061, label %937, label %942, !llvm.loop !61

1062:                                             ; preds = %937, %919
  %1063 = phi i64 [ %142, %919 ], [ %938, %937 ]
  %1064 = add nuw nsw i64 %141, 1
  %1065 = icmp eq i64 %1064, %9
  br i1 %1065, label %138, label %140, !llvm.loop !62
}

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

declare i32 @LLVMCountBasicBlocks(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstUse(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextUse(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGlobalGetValueType(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetCalledFunctionType(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #1

declare i32 @LLVMGetNumArgOperands(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetLinkage(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMIsFunctionVarArg(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMIsAConstant(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #1

declare ptr @LLVMGetEnumAttributeAtIndex(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #1

declare i32 @LLVMGetEnumAttributeKindForName(ptr noundef, i64 noundef) local_unnamed_addr #1

declare ptr @LLVMGetCallSiteEnumAttribute(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
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
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.mustprogress"}
!9 = distinct !{!9, !8}
!10 = distinct !{!10, !8}
!11 = distinct !{!11, !8}
!12 = !{!13, !13, i64 0}
!13 = !{!"long long", !5, i64 0}
!14 = distinct !{!14, !8}
!15 = distinct !{!15, !8}
!16 = !{!17, !13, i64 8}
!17 = !{!"", !13, i64 0, !13, i64 8, !13, i64 16, !13, i64 24, !13, i64 32}
!18 = !{!17, !13, i64 24}
!19 = distinct !{!19, !8}
!20 = distinct !{!20, !8}
!21 = !{!17, !13, i64 0}
!22 = !{!17, !13, i64 16}
!23 = !{!17, !13, i64 32}
!24 = distinct !{!24, !8}
!25 = distinct !{!25, !8}
!26 = distinct !{!26, !8}
!27 = distinct !{!27, !8}
!28 = distinct !{!28, !8}
!29 = distinct !{!29, !8}
!30 = distinct !{!30, !8}
!31 = distinct !{!31, !32}
!32 = !{!"llvm.loop.unroll.disable"}
!33 = distinct !{!33, !8, !34, !35}
!34 = !{!"llvm.loop.isvectorized", i32 1}
!35 = !{!"llvm.loop.unroll.runtime.disable"}
!36 = distinct !{!36, !32}
!37 = distinct !{!37, !8, !34}
!38 = distinct !{!38, !8}
!39 = distinct !{!39, !8, !34, !35}
!40 = distinct !{!40, !8}
!41 = distinct !{!41, !8, !34}
!42 = distinct !{!42, !8}
!43 = distinct !{!43, !8}
!44 = distinct !{!44, !8}
!45 = distinct !{!45, !8}
!46 = distinct !{!46, !8}
!47 = distinct !{!47, !8}
!48 = distinct !{!48, !8}
!49 = distinct !{!49, !8}
!50 = distinct !{!50, !8}
!51 = distinct !{!51, !8}
!52 = distinct !{!52, !8}
!53 = distinct !{!53, !8}
!54 = distinct !{!54, !8}
!55 = distinct !{!55, !8}
!56 = distinct !{!56, !32}
!57 = distinct !{!57, !8}
!58 = distinct !{!58, !8}
!59 = distinct !{!59, !8}
!60 = distinct !{!60, !8}
!61 = distinct !{!61, !8}
!62 = distinct !{!62, !8}
