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
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 64
  %4 = load i64, ptr %3, align 8, !tbaa !10
  %5 = add i64 %4, 1
  store i64 %5, ptr %3, align 8, !tbaa !10
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %7 = load ptr, ptr %6, align 8, !tbaa !16
  %8 = load i32, ptr @running, align 4, !tbaa !3
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds nuw ptr, ptr %7, i64 %9
  %11 = load ptr, ptr @scheduler, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef %10, ptr noundef %11) #5
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define dso_local void @optarena_fill(ptr noundef writeonly captures(none) %0, i64 noundef %1) local_unnamed_addr #1 {
  %3 = icmp eq i64 %1, 0
  br i1 %3, label %5, label %4

4:                                                ; preds = %2
  tail call void @llvm.memset.p0.i64(ptr align 1 %0, i8 -1, i64 %1, i1 false), !tbaa !18
  br label %5

5:                                                ; preds = %4, %2
  ret void
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
  br i1 %9, label %24, label %10

10:                                               ; preds = %1
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %18 = load i32, ptr %0, align 8, !tbaa !3
  br label %19

19:                                               ; preds = %10, %27
  %20 = phi i32 [ %8, %10 ], [ %28, %27 ]
  %21 = phi i32 [ %18, %10 ], [ %29, %27 ]
  %22 = phi i32 [ 0, %10 ], [ %30, %27 ]
  %23 = icmp eq i32 %21, 0
  br i1 %23, label %27, label %32

24:                                               ; preds = %27, %1
  ret void

25:                                               ; preds = %141
  %26 = load i32, ptr %7, align 4, !tbaa !3
  br label %27

27:                                               ; preds = %25, %19
  %28 = phi i32 [ %26, %25 ], [ %20, %19 ]
  %29 = phi i32 [ %143, %25 ], [ 0, %19 ]
  %30 = add nuw i32 %22, 1
  %31 = icmp ult i32 %30, %28
  br i1 %31, label %19, label %24, !llvm.loop !19

32:                                               ; preds = %19, %141
  %33 = phi i32 [ %142, %141 ], [ 0, %19 ]
  store i32 %33, ptr @optarena_block, align 4, !tbaa !3
  store i32 %22, ptr getelementptr inbounds nuw (i8, ptr @optarena_block, i64 4), align 4, !tbaa !3
  %34 = load i32, ptr %2, align 8, !tbaa !3
  %35 = load i32, ptr %11, align 4, !tbaa !3
  %36 = mul i32 %35, %34
  tail call void @optarena_clear_shared() #5
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %141, label %38

38:                                               ; preds = %32
  %39 = zext i32 %36 to i64
  %40 = and i64 %39, 1
  %41 = icmp eq i32 %36, 1
  br i1 %41, label %75, label %42

42:                                               ; preds = %38
  %43 = and i64 %39, 4294967294
  br label %44

44:                                               ; preds = %44, %42
  %45 = phi i64 [ 0, %42 ], [ %60, %44 ]
  %46 = phi i64 [ 0, %42 ], [ %71, %44 ]
  %47 = load ptr, ptr %12, align 8, !tbaa !21
  %48 = or disjoint i64 %45, 1
  %49 = load i64, ptr %13, align 8, !tbaa !22
  %50 = mul i64 %49, %48
  %51 = getelementptr inbounds nuw i8, ptr %47, i64 %50
  %52 = getelementptr inbounds i8, ptr %51, i64 -8
  store ptr null, ptr %52, align 8, !tbaa !17
  %53 = getelementptr inbounds i8, ptr %51, i64 -16
  store ptr @fiber, ptr %53, align 8, !tbaa !17
  %54 = getelementptr i8, ptr %51, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %54, i8 0, i64 48, i1 false), !tbaa !17
  %55 = load ptr, ptr %14, align 8, !tbaa !16
  %56 = getelementptr inbounds nuw ptr, ptr %55, i64 %45
  store ptr %54, ptr %56, align 8, !tbaa !17
  %57 = load ptr, ptr %15, align 8, !tbaa !23
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 %45
  store i8 0, ptr %58, align 1, !tbaa !18
  %59 = load ptr, ptr %12, align 8, !tbaa !21
  %60 = add nuw nsw i64 %45, 2
  %61 = load i64, ptr %13, align 8, !tbaa !22
  %62 = mul i64 %61, %60
  %63 = getelementptr inbounds nuw i8, ptr %59, i64 %62
  %64 = getelementptr inbounds i8, ptr %63, i64 -8
  store ptr null, ptr %64, align 8, !tbaa !17
  %65 = getelementptr inbounds i8, ptr %63, i64 -16
  store ptr @fiber, ptr %65, align 8, !tbaa !17
  %66 = getelementptr i8, ptr %63, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %66, i8 0, i64 48, i1 false), !tbaa !17
  %67 = load ptr, ptr %14, align 8, !tbaa !16
  %68 = getelementptr inbounds nuw ptr, ptr %67, i64 %48
  store ptr %66, ptr %68, align 8, !tbaa !17
  %69 = load ptr, ptr %15, align 8, !tbaa !23
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 %48
  store i8 0, ptr %70, align 1, !tbaa !18
  %71 = add nuw i64 %46, 2
  %72 = icmp eq i64 %71, %43
  br i1 %72, label %73, label %44, !llvm.loop !24

73:                                               ; preds = %44
  %74 = icmp eq i64 %40, 0
  br i1 %74, label %90, label %75

75:                                               ; preds = %73, %38
  %76 = phi i64 [ 0, %38 ], [ %60, %73 ]
  %77 = icmp ne i64 %40, 0
  tail call void @llvm.assume(i1 %77)
  %78 = load ptr, ptr %12, align 8, !tbaa !21
  %79 = add nuw nsw i64 %76, 1
  %80 = load i64, ptr %13, align 8, !tbaa !22
  %81 = mul i64 %80, %79
  %82 = getelementptr inbounds nuw i8, ptr %78, i64 %81
  %83 = getelementptr inbounds i8, ptr %82, i64 -8
  store ptr null, ptr %83, align 8, !tbaa !17
  %84 = getelementptr inbounds i8, ptr %82, i64 -16
  store ptr @fiber, ptr %84, align 8, !tbaa !17
  %85 = getelementptr i8, ptr %82, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %85, i8 0, i64 48, i1 false), !tbaa !17
  %86 = load ptr, ptr %14, align 8, !tbaa !16
  %87 = getelementptr inbounds nuw ptr, ptr %86, i64 %76
  store ptr %85, ptr %87, align 8, !tbaa !17
  %88 = load ptr, ptr %15, align 8, !tbaa !23
  %89 = getelementptr inbounds nuw i8, ptr %88, i64 %76
  store i8 0, ptr %89, align 1, !tbaa !18
  br label %90

90:                                               ; preds = %73, %75
  %91 = load ptr, ptr %15, align 8, !tbaa !23
  br label %92

92:                                               ; preds = %90, %139
  %93 = phi ptr [ %130, %139 ], [ %91, %90 ]
  %94 = phi i32 [ %132, %139 ], [ %36, %90 ]
  br label %99

95:                                               ; preds = %129
  %96 = icmp ne i32 %133, 0
  %97 = icmp ult i32 %132, %94
  %98 = select i1 %96, i1 %97, i1 false
  br i1 %98, label %136, label %139

99:                                               ; preds = %129, %92
  %100 = phi ptr [ %93, %92 ], [ %130, %129 ]
  %101 = phi ptr [ %93, %92 ], [ %131, %129 ]
  %102 = phi i64 [ 0, %92 ], [ %134, %129 ]
  %103 = phi i32 [ 0, %92 ], [ %133, %129 ]
  %104 = phi i32 [ %94, %92 ], [ %132, %129 ]
  %105 = load ptr, ptr %16, align 8, !tbaa !25
  %106 = getelementptr inbounds nuw i32, ptr %105, i64 %102
  %107 = load i32, ptr %106, align 4, !tbaa !3
  store i32 %107, ptr @running, align 4, !tbaa !3
  %108 = zext i32 %107 to i64
  %109 = getelementptr inbounds nuw i8, ptr %101, i64 %108
  %110 = load i8, ptr %109, align 1, !tbaa !18
  %111 = icmp eq i8 %110, 0
  br i1 %111, label %112, label %129

112:                                              ; preds = %99
  %113 = load i32, ptr %2, align 8, !tbaa !3
  %114 = urem i32 %107, %113
  store i32 %114, ptr @optarena_thread, align 4, !tbaa !3
  %115 = udiv i32 %107, %113
  store i32 %115, ptr getelementptr inbounds nuw (i8, ptr @optarena_thread, i64 4), align 4, !tbaa !3
  %116 = load ptr, ptr %14, align 8, !tbaa !16
  %117 = getelementptr inbounds nuw ptr, ptr %116, i64 %108
  %118 = load ptr, ptr %117, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef nonnull @scheduler, ptr noundef %118) #5
  %119 = load ptr, ptr %15, align 8, !tbaa !23
  %120 = load i32, ptr @running, align 4, !tbaa !3
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds nuw i8, ptr %119, i64 %121
  %123 = load i8, ptr %122, align 1, !tbaa !18
  %124 = icmp eq i8 %123, 0
  br i1 %124, label %127, label %125

125:                                              ; preds = %112
  %126 = add i32 %104, -1
  br label %129

127:                                              ; preds = %112
  %128 = add i32 %103, 1
  br label %129

129:                                              ; preds = %127, %125, %99
  %130 = phi ptr [ %100, %99 ], [ %119, %125 ], [ %119, %127 ]
  %131 = phi ptr [ %101, %99 ], [ %119, %125 ], [ %119, %127 ]
  %132 = phi i32 [ %104, %99 ], [ %126, %125 ], [ %104, %127 ]
  %133 = phi i32 [ %103, %99 ], [ %103, %125 ], [ %128, %127 ]
  %134 = add nuw nsw i64 %102, 1
  %135 = icmp eq i64 %134, %39
  br i1 %135, label %95, label %99, !llvm.loop !26

136:                                              ; preds = %95
  %137 = load i64, ptr %17, align 8, !tbaa !27
  %138 = add i64 %137, 1
  store i64 %138, ptr %17, align 8, !tbaa !27
  br label %139

139:                                              ; preds = %136, %95
  %140 = icmp eq i32 %132, 0
  br i1 %140, label %141, label %92, !llvm.loop !28

141:                                              ; preds = %139, %32
  %142 = add nuw i32 %33, 1
  %143 = load i32, ptr %0, align 8, !tbaa !3
  %144 = icmp ult i32 %142, %143
  br i1 %144, label %32, label %25, !llvm.loop !29
}

declare void @optarena_switch(ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @optarena_clear_shared() local_unnamed_addr #2

; Function Attrs: nounwind
define internal void @fiber() #0 {
  %1 = load ptr, ptr @current, align 8, !tbaa !7
  %2 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %3 = load ptr, ptr %2, align 8, !tbaa !30
  tail call void @optarena_kernel(ptr noundef %3) #5
  %4 = load ptr, ptr @current, align 8, !tbaa !7
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %6 = load ptr, ptr %5, align 8, !tbaa !23
  %7 = load i32, ptr @running, align 4, !tbaa !3
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 %8
  store i8 1, ptr %9, align 1, !tbaa !18
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %11 = load ptr, ptr %10, align 8, !tbaa !16
  %12 = getelementptr inbounds nuw ptr, ptr %11, i64 %8
  %13 = load ptr, ptr @scheduler, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef %12, ptr noundef %13) #5
  ret void
}

declare void @optarena_kernel(ptr noundef) local_unnamed_addr #2

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #5 = { nounwind }

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
!10 = !{!11, !14, i64 64}
!11 = !{!"launch", !5, i64 0, !5, i64 8, !12, i64 16, !13, i64 24, !14, i64 32, !15, i64 40, !13, i64 48, !15, i64 56, !14, i64 64, !14, i64 72}
!12 = !{!"p1 int", !9, i64 0}
!13 = !{!"p1 omnipotent char", !9, i64 0}
!14 = !{!"long", !5, i64 0}
!15 = !{!"any p2 pointer", !9, i64 0}
!16 = !{!11, !15, i64 40}
!17 = !{!9, !9, i64 0}
!18 = !{!5, !5, i64 0}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.mustprogress"}
!21 = !{!11, !13, i64 24}
!22 = !{!11, !14, i64 32}
!23 = !{!11, !13, i64 48}
!24 = distinct !{!24, !20}
!25 = !{!11, !12, i64 16}
!26 = distinct !{!26, !20}
!27 = !{!11, !14, i64 72}
!28 = distinct !{!28, !20}
!29 = distinct !{!29, !20}
!30 = !{!11, !15, i64 56}
