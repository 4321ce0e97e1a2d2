; ModuleID = 'loops.c'
source_filename = "loops.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Graph = type { i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }

@.str = private unnamed_addr constant [10 x i8] c"llvm.loop\00", align 1
@.str.1 = private unnamed_addr constant [25 x i8] c"llvm.loop.unroll.disable\00", align 1
@.str.2 = private unnamed_addr constant [27 x i8] c"llvm.loop.vectorize.enable\00", align 1
@.str.3 = private unnamed_addr constant [23 x i8] c"llvm.loop.isvectorized\00", align 1

; Function Attrs: nounwind
define dso_local i64 @optarena_loops_memory(ptr noundef %0, ptr noundef captures(none) initializes((0, 8)) %1) local_unnamed_addr #0 {
  store i64 0, ptr %1, align 8, !tbaa !7
  %3 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #6
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %57

5:                                                ; preds = %74, %2
  %6 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #6
  %7 = icmp eq ptr %6, null
  br i1 %7, label %55, label %8

8:                                                ; preds = %5, %51
  %9 = phi ptr [ %53, %51 ], [ %6, %5 ]
  %10 = phi i64 [ %52, %51 ], [ 0, %5 ]
  %11 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %9) #6
  %12 = icmp eq ptr %11, null
  br i1 %12, label %28, label %13

13:                                               ; preds = %8, %23
  %14 = phi i64 [ %18, %23 ], [ 0, %8 ]
  %15 = phi i64 [ %25, %23 ], [ 0, %8 ]
  %16 = phi ptr [ %26, %23 ], [ %11, %8 ]
  %17 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %16) #6
  %18 = add nuw nsw i64 %14, 1
  %19 = icmp eq ptr %17, null
  br i1 %19, label %23, label %20

20:                                               ; preds = %13
  %21 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %17) #6
  %22 = zext i32 %21 to i64
  br label %23

23:                                               ; preds = %20, %13
  %24 = phi i64 [ %22, %20 ], [ 0, %13 ]
  %25 = add nuw nsw i64 %24, %15
  %26 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %16) #6
  %27 = icmp eq ptr %26, null
  br i1 %27, label %28, label %13, !llvm.loop !9

28:                                               ; preds = %23, %8
  %29 = phi i64 [ 0, %8 ], [ %18, %23 ]
  %30 = phi i64 [ 0, %8 ], [ %25, %23 ]
  %31 = shl nsw i64 %29, 1
  br label %32

32:                                               ; preds = %32, %28
  %33 = phi i64 [ 4, %28 ], [ %35, %32 ]
  %34 = icmp slt i64 %33, %31
  %35 = shl nsw i64 %33, 1
  br i1 %34, label %32, label %36, !llvm.loop !11

36:                                               ; preds = %32
  %37 = mul i64 %29, 15
  %38 = add i64 %37, 15
  %39 = add i64 %33, %30
  %40 = shl i64 %39, 1
  %41 = add i64 %40, %38
  %42 = icmp sgt i64 %41, %10
  br i1 %42, label %43, label %51

43:                                               ; preds = %36, %43
  %44 = phi i64 [ %46, %43 ], [ 4, %36 ]
  %45 = icmp slt i64 %44, %31
  %46 = shl nsw i64 %44, 1
  br i1 %45, label %43, label %47, !llvm.loop !11

47:                                               ; preds = %43
  %48 = add i64 %44, %30
  %49 = shl i64 %48, 1
  %50 = add i64 %49, %38
  br label %51

51:                                               ; preds = %47, %36
  %52 = phi i64 [ %50, %47 ], [ %10, %36 ]
  %53 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %9) #6
  %54 = icmp eq ptr %53, null
  br i1 %54, label %55, label %8, !llvm.loop !12

55:                                               ; preds = %51, %5
  %56 = phi i64 [ 0, %5 ], [ %52, %51 ]
  ret i64 %56

57:                                               ; preds = %2, %74
  %58 = phi ptr [ %78, %74 ], [ %3, %2 ]
  %59 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %58) #6
  %60 = icmp eq ptr %59, null
  br i1 %60, label %74, label %61

61:                                               ; preds = %57, %69
  %62 = phi i64 [ %71, %69 ], [ 0, %57 ]
  %63 = phi ptr [ %72, %69 ], [ %59, %57 ]
  %64 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %63) #6
  %65 = icmp eq ptr %64, null
  br i1 %65, label %69, label %66

66:                                               ; preds = %61
  %67 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %64) #6
  %68 = zext i32 %67 to i64
  br label %69

69:                                               ; preds = %66, %61
  %70 = phi i64 [ %68, %66 ], [ 0, %61 ]
  %71 = add nuw nsw i64 %70, %62
  %72 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %63) #6
  %73 = icmp eq ptr %72, null
  br i1 %73, label %74, label %61, !llvm.loop !9

74:                                               ; preds = %69, %57
  %75 = phi i64 [ 0, %57 ], [ %71, %69 ]
  %76 = load i64, ptr %1, align 8, !tbaa !7
  %77 = add nsw i64 %76, %75
  store i64 %77, ptr %1, align 8, !tbaa !7
  %78 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %58) #6
  %79 = icmp eq ptr %78, null
  br i1 %79, label %5, label %57, !llvm.loop !13
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define dso_local i64 @optarena_loops(ptr noundef %0, ptr noundef %1, ptr noundef captures(address) %2, i64 noundef %3, ptr noundef %4) local_unnamed_addr #0 {
  %6 = alloca ptr, align 8
  %7 = alloca [32 x i64], align 16
  %8 = alloca %struct.Graph, align 8
  store ptr %4, ptr %6, align 8, !tbaa !14
  %9 = tail call ptr @LLVMGetModuleContext(ptr noundef %0) #6
  %10 = tail call i32 @LLVMGetMDKindIDInContext(ptr noundef %9, ptr noundef nonnull @.str, i32 noundef 9) #6
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #6
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(256) %7, i8 0, i64 256, i1 false)
  %11 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #6
  %12 = icmp eq ptr %11, null
  br i1 %12, label %42, label %13

13:                                               ; preds = %5
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %16 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %17 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %18 = getelementptr inbounds nuw i8, ptr %8, i64 88
  %19 = getelementptr inbounds nuw i8, ptr %8, i64 96
  %20 = getelementptr inbounds nuw i8, ptr %8, i64 104
  %21 = getelementptr inbounds nuw i8, ptr %8, i64 112
  %22 = getelementptr inbounds nuw i8, ptr %8, i64 120
  %23 = getelementptr inbounds nuw i8, ptr %8, i64 128
  %24 = getelementptr inbounds nuw i8, ptr %8, i64 136
  %25 = getelementptr inbounds nuw i8, ptr %8, i64 144
  %26 = getelementptr inbounds nuw i8, ptr %8, i64 152
  %27 = getelementptr inbounds nuw i8, ptr %8, i64 160
  %28 = getelementptr inbounds nuw i8, ptr %8, i64 168
  %29 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %30 = getelementptr inbounds nuw i8, ptr %8, i64 80
  %31 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %32 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %33 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %34 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %35 = getelementptr i8, ptr %1, i64 112
  %36 = getelementptr i8, ptr %1, i64 64
  %37 = getelementptr i8, ptr %1, i64 72
  %38 = getelementptr i8, ptr %1, i64 104
  %39 = getelementptr i8, ptr %1, i64 104
  br label %46

40:                                               ; preds = %1547
  %41 = load ptr, ptr %6, align 8, !tbaa !14
  br label %42

42:                                               ; preds = %40, %5
  %43 = phi ptr [ %4, %5 ], [ %41, %40 ]
  %44 = phi i64 [ 0, %5 ], [ %1549, %40 ]
  %45 = icmp eq ptr %43, null
  br i1 %45, label %1553, label %1552

46:                                               ; preds = %13, %1547
  %47 = phi i64 [ 0, %13 ], [ %1549, %1547 ]
  %48 = phi ptr [ %11, %13 ], [ %1550, %1547 ]
  %49 = phi i64 [ 0, %13 ], [ %1548, %1547 ]
  %50 = call i32 @LLVMIsDeclaration(ptr noundef nonnull %48) #6
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %1547

52:                                               ; preds = %46
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #6
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %8, i8 0, i64 16, i1 false)
  %53 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %48) #6
  %54 = icmp eq ptr %53, null
  br i1 %54, label %71, label %55

55:                                               ; preds = %52, %65
  %56 = phi i64 [ %67, %65 ], [ 0, %52 ]
  %57 = phi i64 [ %60, %65 ], [ 0, %52 ]
  %58 = phi ptr [ %68, %65 ], [ %53, %52 ]
  %59 = call ptr @LLVMGetBasicBlockTerminator(ptr noundef nonnull %58) #6
  %60 = add nuw nsw i64 %57, 1
  %61 = icmp eq ptr %59, null
  br i1 %61, label %65, label %62

62:                                               ; preds = %55
  %63 = call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %59) #6
  %64 = zext i32 %63 to i64
  br label %65

65:                                               ; preds = %62, %55
  %66 = phi i64 [ %64, %62 ], [ 0, %55 ]
  %67 = add nuw nsw i64 %56, %66
  %68 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %58) #6
  %69 = icmp eq ptr %68, null
  br i1 %69, label %70, label %55, !llvm.loop !9

70:                                               ; preds = %65
  store i64 %60, ptr %8, align 8
  store i64 %67, ptr %14, align 8
  br label %71

71:                                               ; preds = %70, %52
  %72 = phi i64 [ %67, %70 ], [ 0, %52 ]
  %73 = phi i64 [ %60, %70 ], [ 0, %52 ]
  store ptr %1, ptr %15, align 8, !tbaa !14
  %74 = getelementptr i64, ptr %1, i64 %73
  %75 = getelementptr i8, ptr %74, i64 8
  store ptr %75, ptr %16, align 8, !tbaa !14
  %76 = getelementptr i64, ptr %75, i64 %73
  %77 = getelementptr i8, ptr %76, i64 8
  store ptr %77, ptr %17, align 8, !tbaa !14
  %78 = getelementptr i64, ptr %77, i64 %73
  %79 = getelementptr i8, ptr %78, i64 8
  store ptr %79, ptr %18, align 8, !tbaa !14
  %80 = getelementptr i64, ptr %79, i64 %73
  %81 = getelementptr i8, ptr %80, i64 8
  store ptr %81, ptr %19, align 8, !tbaa !14
  %82 = getelementptr i64, ptr %81, i64 %73
  %83 = getelementptr i8, ptr %82, i64 8
  store ptr %83, ptr %20, align 8, !tbaa !14
  %84 = getelementptr i64, ptr %83, i64 %73
  %85 = getelementptr i8, ptr %84, i64 8
  store ptr %85, ptr %21, align 8, !tbaa !14
  %86 = getelementptr i64, ptr %85, i64 %73
  %87 = getelementptr i8, ptr %86, i64 8
  store ptr %87, ptr %22, align 8, !tbaa !14
  %88 = getelementptr i64, ptr %87, i64 %73
  %89 = getelementptr i8, ptr %88, i64 8
  store ptr %89, ptr %23, align 8, !tbaa !14
  %90 = getelementptr i64, ptr %89, i64 %73
  %91 = getelementptr i8, ptr %90, i64 8
  store ptr %91, ptr %24, align 8, !tbaa !14
  %92 = getelementptr i64, ptr %91, i64 %73
  %93 = getelementptr i8, ptr %92, i64 8
  store ptr %93, ptr %25, align 8, !tbaa !14
  %94 = getelementptr i64, ptr %93, i64 %73
  %95 = getelementptr i8, ptr %94, i64 8
  store ptr %95, ptr %26, align 8, !tbaa !14
  %96 = getelementptr i64, ptr %95, i64 %73
  %97 = getelementptr i8, ptr %96, i64 8
  store ptr %97, ptr %27, align 8, !tbaa !14
  %98 = getelementptr i64, ptr %97, i64 %73
  %99 = getelementptr i8, ptr %98, i64 8
  store ptr %99, ptr %28, align 8, !tbaa !14
  %100 = getelementptr i64, ptr %99, i64 %73
  %101 = getelementptr i8, ptr %100, i64 8
  store ptr %101, ptr %29, align 8, !tbaa !17
  %102 = getelementptr inbounds i64, ptr %101, i64 %72
  store ptr %102, ptr %30, align 8, !tbaa !19
  %103 = getelementptr inbounds i64, ptr %102, i64 %72
  store ptr %103, ptr %31, align 8, !tbaa !20
  %104 = shl nsw i64 %73, 1
  br label %105

105:                                              ; preds = %105, %71
  %106 = phi i64 [ 4, %71 ], [ %108, %105 ]
  %107 = icmp slt i64 %106, %104
  %108 = shl nsw i64 %106, 1
  br i1 %107, label %105, label %109, !llvm.loop !11

109:                                              ; preds = %105
  %110 = add nsw i64 %106, -1
  store i64 %110, ptr %32, align 8, !tbaa !21
  %111 = getelementptr inbounds i64, ptr %103, i64 %110
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 8
  store ptr %112, ptr %33, align 8, !tbaa !22
  %113 = icmp slt i64 %106, 1
  br i1 %113, label %120, label %114

114:                                              ; preds = %109
  %115 = mul i64 %73, 112
  %116 = shl i64 %72, 4
  %117 = getelementptr i8, ptr %35, i64 %115
  %118 = getelementptr i8, ptr %117, i64 %116
  %119 = shl nuw i64 %106, 3
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %118, i8 0, i64 %119, i1 false), !tbaa !7
  br label %120

120:                                              ; preds = %114, %109
  %121 = call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %48) #6
  %122 = icmp eq ptr %121, null
  br i1 %122, label %149, label %123

123:                                              ; preds = %120, %139
  %124 = phi ptr [ %144, %139 ], [ %121, %120 ]
  %125 = phi i64 [ %142, %139 ], [ 0, %120 ]
  %126 = ptrtoint ptr %124 to i64
  %127 = lshr i64 %126, 4
  %128 = mul i64 %127, -7046029254386353131
  %129 = lshr i64 %128, 20
  br label %130

130:                                              ; preds = %130, %123
  %131 = phi i64 [ %129, %123 ], [ %138, %130 ]
  %132 = and i64 %131, %110
  %133 = getelementptr inbounds i64, ptr %103, i64 %132
  %134 = load i64, ptr %133, align 8, !tbaa !7
  %135 = icmp eq i64 %134, 0
  %136 = icmp eq i64 %134, %126
  %137 = or i1 %135, %136
  %138 = add nsw i64 %132, 1
  br i1 %137, label %139, label %130, !llvm.loop !23

139:                                              ; preds = %130
  %140 = getelementptr inbounds i64, ptr %103, i64 %132
  %141 = getelementptr inbounds nuw i64, ptr %1, i64 %125
  store i64 %126, ptr %141, align 8, !tbaa !7
  store i64 %126, ptr %140, align 8, !tbaa !7
  %142 = add nuw nsw i64 %125, 1
  %143 = getelementptr inbounds i64, ptr %112, i64 %132
  store i64 %125, ptr %143, align 8, !tbaa !7
  %144 = call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %124) #6
  %145 = icmp eq ptr %144, null
  br i1 %145, label %146, label %123, !llvm.loop !24

146:                                              ; preds = %139
  %147 = load i64, ptr %8, align 8, !tbaa !25
  %148 = icmp slt i64 %147, 0
  br i1 %148, label %155, label %149

149:                                              ; preds = %120, %146
  %150 = phi i64 [ %147, %146 ], [ %73, %120 ]
  %151 = shl i64 %150, 3
  %152 = add i64 %151, 8
  call void @llvm.memset.p0.i64(ptr align 8 %77, i8 0, i64 %152, i1 false), !tbaa !7
  %153 = icmp eq i64 %150, 0
  br i1 %153, label %154, label %166

154:                                              ; preds = %149
  store i64 0, ptr %75, align 8, !tbaa !7
  br label %392

155:                                              ; preds = %146
  %156 = getelementptr inbounds i64, ptr %75, i64 %147
  store i64 0, ptr %156, align 8, !tbaa !7
  br label %392

157:                                              ; preds = %183
  %158 = getelementptr inbounds i64, ptr %75, i64 %184
  store i64 %185, ptr %158, align 8, !tbaa !7
  %159 = icmp sgt i64 %184, 0
  br i1 %159, label %160, label %392

160:                                              ; preds = %157
  %161 = load i64, ptr %77, align 8, !tbaa !7
  %162 = and i64 %184, 3
  %163 = icmp ult i64 %184, 4
  br i1 %163, label %240, label %164

164:                                              ; preds = %160
  %165 = and i64 %184, 9223372036854775804
  br label %216

166:                                              ; preds = %149, %183
  %167 = phi i64 [ %184, %183 ], [ %150, %149 ]
  %168 = phi i64 [ %185, %183 ], [ 0, %149 ]
  %169 = phi i64 [ %186, %183 ], [ 0, %149 ]
  %170 = getelementptr inbounds nuw i64, ptr %1, i64 %169
  %171 = load i64, ptr %170, align 8, !tbaa !7
  %172 = inttoptr i64 %171 to ptr
  %173 = call ptr @LLVMGetBasicBlockTerminator(ptr noundef %172) #6
  %174 = icmp eq ptr %173, null
  br i1 %174, label %175, label %177

175:                                              ; preds = %166
  %176 = getelementptr inbounds nuw i64, ptr %75, i64 %169
  store i64 %168, ptr %176, align 8, !tbaa !7
  br label %183

177:                                              ; preds = %166
  %178 = call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %173) #6
  %179 = getelementptr inbounds nuw i64, ptr %75, i64 %169
  store i64 %168, ptr %179, align 8, !tbaa !7
  %180 = icmp eq i32 %178, 0
  br i1 %180, label %183, label %188

181:                                              ; preds = %205
  %182 = load i64, ptr %8, align 8, !tbaa !25
  br label %183

183:                                              ; preds = %181, %177, %175
  %184 = phi i64 [ %167, %177 ], [ %167, %175 ], [ %182, %181 ]
  %185 = phi i64 [ %168, %177 ], [ %168, %175 ], [ %208, %181 ]
  %186 = add nuw nsw i64 %169, 1
  %187 = icmp slt i64 %186, %184
  br i1 %187, label %166, label %157, !llvm.loop !26

188:                                              ; preds = %177, %205
  %189 = phi i64 [ %208, %205 ], [ %168, %177 ]
  %190 = phi i32 [ %214, %205 ], [ 0, %177 ]
  %191 = call ptr @LLVMGetSuccessor(ptr noundef nonnull %173, i32 noundef %190) #6
  %192 = ptrtoint ptr %191 to i64
  %193 = lshr i64 %192, 4
  %194 = mul i64 %193, -7046029254386353131
  %195 = lshr i64 %194, 20
  br label %196

196:                                              ; preds = %196, %188
  %197 = phi i64 [ %195, %188 ], [ %204, %196 ]
  %198 = and i64 %197, %110
  %199 = getelementptr inbounds i64, ptr %103, i64 %198
  %200 = load i64, ptr %199, align 8, !tbaa !7
  %201 = icmp eq i64 %200, 0
  %202 = icmp eq i64 %200, %192
  %203 = or i1 %201, %202
  %204 = add nsw i64 %198, 1
  br i1 %203, label %205, label %196, !llvm.loop !23

205:                                              ; preds = %196
  %206 = getelementptr inbounds i64, ptr %112, i64 %198
  %207 = load i64, ptr %206, align 8, !tbaa !7
  %208 = add nsw i64 %189, 1
  %209 = getelementptr inbounds i64, ptr %101, i64 %189
  store i64 %207, ptr %209, align 8, !tbaa !7
  %210 = getelementptr i64, ptr %77, i64 %207
  %211 = getelementptr i8, ptr %210, i64 8
  %212 = load i64, ptr %211, align 8, !tbaa !7
  %213 = add nsw i64 %212, 1
  store i64 %213, ptr %211, align 8, !tbaa !7
  %214 = add nuw i32 %190, 1
  %215 = icmp eq i32 %214, %178
  br i1 %215, label %181, label %188, !llvm.loop !27

216:                                              ; preds = %216, %164
  %217 = phi i64 [ %161, %164 ], [ %235, %216 ]
  %218 = phi i64 [ 0, %164 ], [ %232, %216 ]
  %219 = phi i64 [ 0, %164 ], [ %236, %216 ]
  %220 = getelementptr inbounds nuw i64, ptr %77, i64 %218
  %221 = getelementptr inbounds nuw i8, ptr %220, i64 8
  %222 = load i64, ptr %221, align 8, !tbaa !7
  %223 = add nsw i64 %222, %217
  store i64 %223, ptr %221, align 8, !tbaa !7
  %224 = getelementptr inbounds nuw i64, ptr %77, i64 %218
  %225 = getelementptr inbounds nuw i8, ptr %224, i64 16
  %226 = load i64, ptr %225, align 8, !tbaa !7
  %227 = add nsw i64 %226, %223
  store i64 %227, ptr %225, align 8, !tbaa !7
  %228 = getelementptr inbounds nuw i64, ptr %77, i64 %218
  %229 = getelementptr inbounds nuw i8, ptr %228, i64 24
  %230 = load i64, ptr %229, align 8, !tbaa !7
  %231 = add nsw i64 %230, %227
  store i64 %231, ptr %229, align 8, !tbaa !7
  %232 = add nuw nsw i64 %218, 4
  %233 = getelementptr inbounds nuw i64, ptr %77, i64 %232
  %234 = load i64, ptr %233, align 8, !tbaa !7
  %235 = add nsw i64 %234, %231
  store i64 %235, ptr %233, align 8, !tbaa !7
  %236 = add i64 %219, 4
  %237 = icmp eq i64 %236, %165
  br i1 %237, label %238, label %216, !llvm.loop !28

238:                                              ; preds = %216
  %239 = icmp eq i64 %162, 0
  br i1 %239, label %254, label %240

240:                                              ; preds = %238, %160
  %241 = phi i64 [ %161, %160 ], [ %235, %238 ]
  %242 = phi i64 [ 0, %160 ], [ %232, %238 ]
  %243 = icmp ne i64 %162, 0
  call void @llvm.assume(i1 %243)
  br label %244

244:                                              ; preds = %244, %240
  %245 = phi i64 [ %241, %240 ], [ %251, %244 ]
  %246 = phi i64 [ %242, %240 ], [ %248, %244 ]
  %247 = phi i64 [ 0, %240 ], [ %252, %244 ]
  %248 = add nuw nsw i64 %246, 1
  %249 = getelementptr inbounds nuw i64, ptr %77, i64 %248
  %250 = load i64, ptr %249, align 8, !tbaa !7
  %251 = add nsw i64 %250, %245
  store i64 %251, ptr %249, align 8, !tbaa !7
  %252 = add i64 %247, 1
  %253 = icmp eq i64 %252, %162
  br i1 %253, label %254, label %244, !llvm.loop !29

254:                                              ; preds = %244, %238
  %255 = icmp ult i64 %184, 6
  br i1 %255, label %274, label %256

256:                                              ; preds = %254
  %257 = mul i64 %73, 40
  %258 = add i64 %257, 40
  %259 = icmp ult i64 %258, 32
  br i1 %259, label %274, label %260

260:                                              ; preds = %256
  %261 = and i64 %184, 9223372036854775804
  br label %262

262:                                              ; preds = %262, %260
  %263 = phi i64 [ 0, %260 ], [ %270, %262 ]
  %264 = getelementptr inbounds nuw i64, ptr %77, i64 %263
  %265 = getelementptr inbounds nuw i8, ptr %264, i64 16
  %266 = load <2 x i64>, ptr %264, align 8, !tbaa !7
  %267 = load <2 x i64>, ptr %265, align 8, !tbaa !7
  %268 = getelementptr inbounds nuw i64, ptr %87, i64 %263
  %269 = getelementptr inbounds nuw i8, ptr %268, i64 16
  store <2 x i64> %266, ptr %268, align 8, !tbaa !7
  store <2 x i64> %267, ptr %269, align 8, !tbaa !7
  %270 = add nuw i64 %263, 4
  %271 = icmp eq i64 %270, %261
  br i1 %271, label %272, label %262, !llvm.loop !31

272:                                              ; preds = %262
  %273 = icmp eq i64 %184, %261
  br i1 %273, label %291, label %274

274:                                              ; preds = %256, %254, %272
  %275 = phi i64 [ 0, %256 ], [ 0, %254 ], [ %261, %272 ]
  %276 = and i64 %184, 3
  %277 = icmp eq i64 %276, 0
  br i1 %277, label %287, label %278

278:                                              ; preds = %274, %278
  %279 = phi i64 [ %284, %278 ], [ %275, %274 ]
  %280 = phi i64 [ %285, %278 ], [ 0, %274 ]
  %281 = getelementptr inbounds nuw i64, ptr %77, i64 %279
  %282 = load i64, ptr %281, align 8, !tbaa !7
  %283 = getelementptr inbounds nuw i64, ptr %87, i64 %279
  store i64 %282, ptr %283, align 8, !tbaa !7
  %284 = add nuw nsw i64 %279, 1
  %285 = add i64 %280, 1
  %286 = icmp eq i64 %285, %276
  br i1 %286, label %287, label %278, !llvm.loop !34

287:                                              ; preds = %278, %274
  %288 = phi i64 [ %275, %274 ], [ %284, %278 ]
  %289 = sub nsw i64 %275, %184
  %290 = icmp ugt i64 %289, -4
  br i1 %290, label %291, label %293

291:                                              ; preds = %287, %293, %272
  %292 = load i64, ptr %75, align 8, !tbaa !7
  br label %318

293:                                              ; preds = %287, %293
  %294 = phi i64 [ %310, %293 ], [ %288, %287 ]
  %295 = getelementptr inbounds nuw i64, ptr %77, i64 %294
  %296 = load i64, ptr %295, align 8, !tbaa !7
  %297 = getelementptr inbounds nuw i64, ptr %87, i64 %294
  store i64 %296, ptr %297, align 8, !tbaa !7
  %298 = add nuw nsw i64 %294, 1
  %299 = getelementptr inbounds nuw i64, ptr %77, i64 %298
  %300 = load i64, ptr %299, align 8, !tbaa !7
  %301 = getelementptr inbounds nuw i64, ptr %87, i64 %298
  store i64 %300, ptr %301, align 8, !tbaa !7
  %302 = add nuw nsw i64 %294, 2
  %303 = getelementptr inbounds nuw i64, ptr %77, i64 %302
  %304 = load i64, ptr %303, align 8, !tbaa !7
  %305 = getelementptr inbounds nuw i64, ptr %87, i64 %302
  store i64 %304, ptr %305, align 8, !tbaa !7
  %306 = add nuw nsw i64 %294, 3
  %307 = getelementptr inbounds nuw i64, ptr %77, i64 %306
  %308 = load i64, ptr %307, align 8, !tbaa !7
  %309 = getelementptr inbounds nuw i64, ptr %87, i64 %306
  store i64 %308, ptr %309, align 8, !tbaa !7
  %310 = add nuw nsw i64 %294, 4
  %311 = icmp eq i64 %310, %184
  br i1 %311, label %291, label %293, !llvm.loop !35

312:                                              ; preds = %326
  %313 = load i64, ptr %8, align 8, !tbaa !25
  br label %314

314:                                              ; preds = %318, %312
  %315 = phi i64 [ %313, %312 ], [ %319, %318 ]
  %316 = phi i64 [ %335, %312 ], [ %324, %318 ]
  %317 = icmp slt i64 %322, %315
  br i1 %317, label %318, label %337, !llvm.loop !36

318:                                              ; preds = %314, %291
  %319 = phi i64 [ %184, %291 ], [ %315, %314 ]
  %320 = phi i64 [ %292, %291 ], [ %316, %314 ]
  %321 = phi i64 [ 0, %291 ], [ %322, %314 ]
  %322 = add nuw nsw i64 %321, 1
  %323 = getelementptr inbounds nuw i64, ptr %75, i64 %322
  %324 = load i64, ptr %323, align 8, !tbaa !7
  %325 = icmp slt i64 %320, %324
  br i1 %325, label %326, label %314

326:                                              ; preds = %318, %326
  %327 = phi i64 [ %334, %326 ], [ %320, %318 ]
  %328 = getelementptr inbounds i64, ptr %101, i64 %327
  %329 = load i64, ptr %328, align 8, !tbaa !7
  %330 = getelementptr inbounds i64, ptr %87, i64 %329
  %331 = load i64, ptr %330, align 8, !tbaa !7
  %332 = add nsw i64 %331, 1
  store i64 %332, ptr %330, align 8, !tbaa !7
  %333 = getelementptr inbounds i64, ptr %102, i64 %331
  store i64 %321, ptr %333, align 8, !tbaa !7
  %334 = add nsw i64 %327, 1
  %335 = load i64, ptr %323, align 8, !tbaa !7
  %336 = icmp slt i64 %334, %335
  br i1 %336, label %326, label %312, !llvm.loop !37

337:                                              ; preds = %314
  %338 = icmp sgt i64 %315, 0
  br i1 %338, label %339, label %392

339:                                              ; preds = %337
  %340 = icmp ult i64 %315, 20
  br i1 %340, label %377, label %341

341:                                              ; preds = %339
  %342 = mul i64 %73, -40
  %343 = add i64 %342, -40
  %344 = icmp ult i64 %343, 32
  %345 = shl i64 %73, 4
  %346 = icmp ugt i64 %345, -48
  %347 = or i1 %344, %346
  %348 = and i64 %73, 288230376151711743
  %349 = icmp eq i64 %348, 288230376151711743
  %350 = or i1 %347, %349
  %351 = mul i64 %73, 24
  %352 = add i64 %351, 55
  %353 = icmp ult i64 %352, 63
  %354 = or i1 %350, %353
  %355 = mul i64 %73, 48
  %356 = add i64 %355, 48
  %357 = icmp ult i64 %356, 32
  %358 = or i1 %354, %357
  br i1 %358, label %377, label %359

359:                                              ; preds = %341
  %360 = and i64 %315, 9223372036854775804
  br label %361

361:                                              ; preds = %361, %359
  %362 = phi i64 [ 0, %359 ], [ %373, %361 ]
  %363 = getelementptr inbounds nuw i64, ptr %91, i64 %362
  %364 = getelementptr inbounds nuw i8, ptr %363, i64 16
  store <2 x i64> zeroinitializer, ptr %363, align 8, !tbaa !7
  store <2 x i64> zeroinitializer, ptr %364, align 8, !tbaa !7
  %365 = getelementptr inbounds nuw i64, ptr %81, i64 %362
  %366 = getelementptr inbounds nuw i8, ptr %365, i64 16
  store <2 x i64> splat (i64 -1), ptr %365, align 8, !tbaa !7
  store <2 x i64> splat (i64 -1), ptr %366, align 8, !tbaa !7
  %367 = getelementptr inbounds nuw i64, ptr %75, i64 %362
  %368 = getelementptr inbounds nuw i8, ptr %367, i64 16
  %369 = load <2 x i64>, ptr %367, align 8, !tbaa !7
  %370 = load <2 x i64>, ptr %368, align 8, !tbaa !7
  %371 = getelementptr inbounds nuw i64, ptr %87, i64 %362
  %372 = getelementptr inbounds nuw i8, ptr %371, i64 16
  store <2 x i64> %369, ptr %371, align 8, !tbaa !7
  store <2 x i64> %370, ptr %372, align 8, !tbaa !7
  %373 = add nuw i64 %362, 4
  %374 = icmp eq i64 %373, %360
  br i1 %374, label %375, label %361, !llvm.loop !38

375:                                              ; preds = %361
  %376 = icmp eq i64 %315, %360
  br i1 %376, label %392, label %377

377:                                              ; preds = %341, %339, %375
  %378 = phi i64 [ 0, %341 ], [ 0, %339 ], [ %360, %375 ]
  %379 = or disjoint i64 %378, 1
  %380 = and i64 %315, 1
  %381 = icmp eq i64 %380, 0
  br i1 %381, label %389, label %382

382:                                              ; preds = %377
  %383 = getelementptr inbounds nuw i64, ptr %91, i64 %378
  store i64 0, ptr %383, align 8, !tbaa !7
  %384 = getelementptr inbounds nuw i64, ptr %81, i64 %378
  store i64 -1, ptr %384, align 8, !tbaa !7
  %385 = getelementptr inbounds nuw i64, ptr %75, i64 %378
  %386 = load i64, ptr %385, align 8, !tbaa !7
  %387 = getelementptr inbounds nuw i64, ptr %87, i64 %378
  store i64 %386, ptr %387, align 8, !tbaa !7
  %388 = or disjoint i64 %378, 1
  br label %389

389:                                              ; preds = %382, %377
  %390 = phi i64 [ %378, %377 ], [ %388, %382 ]
  %391 = icmp eq i64 %315, %379
  br i1 %391, label %392, label %394

392:                                              ; preds = %389, %394, %375, %154, %155, %157, %337
  %393 = phi i64 [ %315, %337 ], [ %184, %157 ], [ %147, %155 ], [ 0, %154 ], [ %315, %375 ], [ %315, %394 ], [ %315, %389 ]
  store i64 0, ptr %85, align 8, !tbaa !7
  store i64 1, ptr %91, align 8, !tbaa !7
  br label %409

394:                                              ; preds = %389, %394
  %395 = phi i64 [ %407, %394 ], [ %390, %389 ]
  %396 = getelementptr inbounds nuw i64, ptr %91, i64 %395
  store i64 0, ptr %396, align 8, !tbaa !7
  %397 = getelementptr inbounds nuw i64, ptr %81, i64 %395
  store i64 -1, ptr %397, align 8, !tbaa !7
  %398 = getelementptr inbounds nuw i64, ptr %75, i64 %395
  %399 = load i64, ptr %398, align 8, !tbaa !7
  %400 = getelementptr inbounds nuw i64, ptr %87, i64 %395
  store i64 %399, ptr %400, align 8, !tbaa !7
  %401 = add nuw nsw i64 %395, 1
  %402 = getelementptr inbounds nuw i64, ptr %91, i64 %401
  store i64 0, ptr %402, align 8, !tbaa !7
  %403 = getelementptr inbounds nuw i64, ptr %81, i64 %401
  store i64 -1, ptr %403, align 8, !tbaa !7
  %404 = getelementptr inbounds nuw i64, ptr %75, i64 %401
  %405 = load i64, ptr %404, align 8, !tbaa !7
  %406 = getelementptr inbounds nuw i64, ptr %87, i64 %401
  store i64 %405, ptr %406, align 8, !tbaa !7
  %407 = add nuw nsw i64 %395, 2
  %408 = icmp eq i64 %407, %315
  br i1 %408, label %392, label %394, !llvm.loop !39

409:                                              ; preds = %435, %392
  %410 = phi i64 [ %393, %392 ], [ %437, %435 ]
  %411 = phi i64 [ 1, %392 ], [ %436, %435 ]
  %412 = getelementptr i64, ptr %85, i64 %411
  %413 = getelementptr i8, ptr %412, i64 -8
  %414 = load i64, ptr %413, align 8, !tbaa !7
  %415 = getelementptr inbounds i64, ptr %87, i64 %414
  %416 = load i64, ptr %415, align 8, !tbaa !7
  %417 = getelementptr i64, ptr %75, i64 %414
  %418 = getelementptr i8, ptr %417, i64 8
  %419 = load i64, ptr %418, align 8, !tbaa !7
  %420 = icmp eq i64 %416, %419
  br i1 %420, label %421, label %426

421:                                              ; preds = %409
  %422 = add nsw i64 %410, -1
  %423 = getelementptr inbounds i64, ptr %81, i64 %414
  store i64 %422, ptr %423, align 8, !tbaa !7
  %424 = getelementptr i64, ptr %78, i64 %410
  store i64 %414, ptr %424, align 8, !tbaa !7
  %425 = add nsw i64 %411, -1
  br label %435, !llvm.loop !40

426:                                              ; preds = %409
  %427 = add nsw i64 %416, 1
  store i64 %427, ptr %415, align 8, !tbaa !7
  %428 = getelementptr inbounds i64, ptr %101, i64 %416
  %429 = load i64, ptr %428, align 8, !tbaa !7
  %430 = getelementptr inbounds i64, ptr %91, i64 %429
  %431 = load i64, ptr %430, align 8, !tbaa !7
  %432 = icmp eq i64 %431, 0
  br i1 %432, label %433, label %435

433:                                              ; preds = %426
  store i64 1, ptr %430, align 8, !tbaa !7
  %434 = add nsw i64 %411, 1
  store i64 %429, ptr %412, align 8, !tbaa !7
  br label %435

435:                                              ; preds = %433, %426, %421
  %436 = phi i64 [ %425, %421 ], [ %411, %426 ], [ %434, %433 ]
  %437 = phi i64 [ %422, %421 ], [ %410, %426 ], [ %410, %433 ]
  %438 = icmp eq i64 %436, 0
  br i1 %438, label %439, label %409

439:                                              ; preds = %435
  %440 = icmp sgt i64 %393, 0
  br i1 %440, label %441, label %443

441:                                              ; preds = %439
  %442 = shl nuw i64 %393, 3
  call void @llvm.memset.p0.i64(ptr align 8 %83, i8 -1, i64 %442, i1 false), !tbaa !7
  br label %443

443:                                              ; preds = %441, %439
  store i64 0, ptr %83, align 8, !tbaa !7
  %444 = add nsw i64 %437, 1
  %445 = icmp slt i64 %444, %393
  br i1 %445, label %448, label %515

446:                                              ; preds = %458
  %447 = icmp eq i32 %464, 0
  br i1 %447, label %515, label %467

448:                                              ; preds = %443, %467
  %449 = phi i64 [ %468, %467 ], [ %444, %443 ]
  %450 = phi i32 [ %469, %467 ], [ 0, %443 ]
  %451 = getelementptr inbounds i64, ptr %79, i64 %449
  %452 = load i64, ptr %451, align 8, !tbaa !7
  %453 = getelementptr inbounds i64, ptr %77, i64 %452
  %454 = load i64, ptr %453, align 8, !tbaa !7
  %455 = getelementptr i8, ptr %453, i64 8
  %456 = load i64, ptr %455, align 8, !tbaa !7
  %457 = icmp slt i64 %454, %456
  br i1 %457, label %470, label %458

458:                                              ; preds = %511, %448
  %459 = phi i64 [ -1, %448 ], [ %512, %511 ]
  %460 = getelementptr inbounds i64, ptr %83, i64 %452
  %461 = load i64, ptr %460, align 8, !tbaa !7
  %462 = icmp ne i64 %461, %459
  %463 = zext i1 %462 to i32
  %464 = or i32 %450, %463
  store i64 %459, ptr %460, align 8, !tbaa !7
  %465 = add nsw i64 %449, 1
  %466 = icmp eq i64 %465, %393
  br i1 %466, label %446, label %467

467:                                              ; preds = %458, %446
  %468 = phi i64 [ %465, %458 ], [ %444, %446 ]
  %469 = phi i32 [ %464, %458 ], [ 0, %446 ]
  br label %448, !llvm.loop !41

470:                                              ; preds = %448, %511
  %471 = phi i64 [ %513, %511 ], [ %454, %448 ]
  %472 = phi i64 [ %512, %511 ], [ -1, %448 ]
  %473 = getelementptr inbounds i64, ptr %102, i64 %471
  %474 = load i64, ptr %473, align 8, !tbaa !7
  %475 = getelementptr inbounds i64, ptr %83, i64 %474
  %476 = load i64, ptr %475, align 8, !tbaa !7
  %477 = icmp sgt i64 %476, -1
  br i1 %477, label %478, label %511

478:                                              ; preds = %470
  %479 = icmp slt i64 %472, 0
  br i1 %479, label %511, label %480

480:                                              ; preds = %478
  %481 = icmp eq i64 %472, %474
  br i1 %481, label %511, label %485

482:                                              ; preds = %504, %493
  %483 = phi i64 [ %486, %493 ], [ %507, %504 ]
  %484 = icmp eq i64 %494, %483
  br i1 %484, label %511, label %485, !llvm.loop !42

485:                                              ; preds = %480, %482
  %486 = phi i64 [ %483, %482 ], [ %474, %480 ]
  %487 = phi i64 [ %494, %482 ], [ %472, %480 ]
  %488 = getelementptr inbounds i64, ptr %81, i64 %486
  %489 = load i64, ptr %488, align 8, !tbaa !7
  %490 = getelementptr inbounds i64, ptr %81, i64 %487
  %491 = load i64, ptr %490, align 8, !tbaa !7
  %492 = icmp sgt i64 %491, %489
  br i1 %492, label %497, label %493

493:                                              ; preds = %497, %485
  %494 = phi i64 [ %487, %485 ], [ %500, %497 ]
  %495 = phi i64 [ %491, %485 ], [ %502, %497 ]
  %496 = icmp sgt i64 %489, %495
  br i1 %496, label %504, label %482

497:                                              ; preds = %485, %497
  %498 = phi i64 [ %500, %497 ], [ %487, %485 ]
  %499 = getelementptr inbounds i64, ptr %83, i64 %498
  %500 = load i64, ptr %499, align 8, !tbaa !7
  %501 = getelementptr inbounds i64, ptr %81, i64 %500
  %502 = load i64, ptr %501, align 8, !tbaa !7
  %503 = icmp sgt i64 %502, %489
  br i1 %503, label %497, label %493, !llvm.loop !43

504:                                              ; preds = %493, %504
  %505 = phi i64 [ %507, %504 ], [ %486, %493 ]
  %506 = getelementptr inbounds i64, ptr %83, i64 %505
  %507 = load i64, ptr %506, align 8, !tbaa !7
  %508 = getelementptr inbounds i64, ptr %81, i64 %507
  %509 = load i64, ptr %508, align 8, !tbaa !7
  %510 = icmp sgt i64 %509, %495
  br i1 %510, label %504, label %482, !llvm.loop !44

511:                                              ; preds = %482, %480, %478, %470
  %512 = phi i64 [ %472, %470 ], [ %474, %478 ], [ %472, %480 ], [ %494, %482 ]
  %513 = add nsw i64 %471, 1
  %514 = icmp eq i64 %513, %456
  br i1 %514, label %458, label %470, !llvm.loop !45

515:                                              ; preds = %446, %443
  store i64 0, ptr %34, align 8, !tbaa !46
  br i1 %440, label %516, label %757

516:                                              ; preds = %515, %536
  %517 = phi i64 [ %537, %536 ], [ 0, %515 ]
  %518 = phi i64 [ %523, %536 ], [ 0, %515 ]
  %519 = getelementptr inbounds nuw i64, ptr %93, i64 %518
  store i64 -1, ptr %519, align 8, !tbaa !7
  %520 = getelementptr inbounds nuw i64, ptr %89, i64 %518
  store i64 -1, ptr %520, align 8, !tbaa !7
  %521 = getelementptr inbounds nuw i64, ptr %77, i64 %518
  %522 = load i64, ptr %521, align 8, !tbaa !7
  %523 = add nuw nsw i64 %518, 1
  %524 = getelementptr inbounds nuw i64, ptr %77, i64 %523
  %525 = load i64, ptr %524, align 8, !tbaa !7
  %526 = icmp slt i64 %522, %525
  br i1 %526, label %527, label %536

527:                                              ; preds = %516
  %528 = load i64, ptr %519, align 8, !tbaa !7
  %529 = getelementptr inbounds nuw i64, ptr %81, i64 %518
  br label %530

530:                                              ; preds = %566, %527
  %531 = phi i64 [ %567, %566 ], [ %517, %527 ]
  %532 = phi i64 [ %568, %566 ], [ %525, %527 ]
  %533 = phi i64 [ %569, %566 ], [ %528, %527 ]
  %534 = phi i64 [ %570, %566 ], [ %522, %527 ]
  %535 = icmp slt i64 %533, 0
  br i1 %535, label %540, label %536

536:                                              ; preds = %566, %530, %516
  %537 = phi i64 [ %517, %516 ], [ %531, %530 ], [ %567, %566 ]
  %538 = load i64, ptr %8, align 8, !tbaa !25
  %539 = icmp slt i64 %523, %538
  br i1 %539, label %516, label %572, !llvm.loop !47

540:                                              ; preds = %530
  %541 = getelementptr inbounds i64, ptr %102, i64 %534
  %542 = load i64, ptr %541, align 8, !tbaa !7
  %543 = load i64, ptr %529, align 8, !tbaa !7
  %544 = icmp slt i64 %543, 0
  br i1 %544, label %566, label %545

545:                                              ; preds = %540
  %546 = getelementptr inbounds i64, ptr %81, i64 %542
  %547 = load i64, ptr %546, align 8, !tbaa !7
  %548 = icmp slt i64 %547, 0
  br i1 %548, label %566, label %549

549:                                              ; preds = %545
  %550 = icmp samesign ugt i64 %547, %543
  br i1 %550, label %551, label %558

551:                                              ; preds = %549, %551
  %552 = phi i64 [ %554, %551 ], [ %542, %549 ]
  %553 = getelementptr inbounds i64, ptr %83, i64 %552
  %554 = load i64, ptr %553, align 8, !tbaa !7
  %555 = getelementptr inbounds i64, ptr %81, i64 %554
  %556 = load i64, ptr %555, align 8, !tbaa !7
  %557 = icmp sgt i64 %556, %543
  br i1 %557, label %551, label %558, !llvm.loop !48

558:                                              ; preds = %551, %549
  %559 = phi i64 [ %542, %549 ], [ %554, %551 ]
  %560 = icmp eq i64 %518, %559
  br i1 %560, label %561, label %566

561:                                              ; preds = %558
  %562 = getelementptr inbounds i64, ptr %95, i64 %531
  store i64 %518, ptr %562, align 8, !tbaa !7
  %563 = getelementptr inbounds i64, ptr %99, i64 %531
  store i64 -1, ptr %563, align 8, !tbaa !7
  %564 = add nsw i64 %531, 1
  store i64 %564, ptr %34, align 8, !tbaa !46
  store i64 %531, ptr %519, align 8, !tbaa !7
  %565 = load i64, ptr %524, align 8, !tbaa !7
  br label %566

566:                                              ; preds = %561, %558, %545, %540
  %567 = phi i64 [ %531, %540 ], [ %531, %545 ], [ %531, %558 ], [ %564, %561 ]
  %568 = phi i64 [ %532, %540 ], [ %532, %545 ], [ %532, %558 ], [ %565, %561 ]
  %569 = phi i64 [ %533, %540 ], [ %533, %545 ], [ %533, %558 ], [ %531, %561 ]
  %570 = add nsw i64 %534, 1
  %571 = icmp slt i64 %570, %568
  br i1 %571, label %530, label %536, !llvm.loop !49

572:                                              ; preds = %536
  %573 = icmp sgt i64 %537, 0
  br i1 %573, label %583, label %576

574:                                              ; preds = %643
  %575 = load i64, ptr %8, align 8, !tbaa !25
  br label %576

576:                                              ; preds = %574, %572
  %577 = phi i64 [ %538, %572 ], [ %575, %574 ]
  %578 = icmp sgt i64 %577, 0
  br i1 %578, label %579, label %647

579:                                              ; preds = %576
  %580 = shl i64 %73, 6
  %581 = getelementptr i8, ptr %36, i64 %580
  %582 = shl nuw i64 %577, 3
  call void @llvm.memset.p0.i64(ptr align 8 %581, i8 -1, i64 %582, i1 false), !tbaa !7
  br label %647

583:                                              ; preds = %572, %643
  %584 = phi i64 [ %645, %643 ], [ 0, %572 ]
  %585 = getelementptr inbounds nuw i64, ptr %95, i64 %584
  %586 = load i64, ptr %585, align 8, !tbaa !7
  %587 = getelementptr inbounds i64, ptr %89, i64 %586
  store i64 %584, ptr %587, align 8, !tbaa !7
  store i64 %586, ptr %85, align 8, !tbaa !7
  %588 = getelementptr inbounds i64, ptr %81, i64 %586
  br label %589

589:                                              ; preds = %601, %583
  %590 = phi i64 [ 1, %583 ], [ %602, %601 ]
  %591 = phi i64 [ 0, %583 ], [ %603, %601 ]
  %592 = getelementptr inbounds nuw i64, ptr %85, i64 %591
  %593 = load i64, ptr %592, align 8, !tbaa !7
  %594 = getelementptr inbounds i64, ptr %77, i64 %593
  %595 = load i64, ptr %594, align 8, !tbaa !7
  %596 = getelementptr i8, ptr %594, i64 8
  %597 = load i64, ptr %596, align 8, !tbaa !7
  %598 = icmp slt i64 %595, %597
  br i1 %598, label %599, label %601

599:                                              ; preds = %589
  %600 = icmp eq i64 %593, %586
  br label %605

601:                                              ; preds = %638, %589
  %602 = phi i64 [ %590, %589 ], [ %640, %638 ]
  %603 = add nuw nsw i64 %591, 1
  %604 = icmp slt i64 %603, %602
  br i1 %604, label %589, label %643, !llvm.loop !50

605:                                              ; preds = %638, %599
  %606 = phi i64 [ %597, %599 ], [ %639, %638 ]
  %607 = phi i64 [ %590, %599 ], [ %640, %638 ]
  %608 = phi i64 [ %595, %599 ], [ %641, %638 ]
  %609 = getelementptr inbounds i64, ptr %102, i64 %608
  %610 = load i64, ptr %609, align 8, !tbaa !7
  %611 = getelementptr inbounds i64, ptr %81, i64 %610
  %612 = load i64, ptr %611, align 8, !tbaa !7
  %613 = icmp slt i64 %612, 0
  br i1 %613, label %638, label %614

614:                                              ; preds = %605
  %615 = getelementptr inbounds i64, ptr %89, i64 %610
  %616 = load i64, ptr %615, align 8, !tbaa !7
  %617 = icmp eq i64 %616, %584
  br i1 %617, label %638, label %618

618:                                              ; preds = %614
  br i1 %600, label %619, label %634

619:                                              ; preds = %618
  %620 = load i64, ptr %588, align 8, !tbaa !7
  %621 = icmp slt i64 %620, 0
  br i1 %621, label %638, label %622

622:                                              ; preds = %619
  %623 = icmp samesign ugt i64 %612, %620
  br i1 %623, label %624, label %631

624:                                              ; preds = %622, %624
  %625 = phi i64 [ %627, %624 ], [ %610, %622 ]
  %626 = getelementptr inbounds i64, ptr %83, i64 %625
  %627 = load i64, ptr %626, align 8, !tbaa !7
  %628 = getelementptr inbounds i64, ptr %81, i64 %627
  %629 = load i64, ptr %628, align 8, !tbaa !7
  %630 = icmp sgt i64 %629, %620
  br i1 %630, label %624, label %631, !llvm.loop !48

631:                                              ; preds = %624, %622
  %632 = phi i64 [ %610, %622 ], [ %627, %624 ]
  %633 = icmp eq i64 %586, %632
  br i1 %633, label %634, label %638

634:                                              ; preds = %631, %618
  store i64 %584, ptr %615, align 8, !tbaa !7
  %635 = add nsw i64 %607, 1
  %636 = getelementptr inbounds i64, ptr %85, i64 %607
  store i64 %610, ptr %636, align 8, !tbaa !7
  %637 = load i64, ptr %596, align 8, !tbaa !7
  br label %638

638:                                              ; preds = %634, %631, %619, %614, %605
  %639 = phi i64 [ %606, %605 ], [ %637, %634 ], [ %606, %614 ], [ %606, %631 ], [ %606, %619 ]
  %640 = phi i64 [ %607, %605 ], [ %635, %634 ], [ %607, %614 ], [ %607, %631 ], [ %607, %619 ]
  %641 = add nsw i64 %608, 1
  %642 = icmp slt i64 %641, %639
  br i1 %642, label %605, label %601, !llvm.loop !51

643:                                              ; preds = %601
  %644 = getelementptr inbounds nuw i64, ptr %97, i64 %584
  store i64 %602, ptr %644, align 8, !tbaa !7
  %645 = add nuw nsw i64 %584, 1
  %646 = icmp eq i64 %645, %537
  br i1 %646, label %574, label %583, !llvm.loop !52

647:                                              ; preds = %579, %576
  br i1 %573, label %657, label %650

648:                                              ; preds = %719
  %649 = load i64, ptr %8, align 8, !tbaa !25
  br label %650

650:                                              ; preds = %648, %647
  %651 = phi i64 [ %649, %648 ], [ %577, %647 ]
  %652 = icmp sgt i64 %651, 0
  br i1 %652, label %653, label %741

653:                                              ; preds = %650
  %654 = shl i64 %73, 6
  %655 = getelementptr i8, ptr %36, i64 %654
  %656 = shl nuw i64 %651, 3
  call void @llvm.memset.p0.i64(ptr align 8 %655, i8 -1, i64 %656, i1 false), !tbaa !7
  br label %741

657:                                              ; preds = %647, %719
  %658 = phi i64 [ %720, %719 ], [ 0, %647 ]
  %659 = getelementptr inbounds nuw i64, ptr %95, i64 %658
  %660 = load i64, ptr %659, align 8, !tbaa !7
  %661 = getelementptr inbounds i64, ptr %89, i64 %660
  store i64 %658, ptr %661, align 8, !tbaa !7
  store i64 %660, ptr %85, align 8, !tbaa !7
  %662 = getelementptr inbounds i64, ptr %81, i64 %660
  br label %663

663:                                              ; preds = %675, %657
  %664 = phi i64 [ 1, %657 ], [ %676, %675 ]
  %665 = phi i64 [ 0, %657 ], [ %677, %675 ]
  %666 = getelementptr inbounds nuw i64, ptr %85, i64 %665
  %667 = load i64, ptr %666, align 8, !tbaa !7
  %668 = getelementptr inbounds i64, ptr %77, i64 %667
  %669 = load i64, ptr %668, align 8, !tbaa !7
  %670 = getelementptr i8, ptr %668, i64 8
  %671 = load i64, ptr %670, align 8, !tbaa !7
  %672 = icmp slt i64 %669, %671
  br i1 %672, label %673, label %675

673:                                              ; preds = %663
  %674 = icmp eq i64 %667, %660
  br label %681

675:                                              ; preds = %714, %663
  %676 = phi i64 [ %664, %663 ], [ %716, %714 ]
  %677 = add nuw nsw i64 %665, 1
  %678 = icmp slt i64 %677, %676
  br i1 %678, label %663, label %679, !llvm.loop !50

679:                                              ; preds = %675
  %680 = icmp sgt i64 %676, 1
  br i1 %680, label %722, label %719

681:                                              ; preds = %714, %673
  %682 = phi i64 [ %671, %673 ], [ %715, %714 ]
  %683 = phi i64 [ %664, %673 ], [ %716, %714 ]
  %684 = phi i64 [ %669, %673 ], [ %717, %714 ]
  %685 = getelementptr inbounds i64, ptr %102, i64 %684
  %686 = load i64, ptr %685, align 8, !tbaa !7
  %687 = getelementptr inbounds i64, ptr %81, i64 %686
  %688 = load i64, ptr %687, align 8, !tbaa !7
  %689 = icmp slt i64 %688, 0
  br i1 %689, label %714, label %690

690:                                              ; preds = %681
  %691 = getelementptr inbounds i64, ptr %89, i64 %686
  %692 = load i64, ptr %691, align 8, !tbaa !7
  %693 = icmp eq i64 %692, %658
  br i1 %693, label %714, label %694

694:                                              ; preds = %690
  br i1 %674, label %695, label %710

695:                                              ; preds = %694
  %696 = load i64, ptr %662, align 8, !tbaa !7
  %697 = icmp slt i64 %696, 0
  br i1 %697, label %714, label %698

698:                                              ; preds = %695
  %699 = icmp samesign ugt i64 %688, %696
  br i1 %699, label %700, label %707

700:                                              ; preds = %698, %700
  %701 = phi i64 [ %703, %700 ], [ %686, %698 ]
  %702 = getelementptr inbounds i64, ptr %83, i64 %701
  %703 = load i64, ptr %702, align 8, !tbaa !7
  %704 = getelementptr inbounds i64, ptr %81, i64 %703
  %705 = load i64, ptr %704, align 8, !tbaa !7
  %706 = icmp sgt i64 %705, %696
  br i1 %706, label %700, label %707, !llvm.loop !48

707:                                              ; preds = %700, %698
  %708 = phi i64 [ %686, %698 ], [ %703, %700 ]
  %709 = icmp eq i64 %660, %708
  br i1 %709, label %710, label %714

710:                                              ; preds = %707, %694
  store i64 %658, ptr %691, align 8, !tbaa !7
  %711 = add nsw i64 %683, 1
  %712 = getelementptr inbounds i64, ptr %85, i64 %683
  store i64 %686, ptr %712, align 8, !tbaa !7
  %713 = load i64, ptr %670, align 8, !tbaa !7
  br label %714

714:                                              ; preds = %710, %707, %695, %690, %681
  %715 = phi i64 [ %682, %681 ], [ %713, %710 ], [ %682, %690 ], [ %682, %707 ], [ %682, %695 ]
  %716 = phi i64 [ %683, %681 ], [ %711, %710 ], [ %683, %690 ], [ %683, %707 ], [ %683, %695 ]
  %717 = add nsw i64 %684, 1
  %718 = icmp slt i64 %717, %715
  br i1 %718, label %681, label %675, !llvm.loop !51

719:                                              ; preds = %738, %679
  %720 = add nuw nsw i64 %658, 1
  %721 = icmp eq i64 %720, %537
  br i1 %721, label %648, label %657, !llvm.loop !53

722:                                              ; preds = %679, %738
  %723 = phi i64 [ %739, %738 ], [ 1, %679 ]
  %724 = getelementptr inbounds nuw i64, ptr %85, i64 %723
  %725 = load i64, ptr %724, align 8, !tbaa !7
  %726 = getelementptr inbounds i64, ptr %93, i64 %725
  %727 = load i64, ptr %726, align 8, !tbaa !7
  %728 = icmp sgt i64 %727, -1
  br i1 %728, label %729, label %738

729:                                              ; preds = %722
  %730 = getelementptr inbounds nuw i64, ptr %99, i64 %727
  %731 = load i64, ptr %730, align 8, !tbaa !7
  %732 = icmp slt i64 %731, 0
  br i1 %732, label %737, label %733

733:                                              ; preds = %729
  %734 = getelementptr inbounds nuw i64, ptr %97, i64 %731
  %735 = load i64, ptr %734, align 8, !tbaa !7
  %736 = icmp slt i64 %676, %735
  br i1 %736, label %737, label %738

737:                                              ; preds = %733, %729
  store i64 %658, ptr %730, align 8, !tbaa !7
  br label %738

738:                                              ; preds = %737, %733, %722
  %739 = add nuw nsw i64 %723, 1
  %740 = icmp eq i64 %739, %676
  br i1 %740, label %719, label %722, !llvm.loop !54

741:                                              ; preds = %653, %650
  %742 = icmp sgt i64 %537, 0
  br i1 %742, label %743, label %757

743:                                              ; preds = %741
  %744 = add i64 %47, 1
  %745 = mul i64 %73, 72
  %746 = getelementptr i8, ptr %37, i64 %745
  %747 = mul i64 %73, 104
  %748 = getelementptr i8, ptr %38, i64 %747
  %749 = getelementptr i8, ptr %39, i64 %747
  %750 = shl i64 %537, 3
  %751 = getelementptr i8, ptr %749, i64 %750
  %752 = icmp ult i64 %537, 4
  %753 = and i64 %537, 9223372036854775804
  %754 = icmp eq i64 %537, %753
  %755 = and i64 %537, 3
  %756 = icmp eq i64 %755, 0
  br label %761

757:                                              ; preds = %1544, %515, %741
  %758 = phi i64 [ 0, %515 ], [ %537, %741 ], [ %537, %1544 ]
  %759 = add nsw i64 %758, %47
  %760 = add nsw i64 %49, 1
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #6
  br label %1547

761:                                              ; preds = %743, %1544
  %762 = phi i64 [ 0, %743 ], [ %1545, %1544 ]
  %763 = add nsw i64 %762, %47
  %764 = icmp slt i64 %763, %3
  %765 = shl nsw i64 %763, 8
  %766 = getelementptr inbounds i8, ptr %2, i64 %765
  %767 = select i1 %764, ptr %766, ptr %7
  %768 = icmp eq ptr %767, %7
  br i1 %768, label %1480, label %769

769:                                              ; preds = %761
  %770 = getelementptr inbounds nuw i64, ptr %95, i64 %762
  %771 = load i64, ptr %770, align 8, !tbaa !7
  %772 = select i1 %764, ptr %766, ptr %7
  %773 = getelementptr inbounds nuw i8, ptr %772, i64 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(248) %773, i8 0, i64 248, i1 false), !tbaa !7
  store i64 1, ptr %767, align 8, !tbaa !7
  %774 = select i1 %764, ptr %766, ptr %7
  %775 = getelementptr inbounds nuw i8, ptr %774, i64 16
  store i64 %771, ptr %775, align 8, !tbaa !7
  %776 = getelementptr inbounds nuw i64, ptr %99, i64 %762
  %777 = load i64, ptr %776, align 8, !tbaa !7
  %778 = icmp slt i64 %777, 0
  %779 = add i64 %744, %777
  %780 = select i1 %778, i64 0, i64 %779
  %781 = select i1 %764, ptr %766, ptr %7
  %782 = getelementptr inbounds nuw i8, ptr %781, i64 32
  store i64 %780, ptr %782, align 8, !tbaa !7
  %783 = select i1 %764, ptr %766, ptr %7
  %784 = getelementptr inbounds nuw i8, ptr %783, i64 24
  br label %836

785:                                              ; preds = %836
  %786 = select i1 %764, ptr %766, ptr %7
  %787 = getelementptr inbounds nuw i8, ptr %786, i64 40
  br i1 %752, label %816, label %788

788:                                              ; preds = %785
  %789 = select i1 %764, ptr %766, ptr %7
  %790 = getelementptr i8, ptr %789, i64 48
  %791 = icmp ult ptr %787, %751
  %792 = icmp ult ptr %748, %790
  %793 = and i1 %791, %792
  br i1 %793, label %816, label %794

794:                                              ; preds = %788
  %795 = insertelement <2 x i64> poison, i64 %762, i64 0
  %796 = shufflevector <2 x i64> %795, <2 x i64> poison, <2 x i32> zeroinitializer
  br label %797

797:                                              ; preds = %797, %794
  %798 = phi i64 [ 0, %794 ], [ %811, %797 ]
  %799 = phi <2 x i64> [ zeroinitializer, %794 ], [ %809, %797 ]
  %800 = phi <2 x i64> [ zeroinitializer, %794 ], [ %810, %797 ]
  %801 = getelementptr inbounds nuw i64, ptr %99, i64 %798
  %802 = getelementptr inbounds nuw i8, ptr %801, i64 16
  %803 = load <2 x i64>, ptr %801, align 8, !tbaa !7, !alias.scope !55
  %804 = load <2 x i64>, ptr %802, align 8, !tbaa !7, !alias.scope !55
  %805 = icmp eq <2 x i64> %803, %796
  %806 = icmp eq <2 x i64> %804, %796
  %807 = zext <2 x i1> %805 to <2 x i64>
  %808 = zext <2 x i1> %806 to <2 x i64>
  %809 = add <2 x i64> %799, %807
  %810 = add <2 x i64> %800, %808
  %811 = add nuw i64 %798, 4
  %812 = icmp eq i64 %811, %753
  br i1 %812, label %813, label %797, !llvm.loop !58

813:                                              ; preds = %797
  %814 = add <2 x i64> %810, %809
  %815 = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %814)
  store i64 %815, ptr %787, align 8, !tbaa !7, !alias.scope !59, !noalias !55
  br i1 %754, label %843, label %816

816:                                              ; preds = %788, %785, %813
  %817 = phi i64 [ 0, %788 ], [ 0, %785 ], [ %815, %813 ]
  %818 = phi i64 [ 0, %788 ], [ 0, %785 ], [ %753, %813 ]
  br i1 %756, label %831, label %819

819:                                              ; preds = %816, %819
  %820 = phi i64 [ %827, %819 ], [ %817, %816 ]
  %821 = phi i64 [ %828, %819 ], [ %818, %816 ]
  %822 = phi i64 [ %829, %819 ], [ 0, %816 ]
  %823 = getelementptr inbounds nuw i64, ptr %99, i64 %821
  %824 = load i64, ptr %823, align 8, !tbaa !7
  %825 = icmp eq i64 %824, %762
  %826 = zext i1 %825 to i64
  %827 = add nuw nsw i64 %820, %826
  store i64 %827, ptr %787, align 8, !tbaa !7
  %828 = add nuw nsw i64 %821, 1
  %829 = add i64 %822, 1
  %830 = icmp eq i64 %829, %755
  br i1 %830, label %831, label %819, !llvm.loop !61

831:                                              ; preds = %819, %816
  %832 = phi i64 [ %817, %816 ], [ %827, %819 ]
  %833 = phi i64 [ %818, %816 ], [ %828, %819 ]
  %834 = sub nsw i64 %818, %537
  %835 = icmp ugt i64 %834, -4
  br i1 %835, label %843, label %932

836:                                              ; preds = %836, %769
  %837 = phi i64 [ 0, %769 ], [ %839, %836 ]
  %838 = phi i64 [ %762, %769 ], [ %841, %836 ]
  %839 = add nuw nsw i64 %837, 1
  store i64 %839, ptr %784, align 8, !tbaa !7
  %840 = getelementptr inbounds nuw i64, ptr %99, i64 %838
  %841 = load i64, ptr %840, align 8, !tbaa !7
  %842 = icmp sgt i64 %841, -1
  br i1 %842, label %836, label %785, !llvm.loop !62

843:                                              ; preds = %831, %932, %813
  %844 = load i64, ptr %770, align 8, !tbaa !7
  %845 = getelementptr inbounds i64, ptr %89, i64 %844
  store i64 %762, ptr %845, align 8, !tbaa !7
  store i64 %844, ptr %85, align 8, !tbaa !7
  %846 = getelementptr inbounds i64, ptr %81, i64 %844
  br label %847

847:                                              ; preds = %859, %843
  %848 = phi i64 [ 1, %843 ], [ %860, %859 ]
  %849 = phi i64 [ 0, %843 ], [ %861, %859 ]
  %850 = getelementptr inbounds nuw i64, ptr %85, i64 %849
  %851 = load i64, ptr %850, align 8, !tbaa !7
  %852 = getelementptr inbounds i64, ptr %77, i64 %851
  %853 = load i64, ptr %852, align 8, !tbaa !7
  %854 = getelementptr i8, ptr %852, i64 8
  %855 = load i64, ptr %854, align 8, !tbaa !7
  %856 = icmp slt i64 %853, %855
  br i1 %856, label %857, label %859

857:                                              ; preds = %847
  %858 = icmp eq i64 %851, %844
  br label %863

859:                                              ; preds = %896, %847
  %860 = phi i64 [ %848, %847 ], [ %898, %896 ]
  %861 = add nuw nsw i64 %849, 1
  %862 = icmp slt i64 %861, %860
  br i1 %862, label %847, label %901, !llvm.loop !50

863:                                              ; preds = %896, %857
  %864 = phi i64 [ %855, %857 ], [ %897, %896 ]
  %865 = phi i64 [ %848, %857 ], [ %898, %896 ]
  %866 = phi i64 [ %853, %857 ], [ %899, %896 ]
  %867 = getelementptr inbounds i64, ptr %102, i64 %866
  %868 = load i64, ptr %867, align 8, !tbaa !7
  %869 = getelementptr inbounds i64, ptr %81, i64 %868
  %870 = load i64, ptr %869, align 8, !tbaa !7
  %871 = icmp slt i64 %870, 0
  br i1 %871, label %896, label %872

872:                                              ; preds = %863
  %873 = getelementptr inbounds i64, ptr %89, i64 %868
  %874 = load i64, ptr %873, align 8, !tbaa !7
  %875 = icmp eq i64 %874, %762
  br i1 %875, label %896, label %876

876:                                              ; preds = %872
  br i1 %858, label %877, label %892

877:                                              ; preds = %876
  %878 = load i64, ptr %846, align 8, !tbaa !7
  %879 = icmp slt i64 %878, 0
  br i1 %879, label %896, label %880

880:                                              ; preds = %877
  %881 = icmp samesign ugt i64 %870, %878
  br i1 %881, label %882, label %889

882:                                              ; preds = %880, %882
  %883 = phi i64 [ %885, %882 ], [ %868, %880 ]
  %884 = getelementptr inbounds i64, ptr %83, i64 %883
  %885 = load i64, ptr %884, align 8, !tbaa !7
  %886 = getelementptr inbounds i64, ptr %81, i64 %885
  %887 = load i64, ptr %886, align 8, !tbaa !7
  %888 = icmp sgt i64 %887, %878
  br i1 %888, label %882, label %889, !llvm.loop !48

889:                                              ; preds = %882, %880
  %890 = phi i64 [ %868, %880 ], [ %885, %882 ]
  %891 = icmp eq i64 %844, %890
  br i1 %891, label %892, label %896

892:                                              ; preds = %889, %876
  store i64 %762, ptr %873, align 8, !tbaa !7
  %893 = add nsw i64 %865, 1
  %894 = getelementptr inbounds i64, ptr %85, i64 %865
  store i64 %868, ptr %894, align 8, !tbaa !7
  %895 = load i64, ptr %854, align 8, !tbaa !7
  br label %896

896:                                              ; preds = %892, %889, %877, %872, %863
  %897 = phi i64 [ %864, %863 ], [ %895, %892 ], [ %864, %872 ], [ %864, %889 ], [ %864, %877 ]
  %898 = phi i64 [ %865, %863 ], [ %893, %892 ], [ %865, %872 ], [ %865, %889 ], [ %865, %877 ]
  %899 = add nsw i64 %866, 1
  %900 = icmp slt i64 %899, %897
  br i1 %900, label %863, label %859, !llvm.loop !51

901:                                              ; preds = %859
  %902 = select i1 %764, ptr %766, ptr %7
  %903 = getelementptr inbounds nuw i8, ptr %902, i64 48
  store i64 %860, ptr %903, align 8, !tbaa !7
  %904 = icmp sgt i64 %860, 0
  br i1 %904, label %905, label %960

905:                                              ; preds = %901
  %906 = select i1 %764, ptr %766, ptr %7
  %907 = getelementptr inbounds nuw i8, ptr %906, i64 56
  %908 = select i1 %764, ptr %766, ptr %7
  %909 = getelementptr inbounds nuw i8, ptr %908, i64 128
  %910 = select i1 %764, ptr %766, ptr %7
  %911 = getelementptr inbounds nuw i8, ptr %910, i64 136
  %912 = select i1 %764, ptr %766, ptr %7
  %913 = getelementptr inbounds nuw i8, ptr %912, i64 160
  %914 = select i1 %764, ptr %766, ptr %7
  %915 = getelementptr inbounds nuw i8, ptr %914, i64 176
  %916 = select i1 %764, ptr %766, ptr %7
  %917 = getelementptr inbounds nuw i8, ptr %916, i64 168
  %918 = select i1 %764, ptr %766, ptr %7
  %919 = getelementptr inbounds nuw i8, ptr %918, i64 184
  %920 = select i1 %764, ptr %766, ptr %7
  %921 = getelementptr inbounds nuw i8, ptr %920, i64 192
  %922 = select i1 %764, ptr %766, ptr %7
  %923 = getelementptr inbounds nuw i8, ptr %922, i64 200
  %924 = select i1 %764, ptr %766, ptr %7
  %925 = getelementptr inbounds nuw i8, ptr %924, i64 208
  %926 = select i1 %764, ptr %766, ptr %7
  %927 = getelementptr inbounds nuw i8, ptr %926, i64 216
  %928 = select i1 %764, ptr %766, ptr %7
  %929 = getelementptr inbounds nuw i8, ptr %928, i64 152
  %930 = select i1 %764, ptr %766, ptr %7
  %931 = getelementptr inbounds nuw i8, ptr %930, i64 144
  br label %969

932:                                              ; preds = %831, %932
  %933 = phi i64 [ %957, %932 ], [ %832, %831 ]
  %934 = phi i64 [ %958, %932 ], [ %833, %831 ]
  %935 = getelementptr inbounds nuw i64, ptr %99, i64 %934
  %936 = load i64, ptr %935, align 8, !tbaa !7
  %937 = icmp eq i64 %936, %762
  %938 = zext i1 %937 to i64
  %939 = add nuw nsw i64 %933, %938
  store i64 %939, ptr %787, align 8, !tbaa !7
  %940 = getelementptr inbounds nuw i64, ptr %99, i64 %934
  %941 = getelementptr inbounds nuw i8, ptr %940, i64 8
  %942 = load i64, ptr %941, align 8, !tbaa !7
  %943 = icmp eq i64 %942, %762
  %944 = zext i1 %943 to i64
  %945 = add nuw nsw i64 %939, %944
  store i64 %945, ptr %787, align 8, !tbaa !7
  %946 = getelementptr inbounds nuw i64, ptr %99, i64 %934
  %947 = getelementptr inbounds nuw i8, ptr %946, i64 16
  %948 = load i64, ptr %947, align 8, !tbaa !7
  %949 = icmp eq i64 %948, %762
  %950 = zext i1 %949 to i64
  %951 = add nuw nsw i64 %945, %950
  store i64 %951, ptr %787, align 8, !tbaa !7
  %952 = getelementptr inbounds nuw i64, ptr %99, i64 %934
  %953 = getelementptr inbounds nuw i8, ptr %952, i64 24
  %954 = load i64, ptr %953, align 8, !tbaa !7
  %955 = icmp eq i64 %954, %762
  %956 = zext i1 %955 to i64
  %957 = add nuw nsw i64 %951, %956
  store i64 %957, ptr %787, align 8, !tbaa !7
  %958 = add nuw nsw i64 %934, 4
  %959 = icmp eq i64 %958, %537
  br i1 %959, label %843, label %932, !llvm.loop !63

960:                                              ; preds = %978, %901
  %961 = getelementptr inbounds i64, ptr %1, i64 %771
  %962 = load i64, ptr %961, align 8, !tbaa !7
  %963 = inttoptr i64 %962 to ptr
  %964 = call ptr @LLVMGetFirstInstruction(ptr noundef %963) #6
  %965 = icmp eq ptr %964, null
  br i1 %965, label %1070, label %966

966:                                              ; preds = %960
  %967 = select i1 %764, ptr %766, ptr %7
  %968 = getelementptr inbounds nuw i8, ptr %967, i64 64
  br label %1230

969:                                              ; preds = %978, %905
  %970 = phi i64 [ 0, %905 ], [ %979, %978 ]
  %971 = getelementptr inbounds nuw i64, ptr %85, i64 %970
  %972 = load i64, ptr %971, align 8, !tbaa !7
  %973 = getelementptr inbounds i64, ptr %1, i64 %972
  %974 = load i64, ptr %973, align 8, !tbaa !7
  %975 = inttoptr i64 %974 to ptr
  %976 = call ptr @LLVMGetFirstInstruction(ptr noundef %975) #6
  %977 = icmp eq ptr %976, null
  br i1 %977, label %978, label %982

978:                                              ; preds = %1067, %969
  %979 = add nuw nsw i64 %970, 1
  %980 = load i64, ptr %903, align 8, !tbaa !7
  %981 = icmp slt i64 %979, %980
  br i1 %981, label %969, label %960, !llvm.loop !64

982:                                              ; preds = %969, %1067
  %983 = phi ptr [ %1068, %1067 ], [ %976, %969 ]
  %984 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %983) #6
  %985 = and i32 %984, -2
  %986 = icmp eq i32 %985, 70
  %987 = select i1 %986, i32 2, i32 %984
  %988 = call ptr @LLVMTypeOf(ptr noundef nonnull %983) #6
  %989 = call i32 @LLVMGetTypeKind(ptr noundef %988) #6
  %990 = add i32 %987, -9
  %991 = icmp ult i32 %990, 58
  %992 = zext nneg i32 %990 to i58
  %993 = lshr i58 -144115188075854699, %992
  %994 = trunc i58 %993 to i1
  %995 = select i1 %991, i1 %994, i1 false
  %996 = load i64, ptr %907, align 8, !tbaa !7
  %997 = add nsw i64 %996, 1
  store i64 %997, ptr %907, align 8, !tbaa !7
  %998 = icmp eq i32 %987, 27
  %999 = zext i1 %998 to i64
  %1000 = load i64, ptr %909, align 8, !tbaa !7
  %1001 = add nsw i64 %1000, %999
  store i64 %1001, ptr %909, align 8, !tbaa !7
  %1002 = icmp eq i32 %987, 28
  %1003 = zext i1 %1002 to i64
  %1004 = load i64, ptr %911, align 8, !tbaa !7
  %1005 = add nsw i64 %1004, %1003
  store i64 %1005, ptr %911, align 8, !tbaa !7
  %1006 = icmp eq i32 %987, 29
  %1007 = zext i1 %1006 to i64
  %1008 = load i64, ptr %913, align 8, !tbaa !7
  %1009 = add nsw i64 %1008, %1007
  store i64 %1009, ptr %913, align 8, !tbaa !7
  %1010 = zext i1 %995 to i64
  %1011 = load i64, ptr %915, align 8, !tbaa !7
  %1012 = add nsw i64 %1011, %1010
  store i64 %1012, ptr %915, align 8, !tbaa !7
  br i1 %995, label %1017, label %1013

1013:                                             ; preds = %982
  %1014 = call ptr @LLVMIsABinaryOperator(ptr noundef nonnull %983) #6
  %1015 = icmp ne ptr %1014, null
  %1016 = zext i1 %1015 to i64
  br label %1017

1017:                                             ; preds = %1013, %982
  %1018 = phi i64 [ 0, %982 ], [ %1016, %1013 ]
  %1019 = load i64, ptr %917, align 8, !tbaa !7
  %1020 = add nsw i64 %1019, %1018
  store i64 %1020, ptr %917, align 8, !tbaa !7
  %1021 = and i32 %987, -2
  %1022 = icmp eq i32 %1021, 42
  %1023 = zext i1 %1022 to i64
  %1024 = load i64, ptr %919, align 8, !tbaa !7
  %1025 = add nsw i64 %1024, %1023
  store i64 %1025, ptr %919, align 8, !tbaa !7
  %1026 = icmp eq i32 %987, 2
  br i1 %1026, label %1027, label %1030

1027:                                             ; preds = %1017
  %1028 = call i32 @LLVMIsConditional(ptr noundef nonnull %983) #6
  %1029 = icmp eq i32 %1028, 0
  br i1 %1029, label %1030, label %1033

1030:                                             ; preds = %1027, %1017
  %1031 = icmp eq i32 %987, 3
  %1032 = zext i1 %1031 to i64
  br label %1033

1033:                                             ; preds = %1030, %1027
  %1034 = phi i64 [ 1, %1027 ], [ %1032, %1030 ]
  %1035 = load i64, ptr %921, align 8, !tbaa !7
  %1036 = add nsw i64 %1035, %1034
  store i64 %1036, ptr %921, align 8, !tbaa !7
  %1037 = icmp eq i32 %987, 46
  %1038 = zext i1 %1037 to i64
  %1039 = load i64, ptr %923, align 8, !tbaa !7
  %1040 = add nsw i64 %1039, %1038
  store i64 %1040, ptr %923, align 8, !tbaa !7
  %1041 = icmp eq i32 %987, 44
  %1042 = zext i1 %1041 to i64
  %1043 = load i64, ptr %925, align 8, !tbaa !7
  %1044 = add nsw i64 %1043, %1042
  store i64 %1044, ptr %925, align 8, !tbaa !7
  %1045 = icmp eq i32 %989, 13
  %1046 = icmp eq i32 %989, 17
  %1047 = or i1 %1045, %1046
  %1048 = zext i1 %1047 to i64
  %1049 = load i64, ptr %927, align 8, !tbaa !7
  %1050 = add nsw i64 %1049, %1048
  store i64 %1050, ptr %927, align 8, !tbaa !7
  switch i32 %987, label %1067 [
    i32 45, label %1051
    i32 5, label %1051
  ]

1051:                                             ; preds = %1033, %1033
  %1052 = call ptr @LLVMGetCalledValue(ptr noundef nonnull %983) #6
  %1053 = call ptr @LLVMIsAFunction(ptr noundef %1052) #6
  %1054 = icmp eq ptr %1053, null
  br i1 %1054, label %1058, label %1055

1055:                                             ; preds = %1051
  %1056 = call i32 @LLVMGetIntrinsicID(ptr noundef %1052) #6
  %1057 = icmp ne i32 %1056, 0
  br label %1058

1058:                                             ; preds = %1055, %1051
  %1059 = phi i1 [ false, %1051 ], [ %1057, %1055 ]
  %1060 = zext i1 %1059 to i64
  %1061 = load i64, ptr %929, align 8, !tbaa !7
  %1062 = add nsw i64 %1061, %1060
  store i64 %1062, ptr %929, align 8, !tbaa !7
  %1063 = xor i1 %1059, true
  %1064 = zext i1 %1063 to i64
  %1065 = load i64, ptr %931, align 8, !tbaa !7
  %1066 = add nsw i64 %1065, %1064
  store i64 %1066, ptr %931, align 8, !tbaa !7
  br label %1067

1067:                                             ; preds = %1058, %1033
  %1068 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %983) #6
  %1069 = icmp eq ptr %1068, null
  br i1 %1069, label %978, label %982, !llvm.loop !65

1070:                                             ; preds = %1230, %960
  %1071 = call fastcc i64 @note_latches(ptr noundef nonnull readonly %8, i64 noundef %762, i64 noundef %763, ptr noundef nonnull %6, i32 noundef %10, ptr noundef nonnull %767)
  %1072 = load i64, ptr %8, align 8, !tbaa !25
  %1073 = icmp sgt i64 %1072, 0
  br i1 %1073, label %1074, label %1076

1074:                                             ; preds = %1070
  %1075 = shl nuw i64 %1072, 3
  call void @llvm.memset.p0.i64(ptr align 8 %746, i8 0, i64 %1075, i1 false), !tbaa !7
  br label %1076

1076:                                             ; preds = %1074, %1070
  %1077 = load i64, ptr %903, align 8, !tbaa !7
  %1078 = icmp sgt i64 %1077, 0
  br i1 %1078, label %1079, label %1189

1079:                                             ; preds = %1076
  %1080 = select i1 %764, ptr %766, ptr %7
  %1081 = getelementptr inbounds nuw i8, ptr %1080, i64 88
  %1082 = select i1 %764, ptr %766, ptr %7
  %1083 = getelementptr inbounds nuw i8, ptr %1082, i64 80
  br label %1084

1084:                                             ; preds = %1182, %1079
  %1085 = phi i32 [ 1, %1079 ], [ %1183, %1182 ]
  %1086 = phi i64 [ 0, %1079 ], [ %1184, %1182 ]
  %1087 = getelementptr inbounds nuw i64, ptr %85, i64 %1086
  %1088 = load i64, ptr %1087, align 8, !tbaa !7
  %1089 = getelementptr inbounds i64, ptr %75, i64 %1088
  %1090 = load i64, ptr %1089, align 8, !tbaa !7
  %1091 = getelementptr i8, ptr %1089, i64 8
  %1092 = load i64, ptr %1091, align 8, !tbaa !7
  %1093 = icmp slt i64 %1090, %1092
  br i1 %1093, label %1098, label %1182

1094:                                             ; preds = %1174
  %1095 = load i64, ptr %1083, align 8, !tbaa !7
  %1096 = add nsw i64 %1095, %1175
  store i64 %1096, ptr %1083, align 8, !tbaa !7
  %1097 = icmp eq i64 %1175, 0
  br i1 %1097, label %1182, label %1180

1098:                                             ; preds = %1084, %1174
  %1099 = phi i32 [ %1176, %1174 ], [ %1085, %1084 ]
  %1100 = phi i64 [ %1177, %1174 ], [ %1090, %1084 ]
  %1101 = phi i64 [ %1175, %1174 ], [ 0, %1084 ]
  %1102 = getelementptr inbounds i64, ptr %101, i64 %1100
  %1103 = load i64, ptr %1102, align 8, !tbaa !7
  %1104 = getelementptr inbounds i64, ptr %89, i64 %1103
  %1105 = load i64, ptr %1104, align 8, !tbaa !7
  %1106 = icmp eq i64 %1105, %762
  br i1 %1106, label %1174, label %1107

1107:                                             ; preds = %1098
  %1108 = getelementptr inbounds i64, ptr %91, i64 %1103
  %1109 = load i64, ptr %1108, align 8, !tbaa !7
  %1110 = icmp eq i64 %1109, 0
  br i1 %1110, label %1111, label %1174

1111:                                             ; preds = %1107
  store i64 1, ptr %1108, align 8, !tbaa !7
  %1112 = load i64, ptr %1081, align 8, !tbaa !7
  %1113 = add nsw i64 %1112, 1
  store i64 %1113, ptr %1081, align 8, !tbaa !7
  %1114 = getelementptr inbounds i64, ptr %77, i64 %1103
  %1115 = load i64, ptr %1114, align 8, !tbaa !7
  %1116 = getelementptr i8, ptr %1114, i64 8
  %1117 = load i64, ptr %1116, align 8, !tbaa !7
  %1118 = icmp slt i64 %1115, %1117
  br i1 %1118, label %1119, label %1174

1119:                                             ; preds = %1111
  %1120 = sub i64 %1117, %1115
  %1121 = and i64 %1120, 3
  %1122 = icmp eq i64 %1121, 0
  br i1 %1122, label %1136, label %1123

1123:                                             ; preds = %1119, %1123
  %1124 = phi i64 [ %1133, %1123 ], [ %1115, %1119 ]
  %1125 = phi i32 [ %1132, %1123 ], [ %1099, %1119 ]
  %1126 = phi i64 [ %1134, %1123 ], [ 0, %1119 ]
  %1127 = getelementptr inbounds i64, ptr %102, i64 %1124
  %1128 = load i64, ptr %1127, align 8, !tbaa !7
  %1129 = getelementptr inbounds i64, ptr %89, i64 %1128
  %1130 = load i64, ptr %1129, align 8, !tbaa !7
  %1131 = icmp eq i64 %1130, %762
  %1132 = select i1 %1131, i32 %1125, i32 0
  %1133 = add nsw i64 %1124, 1
  %1134 = add i64 %1126, 1
  %1135 = icmp eq i64 %1134, %1121
  br i1 %1135, label %1136, label %1123, !llvm.loop !66

1136:                                             ; preds = %1123, %1119
  %1137 = phi i32 [ poison, %1119 ], [ %1132, %1123 ]
  %1138 = phi i64 [ %1115, %1119 ], [ %1133, %1123 ]
  %1139 = phi i32 [ %1099, %1119 ], [ %1132, %1123 ]
  %1140 = sub i64 %1115, %1117
  %1141 = icmp ugt i64 %1140, -4
  br i1 %1141, label %1174, label %1142

1142:                                             ; preds = %1136, %1142
  %1143 = phi i64 [ %1172, %1142 ], [ %1138, %1136 ]
  %1144 = phi i32 [ %1171, %1142 ], [ %1139, %1136 ]
  %1145 = getelementptr inbounds i64, ptr %102, i64 %1143
  %1146 = load i64, ptr %1145, align 8, !tbaa !7
  %1147 = getelementptr inbounds i64, ptr %89, i64 %1146
  %1148 = load i64, ptr %1147, align 8, !tbaa !7
  %1149 = icmp eq i64 %1148, %762
  %1150 = getelementptr i64, ptr %102, i64 %1143
  %1151 = getelementptr i8, ptr %1150, i64 8
  %1152 = load i64, ptr %1151, align 8, !tbaa !7
  %1153 = getelementptr inbounds i64, ptr %89, i64 %1152
  %1154 = load i64, ptr %1153, align 8, !tbaa !7
  %1155 = icmp eq i64 %1154, %762
  %1156 = getelementptr i64, ptr %102, i64 %1143
  %1157 = getelementptr i8, ptr %1156, i64 16
  %1158 = load i64, ptr %1157, align 8, !tbaa !7
  %1159 = getelementptr inbounds i64, ptr %89, i64 %1158
  %1160 = load i64, ptr %1159, align 8, !tbaa !7
  %1161 = icmp eq i64 %1160, %762
  %1162 = getelementptr i64, ptr %102, i64 %1143
  %1163 = getelementptr i8, ptr %1162, i64 24
  %1164 = load i64, ptr %1163, align 8, !tbaa !7
  %1165 = getelementptr inbounds i64, ptr %89, i64 %1164
  %1166 = load i64, ptr %1165, align 8, !tbaa !7
  %1167 = icmp eq i64 %1166, %762
  %1168 = select i1 %1167, i1 %1161, i1 false
  %1169 = select i1 %1168, i1 %1155, i1 false
  %1170 = select i1 %1169, i1 %1149, i1 false
  %1171 = select i1 %1170, i32 %1144, i32 0
  %1172 = add nsw i64 %1143, 4
  %1173 = icmp eq i64 %1172, %1117
  br i1 %1173, label %1174, label %1142, !llvm.loop !67

1174:                                             ; preds = %1136, %1142, %1111, %1107, %1098
  %1175 = phi i64 [ 1, %1107 ], [ %1101, %1098 ], [ 1, %1111 ], [ 1, %1142 ], [ 1, %1136 ]
  %1176 = phi i32 [ %1099, %1107 ], [ %1099, %1098 ], [ %1099, %1111 ], [ %1137, %1136 ], [ %1171, %1142 ]
  %1177 = add nsw i64 %1100, 1
  %1178 = load i64, ptr %1091, align 8, !tbaa !7
  %1179 = icmp slt i64 %1177, %1178
  br i1 %1179, label %1098, label %1094, !llvm.loop !68

1180:                                             ; preds = %1094
  %1181 = getelementptr inbounds i64, ptr %91, i64 %1088
  store i64 2, ptr %1181, align 8, !tbaa !7
  br label %1182

1182:                                             ; preds = %1180, %1094, %1084
  %1183 = phi i32 [ %1176, %1094 ], [ %1176, %1180 ], [ %1085, %1084 ]
  %1184 = add nuw nsw i64 %1086, 1
  %1185 = load i64, ptr %903, align 8, !tbaa !7
  %1186 = icmp slt i64 %1184, %1185
  br i1 %1186, label %1084, label %1187, !llvm.loop !69

1187:                                             ; preds = %1182
  %1188 = icmp ne i32 %1183, 0
  br label %1189

1189:                                             ; preds = %1187, %1076
  %1190 = phi i64 [ %1077, %1076 ], [ %1185, %1187 ]
  %1191 = phi i1 [ true, %1076 ], [ %1188, %1187 ]
  %1192 = load i64, ptr %770, align 8, !tbaa !7
  %1193 = getelementptr inbounds i64, ptr %77, i64 %1192
  %1194 = load i64, ptr %1193, align 8, !tbaa !7
  %1195 = getelementptr i8, ptr %1193, i64 8
  %1196 = load i64, ptr %1195, align 8, !tbaa !7
  %1197 = icmp slt i64 %1194, %1196
  br i1 %1197, label %1198, label %1216

1198:                                             ; preds = %1189, %1210
  %1199 = phi i64 [ %1212, %1210 ], [ %1194, %1189 ]
  %1200 = phi i64 [ %1211, %1210 ], [ -1, %1189 ]
  %1201 = getelementptr inbounds i64, ptr %102, i64 %1199
  %1202 = load i64, ptr %1201, align 8, !tbaa !7
  %1203 = getelementptr inbounds i64, ptr %89, i64 %1202
  %1204 = load i64, ptr %1203, align 8, !tbaa !7
  %1205 = icmp eq i64 %1204, %762
  br i1 %1205, label %1210, label %1206

1206:                                             ; preds = %1198
  %1207 = icmp slt i64 %1200, 0
  %1208 = icmp eq i64 %1200, %1202
  %1209 = or i1 %1207, %1208
  br i1 %1209, label %1210, label %1216

1210:                                             ; preds = %1206, %1198
  %1211 = phi i64 [ %1200, %1198 ], [ %1202, %1206 ]
  %1212 = add i64 %1199, 1
  %1213 = icmp eq i64 %1212, %1196
  br i1 %1213, label %1214, label %1198, !llvm.loop !70

1214:                                             ; preds = %1210
  %1215 = icmp sgt i64 %1211, -1
  br i1 %1215, label %1219, label %1216

1216:                                             ; preds = %1206, %1214, %1189
  %1217 = select i1 %764, ptr %766, ptr %7
  %1218 = getelementptr inbounds nuw i8, ptr %1217, i64 96
  store i64 0, ptr %1218, align 8, !tbaa !7
  br label %1245

1219:                                             ; preds = %1214
  %1220 = getelementptr inbounds nuw i64, ptr %75, i64 %1211
  %1221 = getelementptr inbounds nuw i8, ptr %1220, i64 8
  %1222 = load i64, ptr %1221, align 8, !tbaa !7
  %1223 = load i64, ptr %1220, align 8, !tbaa !7
  %1224 = sub nsw i64 %1222, %1223
  %1225 = icmp eq i64 %1224, 1
  %1226 = zext i1 %1225 to i64
  %1227 = select i1 %764, ptr %766, ptr %7
  %1228 = getelementptr inbounds nuw i8, ptr %1227, i64 96
  store i64 %1226, ptr %1228, align 8, !tbaa !7
  %1229 = select i1 %1191, i1 %1225, i1 false
  br i1 %1229, label %1239, label %1245

1230:                                             ; preds = %1230, %966
  %1231 = phi ptr [ %964, %966 ], [ %1237, %1230 ]
  %1232 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %1231) #6
  %1233 = icmp eq i32 %1232, 44
  %1234 = zext i1 %1233 to i64
  %1235 = load i64, ptr %968, align 8, !tbaa !7
  %1236 = add nsw i64 %1235, %1234
  store i64 %1236, ptr %968, align 8, !tbaa !7
  %1237 = call ptr @LLVMGetNextInstruction(ptr noundef nonnull %1231) #6
  %1238 = icmp eq ptr %1237, null
  br i1 %1238, label %1070, label %1230, !llvm.loop !71

1239:                                             ; preds = %1219
  %1240 = select i1 %764, ptr %766, ptr %7
  %1241 = getelementptr inbounds nuw i8, ptr %1240, i64 72
  %1242 = load i64, ptr %1241, align 8, !tbaa !7
  %1243 = icmp eq i64 %1242, 1
  %1244 = zext i1 %1243 to i64
  br label %1245

1245:                                             ; preds = %1239, %1219, %1216
  %1246 = phi i64 [ %1244, %1239 ], [ 0, %1219 ], [ 0, %1216 ]
  %1247 = select i1 %764, ptr %766, ptr %7
  %1248 = getelementptr inbounds nuw i8, ptr %1247, i64 104
  store i64 %1246, ptr %1248, align 8, !tbaa !7
  %1249 = select i1 %764, ptr %766, ptr %7
  %1250 = getelementptr inbounds nuw i8, ptr %1249, i64 72
  %1251 = load i64, ptr %1250, align 8, !tbaa !7
  %1252 = icmp eq i64 %1251, 1
  br i1 %1252, label %1253, label %1258

1253:                                             ; preds = %1245
  %1254 = getelementptr inbounds i64, ptr %91, i64 %1071
  %1255 = load i64, ptr %1254, align 8, !tbaa !7
  %1256 = icmp eq i64 %1255, 2
  %1257 = zext i1 %1256 to i64
  br label %1258

1258:                                             ; preds = %1253, %1245
  %1259 = phi i64 [ 0, %1245 ], [ %1257, %1253 ]
  %1260 = select i1 %764, ptr %766, ptr %7
  %1261 = getelementptr inbounds nuw i8, ptr %1260, i64 112
  store i64 %1259, ptr %1261, align 8, !tbaa !7
  %1262 = icmp sgt i64 %1190, 0
  br i1 %1262, label %1263, label %1479

1263:                                             ; preds = %1258
  %1264 = select i1 %764, ptr %766, ptr %7
  %1265 = getelementptr inbounds nuw i8, ptr %1264, i64 80
  %1266 = load i64, ptr %1265, align 8, !tbaa !7
  %1267 = icmp eq i64 %1266, 1
  br i1 %1267, label %1268, label %1479

1268:                                             ; preds = %1263
  %1269 = and i64 %1190, 3
  %1270 = icmp ult i64 %1190, 4
  br i1 %1270, label %1309, label %1271

1271:                                             ; preds = %1268
  %1272 = and i64 %1190, 9223372036854775804
  br label %1273

1273:                                             ; preds = %1273, %1271
  %1274 = phi i64 [ 0, %1271 ], [ %1304, %1273 ]
  %1275 = phi i64 [ -1, %1271 ], [ %1303, %1273 ]
  %1276 = phi i64 [ 0, %1271 ], [ %1305, %1273 ]
  %1277 = getelementptr inbounds nuw i64, ptr %85, i64 %1274
  %1278 = load i64, ptr %1277, align 8, !tbaa !7
  %1279 = getelementptr inbounds i64, ptr %91, i64 %1278
  %1280 = load i64, ptr %1279, align 8, !tbaa !7
  %1281 = icmp eq i64 %1280, 2
  %1282 = select i1 %1281, i64 %1278, i64 %1275
  %1283 = getelementptr inbounds nuw i64, ptr %85, i64 %1274
  %1284 = getelementptr inbounds nuw i8, ptr %1283, i64 8
  %1285 = load i64, ptr %1284, align 8, !tbaa !7
  %1286 = getelementptr inbounds i64, ptr %91, i64 %1285
  %1287 = load i64, ptr %1286, align 8, !tbaa !7
  %1288 = icmp eq i64 %1287, 2
  %1289 = select i1 %1288, i64 %1285, i64 %1282
  %1290 = getelementptr inbounds nuw i64, ptr %85, i64 %1274
  %1291 = getelementptr inbounds nuw i8, ptr %1290, i64 16
  %1292 = load i64, ptr %1291, align 8, !tbaa !7
  %1293 = getelementptr inbounds i64, ptr %91, i64 %1292
  %1294 = load i64, ptr %1293, align 8, !tbaa !7
  %1295 = icmp eq i64 %1294, 2
  %1296 = select i1 %1295, i64 %1292, i64 %1289
  %1297 = getelementptr inbounds nuw i64, ptr %85, i64 %1274
  %1298 = getelementptr inbounds nuw i8, ptr %1297, i64 24
  %1299 = load i64, ptr %1298, align 8, !tbaa !7
  %1300 = getelementptr inbounds i64, ptr %91, i64 %1299
  %1301 = load i64, ptr %1300, align 8, !tbaa !7
  %1302 = icmp eq i64 %1301, 2
  %1303 = select i1 %1302, i64 %1299, i64 %1296
  %1304 = add nuw nsw i64 %1274, 4
  %1305 = add i64 %1276, 4
  %1306 = icmp eq i64 %1305, %1272
  br i1 %1306, label %1307, label %1273, !llvm.loop !72

1307:                                             ; preds = %1273
  %1308 = icmp eq i64 %1269, 0
  br i1 %1308, label %1326, label %1309

1309:                                             ; preds = %1307, %1268
  %1310 = phi i64 [ 0, %1268 ], [ %1304, %1307 ]
  %1311 = phi i64 [ -1, %1268 ], [ %1303, %1307 ]
  %1312 = icmp ne i64 %1269, 0
  call void @llvm.assume(i1 %1312)
  br label %1313

1313:                                             ; preds = %1313, %1309
  %1314 = phi i64 [ %1323, %1313 ], [ %1310, %1309 ]
  %1315 = phi i64 [ %1322, %1313 ], [ %1311, %1309 ]
  %1316 = phi i64 [ %1324, %1313 ], [ 0, %1309 ]
  %1317 = getelementptr inbounds nuw i64, ptr %85, i64 %1314
  %1318 = load i64, ptr %1317, align 8, !tbaa !7
  %1319 = getelementptr inbounds i64, ptr %91, i64 %1318
  %1320 = load i64, ptr %1319, align 8, !tbaa !7
  %1321 = icmp eq i64 %1320, 2
  %1322 = select i1 %1321, i64 %1318, i64 %1315
  %1323 = add nuw nsw i64 %1314, 1
  %1324 = add i64 %1316, 1
  %1325 = icmp eq i64 %1324, %1269
  br i1 %1325, label %1326, label %1313, !llvm.loop !73

1326:                                             ; preds = %1313, %1307
  %1327 = phi i64 [ %1303, %1307 ], [ %1322, %1313 ]
  %1328 = icmp sgt i64 %1327, -1
  %1329 = select i1 %1252, i1 %1328, i1 false
  br i1 %1329, label %1330, label %1479

1330:                                             ; preds = %1326
  %1331 = icmp eq i64 %1327, %771
  %1332 = icmp eq i64 %1327, %1071
  %1333 = select i1 %1331, i1 true, i1 %1332
  br i1 %1333, label %1334, label %1479

1334:                                             ; preds = %1330
  %1335 = getelementptr inbounds nuw i64, ptr %1, i64 %1327
  %1336 = load i64, ptr %1335, align 8, !tbaa !7
  %1337 = inttoptr i64 %1336 to ptr
  %1338 = call ptr @LLVMGetBasicBlockTerminator(ptr noundef %1337) #6
  %1339 = call i32 @LLVMGetInstructionOpcode(ptr noundef %1338) #6
  switch i32 %1339, label %1475 [
    i32 71, label %1340
    i32 70, label %1340
    i32 2, label %1340
  ]

1340:                                             ; preds = %1334, %1334, %1334
  %1341 = call i32 @LLVMIsConditional(ptr noundef %1338) #6
  %1342 = icmp eq i32 %1341, 0
  br i1 %1342, label %1475, label %1343

1343:                                             ; preds = %1340
  %1344 = call ptr @LLVMGetCondition(ptr noundef %1338) #6
  %1345 = call ptr @LLVMIsAInstruction(ptr noundef %1344) #6
  %1346 = icmp eq ptr %1345, null
  br i1 %1346, label %1475, label %1347

1347:                                             ; preds = %1343
  %1348 = call i32 @LLVMGetInstructionOpcode(ptr noundef %1344) #6
  %1349 = icmp eq i32 %1348, 42
  br i1 %1349, label %1350, label %1475

1350:                                             ; preds = %1347
  %1351 = call ptr @LLVMGetOperand(ptr noundef %1344, i32 noundef 0) #6
  %1352 = call ptr @LLVMGetOperand(ptr noundef %1344, i32 noundef 1) #6
  %1353 = call ptr @LLVMIsAConstantInt(ptr noundef %1352) #6
  %1354 = icmp eq ptr %1353, null
  br i1 %1354, label %1475, label %1355

1355:                                             ; preds = %1350
  %1356 = call ptr @LLVMIsAInstruction(ptr noundef %1351) #6
  %1357 = icmp eq ptr %1356, null
  br i1 %1357, label %1475, label %1358

1358:                                             ; preds = %1355
  %1359 = call ptr @LLVMTypeOf(ptr noundef %1352) #6
  %1360 = call i32 @LLVMGetIntTypeWidth(ptr noundef %1359) #6
  %1361 = call i32 @LLVMGetInstructionOpcode(ptr noundef %1351) #6
  %1362 = icmp ne i32 %1361, 8
  br i1 %1362, label %1365, label %1363

1363:                                             ; preds = %1358
  %1364 = call ptr @LLVMGetOperand(ptr noundef %1351, i32 noundef 0) #6
  br label %1365

1365:                                             ; preds = %1363, %1358
  %1366 = phi ptr [ %1364, %1363 ], [ %1351, %1358 ]
  %1367 = icmp ugt i32 %1360, 64
  br i1 %1367, label %1475, label %1368

1368:                                             ; preds = %1365
  %1369 = call ptr @LLVMIsAInstruction(ptr noundef %1366) #6
  %1370 = icmp eq ptr %1369, null
  br i1 %1370, label %1475, label %1371

1371:                                             ; preds = %1368
  %1372 = call i32 @LLVMGetInstructionOpcode(ptr noundef %1366) #6
  %1373 = icmp eq i32 %1372, 44
  br i1 %1373, label %1374, label %1475

1374:                                             ; preds = %1371
  %1375 = call ptr @LLVMGetInstructionParent(ptr noundef %1366) #6
  %1376 = ptrtoint ptr %1375 to i64
  %1377 = load i64, ptr %770, align 8, !tbaa !7
  %1378 = getelementptr inbounds i64, ptr %1, i64 %1377
  %1379 = load i64, ptr %1378, align 8, !tbaa !7
  %1380 = icmp eq i64 %1379, %1376
  br i1 %1380, label %1381, label %1475

1381:                                             ; preds = %1374
  %1382 = call fastcc ptr @incoming(ptr noundef %1366, ptr noundef nonnull readonly %8, i64 noundef %762, i32 noundef 0)
  %1383 = call fastcc ptr @incoming(ptr noundef %1366, ptr noundef nonnull readonly %8, i64 noundef %762, i32 noundef 1)
  %1384 = icmp ne ptr %1382, null
  %1385 = icmp ne ptr %1383, null
  %1386 = select i1 %1384, i1 %1385, i1 false
  br i1 %1386, label %1387, label %1475

1387:                                             ; preds = %1381
  %1388 = call ptr @LLVMIsAConstantInt(ptr noundef nonnull %1382) #6
  %1389 = icmp eq ptr %1388, null
  br i1 %1389, label %1475, label %1390

1390:                                             ; preds = %1387
  %1391 = call ptr @LLVMIsAInstruction(ptr noundef nonnull %1383) #6
  %1392 = icmp eq ptr %1391, null
  br i1 %1392, label %1475, label %1393

1393:                                             ; preds = %1390
  %1394 = call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %1383) #6
  %1395 = icmp eq i32 %1394, 8
  br i1 %1395, label %1396, label %1475

1396:                                             ; preds = %1393
  %1397 = call ptr @LLVMGetOperand(ptr noundef nonnull %1383, i32 noundef 0) #6
  %1398 = icmp eq ptr %1397, %1366
  %1399 = icmp eq ptr %1383, %1351
  %1400 = select i1 %1362, i1 true, i1 %1399
  %1401 = select i1 %1398, i1 %1400, i1 false
  br i1 %1401, label %1402, label %1475

1402:                                             ; preds = %1396
  %1403 = call ptr @LLVMGetOperand(ptr noundef nonnull %1383, i32 noundef 1) #6
  %1404 = call ptr @LLVMIsAConstantInt(ptr noundef %1403) #6
  %1405 = icmp eq ptr %1404, null
  br i1 %1405, label %1475, label %1406

1406:                                             ; preds = %1402
  %1407 = call i64 @LLVMConstIntGetZExtValue(ptr noundef nonnull %1382) #6
  %1408 = call i64 @LLVMConstIntGetZExtValue(ptr noundef %1352) #6
  %1409 = call ptr @LLVMGetOperand(ptr noundef nonnull %1383, i32 noundef 1) #6
  %1410 = call i64 @LLVMConstIntGetZExtValue(ptr noundef %1409) #6
  %1411 = call i32 @LLVMGetICmpPredicate(ptr noundef %1344) #6
  %1412 = call ptr @LLVMGetSuccessor(ptr noundef %1338, i32 noundef 0) #6
  %1413 = ptrtoint ptr %1412 to i64
  %1414 = lshr i64 %1413, 4
  %1415 = mul i64 %1414, -7046029254386353131
  %1416 = lshr i64 %1415, 20
  br label %1417

1417:                                             ; preds = %1417, %1406
  %1418 = phi i64 [ %1416, %1406 ], [ %1425, %1417 ]
  %1419 = and i64 %1418, %110
  %1420 = getelementptr inbounds i64, ptr %103, i64 %1419
  %1421 = load i64, ptr %1420, align 8, !tbaa !7
  %1422 = icmp eq i64 %1421, 0
  %1423 = icmp eq i64 %1421, %1413
  %1424 = or i1 %1422, %1423
  %1425 = add nsw i64 %1419, 1
  br i1 %1424, label %1426, label %1417, !llvm.loop !23

1426:                                             ; preds = %1417
  %1427 = icmp eq i32 %1360, 64
  %1428 = zext nneg i32 %1360 to i64
  %1429 = shl nsw i64 -1, %1428
  %1430 = xor i64 %1429, -1
  %1431 = select i1 %1427, i64 -1, i64 %1430
  %1432 = getelementptr inbounds i64, ptr %112, i64 %1419
  %1433 = load i64, ptr %1432, align 8, !tbaa !7
  %1434 = getelementptr inbounds i64, ptr %89, i64 %1433
  %1435 = load i64, ptr %1434, align 8, !tbaa !7
  %1436 = sub nuw nsw i32 64, %1360
  %1437 = zext nneg i32 %1436 to i64
  %1438 = shl i64 %1408, %1437
  %1439 = ashr exact i64 %1438, %1437
  %1440 = icmp ne i64 %1435, %762
  br label %1441

1441:                                             ; preds = %1472, %1426
  %1442 = phi i64 [ 1, %1426 ], [ %1473, %1472 ]
  %1443 = phi i64 [ %1407, %1426 ], [ %1445, %1472 ]
  %1444 = add i64 %1443, %1410
  %1445 = and i64 %1444, %1431
  %1446 = select i1 %1362, i64 %1443, i64 %1445
  %1447 = shl i64 %1446, %1437
  %1448 = ashr exact i64 %1447, %1437
  switch i32 %1411, label %1467 [
    i32 32, label %1449
    i32 33, label %1451
    i32 34, label %1453
    i32 35, label %1455
    i32 36, label %1457
    i32 37, label %1459
    i32 38, label %1461
    i32 39, label %1463
    i32 40, label %1465
  ]

1449:                                             ; preds = %1441
  %1450 = icmp eq i64 %1446, %1408
  br label %1469

1451:                                             ; preds = %1441
  %1452 = icmp ne i64 %1446, %1408
  br label %1469

1453:                                             ; preds = %1441
  %1454 = icmp ugt i64 %1446, %1408
  br label %1469

1455:                                             ; preds = %1441
  %1456 = icmp uge i64 %1446, %1408
  br label %1469

1457:                                             ; preds = %1441
  %1458 = icmp ult i64 %1446, %1408
  br label %1469

1459:                                             ; preds = %1441
  %1460 = icmp ule i64 %1446, %1408
  br label %1469

1461:                                             ; preds = %1441
  %1462 = icmp sgt i64 %1448, %1439
  br label %1469

1463:                                             ; preds = %1441
  %1464 = icmp sge i64 %1448, %1439
  br label %1469

1465:                                             ; preds = %1441
  %1466 = icmp slt i64 %1448, %1439
  br label %1469

1467:                                             ; preds = %1441
  %1468 = icmp sle i64 %1448, %1439
  br label %1469

1469:                                             ; preds = %1449, %1451, %1453, %1455, %1457, %1459, %1461, %1463, %1465, %1467
  %1470 = phi i1 [ %1468, %1467 ], [ %1450, %1449 ], [ %1452, %1451 ], [ %1454, %1453 ], [ %1456, %1455 ], [ %1458, %1457 ], [ %1460, %1459 ], [ %1462, %1461 ], [ %1464, %1463 ], [ %1466, %1465 ]
  %1471 = xor i1 %1440, %1470
  br i1 %1471, label %1472, label %1475

1472:                                             ; preds = %1469
  %1473 = add nuw nsw i64 %1442, 1
  %1474 = icmp eq i64 %1473, 4097
  br i1 %1474, label %1475, label %1441, !llvm.loop !74

1475:                                             ; preds = %1472, %1469, %1402, %1396, %1393, %1390, %1387, %1381, %1374, %1371, %1368, %1365, %1355, %1350, %1347, %1343, %1340, %1334
  %1476 = phi i64 [ 0, %1334 ], [ 0, %1340 ], [ 0, %1343 ], [ 0, %1347 ], [ 0, %1350 ], [ 0, %1355 ], [ 0, %1374 ], [ 0, %1365 ], [ 0, %1371 ], [ 0, %1368 ], [ 0, %1381 ], [ 0, %1393 ], [ 0, %1402 ], [ 0, %1390 ], [ 0, %1387 ], [ 0, %1396 ], [ 0, %1472 ], [ %1442, %1469 ]
  %1477 = select i1 %764, ptr %766, ptr %7
  %1478 = getelementptr inbounds nuw i8, ptr %1477, i64 120
  store i64 %1476, ptr %1478, align 8, !tbaa !7
  br label %1479

1479:                                             ; preds = %1263, %1258, %1326, %1330, %1475
  store i64 %49, ptr %773, align 8, !tbaa !7
  br label %1544

1480:                                             ; preds = %761
  %1481 = load ptr, ptr %6, align 8, !tbaa !14
  %1482 = icmp eq ptr %1481, null
  br i1 %1482, label %1544, label %1483

1483:                                             ; preds = %1480
  %1484 = getelementptr inbounds nuw i64, ptr %95, i64 %762
  %1485 = load i64, ptr %1484, align 8, !tbaa !7
  %1486 = getelementptr inbounds i64, ptr %89, i64 %1485
  store i64 %762, ptr %1486, align 8, !tbaa !7
  store i64 %1485, ptr %85, align 8, !tbaa !7
  %1487 = getelementptr inbounds i64, ptr %81, i64 %1485
  br label %1488

1488:                                             ; preds = %1500, %1483
  %1489 = phi i64 [ 1, %1483 ], [ %1501, %1500 ]
  %1490 = phi i64 [ 0, %1483 ], [ %1502, %1500 ]
  %1491 = getelementptr inbounds nuw i64, ptr %85, i64 %1490
  %1492 = load i64, ptr %1491, align 8, !tbaa !7
  %1493 = getelementptr inbounds i64, ptr %77, i64 %1492
  %1494 = load i64, ptr %1493, align 8, !tbaa !7
  %1495 = getelementptr i8, ptr %1493, i64 8
  %1496 = load i64, ptr %1495, align 8, !tbaa !7
  %1497 = icmp slt i64 %1494, %1496
  br i1 %1497, label %1498, label %1500

1498:                                             ; preds = %1488
  %1499 = icmp eq i64 %1492, %1485
  br label %1504

1500:                                             ; preds = %1537, %1488
  %1501 = phi i64 [ %1489, %1488 ], [ %1539, %1537 ]
  %1502 = add nuw nsw i64 %1490, 1
  %1503 = icmp slt i64 %1502, %1501
  br i1 %1503, label %1488, label %1542, !llvm.loop !50

1504:                                             ; preds = %1537, %1498
  %1505 = phi i64 [ %1496, %1498 ], [ %1538, %1537 ]
  %1506 = phi i64 [ %1489, %1498 ], [ %1539, %1537 ]
  %1507 = phi i64 [ %1494, %1498 ], [ %1540, %1537 ]
  %1508 = getelementptr inbounds i64, ptr %102, i64 %1507
  %1509 = load i64, ptr %1508, align 8, !tbaa !7
  %1510 = getelementptr inbounds i64, ptr %81, i64 %1509
  %1511 = load i64, ptr %1510, align 8, !tbaa !7
  %1512 = icmp slt i64 %1511, 0
  br i1 %1512, label %1537, label %1513

1513:                                             ; preds = %1504
  %1514 = getelementptr inbounds i64, ptr %89, i64 %1509
  %1515 = load i64, ptr %1514, align 8, !tbaa !7
  %1516 = icmp eq i64 %1515, %762
  br i1 %1516, label %1537, label %1517

1517:                                             ; preds = %1513
  br i1 %1499, label %1518, label %1533

1518:                                             ; preds = %1517
  %1519 = load i64, ptr %1487, align 8, !tbaa !7
  %1520 = icmp slt i64 %1519, 0
  br i1 %1520, label %1537, label %1521

1521:                                             ; preds = %1518
  %1522 = icmp samesign ugt i64 %1511, %1519
  br i1 %1522, label %1523, label %1530

1523:                                             ; preds = %1521, %1523
  %1524 = phi i64 [ %1526, %1523 ], [ %1509, %1521 ]
  %1525 = getelementptr inbounds i64, ptr %83, i64 %1524
  %1526 = load i64, ptr %1525, align 8, !tbaa !7
  %1527 = getelementptr inbounds i64, ptr %81, i64 %1526
  %1528 = load i64, ptr %1527, align 8, !tbaa !7
  %1529 = icmp sgt i64 %1528, %1519
  br i1 %1529, label %1523, label %1530, !llvm.loop !48

1530:                                             ; preds = %1523, %1521
  %1531 = phi i64 [ %1509, %1521 ], [ %1526, %1523 ]
  %1532 = icmp eq i64 %1485, %1531
  br i1 %1532, label %1533, label %1537

1533:                                             ; preds = %1530, %1517
  store i64 %762, ptr %1514, align 8, !tbaa !7
  %1534 = add nsw i64 %1506, 1
  %1535 = getelementptr inbounds i64, ptr %85, i64 %1506
  store i64 %1509, ptr %1535, align 8, !tbaa !7
  %1536 = load i64, ptr %1495, align 8, !tbaa !7
  br label %1537

1537:                                             ; preds = %1533, %1530, %1518, %1513, %1504
  %1538 = phi i64 [ %1505, %1504 ], [ %1536, %1533 ], [ %1505, %1513 ], [ %1505, %1530 ], [ %1505, %1518 ]
  %1539 = phi i64 [ %1506, %1504 ], [ %1534, %1533 ], [ %1506, %1513 ], [ %1506, %1530 ], [ %1506, %1518 ]
  %1540 = add nsw i64 %1507, 1
  %1541 = icmp slt i64 %1540, %1538
  br i1 %1541, label %1504, label %1500, !llvm.loop !51

1542:                                             ; preds = %1500
  %1543 = call fastcc i64 @note_latches(ptr noundef %8, i64 noundef %762, i64 noundef %763, ptr noundef %6, i32 noundef %10, ptr noundef %767)
  br label %1544

1544:                                             ; preds = %1480, %1542, %1479
  %1545 = add nuw nsw i64 %762, 1
  %1546 = icmp eq i64 %1545, %537
  br i1 %1546, label %757, label %761, !llvm.loop !75

1547:                                             ; preds = %46, %757
  %1548 = phi i64 [ %49, %46 ], [ %760, %757 ]
  %1549 = phi i64 [ %47, %46 ], [ %759, %757 ]
  %1550 = call ptr @LLVMGetNextFunction(ptr noundef nonnull %48) #6
  %1551 = icmp eq ptr %1550, null
  br i1 %1551, label %40, label %46, !llvm.loop !76

1552:                                             ; preds = %42
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %43, i8 0, i64 16, i1 false)
  br label %1553

1553:                                             ; preds = %1552, %42
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #6
  ret i64 %44
}

declare i32 @LLVMGetMDKindIDInContext(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetModuleContext(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc i64 @note_latches(ptr noundef nonnull readonly captures(none) %0, i64 noundef %1, i64 noundef %2, ptr noundef nonnull captures(none) %3, i32 noundef %4, ptr noundef captures(none) %5) unnamed_addr #0 {
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca [32 x ptr], align 16
  %12 = alloca [2 x ptr], align 16
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %14 = load ptr, ptr %13, align 8, !tbaa !77
  %15 = getelementptr inbounds i64, ptr %14, i64 %1
  %16 = load i64, ptr %15, align 8, !tbaa !7
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %18 = load ptr, ptr %17, align 8, !tbaa !78
  %19 = getelementptr i64, ptr %18, i64 %16
  %20 = load i64, ptr %19, align 8, !tbaa !7
  %21 = getelementptr i8, ptr %19, i64 8
  %22 = load i64, ptr %21, align 8, !tbaa !7
  %23 = icmp slt i64 %20, %22
  br i1 %23, label %24, label %34

24:                                               ; preds = %6
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %28 = getelementptr inbounds nuw i8, ptr %5, i64 224
  %29 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 232
  %31 = getelementptr inbounds nuw i8, ptr %5, i64 240
  %32 = getelementptr inbounds nuw i8, ptr %5, i64 248
  %33 = getelementptr inbounds nuw i8, ptr %5, i64 72
  br label %36

34:                                               ; preds = %287, %6
  %35 = phi i64 [ -1, %6 ], [ %289, %287 ]
  ret i64 %35

36:                                               ; preds = %24, %287
  %37 = phi ptr [ %18, %24 ], [ %288, %287 ]
  %38 = phi i64 [ -1, %24 ], [ %289, %287 ]
  %39 = phi i64 [ %20, %24 ], [ %290, %287 ]
  %40 = load ptr, ptr %25, align 8, !tbaa !19
  %41 = getelementptr inbounds i64, ptr %40, i64 %39
  %42 = load i64, ptr %41, align 8, !tbaa !7
  %43 = load ptr, ptr %26, align 8, !tbaa !79
  %44 = getelementptr inbounds i64, ptr %43, i64 %42
  %45 = load i64, ptr %44, align 8, !tbaa !7
  %46 = icmp ne i64 %45, %1
  %47 = icmp eq i64 %42, %38
  %48 = select i1 %46, i1 true, i1 %47
  br i1 %48, label %287, label %49

49:                                               ; preds = %36
  %50 = load ptr, ptr %27, align 8, !tbaa !80
  %51 = getelementptr inbounds i64, ptr %50, i64 %42
  %52 = load i64, ptr %51, align 8, !tbaa !7
  %53 = inttoptr i64 %52 to ptr
  %54 = call ptr @LLVMGetBasicBlockTerminator(ptr noundef %53) #6
  %55 = call ptr @LLVMGetMetadata(ptr noundef %54, i32 noundef %4) #6
  %56 = icmp eq ptr %55, null
  br i1 %56, label %276, label %57

57:                                               ; preds = %49
  call void @llvm.lifetime.start.p0(ptr nonnull %11) #6
  call void @llvm.lifetime.start.p0(ptr nonnull %12) #6
  %58 = call i32 @LLVMGetMDNodeNumOperands(ptr noundef nonnull %55) #6
  store i64 1, ptr %28, align 8, !tbaa !7
  %59 = icmp ugt i32 %58, 32
  br i1 %59, label %275, label %60

60:                                               ; preds = %57
  call void @LLVMGetMDNodeOperands(ptr noundef nonnull %55, ptr noundef nonnull %11) #6
  %61 = icmp samesign ugt i32 %58, 1
  br i1 %61, label %62, label %275

62:                                               ; preds = %60
  %63 = zext nneg i32 %58 to i64
  br label %64

64:                                               ; preds = %272, %62
  %65 = phi i64 [ 1, %62 ], [ %273, %272 ]
  %66 = getelementptr inbounds nuw ptr, ptr %11, i64 %65
  %67 = load ptr, ptr %66, align 8, !tbaa !81
  %68 = call ptr @LLVMIsAMDNode(ptr noundef %67) #6
  %69 = icmp eq ptr %68, null
  br i1 %69, label %272, label %70

70:                                               ; preds = %64
  %71 = load ptr, ptr %66, align 8, !tbaa !81
  %72 = call i32 @LLVMGetMDNodeNumOperands(ptr noundef %71) #6
  %73 = add i32 %72, -3
  %74 = icmp ult i32 %73, -2
  br i1 %74, label %272, label %75

75:                                               ; preds = %70
  store ptr null, ptr %29, align 8, !tbaa !81
  %76 = load ptr, ptr %66, align 8, !tbaa !81
  call void @LLVMGetMDNodeOperands(ptr noundef %76, ptr noundef nonnull %12) #6
  %77 = load ptr, ptr %29, align 8, !tbaa !81
  %78 = icmp eq ptr %77, null
  br i1 %78, label %183, label %79

79:                                               ; preds = %75
  %80 = call ptr @LLVMIsAConstantInt(ptr noundef nonnull %77) #6
  %81 = icmp eq ptr %80, null
  br i1 %81, label %183, label %82

82:                                               ; preds = %79
  %83 = load ptr, ptr %29, align 8, !tbaa !81
  %84 = call i64 @LLVMConstIntGetZExtValue(ptr noundef %83) #6
  %85 = icmp eq i64 %84, 0
  %86 = load ptr, ptr %12, align 16, !tbaa !81
  call void @llvm.lifetime.start.p0(ptr nonnull %10) #6
  store i32 0, ptr %10, align 4, !tbaa !3
  %87 = icmp eq ptr %86, null
  br i1 %87, label %129, label %88

88:                                               ; preds = %82
  %89 = call ptr @LLVMGetMDString(ptr noundef nonnull %86, ptr noundef nonnull %10) #6
  %90 = icmp eq ptr %89, null
  br i1 %90, label %124, label %91

91:                                               ; preds = %88
  %92 = load i32, ptr %10, align 4, !tbaa !3
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %121, label %94

94:                                               ; preds = %91
  %95 = zext i32 %92 to i64
  br label %96

96:                                               ; preds = %114, %94
  %97 = phi i64 [ 0, %94 ], [ %115, %114 ]
  %98 = icmp eq i64 %97, 24
  br i1 %98, label %117, label %99

99:                                               ; preds = %96
  %100 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %97
  %101 = load i8, ptr %100, align 1, !tbaa !83
  %102 = getelementptr inbounds nuw i8, ptr %89, i64 %97
  %103 = load i8, ptr %102, align 1, !tbaa !83
  %104 = icmp eq i8 %103, %101
  br i1 %104, label %105, label %117

105:                                              ; preds = %99
  %106 = or disjoint i64 %97, 1
  %107 = icmp eq i64 %106, %95
  br i1 %107, label %121, label %108, !llvm.loop !84

108:                                              ; preds = %105
  %109 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %106
  %110 = load i8, ptr %109, align 1, !tbaa !83
  %111 = getelementptr inbounds nuw i8, ptr %89, i64 %106
  %112 = load i8, ptr %111, align 1, !tbaa !83
  %113 = icmp eq i8 %112, %110
  br i1 %113, label %114, label %117

114:                                              ; preds = %108
  %115 = add nuw nsw i64 %97, 2
  %116 = icmp eq i64 %115, %95
  br i1 %116, label %121, label %96, !llvm.loop !84

117:                                              ; preds = %108, %99, %96
  %118 = phi i64 [ %97, %99 ], [ %97, %96 ], [ %106, %108 ]
  %119 = trunc nuw i64 %118 to i32
  %120 = icmp eq i32 %92, %119
  br i1 %120, label %121, label %124

121:                                              ; preds = %105, %114, %117, %91
  %122 = icmp eq i32 %92, 24
  %123 = zext i1 %122 to i64
  br label %124

124:                                              ; preds = %88, %117, %121
  %125 = phi i64 [ %123, %121 ], [ 0, %117 ], [ 0, %88 ]
  %126 = load ptr, ptr %12, align 16, !tbaa !81
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #6
  %127 = load i64, ptr %30, align 8, !tbaa !7
  %128 = or i64 %127, %125
  store i64 %128, ptr %30, align 8, !tbaa !7
  br i1 %85, label %132, label %227

129:                                              ; preds = %82
  call void @llvm.lifetime.end.p0(ptr nonnull %10) #6
  br i1 %85, label %131, label %130

130:                                              ; preds = %129
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #6
  br label %266

131:                                              ; preds = %129
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #6
  br label %179

132:                                              ; preds = %124
  call void @llvm.lifetime.start.p0(ptr nonnull %9) #6
  store i32 0, ptr %9, align 4, !tbaa !3
  %133 = icmp eq ptr %126, null
  br i1 %133, label %179, label %134

134:                                              ; preds = %132
  %135 = call ptr @LLVMGetMDString(ptr noundef nonnull %126, ptr noundef nonnull %9) #6
  %136 = icmp eq ptr %135, null
  br i1 %136, label %179, label %137

137:                                              ; preds = %134
  %138 = load i32, ptr %9, align 4, !tbaa !3
  %139 = icmp eq i32 %138, 0
  br i1 %139, label %176, label %140

140:                                              ; preds = %137
  %141 = zext i32 %138 to i64
  br label %142

142:                                              ; preds = %169, %140
  %143 = phi i64 [ 0, %140 ], [ %170, %169 ]
  %144 = getelementptr inbounds nuw i8, ptr @.str.2, i64 %143
  %145 = load i8, ptr %144, align 1, !tbaa !83
  %146 = getelementptr inbounds nuw i8, ptr %135, i64 %143
  %147 = load i8, ptr %146, align 1, !tbaa !83
  %148 = icmp eq i8 %147, %145
  br i1 %148, label %149, label %172

149:                                              ; preds = %142
  %150 = add nuw nsw i64 %143, 1
  %151 = icmp eq i64 %150, %141
  br i1 %151, label %176, label %152, !llvm.loop !84

152:                                              ; preds = %149
  %153 = getelementptr inbounds nuw i8, ptr @.str.2, i64 %150
  %154 = load i8, ptr %153, align 1, !tbaa !83
  %155 = getelementptr inbounds nuw i8, ptr %135, i64 %150
  %156 = load i8, ptr %155, align 1, !tbaa !83
  %157 = icmp eq i8 %156, %154
  br i1 %157, label %158, label %172

158:                                              ; preds = %152
  %159 = add nuw nsw i64 %143, 2
  %160 = icmp eq i64 %159, %141
  br i1 %160, label %176, label %161, !llvm.loop !84

161:                                              ; preds = %158
  %162 = icmp eq i64 %159, 26
  br i1 %162, label %172, label %163

163:                                              ; preds = %161
  %164 = getelementptr inbounds nuw i8, ptr @.str.2, i64 %159
  %165 = load i8, ptr %164, align 1, !tbaa !83
  %166 = getelementptr inbounds nuw i8, ptr %135, i64 %159
  %167 = load i8, ptr %166, align 1, !tbaa !83
  %168 = icmp eq i8 %167, %165
  br i1 %168, label %169, label %172

169:                                              ; preds = %163
  %170 = add nuw nsw i64 %143, 3
  %171 = icmp eq i64 %170, %141
  br i1 %171, label %176, label %142, !llvm.loop !84

172:                                              ; preds = %163, %161, %152, %142
  %173 = phi i64 [ %143, %142 ], [ %159, %163 ], [ %159, %161 ], [ %150, %152 ]
  %174 = trunc nuw i64 %173 to i32
  %175 = icmp eq i32 %138, %174
  br i1 %175, label %176, label %179

176:                                              ; preds = %149, %158, %169, %172, %137
  %177 = icmp eq i32 %138, 26
  %178 = zext i1 %177 to i64
  br label %179

179:                                              ; preds = %131, %176, %172, %134, %132
  %180 = phi i64 [ 0, %134 ], [ 0, %172 ], [ %178, %176 ], [ 0, %132 ], [ 0, %131 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9) #6
  %181 = load i64, ptr %31, align 8, !tbaa !7
  %182 = or i64 %181, %180
  store i64 %182, ptr %31, align 8, !tbaa !7
  br label %268

183:                                              ; preds = %79, %75
  %184 = load ptr, ptr %12, align 16, !tbaa !81
  call void @llvm.lifetime.start.p0(ptr nonnull %8) #6
  store i32 0, ptr %8, align 4, !tbaa !3
  %185 = icmp eq ptr %184, null
  br i1 %185, label %222, label %186

186:                                              ; preds = %183
  %187 = call ptr @LLVMGetMDString(ptr noundef nonnull %184, ptr noundef nonnull %8) #6
  %188 = icmp eq ptr %187, null
  br i1 %188, label %222, label %189

189:                                              ; preds = %186
  %190 = load i32, ptr %8, align 4, !tbaa !3
  %191 = icmp eq i32 %190, 0
  br i1 %191, label %219, label %192

192:                                              ; preds = %189
  %193 = zext i32 %190 to i64
  br label %194

194:                                              ; preds = %212, %192
  %195 = phi i64 [ 0, %192 ], [ %213, %212 ]
  %196 = icmp eq i64 %195, 24
  br i1 %196, label %215, label %197

197:                                              ; preds = %194
  %198 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %195
  %199 = load i8, ptr %198, align 1, !tbaa !83
  %200 = getelementptr inbounds nuw i8, ptr %187, i64 %195
  %201 = load i8, ptr %200, align 1, !tbaa !83
  %202 = icmp eq i8 %201, %199
  br i1 %202, label %203, label %215

203:                                              ; preds = %197
  %204 = or disjoint i64 %195, 1
  %205 = icmp eq i64 %204, %193
  br i1 %205, label %219, label %206, !llvm.loop !84

206:                                              ; preds = %203
  %207 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %204
  %208 = load i8, ptr %207, align 1, !tbaa !83
  %209 = getelementptr inbounds nuw i8, ptr %187, i64 %204
  %210 = load i8, ptr %209, align 1, !tbaa !83
  %211 = icmp eq i8 %210, %208
  br i1 %211, label %212, label %215

212:                                              ; preds = %206
  %213 = add nuw nsw i64 %195, 2
  %214 = icmp eq i64 %213, %193
  br i1 %214, label %219, label %194, !llvm.loop !84

215:                                              ; preds = %206, %197, %194
  %216 = phi i64 [ %195, %197 ], [ %195, %194 ], [ %204, %206 ]
  %217 = trunc nuw i64 %216 to i32
  %218 = icmp eq i32 %190, %217
  br i1 %218, label %219, label %222

219:                                              ; preds = %203, %212, %215, %189
  %220 = icmp eq i32 %190, 24
  %221 = zext i1 %220 to i64
  br label %222

222:                                              ; preds = %219, %215, %186, %183
  %223 = phi i64 [ 0, %186 ], [ 0, %215 ], [ %221, %219 ], [ 0, %183 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8) #6
  %224 = load i64, ptr %30, align 8, !tbaa !7
  %225 = or i64 %224, %223
  store i64 %225, ptr %30, align 8, !tbaa !7
  %226 = load ptr, ptr %12, align 16, !tbaa !81
  br label %227

227:                                              ; preds = %222, %124
  %228 = phi ptr [ %226, %222 ], [ %126, %124 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %7) #6
  store i32 0, ptr %7, align 4, !tbaa !3
  %229 = icmp eq ptr %228, null
  br i1 %229, label %266, label %230

230:                                              ; preds = %227
  %231 = call ptr @LLVMGetMDString(ptr noundef nonnull %228, ptr noundef nonnull %7) #6
  %232 = icmp eq ptr %231, null
  br i1 %232, label %266, label %233

233:                                              ; preds = %230
  %234 = load i32, ptr %7, align 4, !tbaa !3
  %235 = icmp eq i32 %234, 0
  br i1 %235, label %263, label %236

236:                                              ; preds = %233
  %237 = zext i32 %234 to i64
  br label %238

238:                                              ; preds = %256, %236
  %239 = phi i64 [ 0, %236 ], [ %257, %256 ]
  %240 = icmp eq i64 %239, 22
  br i1 %240, label %259, label %241

241:                                              ; preds = %238
  %242 = getelementptr inbounds nuw i8, ptr @.str.3, i64 %239
  %243 = load i8, ptr %242, align 1, !tbaa !83
  %244 = getelementptr inbounds nuw i8, ptr %231, i64 %239
  %245 = load i8, ptr %244, align 1, !tbaa !83
  %246 = icmp eq i8 %245, %243
  br i1 %246, label %247, label %259

247:                                              ; preds = %241
  %248 = or disjoint i64 %239, 1
  %249 = icmp eq i64 %248, %237
  br i1 %249, label %263, label %250, !llvm.loop !84

250:                                              ; preds = %247
  %251 = getelementptr inbounds nuw i8, ptr @.str.3, i64 %248
  %252 = load i8, ptr %251, align 1, !tbaa !83
  %253 = getelementptr inbounds nuw i8, ptr %231, i64 %248
  %254 = load i8, ptr %253, align 1, !tbaa !83
  %255 = icmp eq i8 %254, %252
  br i1 %255, label %256, label %259

256:                                              ; preds = %250
  %257 = add nuw nsw i64 %239, 2
  %258 = icmp eq i64 %257, %237
  br i1 %258, label %263, label %238, !llvm.loop !84

259:                                              ; preds = %250, %241, %238
  %260 = phi i64 [ %239, %241 ], [ %239, %238 ], [ %248, %250 ]
  %261 = trunc nuw i64 %260 to i32
  %262 = icmp eq i32 %234, %261
  br i1 %262, label %263, label %266

263:                                              ; preds = %247, %256, %259, %233
  %264 = icmp eq i32 %234, 22
  %265 = zext i1 %264 to i64
  br label %266

266:                                              ; preds = %130, %263, %259, %230, %227
  %267 = phi i64 [ 0, %230 ], [ 0, %259 ], [ %265, %263 ], [ 0, %227 ], [ 0, %130 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7) #6
  br label %268

268:                                              ; preds = %266, %179
  %269 = phi i64 [ 0, %179 ], [ %267, %266 ]
  %270 = load i64, ptr %32, align 8, !tbaa !7
  %271 = or i64 %270, %269
  store i64 %271, ptr %32, align 8, !tbaa !7
  br label %272

272:                                              ; preds = %268, %70, %64
  %273 = add nuw nsw i64 %65, 1
  %274 = icmp eq i64 %273, %63
  br i1 %274, label %275, label %64, !llvm.loop !85

275:                                              ; preds = %272, %57, %60
  call void @llvm.lifetime.end.p0(ptr nonnull %12) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %11) #6
  br label %276

276:                                              ; preds = %275, %49
  %277 = load ptr, ptr %3, align 8, !tbaa !14
  %278 = icmp eq ptr %277, null
  br i1 %278, label %283, label %279

279:                                              ; preds = %276
  %280 = getelementptr inbounds nuw i8, ptr %277, i64 8
  store i64 %2, ptr %277, align 8, !tbaa !7
  %281 = ptrtoint ptr %54 to i64
  %282 = getelementptr inbounds nuw i8, ptr %277, i64 16
  store ptr %282, ptr %3, align 8, !tbaa !14
  store i64 %281, ptr %280, align 8, !tbaa !7
  br label %283

283:                                              ; preds = %279, %276
  %284 = load i64, ptr %33, align 8, !tbaa !7
  %285 = add nsw i64 %284, 1
  store i64 %285, ptr %33, align 8, !tbaa !7
  %286 = load ptr, ptr %17, align 8, !tbaa !78
  br label %287

287:                                              ; preds = %36, %283
  %288 = phi ptr [ %286, %283 ], [ %37, %36 ]
  %289 = phi i64 [ %42, %283 ], [ %38, %36 ]
  %290 = add nsw i64 %39, 1
  %291 = getelementptr i64, ptr %288, i64 %16
  %292 = getelementptr i8, ptr %291, i64 8
  %293 = load i64, ptr %292, align 8, !tbaa !7
  %294 = icmp slt i64 %290, %293
  br i1 %294, label %36, label %34, !llvm.loop !86
}

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsABinaryOperator(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMIsConditional(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetIntrinsicID(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetCondition(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsAInstruction(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMIsAConstantInt(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetIntTypeWidth(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetInstructionParent(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
define internal fastcc ptr @incoming(ptr noundef %0, ptr noundef nonnull readonly captures(none) %1, i64 noundef %2, i32 noundef range(i32 0, 2) %3) unnamed_addr #0 {
  %5 = tail call i32 @LLVMCountIncoming(ptr noundef %0) #6
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %53, label %7

7:                                                ; preds = %4
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 128
  br label %12

12:                                               ; preds = %7, %48
  %13 = phi i32 [ 0, %7 ], [ %50, %48 ]
  %14 = phi ptr [ null, %7 ], [ %49, %48 ]
  %15 = load ptr, ptr %8, align 8, !tbaa !22
  %16 = tail call ptr @LLVMGetIncomingBlock(ptr noundef %0, i32 noundef %13) #6
  %17 = ptrtoint ptr %16 to i64
  %18 = lshr i64 %17, 4
  %19 = mul i64 %18, -7046029254386353131
  %20 = lshr i64 %19, 20
  %21 = load i64, ptr %9, align 8, !tbaa !21
  %22 = load ptr, ptr %10, align 8, !tbaa !20
  br label %23

23:                                               ; preds = %23, %12
  %24 = phi i64 [ %20, %12 ], [ %31, %23 ]
  %25 = and i64 %24, %21
  %26 = getelementptr inbounds i64, ptr %22, i64 %25
  %27 = load i64, ptr %26, align 8, !tbaa !7
  %28 = icmp eq i64 %27, 0
  %29 = icmp eq i64 %27, %17
  %30 = or i1 %28, %29
  %31 = add nsw i64 %25, 1
  br i1 %30, label %32, label %23, !llvm.loop !23

32:                                               ; preds = %23
  %33 = getelementptr inbounds i64, ptr %15, i64 %25
  %34 = load i64, ptr %33, align 8, !tbaa !7
  %35 = load ptr, ptr %11, align 8, !tbaa !79
  %36 = getelementptr inbounds i64, ptr %35, i64 %34
  %37 = load i64, ptr %36, align 8, !tbaa !7
  %38 = icmp eq i64 %37, %2
  %39 = zext i1 %38 to i32
  %40 = icmp eq i32 %3, %39
  br i1 %40, label %41, label %48

41:                                               ; preds = %32
  %42 = icmp eq ptr %14, null
  br i1 %42, label %46, label %43

43:                                               ; preds = %41
  %44 = tail call ptr @LLVMGetIncomingValue(ptr noundef %0, i32 noundef %13) #6
  %45 = icmp eq ptr %14, %44
  br i1 %45, label %46, label %53

46:                                               ; preds = %43, %41
  %47 = tail call ptr @LLVMGetIncomingValue(ptr noundef %0, i32 noundef %13) #6
  br label %48

48:                                               ; preds = %46, %32
  %49 = phi ptr [ %14, %32 ], [ %47, %46 ]
  %50 = add nuw i32 %13, 1
  %51 = tail call i32 @LLVMCountIncoming(ptr noundef %0) #6
  %52 = icmp ult i32 %50, %51
  br i1 %52, label %12, label %53, !llvm.loop !87

53:                                               ; preds = %48, %43, %4
  %54 = phi ptr [ null, %4 ], [ null, %43 ], [ %49, %48 ]
  ret ptr %54
}

declare i64 @LLVMConstIntGetZExtValue(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetICmpPredicate(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMCountIncoming(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetIncomingBlock(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetIncomingValue(ptr noundef, i32 noundef) local_unnamed_addr #2

declare ptr @LLVMGetMetadata(ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @LLVMGetMDNodeNumOperands(ptr noundef) local_unnamed_addr #2

declare void @LLVMGetMDNodeOperands(ptr noundef, ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsAMDNode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetMDString(ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
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
!7 = !{!8, !8, i64 0}
!8 = !{!"long long", !5, i64 0}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = distinct !{!11, !10}
!12 = distinct !{!12, !10}
!13 = distinct !{!13, !10}
!14 = !{!15, !15, i64 0}
!15 = !{!"p1 long long", !16, i64 0}
!16 = !{!"any pointer", !5, i64 0}
!17 = !{!18, !15, i64 64}
!18 = !{!"", !8, i64 0, !8, i64 8, !8, i64 16, !8, i64 24, !15, i64 32, !15, i64 40, !15, i64 48, !15, i64 56, !15, i64 64, !15, i64 72, !15, i64 80, !15, i64 88, !15, i64 96, !15, i64 104, !15, i64 112, !15, i64 120, !15, i64 128, !15, i64 136, !15, i64 144, !15, i64 152, !15, i64 160, !15, i64 168}
!19 = !{!18, !15, i64 80}
!20 = !{!18, !15, i64 40}
!21 = !{!18, !8, i64 24}
!22 = !{!18, !15, i64 48}
!23 = distinct !{!23, !10}
!24 = distinct !{!24, !10}
!25 = !{!18, !8, i64 0}
!26 = distinct !{!26, !10}
!27 = distinct !{!27, !10}
!28 = distinct !{!28, !10}
!29 = distinct !{!29, !30}
!30 = !{!"llvm.loop.unroll.disable"}
!31 = distinct !{!31, !10, !32, !33}
!32 = !{!"llvm.loop.isvectorized", i32 1}
!33 = !{!"llvm.loop.unroll.runtime.disable"}
!34 = distinct !{!34, !30}
!35 = distinct !{!35, !10, !32}
!36 = distinct !{!36, !10}
!37 = distinct !{!37, !10}
!38 = distinct !{!38, !10, !32, !33}
!39 = distinct !{!39, !10, !32}
!40 = distinct !{!40, !10}
!41 = distinct !{!41, !10}
!42 = distinct !{!42, !10}
!43 = distinct !{!43, !10}
!44 = distinct !{!44, !10}
!45 = distinct !{!45, !10}
!46 = !{!18, !8, i64 16}
!47 = distinct !{!47, !10}
!48 = distinct !{!48, !10}
!49 = distinct !{!49, !10}
!50 = distinct !{!50, !10}
!51 = distinct !{!51, !10}
!52 = distinct !{!52, !10}
!53 = distinct !{!53, !10}
!54 = distinct !{!54, !10}
!55 = !{!56}
!56 = distinct !{!56, !57}
!57 = distinct !{!57, !"LVerDomain"}
!58 = distinct !{!58, !10, !32, !33}
!59 = !{!60}
!60 = distinct !{!60, !57}
!61 = distinct !{!61, !30}
!62 = distinct !{!62, !10}
!63 = distinct !{!63, !10, !32}
!64 = distinct !{!64, !10}
!65 = distinct !{!65, !10}
!66 = distinct !{!66, !30}
!67 = distinct !{!67, !10}
!68 = distinct !{!68, !10}
!69 = distinct !{!69, !10}
!70 = distinct !{!70, !10}
!71 = distinct !{!71, !10}
!72 = distinct !{!72, !10}
!73 = distinct !{!73, !30}
!74 = distinct !{!74, !10}
!75 = distinct !{!75, !10}
!76 = distinct !{!76, !10}
!77 = !{!18, !15, i64 152}
!78 = !{!18, !15, i64 72}
!79 = !{!18, !15, i64 128}
!80 = !{!18, !15, i64 32}
!81 = !{!82, !82, i64 0}
!82 = !{!"p1 _ZTS5Value", !16, i64 0}
!83 = !{!5, !5, i64 0}
!84 = distinct !{!84, !10}
!85 = distinct !{!85, !10}
!86 = distinct !{!86, !10}
!87 = distinct !{!87, !10}
