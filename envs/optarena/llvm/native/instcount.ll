; ModuleID = 'instcount.c'
source_filename = "instcount.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define dso_local void @optarena_instcount(ptr noundef %0, ptr noundef captures(none) initializes((0, 1048)) %1) local_unnamed_addr #0 {
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1048) %1, i8 0, i64 1048, i1 false), !tbaa !7
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %4 = tail call ptr @LLVMGetFirstFunction(ptr noundef %0) #4
  %5 = icmp eq ptr %4, null
  br i1 %5, label %9, label %6

6:                                                ; preds = %2
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 8
  br label %45

9:                                                ; preds = %76, %2
  %10 = load i64, ptr %1, align 8, !tbaa !7
  %11 = insertelement <2 x i64> <i64 poison, i64 0>, i64 %10, i64 0
  br label %12

12:                                               ; preds = %12, %9
  %13 = phi i64 [ 0, %9 ], [ %43, %12 ]
  %14 = phi <2 x i64> [ %11, %9 ], [ %41, %12 ]
  %15 = phi <2 x i64> [ zeroinitializer, %9 ], [ %42, %12 ]
  %16 = getelementptr inbounds nuw i64, ptr %3, i64 %13
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %18 = load <2 x i64>, ptr %16, align 8, !tbaa !7
  %19 = load <2 x i64>, ptr %17, align 8, !tbaa !7
  %20 = add <2 x i64> %14, %18
  %21 = add <2 x i64> %15, %19
  %22 = getelementptr inbounds nuw i64, ptr %3, i64 %13
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %24 = getelementptr inbounds nuw i8, ptr %22, i64 48
  %25 = load <2 x i64>, ptr %23, align 8, !tbaa !7
  %26 = load <2 x i64>, ptr %24, align 8, !tbaa !7
  %27 = add <2 x i64> %20, %25
  %28 = add <2 x i64> %21, %26
  %29 = getelementptr inbounds nuw i64, ptr %3, i64 %13
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 64
  %31 = getelementptr inbounds nuw i8, ptr %29, i64 80
  %32 = load <2 x i64>, ptr %30, align 8, !tbaa !7
  %33 = load <2 x i64>, ptr %31, align 8, !tbaa !7
  %34 = add <2 x i64> %27, %32
  %35 = add <2 x i64> %28, %33
  %36 = getelementptr inbounds nuw i64, ptr %3, i64 %13
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 96
  %38 = getelementptr inbounds nuw i8, ptr %36, i64 112
  %39 = load <2 x i64>, ptr %37, align 8, !tbaa !7
  %40 = load <2 x i64>, ptr %38, align 8, !tbaa !7
  %41 = add <2 x i64> %34, %39
  %42 = add <2 x i64> %35, %40
  %43 = add nuw nsw i64 %13, 16
  %44 = icmp eq i64 %43, 128
  br i1 %44, label %79, label %12, !llvm.loop !9

45:                                               ; preds = %6, %76
  %46 = phi ptr [ %4, %6 ], [ %77, %76 ]
  %47 = tail call i32 @LLVMIsDeclaration(ptr noundef nonnull %46) #4
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %49, label %76

49:                                               ; preds = %45
  %50 = load i64, ptr %7, align 8, !tbaa !7
  %51 = add nsw i64 %50, 1
  store i64 %51, ptr %7, align 8, !tbaa !7
  %52 = tail call ptr @LLVMGetFirstBasicBlock(ptr noundef nonnull %46) #4
  %53 = icmp eq ptr %52, null
  br i1 %53, label %76, label %54

54:                                               ; preds = %49, %60
  %55 = phi ptr [ %61, %60 ], [ %52, %49 ]
  %56 = load i64, ptr %8, align 8, !tbaa !7
  %57 = add nsw i64 %56, 1
  store i64 %57, ptr %8, align 8, !tbaa !7
  %58 = tail call ptr @LLVMGetFirstInstruction(ptr noundef nonnull %55) #4
  %59 = icmp eq ptr %58, null
  br i1 %59, label %60, label %63

60:                                               ; preds = %63, %54
  %61 = tail call ptr @LLVMGetNextBasicBlock(ptr noundef nonnull %55) #4
  %62 = icmp eq ptr %61, null
  br i1 %62, label %76, label %54, !llvm.loop !13

63:                                               ; preds = %54, %63
  %64 = phi ptr [ %74, %63 ], [ %58, %54 ]
  %65 = tail call i32 @LLVMGetInstructionOpcode(ptr noundef nonnull %64) #4
  %66 = and i32 %65, -2
  %67 = icmp eq i32 %66, 70
  %68 = and i32 %65, 127
  %69 = select i1 %67, i32 2, i32 %68
  %70 = zext nneg i32 %69 to i64
  %71 = getelementptr inbounds nuw i64, ptr %3, i64 %70
  %72 = load i64, ptr %71, align 8, !tbaa !7
  %73 = add nsw i64 %72, 1
  store i64 %73, ptr %71, align 8, !tbaa !7
  %74 = tail call ptr @LLVMGetNextInstruction(ptr noundef nonnull %64) #4
  %75 = icmp eq ptr %74, null
  br i1 %75, label %60, label %63, !llvm.loop !14

76:                                               ; preds = %60, %49, %45
  %77 = tail call ptr @LLVMGetNextFunction(ptr noundef nonnull %46) #4
  %78 = icmp eq ptr %77, null
  br i1 %78, label %9, label %45, !llvm.loop !15

79:                                               ; preds = %12
  %80 = add <2 x i64> %42, %41
  %81 = tail call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %80)
  store i64 %81, ptr %1, align 8, !tbaa !7
  ret void
}

declare ptr @LLVMGetFirstFunction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMIsDeclaration(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstBasicBlock(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetFirstInstruction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextInstruction(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextBasicBlock(ptr noundef) local_unnamed_addr #1

declare ptr @LLVMGetNextFunction(ptr noundef) local_unnamed_addr #1

declare i32 @LLVMGetInstructionOpcode(ptr noundef) local_unnamed_addr #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #3

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

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
!9 = distinct !{!9, !10, !11, !12}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.isvectorized", i32 1}
!12 = !{!"llvm.loop.unroll.runtime.disable"}
!13 = distinct !{!13, !10}
!14 = distinct !{!14, !10}
!15 = distinct !{!15, !10}
