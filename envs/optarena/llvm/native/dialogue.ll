; ModuleID = 'dialogue.c'
source_filename = "dialogue.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@.str = private unnamed_addr constant [20 x i8] c"optarena-inliner.in\00", align 1
@current = internal unnamed_addr global ptr null, align 8
@.str.1 = private unnamed_addr constant [21 x i8] c"optarena-inliner.out\00", align 1
@length = internal unnamed_addr global i64 0, align 8
@written = internal unnamed_addr global [65536 x i8] zeroinitializer, align 16
@advise = internal unnamed_addr global ptr null, align 8

; Function Attrs: naked noinline nounwind
define dso_local void @optarena_switch_fiber(ptr noundef %0, ptr noundef %1) #0 {
  tail call void asm sideeffect "pushq %rbp\0A  pushq %rbx\0A  pushq %r12\0A  pushq %r13\0A  pushq %r14\0A  pushq %r15\0A  movq %rsp, (%rdi)\0A  movq %rsi, %rsp\0A  popq %r15\0A  popq %r14\0A  popq %r13\0A  popq %r12\0A  popq %rbx\0A  popq %rbp\0A  retq\0A", "~{dirflag},~{fpsr},~{flags}"() #10, !srcloc !7
  unreachable
}

; Function Attrs: nounwind
define dso_local i32 @optarena_dialogue_open(ptr noundef %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #1 {
  %4 = load i8, ptr %0, align 1, !tbaa !8
  %5 = icmp eq i8 %4, 0
  br i1 %5, label %17, label %6

6:                                                ; preds = %3, %12
  %7 = phi i8 [ %15, %12 ], [ %4, %3 ]
  %8 = phi ptr [ %14, %12 ], [ @.str, %3 ]
  %9 = phi ptr [ %13, %12 ], [ %0, %3 ]
  %10 = load i8, ptr %8, align 1, !tbaa !8
  %11 = icmp eq i8 %7, %10
  br i1 %11, label %12, label %17

12:                                               ; preds = %6
  %13 = getelementptr inbounds nuw i8, ptr %9, i64 1
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 1
  %15 = load i8, ptr %13, align 1, !tbaa !8
  %16 = icmp eq i8 %15, 0
  br i1 %16, label %17, label %6, !llvm.loop !9

17:                                               ; preds = %6, %12, %3
  %18 = phi ptr [ @.str, %3 ], [ %8, %6 ], [ %14, %12 ]
  %19 = phi i8 [ 0, %3 ], [ %7, %6 ], [ 0, %12 ]
  %20 = load ptr, ptr @current, align 8, !tbaa !11
  %21 = icmp eq ptr %20, null
  br i1 %21, label %42, label %22

22:                                               ; preds = %17
  %23 = load i8, ptr %18, align 1, !tbaa !8
  %24 = icmp eq i8 %19, %23
  br i1 %24, label %44, label %25

25:                                               ; preds = %22
  br i1 %5, label %37, label %26

26:                                               ; preds = %25, %32
  %27 = phi i8 [ %35, %32 ], [ %4, %25 ]
  %28 = phi ptr [ %34, %32 ], [ @.str.1, %25 ]
  %29 = phi ptr [ %33, %32 ], [ %0, %25 ]
  %30 = load i8, ptr %28, align 1, !tbaa !8
  %31 = icmp eq i8 %27, %30
  br i1 %31, label %32, label %37

32:                                               ; preds = %26
  %33 = getelementptr inbounds nuw i8, ptr %29, i64 1
  %34 = getelementptr inbounds nuw i8, ptr %28, i64 1
  %35 = load i8, ptr %33, align 1, !tbaa !8
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %37, label %26, !llvm.loop !9

37:                                               ; preds = %26, %32, %25
  %38 = phi ptr [ @.str.1, %25 ], [ %28, %26 ], [ %34, %32 ]
  %39 = phi i8 [ 0, %25 ], [ %27, %26 ], [ 0, %32 ]
  %40 = load i8, ptr %38, align 1, !tbaa !8
  %41 = icmp eq i8 %39, %40
  br i1 %41, label %44, label %42

42:                                               ; preds = %37, %17
  %43 = tail call i32 @open(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2) #10
  br label %50

44:                                               ; preds = %37, %22
  %45 = phi i64 [ 112, %22 ], [ 104, %37 ]
  %46 = tail call i32 @dup(i32 noundef 2) #10
  %47 = sext i32 %46 to i64
  %48 = load ptr, ptr @current, align 8, !tbaa !11
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %45
  store i64 %47, ptr %49, align 8, !tbaa !13
  store i64 0, ptr @length, align 8, !tbaa !13
  br label %50

50:                                               ; preds = %44, %42
  %51 = phi i32 [ %46, %44 ], [ %43, %42 ]
  ret i32 %51
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare i32 @open(ptr noundef, i32 noundef, i32 noundef) local_unnamed_addr #3

declare i32 @dup(i32 noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nofree nounwind
define dso_local noundef i64 @optarena_dialogue_write(i32 noundef %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr #4 {
  %4 = load ptr, ptr @current, align 8, !tbaa !11
  %5 = icmp eq ptr %4, null
  br i1 %5, label %11, label %6

6:                                                ; preds = %3
  %7 = sext i32 %0 to i64
  %8 = getelementptr inbounds nuw i8, ptr %4, i64 104
  %9 = load i64, ptr %8, align 8, !tbaa !15
  %10 = icmp eq i64 %9, %7
  br i1 %10, label %13, label %11

11:                                               ; preds = %6, %3
  %12 = tail call i64 @write(i32 noundef %0, ptr noundef %1, i64 noundef %2) #10
  br label %21

13:                                               ; preds = %6
  %14 = load i64, ptr @length, align 8, !tbaa !13
  %15 = add i64 %14, %2
  %16 = icmp ugt i64 %15, 65536
  br i1 %16, label %17, label %19

17:                                               ; preds = %13
  store i64 0, ptr @length, align 8, !tbaa !13
  %18 = getelementptr inbounds nuw i8, ptr %4, i64 80
  store i64 1, ptr %18, align 8, !tbaa !20
  br label %21

19:                                               ; preds = %13
  %20 = getelementptr inbounds nuw i8, ptr @written, i64 %14
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %20, ptr align 1 %1, i64 %2, i1 false)
  store i64 %15, ptr @length, align 8, !tbaa !13
  br label %21

21:                                               ; preds = %17, %19, %11
  %22 = phi i64 [ %12, %11 ], [ %2, %19 ], [ %2, %17 ]
  ret i64 %22
}

; Function Attrs: nofree
declare noundef i64 @write(i32 noundef, ptr noundef readonly captures(none), i64 noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #6

; Function Attrs: nounwind
define dso_local noundef i64 @optarena_dialogue_read(i32 noundef %0, ptr noundef captures(none) %1, i64 noundef %2) local_unnamed_addr #1 {
  %4 = load ptr, ptr @current, align 8, !tbaa !11
  %5 = icmp eq ptr %4, null
  br i1 %5, label %11, label %6

6:                                                ; preds = %3
  %7 = sext i32 %0 to i64
  %8 = getelementptr inbounds nuw i8, ptr %4, i64 112
  %9 = load i64, ptr %8, align 8, !tbaa !21
  %10 = icmp eq i64 %9, %7
  br i1 %10, label %13, label %11

11:                                               ; preds = %6, %3
  %12 = tail call i64 @read(i32 noundef %0, ptr noundef %1, i64 noundef %2) #10
  br label %47

13:                                               ; preds = %6
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %15 = load i64, ptr %14, align 8, !tbaa !22
  %16 = shl i64 %15, 3
  %17 = icmp eq i64 %2, 8
  br i1 %17, label %18, label %33

18:                                               ; preds = %13
  %19 = load i64, ptr @length, align 8, !tbaa !13
  %20 = or disjoint i64 %16, 2
  %21 = icmp ult i64 %19, %20
  br i1 %21, label %33, label %22

22:                                               ; preds = %18
  %23 = getelementptr i8, ptr @written, i64 %19
  %24 = getelementptr i8, ptr %23, i64 -1
  %25 = load i8, ptr %24, align 1, !tbaa !8
  %26 = icmp eq i8 %25, 10
  br i1 %26, label %27, label %33

27:                                               ; preds = %22
  %28 = sub i64 %19, %16
  %29 = getelementptr i8, ptr @written, i64 %28
  %30 = getelementptr i8, ptr %29, i64 -2
  %31 = load i8, ptr %30, align 1, !tbaa !8
  %32 = icmp eq i8 %31, 10
  br i1 %32, label %35, label %33

33:                                               ; preds = %27, %22, %18, %13
  %34 = getelementptr inbounds nuw i8, ptr %4, i64 80
  store i64 1, ptr %34, align 8, !tbaa !20
  br label %40

35:                                               ; preds = %27
  %36 = getelementptr inbounds nuw i8, ptr %4, i64 120
  %37 = sub i64 0, %16
  %38 = getelementptr inbounds i8, ptr %23, i64 %37
  %39 = getelementptr inbounds i8, ptr %38, i64 -1
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %36, ptr nonnull align 1 %39, i64 %16, i1 false)
  br label %40

40:                                               ; preds = %35, %33
  store i64 0, ptr @length, align 8, !tbaa !13
  %41 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %42 = getelementptr inbounds nuw i8, ptr %4, i64 56
  %43 = load ptr, ptr %42, align 8, !tbaa !23
  tail call void @optarena_switch_fiber(ptr noundef nonnull %41, ptr noundef %43)
  %44 = load ptr, ptr @current, align 8, !tbaa !11
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 88
  %46 = load i64, ptr %45, align 8
  store i64 %46, ptr %1, align 1
  br label %47

47:                                               ; preds = %40, %11
  %48 = phi i64 [ %12, %11 ], [ 8, %40 ]
  ret i64 %48
}

; Function Attrs: nofree
declare noundef i64 @read(i32 noundef, ptr noundef captures(none), i64 noundef) local_unnamed_addr #5

; Function Attrs: nounwind
define dso_local ptr @optarena_dialogue_advise(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #1 {
  %4 = alloca i64, align 8
  %5 = load ptr, ptr @current, align 8, !tbaa !11
  %6 = icmp eq ptr %5, null
  br i1 %6, label %73, label %7

7:                                                ; preds = %3
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #10
  %8 = tail call ptr @LLVMGetCalledValue(ptr noundef %2) #10
  %9 = call ptr @LLVMGetValueName2(ptr noundef %8, ptr noundef nonnull %4) #10
  %10 = load i64, ptr %4, align 8, !tbaa !13
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %38, label %12

12:                                               ; preds = %7
  %13 = and i64 %10, 3
  %14 = icmp ult i64 %10, 4
  br i1 %14, label %19, label %15

15:                                               ; preds = %12
  %16 = and i64 %10, -4
  br label %43

17:                                               ; preds = %43
  %18 = icmp eq i64 %13, 0
  br i1 %18, label %35, label %19

19:                                               ; preds = %17, %12
  %20 = phi i64 [ 0, %12 ], [ %70, %17 ]
  %21 = phi i64 [ -3750763034362895579, %12 ], [ %69, %17 ]
  %22 = icmp ne i64 %13, 0
  call void @llvm.assume(i1 %22)
  br label %23

23:                                               ; preds = %23, %19
  %24 = phi i64 [ %32, %23 ], [ %20, %19 ]
  %25 = phi i64 [ %31, %23 ], [ %21, %19 ]
  %26 = phi i64 [ %33, %23 ], [ 0, %19 ]
  %27 = getelementptr inbounds nuw i8, ptr %9, i64 %24
  %28 = load i8, ptr %27, align 1, !tbaa !8
  %29 = zext i8 %28 to i64
  %30 = xor i64 %25, %29
  %31 = mul i64 %30, 1099511628211
  %32 = add nuw i64 %24, 1
  %33 = add i64 %26, 1
  %34 = icmp eq i64 %33, %13
  br i1 %34, label %35, label %23, !llvm.loop !24

35:                                               ; preds = %23, %17
  %36 = phi i64 [ %69, %17 ], [ %31, %23 ]
  %37 = lshr i64 %36, 1
  br label %38

38:                                               ; preds = %35, %7
  %39 = phi i64 [ 7347990519673328018, %7 ], [ %37, %35 ]
  %40 = load ptr, ptr @current, align 8, !tbaa !11
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 96
  store ptr %2, ptr %41, align 8, !tbaa !26
  %42 = getelementptr inbounds nuw i8, ptr %40, i64 632
  store i64 %39, ptr %42, align 8, !tbaa !27
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #10
  br label %73

43:                                               ; preds = %43, %15
  %44 = phi i64 [ 0, %15 ], [ %70, %43 ]
  %45 = phi i64 [ -3750763034362895579, %15 ], [ %69, %43 ]
  %46 = phi i64 [ 0, %15 ], [ %71, %43 ]
  %47 = getelementptr inbounds nuw i8, ptr %9, i64 %44
  %48 = load i8, ptr %47, align 1, !tbaa !8
  %49 = zext i8 %48 to i64
  %50 = xor i64 %45, %49
  %51 = mul i64 %50, 1099511628211
  %52 = getelementptr inbounds nuw i8, ptr %9, i64 %44
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 1
  %54 = load i8, ptr %53, align 1, !tbaa !8
  %55 = zext i8 %54 to i64
  %56 = xor i64 %51, %55
  %57 = mul i64 %56, 1099511628211
  %58 = getelementptr inbounds nuw i8, ptr %9, i64 %44
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 2
  %60 = load i8, ptr %59, align 1, !tbaa !8
  %61 = zext i8 %60 to i64
  %62 = xor i64 %57, %61
  %63 = mul i64 %62, 1099511628211
  %64 = getelementptr inbounds nuw i8, ptr %9, i64 %44
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 3
  %66 = load i8, ptr %65, align 1, !tbaa !8
  %67 = zext i8 %66 to i64
  %68 = xor i64 %63, %67
  %69 = mul i64 %68, 1099511628211
  %70 = add nuw i64 %44, 4
  %71 = add i64 %46, 4
  %72 = icmp eq i64 %71, %16
  br i1 %72, label %17, label %43, !llvm.loop !28

73:                                               ; preds = %38, %3
  %74 = load ptr, ptr @advise, align 8, !tbaa !11
  %75 = call ptr %74(ptr noundef %0, ptr noundef %1, ptr noundef %2) #10
  ret ptr %75
}

declare ptr @LLVMGetValueName2(ptr noundef, ptr noundef) local_unnamed_addr #3

declare ptr @LLVMGetCalledValue(ptr noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local void @optarena_dialogue_prepare(ptr noundef %0) local_unnamed_addr #7 {
  store ptr %0, ptr @advise, align 8, !tbaa !11
  ret void
}

; Function Attrs: nounwind
define dso_local void @optarena_dialogue_go_on(ptr noundef %0) local_unnamed_addr #1 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %3 = load ptr, ptr %2, align 8, !tbaa !29
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %11

5:                                                ; preds = %1
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %7 = load ptr, ptr %6, align 8, !tbaa !30
  %8 = getelementptr inbounds i8, ptr %7, i64 -8
  store ptr null, ptr %8, align 8, !tbaa !11
  %9 = getelementptr inbounds i8, ptr %7, i64 -16
  store ptr @fiber, ptr %9, align 8, !tbaa !11
  %10 = getelementptr i8, ptr %7, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %10, i8 0, i64 48, i1 false), !tbaa !11
  store ptr %10, ptr %2, align 8, !tbaa !29
  br label %11

11:                                               ; preds = %5, %1
  %12 = phi ptr [ %10, %5 ], [ %3, %1 ]
  store ptr %0, ptr @current, align 8, !tbaa !11
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 56
  tail call void @optarena_switch_fiber(ptr noundef nonnull %13, ptr noundef nonnull %12)
  store ptr null, ptr @current, align 8, !tbaa !11
  ret void
}

; Function Attrs: nounwind
define internal void @fiber() #1 {
  %1 = load ptr, ptr @current, align 8, !tbaa !11
  %2 = load ptr, ptr %1, align 8, !tbaa !31
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %4 = load ptr, ptr %3, align 8, !tbaa !32
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !33
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %8 = load ptr, ptr %7, align 8, !tbaa !34
  %9 = tail call ptr @LLVMRunPasses(ptr noundef %2, ptr noundef %4, ptr noundef %6, ptr noundef %8) #10
  %10 = load ptr, ptr @current, align 8, !tbaa !11
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 64
  store ptr %9, ptr %11, align 8, !tbaa !35
  %12 = getelementptr inbounds nuw i8, ptr %10, i64 72
  store i64 1, ptr %12, align 8, !tbaa !36
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %10, i64 56
  %15 = load ptr, ptr %14, align 8, !tbaa !23
  tail call void @optarena_switch_fiber(ptr noundef nonnull %13, ptr noundef %15)
  ret void
}

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_dialogue_decide(ptr noundef %0, i64 noundef %1) local_unnamed_addr #1 {
  %3 = icmp eq i64 %1, 2
  br i1 %3, label %4, label %10

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %6 = load i64, ptr %5, align 8, !tbaa !22
  %7 = getelementptr i8, ptr %0, i64 112
  %8 = getelementptr i64, ptr %7, i64 %6
  %9 = load i64, ptr %8, align 8, !tbaa !13
  br label %10

10:                                               ; preds = %2, %4
  %11 = phi i64 [ %9, %4 ], [ %1, %2 ]
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 88
  store i64 %11, ptr %12, align 8, !tbaa !37
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %14 = load ptr, ptr %13, align 8, !tbaa !29
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %22

16:                                               ; preds = %10
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %18 = load ptr, ptr %17, align 8, !tbaa !30
  %19 = getelementptr inbounds i8, ptr %18, i64 -8
  store ptr null, ptr %19, align 8, !tbaa !11
  %20 = getelementptr inbounds i8, ptr %18, i64 -16
  store ptr @fiber, ptr %20, align 8, !tbaa !11
  %21 = getelementptr i8, ptr %18, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %21, i8 0, i64 48, i1 false), !tbaa !11
  store ptr %21, ptr %13, align 8, !tbaa !29
  br label %22

22:                                               ; preds = %10, %16
  %23 = phi ptr [ %21, %16 ], [ %14, %10 ]
  store ptr %0, ptr @current, align 8, !tbaa !11
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 56
  tail call void @optarena_switch_fiber(ptr noundef nonnull %24, ptr noundef nonnull %23)
  store ptr null, ptr @current, align 8, !tbaa !11
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %26 = load i64, ptr %25, align 8, !tbaa !36
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %28, label %33

28:                                               ; preds = %22
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %30 = load i64, ptr %29, align 8, !tbaa !20
  %31 = icmp eq i64 %30, 0
  %32 = zext i1 %31 to i32
  br label %33

33:                                               ; preds = %28, %22
  %34 = phi i32 [ 0, %22 ], [ %32, %28 ]
  ret i32 %34
}

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #8

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #9

attributes #0 = { naked noinline nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nofree nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #9 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #10 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{i64 1878, i64 1891, i64 1905, i64 1919, i64 1933, i64 1947, i64 1974, i64 1995, i64 2027, i64 2040, i64 2053, i64 2066, i64 2079, i64 2092, i64 2118}
!8 = !{!5, !5, i64 0}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!12, !12, i64 0}
!12 = !{!"any pointer", !5, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"long long", !5, i64 0}
!15 = !{!16, !14, i64 104}
!16 = !{!"", !17, i64 0, !12, i64 8, !12, i64 16, !18, i64 24, !18, i64 32, !14, i64 40, !12, i64 48, !12, i64 56, !12, i64 64, !14, i64 72, !14, i64 80, !14, i64 88, !19, i64 96, !14, i64 104, !14, i64 112, !5, i64 120, !14, i64 632}
!17 = !{!"p1 _ZTS6Module", !12, i64 0}
!18 = !{!"p1 omnipotent char", !12, i64 0}
!19 = !{!"p1 _ZTS5Value", !12, i64 0}
!20 = !{!16, !14, i64 80}
!21 = !{!16, !14, i64 112}
!22 = !{!16, !14, i64 40}
!23 = !{!16, !12, i64 56}
!24 = distinct !{!24, !25}
!25 = !{!"llvm.loop.unroll.disable"}
!26 = !{!16, !19, i64 96}
!27 = !{!16, !14, i64 632}
!28 = distinct !{!28, !10}
!29 = !{!16, !12, i64 48}
!30 = !{!16, !18, i64 32}
!31 = !{!16, !17, i64 0}
!32 = !{!16, !18, i64 24}
!33 = !{!16, !12, i64 8}
!34 = !{!16, !12, i64 16}
!35 = !{!16, !12, i64 64}
!36 = !{!16, !14, i64 72}
!37 = !{!16, !14, i64 88}
