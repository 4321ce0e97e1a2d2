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
@running = internal unnamed_addr global i32 0, align 4
@optarena_block_size = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_grid_size = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_block = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@optarena_thread = dso_local local_unnamed_addr global [2 x i32] zeroinitializer, align 4
@scheduler = internal global ptr null, align 8

; Function Attrs: nounwind
define dso_local void @optarena_barrier(i32 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = load ptr, ptr @current, align 8, !tbaa !7
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %5 = load ptr, ptr %4, align 8, !tbaa !10
  %6 = load i32, ptr @running, align 4, !tbaa !3
  %7 = zext i32 %6 to i64
  %8 = getelementptr inbounds nuw i32, ptr %5, i64 %7
  store i32 %1, ptr %8, align 4, !tbaa !3
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %10 = load ptr, ptr %9, align 8, !tbaa !16
  %11 = getelementptr inbounds nuw ptr, ptr %10, i64 %7
  %12 = load ptr, ptr @scheduler, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef %11, ptr noundef %12) #7
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define dso_local void @optarena_fill(ptr noundef writeonly captures(none) %0, i64 noundef %1, i8 noundef zeroext %2) local_unnamed_addr #1 {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %6, label %5

5:                                                ; preds = %3
  tail call void @llvm.memset.p0.i64(ptr align 1 %0, i8 %2, i64 %1, i1 false), !tbaa !18
  br label %6

6:                                                ; preds = %5, %3
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local void @optarena_check(ptr noundef readonly captures(none) %0, i64 noundef %1, i8 noundef zeroext %2, i64 noundef %3) local_unnamed_addr #2 {
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %29, label %6

6:                                                ; preds = %4
  %7 = load ptr, ptr @current, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %9 = and i64 %1, 3
  %10 = icmp ult i64 %1, 4
  br i1 %10, label %15, label %11

11:                                               ; preds = %6
  %12 = and i64 %1, -4
  br label %30

13:                                               ; preds = %55
  %14 = icmp eq i64 %9, 0
  br i1 %14, label %29, label %15

15:                                               ; preds = %13, %6
  %16 = phi i64 [ 0, %6 ], [ %56, %13 ]
  %17 = icmp ne i64 %9, 0
  tail call void @llvm.assume(i1 %17)
  br label %18

18:                                               ; preds = %25, %15
  %19 = phi i64 [ %16, %15 ], [ %26, %25 ]
  %20 = phi i64 [ 0, %15 ], [ %27, %25 ]
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 %19
  %22 = load i8, ptr %21, align 1, !tbaa !18
  %23 = icmp eq i8 %22, %2
  br i1 %23, label %25, label %24

24:                                               ; preds = %18
  store i64 %3, ptr %8, align 8, !tbaa !19
  br label %25

25:                                               ; preds = %24, %18
  %26 = add nuw i64 %19, 1
  %27 = add i64 %20, 1
  %28 = icmp eq i64 %27, %9
  br i1 %28, label %29, label %18, !llvm.loop !20

29:                                               ; preds = %13, %25, %4
  ret void

30:                                               ; preds = %55, %11
  %31 = phi i64 [ 0, %11 ], [ %56, %55 ]
  %32 = phi i64 [ 0, %11 ], [ %57, %55 ]
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %34 = load i8, ptr %33, align 1, !tbaa !18
  %35 = icmp eq i8 %34, %2
  br i1 %35, label %37, label %36

36:                                               ; preds = %30
  store i64 %3, ptr %8, align 8, !tbaa !19
  br label %37

37:                                               ; preds = %30, %36
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 1
  %40 = load i8, ptr %39, align 1, !tbaa !18
  %41 = icmp eq i8 %40, %2
  br i1 %41, label %43, label %42

42:                                               ; preds = %37
  store i64 %3, ptr %8, align 8, !tbaa !19
  br label %43

43:                                               ; preds = %42, %37
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 2
  %46 = load i8, ptr %45, align 1, !tbaa !18
  %47 = icmp eq i8 %46, %2
  br i1 %47, label %49, label %48

48:                                               ; preds = %43
  store i64 %3, ptr %8, align 8, !tbaa !19
  br label %49

49:                                               ; preds = %48, %43
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 %31
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 3
  %52 = load i8, ptr %51, align 1, !tbaa !18
  %53 = icmp eq i8 %52, %2
  br i1 %53, label %55, label %54

54:                                               ; preds = %49
  store i64 %3, ptr %8, align 8, !tbaa !19
  br label %55

55:                                               ; preds = %54, %49
  %56 = add nuw i64 %31, 4
  %57 = add i64 %32, 4
  %58 = icmp eq i64 %57, %12
  br i1 %58, label %13, label %30, !llvm.loop !22
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
  br i1 %9, label %25, label %10

10:                                               ; preds = %1
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %19 = load i32, ptr %0, align 8, !tbaa !3
  br label %20

20:                                               ; preds = %10, %28
  %21 = phi i32 [ %8, %10 ], [ %29, %28 ]
  %22 = phi i32 [ %19, %10 ], [ %30, %28 ]
  %23 = phi i32 [ 0, %10 ], [ %31, %28 ]
  %24 = icmp eq i32 %22, 0
  br i1 %24, label %28, label %33

25:                                               ; preds = %28, %1
  ret void

26:                                               ; preds = %209
  %27 = load i32, ptr %7, align 4, !tbaa !3
  br label %28

28:                                               ; preds = %26, %20
  %29 = phi i32 [ %27, %26 ], [ %21, %20 ]
  %30 = phi i32 [ %211, %26 ], [ 0, %20 ]
  %31 = add nuw i32 %23, 1
  %32 = icmp ult i32 %31, %29
  br i1 %32, label %20, label %25, !llvm.loop !24

33:                                               ; preds = %20, %209
  %34 = phi i32 [ %210, %209 ], [ 0, %20 ]
  store i32 %34, ptr @optarena_block, align 4, !tbaa !3
  store i32 %23, ptr getelementptr inbounds nuw (i8, ptr @optarena_block, i64 4), align 4, !tbaa !3
  %35 = load i32, ptr %2, align 8, !tbaa !3
  %36 = load i32, ptr %11, align 4, !tbaa !3
  %37 = mul i32 %36, %35
  tail call void @optarena_clear_shared() #7
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %209, label %39

39:                                               ; preds = %33
  %40 = zext i32 %37 to i64
  %41 = and i64 %40, 1
  %42 = icmp eq i32 %37, 1
  br i1 %42, label %76, label %43

43:                                               ; preds = %39
  %44 = and i64 %40, 4294967294
  br label %45

45:                                               ; preds = %45, %43
  %46 = phi i64 [ 0, %43 ], [ %61, %45 ]
  %47 = phi i64 [ 0, %43 ], [ %72, %45 ]
  %48 = load ptr, ptr %12, align 8, !tbaa !25
  %49 = or disjoint i64 %46, 1
  %50 = load i64, ptr %13, align 8, !tbaa !26
  %51 = mul i64 %50, %49
  %52 = getelementptr inbounds nuw i8, ptr %48, i64 %51
  %53 = getelementptr inbounds i8, ptr %52, i64 -8
  store ptr null, ptr %53, align 8, !tbaa !17
  %54 = getelementptr inbounds i8, ptr %52, i64 -16
  store ptr @fiber, ptr %54, align 8, !tbaa !17
  %55 = getelementptr i8, ptr %52, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %55, i8 0, i64 48, i1 false), !tbaa !17
  %56 = load ptr, ptr %14, align 8, !tbaa !16
  %57 = getelementptr inbounds nuw ptr, ptr %56, i64 %46
  store ptr %55, ptr %57, align 8, !tbaa !17
  %58 = load ptr, ptr %15, align 8, !tbaa !27
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 %46
  store i8 0, ptr %59, align 1, !tbaa !18
  %60 = load ptr, ptr %12, align 8, !tbaa !25
  %61 = add nuw nsw i64 %46, 2
  %62 = load i64, ptr %13, align 8, !tbaa !26
  %63 = mul i64 %62, %61
  %64 = getelementptr inbounds nuw i8, ptr %60, i64 %63
  %65 = getelementptr inbounds i8, ptr %64, i64 -8
  store ptr null, ptr %65, align 8, !tbaa !17
  %66 = getelementptr inbounds i8, ptr %64, i64 -16
  store ptr @fiber, ptr %66, align 8, !tbaa !17
  %67 = getelementptr i8, ptr %64, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %67, i8 0, i64 48, i1 false), !tbaa !17
  %68 = load ptr, ptr %14, align 8, !tbaa !16
  %69 = getelementptr inbounds nuw ptr, ptr %68, i64 %49
  store ptr %67, ptr %69, align 8, !tbaa !17
  %70 = load ptr, ptr %15, align 8, !tbaa !27
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 %49
  store i8 0, ptr %71, align 1, !tbaa !18
  %72 = add nuw i64 %47, 2
  %73 = icmp eq i64 %72, %44
  br i1 %73, label %74, label %45, !llvm.loop !28

74:                                               ; preds = %45
  %75 = icmp eq i64 %41, 0
  br i1 %75, label %91, label %76

76:                                               ; preds = %74, %39
  %77 = phi i64 [ 0, %39 ], [ %61, %74 ]
  %78 = icmp ne i64 %41, 0
  tail call void @llvm.assume(i1 %78)
  %79 = load ptr, ptr %12, align 8, !tbaa !25
  %80 = add nuw nsw i64 %77, 1
  %81 = load i64, ptr %13, align 8, !tbaa !26
  %82 = mul i64 %81, %80
  %83 = getelementptr inbounds nuw i8, ptr %79, i64 %82
  %84 = getelementptr inbounds i8, ptr %83, i64 -8
  store ptr null, ptr %84, align 8, !tbaa !17
  %85 = getelementptr inbounds i8, ptr %83, i64 -16
  store ptr @fiber, ptr %85, align 8, !tbaa !17
  %86 = getelementptr i8, ptr %83, i64 -64
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %86, i8 0, i64 48, i1 false), !tbaa !17
  %87 = load ptr, ptr %14, align 8, !tbaa !16
  %88 = getelementptr inbounds nuw ptr, ptr %87, i64 %77
  store ptr %86, ptr %88, align 8, !tbaa !17
  %89 = load ptr, ptr %15, align 8, !tbaa !27
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 %77
  store i8 0, ptr %90, align 1, !tbaa !18
  br label %91

91:                                               ; preds = %74, %76
  %92 = load ptr, ptr %15, align 8, !tbaa !27
  br label %170

93:                                               ; preds = %163
  %94 = icmp eq i64 %129, 0
  br i1 %94, label %110, label %95

95:                                               ; preds = %93, %128
  %96 = phi i64 [ %119, %128 ], [ %165, %93 ]
  %97 = phi i32 [ 0, %128 ], [ %164, %93 ]
  %98 = icmp ne i64 %129, 0
  tail call void @llvm.assume(i1 %98)
  %99 = getelementptr inbounds nuw i8, ptr %199, i64 %96
  %100 = load i8, ptr %99, align 1, !tbaa !18
  %101 = icmp ne i8 %100, 0
  %102 = icmp eq i32 %97, 0
  %103 = select i1 %101, i1 true, i1 %102
  br i1 %103, label %110, label %104

104:                                              ; preds = %95
  %105 = load ptr, ptr %17, align 8, !tbaa !10
  %106 = getelementptr inbounds nuw i32, ptr %105, i64 %96
  %107 = load i32, ptr %106, align 4, !tbaa !3
  %108 = icmp eq i32 %97, %107
  br i1 %108, label %110, label %109

109:                                              ; preds = %104
  store i64 1, ptr %18, align 8, !tbaa !29
  br label %110

110:                                              ; preds = %93, %109, %104, %95, %115
  %111 = phi ptr [ %117, %115 ], [ %199, %95 ], [ %199, %104 ], [ %199, %109 ], [ %199, %93 ]
  %112 = icmp ugt i32 %37, %125
  %113 = add nuw nsw i64 %118, 32
  %114 = add i64 %116, 1
  br i1 %112, label %115, label %168, !llvm.loop !30

115:                                              ; preds = %198, %110
  %116 = phi i64 [ %114, %110 ], [ 0, %198 ]
  %117 = phi ptr [ %111, %110 ], [ %200, %198 ]
  %118 = phi i64 [ %113, %110 ], [ 32, %198 ]
  %119 = phi i64 [ %124, %110 ], [ 0, %198 ]
  %120 = tail call i64 @llvm.umin.i64(i64 %118, i64 %40)
  %121 = mul nsw i64 %116, -32
  %122 = add i64 %120, %121
  %123 = trunc i64 %119 to i32
  %124 = add nuw nsw i64 %119, 32
  %125 = trunc i64 %124 to i32
  %126 = tail call i32 @llvm.umin.i32(i32 %37, i32 %125)
  %127 = icmp ugt i32 %126, %123
  br i1 %127, label %128, label %110

128:                                              ; preds = %115
  %129 = and i64 %120, 1
  %130 = sub i64 1, %121
  %131 = icmp eq i64 %120, %130
  br i1 %131, label %95, label %132

132:                                              ; preds = %128
  %133 = sub i64 %122, %129
  br label %134

134:                                              ; preds = %163, %132
  %135 = phi i64 [ %119, %132 ], [ %165, %163 ]
  %136 = phi i32 [ 0, %132 ], [ %164, %163 ]
  %137 = phi i64 [ 0, %132 ], [ %166, %163 ]
  %138 = getelementptr inbounds nuw i8, ptr %199, i64 %135
  %139 = load i8, ptr %138, align 1, !tbaa !18
  %140 = icmp eq i8 %139, 0
  br i1 %140, label %141, label %149

141:                                              ; preds = %134
  %142 = icmp eq i32 %136, 0
  %143 = load ptr, ptr %17, align 8, !tbaa !10
  %144 = getelementptr inbounds nuw i32, ptr %143, i64 %135
  %145 = load i32, ptr %144, align 4, !tbaa !3
  br i1 %142, label %149, label %146

146:                                              ; preds = %141
  %147 = icmp eq i32 %136, %145
  br i1 %147, label %149, label %148

148:                                              ; preds = %146
  store i64 1, ptr %18, align 8, !tbaa !29
  br label %149

149:                                              ; preds = %148, %146, %141, %134
  %150 = phi i32 [ %136, %134 ], [ %136, %146 ], [ %145, %148 ], [ %145, %141 ]
  %151 = or disjoint i64 %135, 1
  %152 = getelementptr inbounds nuw i8, ptr %199, i64 %151
  %153 = load i8, ptr %152, align 1, !tbaa !18
  %154 = icmp eq i8 %153, 0
  br i1 %154, label %155, label %163

155:                                              ; preds = %149
  %156 = icmp eq i32 %150, 0
  %157 = load ptr, ptr %17, align 8, !tbaa !10
  %158 = getelementptr inbounds nuw i32, ptr %157, i64 %151
  %159 = load i32, ptr %158, align 4, !tbaa !3
  br i1 %156, label %163, label %160

160:                                              ; preds = %155
  %161 = icmp eq i32 %150, %159
  br i1 %161, label %163, label %162

162:                                              ; preds = %160
  store i64 1, ptr %18, align 8, !tbaa !29
  br label %163

163:                                              ; preds = %162, %160, %155, %149
  %164 = phi i32 [ %150, %149 ], [ %150, %160 ], [ %159, %162 ], [ %159, %155 ]
  %165 = add nuw nsw i64 %135, 2
  %166 = add i64 %137, 2
  %167 = icmp eq i64 %166, %133
  br i1 %167, label %93, label %134, !llvm.loop !31

168:                                              ; preds = %110
  %169 = icmp eq i32 %202, 0
  br i1 %169, label %209, label %205

170:                                              ; preds = %205, %91
  %171 = phi ptr [ %92, %91 ], [ %199, %205 ]
  %172 = phi ptr [ %92, %91 ], [ %206, %205 ]
  %173 = phi ptr [ %92, %91 ], [ %207, %205 ]
  %174 = phi i64 [ 0, %91 ], [ %208, %205 ]
  %175 = phi i32 [ %37, %91 ], [ %202, %205 ]
  %176 = load ptr, ptr %16, align 8, !tbaa !32
  %177 = getelementptr inbounds nuw i32, ptr %176, i64 %174
  %178 = load i32, ptr %177, align 4, !tbaa !3
  store i32 %178, ptr @running, align 4, !tbaa !3
  %179 = zext i32 %178 to i64
  %180 = getelementptr inbounds nuw i8, ptr %173, i64 %179
  %181 = load i8, ptr %180, align 1, !tbaa !18
  %182 = icmp eq i8 %181, 0
  br i1 %182, label %183, label %198

183:                                              ; preds = %170
  %184 = load i32, ptr %2, align 8, !tbaa !3
  %185 = urem i32 %178, %184
  store i32 %185, ptr @optarena_thread, align 4, !tbaa !3
  %186 = udiv i32 %178, %184
  store i32 %186, ptr getelementptr inbounds nuw (i8, ptr @optarena_thread, i64 4), align 4, !tbaa !3
  %187 = load ptr, ptr %14, align 8, !tbaa !16
  %188 = getelementptr inbounds nuw ptr, ptr %187, i64 %179
  %189 = load ptr, ptr %188, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef nonnull @scheduler, ptr noundef %189) #7
  %190 = load ptr, ptr %15, align 8, !tbaa !27
  %191 = load i32, ptr @running, align 4, !tbaa !3
  %192 = zext i32 %191 to i64
  %193 = getelementptr inbounds nuw i8, ptr %190, i64 %192
  %194 = load i8, ptr %193, align 1, !tbaa !18
  %195 = icmp ne i8 %194, 0
  %196 = sext i1 %195 to i32
  %197 = add i32 %175, %196
  br label %198

198:                                              ; preds = %183, %170
  %199 = phi ptr [ %171, %170 ], [ %190, %183 ]
  %200 = phi ptr [ %172, %170 ], [ %190, %183 ]
  %201 = phi ptr [ %173, %170 ], [ %190, %183 ]
  %202 = phi i32 [ %175, %170 ], [ %197, %183 ]
  %203 = add nuw nsw i64 %174, 1
  %204 = icmp eq i64 %203, %40
  br i1 %204, label %115, label %205

205:                                              ; preds = %198, %168
  %206 = phi ptr [ %200, %198 ], [ %111, %168 ]
  %207 = phi ptr [ %201, %198 ], [ %111, %168 ]
  %208 = phi i64 [ %203, %198 ], [ 0, %168 ]
  br label %170, !llvm.loop !33

209:                                              ; preds = %168, %33
  tail call void @optarena_check_shared() #7
  %210 = add nuw i32 %34, 1
  %211 = load i32, ptr %0, align 8, !tbaa !3
  %212 = icmp ult i32 %210, %211
  br i1 %212, label %33, label %26, !llvm.loop !34
}

declare void @optarena_switch(ptr noundef, ptr noundef) local_unnamed_addr #3

declare void @optarena_clear_shared() local_unnamed_addr #3

declare void @optarena_check_shared() local_unnamed_addr #3

; Function Attrs: nounwind
define internal void @fiber() #0 {
  %1 = load ptr, ptr @current, align 8, !tbaa !7
  %2 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %3 = load ptr, ptr %2, align 8, !tbaa !35
  tail call void @optarena_kernel(ptr noundef %3) #7
  %4 = load ptr, ptr @current, align 8, !tbaa !7
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %6 = load ptr, ptr %5, align 8, !tbaa !27
  %7 = load i32, ptr @running, align 4, !tbaa !3
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 %8
  store i8 1, ptr %9, align 1, !tbaa !18
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %11 = load ptr, ptr %10, align 8, !tbaa !16
  %12 = getelementptr inbounds nuw ptr, ptr %11, i64 %8
  %13 = load ptr, ptr @scheduler, align 8, !tbaa !17
  tail call void @optarena_switch(ptr noundef %12, ptr noundef %13) #7
  ret void
}

declare void @optarena_kernel(ptr noundef) local_unnamed_addr #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

attributes #0 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { nounwind }

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
!10 = !{!11, !12, i64 56}
!11 = !{!"launch", !5, i64 0, !5, i64 8, !12, i64 16, !13, i64 24, !14, i64 32, !15, i64 40, !13, i64 48, !12, i64 56, !15, i64 64, !14, i64 72, !14, i64 80}
!12 = !{!"p1 int", !9, i64 0}
!13 = !{!"p1 omnipotent char", !9, i64 0}
!14 = !{!"long", !5, i64 0}
!15 = !{!"any p2 pointer", !9, i64 0}
!16 = !{!11, !15, i64 40}
!17 = !{!9, !9, i64 0}
!18 = !{!5, !5, i64 0}
!19 = !{!11, !14, i64 72}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.unroll.disable"}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.mustprogress"}
!24 = distinct !{!24, !23}
!25 = !{!11, !13, i64 24}
!26 = !{!11, !14, i64 32}
!27 = !{!11, !13, i64 48}
!28 = distinct !{!28, !23}
!29 = !{!11, !14, i64 80}
!30 = distinct !{!30, !23}
!31 = distinct !{!31, !23}
!32 = !{!11, !12, i64 16}
!33 = distinct !{!33, !23}
!34 = distinct !{!34, !23}
!35 = !{!11, !15, i64 64}
