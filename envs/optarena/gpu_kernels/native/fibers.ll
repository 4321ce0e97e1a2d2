; ModuleID = 'fibers.c'
source_filename = "fibers.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".text"
module asm ".globl optarena_switch"
module asm ".type optarena_switch,@function"
module asm "optarena_switch:"
module asm "  pushq %rbp"
module asm "  pushq %rbx"
module asm "  pushq %r12"
module asm "  pushq %r13"
module asm "  pushq %r14"
module asm "  pushq %r15"
module asm "  movq %rsp, (%rdi)"
module asm "  movq %rsi, %rsp"
module asm "  popq %r15"
module asm "  popq %r14"
module asm "  popq %r13"
module asm "  popq %r12"
module asm "  popq %rbx"
module asm "  popq %rbp"
module asm "  retq"

@current = internal unnamed_addr global ptr null, align 8
@optarena_block_size = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_grid_size = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_block = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_thread = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@running = internal unnamed_addr global i32 0, align 4
@scheduler = internal global ptr null, align 8

; Function Attrs: nounwind
define dso_local void @optarena_barrier(i32 noundef %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @current, align 8, !tbaa !7
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %4 = load ptr, ptr %3, align 8, !tbaa !10
  %5 = load i32, ptr @running, align 4, !tbaa !3
  %6 = zext i32 %5 to i64
  %7 = getelementptr inbounds nuw ptr, ptr %4, i64 %6
  %8 = load ptr, ptr @scheduler, align 8, !tbaa !16
  tail call void @optarena_switch(ptr noundef %7, ptr noundef %8) #6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define dso_local void @optarena_fill(ptr noundef writeonly captures(none) %0, i64 noundef %1, i8 noundef zeroext %2) local_unnamed_addr #1 {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %6, label %5

5:                                                ; preds = %3
  tail call void @llvm.memset.p0.i64(ptr align 1 %0, i8 %2, i64 %1, i1 false), !tbaa !17
  br label %6

6:                                                ; preds = %5, %3
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local void @optarena_check(ptr noundef readonly captures(none) %0, i64 noundef %1, i8 noundef zeroext %2, i64 noundef %3) local_unnamed_addr #2 {
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %29, label %6

6:                                                ; preds = %4
  %7 = load ptr, ptr @current, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %9 = and i64 %1, 3
  %10 = icmp ult i64 %1, 4
  br i1 %10, label %15, label %11

11:                                               ; preds = %6
  %12 = and i64 %1, -4
  br label %30

13:                                               ; preds = %55
  %14 = icmp eq i64 %9, 0
  br i1 %14, label %29, label %15

15:                                               ; preds = %13, %6
  %16 = phi i64 [ 0, %6 ], [ %56, %13 ]
  %17 = icmp ne i64 %9, 0
  tail call void @llvm.assume(i1 %17)
  br label %18

18:                                               ; preds = %25, %15
  %19 = phi i64 [ %16, %15 ], [ %26, %25 ]
  %20 = phi i64 [ 0, %15 ], [ %27, %25 ]
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 %19
  %22 = load i8, ptr %21, align 1, !tbaa !17
  %23 = icmp eq i8 %22, %2
  br i1 %23, label %25, label %24

24:                                               ; preds = %18
  store i64 %3, ptr %8, align 8, !tbaa !18
  br label %25

25:                                               ; preds = %24, %18
  %26 = add nuw i64 %19, 1
  %27 = add i64 %20, 1
  %28 = icmp eq i64 %27, %9
  br i1 %28, label %29, label %18, !llvm.loop !19

29:                                               ; preds = %13, %25, %4
  ret void

30:                                               ; preds = %55, %11
  %31 = phi i64 [ 0, %11 ], [ %56, %55 ]
  %32 = phi i64 [ 0, %11 ], [ %57, %55 ]
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %34 = load i8, ptr %33, align 1, !tbaa !17
  %35 = icmp eq i8 %34, %2
  br i1 %35, label %37, label %36

36:                                               ; preds = %30
  store i64 %3, ptr %8, align 8, !tbaa !18
  br label %37

37:                                               ; preds = %30, %36
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 1
  %40 = load i8, ptr %39, align 1, !tbaa !17
  %41 = icmp eq i8 %40, %2
  br i1 %41, label %43, label %42

42:                                               ; preds = %37
  store i64 %3, ptr %8, align 8, !tbaa !18
  br label %43

43:                                               ; preds = %42, %37
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 2
  %46 = load i8, ptr %45, align 1, !tbaa !17
  %47 = icmp eq i8 %46, %2
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store i64 %3, ptr %8, align 8, !tbaa !18
  br label %49

49:                                               ; preds = %48, %43
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 3
  %52 = load i8, ptr %51, align 1, !tbaa !17
  %53 = icmp eq i8 %52, %2
  br i1 %53, label %55, label %54

54:                                               ; preds = %49
  store i64 %3, ptr %8, align 8, !tbaa !18
  br label %55

55:                                               ; preds = %54, %49
  %56 = add nuw i64 %31, 4
  %57 = add i64 %32, 4
  %58 = icmp eq i64 %57, %12
  br i1 %58, label %13, label %30, !llvm.loop !21
}

; Function Attrs: nounwind
define dso_local void @optarena_launch(ptr noundef %0) local_unnamed_addr #0 {
  store ptr %0, ptr @current, align 8, !tbaa !7
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i32, ptr %2, align 4, !tbaa !3
  store i32 %3, ptr @optarena_block_size, align 4, !tbaa !3
  %4 = load i32, ptr %0, align 4, !tbaa !3
  store i32 %4, ptr @optarena_grid_size, align 4, !tbaa !3
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %6 = load i32, ptr %5, align 4, !tbaa !3
  store i32 %6, ptr getelementptr inbounds nuw (i8, ptr @optarena_block_size, i64 4), align 4, !tbaa !3
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %8 = load i32, ptr %7, align 4, !tbaa !3
  store i32 %8, ptr getelementptr inbounds nuw (i8, ptr @optarena_grid_size, i64 4), align 4, !tbaa !3
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %23, label %10

10:                                               ; preds = %1
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %17 = load i32, ptr %0, align 8, !tbaa !3
  br label %18

18:                                               ; preds = %10, %26
  %19 = phi i32 [ %8, %10 ], [ %27, %26 ]
  %20 = phi i32 [ %17, %10 ], [ %28, %26 ]
  %21 = phi i32 [ 0, %10 ], [ %29, %26 ]
  %22 = icmp eq i32 %20, 0
  br i1 %22, label %26, label %31

23:                                               ; preds = %26, %1
  ret void

24:                                               ; preds = %129
  %25 = load i32, ptr %7, align 4, !tbaa !3
  br label %26

26:                                               ; preds = %24, %18
  %27 = phi i32 [ %25, %24 ], [ %19, %18 ]
  %28 = phi i32 [ %131, %24 ], [ 0, %18 ]
  %29 = add nuw i32 %21, 1
  %30 = icmp ult i32 %29, %27
  br i1 %30, label %18, label %23, !llvm.loop !23

31:                                               ; preds = %18, %129
  %32 = phi i32 [ %130, %129 ], [ 0, %18 ]
  store i32 %32, ptr @optarena_block, align 4, !tbaa !3
  store i32 %21, ptr getelementptr inbounds nuw (i8, ptr @optarena_block, i64 4), align 4, !tbaa !3
  %33 = load i32, ptr %2, align 8, !tbaa !3
  %34 = load i32, ptr %11, align 4, !tbaa !3
  %35 = mul i32 %34, %33
  tail call void @optarena_clear_shared() #6
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %129, label %37

37:                                               ; preds = %31
  %38 = zext i32 %35 to i64
  %39 = and i64 %38, 1
  %40 = icmp eq i32 %35, 1
  br i1 %40, label %74, label %41

41:                                               ; preds = %37
  %42 = and i64 %38, 4294967294
  br label %43

43:                                               ; preds = %43, %41
  %44 = phi i64 [ 0, %41 ], [ %59, %43 ]
  %45 = phi i64 [ 0, %41 ], [ %70, %43 ]
  %46 = load ptr, ptr %12, align 8, !tbaa !24
  %47 = or disjoint i64 %44, 1
  %48 = load i64, ptr %13, align 8, !tbaa !25
  %49 = mul i64 %48, %47
  %50 = getelementptr inbounds nuw i8, ptr %46, i64 %49
  %51 = getelementptr inbounds i8, ptr %50, i64 -8
  store ptr null, ptr %51, align 8, !tbaa !16
  %52 = getelementptr inbounds i8, ptr %50, i64 -16
  store ptr @fiber, ptr %52, align 8, !tbaa !16
  %53 = getelementptr i8, ptr %50, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %53, i8 0, i64 48, i1 false), !tbaa !16
  %54 = load ptr, ptr %14, align 8, !tbaa !10
  %55 = getelementptr inbounds nuw ptr, ptr %54, i64 %44
  store ptr %53, ptr %55, align 8, !tbaa !16
  %56 = load ptr, ptr %15, align 8, !tbaa !26
  %57 = getelementptr inbounds nuw i8, ptr %56, i64 %44
  store i8 0, ptr %57, align 1, !tbaa !17
  %58 = load ptr, ptr %12, align 8, !tbaa !24
  %59 = add nuw nsw i64 %44, 2
  %60 = load i64, ptr %13, align 8, !tbaa !25
  %61 = mul i64 %60, %59
  %62 = getelementptr inbounds nuw i8, ptr %58, i64 %61
  %63 = getelementptr inbounds i8, ptr %62, i64 -8
  store ptr null, ptr %63, align 8, !tbaa !16
  %64 = getelementptr inbounds i8, ptr %62, i64 -16
  store ptr @fiber, ptr %64, align 8, !tbaa !16
  %65 = getelementptr i8, ptr %62, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %65, i8 0, i64 48, i1 false), !tbaa !16
  %66 = load ptr, ptr %14, align 8, !tbaa !10
  %67 = getelementptr inbounds nuw ptr, ptr %66, i64 %47
  store ptr %65, ptr %67, align 8, !tbaa !16
  %68 = load ptr, ptr %15, align 8, !tbaa !26
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 %47
  store i8 0, ptr %69, align 1, !tbaa !17
  %70 = add nuw i64 %45, 2
  %71 = icmp eq i64 %70, %42
  br i1 %71, label %72, label %43, !llvm.loop !27

72:                                               ; preds = %43
  %73 = icmp eq i64 %39, 0
  br i1 %73, label %89, label %74

74:                                               ; preds = %72, %37
  %75 = phi i64 [ 0, %37 ], [ %59, %72 ]
  %76 = icmp ne i64 %39, 0
  tail call void @llvm.assume(i1 %76)
  %77 = load ptr, ptr %12, align 8, !tbaa !24
  %78 = add nuw nsw i64 %75, 1
  %79 = load i64, ptr %13, align 8, !tbaa !25
  %80 = mul i64 %79, %78
  %81 = getelementptr inbounds nuw i8, ptr %77, i64 %80
  %82 = getelementptr inbounds i8, ptr %81, i64 -8
  store ptr null, ptr %82, align 8, !tbaa !16
  %83 = getelementptr inbounds i8, ptr %81, i64 -16
  store ptr @fiber, ptr %83, align 8, !tbaa !16
  %84 = getelementptr i8, ptr %81, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %84, i8 0, i64 48, i1 false), !tbaa !16
  %85 = load ptr, ptr %14, align 8, !tbaa !10
  %86 = getelementptr inbounds nuw ptr, ptr %85, i64 %75
  store ptr %84, ptr %86, align 8, !tbaa !16
  %87 = load ptr, ptr %15, align 8, !tbaa !26
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 %75
  store i8 0, ptr %88, align 1, !tbaa !17
  br label %89

89:                                               ; preds = %72, %74
  %90 = load ptr, ptr %15, align 8, !tbaa !26
  br label %93

91:                                               ; preds = %120
  %92 = icmp eq i32 %123, 0
  br i1 %92, label %129, label %126

93:                                               ; preds = %126, %89
  %94 = phi ptr [ %90, %89 ], [ %121, %126 ]
  %95 = phi ptr [ %90, %89 ], [ %127, %126 ]
  %96 = phi i64 [ 0, %89 ], [ %128, %126 ]
  %97 = phi i32 [ %35, %89 ], [ %123, %126 ]
  %98 = load ptr, ptr %16, align 8, !tbaa !28
  %99 = getelementptr inbounds nuw i32, ptr %98, i64 %96
  %100 = load i32, ptr %99, align 4, !tbaa !3
  store i32 %100, ptr @running, align 4, !tbaa !3
  %101 = zext i32 %100 to i64
  %102 = getelementptr inbounds nuw i8, ptr %95, i64 %101
  %103 = load i8, ptr %102, align 1, !tbaa !17
  %104 = icmp eq i8 %103, 0
  br i1 %104, label %105, label %120

105:                                              ; preds = %93
  %106 = load i32, ptr %2, align 8, !tbaa !3
  %107 = urem i32 %100, %106
  store i32 %107, ptr @optarena_thread, align 4, !tbaa !3
  %108 = udiv i32 %100, %106
  store i32 %108, ptr getelementptr inbounds nuw (i8, ptr @optarena_thread, i64 4), align 4, !tbaa !3
  %109 = load ptr, ptr %14, align 8, !tbaa !10
  %110 = getelementptr inbounds nuw ptr, ptr %109, i64 %101
  %111 = load ptr, ptr %110, align 8, !tbaa !16
  tail call void @optarena_switch(ptr noundef nonnull @scheduler, ptr noundef %111) #6
  %112 = load ptr, ptr %15, align 8, !tbaa !26
  %113 = load i32, ptr @running, align 4, !tbaa !3
  %114 = zext i32 %113 to i64
  %115 = getelementptr inbounds nuw i8, ptr %112, i64 %114
  %116 = load i8, ptr %115, align 1, !tbaa !17
  %117 = icmp ne i8 %116, 0
  %118 = sext i1 %117 to i32
  %119 = add i32 %97, %118
  br label %120

120:                                              ; preds = %105, %93
  %121 = phi ptr [ %94, %93 ], [ %112, %105 ]
  %122 = phi ptr [ %95, %93 ], [ %112, %105 ]
  %123 = phi i32 [ %97, %93 ], [ %119, %105 ]
  %124 = add nuw nsw i64 %96, 1
  %125 = icmp eq i64 %124, %38
  br i1 %125, label %91, label %126

126:                                              ; preds = %120, %91
  %127 = phi ptr [ %122, %120 ], [ %121, %91 ]
  %128 = phi i64 [ %124, %120 ], [ 0, %91 ]
  br label %93, !llvm.loop !29

129:                                              ; preds = %91, %31
  tail call void @optarena_check_shared() #6
  %130 = add nuw i32 %32, 1
  %131 = load i32, ptr %0, align 8, !tbaa !3
  %132 = icmp ult i32 %130, %131
  br i1 %132, label %31, label %24, !llvm.loop !30
}

declare void @optarena_switch(ptr noundef, ptr noundef) local_unnamed_addr #3

declare void @optarena_clear_shared() local_unnamed_addr #3

declare void @optarena_check_shared() local_unnamed_addr #3

; Function Attrs: nounwind
define internal void @fiber() #0 {
  %1 = load ptr, ptr @current, align 8, !tbaa !7
  %2 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %3 = load ptr, ptr %2, align 8, !tbaa !31
  tail call void @optarena_kernel(ptr noundef %3) #6
  %4 = load ptr, ptr @current, align 8, !tbaa !7
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %6 = load ptr, ptr %5, align 8, !tbaa !26
  %7 = load i32, ptr @running, align 4, !tbaa !3
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 %8
  store i8 1, ptr %9, align 1, !tbaa !17
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %11 = load ptr, ptr %10, align 8, !tbaa !10
  %12 = getelementptr inbounds nuw ptr, ptr %11, i64 %8
  %13 = load ptr, ptr @scheduler, align 8, !tbaa !16
  tail call void @optarena_switch(ptr noundef %12, ptr noundef %13) #6
  ret void
}

declare void @optarena_kernel(ptr noundef) local_unnamed_addr #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
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
!8 = !{!"p1 _ZTS6launch", !9, i64 0}
!9 = !{!"any pointer", !5, i64 0}
!10 = !{!11, !15, i64 40}
!11 = !{!"launch", !5, i64 0, !5, i64 8, !12, i64 16, !13, i64 24, !14, i64 32, !15, i64 40, !13, i64 48, !15, i64 56, !14, i64 64}
!12 = !{!"p1 int", !9, i64 0}
!13 = !{!"p1 omnipotent char", !9, i64 0}
!14 = !{!"long", !5, i64 0}
!15 = !{!"any p2 pointer", !9, i64 0}
!16 = !{!9, !9, i64 0}
!17 = !{!5, !5, i64 0}
!18 = !{!11, !14, i64 64}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.unroll.disable"}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.mustprogress"}
!23 = distinct !{!23, !22}
!24 = !{!11, !13, i64 24}
!25 = !{!11, !14, i64 32}
!26 = !{!11, !13, i64 48}
!27 = distinct !{!27, !22}
!28 = !{!11, !12, i64 16}
!29 = distinct !{!29, !22}
!30 = distinct !{!30, !22}
!31 = !{!11, !15, i64 56}
