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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 152
  br label %11

7:                                                ; preds = %97, %51, %66
  %8 = phi i32 [ %69, %66 ], [ 1, %51 ], [ %69, %97 ]
  %9 = phi i64 [ %67, %66 ], [ %26, %51 ], [ %67, %97 ]
  %10 = phi i32 [ %68, %66 ], [ 0, %51 ], [ %98, %97 ]
  br label %11, !llvm.loop !7

11:                                               ; preds = %7, %1
  %12 = phi i64 [ 0, %1 ], [ %9, %7 ]
  %13 = phi i32 [ 1, %1 ], [ %8, %7 ]
  %14 = phi i32 [ 0, %1 ], [ %10, %7 ]
  %15 = icmp eq i32 %14, 0
  %16 = icmp eq i32 %13, 0
  br i1 %15, label %17, label %21

17:                                               ; preds = %11
  br i1 %16, label %100, label %18

18:                                               ; preds = %17
  %19 = load i64, ptr %4, align 8, !tbaa !9
  %20 = icmp ult i64 %12, %19
  br i1 %20, label %22, label %100

21:                                               ; preds = %11
  br i1 %16, label %66, label %22

22:                                               ; preds = %18, %21
  %23 = sext i32 %14 to i64
  br label %24

24:                                               ; preds = %22, %40
  %25 = phi i64 [ %23, %22 ], [ %48, %40 ]
  %26 = phi i64 [ %12, %22 ], [ %50, %40 ]
  %27 = load i64, ptr %4, align 8, !tbaa !9
  %28 = icmp ult i64 %26, %27
  %29 = icmp slt i64 %25, 64
  %30 = select i1 %28, i1 %29, i1 false
  br i1 %30, label %31, label %51

31:                                               ; preds = %24
  %32 = load i64, ptr %5, align 8, !tbaa !17
  %33 = icmp sgt i64 %32, %25
  br i1 %33, label %34, label %51

34:                                               ; preds = %31
  %35 = call i32 @fork() #7
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %37, label %38

37:                                               ; preds = %34
  call fastcc void @child(ptr noundef nonnull %0, i64 noundef %26) #8
  unreachable

38:                                               ; preds = %34
  %39 = icmp slt i32 %35, 0
  br i1 %39, label %62, label %40

40:                                               ; preds = %38
  %41 = call i64 (i64, ...) @syscall(i64 noundef 434, i32 noundef %35, i32 noundef 0) #7
  %42 = freeze i64 %41
  %43 = trunc i64 %42 to i32
  %44 = icmp slt i32 %43, 0
  %45 = getelementptr inbounds %struct.Polled, ptr %2, i64 %25
  store i32 %43, ptr %45, align 8, !tbaa !3
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 4
  store i16 1, ptr %46, align 4, !tbaa !18
  %47 = getelementptr inbounds nuw i8, ptr %45, i64 6
  store i16 0, ptr %47, align 2, !tbaa !18
  %48 = add nsw i64 %25, 1
  %49 = getelementptr inbounds i32, ptr %3, i64 %25
  store i32 %35, ptr %49, align 4, !tbaa !3
  %50 = add nuw i64 %26, 1
  br i1 %44, label %62, label %24

51:                                               ; preds = %24, %31
  %52 = icmp eq i64 %25, 0
  br i1 %52, label %7, label %53

53:                                               ; preds = %51
  %54 = trunc nsw i64 %25 to i32
  %55 = shl i64 %25, 32
  %56 = ashr exact i64 %55, 32
  %57 = load i64, ptr %6, align 8, !tbaa !20
  %58 = trunc i64 %57 to i32
  %59 = call i32 @poll(ptr noundef nonnull %2, i64 noundef %56, i32 noundef %58) #7
  %60 = icmp ne i32 %59, 0
  %61 = zext i1 %60 to i32
  br label %66

62:                                               ; preds = %40, %38
  %63 = phi i64 [ %25, %38 ], [ %48, %40 ]
  %64 = phi i64 [ %26, %38 ], [ %50, %40 ]
  %65 = trunc i64 %63 to i32
  br label %66

66:                                               ; preds = %62, %21, %53
  %67 = phi i64 [ %12, %21 ], [ %26, %53 ], [ %64, %62 ]
  %68 = phi i32 [ %14, %21 ], [ %54, %53 ], [ %65, %62 ]
  %69 = phi i32 [ 0, %21 ], [ %61, %53 ], [ 0, %62 ]
  %70 = icmp sgt i32 %68, 0
  br i1 %70, label %71, label %7

71:                                               ; preds = %66
  %72 = icmp eq i32 %69, 0
  %73 = zext nneg i32 %68 to i64
  br label %74

74:                                               ; preds = %71, %97
  %75 = phi i64 [ %73, %71 ], [ %77, %97 ]
  %76 = phi i32 [ %68, %71 ], [ %98, %97 ]
  %77 = add nsw i64 %75, -1
  br i1 %72, label %83, label %78

78:                                               ; preds = %74
  %79 = getelementptr inbounds nuw %struct.Polled, ptr %2, i64 %77
  %80 = getelementptr inbounds nuw i8, ptr %79, i64 6
  %81 = load i16, ptr %80, align 2, !tbaa !21
  %82 = icmp eq i16 %81, 0
  br i1 %82, label %97, label %83

83:                                               ; preds = %78, %74
  %84 = getelementptr inbounds nuw i32, ptr %3, i64 %77
  %85 = load i32, ptr %84, align 4, !tbaa !3
  %86 = call i32 @kill(i32 noundef %85, i32 noundef 9) #7
  %87 = call i32 @waitpid(i32 noundef %85, ptr noundef null, i32 noundef 0) #7
  %88 = getelementptr inbounds nuw %struct.Polled, ptr %2, i64 %77
  %89 = load i32, ptr %88, align 8, !tbaa !23
  %90 = call i32 @close(i32 noundef %89) #7
  %91 = add nsw i32 %76, -1
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds %struct.Polled, ptr %2, i64 %92
  %94 = load i64, ptr %93, align 8
  store i64 %94, ptr %88, align 8
  %95 = getelementptr inbounds i32, ptr %3, i64 %92
  %96 = load i32, ptr %95, align 4, !tbaa !3
  store i32 %96, ptr %84, align 4, !tbaa !3
  br label %97

97:                                               ; preds = %78, %83
  %98 = phi i32 [ %91, %83 ], [ %76, %78 ]
  %99 = icmp samesign ugt i64 %75, 1
  br i1 %99, label %74, label %7, !llvm.loop !24

100:                                              ; preds = %17, %18
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
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %4 = load ptr, ptr %3, align 8, !tbaa !25
  %5 = shl i64 %1, 12
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 %5
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %8 = load ptr, ptr %0, align 8, !tbaa !26
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = load i64, ptr %9, align 8, !tbaa !27
  %11 = tail call i32 @setpgid(i32 noundef 0, i32 noundef 0) #7
  %12 = tail call i32 (i32, ...) @prctl(i32 noundef 1, i32 noundef 9) #7
  %13 = tail call i32 @getppid() #7
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %16 = load i64, ptr %15, align 8, !tbaa !28
  %17 = icmp eq i64 %16, %14
  br i1 %17, label %19, label %18

18:                                               ; preds = %2
  tail call void @_exit(i32 noundef 1) #9
  unreachable

19:                                               ; preds = %2
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %21 = load i64, ptr %20, align 8, !tbaa !29
  %22 = trunc i64 %21 to i32
  %23 = tail call i32 @close(i32 noundef %22) #7
  %24 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str, i32 noundef 1) #7
  %25 = tail call i32 @dup2(i32 noundef %24, i32 noundef 1) #7
  %26 = tail call i32 @dup2(i32 noundef %24, i32 noundef 2) #7
  %27 = load ptr, ptr %3, align 8, !tbaa !25
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %29 = load i64, ptr %28, align 8, !tbaa !9
  %30 = shl i64 %29, 12
  %31 = tail call i32 @mprotect(ptr noundef %27, i64 noundef %30, i32 noundef 0) #7
  %32 = tail call i32 @mprotect(ptr noundef %6, i64 noundef 4096, i32 noundef 3) #7
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %34 = load i64, ptr %33, align 8, !tbaa !30
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %40, label %36

36:                                               ; preds = %19
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %38 = load ptr, ptr %37, align 8, !tbaa !31
  %39 = tail call i32 @madvise(ptr noundef %38, i64 noundef %34, i32 noundef 23) #7
  br label %40

40:                                               ; preds = %19, %36
  %41 = icmp eq i64 %1, 0
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %43 = load ptr, ptr %42, align 8, !tbaa !32
  br i1 %41, label %48, label %44

44:                                               ; preds = %40
  %45 = getelementptr i64, ptr %43, i64 %1
  %46 = getelementptr i8, ptr %45, i64 -8
  %47 = load i64, ptr %46, align 8, !tbaa !33
  br label %48

48:                                               ; preds = %40, %44
  %49 = phi i64 [ %47, %44 ], [ 0, %40 ]
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %51 = getelementptr inbounds nuw i64, ptr %43, i64 %1
  %52 = load i64, ptr %51, align 8, !tbaa !33
  %53 = icmp ult i64 %49, %52
  br i1 %53, label %54, label %69

54:                                               ; preds = %48
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %59 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %60 = getelementptr inbounds nuw i8, ptr %8, i64 80
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %66 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 64
  br label %70

69:                                               ; preds = %96, %48
  store volatile i64 1, ptr %6, align 8, !tbaa !33
  tail call void @_exit(i32 noundef 0) #9
  unreachable

70:                                               ; preds = %54, %96
  %71 = phi i64 [ %49, %54 ], [ %99, %96 ]
  %72 = phi i64 [ %10, %54 ], [ %98, %96 ]
  %73 = phi ptr [ %7, %54 ], [ %97, %96 ]
  %74 = load i64, ptr %55, align 8, !tbaa !33
  %75 = load i64, ptr %56, align 8, !tbaa !33
  %76 = or i64 %75, %74
  %77 = icmp eq i64 %76, 0
  br i1 %77, label %80, label %78

78:                                               ; preds = %70
  %79 = tail call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %57, ptr noundef null)
  br label %80

80:                                               ; preds = %70, %78
  %81 = load ptr, ptr %58, align 8, !tbaa !34
  %82 = getelementptr inbounds nuw ptr, ptr %81, i64 %71
  %83 = load ptr, ptr %82, align 8, !tbaa !35
  %84 = tail call i32 @optarena_apply(ptr noundef %8, ptr noundef %83, ptr noundef null) #7
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %86, label %87

86:                                               ; preds = %80
  tail call void @_exit(i32 noundef 1) #9
  unreachable

87:                                               ; preds = %80
  %88 = load i64, ptr %59, align 8, !tbaa !33
  %89 = icmp eq i64 %88, %72
  %90 = zext i1 %89 to i64
  %91 = getelementptr inbounds nuw i8, ptr %73, i64 8
  store i64 %90, ptr %73, align 8, !tbaa !33
  %92 = load i64, ptr %60, align 8, !tbaa !33
  %93 = getelementptr inbounds nuw i8, ptr %73, i64 16
  store i64 %92, ptr %91, align 8, !tbaa !33
  %94 = load ptr, ptr %61, align 8, !tbaa !36
  %95 = icmp eq ptr %94, null
  br i1 %95, label %96, label %104

96:                                               ; preds = %122, %116, %110, %104, %87
  %97 = phi ptr [ %125, %122 ], [ %93, %87 ], [ %107, %104 ], [ %119, %116 ], [ %113, %110 ]
  %98 = load i64, ptr %59, align 8, !tbaa !33
  %99 = add nuw i64 %71, 1
  %100 = load ptr, ptr %50, align 8, !tbaa !32
  %101 = getelementptr inbounds nuw i64, ptr %100, i64 %1
  %102 = load i64, ptr %101, align 8, !tbaa !33
  %103 = icmp ult i64 %99, %102
  br i1 %103, label %70, label %69, !llvm.loop !37

104:                                              ; preds = %87
  %105 = load ptr, ptr %8, align 8, !tbaa !38
  tail call void %94(ptr noundef %105, ptr noundef nonnull %93) #7
  %106 = load i64, ptr %62, align 8, !tbaa !33
  %107 = getelementptr inbounds nuw i64, ptr %93, i64 %106
  %108 = load ptr, ptr %63, align 8, !tbaa !36
  %109 = icmp eq ptr %108, null
  br i1 %109, label %96, label %110

110:                                              ; preds = %104
  %111 = load ptr, ptr %8, align 8, !tbaa !38
  tail call void %108(ptr noundef %111, ptr noundef nonnull %107) #7
  %112 = load i64, ptr %64, align 8, !tbaa !33
  %113 = getelementptr inbounds nuw i64, ptr %107, i64 %112
  %114 = load ptr, ptr %65, align 8, !tbaa !36
  %115 = icmp eq ptr %114, null
  br i1 %115, label %96, label %116

116:                                              ; preds = %110
  %117 = load ptr, ptr %8, align 8, !tbaa !38
  tail call void %114(ptr noundef %117, ptr noundef nonnull %113) #7
  %118 = load i64, ptr %66, align 8, !tbaa !33
  %119 = getelementptr inbounds nuw i64, ptr %113, i64 %118
  %120 = load ptr, ptr %67, align 8, !tbaa !36
  %121 = icmp eq ptr %120, null
  br i1 %121, label %96, label %122

122:                                              ; preds = %116
  %123 = load ptr, ptr %8, align 8, !tbaa !38
  tail call void %120(ptr noundef %123, ptr noundef nonnull %119) #7
  %124 = load i64, ptr %68, align 8, !tbaa !33
  %125 = getelementptr inbounds nuw i64, ptr %119, i64 %124
  br label %96
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
!9 = !{!10, !12, i64 160}
!10 = !{!"", !11, i64 0, !5, i64 8, !5, i64 40, !12, i64 72, !5, i64 80, !13, i64 112, !12, i64 120, !12, i64 128, !12, i64 136, !12, i64 144, !12, i64 152, !12, i64 160, !14, i64 168, !15, i64 176, !13, i64 184}
!11 = !{!"any pointer", !5, i64 0}
!12 = !{!"long long", !5, i64 0}
!13 = !{!"p1 omnipotent char", !11, i64 0}
!14 = !{!"p1 long long", !11, i64 0}
!15 = !{!"p2 omnipotent char", !16, i64 0}
!16 = !{!"any p2 pointer", !11, i64 0}
!17 = !{!10, !12, i64 144}
!18 = !{!19, !19, i64 0}
!19 = !{!"short", !5, i64 0}
!20 = !{!10, !12, i64 152}
!21 = !{!22, !19, i64 6}
!22 = !{!"", !4, i64 0, !19, i64 4, !19, i64 6}
!23 = !{!22, !4, i64 0}
!24 = distinct !{!24, !8}
!25 = !{!10, !13, i64 184}
!26 = !{!10, !11, i64 0}
!27 = !{!10, !12, i64 72}
!28 = !{!10, !12, i64 128}
!29 = !{!10, !12, i64 136}
!30 = !{!10, !12, i64 120}
!31 = !{!10, !13, i64 112}
!32 = !{!10, !14, i64 168}
!33 = !{!12, !12, i64 0}
!34 = !{!10, !15, i64 176}
!35 = !{!13, !13, i64 0}
!36 = !{!11, !11, i64 0}
!37 = distinct !{!37, !8}
!38 = !{!39, !40, i64 0}
!39 = !{!"", !40, i64 0, !11, i64 8, !11, i64 16, !11, i64 24, !11, i64 32, !41, i64 40, !12, i64 48, !11, i64 56, !12, i64 64, !5, i64 72}
!40 = !{!"p1 _ZTS6Module", !11, i64 0}
!41 = !{!"p1 int", !11, i64 0}
