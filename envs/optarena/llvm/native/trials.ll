; ModuleID = 'trials.c'
source_filename = "trials.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.Polled = type { i32, i16, i16 }

@.str = private unnamed_addr constant [10 x i8] c"/dev/null\00", align 1

; Function Attrs: nounwind
define dso_local void @optarena_trials(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = alloca [64 x %struct.Polled], align 16
  %3 = alloca [64 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #7
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 144
  br label %10

6:                                                ; preds = %94, %50, %63
  %7 = phi i32 [ %66, %63 ], [ 1, %50 ], [ %66, %94 ]
  %8 = phi i64 [ %64, %63 ], [ %25, %50 ], [ %64, %94 ]
  %9 = phi i32 [ %65, %63 ], [ 0, %50 ], [ %95, %94 ]
  br label %10, !llvm.loop !7

10:                                               ; preds = %6, %1
  %11 = phi i64 [ 0, %1 ], [ %8, %6 ]
  %12 = phi i32 [ 1, %1 ], [ %7, %6 ]
  %13 = phi i32 [ 0, %1 ], [ %9, %6 ]
  %14 = icmp eq i32 %13, 0
  %15 = icmp eq i32 %12, 0
  br i1 %14, label %16, label %20

16:                                               ; preds = %10
  br i1 %15, label %97, label %17

17:                                               ; preds = %16
  %18 = load i64, ptr %4, align 8, !tbaa !9
  %19 = icmp ult i64 %11, %18
  br i1 %19, label %21, label %97

20:                                               ; preds = %10
  br i1 %15, label %63, label %21

21:                                               ; preds = %17, %20
  %22 = sext i32 %13 to i64
  br label %23

23:                                               ; preds = %21, %39
  %24 = phi i64 [ %22, %21 ], [ %47, %39 ]
  %25 = phi i64 [ %11, %21 ], [ %49, %39 ]
  %26 = load i64, ptr %4, align 8, !tbaa !9
  %27 = icmp ult i64 %25, %26
  %28 = icmp slt i64 %24, 64
  %29 = select i1 %27, i1 %28, i1 false
  br i1 %29, label %30, label %50

30:                                               ; preds = %23
  %31 = load i64, ptr %5, align 8, !tbaa !16
  %32 = icmp sgt i64 %31, %24
  br i1 %32, label %33, label %50

33:                                               ; preds = %30
  %34 = call i32 @fork() #7
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %36, label %37

36:                                               ; preds = %33
  call fastcc void @child(ptr noundef nonnull %0, i64 noundef %25) #8
  unreachable

37:                                               ; preds = %33
  %38 = icmp slt i32 %34, 0
  br i1 %38, label %59, label %39

39:                                               ; preds = %37
  %40 = call i64 (i64, ...) @syscall(i64 noundef 434, i32 noundef %34, i32 noundef 0) #7
  %41 = freeze i64 %40
  %42 = trunc i64 %41 to i32
  %43 = icmp slt i32 %42, 0
  %44 = getelementptr inbounds %struct.Polled, ptr %2, i64 %24
  store i32 %42, ptr %44, align 8, !tbaa !3
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 4
  store i16 1, ptr %45, align 4, !tbaa !17
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 6
  store i16 0, ptr %46, align 2, !tbaa !17
  %47 = add nsw i64 %24, 1
  %48 = getelementptr inbounds i32, ptr %3, i64 %24
  store i32 %34, ptr %48, align 4, !tbaa !3
  %49 = add nuw i64 %25, 1
  br i1 %43, label %59, label %23

50:                                               ; preds = %23, %30
  %51 = icmp eq i64 %24, 0
  br i1 %51, label %6, label %52

52:                                               ; preds = %50
  %53 = trunc nsw i64 %24 to i32
  %54 = shl i64 %24, 32
  %55 = ashr exact i64 %54, 32
  %56 = call i32 @poll(ptr noundef nonnull %2, i64 noundef %55, i32 noundef 5000) #7
  %57 = icmp ne i32 %56, 0
  %58 = zext i1 %57 to i32
  br label %63

59:                                               ; preds = %39, %37
  %60 = phi i64 [ %24, %37 ], [ %47, %39 ]
  %61 = phi i64 [ %25, %37 ], [ %49, %39 ]
  %62 = trunc i64 %60 to i32
  br label %63

63:                                               ; preds = %59, %20, %52
  %64 = phi i64 [ %11, %20 ], [ %25, %52 ], [ %61, %59 ]
  %65 = phi i32 [ %13, %20 ], [ %53, %52 ], [ %62, %59 ]
  %66 = phi i32 [ 0, %20 ], [ %58, %52 ], [ 0, %59 ]
  %67 = icmp sgt i32 %65, 0
  br i1 %67, label %68, label %6

68:                                               ; preds = %63
  %69 = icmp eq i32 %66, 0
  %70 = zext nneg i32 %65 to i64
  br label %71

71:                                               ; preds = %68, %94
  %72 = phi i64 [ %70, %68 ], [ %74, %94 ]
  %73 = phi i32 [ %65, %68 ], [ %95, %94 ]
  %74 = add nsw i64 %72, -1
  br i1 %69, label %80, label %75

75:                                               ; preds = %71
  %76 = getelementptr inbounds nuw %struct.Polled, ptr %2, i64 %74
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 6
  %78 = load i16, ptr %77, align 2, !tbaa !19
  %79 = icmp eq i16 %78, 0
  br i1 %79, label %94, label %80

80:                                               ; preds = %75, %71
  %81 = getelementptr inbounds nuw i32, ptr %3, i64 %74
  %82 = load i32, ptr %81, align 4, !tbaa !3
  %83 = call i32 @kill(i32 noundef %82, i32 noundef 9) #7
  %84 = call i32 @waitpid(i32 noundef %82, ptr noundef null, i32 noundef 0) #7
  %85 = getelementptr inbounds nuw %struct.Polled, ptr %2, i64 %74
  %86 = load i32, ptr %85, align 8, !tbaa !21
  %87 = call i32 @close(i32 noundef %86) #7
  %88 = add nsw i32 %73, -1
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds %struct.Polled, ptr %2, i64 %89
  %91 = load i64, ptr %90, align 8
  store i64 %91, ptr %85, align 8
  %92 = getelementptr inbounds i32, ptr %3, i64 %89
  %93 = load i32, ptr %92, align 4, !tbaa !3
  store i32 %93, ptr %81, align 4, !tbaa !3
  br label %94

94:                                               ; preds = %75, %80
  %95 = phi i32 [ %88, %80 ], [ %73, %75 ]
  %96 = icmp samesign ugt i64 %72, 1
  br i1 %96, label %71, label %6, !llvm.loop !22

97:                                               ; preds = %16, %17
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #7
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nofree
declare i32 @fork() local_unnamed_addr #2

; Function Attrs: noreturn nounwind
define internal fastcc void @child(ptr noundef readonly captures(none) %0, i64 noundef %1) unnamed_addr #3 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %4 = load ptr, ptr %3, align 8, !tbaa !23
  %5 = shl i64 %1, 12
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 %5
  %7 = load ptr, ptr %0, align 8, !tbaa !24
  %8 = tail call i32 @setpgid(i32 noundef 0, i32 noundef 0) #7
  %9 = tail call i32 (i32, ...) @prctl(i32 noundef 1, i32 noundef 9) #7
  %10 = tail call i32 @getppid() #7
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %13 = load i64, ptr %12, align 8, !tbaa !25
  %14 = icmp eq i64 %13, %11
  br i1 %14, label %16, label %15

15:                                               ; preds = %2
  tail call void @_exit(i32 noundef 1) #9
  unreachable

16:                                               ; preds = %2
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %18 = load i64, ptr %17, align 8, !tbaa !26
  %19 = trunc i64 %18 to i32
  %20 = tail call i32 @close(i32 noundef %19) #7
  %21 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str, i32 noundef 1) #7
  %22 = tail call i32 @dup2(i32 noundef %21, i32 noundef 1) #7
  %23 = tail call i32 @dup2(i32 noundef %21, i32 noundef 2) #7
  %24 = load ptr, ptr %3, align 8, !tbaa !23
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %26 = load i64, ptr %25, align 8, !tbaa !9
  %27 = shl i64 %26, 12
  %28 = tail call i32 @mprotect(ptr noundef %24, i64 noundef %27, i32 noundef 0) #7
  %29 = tail call i32 @mprotect(ptr noundef %6, i64 noundef 4096, i32 noundef 3) #7
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %31 = load i64, ptr %30, align 8, !tbaa !27
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %37, label %33

33:                                               ; preds = %16
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %35 = load ptr, ptr %34, align 8, !tbaa !28
  %36 = tail call i32 @madvise(ptr noundef %35, i64 noundef %31, i32 noundef 23) #7
  br label %37

37:                                               ; preds = %33, %16
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %39 = load i64, ptr %38, align 8, !tbaa !29
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %41 = load i64, ptr %40, align 8, !tbaa !29
  %42 = or i64 %41, %39
  %43 = icmp eq i64 %42, 0
  br i1 %43, label %47, label %44

44:                                               ; preds = %37
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %46 = tail call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %45, ptr noundef null)
  br label %47

47:                                               ; preds = %37, %44
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %49 = load ptr, ptr %48, align 8, !tbaa !30
  %50 = getelementptr inbounds nuw ptr, ptr %49, i64 %1
  %51 = load ptr, ptr %50, align 8, !tbaa !31
  %52 = tail call i32 @optarena_apply(ptr noundef %7, ptr noundef %51, ptr noundef null) #7
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %55

54:                                               ; preds = %47
  tail call void @_exit(i32 noundef 1) #9
  unreachable

55:                                               ; preds = %47
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %58 = load ptr, ptr %56, align 8, !tbaa !32
  %59 = icmp eq ptr %58, null
  br i1 %59, label %60, label %71

60:                                               ; preds = %92, %84, %77, %71, %55
  %61 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %62 = load i64, ptr %61, align 8, !tbaa !29
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %64 = load i64, ptr %63, align 8, !tbaa !33
  %65 = icmp eq i64 %62, %64
  %66 = zext i1 %65 to i64
  %67 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store volatile i64 %66, ptr %67, align 8, !tbaa !29
  %68 = getelementptr inbounds nuw i8, ptr %7, i64 80
  %69 = load i64, ptr %68, align 8, !tbaa !29
  %70 = getelementptr inbounds nuw i8, ptr %6, i64 16
  store volatile i64 %69, ptr %70, align 8, !tbaa !29
  store volatile i64 1, ptr %6, align 8, !tbaa !29
  tail call void @_exit(i32 noundef 0) #9
  unreachable

71:                                               ; preds = %55
  %72 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %73 = load ptr, ptr %7, align 8, !tbaa !34
  tail call void %58(ptr noundef %73, ptr noundef nonnull %72) #7
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %75 = load ptr, ptr %74, align 8, !tbaa !32
  %76 = icmp eq ptr %75, null
  br i1 %76, label %60, label %77

77:                                               ; preds = %71
  %78 = load i64, ptr %57, align 8, !tbaa !29
  %79 = getelementptr inbounds nuw i64, ptr %72, i64 %78
  %80 = load ptr, ptr %7, align 8, !tbaa !34
  tail call void %75(ptr noundef %80, ptr noundef nonnull %79) #7
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %82 = load ptr, ptr %81, align 8, !tbaa !32
  %83 = icmp eq ptr %82, null
  br i1 %83, label %60, label %84

84:                                               ; preds = %77
  %85 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %86 = load i64, ptr %85, align 8, !tbaa !29
  %87 = getelementptr inbounds nuw i64, ptr %79, i64 %86
  %88 = load ptr, ptr %7, align 8, !tbaa !34
  tail call void %82(ptr noundef %88, ptr noundef nonnull %87) #7
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %90 = load ptr, ptr %89, align 8, !tbaa !32
  %91 = icmp eq ptr %90, null
  br i1 %91, label %60, label %92

92:                                               ; preds = %84
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %94 = load i64, ptr %93, align 8, !tbaa !29
  %95 = getelementptr inbounds nuw i64, ptr %87, i64 %94
  %96 = load ptr, ptr %7, align 8, !tbaa !34
  tail call void %90(ptr noundef %96, ptr noundef nonnull %95) #7
  br label %60
}

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i32 @poll(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @kill(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @waitpid(i32 noundef, ptr noundef, i32 noundef) local_unnamed_addr #4

declare i32 @close(i32 noundef) local_unnamed_addr #4

declare i32 @optarena_apply(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: noreturn
declare void @_exit(i32 noundef) local_unnamed_addr #5

declare i32 @setpgid(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @prctl(i32 noundef, ...) local_unnamed_addr #4

declare i32 @getppid() local_unnamed_addr #4

; Function Attrs: nofree
declare noundef i32 @open(ptr noundef readonly captures(none), i32 noundef, ...) local_unnamed_addr #2

declare i32 @dup2(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @mprotect(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @madvise(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nofree nounwind willreturn
declare noundef i32 @setitimer(i32 noundef, ptr noundef readonly captures(none), ptr noundef captures(none)) local_unnamed_addr #6

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nounwind willreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nounwind }
attributes #8 = { noreturn }
attributes #9 = { noreturn nounwind }

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
!9 = !{!10, !12, i64 152}
!10 = !{!"", !11, i64 0, !5, i64 8, !5, i64 40, !12, i64 72, !5, i64 80, !13, i64 112, !12, i64 120, !12, i64 128, !12, i64 136, !12, i64 144, !12, i64 152, !14, i64 160, !13, i64 168}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!"long long", !5, i64 0}
!13 = !{!"p1 omnipotent char", !11, i64 0}
!14 = !{!"p2 omnipotent char", !15, i64 0}
!15 = !{!"any p2 pointer", !11, i64 0}
!16 = !{!10, !12, i64 144}
!17 = !{!18, !18, i64 0}
!18 = !{!"short", !5, i64 0}
!19 = !{!20, !18, i64 6}
!20 = !{!"", !4, i64 0, !18, i64 4, !18, i64 6}
!21 = !{!20, !4, i64 0}
!22 = distinct !{!22, !8}
!23 = !{!10, !13, i64 168}
!24 = !{!10, !11, i64 0}
!25 = !{!10, !12, i64 128}
!26 = !{!10, !12, i64 136}
!27 = !{!10, !12, i64 120}
!28 = !{!10, !13, i64 112}
!29 = !{!12, !12, i64 0}
!30 = !{!10, !14, i64 160}
!31 = !{!13, !13, i64 0}
!32 = !{!11, !11, i64 0}
!33 = !{!10, !12, i64 72}
!34 = !{!35, !36, i64 0}
!35 = !{!"", !36, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !37, i64 40, !12, i64 48, !11, i64 56, !12, i64 64, !5, i64 72}
!36 = !{!"p1 _ZTS6Module", !11, i64 0}
!37 = !{!"p1 int", !11, i64 0}
