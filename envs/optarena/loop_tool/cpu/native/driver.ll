; ModuleID = 'driver.c'
source_filename = "driver.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.timespec = type { i64, i64 }
%struct.Attributes = type { [256 x i8] }
%struct.Signals = type { [128 x i8] }
%struct.Task = type { ptr, i64, ptr, ptr, i64, i64 }

; Function Attrs: nounwind
define dso_local void @measure(ptr noundef captures(none) %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = alloca %struct.timespec, align 8
  %4 = alloca %struct.timespec, align 8
  %5 = alloca %struct.timespec, align 8
  %6 = icmp eq i64 %1, 0
  br i1 %6, label %7, label %15

7:                                                ; preds = %2
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #3
  %8 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %5) #3
  %9 = load i64, ptr %5, align 8, !tbaa !7
  %10 = mul nsw i64 %9, 1000000000
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %12 = load i64, ptr %11, align 8, !tbaa !10
  %13 = add nsw i64 %10, %12
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #3
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i64 %13, ptr %14, align 32, !tbaa !11
  br label %15

15:                                               ; preds = %7, %2
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %17 = load i64, ptr %16, align 32, !tbaa !16
  %18 = add nsw i64 %17, -1
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %20 = load atomic i64, ptr %19 acquire, align 64
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %22 = atomicrmw add ptr %21, i64 1 acq_rel, align 64
  %23 = icmp eq i64 %22, %18
  br i1 %23, label %26, label %24

24:                                               ; preds = %15
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 264
  br label %28

26:                                               ; preds = %15
  store atomic i64 0, ptr %21 monotonic, align 64
  %27 = add nsw i64 %20, 1
  store atomic i64 %27, ptr %19 release, align 64
  br label %40

28:                                               ; preds = %37, %24
  %29 = phi i64 [ %30, %37 ], [ 0, %24 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %30 = add nuw nsw i64 %29, 1
  %31 = icmp samesign ugt i64 %29, 19999
  br i1 %31, label %32, label %34

32:                                               ; preds = %28
  %33 = call i32 @sched_yield() #3
  br label %34

34:                                               ; preds = %32, %28
  %35 = load atomic i64, ptr %25 monotonic, align 8
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %37, label %171

37:                                               ; preds = %34
  %38 = load atomic i64, ptr %19 acquire, align 64
  %39 = icmp eq i64 %38, %20
  br i1 %39, label %28, label %40, !llvm.loop !18

40:                                               ; preds = %37, %26
  %41 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %48 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 144
  br label %59

59:                                               ; preds = %40, %168
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #3
  %60 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %4) #3
  %61 = load i64, ptr %4, align 8, !tbaa !7
  %62 = load i64, ptr %41, align 8, !tbaa !10
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #3
  %63 = load i64, ptr %42, align 64, !tbaa !20
  %64 = load ptr, ptr %0, align 64, !tbaa !21
  %65 = load ptr, ptr %43, align 8, !tbaa !22
  %66 = load ptr, ptr %44, align 16, !tbaa !23
  %67 = load ptr, ptr %45, align 8, !tbaa !24
  %68 = load ptr, ptr %46, align 8, !tbaa !25
  %69 = getelementptr inbounds i64, ptr %68, i64 %1
  %70 = load i64, ptr %69, align 8, !tbaa !26
  %71 = getelementptr i8, ptr %69, i64 8
  %72 = load i64, ptr %71, align 8, !tbaa !26
  %73 = load i64, ptr %16, align 32, !tbaa !16
  %74 = icmp eq i64 %73, 1
  br i1 %74, label %77, label %75

75:                                               ; preds = %59
  %76 = icmp slt i64 %63, 1
  br i1 %76, label %107, label %83

77:                                               ; preds = %59
  %78 = icmp sgt i64 %63, 0
  br i1 %78, label %79, label %107

79:                                               ; preds = %77, %79
  %80 = phi i64 [ %81, %79 ], [ 0, %77 ]
  call void %67(ptr noundef %64, ptr noundef %65, ptr noundef %66, i64 noundef %70, i64 noundef %72) #3
  %81 = add nuw nsw i64 %80, 1
  %82 = icmp eq i64 %81, %63
  br i1 %82, label %107, label %79, !llvm.loop !27

83:                                               ; preds = %75, %104
  %84 = phi i64 [ %105, %104 ], [ 0, %75 ]
  call void %67(ptr noundef %64, ptr noundef %65, ptr noundef %66, i64 noundef %70, i64 noundef %72) #3
  %85 = load i64, ptr %16, align 32, !tbaa !16
  %86 = add nsw i64 %85, -1
  %87 = load atomic i64, ptr %19 acquire, align 64
  %88 = atomicrmw add ptr %21, i64 1 acq_rel, align 64
  %89 = icmp eq i64 %88, %86
  br i1 %89, label %90, label %92

90:                                               ; preds = %83
  store atomic i64 0, ptr %21 monotonic, align 64
  %91 = add nsw i64 %87, 1
  store atomic i64 %91, ptr %19 release, align 64
  br label %104

92:                                               ; preds = %83, %101
  %93 = phi i64 [ %94, %101 ], [ 0, %83 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %94 = add nuw nsw i64 %93, 1
  %95 = icmp samesign ugt i64 %93, 19999
  br i1 %95, label %96, label %98

96:                                               ; preds = %92
  %97 = call i32 @sched_yield() #3
  br label %98

98:                                               ; preds = %96, %92
  %99 = load atomic i64, ptr %47 monotonic, align 8
  %100 = icmp eq i64 %99, 0
  br i1 %100, label %101, label %171

101:                                              ; preds = %98
  %102 = load atomic i64, ptr %19 acquire, align 64
  %103 = icmp eq i64 %102, %87
  br i1 %103, label %92, label %104, !llvm.loop !18

104:                                              ; preds = %101, %90
  %105 = add nuw nsw i64 %84, 1
  %106 = icmp eq i64 %105, %63
  br i1 %106, label %107, label %83, !llvm.loop !28

107:                                              ; preds = %104, %79, %77, %75
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  %108 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #3
  %109 = load i64, ptr %3, align 8, !tbaa !7
  %110 = mul nsw i64 %109, 1000000000
  %111 = load i64, ptr %48, align 8, !tbaa !10
  %112 = add nsw i64 %110, %111
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  br i1 %6, label %113, label %148

113:                                              ; preds = %107
  %114 = mul i64 %61, -1000000000
  %115 = sub i64 %114, %62
  %116 = add i64 %115, %112
  %117 = load i64, ptr %49, align 16, !tbaa !29
  %118 = icmp slt i64 %116, %117
  br i1 %118, label %119, label %122

119:                                              ; preds = %113
  %120 = load i64, ptr %42, align 64, !tbaa !20
  %121 = shl nsw i64 %120, 1
  store i64 %121, ptr %42, align 64, !tbaa !20
  store i64 0, ptr %50, align 8, !tbaa !30
  store i64 0, ptr %52, align 8, !tbaa !31
  br label %148

122:                                              ; preds = %113
  %123 = load i64, ptr %50, align 8, !tbaa !30
  %124 = icmp eq i64 %123, 0
  br i1 %124, label %125, label %126

125:                                              ; preds = %122
  store i64 1, ptr %50, align 8, !tbaa !30
  br label %148

126:                                              ; preds = %122
  %127 = load ptr, ptr %51, align 8, !tbaa !32
  %128 = load i64, ptr %52, align 8, !tbaa !31
  %129 = add nsw i64 %128, 1
  store i64 %129, ptr %52, align 8, !tbaa !31
  %130 = getelementptr inbounds i64, ptr %127, i64 %128
  store i64 %116, ptr %130, align 8, !tbaa !26
  %131 = load i64, ptr %53, align 32, !tbaa !11
  %132 = sub nsw i64 %112, %131
  %133 = load i64, ptr %54, align 8, !tbaa !33
  %134 = icmp slt i64 %132, %133
  %135 = load i64, ptr %52, align 8, !tbaa !31
  br i1 %134, label %139, label %136

136:                                              ; preds = %126
  %137 = load i64, ptr %55, align 8, !tbaa !34
  %138 = icmp slt i64 %135, %137
  br i1 %138, label %139, label %146

139:                                              ; preds = %136, %126
  %140 = load i64, ptr %56, align 16, !tbaa !35
  %141 = icmp slt i64 %135, %140
  br i1 %141, label %142, label %146

142:                                              ; preds = %139
  %143 = load i64, ptr %57, align 64, !tbaa !36
  %144 = icmp sge i64 %132, %143
  %145 = zext i1 %144 to i64
  br label %146

146:                                              ; preds = %142, %139, %136
  %147 = phi i64 [ 1, %139 ], [ 1, %136 ], [ %145, %142 ]
  store i64 %147, ptr %58, align 16, !tbaa !37
  br label %148

148:                                              ; preds = %146, %125, %119, %107
  %149 = load i64, ptr %16, align 32, !tbaa !16
  %150 = add nsw i64 %149, -1
  %151 = load atomic i64, ptr %19 acquire, align 64
  %152 = atomicrmw add ptr %21, i64 1 acq_rel, align 64
  %153 = icmp eq i64 %152, %150
  br i1 %153, label %154, label %156

154:                                              ; preds = %148
  store atomic i64 0, ptr %21 monotonic, align 64
  %155 = add nsw i64 %151, 1
  store atomic i64 %155, ptr %19 release, align 64
  br label %168

156:                                              ; preds = %148, %165
  %157 = phi i64 [ %158, %165 ], [ 0, %148 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %158 = add nuw nsw i64 %157, 1
  %159 = icmp samesign ugt i64 %157, 19999
  br i1 %159, label %160, label %162

160:                                              ; preds = %156
  %161 = call i32 @sched_yield() #3
  br label %162

162:                                              ; preds = %160, %156
  %163 = load atomic i64, ptr %47 monotonic, align 8
  %164 = icmp eq i64 %163, 0
  br i1 %164, label %165, label %171

165:                                              ; preds = %162
  %166 = load atomic i64, ptr %19 acquire, align 64
  %167 = icmp eq i64 %166, %151
  br i1 %167, label %156, label %168, !llvm.loop !18

168:                                              ; preds = %165, %154
  %169 = load i64, ptr %58, align 16, !tbaa !37
  %170 = icmp eq i64 %169, 0
  br i1 %170, label %59, label %171, !llvm.loop !38

171:                                              ; preds = %34, %168, %162, %98
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define dso_local i32 @together(ptr noundef captures(none) initializes((32, 40)) %0) local_unnamed_addr #0 {
  %2 = alloca %struct.Attributes, align 16
  %3 = alloca %struct.Signals, align 16
  %4 = alloca %struct.Signals, align 16
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 1, ptr %5, align 8, !tbaa !39
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8, !tbaa !41
  %8 = icmp sgt i64 %7, 1
  br i1 %8, label %9, label %39

9:                                                ; preds = %1
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #3
  %10 = call i32 @sigfillset(ptr noundef nonnull %3) #3
  %11 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %3, ptr noundef nonnull %4) #3
  %12 = call i32 @pthread_attr_init(ptr noundef nonnull %2) #3
  %13 = call i32 @pthread_attr_setstacksize(ptr noundef nonnull %2, i64 noundef 262144) #3
  %14 = load i64, ptr %5, align 8, !tbaa !39
  %15 = load i64, ptr %6, align 8, !tbaa !41
  %16 = icmp slt i64 %14, %15
  br i1 %16, label %17, label %30

17:                                               ; preds = %9, %17
  %18 = phi i64 [ %26, %17 ], [ %14, %9 ]
  %19 = load ptr, ptr %0, align 8, !tbaa !42
  %20 = getelementptr inbounds %struct.Task, ptr %19, i64 %18
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 40
  %22 = call i32 @pthread_create(ptr noundef nonnull %21, ptr noundef nonnull %2, ptr noundef nonnull @work, ptr noundef %20) #3
  %23 = icmp eq i32 %22, 0
  %24 = zext i1 %23 to i64
  %25 = load i64, ptr %5, align 8, !tbaa !39
  %26 = add nsw i64 %25, %24
  store i64 %26, ptr %5, align 8, !tbaa !39
  %27 = load i64, ptr %6, align 8, !tbaa !41
  %28 = icmp slt i64 %26, %27
  %29 = and i1 %23, %28
  br i1 %29, label %17, label %30, !llvm.loop !43

30:                                               ; preds = %17, %9
  %31 = phi i32 [ 0, %9 ], [ %22, %17 ]
  %32 = call i32 @pthread_attr_destroy(ptr noundef nonnull %2) #3
  %33 = call i32 @pthread_sigmask(i32 noundef 2, ptr noundef nonnull %4, ptr noundef null) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #3
  %34 = icmp eq i32 %31, 0
  br i1 %34, label %39, label %35

35:                                               ; preds = %30
  %36 = load ptr, ptr %0, align 8, !tbaa !42
  %37 = load ptr, ptr %36, align 8, !tbaa !44
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 264
  store atomic i64 1, ptr %38 monotonic, align 8
  br label %61

39:                                               ; preds = %1, %30
  %40 = load ptr, ptr %0, align 8, !tbaa !42
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 32
  %42 = load i64, ptr %41, align 8, !tbaa !46
  %43 = getelementptr inbounds nuw i8, ptr %40, i64 24
  %44 = load ptr, ptr %43, align 8, !tbaa !47
  %45 = call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %42, ptr noundef %44) #3
  %46 = load ptr, ptr %40, align 8, !tbaa !44
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 96
  %48 = icmp ne i32 %45, 0
  %49 = zext i1 %48 to i64
  %50 = atomicrmw add ptr %47, i64 %49 monotonic, align 32
  %51 = getelementptr inbounds nuw i8, ptr %40, i64 16
  %52 = load ptr, ptr %51, align 8, !tbaa !48
  %53 = load ptr, ptr %40, align 8, !tbaa !44
  %54 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %55 = load i64, ptr %54, align 8, !tbaa !49
  call void %52(ptr noundef %53, i64 noundef %55) #3
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %57 = load i64, ptr %56, align 8, !tbaa !50
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %59 = load ptr, ptr %58, align 8, !tbaa !51
  %60 = call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %57, ptr noundef %59) #3
  br label %61

61:                                               ; preds = %39, %35
  %62 = phi i32 [ 0, %39 ], [ %31, %35 ]
  %63 = load i64, ptr %5, align 8, !tbaa !39
  %64 = icmp sgt i64 %63, 1
  br i1 %64, label %66, label %65

65:                                               ; preds = %66, %61
  ret i32 %62

66:                                               ; preds = %61, %66
  %67 = phi i64 [ %68, %66 ], [ %63, %61 ]
  %68 = add nsw i64 %67, -1
  %69 = load ptr, ptr %0, align 8, !tbaa !42
  %70 = getelementptr inbounds nuw %struct.Task, ptr %69, i64 %68
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 40
  %72 = load i64, ptr %71, align 8, !tbaa !52
  %73 = call i32 @pthread_join(i64 noundef %72, ptr noundef null) #3
  %74 = icmp samesign ugt i64 %67, 2
  br i1 %74, label %66, label %65, !llvm.loop !53
}

; Function Attrs: nounwind
define internal noalias noundef ptr @work(ptr noundef readonly captures(none) %0) #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %3 = load i64, ptr %2, align 8, !tbaa !46
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %5 = load ptr, ptr %4, align 8, !tbaa !47
  %6 = tail call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %3, ptr noundef %5) #3
  %7 = load ptr, ptr %0, align 8, !tbaa !44
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 96
  %9 = icmp ne i32 %6, 0
  %10 = zext i1 %9 to i64
  %11 = atomicrmw add ptr %8, i64 %10 monotonic, align 32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8, !tbaa !48
  %14 = load ptr, ptr %0, align 8, !tbaa !44
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = load i64, ptr %15, align 8, !tbaa !49
  tail call void %13(ptr noundef %14, i64 noundef %16) #3
  ret ptr null
}

declare i32 @sched_setaffinity(i32 noundef, i64 noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #2

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #2

declare i32 @sched_yield() local_unnamed_addr #2

declare i32 @sigfillset(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_attr_init(ptr noundef) local_unnamed_addr #2

declare i32 @pthread_attr_setstacksize(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare i32 @pthread_attr_destroy(ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
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
!7 = !{!8, !9, i64 0}
!8 = !{!"timespec", !9, i64 0, !9, i64 8}
!9 = !{!"long", !5, i64 0}
!10 = !{!8, !9, i64 8}
!11 = !{!12, !9, i64 160}
!12 = !{!"", !13, i64 0, !13, i64 8, !13, i64 16, !14, i64 24, !9, i64 32, !15, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !15, i64 88, !9, i64 96, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 192, !9, i64 256, !9, i64 264}
!13 = !{!"p1 float", !14, i64 0}
!14 = !{!"any pointer", !5, i64 0}
!15 = !{!"p1 long", !14, i64 0}
!16 = !{!12, !9, i64 32}
!17 = !{i64 2797}
!18 = distinct !{!18, !19}
!19 = !{!"llvm.loop.mustprogress"}
!20 = !{!12, !9, i64 128}
!21 = !{!12, !13, i64 0}
!22 = !{!12, !13, i64 8}
!23 = !{!12, !13, i64 16}
!24 = !{!12, !14, i64 24}
!25 = !{!12, !15, i64 40}
!26 = !{!9, !9, i64 0}
!27 = distinct !{!27, !19}
!28 = distinct !{!28, !19}
!29 = !{!12, !9, i64 48}
!30 = !{!12, !9, i64 152}
!31 = !{!12, !9, i64 136}
!32 = !{!12, !15, i64 88}
!33 = !{!12, !9, i64 56}
!34 = !{!12, !9, i64 72}
!35 = !{!12, !9, i64 80}
!36 = !{!12, !9, i64 64}
!37 = !{!12, !9, i64 144}
!38 = distinct !{!38, !19}
!39 = !{!40, !9, i64 32}
!40 = !{!"", !14, i64 0, !9, i64 8, !14, i64 16, !9, i64 24, !9, i64 32}
!41 = !{!40, !9, i64 8}
!42 = !{!40, !14, i64 0}
!43 = distinct !{!43, !19}
!44 = !{!45, !14, i64 0}
!45 = !{!"", !14, i64 0, !9, i64 8, !14, i64 16, !14, i64 24, !9, i64 32, !9, i64 40}
!46 = !{!45, !9, i64 32}
!47 = !{!45, !14, i64 24}
!48 = !{!45, !14, i64 16}
!49 = !{!45, !9, i64 8}
!50 = !{!40, !9, i64 24}
!51 = !{!40, !14, i64 16}
!52 = !{!45, !9, i64 40}
!53 = distinct !{!53, !19}
