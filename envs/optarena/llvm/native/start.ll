; ModuleID = 'start.c'
source_filename = "start.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@optarena_constructors = external local_unnamed_addr constant [0 x ptr], align 8
@optarena_destructors = external local_unnamed_addr constant [0 x ptr], align 8

; Function Attrs: nounwind
define dso_local i32 @main(i32 noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @__cxa_atexit(ptr noundef nonnull @destroy, ptr noundef null, ptr noundef null) #3
  %5 = load ptr, ptr @optarena_constructors, align 8, !tbaa !7
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %9

7:                                                ; preds = %9, %3
  %8 = tail call i32 @optarena_main(i32 noundef %0, ptr noundef %1, ptr noundef %2) #3
  ret i32 %8

9:                                                ; preds = %3, %9
  %10 = phi ptr [ %13, %9 ], [ %5, %3 ]
  %11 = phi ptr [ %12, %9 ], [ @optarena_constructors, %3 ]
  tail call void %10(i32 noundef %0, ptr noundef %1, ptr noundef %2) #3
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %13 = load ptr, ptr %12, align 8, !tbaa !7
  %14 = icmp eq ptr %13, null
  br i1 %14, label %7, label %9, !llvm.loop !9
}

; Function Attrs: nofree
declare i32 @__cxa_atexit(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind
define internal void @destroy(ptr readnone captures(none) %0) #0 {
  %2 = load ptr, ptr @optarena_destructors, align 8, !tbaa !7
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %5

4:                                                ; preds = %5, %1
  ret void

5:                                                ; preds = %1, %5
  %6 = phi ptr [ %9, %5 ], [ %2, %1 ]
  %7 = phi ptr [ %8, %5 ], [ @optarena_destructors, %1 ]
  tail call void %6() #3
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %9 = load ptr, ptr %8, align 8, !tbaa !7
  %10 = icmp eq ptr %9, null
  br i1 %10, label %4, label %5, !llvm.loop !11
}

declare i32 @optarena_main(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!7 = !{!8, !8, i64 0}
!8 = !{!"any pointer", !5, i64 0}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = distinct !{!11, !10}
