; ModuleID = 'apply.c'
source_filename = "apply.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define dso_local range(i32 0, 2) i32 @optarena_apply(ptr noundef initializes((56, 72)) %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8, !tbaa !7
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8, !tbaa !13
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 64
  store i64 0, ptr %8, align 8, !tbaa !14
  %9 = icmp eq ptr %2, null
  br i1 %9, label %12, label %10

10:                                               ; preds = %3
  %11 = tail call ptr @LLVMRunPassesOnFunction(ptr noundef nonnull %2, ptr noundef %1, ptr noundef %5, ptr noundef %7) #2
  br label %15

12:                                               ; preds = %3
  %13 = load ptr, ptr %0, align 8, !tbaa !15
  %14 = tail call ptr @LLVMRunPasses(ptr noundef %13, ptr noundef %1, ptr noundef %5, ptr noundef %7) #2
  br label %15

15:                                               ; preds = %12, %10
  %16 = phi ptr [ %11, %10 ], [ %14, %12 ]
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 56
  store ptr %16, ptr %17, align 8, !tbaa !16
  %18 = icmp eq ptr %16, null
  br i1 %18, label %19, label %43

19:                                               ; preds = %15
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %21 = load ptr, ptr %20, align 8, !tbaa !17
  %22 = load i32, ptr %21, align 4, !tbaa !3
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %43

24:                                               ; preds = %19
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %26 = load ptr, ptr %25, align 8, !tbaa !18
  %27 = icmp eq ptr %26, null
  br i1 %27, label %43, label %28

28:                                               ; preds = %24
  %29 = load ptr, ptr %0, align 8, !tbaa !15
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %31 = load ptr, ptr %30, align 8, !tbaa !19
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %33 = tail call i32 %26(ptr noundef %29, ptr noundef %31, ptr noundef nonnull %32) #2
  %34 = sext i32 %33 to i64
  store i64 %34, ptr %8, align 8, !tbaa !14
  %35 = icmp eq i32 %33, 0
  br i1 %35, label %43, label %36

36:                                               ; preds = %28
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %38 = load i64, ptr %37, align 8, !tbaa !20
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %40 = load i64, ptr %39, align 8, !tbaa !21
  %41 = icmp ule i64 %38, %40
  %42 = zext i1 %41 to i32
  br label %43

43:                                               ; preds = %28, %36, %15, %19, %24
  %44 = phi i32 [ 0, %15 ], [ 0, %24 ], [ 0, %19 ], [ 0, %28 ], [ %42, %36 ]
  ret i32 %44
}

declare ptr @LLVMRunPassesOnFunction(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind }

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
!14 = !{!8, !12, i64 64}
!15 = !{!8, !9, i64 0}
!16 = !{!8, !10, i64 56}
!17 = !{!8, !11, i64 40}
!18 = !{!8, !10, i64 24}
!19 = !{!8, !10, i64 32}
!20 = !{!12, !12, i64 0}
!21 = !{!8, !12, i64 48}
