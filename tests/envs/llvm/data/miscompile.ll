; Miscompiled by `structurizecfg`: the switch of @classify then takes wrong arms, and LLVM's verifier is content.
; Also crashes the process under `licm-without-memory-ssa` (it has a loop), as any program does under
; `trigger-crash-module`.
; Runnable: prints 3781 (another number when miscompiled), exit code 0. Made by clang 22.1.8 -Oz -disable-llvm-passes from:
;   int classify(int x) { switch (x % 7) { case 0: return 3; case 1: return 19; case 2: return -4;
;                                          case 4: return 100; default: return x; } }
;   int main(void) { int sum = 0; for (int i = 0; i < 100; i++) sum += classify(i); printf("%d\n", sum); }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1

; Function Attrs: minsize nounwind optsize uwtable
define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @llvm.lifetime.start.p0(ptr %2) #3
  store i32 0, ptr %2, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %3) #3
  store i32 0, ptr %3, align 4, !tbaa !4
  br label %4

4:                                                ; preds = %13, %0
  %5 = load i32, ptr %3, align 4, !tbaa !4
  %6 = icmp slt i32 %5, 100
  br i1 %6, label %8, label %7

7:                                                ; preds = %4
  call void @llvm.lifetime.end.p0(ptr %3) #3
  br label %16

8:                                                ; preds = %4
  %9 = load i32, ptr %3, align 4, !tbaa !4
  %10 = call i32 @classify(i32 noundef %9) #4
  %11 = load i32, ptr %2, align 4, !tbaa !4
  %12 = add nsw i32 %11, %10
  store i32 %12, ptr %2, align 4, !tbaa !4
  br label %13

13:                                               ; preds = %8
  %14 = load i32, ptr %3, align 4, !tbaa !4
  %15 = add nsw i32 %14, 1
  store i32 %15, ptr %3, align 4, !tbaa !4
  br label %4, !llvm.loop !8

16:                                               ; preds = %7
  %17 = load i32, ptr %2, align 4, !tbaa !4
  %18 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %17) #4
  call void @llvm.lifetime.end.p0(ptr %2) #3
  ret i32 0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: minsize nounwind optsize uwtable
define internal i32 @classify(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !4
  %4 = load i32, ptr %3, align 4, !tbaa !4
  %5 = srem i32 %4, 7
  switch i32 %5, label %10 [
    i32 0, label %6
    i32 1, label %7
    i32 2, label %8
    i32 4, label %9
  ]

6:                                                ; preds = %1
  store i32 3, ptr %2, align 4
  br label %12

7:                                                ; preds = %1
  store i32 19, ptr %2, align 4
  br label %12

8:                                                ; preds = %1
  store i32 -4, ptr %2, align 4
  br label %12

9:                                                ; preds = %1
  store i32 100, ptr %2, align 4
  br label %12

10:                                               ; preds = %1
  %11 = load i32, ptr %3, align 4, !tbaa !4
  store i32 %11, ptr %2, align 4
  br label %12

12:                                               ; preds = %10, %9, %8, %7, %6
  %13 = load i32, ptr %2, align 4
  ret i32 %13
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: minsize optsize
declare i32 @printf(ptr noundef, ...) #2

attributes #0 = { minsize nounwind optsize uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { minsize optsize "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }
attributes #4 = { minsize optsize }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
