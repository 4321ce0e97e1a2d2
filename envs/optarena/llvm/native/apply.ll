; ModuleID = 'apply.c'
source_filename = "apply.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_apply(ptr noundef initializes((56, 72), (80, 88)) %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8, !tbaa !7
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8, !tbaa !13
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 80
  store i64 0, ptr %9, align 8, !tbaa !14
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 64
  store i64 0, ptr %10, align 8, !tbaa !15
  %11 = icmp eq ptr %2, null
  br i1 %11, label %14, label %12

12:                                               ; preds = %3
  %13 = tail call ptr @LLVMRunPassesOnFunction(ptr noundef nonnull %2, ptr noundef %1, ptr noundef %5, ptr noundef %7) #3
  br label %17

14:                                               ; preds = %3
  %15 = load ptr, ptr %0, align 8, !tbaa !16
  %16 = tail call ptr @LLVMRunPasses(ptr noundef %15, ptr noundef %1, ptr noundef %5, ptr noundef %7) #3
  br label %17

17:                                               ; preds = %14, %12
  %18 = phi ptr [ %13, %12 ], [ %16, %14 ]
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 56
  store ptr %18, ptr %19, align 8, !tbaa !17
  %20 = icmp eq ptr %18, null
  br i1 %20, label %21, label %43

21:                                               ; preds = %17
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %23 = load ptr, ptr %22, align 8, !tbaa !18
  %24 = load i32, ptr %23, align 4, !tbaa !3
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %43

26:                                               ; preds = %21
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %28 = load ptr, ptr %27, align 8, !tbaa !19
  %29 = icmp eq ptr %28, null
  br i1 %29, label %43, label %30

30:                                               ; preds = %26
  %31 = load ptr, ptr %0, align 8, !tbaa !16
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %33 = load ptr, ptr %32, align 8, !tbaa !20
  %34 = tail call i32 %28(ptr noundef %31, ptr noundef %33, ptr noundef nonnull %8) #3
  %35 = sext i32 %34 to i64
  store i64 %35, ptr %10, align 8, !tbaa !15
  %36 = icmp eq i32 %34, 0
  br i1 %36, label %43, label %37

37:                                               ; preds = %30
  %38 = load i64, ptr %9, align 8, !tbaa !14
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %40 = load i64, ptr %39, align 8, !tbaa !21
  %41 = icmp ule i64 %38, %40
  %42 = zext i1 %41 to i32
  br label %43

43:                                               ; preds = %30, %37, %17, %21, %26
  %44 = phi i32 [ 0, %17 ], [ 0, %26 ], [ 0, %21 ], [ 0, %30 ], [ %42, %37 ]
  ret i32 %44
}

declare ptr @LLVMRunPassesOnFunction(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @optarena_yes() local_unnamed_addr #2 {
  ret i32 1
}

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!8, !10, i64 8}
!8 = !{!"", !9, i64 0, !10, i64 8, !10, i64 16, !10, i64 24, !10, i64 32, !11, i64 40, !12, i64 48, !10, i64 56, !12, i64 64, !5, i64 72}
!9 = !{!"p1 _ZTS6Module", !10, i64 0}
!10 = !{!"any pointer", !5, i64 0}
!11 = !{!"p1 int", !10, i64 0}
!12 = !{!"long long", !5, i64 0}
!13 = !{!8, !10, i64 16}
!14 = !{!12, !12, i64 0}
!15 = !{!8, !12, i64 64}
!16 = !{!8, !9, i64 0}
!17 = !{!8, !10, i64 56}
!18 = !{!8, !11, i64 40}
!19 = !{!8, !10, i64 24}
!20 = !{!8, !10, i64 32}
!21 = !{!8, !12, i64 48}
