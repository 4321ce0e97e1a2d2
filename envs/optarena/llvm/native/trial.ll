; ModuleID = 'trial.c'
source_filename = "trial.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define dso_local range(i32 1, 0) i32 @optarena_trial(ptr noundef readonly captures(none) %0) local_unnamed_addr #0 {
  %2 = tail call i32 @fork() #7
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %5

4:                                                ; preds = %1
  tail call fastcc void @child(ptr noundef %0) #8
  unreachable

5:                                                ; preds = %1
  ret i32 %2
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nofree
declare i32 @fork() local_unnamed_addr #2

; Function Attrs: noreturn nounwind
define internal fastcc void @child(ptr noundef readonly captures(none) %0) unnamed_addr #3 {
  %2 = alloca i64, align 8
  %3 = alloca [770 x i64], align 16
  %4 = alloca [2 x i64], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #7
  store i64 1, ptr %2, align 8, !tbaa !7
  %5 = tail call i32 @setpgid(i32 noundef 0, i32 noundef 0) #7
  %6 = tail call i32 (i32, ...) @prctl(i32 noundef 1, i32 noundef 9) #7
  %7 = tail call i32 @getppid() #7
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %10 = load i64, ptr %9, align 8, !tbaa !9
  %11 = icmp eq i64 %10, %8
  br i1 %11, label %13, label %12

12:                                               ; preds = %1
  tail call void @_exit(i32 noundef 69) #9
  unreachable

13:                                               ; preds = %1
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %15 = load i64, ptr %14, align 8, !tbaa !15
  %16 = trunc i64 %15 to i32
  %17 = tail call i32 @close(i32 noundef %16) #7
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %19 = load i64, ptr %18, align 8, !tbaa !16
  %20 = trunc i64 %19 to i32
  %21 = tail call i32 @dup2(i32 noundef %20, i32 noundef 1) #7
  %22 = load i64, ptr %18, align 8, !tbaa !16
  %23 = trunc i64 %22 to i32
  %24 = tail call i32 @dup2(i32 noundef %23, i32 noundef 2) #7
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %26 = load i64, ptr %25, align 8, !tbaa !17
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %32, label %28

28:                                               ; preds = %13
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %30 = load ptr, ptr %29, align 8, !tbaa !18
  %31 = tail call i32 @madvise(ptr noundef %30, i64 noundef %26, i32 noundef 23) #7
  br label %32

32:                                               ; preds = %28, %13
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %34 = load i64, ptr %33, align 8, !tbaa !19
  %35 = trunc i64 %34 to i32
  %36 = call i64 @pwrite(i32 noundef %35, ptr noundef nonnull %2, i64 noundef 8, i64 noundef 0) #7
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %38 = load i64, ptr %37, align 8, !tbaa !7
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %40 = load i64, ptr %39, align 8, !tbaa !7
  %41 = or i64 %40, %38
  %42 = icmp eq i64 %41, 0
  br i1 %42, label %46, label %43

43:                                               ; preds = %32
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %45 = tail call i32 @setitimer(i32 noundef 2, ptr noundef nonnull readonly %44, ptr noundef null)
  br label %46

46:                                               ; preds = %32, %43
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #7
  %47 = load ptr, ptr %0, align 8, !tbaa !20
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %49 = load ptr, ptr %48, align 8, !tbaa !21
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %51 = load ptr, ptr %50, align 8, !tbaa !22
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %53 = load ptr, ptr %52, align 8, !tbaa !23
  %54 = tail call ptr @LLVMRunPasses(ptr noundef %47, ptr noundef %49, ptr noundef %51, ptr noundef %53) #7
  %55 = icmp eq ptr %54, null
  br i1 %55, label %57, label %56

56:                                               ; preds = %46
  tail call void @_exit(i32 noundef 77) #9
  unreachable

57:                                               ; preds = %46
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %59 = load ptr, ptr %58, align 8, !tbaa !24
  %60 = load i32, ptr %59, align 4, !tbaa !3
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %63, label %62

62:                                               ; preds = %57
  tail call void @_exit(i32 noundef 77) #9
  unreachable

63:                                               ; preds = %57
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %65 = load ptr, ptr %64, align 8, !tbaa !25
  %66 = load ptr, ptr %0, align 8, !tbaa !20
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %68 = load ptr, ptr %67, align 8, !tbaa !26
  %69 = call i32 %65(ptr noundef %66, ptr noundef %68, ptr noundef nonnull %4) #7
  %70 = icmp eq i32 %69, 0
  br i1 %70, label %77, label %71

71:                                               ; preds = %63
  %72 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %73 = load i64, ptr %72, align 8, !tbaa !7
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %75 = load i64, ptr %74, align 8, !tbaa !27
  %76 = icmp ugt i64 %73, %75
  br i1 %76, label %77, label %78

77:                                               ; preds = %71, %63
  call void @_exit(i32 noundef 77) #9
  unreachable

78:                                               ; preds = %71
  %79 = load i64, ptr %4, align 16, !tbaa !7
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %81 = load i64, ptr %80, align 8, !tbaa !28
  %82 = icmp eq i64 %79, %81
  %83 = zext i1 %82 to i64
  store i64 %83, ptr %3, align 16, !tbaa !7
  %84 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store i64 %73, ptr %84, align 8, !tbaa !7
  %85 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %86 = load ptr, ptr %85, align 8, !tbaa !29
  %87 = icmp eq ptr %86, null
  br i1 %87, label %88, label %97

88:                                               ; preds = %124, %115, %106, %97, %78
  %89 = phi i64 [ %129, %124 ], [ 2, %78 ], [ %102, %97 ], [ %120, %115 ], [ %111, %106 ]
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %91 = load i64, ptr %90, align 8, !tbaa !30
  %92 = trunc i64 %91 to i32
  %93 = shl i64 %89, 3
  %94 = call i64 @write(i32 noundef %92, ptr noundef nonnull %3, i64 noundef %93) #7
  %95 = icmp eq i64 %94, %93
  %96 = select i1 %95, i32 0, i32 77
  call void @_exit(i32 noundef %96) #9
  unreachable

97:                                               ; preds = %78
  %98 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %99 = load ptr, ptr %0, align 8, !tbaa !20
  %100 = getelementptr inbounds nuw i8, ptr %3, i64 16
  call void %86(ptr noundef %99, ptr noundef nonnull %100) #7
  %101 = load i64, ptr %98, align 8, !tbaa !7
  %102 = add i64 %101, 2
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %104 = load ptr, ptr %103, align 8, !tbaa !29
  %105 = icmp eq ptr %104, null
  br i1 %105, label %88, label %106

106:                                              ; preds = %97
  %107 = load ptr, ptr %0, align 8, !tbaa !20
  %108 = getelementptr inbounds nuw i64, ptr %3, i64 %102
  call void %104(ptr noundef %107, ptr noundef nonnull %108) #7
  %109 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %110 = load i64, ptr %109, align 8, !tbaa !7
  %111 = add i64 %110, %102
  %112 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %113 = load ptr, ptr %112, align 8, !tbaa !29
  %114 = icmp eq ptr %113, null
  br i1 %114, label %88, label %115

115:                                              ; preds = %106
  %116 = load ptr, ptr %0, align 8, !tbaa !20
  %117 = getelementptr inbounds nuw i64, ptr %3, i64 %111
  call void %113(ptr noundef %116, ptr noundef nonnull %117) #7
  %118 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %119 = load i64, ptr %118, align 8, !tbaa !7
  %120 = add i64 %119, %111
  %121 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %122 = load ptr, ptr %121, align 8, !tbaa !29
  %123 = icmp eq ptr %122, null
  br i1 %123, label %88, label %124

124:                                              ; preds = %115
  %125 = load ptr, ptr %0, align 8, !tbaa !20
  %126 = getelementptr inbounds nuw i64, ptr %3, i64 %120
  call void %122(ptr noundef %125, ptr noundef nonnull %126) #7
  %127 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %128 = load i64, ptr %127, align 8, !tbaa !7
  %129 = add i64 %128, %120
  br label %88
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare ptr @LLVMRunPasses(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

; Function Attrs: noreturn
declare void @_exit(i32 noundef) local_unnamed_addr #5

; Function Attrs: nofree
declare noundef i64 @write(i32 noundef, ptr noundef readonly captures(none), i64 noundef) local_unnamed_addr #2

declare i32 @setpgid(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @prctl(i32 noundef, ...) local_unnamed_addr #4

declare i32 @getppid() local_unnamed_addr #4

declare i32 @close(i32 noundef) local_unnamed_addr #4

declare i32 @dup2(i32 noundef, i32 noundef) local_unnamed_addr #4

declare i32 @madvise(ptr noundef, i64 noundef, i32 noundef) local_unnamed_addr #4

; Function Attrs: nofree
declare noundef i64 @pwrite(i32 noundef, ptr noundef readonly captures(none), i64 noundef, i64 noundef) local_unnamed_addr #2

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
!7 = !{!8, !8, i64 0}
!8 = !{!"long long", !5, i64 0}
!9 = !{!10, !8, i64 184}
!10 = !{!"", !11, i64 0, !13, i64 8, !12, i64 16, !12, i64 24, !12, i64 32, !12, i64 40, !5, i64 48, !5, i64 80, !8, i64 112, !8, i64 120, !14, i64 128, !5, i64 136, !13, i64 168, !8, i64 176, !8, i64 184, !8, i64 192, !8, i64 200, !8, i64 208, !8, i64 216}
!11 = !{!"p1 _ZTS6Module", !12, i64 0}
!12 = !{!"any pointer", !5, i64 0}
!13 = !{!"p1 omnipotent char", !12, i64 0}
!14 = !{!"p1 int", !12, i64 0}
!15 = !{!10, !8, i64 192}
!16 = !{!10, !8, i64 208}
!17 = !{!10, !8, i64 176}
!18 = !{!10, !13, i64 168}
!19 = !{!10, !8, i64 216}
!20 = !{!10, !11, i64 0}
!21 = !{!10, !13, i64 8}
!22 = !{!10, !12, i64 16}
!23 = !{!10, !12, i64 24}
!24 = !{!10, !14, i64 128}
!25 = !{!10, !12, i64 32}
!26 = !{!10, !12, i64 40}
!27 = !{!10, !8, i64 120}
!28 = !{!10, !8, i64 112}
!29 = !{!12, !12, i64 0}
!30 = !{!10, !8, i64 200}
