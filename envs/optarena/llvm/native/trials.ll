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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 192
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
  %31 = load i64, ptr %5, align 8, !tbaa !18
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
  store i16 1, ptr %45, align 4, !tbaa !19
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 6
  store i16 0, ptr %46, align 2, !tbaa !19
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
  %78 = load i16, ptr %77, align 2, !tbaa !21
  %79 = icmp eq i16 %78, 0
  br i1 %79, label %94, label %80

80:                                               ; preds = %75, %71
  %81 = getelementptr inbounds nuw i32, ptr %3, i64 %74
  %82 = load i32, ptr %81, align 4, !tbaa !3
  %83 = call i32 @kill(i32 noundef %82, i32 noundef 9) #7
  %84 = call i32 @waitpid(i32 noundef %82, ptr noundef null, i32 noundef 0) #7
  %85 = getelementptr inbounds nuw %struct.Polled, ptr %2, i64 %74
  %86 = load i32, ptr %85, align 8, !tbaa !23
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
  br i1 %96, label %71, label %6, !llvm.loop !24

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
  %3 = alloca [2 x i64], align 16
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %5 = load ptr, ptr %4, align 8, !tbaa !25
  %6 = shl i64 %1, 12
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 %6
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 24
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #7
  %9 = tail call i32 @setpgid(i32 noundef 0, i32 noundef 0) #7
  %10 = tail call i32 (i32, ...) @prctl(i32 noundef 1, i32 noundef 9) #7
  %11 = tail call i32 @getppid() #7
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %14 = load i64, ptr %13, align 8, !tbaa !26
  %15 = icmp eq i64 %14, %12
  br i1 %15, label %17, label %16

16:                                               ; preds = %2
  tail call void @_exit(i32 noundef 1) #9
  unreachable

17:                                               ; preds = %2
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %19 = load i64, ptr %18, align 8, !tbaa !27
  %20 = trunc i64 %19 to i32
  %21 = tail call i32 @close(i32 noundef %20) #7
  %22 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull @.str, i32 noundef 1) #7
  %23 = tail call i32 @dup2(i32 noundef %22, i32 noundef 1) #7
  %24 = tail call i32 @dup2(i32 noundef %22, i32 noundef 2) #7
  %25 = load ptr, ptr %4, align 8, !tbaa !25
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %27 = load i64, ptr %26, align 8, !tbaa !9
  %28 = shl i64 %27, 12
  %29 = tail call i32 @mprotect(ptr noundef %25, i64 noundef %28, i32 noundef 0) #7
  %30 = tail call i32 @mprotect(ptr noundef %7, i64 noundef 4096, i32 noundef 3) #7
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %32 = load i64, ptr %31, align 8, !tbaa !28
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %38, label %34

34:                                               ; preds = %17
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %36 = load ptr, ptr %35, align 8, !tbaa !29
  %37 = tail call i32 @madvise(ptr noundef %36, i64 noundef %32, i32 noundef 23) #7
  br label %38

38:                                               ; preds = %34, %17
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %40 = load i64, ptr %39, align 8, !tbaa !30
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %42 = load i64, ptr %41, align 8, !tbaa !30
  %43 = or i64 %42, %40
  %44 = icmp eq i64 %43, 0
  br i1 %44, label %48, label %45

45:                                               ; preds = %38
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %47 = tail call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %46, ptr noundef null)
  br label %48

48:                                               ; preds = %38, %45
  %49 = load ptr, ptr %0, align 8, !tbaa !31
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %51 = load ptr, ptr %50, align 8, !tbaa !32
  %52 = getelementptr inbounds nuw ptr, ptr %51, i64 %1
  %53 = load ptr, ptr %52, align 8, !tbaa !33
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %55 = load ptr, ptr %54, align 8, !tbaa !34
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %57 = load ptr, ptr %56, align 8, !tbaa !35
  %58 = tail call ptr @LLVMRunPasses(ptr noundef %49, ptr noundef %53, ptr noundef %55, ptr noundef %57) #7
  %59 = icmp eq ptr %58, null
  br i1 %59, label %61, label %60

60:                                               ; preds = %48
  tail call void @_exit(i32 noundef 1) #9
  unreachable

61:                                               ; preds = %48
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %63 = load ptr, ptr %62, align 8, !tbaa !36
  %64 = load i32, ptr %63, align 4, !tbaa !3
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %66, label %74

66:                                               ; preds = %61
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %68 = load ptr, ptr %67, align 8, !tbaa !37
  %69 = load ptr, ptr %0, align 8, !tbaa !31
  %70 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %71 = load ptr, ptr %70, align 8, !tbaa !38
  %72 = call i32 %68(ptr noundef %69, ptr noundef %71, ptr noundef nonnull %3) #7
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %74, label %75

74:                                               ; preds = %66, %61
  call void @_exit(i32 noundef 1) #9
  unreachable

75:                                               ; preds = %66
  %76 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %77 = load i64, ptr %76, align 8, !tbaa !30
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %79 = load i64, ptr %78, align 8, !tbaa !39
  %80 = icmp ugt i64 %77, %79
  br i1 %80, label %86, label %81

81:                                               ; preds = %75
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %83 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %84 = load ptr, ptr %82, align 8, !tbaa !40
  %85 = icmp eq ptr %84, null
  br i1 %85, label %87, label %96

86:                                               ; preds = %75
  call void @_exit(i32 noundef 1) #9
  unreachable

87:                                               ; preds = %116, %108, %101, %96, %81
  %88 = load i64, ptr %3, align 16, !tbaa !30
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %90 = load i64, ptr %89, align 8, !tbaa !41
  %91 = icmp eq i64 %88, %90
  %92 = zext i1 %91 to i64
  %93 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store volatile i64 %92, ptr %93, align 8, !tbaa !30
  %94 = load i64, ptr %76, align 8, !tbaa !30
  %95 = getelementptr inbounds nuw i8, ptr %7, i64 16
  store volatile i64 %94, ptr %95, align 8, !tbaa !30
  store volatile i64 1, ptr %7, align 8, !tbaa !30
  call void @_exit(i32 noundef 0) #9
  unreachable

96:                                               ; preds = %81
  %97 = load ptr, ptr %0, align 8, !tbaa !31
  call void %84(ptr noundef %97, ptr noundef nonnull %8) #7
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %99 = load ptr, ptr %98, align 8, !tbaa !40
  %100 = icmp eq ptr %99, null
  br i1 %100, label %87, label %101

101:                                              ; preds = %96
  %102 = load i64, ptr %83, align 8, !tbaa !30
  %103 = getelementptr inbounds nuw i64, ptr %8, i64 %102
  %104 = load ptr, ptr %0, align 8, !tbaa !31
  call void %99(ptr noundef %104, ptr noundef nonnull %103) #7
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %106 = load ptr, ptr %105, align 8, !tbaa !40
  %107 = icmp eq ptr %106, null
  br i1 %107, label %87, label %108

108:                                              ; preds = %101
  %109 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %110 = load i64, ptr %109, align 8, !tbaa !30
  %111 = getelementptr inbounds nuw i64, ptr %103, i64 %110
  %112 = load ptr, ptr %0, align 8, !tbaa !31
  call void %106(ptr noundef %112, ptr noundef nonnull %111) #7
  %113 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %114 = load ptr, ptr %113, align 8, !tbaa !40
  %115 = icmp eq ptr %114, null
  br i1 %115, label %87, label %116

116:                                              ; preds = %108
  %117 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %118 = load i64, ptr %117, align 8, !tbaa !30
  %119 = getelementptr inbounds nuw i64, ptr %111, i64 %118
  %120 = load ptr, ptr %0, align 8, !tbaa !31
  call void %114(ptr noundef %120, ptr noundef nonnull %119) #7
  br label %87
}

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i32 @poll(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @kill(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @waitpid(i32 noundef, ptr noundef, i32 noundef) local_unnamed_addr #4

declare i32 @close(i32 noundef) local_unnamed_addr #4

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

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
!9 = !{!10, !13, i64 200}
!10 = !{!"", !11, i64 0, !12, i64 8, !12, i64 16, !12, i64 24, !12, i64 32, !5, i64 40, !5, i64 72, !13, i64 104, !13, i64 112, !14, i64 120, !5, i64 128, !15, i64 160, !13, i64 168, !13, i64 176, !13, i64 184, !13, i64 192, !13, i64 200, !16, i64 208, !15, i64 216}
!11 = !{!"p1 _ZTS6Module", !12, i64 0}
!12 = !{!"any pointer", !5, i64 0}
!13 = !{!"long long", !5, i64 0}
!14 = !{!"p1 int", !12, i64 0}
!15 = !{!"p1 omnipotent char", !12, i64 0}
!16 = !{!"p2 omnipotent char", !17, i64 0}
!17 = !{!"any p2 pointer", !12, i64 0}
!18 = !{!10, !13, i64 192}
!19 = !{!20, !20, i64 0}
!20 = !{!"short", !5, i64 0}
!21 = !{!22, !20, i64 6}
!22 = !{!"", !4, i64 0, !20, i64 4, !20, i64 6}
!23 = !{!22, !4, i64 0}
!24 = distinct !{!24, !8}
!25 = !{!10, !15, i64 216}
!26 = !{!10, !13, i64 176}
!27 = !{!10, !13, i64 184}
!28 = !{!10, !13, i64 168}
!29 = !{!10, !15, i64 160}
!30 = !{!13, !13, i64 0}
!31 = !{!10, !11, i64 0}
!32 = !{!10, !16, i64 208}
!33 = !{!15, !15, i64 0}
!34 = !{!10, !12, i64 8}
!35 = !{!10, !12, i64 16}
!36 = !{!10, !14, i64 120}
!37 = !{!10, !12, i64 24}
!38 = !{!10, !12, i64 32}
!39 = !{!10, !13, i64 112}
!40 = !{!12, !12, i64 0}
!41 = !{!10, !13, i64 104}
