; ModuleID = 'ir2vec.c'
source_filename = "ir2vec.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.PointerIndex = type { ptr, ptr, i64, i64 }

@count.PROBE = internal constant [17 x i8] c"llvm.pseudoprobe\00", align 16
@TYPE = internal unnamed_addr constant [21 x i8] c"\01\00\00\00\00\00\00\02\06\07\09\0A\08\04\03\0B\05\04\00\04\0B", align 16

; Function Attrs: nounwind
define dso_local void @optarena_ir2vec(ptr noundef %0, ptr noundef captures(address_is_null) initializes((0, 1488)) %1) local_unnamed_addr #0 {
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1488) %1, i8 0, i64 1488, i1 false), !tbaa !7
  %3 = tail call fastcc i64 @count(ptr noundef %0, ptr noundef nonnull %1, i32 noundef 0)
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define internal fastcc i64 @count(ptr noundef %0, ptr noundef captures(address_is_null) %1, i32 noundef range(i32 0, 2) %2) unnamed_addr #0 {
  %4 = alloca %struct.PointerIndex, align 8
  %5 = tail call i32 @LLVMLookupIntrinsicID(ptr noundef nonnull @count.PROBE, i64 noundef 16) #9
  %6 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #9
  %7 = icmp eq ptr %6, null
  br i1 %7, label %15, label %8

8:                                                ; preds = %3
  %9 = icmp eq ptr %1, null
  %10 = mul nuw nsw i32 %2, 186
  %11 = zext nneg i32 %10 to i64
  %12 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 8
  br label %17

15:                                               ; preds = %175, %3
  %16 = phi i64 [ 0, %3 ], [ %176, %175 ]
  ret i64 %16

17:                                               ; preds = %8, %175
  %18 = phi ptr [ %6, %8 ], [ %177, %175 ]
  %19 = phi i64 [ 0, %8 ], [ %176, %175 ]
  %20 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %18) #9
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %175

22:                                               ; preds = %17
  br i1 %9, label %173, label %23

23:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #9
  %24 = tail call i32 @LLVMCountBasicBlocks(ptr noundef nonnull %18) #9
  %25 = zext i32 %24 to i64
  %26 = shl nuw nsw i64 %25, 1
  br label %27

27:                                               ; preds = %27, %23
  %28 = phi i64 [ 4, %23 ], [ %30, %27 ]
  %29 = icmp samesign ult i64 %28, %26
  %30 = shl nuw nsw i64 %28, 1
  br i1 %29, label %27, label %31, !llvm.loop !9

31:                                               ; preds = %27
  %32 = mul nsw i64 %19, %11
  %33 = getelementptr inbounds i64, ptr %1, i64 %32
  %34 = shl nuw nsw i64 %25, 3
  %35 = tail call ptr @malloc(i64 noundef %34) #10
  %36 = icmp eq ptr %35, null
  br i1 %36, label %44, label %37

37:                                               ; preds = %31
  store i64 %28, ptr %12, align 8, !tbaa !11
  store i64 0, ptr %13, align 8, !tbaa !17
  %38 = tail call ptr @calloc(i64 noundef %28, i64 noundef 8) #11
  store ptr %38, ptr %4, align 8, !tbaa !18
  %39 = shl i64 %28, 2
  %40 = tail call ptr @malloc(i64 noundef %39) #10
  store ptr %40, ptr %14, align 8, !tbaa !19
  %41 = icmp eq ptr %38, null
  %42 = icmp eq ptr %40, null
  %43 = or i1 %41, %42
  br i1 %43, label %44, label %45

44:                                               ; preds = %37, %31
  tail call void @_exit(i32 noundef 75) #12
  unreachable

45:                                               ; preds = %37
  %46 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %18) #9
  store ptr %46, ptr %35, align 8, !tbaa !20
  %47 = ptrtoint ptr %46 to i64
  call fastcc void @index_add(ptr noundef %4, i64 noundef %47)
  br label %51

48:                                               ; preds = %166, %136
  %49 = phi i64 [ %53, %136 ], [ %167, %166 ]
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %170, label %51, !llvm.loop !22

51:                                               ; preds = %48, %45
  %52 = phi i64 [ 1, %45 ], [ %49, %48 ]
  %53 = add i64 %52, -1
  %54 = getelementptr inbounds nuw ptr, ptr %35, i64 %53
  %55 = load ptr, ptr %54, align 8, !tbaa !20
  %56 = tail call ptr @LLVMGetBasicBlockTerminator(ptr noundef %55) #9
  %57 = icmp eq ptr %56, null
  br i1 %57, label %60, label %58

58:                                               ; preds = %51
  %59 = tail call i32 @LLVMGetNumSuccessors(ptr noundef nonnull %56) #9
  br label %60

60:                                               ; preds = %58, %51
  %61 = phi i32 [ %59, %58 ], [ 0, %51 ]
  %62 = tail call ptr @LLVMGetFirstInstruction(ptr noundef %55) #9
  %63 = icmp eq ptr %62, null
  br i1 %63, label %136, label %64

64:                                               ; preds = %60, %133
  %65 = phi ptr [ %134, %133 ], [ %62, %60 ]
  %66 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %65) #9
  %67 = and i32 %66, -2
  %68 = icmp eq i32 %67, 70
  %69 = select i1 %68, i32 2, i32 %66
  %70 = tail call i32 @LLVMGetNumOperands(ptr noundef nonnull %65) #9
  %71 = icmp eq i32 %69, 45
  br i1 %71, label %72, label %79

72:                                               ; preds = %64
  %73 = tail call ptr @LLVMGetCalledValue(ptr noundef nonnull %65) #9
  %74 = tail call ptr @LLVMIsAFunction(ptr noundef %73) #9
  %75 = icmp eq ptr %74, null
  br i1 %75, label %79, label %76

76:                                               ; preds = %72
  %77 = tail call i32 @LLVMGetIntrinsicID(ptr noundef %73) #9
  %78 = icmp eq i32 %77, %5
  br i1 %78, label %133, label %79

79:                                               ; preds = %76, %72, %64
  %80 = and i32 %69, 127
  %81 = zext nneg i32 %80 to i64
  %82 = getelementptr inbounds nuw i64, ptr %33, i64 %81
  %83 = load i64, ptr %82, align 8, !tbaa !7
  %84 = add nsw i64 %83, 1
  store i64 %84, ptr %82, align 8, !tbaa !7
  %85 = tail call ptr @LLVMTypeOf(ptr noundef nonnull %65) #9
  %86 = tail call i32 @LLVMGetTypeKind(ptr noundef %85) #9
  %87 = icmp ult i32 %86, 21
  br i1 %87, label %88, label %94

88:                                               ; preds = %79
  %89 = zext nneg i32 %86 to i64
  %90 = getelementptr inbounds nuw i8, ptr @TYPE, i64 %89
  %91 = load i8, ptr %90, align 1, !tbaa !23
  %92 = zext i8 %91 to i64
  %93 = add nuw nsw i64 %92, 128
  br label %94

94:                                               ; preds = %88, %79
  %95 = phi i64 [ %93, %88 ], [ 139, %79 ]
  %96 = getelementptr inbounds nuw i64, ptr %33, i64 %95
  %97 = load i64, ptr %96, align 8, !tbaa !7
  %98 = add nsw i64 %97, 1
  store i64 %98, ptr %96, align 8, !tbaa !7
  %99 = icmp sgt i32 %70, 0
  br i1 %99, label %101, label %100

100:                                              ; preds = %114, %94
  switch i32 %69, label %133 [
    i32 42, label %122
    i32 43, label %124
  ]

101:                                              ; preds = %94, %114
  %102 = phi i32 [ %120, %114 ], [ 0, %94 ]
  %103 = tail call ptr @LLVMGetOperand(ptr noundef nonnull %65, i32 noundef %102) #9
  %104 = tail call ptr @LLVMIsAFunction(ptr noundef %103) #9
  %105 = icmp eq ptr %104, null
  br i1 %105, label %106, label %114

106:                                              ; preds = %101
  %107 = tail call ptr @LLVMTypeOf(ptr noundef %103) #9
  %108 = tail call i32 @LLVMGetTypeKind(ptr noundef %107) #9
  %109 = icmp eq i32 %108, 12
  br i1 %109, label %114, label %110

110:                                              ; preds = %106
  %111 = tail call ptr @LLVMIsAConstant(ptr noundef %103) #9
  %112 = icmp eq ptr %111, null
  %113 = select i1 %112, i64 3, i64 2
  br label %114

114:                                              ; preds = %110, %106, %101
  %115 = phi i64 [ %113, %110 ], [ 0, %101 ], [ 1, %106 ]
  %116 = getelementptr inbounds nuw i64, ptr %33, i64 %115
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 1120
  %118 = load i64, ptr %117, align 8, !tbaa !7
  %119 = add nsw i64 %118, 1
  store i64 %119, ptr %117, align 8, !tbaa !7
  %120 = add nuw nsw i32 %102, 1
  %121 = icmp eq i32 %120, %70
  br i1 %121, label %100, label %101, !llvm.loop !24

122:                                              ; preds = %100
  %123 = tail call i32 @LLVMGetICmpPredicate(ptr noundef nonnull %65) #9
  br label %126

124:                                              ; preds = %100
  %125 = tail call i32 @LLVMGetFCmpPredicate(ptr noundef nonnull %65) #9
  br label %126

126:                                              ; preds = %124, %122
  %127 = phi i32 [ %123, %122 ], [ %125, %124 ]
  %128 = sext i32 %127 to i64
  %129 = getelementptr i64, ptr %33, i64 %128
  %130 = getelementptr i8, ptr %129, i64 1152
  %131 = load i64, ptr %130, align 8, !tbaa !7
  %132 = add nsw i64 %131, 1
  store i64 %132, ptr %130, align 8, !tbaa !7
  br label %133

133:                                              ; preds = %126, %100, %76
  %134 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %65) #9
  %135 = icmp eq ptr %134, null
  br i1 %135, label %136, label %64, !llvm.loop !25

136:                                              ; preds = %133, %60
  %137 = icmp eq i32 %61, 0
  br i1 %137, label %48, label %138

138:                                              ; preds = %136, %166
  %139 = phi i32 [ %168, %166 ], [ 0, %136 ]
  %140 = phi i64 [ %167, %166 ], [ %53, %136 ]
  %141 = tail call ptr @LLVMGetSuccessor(ptr noundef %56, i32 noundef %139) #9
  %142 = ptrtoint ptr %141 to i64
  %143 = mul i64 %142, -7046029254386353131
  %144 = lshr i64 %143, 32
  %145 = load i64, ptr %12, align 8, !tbaa !11
  %146 = add i64 %145, -1
  %147 = load ptr, ptr %4, align 8, !tbaa !18
  br label %148

148:                                              ; preds = %148, %138
  %149 = phi i64 [ %144, %138 ], [ %156, %148 ]
  %150 = and i64 %149, %146
  %151 = getelementptr inbounds nuw i64, ptr %147, i64 %150
  %152 = load i64, ptr %151, align 8, !tbaa !26
  %153 = icmp eq i64 %152, 0
  %154 = icmp eq i64 %152, %142
  %155 = or i1 %153, %154
  %156 = add i64 %150, 1
  br i1 %155, label %157, label %148, !llvm.loop !27

157:                                              ; preds = %148
  br i1 %153, label %163, label %158

158:                                              ; preds = %157
  %159 = load ptr, ptr %14, align 8, !tbaa !19
  %160 = getelementptr inbounds nuw i32, ptr %159, i64 %150
  %161 = load i32, ptr %160, align 4, !tbaa !3
  %162 = icmp sgt i32 %161, -1
  br i1 %162, label %166, label %163

163:                                              ; preds = %158, %157
  call fastcc void @index_add(ptr noundef %4, i64 noundef %142)
  %164 = add i64 %140, 1
  %165 = getelementptr inbounds nuw ptr, ptr %35, i64 %140
  store ptr %141, ptr %165, align 8, !tbaa !20
  br label %166

166:                                              ; preds = %163, %158
  %167 = phi i64 [ %164, %163 ], [ %140, %158 ]
  %168 = add nuw i32 %139, 1
  %169 = icmp eq i32 %168, %61
  br i1 %169, label %48, label %138, !llvm.loop !28

170:                                              ; preds = %48
  %171 = load ptr, ptr %4, align 8, !tbaa !18
  tail call void @free(ptr noundef %171)
  %172 = load ptr, ptr %14, align 8, !tbaa !19
  tail call void @free(ptr noundef %172)
  tail call void @free(ptr noundef %35)
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #9
  br label %173

173:                                              ; preds = %170, %22
  %174 = add nsw i64 %19, 1
  br label %175

175:                                              ; preds = %17, %173
  %176 = phi i64 [ %19, %17 ], [ %174, %173 ]
  %177 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %18) #9
  %178 = icmp eq ptr %177, null
  br i1 %178, label %15, label %17, !llvm.loop !29
}

; Function Attrs: nounwind
define dso_local i64 @optarena_ir2vec_functions(ptr noundef %0, ptr noundef captures(address_is_null) %1) local_unnamed_addr #0 {
  %3 = tail call fastcc i64 @count(ptr noundef %0, ptr noundef %1, i32 noundef 1)
  ret i64 %3
}

declare i32 @LLVMLookupIntrinsicID(ptr noundef, i64 noundef) local_unnamed_addr #2

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMCountBasicBlocks(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #3

; Function Attrs: noreturn
declare void @_exit(i32 noundef) local_unnamed_addr #4

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #2

; Function Attrs: inlinehint nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal fastcc void @index_add(ptr noundef nonnull captures(none) %0, i64 noundef %1) unnamed_addr #5 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %4 = load i64, ptr %3, align 8, !tbaa !17
  %5 = shl i64 %4, 1
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load i64, ptr %6, align 8, !tbaa !11
  %8 = icmp ult i64 %5, %7
  br i1 %8, label %9, label %11

9:                                                ; preds = %2
  %10 = load ptr, ptr %0, align 8, !tbaa !18
  br label %55

11:                                               ; preds = %2
  %12 = shl i64 %7, 1
  %13 = tail call ptr @calloc(i64 noundef %12, i64 noundef 8) #11
  %14 = shl i64 %7, 3
  %15 = tail call ptr @malloc(i64 noundef %14) #10
  %16 = icmp eq ptr %13, null
  %17 = icmp eq ptr %15, null
  %18 = or i1 %16, %17
  br i1 %18, label %25, label %19

19:                                               ; preds = %11
  %20 = icmp eq i64 %7, 0
  %21 = load ptr, ptr %0, align 8, !tbaa !18
  br i1 %20, label %52, label %22

22:                                               ; preds = %19
  %23 = add i64 %12, -1
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %26

25:                                               ; preds = %11
  tail call void @free(ptr noundef %13)
  tail call void @free(ptr noundef %15)
  br label %77

26:                                               ; preds = %49, %22
  %27 = phi i64 [ 0, %22 ], [ %50, %49 ]
  %28 = getelementptr inbounds nuw i64, ptr %21, i64 %27
  %29 = load i64, ptr %28, align 8, !tbaa !26
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %49, label %31

31:                                               ; preds = %26
  %32 = mul i64 %29, -7046029254386353131
  %33 = lshr i64 %32, 32
  br label %34

34:                                               ; preds = %34, %31
  %35 = phi i64 [ %33, %31 ], [ %42, %34 ]
  %36 = and i64 %35, %23
  %37 = getelementptr inbounds nuw i64, ptr %13, i64 %36
  %38 = load i64, ptr %37, align 8, !tbaa !26
  %39 = icmp eq i64 %38, 0
  %40 = icmp eq i64 %38, %29
  %41 = or i1 %39, %40
  %42 = add i64 %36, 1
  br i1 %41, label %43, label %34, !llvm.loop !27

43:                                               ; preds = %34
  %44 = getelementptr inbounds nuw i64, ptr %13, i64 %36
  store i64 %29, ptr %44, align 8, !tbaa !26
  %45 = load ptr, ptr %24, align 8, !tbaa !19
  %46 = getelementptr inbounds nuw i32, ptr %45, i64 %27
  %47 = load i32, ptr %46, align 4, !tbaa !3
  %48 = getelementptr inbounds nuw i32, ptr %15, i64 %36
  store i32 %47, ptr %48, align 4, !tbaa !3
  br label %49

49:                                               ; preds = %43, %26
  %50 = add nuw i64 %27, 1
  %51 = icmp eq i64 %50, %7
  br i1 %51, label %52, label %26, !llvm.loop !30

52:                                               ; preds = %49, %19
  tail call void @free(ptr noundef %21)
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %54 = load ptr, ptr %53, align 8, !tbaa !19
  tail call void @free(ptr noundef %54)
  store ptr %13, ptr %0, align 8, !tbaa !31
  store ptr %15, ptr %53, align 8, !tbaa !32
  store i64 %12, ptr %6, align 8, !tbaa !26
  store i64 %4, ptr %3, align 8, !tbaa !26
  br label %55

55:                                               ; preds = %9, %52
  %56 = phi ptr [ %13, %52 ], [ %10, %9 ]
  %57 = phi i64 [ %12, %52 ], [ %7, %9 ]
  %58 = mul i64 %1, -7046029254386353131
  %59 = lshr i64 %58, 32
  %60 = add i64 %57, -1
  br label %61

61:                                               ; preds = %61, %55
  %62 = phi i64 [ %59, %55 ], [ %69, %61 ]
  %63 = and i64 %62, %60
  %64 = getelementptr inbounds nuw i64, ptr %56, i64 %63
  %65 = load i64, ptr %64, align 8, !tbaa !26
  %66 = icmp eq i64 %65, 0
  %67 = icmp eq i64 %65, %1
  %68 = or i1 %66, %67
  %69 = add i64 %63, 1
  br i1 %68, label %70, label %61, !llvm.loop !27

70:                                               ; preds = %61
  %71 = getelementptr inbounds nuw i64, ptr %56, i64 %63
  store i64 %1, ptr %71, align 8, !tbaa !26
  %72 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %73 = load ptr, ptr %72, align 8, !tbaa !19
  %74 = getelementptr inbounds nuw i32, ptr %73, i64 %63
  store i32 0, ptr %74, align 4, !tbaa !3
  %75 = load i64, ptr %3, align 8, !tbaa !17
  %76 = add i64 %75, 1
  store i64 %76, ptr %3, align 8, !tbaa !17
  br label %77

77:                                               ; preds = %25, %70
  ret void
}

declare ptr @LLVMGetBasicBlockTerminator(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNumSuccessors(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetSuccessor(ptr noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #6

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #7

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetNumOperands(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetTypeKind(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMTypeOf(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetOperand(ptr noundef, i32 noundef) local_unnamed_addr #2

declare i32 @LLVMGetICmpPredicate(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetFCmpPredicate(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsAFunction(ptr noundef) local_unnamed_addr #2

declare i32 @LLVMGetIntrinsicID(ptr noundef) local_unnamed_addr #2

declare ptr @LLVMIsAConstant(ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #8

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { inlinehint nounwind memory(readwrite, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #9 = { nounwind }
attributes #10 = { allocsize(0) }
attributes #11 = { allocsize(0,1) }
attributes #12 = { noreturn nounwind }

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
!11 = !{!12, !16, i64 16}
!12 = !{!"", !13, i64 0, !15, i64 8, !16, i64 16, !16, i64 24}
!13 = !{!"p1 long", !14, i64 0}
!14 = !{!"any pointer", !5, i64 0}
!15 = !{!"p1 int", !14, i64 0}
!16 = !{!"long", !5, i64 0}
!17 = !{!12, !16, i64 24}
!18 = !{!12, !13, i64 0}
!19 = !{!12, !15, i64 8}
!20 = !{!21, !21, i64 0}
!21 = !{!"p1 _ZTS5Block", !14, i64 0}
!22 = distinct !{!22, !10}
!23 = !{!5, !5, i64 0}
!24 = distinct !{!24, !10}
!25 = distinct !{!25, !10}
!26 = !{!16, !16, i64 0}
!27 = distinct !{!27, !10}
!28 = distinct !{!28, !10}
!29 = distinct !{!29, !10}
!30 = distinct !{!30, !10}
!31 = !{!13, !13, i64 0}
!32 = !{!15, !15, i64 0}
