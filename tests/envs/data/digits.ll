target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: minsize nounwind optsize uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %6) #3
  %10 = load i32, ptr %4, align 4, !tbaa !5
  %11 = icmp sgt i32 %10, 1
  br i1 %11, label %12, label %17

12:                                               ; preds = %2
  %13 = load ptr, ptr %5, align 8, !tbaa !9
  %14 = getelementptr inbounds ptr, ptr %13, i64 1
  %15 = load ptr, ptr %14, align 8, !tbaa !13
  %16 = call i32 @parse(ptr noundef %15) #4
  br label %18

17:                                               ; preds = %2
  br label %18

18:                                               ; preds = %17, %12
  %19 = phi i32 [ %16, %12 ], [ 10, %17 ]
  store i32 %19, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %7) #3
  store i32 0, ptr %7, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %8) #3
  call void @llvm.lifetime.start.p0(ptr %9) #3
  store i32 1, ptr %8, align 4, !tbaa !5
  br label %20

20:                                               ; preds = %32, %18
  %21 = load i32, ptr %8, align 4, !tbaa !5
  %22 = load i32, ptr %6, align 4, !tbaa !5
  %23 = icmp sle i32 %21, %22
  br i1 %23, label %24, label %35

24:                                               ; preds = %20
  %25 = load i32, ptr %7, align 4, !tbaa !5
  %26 = load i32, ptr %8, align 4, !tbaa !5
  %27 = call i32 @collatz(i32 noundef %26) #4
  %28 = load i32, ptr %8, align 4, !tbaa !5
  %29 = call i32 @checksum(i32 noundef %28) #4
  %30 = mul nsw i32 %27, %29
  %31 = add nsw i32 %25, %30
  store i32 %31, ptr %7, align 4, !tbaa !5
  br label %32

32:                                               ; preds = %24
  %33 = load i32, ptr %8, align 4, !tbaa !5
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %8, align 4, !tbaa !5
  br label %20, !llvm.loop !15

35:                                               ; preds = %20
  br label %36

36:                                               ; preds = %39, %35
  %37 = call i32 @getchar() #4
  store i32 %37, ptr %9, align 4, !tbaa !5
  %38 = icmp ne i32 %37, -1
  br i1 %38, label %39, label %45

39:                                               ; preds = %36
  %40 = load i32, ptr %7, align 4, !tbaa !5
  %41 = mul nsw i32 %40, 31
  %42 = load i32, ptr %9, align 4, !tbaa !5
  %43 = add nsw i32 %41, %42
  %44 = srem i32 %43, 1000003
  store i32 %44, ptr %7, align 4, !tbaa !5
  br label %36, !llvm.loop !17

45:                                               ; preds = %36
  %46 = load i32, ptr %7, align 4, !tbaa !5
  call void @print(i32 noundef %46) #4
  %47 = call i32 @putchar(i32 noundef 10) #4
  %48 = load i32, ptr %7, align 4, !tbaa !5
  %49 = srem i32 %48, 3
  call void @llvm.lifetime.end.p0(ptr %9) #3
  call void @llvm.lifetime.end.p0(ptr %8) #3
  call void @llvm.lifetime.end.p0(ptr %7) #3
  call void @llvm.lifetime.end.p0(ptr %6) #3
  ret i32 %49
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: minsize nounwind optsize uwtable
define internal i32 @parse(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %3) #3
  store i32 0, ptr %3, align 4, !tbaa !5
  br label %4

4:                                                ; preds = %16, %1
  %5 = load ptr, ptr %2, align 8, !tbaa !13
  %6 = load i8, ptr %5, align 1, !tbaa !18
  %7 = sext i8 %6 to i32
  %8 = icmp sge i32 %7, 48
  br i1 %8, label %9, label %14

9:                                                ; preds = %4
  %10 = load ptr, ptr %2, align 8, !tbaa !13
  %11 = load i8, ptr %10, align 1, !tbaa !18
  %12 = sext i8 %11 to i32
  %13 = icmp sle i32 %12, 57
  br label %14

14:                                               ; preds = %9, %4
  %15 = phi i1 [ false, %4 ], [ %13, %9 ]
  br i1 %15, label %16, label %26

16:                                               ; preds = %14
  %17 = load i32, ptr %3, align 4, !tbaa !5
  %18 = mul nsw i32 %17, 10
  %19 = load ptr, ptr %2, align 8, !tbaa !13
  %20 = load i8, ptr %19, align 1, !tbaa !18
  %21 = sext i8 %20 to i32
  %22 = sub nsw i32 %21, 48
  %23 = add nsw i32 %18, %22
  store i32 %23, ptr %3, align 4, !tbaa !5
  %24 = load ptr, ptr %2, align 8, !tbaa !13
  %25 = getelementptr inbounds i8, ptr %24, i64 1
  store ptr %25, ptr %2, align 8, !tbaa !13
  br label %4, !llvm.loop !19

26:                                               ; preds = %14
  %27 = load i32, ptr %3, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(ptr %3) #3
  ret i32 %27
}

; Function Attrs: minsize nounwind optsize uwtable
define internal i32 @collatz(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %3) #3
  store i32 0, ptr %3, align 4, !tbaa !5
  br label %4

4:                                                ; preds = %23, %1
  %5 = load i32, ptr %2, align 4, !tbaa !5
  %6 = icmp ne i32 %5, 1
  br i1 %6, label %7, label %10

7:                                                ; preds = %4
  %8 = load i32, ptr %3, align 4, !tbaa !5
  %9 = icmp slt i32 %8, 1000
  br label %10

10:                                               ; preds = %7, %4
  %11 = phi i1 [ false, %4 ], [ %9, %7 ]
  br i1 %11, label %12, label %26

12:                                               ; preds = %10
  %13 = load i32, ptr %2, align 4, !tbaa !5
  %14 = srem i32 %13, 2
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %19

16:                                               ; preds = %12
  %17 = load i32, ptr %2, align 4, !tbaa !5
  %18 = sdiv i32 %17, 2
  store i32 %18, ptr %2, align 4, !tbaa !5
  br label %23

19:                                               ; preds = %12
  %20 = load i32, ptr %2, align 4, !tbaa !5
  %21 = mul nsw i32 3, %20
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %2, align 4, !tbaa !5
  br label %23

23:                                               ; preds = %19, %16
  %24 = load i32, ptr %3, align 4, !tbaa !5
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %3, align 4, !tbaa !5
  br label %4, !llvm.loop !20

26:                                               ; preds = %10
  %27 = load i32, ptr %3, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(ptr %3) #3
  ret i32 %27
}

; Function Attrs: minsize nounwind optsize uwtable
define internal i32 @checksum(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !5
  %4 = load i32, ptr %3, align 4, !tbaa !5
  %5 = and i32 %4, 7
  switch i32 %5, label %11 [
    i32 0, label %6
    i32 1, label %7
    i32 2, label %8
    i32 3, label %9
    i32 4, label %10
  ]

6:                                                ; preds = %1
  store i32 3, ptr %2, align 4
  br label %12

7:                                                ; preds = %1
  store i32 41, ptr %2, align 4
  br label %12

8:                                                ; preds = %1
  store i32 5, ptr %2, align 4
  br label %12

9:                                                ; preds = %1
  store i32 92, ptr %2, align 4
  br label %12

10:                                               ; preds = %1
  store i32 65, ptr %2, align 4
  br label %12

11:                                               ; preds = %1
  store i32 35, ptr %2, align 4
  br label %12

12:                                               ; preds = %11, %10, %9, %8, %7, %6
  %13 = load i32, ptr %2, align 4
  ret i32 %13
}

; Function Attrs: minsize optsize
declare i32 @getchar() #2

; Function Attrs: minsize nounwind optsize uwtable
define internal void @print(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load i32, ptr %2, align 4, !tbaa !5
  %4 = icmp sge i32 %3, 10
  br i1 %4, label %5, label %8

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !tbaa !5
  %7 = sdiv i32 %6, 10
  call void @print(i32 noundef %7) #4
  br label %8

8:                                                ; preds = %5, %1
  %9 = load i32, ptr %2, align 4, !tbaa !5
  %10 = srem i32 %9, 10
  %11 = add nsw i32 48, %10
  %12 = call i32 @putchar(i32 noundef %11) #4
  ret void
}

; Function Attrs: minsize optsize
declare i32 @putchar(i32 noundef) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

attributes #0 = { minsize nounwind optsize uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { minsize optsize "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }
attributes #4 = { minsize optsize }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Karellen, Inc. (https://karellen.co) v22.1.8 clang version 22.1.8 (https://github.com/llvm/llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"p2 omnipotent char", !11, i64 0}
!11 = !{!"any p2 pointer", !12, i64 0}
!12 = !{!"any pointer", !7, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 omnipotent char", !12, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
!17 = distinct !{!17, !16}
!18 = !{!7, !7, i64 0}
!19 = distinct !{!19, !16}
!20 = distinct !{!20, !16}
