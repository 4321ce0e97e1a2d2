; optarena-kernel: {"kernel":"filter","cases":{"odd":{"grid":[5,1],"block":[128,1],"arguments":[{"kind":"f32","count":5003,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":5003,"integers":false},{"kind":"int","value":5003}],"bytes":40120,"flops":240144},"even":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"f32","count":2048,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":2048,"integers":false},{"kind":"int","value":2048}],"bytes":16480,"flops":98304},"timed":{"grid":[32768,1],"block":[128,1],"arguments":[{"kind":"f32","count":33554432,"seed":1},{"kind":"f32","count":24,"seed":2},{"kind":"output","count":33554432,"integers":false},{"kind":"int","value":33554432}],"bytes":268435552,"flops":1610612736}}}
; ModuleID = '<string>'
source_filename = "filter.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @filter(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.optarena_block, align 1
  %11 = alloca %struct.optarena_block_size, align 1
  %12 = alloca %struct.optarena_thread, align 1
  %13 = alloca i32, align 4
  %14 = alloca [31 x float], align 4
  %15 = alloca [24 x float], align 4
  %16 = alloca [8 x float], align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #3
  %23 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %24 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = mul nsw i32 %23, %24
  %26 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %27 = add nsw i32 %25, %26
  %28 = mul nsw i32 %27, 8
  store i32 %28, ptr %9, align 4, !tbaa !4
  %29 = load i32, ptr %9, align 4, !tbaa !4
  %30 = load i32, ptr %8, align 4, !tbaa !4
  %31 = icmp sge i32 %29, %30
  br i1 %31, label %32, label %33

32:                                               ; preds = %4
  store i32 1, ptr %13, align 4
  br label %151

33:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %14) #3
  call void @llvm.lifetime.start.p0(ptr %15) #3
  call void @llvm.lifetime.start.p0(ptr %16) #3
  call void @llvm.lifetime.start.p0(ptr %17) #3
  store i32 0, ptr %17, align 4, !tbaa !4
  br label %34

34:                                               ; preds = %58, %33
  %35 = load i32, ptr %17, align 4, !tbaa !4
  %36 = icmp slt i32 %35, 31
  br i1 %36, label %38, label %37

37:                                               ; preds = %34
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %17) #3
  br label %61

38:                                               ; preds = %34
  %39 = load i32, ptr %9, align 4, !tbaa !4
  %40 = load i32, ptr %17, align 4, !tbaa !4
  %41 = add nsw i32 %39, %40
  %42 = load i32, ptr %8, align 4, !tbaa !4
  %43 = icmp slt i32 %41, %42
  br i1 %43, label %44, label %52

44:                                               ; preds = %38
  %45 = load ptr, ptr %5, align 8, !tbaa !8
  %46 = load i32, ptr %9, align 4, !tbaa !4
  %47 = load i32, ptr %17, align 4, !tbaa !4
  %48 = add nsw i32 %46, %47
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds float, ptr %45, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !11
  br label %53

52:                                               ; preds = %38
  br label %53

53:                                               ; preds = %52, %44
  %54 = phi contract float [ %51, %44 ], [ 0.000000e+00, %52 ]
  %55 = load i32, ptr %17, align 4, !tbaa !4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [31 x float], ptr %14, i64 0, i64 %56
  store float %54, ptr %57, align 4, !tbaa !11
  br label %58

58:                                               ; preds = %53
  %59 = load i32, ptr %17, align 4, !tbaa !4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %17, align 4, !tbaa !4
  br label %34, !llvm.loop !13

61:                                               ; preds = %37
  call void @llvm.lifetime.start.p0(ptr %18) #3
  store i32 0, ptr %18, align 4, !tbaa !4
  br label %62

62:                                               ; preds = %75, %61
  %63 = load i32, ptr %18, align 4, !tbaa !4
  %64 = icmp slt i32 %63, 24
  br i1 %64, label %66, label %65

65:                                               ; preds = %62
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %18) #3
  br label %78

66:                                               ; preds = %62
  %67 = load ptr, ptr %6, align 8, !tbaa !8
  %68 = load i32, ptr %18, align 4, !tbaa !4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %67, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !11
  %72 = load i32, ptr %18, align 4, !tbaa !4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [24 x float], ptr %15, i64 0, i64 %73
  store float %71, ptr %74, align 4, !tbaa !11
  br label %75

75:                                               ; preds = %66
  %76 = load i32, ptr %18, align 4, !tbaa !4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %18, align 4, !tbaa !4
  br label %62, !llvm.loop !15

78:                                               ; preds = %65
  call void @llvm.lifetime.start.p0(ptr %19) #3
  store i32 0, ptr %19, align 4, !tbaa !4
  br label %79

79:                                               ; preds = %87, %78
  %80 = load i32, ptr %19, align 4, !tbaa !4
  %81 = icmp slt i32 %80, 8
  br i1 %81, label %83, label %82

82:                                               ; preds = %79
  store i32 8, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %19) #3
  br label %90

83:                                               ; preds = %79
  %84 = load i32, ptr %19, align 4, !tbaa !4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %85
  store float 0.000000e+00, ptr %86, align 4, !tbaa !11
  br label %87

87:                                               ; preds = %83
  %88 = load i32, ptr %19, align 4, !tbaa !4
  %89 = add nsw i32 %88, 1
  store i32 %89, ptr %19, align 4, !tbaa !4
  br label %79, !llvm.loop !16

90:                                               ; preds = %82
  call void @llvm.lifetime.start.p0(ptr %20) #3
  store i32 0, ptr %20, align 4, !tbaa !4
  br label %91

91:                                               ; preds = %121, %90
  %92 = load i32, ptr %20, align 4, !tbaa !4
  %93 = icmp slt i32 %92, 24
  br i1 %93, label %95, label %94

94:                                               ; preds = %91
  store i32 11, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %20) #3
  br label %124

95:                                               ; preds = %91
  call void @llvm.lifetime.start.p0(ptr %21) #3
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %96

96:                                               ; preds = %117, %95
  %97 = load i32, ptr %21, align 4, !tbaa !4
  %98 = icmp slt i32 %97, 8
  br i1 %98, label %100, label %99

99:                                               ; preds = %96
  store i32 14, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %21) #3
  br label %120

100:                                              ; preds = %96
  %101 = load i32, ptr %20, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [24 x float], ptr %15, i64 0, i64 %102
  %104 = load float, ptr %103, align 4, !tbaa !11
  %105 = load i32, ptr %20, align 4, !tbaa !4
  %106 = load i32, ptr %21, align 4, !tbaa !4
  %107 = add nsw i32 %105, %106
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [31 x float], ptr %14, i64 0, i64 %108
  %110 = load float, ptr %109, align 4, !tbaa !11
  %111 = fmul contract float %104, %110
  %112 = load i32, ptr %21, align 4, !tbaa !4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %113
  %115 = load float, ptr %114, align 4, !tbaa !11
  %116 = fadd contract float %115, %111
  store float %116, ptr %114, align 4, !tbaa !11
  br label %117

117:                                              ; preds = %100
  %118 = load i32, ptr %21, align 4, !tbaa !4
  %119 = add nsw i32 %118, 1
  store i32 %119, ptr %21, align 4, !tbaa !4
  br label %96, !llvm.loop !17

120:                                              ; preds = %99
  br label %121

121:                                              ; preds = %120
  %122 = load i32, ptr %20, align 4, !tbaa !4
  %123 = add nsw i32 %122, 1
  store i32 %123, ptr %20, align 4, !tbaa !4
  br label %91, !llvm.loop !18

124:                                              ; preds = %94
  call void @llvm.lifetime.start.p0(ptr %22) #3
  store i32 0, ptr %22, align 4, !tbaa !4
  br label %125

125:                                              ; preds = %147, %124
  %126 = load i32, ptr %22, align 4, !tbaa !4
  %127 = icmp slt i32 %126, 8
  br i1 %127, label %129, label %128

128:                                              ; preds = %125
  store i32 17, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #3
  br label %150

129:                                              ; preds = %125
  %130 = load i32, ptr %9, align 4, !tbaa !4
  %131 = load i32, ptr %22, align 4, !tbaa !4
  %132 = add nsw i32 %130, %131
  %133 = load i32, ptr %8, align 4, !tbaa !4
  %134 = icmp slt i32 %132, %133
  br i1 %134, label %135, label %146

135:                                              ; preds = %129
  %136 = load i32, ptr %22, align 4, !tbaa !4
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds [8 x float], ptr %16, i64 0, i64 %137
  %139 = load float, ptr %138, align 4, !tbaa !11
  %140 = load ptr, ptr %7, align 8, !tbaa !8
  %141 = load i32, ptr %9, align 4, !tbaa !4
  %142 = load i32, ptr %22, align 4, !tbaa !4
  %143 = add nsw i32 %141, %142
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds float, ptr %140, i64 %144
  store float %139, ptr %145, align 4, !tbaa !11
  br label %146

146:                                              ; preds = %135, %129
  br label %147

147:                                              ; preds = %146
  %148 = load i32, ptr %22, align 4, !tbaa !4
  %149 = add nsw i32 %148, 1
  store i32 %149, ptr %22, align 4, !tbaa !4
  br label %125, !llvm.loop !19

150:                                              ; preds = %128
  call void @llvm.lifetime.end.p0(ptr %16) #3
  call void @llvm.lifetime.end.p0(ptr %15) #3
  call void @llvm.lifetime.end.p0(ptr %14) #3
  store i32 0, ptr %13, align 4
  br label %151

151:                                              ; preds = %150, %32
  call void @llvm.lifetime.end.p0(ptr %9) #3
  %152 = load i32, ptr %13, align 4
  switch i32 %152, label %154 [
    i32 0, label %153
    i32 1, label %153
  ]

153:                                              ; preds = %151, %151
  ret void

154:                                              ; preds = %151
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="1024" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

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
!19 = distinct !{!19, !14}
; optarena-nvcc: eNrtWktsG8cZHu7OcmdXK5F6kRRFiSs+V7RESY3iOEAPSuK0NWDXRlsERdBAoS06UqsXKNqgYgOV3MKoiyLp1Tcj6KG++SoUKHwwDLunoDcXPRSCD3EPhWEYQVC4ZWdmZ3fmJyk3LYoihwywmv3n8X/f/5jZ4a5++vbpb2mRyBsE+UVDv0cRJMt2zq/vTPo1fhdFl9AJZKAlFGMjqzurO81Gs3ae3gX17oZSL++sbq60UHVzq1mvbl6uNn+ytnlxS8oXLgn5cjW8ubC1sV1romqz3mpWL66tN+uNcIAq76zWGvWVHi2N+k69cZnezKPqSv38pQ+WLzZqG3VEO9a7GmqwheHX1tc/aNS2V7m03dhqbjV3t0Xf1uZOs7bZnA9gv2T5ijkq8ND3N+ob1a2LF3fqzfkjPLi8vHl5ORx/5u0zy/745fnl2vpabed/6mKF4n/i6Wl66TQrO8vrvD3a1f4eb3e62n9FrylFxqL+Hb3cW/1d4//M9eCudifC2u2udo+2D8Ul7l7Cr+f4+IGu8W1aCso9KxTvKqtjzv7enodIe3/PI/zWHzNzhI8CLMwU+nPxaeEyxujX9PrUROi775w6eeoN962txjbdD/zC9gTahY7T632+MTRbNPJvXVqpuSwJ19ZrzbWtTbe5tbW+M+PSkNdrO3V34ZXq/Iz7DquqJ06gNy+tra+4F+ikZd7UYH/n/Pn1RvWV44vfWHxtYXF5Hs1edt3ZWuPCqruzsfz6vDu74R5fdH2ebK/6TO/k+S66xmybI7x/kd0P+vfc5iF5r1n00iJIMwykm5GIRnVp0QjCfUTG/TXs60v6sdJRCqGng6GsoTiVp0I5wrQrMi9U1s/RueNLSF+ORHDGQXu0+dYoQnfphQ2HJ1hE+FcfyyBsE0TpobhG74/jkDOLK6v/Kep/iPqFqE+G+zdCBH35cu1KpM3TlE06jKGxXcG/SK/cADr4UOS26D/4kK6lX6rjdb+fLZrCACpcdRw2Q9c+iqE/ZNFYy3HYiDZbgg9iyLmKHHa7ff5pH/pTDJ2xwuzU0V9jlA9po59T0fbx4y3kMKj2X9omehzDRks8kNrUY49jtF9zrKCf86Po18T8Q46HfLznff543bGlPtav+f2f96F7XNZ9+QsxHjl9Cj7Dc+B8of/vfVDfi3B+LBhP9Rstt4O/7vRL/rjYItx/RPuIyllqb6bL3jjE10N/Unv3b+cJZhA3Jx30yQC0/57PZ1DB2384RbAnxh8yf2NnoKd9vj+MVrqDD3KGFf/vP8kQPC/05fh87M9/FvgXhf5h4w9yhO9HbPz5jngI/SMg/pNd/hhS8W+kCV4E+Cj0j7A/oY5/5BI8A8ZrajyNVgrgGa2ElLm/swR/sxfe85B/UvX3QYrgJTme8R9V8kPO/9z3z80EwSd68XsW6h9T9T9KEvwdqD91VL4y/Q/HCD7ZS/8Xob/SwP8jXf4fB/EfJ/i01Ge0hsD4rvjfmCT4nMoXORnoDw3k980Rgn8A7ZtQ7DNa8SPwnon1MUzwDyFepOd+8Fzk5xDBP4J4mmLvtSt2G12X+1VX/B4OEvz+y/2rg/iNErwC8SZfFr8nEwSvQntwT3teiHwegPl7I07wupz/arO/HXTD/VOuH0PlezNG8DbkG+3JN/D/AMFNyNd8mf+f9BPc6rW+/Px5tVkCfLWGh3hDzJf3d02bP8H4fjhJ7cfS/vusP0pk/wDt10D+aPTUCfQdeARjMf6zATq/YofyKot3iWAiZI/pL9pAfmQQ7CjyDUxwXJFv6gSPKPJtjeCUIj9BBGcCOUL1F+xQH/VPvlGOcn8yzodnqTxteoF8/2MqexUml3l/LJpvzFRK4vxM/RHJN2aLTPb8fpJvlMxSqC+GqX7TAHLUxECeNnUgW6YWylkqExMF8mMRn7j0f75xrML0l8L5pQqWfBl+hemPSryKFvD3+VTYrSXxK/ngTHTI/EOKTN+xsP9YUYd4RQT0TRfzAC9azAX67zH+lh3G65Dxnysy/jP+eIf6u8DkWd9evL9r2GE8/XgVNWkflWcLuuRL8SoFxndOyDyfXPm8pPbwnwdlP36UT9kO84P3zxXywL5jBQ3YXyrkoL2FKWkvyxceXz8fztJ+zON3TIl/TuGXbyzw+FdCeZbHf1bim3lg35w5BfhNm27A557Ij4KaH56lh3w+ZvnEQyH9q9vqeYbiW/ngdxzXj60c4L9gMX4Lkp81BeI9Z7nAvmkrA/jR+M+oeJ6hyfVjUP/wX1hS/4Kh2r+/q9nqeYnaY+SAv2aNqYA/Xy/YVs83FI+HXuBplL/hBvZxfsgOzw9+PhgZaI+RlvGn/UYZ5nuhnFP40/3SDs87XN9CeQrEc7bswniXM8Dfc+U0wCflBMAv8fVlhP0eX39eiE/Xz5KKny/ynx7Sv0UX+Hu2mIF8imnAp1BMAD7FYjawh/uP2OH56Ly/HnIBn/tnaX/ODs9bPD+nzWzAh69Huj+fVvvLar47bH9NAD55nv95ZT1loD1mGthTMVPi51q4n54D60WfAutlSs8G+Ny+kh2ep3j+lnUX7Ld5PQP56GnAZ0ZPAD5VPQX2k4o+JvcDql/n68kL16tnh+cx/jx17fC8dYgYH77eFD5WGvCZtxKAT9HKyv2X8bNSwTsdn5/F+FQlPysJ+WkZ/ns/WL9lLQ3wM1oC4Fsaw5sPZVsL48GfdzPaGOBT1ZIAv08bB/gaTgA8HaclHxY/zPAyoZzmjxP5vLPxmDiOCvtxEuBbeBziY3a+7Avx8ygr3iP45wMdJQC+hqA/bZQEeGnE8NOSLxqH+GgS8EVoBODjaBbiRcckH+aP6DjAm4pOQj7REaA/EU3JeNH1lo4mAT8rOhy8guD4fUYKPC80IwnxjUnADxkjAD9hML6JUM4a49AfxjDgj40hyZfhkzHpD9pvkHGAr5ERgK8ThT/DJ0mITxjfrORLhiRf6g9MBqW9DD+XDPHZ8z6ZG4b4uSGAb+XGAZ6Rmwz273tMX6IwKOfT82Q0NyL5ONeuaG30C/n7ifLLDQJ7cG4U8LMLI+D5QArjwF9WAeaXURiG57cC45+U/iiMAry+wgTAS5qT4PmGTZhflgnjScwhwC9qDgL8hDkK/WVOAHxkxsF6MEvDIR+2f+PSEMCPlkaBfqs0AfTbpTjgkyyNAPtJaRDYZ5RiYD0gb0i8+/X7TW8C+tOLAz5Jbxjox94gWE/EGwV4lheT/mP+dmF8Bl2YD6PuKNA34U4o5/si/f3J+jT2/uxBlvnPjQP+MTcG/eUOSP40Pz1vQPoLXd9FfL/GY3H6fIqg6wdIG8RCPoxQ/f1uf3geoOMfIm2UKOMfIW3CUeQbSGMBDuWbSIuNKPJtpLEHVqD/zBp8P8r49GeC/hg6swv7v737gr8Tbrd/pqO7MZTaVV72fgXlr8vX5f9ZIsGzq6MsiVqPdI9XS98R89fEwJP/Zn74LO0od0TjU+U7jq18yxFvodEnPXSyckuQWkUvx58O9sIOGkS8Fvttx3jc43uq6fsLqL4jBoqvG3z/JD3mnxL/VtDJ/1MxMPjWqR+B/z16Xe8x/3nH/KP4/1jgL3W0pwz5/TfAd3rM/6Pv0y783xjQ/k7+QRzvirZO/AcGjLMuxnXG/z0R064v2lH4jTd4h7TX4/s26ZHDe5mj14ta/iba3jxi/oySVb38FxVtwf+VdJZUBNZE4fHfzjNQL4dBfwW1Oi/6Er90lk6eR80L/BPUwbx/AYndxg4=
