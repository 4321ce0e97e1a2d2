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
  %6 = alloca %struct.timespec, align 8
  %7 = icmp eq i64 %1, 0
  br i1 %7, label %8, label %16

8:                                                ; preds = %2
  call void @llvm.lifetime.start.p0(ptr nonnull %6) #3
  %9 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %6) #3
  %10 = load i64, ptr %6, align 8, !tbaa !7
  %11 = mul nsw i64 %10, 1000000000
  %12 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %13 = load i64, ptr %12, align 8, !tbaa !10
  %14 = add nsw i64 %11, %13
  call void @llvm.lifetime.end.p0(ptr nonnull %6) #3
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i64 %14, ptr %15, align 32, !tbaa !11
  br label %16

16:                                               ; preds = %8, %2
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %18 = load i64, ptr %17, align 32, !tbaa !16
  %19 = add nsw i64 %18, -1
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %21 = load atomic i64, ptr %20 acquire, align 64
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %23 = atomicrmw add ptr %22, i64 1 acq_rel, align 64
  %24 = icmp eq i64 %23, %19
  br i1 %24, label %27, label %25

25:                                               ; preds = %16
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 264
  br label %29

27:                                               ; preds = %16
  store atomic i64 0, ptr %22 monotonic, align 64
  %28 = add nsw i64 %21, 1
  store atomic i64 %28, ptr %20 release, align 64
  br label %41

29:                                               ; preds = %38, %25
  %30 = phi i64 [ %31, %38 ], [ 0, %25 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %31 = add nuw nsw i64 %30, 1
  %32 = icmp samesign ugt i64 %30, 19999
  br i1 %32, label %33, label %35

33:                                               ; preds = %29
  %34 = call i32 @sched_yield() #3
  br label %35

35:                                               ; preds = %33, %29
  %36 = load atomic i64, ptr %26 monotonic, align 8
  %37 = icmp eq i64 %36, 0
  br i1 %37, label %38, label %200

38:                                               ; preds = %35
  %39 = load atomic i64, ptr %20 acquire, align 64
  %40 = icmp eq i64 %39, %21
  br i1 %40, label %29, label %41, !llvm.loop !18

41:                                               ; preds = %38, %27
  %42 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %49 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %55 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %60 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 144
  br label %62

62:                                               ; preds = %41, %197
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #3
  %63 = call i32 @clock_gettime(i32 noundef 3, ptr noundef nonnull %5) #3
  %64 = load i64, ptr %5, align 8, !tbaa !7
  %65 = load i64, ptr %42, align 8, !tbaa !10
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #3
  %66 = load i64, ptr %43, align 64, !tbaa !20
  %67 = load ptr, ptr %0, align 64, !tbaa !21
  %68 = load ptr, ptr %44, align 8, !tbaa !22
  %69 = load ptr, ptr %45, align 16, !tbaa !23
  %70 = load ptr, ptr %46, align 8, !tbaa !24
  %71 = load ptr, ptr %47, align 8, !tbaa !25
  %72 = getelementptr inbounds i64, ptr %71, i64 %1
  %73 = load i64, ptr %72, align 8, !tbaa !26
  %74 = getelementptr i8, ptr %72, i64 8
  %75 = load i64, ptr %74, align 8, !tbaa !26
  %76 = load i64, ptr %17, align 32, !tbaa !16
  %77 = icmp eq i64 %76, 1
  br i1 %77, label %80, label %78

78:                                               ; preds = %62
  %79 = icmp slt i64 %66, 1
  br i1 %79, label %110, label %86

80:                                               ; preds = %62
  %81 = icmp sgt i64 %66, 0
  br i1 %81, label %82, label %110

82:                                               ; preds = %80, %82
  %83 = phi i64 [ %84, %82 ], [ 0, %80 ]
  call void %70(ptr noundef %67, ptr noundef %68, ptr noundef %69, i64 noundef %73, i64 noundef %75) #3
  %84 = add nuw nsw i64 %83, 1
  %85 = icmp eq i64 %84, %66
  br i1 %85, label %110, label %82, !llvm.loop !27

86:                                               ; preds = %78, %107
  %87 = phi i64 [ %108, %107 ], [ 0, %78 ]
  call void %70(ptr noundef %67, ptr noundef %68, ptr noundef %69, i64 noundef %73, i64 noundef %75) #3
  %88 = load i64, ptr %17, align 32, !tbaa !16
  %89 = add nsw i64 %88, -1
  %90 = load atomic i64, ptr %20 acquire, align 64
  %91 = atomicrmw add ptr %22, i64 1 acq_rel, align 64
  %92 = icmp eq i64 %91, %89
  br i1 %92, label %93, label %95

93:                                               ; preds = %86
  store atomic i64 0, ptr %22 monotonic, align 64
  %94 = add nsw i64 %90, 1
  store atomic i64 %94, ptr %20 release, align 64
  br label %107

95:                                               ; preds = %86, %104
  %96 = phi i64 [ %97, %104 ], [ 0, %86 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %97 = add nuw nsw i64 %96, 1
  %98 = icmp samesign ugt i64 %96, 19999
  br i1 %98, label %99, label %101

99:                                               ; preds = %95
  %100 = call i32 @sched_yield() #3
  br label %101

101:                                              ; preds = %99, %95
  %102 = load atomic i64, ptr %48 monotonic, align 8
  %103 = icmp eq i64 %102, 0
  br i1 %103, label %104, label %200

104:                                              ; preds = %101
  %105 = load atomic i64, ptr %20 acquire, align 64
  %106 = icmp eq i64 %105, %90
  br i1 %106, label %95, label %107, !llvm.loop !18

107:                                              ; preds = %104, %93
  %108 = add nuw nsw i64 %87, 1
  %109 = icmp eq i64 %108, %66
  br i1 %109, label %110, label %86, !llvm.loop !28

110:                                              ; preds = %107, %82, %80, %78
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #3
  %111 = call i32 @clock_gettime(i32 noundef 3, ptr noundef nonnull %4) #3
  %112 = load i64, ptr %4, align 8, !tbaa !7
  %113 = load i64, ptr %49, align 8, !tbaa !10
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #3
  %114 = sub i64 %112, %64
  %115 = mul i64 %114, 1000000000
  %116 = sub i64 %113, %65
  %117 = add i64 %116, %115
  %118 = atomicrmw max ptr %50, i64 %117 monotonic, align 8
  %119 = load i64, ptr %17, align 32, !tbaa !16
  %120 = add nsw i64 %119, -1
  %121 = load atomic i64, ptr %20 acquire, align 64
  %122 = atomicrmw add ptr %22, i64 1 acq_rel, align 64
  %123 = icmp eq i64 %122, %120
  br i1 %123, label %124, label %126

124:                                              ; preds = %110
  store atomic i64 0, ptr %22 monotonic, align 64
  %125 = add nsw i64 %121, 1
  store atomic i64 %125, ptr %20 release, align 64
  br label %138

126:                                              ; preds = %110, %135
  %127 = phi i64 [ %128, %135 ], [ 0, %110 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %128 = add nuw nsw i64 %127, 1
  %129 = icmp samesign ugt i64 %127, 19999
  br i1 %129, label %130, label %132

130:                                              ; preds = %126
  %131 = call i32 @sched_yield() #3
  br label %132

132:                                              ; preds = %130, %126
  %133 = load atomic i64, ptr %48 monotonic, align 8
  %134 = icmp eq i64 %133, 0
  br i1 %134, label %135, label %200

135:                                              ; preds = %132
  %136 = load atomic i64, ptr %20 acquire, align 64
  %137 = icmp eq i64 %136, %121
  br i1 %137, label %126, label %138, !llvm.loop !18

138:                                              ; preds = %135, %124
  br i1 %7, label %139, label %177

139:                                              ; preds = %138
  %140 = load i64, ptr %50, align 8, !tbaa !29
  store i64 0, ptr %50, align 8, !tbaa !29
  %141 = load i64, ptr %51, align 16, !tbaa !30
  %142 = icmp slt i64 %140, %141
  br i1 %142, label %143, label %146

143:                                              ; preds = %139
  %144 = load i64, ptr %43, align 64, !tbaa !20
  %145 = shl nsw i64 %144, 1
  store i64 %145, ptr %43, align 64, !tbaa !20
  store i64 0, ptr %52, align 8, !tbaa !31
  store i64 0, ptr %54, align 8, !tbaa !32
  br label %177

146:                                              ; preds = %139
  %147 = load i64, ptr %52, align 8, !tbaa !31
  %148 = icmp eq i64 %147, 0
  br i1 %148, label %149, label %150

149:                                              ; preds = %146
  store i64 1, ptr %52, align 8, !tbaa !31
  br label %177

150:                                              ; preds = %146
  %151 = load ptr, ptr %53, align 8, !tbaa !33
  %152 = load i64, ptr %54, align 8, !tbaa !32
  %153 = add nsw i64 %152, 1
  store i64 %153, ptr %54, align 8, !tbaa !32
  %154 = getelementptr inbounds i64, ptr %151, i64 %152
  store i64 %140, ptr %154, align 8, !tbaa !26
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #3
  %155 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %3) #3
  %156 = load i64, ptr %3, align 8, !tbaa !7
  %157 = mul nsw i64 %156, 1000000000
  %158 = load i64, ptr %55, align 8, !tbaa !10
  %159 = add nsw i64 %157, %158
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #3
  %160 = load i64, ptr %56, align 32, !tbaa !11
  %161 = sub i64 %159, %160
  %162 = load i64, ptr %57, align 8, !tbaa !34
  %163 = icmp slt i64 %161, %162
  %164 = load i64, ptr %54, align 8, !tbaa !32
  br i1 %163, label %168, label %165

165:                                              ; preds = %150
  %166 = load i64, ptr %58, align 8, !tbaa !35
  %167 = icmp slt i64 %164, %166
  br i1 %167, label %168, label %175

168:                                              ; preds = %165, %150
  %169 = load i64, ptr %59, align 16, !tbaa !36
  %170 = icmp slt i64 %164, %169
  br i1 %170, label %171, label %175

171:                                              ; preds = %168
  %172 = load i64, ptr %60, align 64, !tbaa !37
  %173 = icmp sge i64 %161, %172
  %174 = zext i1 %173 to i64
  br label %175

175:                                              ; preds = %171, %168, %165
  %176 = phi i64 [ 1, %168 ], [ 1, %165 ], [ %174, %171 ]
  store i64 %176, ptr %61, align 16, !tbaa !38
  br label %177

177:                                              ; preds = %175, %149, %143, %138
  %178 = load i64, ptr %17, align 32, !tbaa !16
  %179 = add nsw i64 %178, -1
  %180 = load atomic i64, ptr %20 acquire, align 64
  %181 = atomicrmw add ptr %22, i64 1 acq_rel, align 64
  %182 = icmp eq i64 %181, %179
  br i1 %182, label %183, label %185

183:                                              ; preds = %177
  store atomic i64 0, ptr %22 monotonic, align 64
  %184 = add nsw i64 %180, 1
  store atomic i64 %184, ptr %20 release, align 64
  br label %197

185:                                              ; preds = %177, %194
  %186 = phi i64 [ %187, %194 ], [ 0, %177 ]
  call void asm sideeffect "pause", "~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !17
  %187 = add nuw nsw i64 %186, 1
  %188 = icmp samesign ugt i64 %186, 19999
  br i1 %188, label %189, label %191

189:                                              ; preds = %185
  %190 = call i32 @sched_yield() #3
  br label %191

191:                                              ; preds = %189, %185
  %192 = load atomic i64, ptr %48 monotonic, align 8
  %193 = icmp eq i64 %192, 0
  br i1 %193, label %194, label %200

194:                                              ; preds = %191
  %195 = load atomic i64, ptr %20 acquire, align 64
  %196 = icmp eq i64 %195, %180
  br i1 %196, label %185, label %197, !llvm.loop !18

197:                                              ; preds = %194, %183
  %198 = load i64, ptr %61, align 16, !tbaa !38
  %199 = icmp eq i64 %198, 0
  br i1 %199, label %62, label %200, !llvm.loop !39

200:                                              ; preds = %35, %197, %132, %191, %101
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
  store i64 1, ptr %5, align 8, !tbaa !40
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8, !tbaa !42
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
  %14 = load i64, ptr %5, align 8, !tbaa !40
  %15 = load i64, ptr %6, align 8, !tbaa !42
  %16 = icmp slt i64 %14, %15
  br i1 %16, label %17, label %30

17:                                               ; preds = %9, %17
  %18 = phi i64 [ %26, %17 ], [ %14, %9 ]
  %19 = load ptr, ptr %0, align 8, !tbaa !43
  %20 = getelementptr inbounds %struct.Task, ptr %19, i64 %18
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 40
  %22 = call i32 @pthread_create(ptr noundef nonnull %21, ptr noundef nonnull %2, ptr noundef nonnull @work, ptr noundef %20) #3
  %23 = icmp eq i32 %22, 0
  %24 = zext i1 %23 to i64
  %25 = load i64, ptr %5, align 8, !tbaa !40
  %26 = add nsw i64 %25, %24
  store i64 %26, ptr %5, align 8, !tbaa !40
  %27 = load i64, ptr %6, align 8, !tbaa !42
  %28 = icmp slt i64 %26, %27
  %29 = and i1 %23, %28
  br i1 %29, label %17, label %30, !llvm.loop !44

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
  %36 = load ptr, ptr %0, align 8, !tbaa !43
  %37 = load ptr, ptr %36, align 8, !tbaa !45
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 264
  store atomic i64 1, ptr %38 monotonic, align 8
  br label %61

39:                                               ; preds = %1, %30
  %40 = load ptr, ptr %0, align 8, !tbaa !43
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 32
  %42 = load i64, ptr %41, align 8, !tbaa !47
  %43 = getelementptr inbounds nuw i8, ptr %40, i64 24
  %44 = load ptr, ptr %43, align 8, !tbaa !48
  %45 = call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %42, ptr noundef %44) #3
  %46 = load ptr, ptr %40, align 8, !tbaa !45
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 96
  %48 = icmp ne i32 %45, 0
  %49 = zext i1 %48 to i64
  %50 = atomicrmw add ptr %47, i64 %49 monotonic, align 32
  %51 = getelementptr inbounds nuw i8, ptr %40, i64 16
  %52 = load ptr, ptr %51, align 8, !tbaa !49
  %53 = load ptr, ptr %40, align 8, !tbaa !45
  %54 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %55 = load i64, ptr %54, align 8, !tbaa !50
  call void %52(ptr noundef %53, i64 noundef %55) #3
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %57 = load i64, ptr %56, align 8, !tbaa !51
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %59 = load ptr, ptr %58, align 8, !tbaa !52
  %60 = call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %57, ptr noundef %59) #3
  br label %61

61:                                               ; preds = %39, %35
  %62 = phi i32 [ 0, %39 ], [ %31, %35 ]
  %63 = load i64, ptr %5, align 8, !tbaa !40
  %64 = icmp sgt i64 %63, 1
  br i1 %64, label %66, label %65

65:                                               ; preds = %66, %61
  ret i32 %62

66:                                               ; preds = %61, %66
  %67 = phi i64 [ %68, %66 ], [ %63, %61 ]
  %68 = add nsw i64 %67, -1
  %69 = load ptr, ptr %0, align 8, !tbaa !43
  %70 = getelementptr inbounds nuw %struct.Task, ptr %69, i64 %68
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 40
  %72 = load i64, ptr %71, align 8, !tbaa !53
  %73 = call i32 @pthread_join(i64 noundef %72, ptr noundef null) #3
  %74 = icmp samesign ugt i64 %67, 2
  br i1 %74, label %66, label %65, !llvm.loop !54
}

; Function Attrs: nounwind
define internal noalias noundef ptr @work(ptr noundef readonly captures(none) %0) #0 {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %3 = load i64, ptr %2, align 8, !tbaa !47
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %5 = load ptr, ptr %4, align 8, !tbaa !48
  %6 = tail call i32 @sched_setaffinity(i32 noundef 0, i64 noundef %3, ptr noundef %5) #3
  %7 = load ptr, ptr %0, align 8, !tbaa !45
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 96
  %9 = icmp ne i32 %6, 0
  %10 = zext i1 %9 to i64
  %11 = atomicrmw add ptr %8, i64 %10 monotonic, align 32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8, !tbaa !49
  %14 = load ptr, ptr %0, align 8, !tbaa !45
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = load i64, ptr %15, align 8, !tbaa !50
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
!12 = !{!"", !13, i64 0, !13, i64 8, !13, i64 16, !14, i64 24, !9, i64 32, !15, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !15, i64 88, !9, i64 96, !9, i64 128, !9, i64 136, !9, i64 144, !9, i64 152, !9, i64 160, !9, i64 168, !9, i64 192, !9, i64 256, !9, i64 264}
!13 = !{!"p1 float", !14, i64 0}
!14 = !{!"any pointer", !5, i64 0}
!15 = !{!"p1 long", !14, i64 0}
!16 = !{!12, !9, i64 32}
!17 = !{i64 2772}
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
!29 = !{!12, !9, i64 168}
!30 = !{!12, !9, i64 48}
!31 = !{!12, !9, i64 152}
!32 = !{!12, !9, i64 136}
!33 = !{!12, !15, i64 88}
!34 = !{!12, !9, i64 56}
!35 = !{!12, !9, i64 72}
!36 = !{!12, !9, i64 80}
!37 = !{!12, !9, i64 64}
!38 = !{!12, !9, i64 144}
!39 = distinct !{!39, !19}
!40 = !{!41, !9, i64 32}
!41 = !{!"", !14, i64 0, !9, i64 8, !14, i64 16, !9, i64 24, !9, i64 32}
!42 = !{!41, !9, i64 8}
!43 = !{!41, !14, i64 0}
!44 = distinct !{!44, !19}
!45 = !{!46, !14, i64 0}
!46 = !{!"", !14, i64 0, !9, i64 8, !14, i64 16, !14, i64 24, !9, i64 32, !9, i64 40}
!47 = !{!46, !9, i64 32}
!48 = !{!46, !14, i64 24}
!49 = !{!46, !14, i64 16}
!50 = !{!46, !9, i64 8}
!51 = !{!41, !9, i64 24}
!52 = !{!41, !14, i64 16}
!53 = !{!46, !9, i64 40}
!54 = distinct !{!54, !19}
