; optarena-kernel: {"kernel":"softmax","cases":{"odd":{"grid":[5,1],"block":[128,1],"arguments":[{"kind":"f32","count":1505,"seed":1},{"kind":"output","count":1505,"integers":false},{"kind":"int","value":301}],"bytes":12040,"flops":52675},"even":{"grid":[4,1],"block":[128,1],"arguments":[{"kind":"f32","count":1024,"seed":1},{"kind":"output","count":1024,"integers":false},{"kind":"int","value":256}],"bytes":8192,"flops":35840},"timed":{"grid":[16384,1],"block":[128,1],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":2048}],"bytes":268435456,"flops":1174405120}}}
; ModuleID = '<string>'
source_filename = "softmax.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_thread = type { i8 }

@_ZZ7softmaxE6shared = internal addrspace(3) global [128 x float] undef, align 4
@__const._ZL11exponentialf.coefficients = private unnamed_addr constant [7 x float] [float 0x3F2CACB400000000, float 0x3F544BDCA0000000, float 0x3F83D56380000000, float 0x3FAC67F1A0000000, float 0x3FCEBFE120000000, float 0x3FE62E4280000000, float 1.000000e+00], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @softmax(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 {
  %4 = alloca float, align 4
  %5 = alloca float, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca ptr, align 8
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca ptr, align 8
  %12 = alloca %struct.optarena_block, align 1
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  %15 = alloca %struct.optarena_thread, align 1
  %16 = alloca float, align 4
  %17 = alloca i32, align 4
  %18 = alloca %struct.optarena_thread, align 1
  %19 = alloca i32, align 4
  %20 = alloca %struct.optarena_thread, align 1
  store ptr %0, ptr %6, align 8, !tbaa !8
  store ptr %1, ptr %7, align 8, !tbaa !8
  store i32 %2, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %21 = load ptr, ptr %6, align 8, !tbaa !8
  %22 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %23 = load i32, ptr %8, align 4, !tbaa !4
  %24 = mul nsw i32 %22, %23
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %21, i64 %25
  store ptr %26, ptr %9, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %11) #6
  %27 = load ptr, ptr %7, align 8, !tbaa !8
  %28 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %29 = load i32, ptr %8, align 4, !tbaa !4
  %30 = mul nsw i32 %28, %29
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %27, i64 %31
  store ptr %32, ptr %11, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %13) #6
  store float 0xC7EFF933C0000000, ptr %13, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %14) #6
  %33 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %33, ptr %14, align 4, !tbaa !4
  br label %34

34:                                               ; preds = %54, %3
  %35 = load i32, ptr %14, align 4, !tbaa !4
  %36 = load i32, ptr %8, align 4, !tbaa !4
  %37 = icmp slt i32 %35, %36
  br i1 %37, label %39, label %38

38:                                               ; preds = %34
  call void @llvm.lifetime.end.p0(ptr %14) #6
  br label %57

39:                                               ; preds = %34
  %40 = load float, ptr %13, align 4, !tbaa !11
  %41 = load ptr, ptr %9, align 8, !tbaa !8
  %42 = load i32, ptr %14, align 4, !tbaa !4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %41, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %4)
  call void @llvm.lifetime.start.p0(ptr %5)
  store float %40, ptr %4, align 4, !tbaa !11
  store float %45, ptr %5, align 4, !tbaa !11
  %46 = load float, ptr %4, align 4, !tbaa !11
  %47 = load float, ptr %5, align 4, !tbaa !11
  %48 = fcmp contract ogt float %46, %47
  br i1 %48, label %49, label %51

49:                                               ; preds = %39
  %50 = load float, ptr %4, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

51:                                               ; preds = %39
  %52 = load float, ptr %5, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

_ZL5fmaxfff.exit:                                 ; preds = %49, %51
  %53 = phi contract float [ %50, %49 ], [ %52, %51 ]
  call void @llvm.lifetime.end.p0(ptr %4)
  call void @llvm.lifetime.end.p0(ptr %5)
  store float %53, ptr %13, align 4, !tbaa !11
  br label %54

54:                                               ; preds = %_ZL5fmaxfff.exit
  %55 = load i32, ptr %14, align 4, !tbaa !4
  %56 = add nsw i32 %55, 128
  store i32 %56, ptr %14, align 4, !tbaa !4
  br label %34, !llvm.loop !13

57:                                               ; preds = %38
  %58 = load float, ptr %13, align 4, !tbaa !11
  %59 = call contract noundef float @_ZL8combinedILb1EEffPf(float noundef %58, ptr noundef addrspacecast (ptr addrspace(3) @_ZZ7softmaxE6shared to ptr)) #7
  store float %59, ptr %13, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %16) #6
  store float 0.000000e+00, ptr %16, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %17) #6
  %60 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %60, ptr %17, align 4, !tbaa !4
  br label %61

61:                                               ; preds = %77, %57
  %62 = load i32, ptr %17, align 4, !tbaa !4
  %63 = load i32, ptr %8, align 4, !tbaa !4
  %64 = icmp slt i32 %62, %63
  br i1 %64, label %66, label %65

65:                                               ; preds = %61
  call void @llvm.lifetime.end.p0(ptr %17) #6
  br label %80

66:                                               ; preds = %61
  %67 = load ptr, ptr %9, align 8, !tbaa !8
  %68 = load i32, ptr %17, align 4, !tbaa !4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %67, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !11
  %72 = load float, ptr %13, align 4, !tbaa !11
  %73 = fsub contract float %71, %72
  %74 = call contract noundef float @_ZL11exponentialf(float noundef %73) #7
  %75 = load float, ptr %16, align 4, !tbaa !11
  %76 = fadd contract float %75, %74
  store float %76, ptr %16, align 4, !tbaa !11
  br label %77

77:                                               ; preds = %66
  %78 = load i32, ptr %17, align 4, !tbaa !4
  %79 = add nsw i32 %78, 128
  store i32 %79, ptr %17, align 4, !tbaa !4
  br label %61, !llvm.loop !15

80:                                               ; preds = %65
  %81 = load float, ptr %16, align 4, !tbaa !11
  %82 = call contract noundef float @_ZL8combinedILb0EEffPf(float noundef %81, ptr noundef addrspacecast (ptr addrspace(3) @_ZZ7softmaxE6shared to ptr)) #7
  store float %82, ptr %16, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %19) #6
  %83 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %83, ptr %19, align 4, !tbaa !4
  br label %84

84:                                               ; preds = %104, %80
  %85 = load i32, ptr %19, align 4, !tbaa !4
  %86 = load i32, ptr %8, align 4, !tbaa !4
  %87 = icmp slt i32 %85, %86
  br i1 %87, label %89, label %88

88:                                               ; preds = %84
  call void @llvm.lifetime.end.p0(ptr %19) #6
  br label %107

89:                                               ; preds = %84
  %90 = load ptr, ptr %9, align 8, !tbaa !8
  %91 = load i32, ptr %19, align 4, !tbaa !4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds float, ptr %90, i64 %92
  %94 = load float, ptr %93, align 4, !tbaa !11
  %95 = load float, ptr %13, align 4, !tbaa !11
  %96 = fsub contract float %94, %95
  %97 = call contract noundef float @_ZL11exponentialf(float noundef %96) #7
  %98 = load float, ptr %16, align 4, !tbaa !11
  %99 = fdiv contract float %97, %98
  %100 = load ptr, ptr %11, align 8, !tbaa !8
  %101 = load i32, ptr %19, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds float, ptr %100, i64 %102
  store float %99, ptr %103, align 4, !tbaa !11
  br label %104

104:                                              ; preds = %89
  %105 = load i32, ptr %19, align 4, !tbaa !4
  %106 = add nsw i32 %105, 128
  store i32 %106, ptr %19, align 4, !tbaa !4
  br label %84, !llvm.loop !16

107:                                              ; preds = %88
  call void @llvm.lifetime.end.p0(ptr %16) #6
  call void @llvm.lifetime.end.p0(ptr %13) #6
  call void @llvm.lifetime.end.p0(ptr %11) #6
  call void @llvm.lifetime.end.p0(ptr %9) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress nounwind
define internal noundef float @_ZL8combinedILb1EEffPf(float noundef %0, ptr noundef %1) #2 {
  %3 = alloca float, align 4
  %4 = alloca float, align 4
  %5 = alloca float, align 4
  %6 = alloca ptr, align 8
  %7 = alloca %struct.optarena_thread, align 1
  %8 = alloca i32, align 4
  %9 = alloca %struct.optarena_thread, align 1
  %10 = alloca float, align 4
  %11 = alloca %struct.optarena_thread, align 1
  %12 = alloca %struct.optarena_thread, align 1
  %13 = alloca %struct.optarena_thread, align 1
  %14 = alloca float, align 4
  store float %0, ptr %5, align 4, !tbaa !11
  store ptr %1, ptr %6, align 8, !tbaa !8
  %15 = load float, ptr %5, align 4, !tbaa !11
  %16 = load ptr, ptr %6, align 8, !tbaa !8
  %17 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds float, ptr %16, i64 %18
  store float %15, ptr %19, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %8) #6
  store i32 64, ptr %8, align 4, !tbaa !4
  br label %20

20:                                               ; preds = %55, %2
  %21 = load i32, ptr %8, align 4, !tbaa !4
  %22 = icmp sgt i32 %21, 0
  br i1 %22, label %24, label %23

23:                                               ; preds = %20
  call void @llvm.lifetime.end.p0(ptr %8) #6
  br label %58

24:                                               ; preds = %20
  %25 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %26 = load i32, ptr %8, align 4, !tbaa !4
  %27 = icmp slt i32 %25, %26
  br i1 %27, label %28, label %54

28:                                               ; preds = %24
  call void @llvm.lifetime.start.p0(ptr %10) #6
  %29 = load ptr, ptr %6, align 8, !tbaa !8
  %30 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %31 = load i32, ptr %8, align 4, !tbaa !4
  %32 = add nsw i32 %30, %31
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %29, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !11
  store float %35, ptr %10, align 4, !tbaa !11
  %36 = load ptr, ptr %6, align 8, !tbaa !8
  %37 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds float, ptr %36, i64 %38
  %40 = load float, ptr %39, align 4, !tbaa !11
  %41 = load float, ptr %10, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %3)
  call void @llvm.lifetime.start.p0(ptr %4)
  store float %40, ptr %3, align 4, !tbaa !11
  store float %41, ptr %4, align 4, !tbaa !11
  %42 = load float, ptr %3, align 4, !tbaa !11
  %43 = load float, ptr %4, align 4, !tbaa !11
  %44 = fcmp contract ogt float %42, %43
  br i1 %44, label %45, label %47

45:                                               ; preds = %28
  %46 = load float, ptr %3, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

47:                                               ; preds = %28
  %48 = load float, ptr %4, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

_ZL5fmaxfff.exit:                                 ; preds = %45, %47
  %49 = phi contract float [ %46, %45 ], [ %48, %47 ]
  call void @llvm.lifetime.end.p0(ptr %3)
  call void @llvm.lifetime.end.p0(ptr %4)
  %50 = load ptr, ptr %6, align 8, !tbaa !8
  %51 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds float, ptr %50, i64 %52
  store float %49, ptr %53, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %10) #6
  br label %54

54:                                               ; preds = %_ZL5fmaxfff.exit, %24
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %55

55:                                               ; preds = %54
  %56 = load i32, ptr %8, align 4, !tbaa !4
  %57 = sdiv i32 %56, 2
  store i32 %57, ptr %8, align 4, !tbaa !4
  br label %20, !llvm.loop !17

58:                                               ; preds = %23
  call void @llvm.lifetime.start.p0(ptr %14) #6
  %59 = load ptr, ptr %6, align 8, !tbaa !8
  %60 = getelementptr inbounds float, ptr %59, i64 0
  %61 = load float, ptr %60, align 4, !tbaa !11
  store float %61, ptr %14, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %62 = load float, ptr %14, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %14) #6
  ret float %62
}

; Function Attrs: convergent mustprogress nounwind
define internal noundef float @_ZL11exponentialf(float noundef %0) #2 {
  %2 = alloca i32, align 4
  %3 = alloca float, align 4
  %4 = alloca float, align 4
  %5 = alloca float, align 4
  %6 = alloca float, align 4
  %7 = alloca i32, align 4
  %8 = alloca float, align 4
  %9 = alloca [7 x float], align 4
  %10 = alloca float, align 4
  %11 = alloca i32, align 4
  store float %0, ptr %5, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %6) #6
  %12 = load float, ptr %5, align 4, !tbaa !11
  %13 = fmul contract float %12, 0x3FF7154760000000
  call void @llvm.lifetime.start.p0(ptr %3)
  call void @llvm.lifetime.start.p0(ptr %4)
  store float %13, ptr %3, align 4, !tbaa !11
  store float -1.260000e+02, ptr %4, align 4, !tbaa !11
  %14 = load float, ptr %3, align 4, !tbaa !11
  %15 = load float, ptr %4, align 4, !tbaa !11
  %16 = fcmp contract ogt float %14, %15
  br i1 %16, label %17, label %19

17:                                               ; preds = %1
  %18 = load float, ptr %3, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

19:                                               ; preds = %1
  %20 = load float, ptr %4, align 4, !tbaa !11
  br label %_ZL5fmaxfff.exit

_ZL5fmaxfff.exit:                                 ; preds = %17, %19
  %21 = phi contract float [ %18, %17 ], [ %20, %19 ]
  call void @llvm.lifetime.end.p0(ptr %3)
  call void @llvm.lifetime.end.p0(ptr %4)
  %22 = fadd contract float %21, 1.270000e+02
  store float %22, ptr %6, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %23 = load float, ptr %6, align 4, !tbaa !11
  %24 = fptosi float %23 to i32
  store i32 %24, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %25 = load float, ptr %6, align 4, !tbaa !11
  %26 = load i32, ptr %7, align 4, !tbaa !4
  %27 = sitofp i32 %26 to float
  %28 = fsub contract float %25, %27
  store float %28, ptr %8, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %9) #6
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %9, ptr align 4 @__const._ZL11exponentialf.coefficients, i64 28, i1 false)
  call void @llvm.lifetime.start.p0(ptr %10) #6
  store float 0.000000e+00, ptr %10, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %11) #6
  store i32 0, ptr %11, align 4, !tbaa !4
  br label %29

29:                                               ; preds = %42, %_ZL5fmaxfff.exit
  %30 = load i32, ptr %11, align 4, !tbaa !4
  %31 = icmp slt i32 %30, 7
  br i1 %31, label %33, label %32

32:                                               ; preds = %29
  call void @llvm.lifetime.end.p0(ptr %11) #6
  br label %45

33:                                               ; preds = %29
  %34 = load float, ptr %10, align 4, !tbaa !11
  %35 = load float, ptr %8, align 4, !tbaa !11
  %36 = fmul contract float %34, %35
  %37 = load i32, ptr %11, align 4, !tbaa !4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [7 x float], ptr %9, i64 0, i64 %38
  %40 = load float, ptr %39, align 4, !tbaa !11
  %41 = fadd contract float %36, %40
  store float %41, ptr %10, align 4, !tbaa !11
  br label %42

42:                                               ; preds = %33
  %43 = load i32, ptr %11, align 4, !tbaa !4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %11, align 4, !tbaa !4
  br label %29, !llvm.loop !18

45:                                               ; preds = %32
  %46 = load float, ptr %10, align 4, !tbaa !11
  %47 = load i32, ptr %7, align 4, !tbaa !4
  %48 = shl i32 %47, 23
  call void @llvm.lifetime.start.p0(ptr %2)
  store i32 %48, ptr %2, align 4, !tbaa !4
  %49 = load float, ptr %2, align 4, !tbaa !19
  call void @llvm.lifetime.end.p0(ptr %2)
  %50 = fmul contract float %46, %49
  call void @llvm.lifetime.end.p0(ptr %10) #6
  call void @llvm.lifetime.end.p0(ptr %9) #6
  call void @llvm.lifetime.end.p0(ptr %8) #6
  call void @llvm.lifetime.end.p0(ptr %7) #6
  call void @llvm.lifetime.end.p0(ptr %6) #6
  ret float %50
}

; Function Attrs: convergent mustprogress nounwind
define internal noundef float @_ZL8combinedILb0EEffPf(float noundef %0, ptr noundef %1) #2 {
  %3 = alloca float, align 4
  %4 = alloca ptr, align 8
  %5 = alloca %struct.optarena_thread, align 1
  %6 = alloca i32, align 4
  %7 = alloca %struct.optarena_thread, align 1
  %8 = alloca float, align 4
  %9 = alloca %struct.optarena_thread, align 1
  %10 = alloca %struct.optarena_thread, align 1
  %11 = alloca %struct.optarena_thread, align 1
  %12 = alloca float, align 4
  store float %0, ptr %3, align 4, !tbaa !11
  store ptr %1, ptr %4, align 8, !tbaa !8
  %13 = load float, ptr %3, align 4, !tbaa !11
  %14 = load ptr, ptr %4, align 8, !tbaa !8
  %15 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds float, ptr %14, i64 %16
  store float %13, ptr %17, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %6) #6
  store i32 64, ptr %6, align 4, !tbaa !4
  br label %18

18:                                               ; preds = %46, %2
  %19 = load i32, ptr %6, align 4, !tbaa !4
  %20 = icmp sgt i32 %19, 0
  br i1 %20, label %22, label %21

21:                                               ; preds = %18
  call void @llvm.lifetime.end.p0(ptr %6) #6
  br label %49

22:                                               ; preds = %18
  %23 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %24 = load i32, ptr %6, align 4, !tbaa !4
  %25 = icmp slt i32 %23, %24
  br i1 %25, label %26, label %45

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %27 = load ptr, ptr %4, align 8, !tbaa !8
  %28 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %29 = load i32, ptr %6, align 4, !tbaa !4
  %30 = add nsw i32 %28, %29
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %27, i64 %31
  %33 = load float, ptr %32, align 4, !tbaa !11
  store float %33, ptr %8, align 4, !tbaa !11
  %34 = load ptr, ptr %4, align 8, !tbaa !8
  %35 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %34, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !11
  %39 = load float, ptr %8, align 4, !tbaa !11
  %40 = fadd contract float %38, %39
  %41 = load ptr, ptr %4, align 8, !tbaa !8
  %42 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %41, i64 %43
  store float %40, ptr %44, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %8) #6
  br label %45

45:                                               ; preds = %26, %22
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %46

46:                                               ; preds = %45
  %47 = load i32, ptr %6, align 4, !tbaa !4
  %48 = sdiv i32 %47, 2
  store i32 %48, ptr %6, align 4, !tbaa !4
  br label %18, !llvm.loop !20

49:                                               ; preds = %21
  call void @llvm.lifetime.start.p0(ptr %12) #6
  %50 = load ptr, ptr %4, align 8, !tbaa !8
  %51 = getelementptr inbounds float, ptr %50, i64 0
  %52 = load float, ptr %51, align 4, !tbaa !11
  store float %52, ptr %12, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %53 = load float, ptr %12, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %12) #6
  ret float %53
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { nounwind }
attributes #7 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Karellen, Inc. (https://karellen.co) v22.1.8 clang version 22.1.8 (https://github.com/llvm/llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !14}
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !14}
!18 = distinct !{!18, !14}
!19 = !{!6, !6, i64 0}
!20 = distinct !{!20, !14}
; optarena-nvcc: eNrtW11sHNd1vrMzuzuzw52d2R+SclVxKTGAHMiUHNmy3LqVLFtVDFi24BZBESRlSIkKiVAkMVypS1uo1ooRUIAruc5LXBiFoeTBSfsQpAVqvQSELQi0EAiGahRJ0QdZVQsp8ANlq6lhyJ6ec+7P3DtLikoEBC2QBZaz39x7z/05f9+9Mzyx9+k/yVnW4y7jnxz7KbNY+rn+CL++uZ1fna+ywm62k+XZbhZhzeG5iblW3Bodg1/yOn9Eu47MTUwfarPh6ZnW+PD0seHWtyanD8+k+OBRgY8Nqx8HZ47MjrbYcGu83RqemzncOjLaVjWMG3MTo/H4oZVuxeNz4/Ex+LGNwe+pjCy4M5q5dWh87Og3Rw7Ho0fGeYvsjVHzDo5zdGrqm/Ho7ASh2XimNdOanxVlM9NzrdHp1jbVw91+/u8tqVzLPz0yfmR45vDhufHWtlXWemRk+tiIqr9/7/4RXn9k28jo1OTo3MpTHhoZmZxujcfTo1NQEdDBo4dGR+aObG+PHJoEedMj0zCc50cOb//SyNzUzF/CVCZ++2rVl+TXVO/98LXBa7KfR+l+oev+1+l+uev+cbofdN0/A99BDTvi+lP4Nt+orDwoq/vWLfhuhH5/vJHjA0V+fcbCfp2u+n9F90td9/8W7ldDbfxf5JezVD/sqp/AZ0j7jR/o7zheKz0vdjqbmZu82Nns0k9eZ8sqay3H7mAF3tY57qayH1uhn87JzuZsN+5p+NOLJaEtZb+K92CF9P4nMv3KNXNeh8l62OAVPmgcDnxfge97UOeZrzz15FOPN5+YiWch7qYqweY74PsNvDHbaoPTPAHu0EQXnpwabU3OTDdbMzNTc1uaYL7jo3PjzQe3D2/b0vwKXoZ37mR7jk5OHWqSD9GtGP9u5e3H4+HtOx760kOPPPjQyDb2wLFm84HR+OBEc+7IyKPbmg8cae54qMnHiUt23c6O86vsJM5tq8t8uA7g78hlMn/gb1/+rqa/cx58cxbL5fPMLlpWDuTmChZzfDe12UccLruvR+QisJPlSGELe1keVJg+gO0DYFO/l7Dc0xazRyzLWd/DftyAdV7H2BugE2cDt1t7XZ05JZfmFubg9w5HjRv1idfPxfUzcb0trudVfmQ0J6nrJzP35eeNVe5nPydfsBJyHxzI1QpbNy8sAZ15OIDyfMIWRPnGgJ17HmIFLlKJ1987D32RvXVsxEMtO/m7d0/AoE8X2cUKe2de+OwX4DsWsJ4YVIBmNbYM9QfY0PFKHmskudMVdmErs9vVRIWFyxW2z/uZ8HqQ/8sKq8ZQFetvB/nUv8VesUT5dei/bZMN53O8/6jNbMTJ0pkiu1ZxegB34MbsNz6yAbNq22HoXMlih+QNgfyE1o3Lz4E8nA/DEPavMJ5TcsX5eMLYq9B4rtyk+ueeh9G+lK6PsR7QX3Tc9Wi+4UsVwrAe2F8SQAdLWO55FKXrFQ/LczHXIfV/CcdXoPG5Qt5QXCTsifV+cb5QoGj+2oYedjZgYdtxKMhcSWh8OyBPdOT6Ag7brosdJFf+m+SBfhyUN/sc6OcCyve4/EJgYX0vtgs8GMF6XX4W9PNzstEk+Tatx+PzlrE++177mqG/MHYpCyUfJCuuVxg7lCzkeqJ+r+RS+wL9uZiuZvdw/UVxkan1o/UtOHx9OxW+nkUH+yvWKy6Wrxd5cnaZz2/fa6+n472llX+wbPP1AnV8yn2Q/RzXtzdd3zcDwA3AOY6vI+4H7HC8GevfB7jA8QTi9YBdDdcBlzRcA9yj4QhwoOEQcKjhAHBVw2XAdQ33AO7VsA+4X8Mu4Ps0XAK8XsMO4A0cj1lkPypoXSR7AdtDf+b6CNtQvSnsaWkA9FlMMDwk105YWO7Fvb3KfpaeBdzobSh8BnGjX+GKhfi+FOcQr08x1K836iau1wwc1SMTR6GBgygwcDkoG7in3GNgv8c3scggKS4Z2PYdia+ivU2l/vJht78MtZ083SmtHN/A/h00N7L/f0N5f2605/rS7dPL2Kefsc9yxj6jjH3WMvbZyNhnX2qfYB8QT8g8kysfF9n5jD+RfXByKOOREc8gH3ixYzuGfTiOp9bvjIpHxcJphv6L5X66vpYRD0V52bAfxzHtwXFqGdww9ef0SXypW19o/5TPemcZ6eNUM6MP9pvrYwz7Z4L7yfXg/pb6i8zv0l8ka6fx5h6fZ8Z43pkXe4AFns9PQv5TtJrH19wunM/ujzD+OZjfl0tG/M0NUDnp07HbtURyR8ofUF6k8lu2yLdItQD/ykZ7QGwR/oSXi/w3+9yntsg/VY5vU39/EzvED3YtAj/42QDEc5bj8R0wxJ+FOcYXSPCX339B21yAf730mpgckUnERV6GeChg3qtFpyjX6+IAW/gu578ryhPzr8j1gf5fOpWRf8rjCVbKP+ml9ovyvy30t+p47cx4Qf5uTd6rduofYrx3nP8PM+P7Icyuqck7m5n/9+8wf5R3LiPvHMwm1OT9JDPff1xjvu9m5vuuw39LeW/75nzfEfa+mrxf2AkRANwSoLxfaONFeZeLqTyINw8DPyO+gUYJ/r7wL/r8rW758z2Jw4T8Q0FX+b7JDzN8taDzVRfj+azGZ4Zim+JVIvlm7KR8D/kd5FOTzxYLis9Cfq22i0XOX18uUvy50VmFn34m+JZr8lO9f+JTjuSjtuSrLvnbyxXJT1GfTr3i8/ZOypffQ+yn8ZfmU+J0Qcwn5ZufUXyG+FdS8XEM+WqxqPjqNRp/4nH+IONDUY8PO4DfdrT4MxiXeX4mfW5lzXa5/Ic/emsXORGsnwcYdlVvc3uC+i3En++h9jC//FzA4+fNJtnL3jjkpx11wGB/g3FYDiWFhvqbWlHyxvj4o2GKw//8i7N/EGl4/d9veEzHf73r4B/p2EuO/rGO6/GDuyIRj4faQYDdJSKfbWqF2P0uVT+2w4CJGID8YvL1O/ILiF8Fvv+5zfnDjd0Zfl6sOKvZywW0D9cx7aNQNO2jWER9uWgfl1H/Lj9dqkh7E/lbzAf4Im3eqb9rZA+usgfwL+SPuv4hP7oqf1I+jVyVPymfNlyVPzdy+1CHG5yvOnz/ye1nUPI5ZS++r+zlKrensiqH/Avlyn6gvNkulc36UU8k6184g/blK/ui8kZPQ5YDX/HapZIpL4p0efk5P7VHyNfNtttQ5WjvrUZJl+9BeyUP+Tb6m8TnUV6JNaQ88LfBFtYX7Ule6Ory9sYBj7do/xBv8nMei7TxwPqUA+kPl1C+y0/XsBz2n5taAflHWcnr5ad1KA/2+5ta9TL6S6D8N2j0SnmivifrQ7zG+uhPdVF/U6tB8tP2UWS27+Pxh9o/S+3R/+qiHNoH2H9D4X6SR3M8j/LCsE+Tt6nVW0Z/rSv/rPvKP/l4AhyfkOeAvAjl9yvsp/FC1MfxaP1H2L5fYZ/iia/1j/GhVxs/jkdvj/L09ihPb4/xQ2+P8vT2KE8bL8Ur2X4d2Cvy4aQg6sf13roWf1AeytfloXx9PCjfV+vneWr9zqO8Eho0S/WD9tkx2qO8dDy2q8aD6xl7kSfCFa/P46WvxUubCU6C8fLG++wTI16afPmO/PIqxZOaykcQT1+6keFHN3S+uYENXpV8i1E+WfiPNfimzofvgm8OKr4p5N8j3xxUfFPIu0e+OXg2M/975JuDP8nM9x755qDim0LePfLNQcU3hbw1+aWd8ssfdPPL/ZOmfZrnoQP8PNYW5f9F/ImftyGfWqLzUC/lj5nzT9q/vp/hj/nu883vpPzR4AfZ80zy7wI/3xX5fl07n6d0jLtA5HfH3QLnGzfxPNQJjxcKxCeufFzh5cV8nud/l5fn85wPJC7yC8k38+L8APmm4hsXu/mlOxdy+0Ub2vgM8QN59i7PWxb18xZ1HnpL8AWW8oWrmL98G+NLSPl+APIzY3r+3hT7oS+6o/MEOg/R+Sed+mv8UzyzUvwz4vkf89e1AVi/clnFuwuU7zAfa3w0SPMXx5HKrwJjPtAxxncdY3zWMcbbFFN3CjdjJs4bdhPOyXjJ+PkCxHPyn0TF37JdUnyKsF/W4vW+Uz2p/X0I+mwHbLE/Pf9+cv64OH5cJPvMxWK9RHnXeVpc0s6XsL7P/U/w0R3tXG7l8/CbRXWemRPnWVD+nXlWwh4L68Ieds1S5+/FQiDOr/MJt9eEz+f+P0v5+HJ3fgE+7nE+vkz5Y/8ps/zkC2B+yt8C1D/3R8q/A9wfF7TnN+1KsgGn12uR/Z98oZAo/wR9fKHt0PmJg/vJpTOAC4QLiC/hea1bKEt/v0j5uYgrWsH5Xczw86w/Ab/C+KP8Zy1+TfsxjU+TP/i+6Q8i/ip/EM96lT8wZvpDCc9fNb6m+2e6Xyul+61SZr9WyuzXSpn9WimzXyup/ZrA+v6sGQf8uFHFA5bGgwvkL4HpLxHtN1N/KdkoIFD+EpEqI+UvoeEv8vlVoJ5fgbT1uv/8g9jvSf+JMv7DMueXfrrfOov6rmrxE/dnJadsPK9h7Iqmf+CDtP5Vi9uraQ/P3oU9MD+7Pzfjo5/uz8kegsC0h5D5uj0An0JuWmXSHvzM/l3j20sZ/ky4ZvDhobafV/5xgZejfdQ4v3cwXkRavMBytJeaJg/Xp6bsJawFZjxNH/6PoX3UaOlT+whsbBsq+6jRetRWtI9dyj5CzT6aG3T7GMrYR20N+9D231n7EPbwnrSHazx+1sCeaD2A/xj7ZbIHbf97MbOfJXvQ9qsiPqj96KGA9qsqPkB+HqJ8K/YXS7S/jAIjPkSpfV7I7CeXMvvDpcz+bimzf1vK7MeWMvurpcz+iOu7kYkP1Uizz279R136jwz98/gRraJ/fJ4caudxpP+mrv8fiPqLIn9GghydLq6sfy89b7lL/UdgL6n+WY9n6F/jTxfvhi9p8YD0X9PiwVaIB14mHtTQNzS+FJK+U38Ma6jvUMOobx2jvnWM+tYx6lvHlH+UvdUMewP9h15G/7U76t/N6N+zXUP/Hu1/3F/H/zea/s8M//fu6P+oTw/0L/WJfEqdtxGfKpf5+d7H5H894vnN7Niyz893K0lF8iV6v+Lf2S31PsEA25/pb107TFCfdi/tj8O98zm2rZDmm3XtBpUzXg7z7aP52mK+1XYY0v5kkZ/XVNuNhsIXkA/WQn0/ELarDXUevUR8rfaZfP7FcZXwk/z5X+5kxHVTkev/NW39K8zn8egEe/sm+QNgm+OPSZ56XvqweJ7oPW0+T2gnMKHkBFuS+7XHjHIl/zLJd5T8y/8j+xPl0B+u97kt8vGfI+Tju0gnaD+ojSfOL1t8PP0rjmeF+mL8zKivzjPGluV5Pj8/wfcHYDxDuch8HrIQsUXUh1jPTQskaySR/vS9Plth1N/3omi3NJlLuN+tYn5dTN46Ld5/aTReNPZ7Njtgp/EpjOvVPu39FMgfEJ87Cctx+8D4VpfxbYxBPOmrJxhPLEvYS71xAouvJ+L9B/7+gXzeDf5fRf8nGwU+DPk69Xfy3yrl7tS/e/uqcj68vNZr1O/LlLNanyy/mPoL+cNSxv6J34cUOiLxfAnGH2bsvf45S/cn+051svuXkMr3iHJvqqvckvqm8lZX+XXoTtpDldtPh8ZH8WDCqL8prvP5LZL+1kO+47gjcZXj3XJ/Vwub6f4OnzeHfD//K9FfvY7uJONBWv6RKif+cJufT4axWL8P+POpdXGN3jeR549+zCJa+/e4fxfjKOTG1rEMe3/uI8bbRwnaRx31cz7j/1jertGjyaiXn5cUQZ+W9FehT8S1Tzi/qcL4IkO/tZpF7xtyXI05NaT5YHyaD434ZKz/ksSdE2l9x6gfxZxqkH9RfrDN97/mzfchQF4fEbIvrya/nh1PWp/Ke4xyl/LDYkJOCfsRY3y/pPMacR5hifyVM8ofhv2gev5L+SJM90+wXgfm/yl8nxziHcpH++Zvp/v5xQrrn9depvx/iH/3+d3nt/GxmHYuqH1krt5i3flfA/xV2n9XVHxrjfY18S509nNACN1ppe9Ll7VXHPvl0f3K/67AFkS4ub7GvzbcL96rzw5jVryO9WamvrPC/2kU+XoZovvFv27IKJsXY8+2f0p0lx3/TtF+m8D2Kv0/x+jYv6v9hGg/tMb4vyX63525/7Jo39b6L6/Q/lO+pl39y4dJzVXGL/X4z+Jetv/NRRPbq+j/+hrtv6y1d1Zo/3VhE9n/tOkUzf9PsYWtd1b4vxuU+US2/YPihyZ4pfU7I9rbq7Vfw36RfuC9Pau0H8rduf+CuCf/ny/76bfMq6uN4zdtl9fXN/v5onnV2xXusC7GhFYY52rt5PrIq2z3vyB1S8E=
