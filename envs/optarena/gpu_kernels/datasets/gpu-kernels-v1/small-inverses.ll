; optarena-kernel: {"kernel":"small_inverses","cases":{"odd":{"grid":[2,1],"block":[128,1],"arguments":[{"kind":"f32","count":7236,"seed":1},{"kind":"output","count":7236,"integers":false},{"kind":"int","value":201}],"bytes":57888,"flops":159192},"even":{"grid":[1,1],"block":[128,1],"arguments":[{"kind":"f32","count":4608,"seed":1},{"kind":"output","count":4608,"integers":false},{"kind":"int","value":128}],"bytes":36864,"flops":101376},"timed":{"grid":[8192,1],"block":[128,1],"arguments":[{"kind":"f32","count":37748736,"seed":1},{"kind":"output","count":37748736,"integers":false},{"kind":"int","value":1048576}],"bytes":301989888,"flops":830472192}}}
; ModuleID = '<string>'
source_filename = "small-inverses.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.optarena_block = type { i8 }
%struct.optarena_block_size = type { i8 }
%struct.optarena_thread = type { i8 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @small_inverses(ptr noalias noundef %0, ptr noalias noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca %struct.optarena_block, align 1
  %9 = alloca %struct.optarena_block_size, align 1
  %10 = alloca %struct.optarena_thread, align 1
  %11 = alloca i32, align 4
  %12 = alloca [6 x [6 x float]], align 4
  %13 = alloca [6 x [6 x float]], align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca float, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca float, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  %23 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #3
  %24 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %25 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %26 = mul nsw i32 %24, %25
  %27 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %28 = add nsw i32 %26, %27
  store i32 %28, ptr %7, align 4, !tbaa !4
  %29 = load i32, ptr %7, align 4, !tbaa !4
  %30 = load i32, ptr %6, align 4, !tbaa !4
  %31 = icmp sge i32 %29, %30
  br i1 %31, label %32, label %33

32:                                               ; preds = %3
  store i32 1, ptr %11, align 4
  br label %231

33:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr %12) #3
  call void @llvm.lifetime.start.p0(ptr %13) #3
  call void @llvm.lifetime.start.p0(ptr %14) #3
  store i32 0, ptr %14, align 4, !tbaa !4
  br label %34

34:                                               ; preds = %83, %33
  %35 = load i32, ptr %14, align 4, !tbaa !4
  %36 = icmp slt i32 %35, 6
  br i1 %36, label %38, label %37

37:                                               ; preds = %34
  store i32 2, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %14) #3
  br label %86

38:                                               ; preds = %34
  call void @llvm.lifetime.start.p0(ptr %15) #3
  store i32 0, ptr %15, align 4, !tbaa !4
  br label %39

39:                                               ; preds = %79, %38
  %40 = load i32, ptr %15, align 4, !tbaa !4
  %41 = icmp slt i32 %40, 6
  br i1 %41, label %43, label %42

42:                                               ; preds = %39
  store i32 5, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %15) #3
  br label %82

43:                                               ; preds = %39
  %44 = load ptr, ptr %4, align 8, !tbaa !8
  %45 = load i32, ptr %14, align 4, !tbaa !4
  %46 = mul nsw i32 %45, 6
  %47 = load i32, ptr %15, align 4, !tbaa !4
  %48 = add nsw i32 %46, %47
  %49 = load i32, ptr %6, align 4, !tbaa !4
  %50 = mul nsw i32 %48, %49
  %51 = load i32, ptr %7, align 4, !tbaa !4
  %52 = add nsw i32 %50, %51
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %44, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !11
  %56 = load i32, ptr %14, align 4, !tbaa !4
  %57 = load i32, ptr %15, align 4, !tbaa !4
  %58 = icmp eq i32 %56, %57
  %59 = zext i1 %58 to i64
  %60 = select contract i1 %58, float 8.000000e+00, float 0.000000e+00
  %61 = fadd contract float %55, %60
  %62 = load i32, ptr %14, align 4, !tbaa !4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %63
  %65 = load i32, ptr %15, align 4, !tbaa !4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [6 x float], ptr %64, i64 0, i64 %66
  store float %61, ptr %67, align 4, !tbaa !11
  %68 = load i32, ptr %14, align 4, !tbaa !4
  %69 = load i32, ptr %15, align 4, !tbaa !4
  %70 = icmp eq i32 %68, %69
  %71 = zext i1 %70 to i64
  %72 = select contract i1 %70, float 1.000000e+00, float 0.000000e+00
  %73 = load i32, ptr %14, align 4, !tbaa !4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [6 x [6 x float]], ptr %13, i64 0, i64 %74
  %76 = load i32, ptr %15, align 4, !tbaa !4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [6 x float], ptr %75, i64 0, i64 %77
  store float %72, ptr %78, align 4, !tbaa !11
  br label %79

79:                                               ; preds = %43
  %80 = load i32, ptr %15, align 4, !tbaa !4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %15, align 4, !tbaa !4
  br label %39, !llvm.loop !13

82:                                               ; preds = %42
  br label %83

83:                                               ; preds = %82
  %84 = load i32, ptr %14, align 4, !tbaa !4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %14, align 4, !tbaa !4
  br label %34, !llvm.loop !15

86:                                               ; preds = %37
  call void @llvm.lifetime.start.p0(ptr %16) #3
  store i32 0, ptr %16, align 4, !tbaa !4
  br label %87

87:                                               ; preds = %191, %86
  %88 = load i32, ptr %16, align 4, !tbaa !4
  %89 = icmp slt i32 %88, 6
  br i1 %89, label %91, label %90

90:                                               ; preds = %87
  store i32 8, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %16) #3
  br label %194

91:                                               ; preds = %87
  call void @llvm.lifetime.start.p0(ptr %17) #3
  %92 = load i32, ptr %16, align 4, !tbaa !4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %93
  %95 = load i32, ptr %16, align 4, !tbaa !4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [6 x float], ptr %94, i64 0, i64 %96
  %98 = load float, ptr %97, align 4, !tbaa !11
  %99 = fdiv contract float 1.000000e+00, %98
  store float %99, ptr %17, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %18) #3
  store i32 0, ptr %18, align 4, !tbaa !4
  br label %100

100:                                              ; preds = %123, %91
  %101 = load i32, ptr %18, align 4, !tbaa !4
  %102 = icmp slt i32 %101, 6
  br i1 %102, label %104, label %103

103:                                              ; preds = %100
  store i32 11, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %18) #3
  br label %126

104:                                              ; preds = %100
  %105 = load float, ptr %17, align 4, !tbaa !11
  %106 = load i32, ptr %16, align 4, !tbaa !4
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %107
  %109 = load i32, ptr %18, align 4, !tbaa !4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [6 x float], ptr %108, i64 0, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !11
  %113 = fmul contract float %112, %105
  store float %113, ptr %111, align 4, !tbaa !11
  %114 = load float, ptr %17, align 4, !tbaa !11
  %115 = load i32, ptr %16, align 4, !tbaa !4
  %116 = sext i32 %115 to i64
  %117 = getelementptr inbounds [6 x [6 x float]], ptr %13, i64 0, i64 %116
  %118 = load i32, ptr %18, align 4, !tbaa !4
  %119 = sext i32 %118 to i64
  %120 = getelementptr inbounds [6 x float], ptr %117, i64 0, i64 %119
  %121 = load float, ptr %120, align 4, !tbaa !11
  %122 = fmul contract float %121, %114
  store float %122, ptr %120, align 4, !tbaa !11
  br label %123

123:                                              ; preds = %104
  %124 = load i32, ptr %18, align 4, !tbaa !4
  %125 = add nsw i32 %124, 1
  store i32 %125, ptr %18, align 4, !tbaa !4
  br label %100, !llvm.loop !16

126:                                              ; preds = %103
  call void @llvm.lifetime.start.p0(ptr %19) #3
  store i32 0, ptr %19, align 4, !tbaa !4
  br label %127

127:                                              ; preds = %187, %126
  %128 = load i32, ptr %19, align 4, !tbaa !4
  %129 = icmp slt i32 %128, 6
  br i1 %129, label %131, label %130

130:                                              ; preds = %127
  store i32 14, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %19) #3
  br label %190

131:                                              ; preds = %127
  %132 = load i32, ptr %19, align 4, !tbaa !4
  %133 = load i32, ptr %16, align 4, !tbaa !4
  %134 = icmp eq i32 %132, %133
  br i1 %134, label %135, label %136

135:                                              ; preds = %131
  br label %187

136:                                              ; preds = %131
  call void @llvm.lifetime.start.p0(ptr %20) #3
  %137 = load i32, ptr %19, align 4, !tbaa !4
  %138 = sext i32 %137 to i64
  %139 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %138
  %140 = load i32, ptr %16, align 4, !tbaa !4
  %141 = sext i32 %140 to i64
  %142 = getelementptr inbounds [6 x float], ptr %139, i64 0, i64 %141
  %143 = load float, ptr %142, align 4, !tbaa !11
  store float %143, ptr %20, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %21) #3
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %144

144:                                              ; preds = %183, %136
  %145 = load i32, ptr %21, align 4, !tbaa !4
  %146 = icmp slt i32 %145, 6
  br i1 %146, label %148, label %147

147:                                              ; preds = %144
  store i32 17, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %21) #3
  br label %186

148:                                              ; preds = %144
  %149 = load float, ptr %20, align 4, !tbaa !11
  %150 = load i32, ptr %16, align 4, !tbaa !4
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %151
  %153 = load i32, ptr %21, align 4, !tbaa !4
  %154 = sext i32 %153 to i64
  %155 = getelementptr inbounds [6 x float], ptr %152, i64 0, i64 %154
  %156 = load float, ptr %155, align 4, !tbaa !11
  %157 = fmul contract float %149, %156
  %158 = load i32, ptr %19, align 4, !tbaa !4
  %159 = sext i32 %158 to i64
  %160 = getelementptr inbounds [6 x [6 x float]], ptr %12, i64 0, i64 %159
  %161 = load i32, ptr %21, align 4, !tbaa !4
  %162 = sext i32 %161 to i64
  %163 = getelementptr inbounds [6 x float], ptr %160, i64 0, i64 %162
  %164 = load float, ptr %163, align 4, !tbaa !11
  %165 = fsub contract float %164, %157
  store float %165, ptr %163, align 4, !tbaa !11
  %166 = load float, ptr %20, align 4, !tbaa !11
  %167 = load i32, ptr %16, align 4, !tbaa !4
  %168 = sext i32 %167 to i64
  %169 = getelementptr inbounds [6 x [6 x float]], ptr %13, i64 0, i64 %168
  %170 = load i32, ptr %21, align 4, !tbaa !4
  %171 = sext i32 %170 to i64
  %172 = getelementptr inbounds [6 x float], ptr %169, i64 0, i64 %171
  %173 = load float, ptr %172, align 4, !tbaa !11
  %174 = fmul contract float %166, %173
  %175 = load i32, ptr %19, align 4, !tbaa !4
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds [6 x [6 x float]], ptr %13, i64 0, i64 %176
  %178 = load i32, ptr %21, align 4, !tbaa !4
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds [6 x float], ptr %177, i64 0, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !11
  %182 = fsub contract float %181, %174
  store float %182, ptr %180, align 4, !tbaa !11
  br label %183

183:                                              ; preds = %148
  %184 = load i32, ptr %21, align 4, !tbaa !4
  %185 = add nsw i32 %184, 1
  store i32 %185, ptr %21, align 4, !tbaa !4
  br label %144, !llvm.loop !17

186:                                              ; preds = %147
  call void @llvm.lifetime.end.p0(ptr %20) #3
  br label %187

187:                                              ; preds = %186, %135
  %188 = load i32, ptr %19, align 4, !tbaa !4
  %189 = add nsw i32 %188, 1
  store i32 %189, ptr %19, align 4, !tbaa !4
  br label %127, !llvm.loop !18

190:                                              ; preds = %130
  call void @llvm.lifetime.end.p0(ptr %17) #3
  br label %191

191:                                              ; preds = %190
  %192 = load i32, ptr %16, align 4, !tbaa !4
  %193 = add nsw i32 %192, 1
  store i32 %193, ptr %16, align 4, !tbaa !4
  br label %87, !llvm.loop !20

194:                                              ; preds = %90
  call void @llvm.lifetime.start.p0(ptr %22) #3
  store i32 0, ptr %22, align 4, !tbaa !4
  br label %195

195:                                              ; preds = %227, %194
  %196 = load i32, ptr %22, align 4, !tbaa !4
  %197 = icmp slt i32 %196, 6
  br i1 %197, label %199, label %198

198:                                              ; preds = %195
  store i32 20, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #3
  br label %230

199:                                              ; preds = %195
  call void @llvm.lifetime.start.p0(ptr %23) #3
  store i32 0, ptr %23, align 4, !tbaa !4
  br label %200

200:                                              ; preds = %223, %199
  %201 = load i32, ptr %23, align 4, !tbaa !4
  %202 = icmp slt i32 %201, 6
  br i1 %202, label %204, label %203

203:                                              ; preds = %200
  store i32 23, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %23) #3
  br label %226

204:                                              ; preds = %200
  %205 = load i32, ptr %22, align 4, !tbaa !4
  %206 = sext i32 %205 to i64
  %207 = getelementptr inbounds [6 x [6 x float]], ptr %13, i64 0, i64 %206
  %208 = load i32, ptr %23, align 4, !tbaa !4
  %209 = sext i32 %208 to i64
  %210 = getelementptr inbounds [6 x float], ptr %207, i64 0, i64 %209
  %211 = load float, ptr %210, align 4, !tbaa !11
  %212 = load ptr, ptr %5, align 8, !tbaa !8
  %213 = load i32, ptr %22, align 4, !tbaa !4
  %214 = mul nsw i32 %213, 6
  %215 = load i32, ptr %23, align 4, !tbaa !4
  %216 = add nsw i32 %214, %215
  %217 = load i32, ptr %6, align 4, !tbaa !4
  %218 = mul nsw i32 %216, %217
  %219 = load i32, ptr %7, align 4, !tbaa !4
  %220 = add nsw i32 %218, %219
  %221 = sext i32 %220 to i64
  %222 = getelementptr inbounds float, ptr %212, i64 %221
  store float %211, ptr %222, align 4, !tbaa !11
  br label %223

223:                                              ; preds = %204
  %224 = load i32, ptr %23, align 4, !tbaa !4
  %225 = add nsw i32 %224, 1
  store i32 %225, ptr %23, align 4, !tbaa !4
  br label %200, !llvm.loop !21

226:                                              ; preds = %203
  br label %227

227:                                              ; preds = %226
  %228 = load i32, ptr %22, align 4, !tbaa !4
  %229 = add nsw i32 %228, 1
  store i32 %229, ptr %22, align 4, !tbaa !4
  br label %195, !llvm.loop !22

230:                                              ; preds = %198
  call void @llvm.lifetime.end.p0(ptr %13) #3
  call void @llvm.lifetime.end.p0(ptr %12) #3
  store i32 0, ptr %11, align 4
  br label %231

231:                                              ; preds = %230, %32
  call void @llvm.lifetime.end.p0(ptr %7) #3
  %232 = load i32, ptr %11, align 4
  switch i32 %232, label %234 [
    i32 0, label %233
    i32 1, label %233
  ]

233:                                              ; preds = %231, %231
  ret void

234:                                              ; preds = %231
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

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="256" "nvvm.minctasm"="4" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
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
!18 = distinct !{!18, !14, !19}
!19 = !{!"llvm.loop.unroll.enable"}
!20 = distinct !{!20, !14, !19}
!21 = distinct !{!21, !14}
!22 = distinct !{!22, !14}
; optarena-nvcc: eNrtW02II8mVDv1nSSllVpakKv2nSir9lZRSValU1U0PrrZnbA94PIMX5mAwcnV3tbvZ+iOl6VXtGEZdHoY5eZc92eDDYJbFx13Yy17sAQ/D0Acz4IvxyR6aYTA29MIefJjd3HiRmRH5VFI164MXgxOqU19+8SJeRrwvXmRm9Fsvfe3Lfp/vtkTsw09+SnxEHD/Zcc5d+xz8JgkfkH0SIgdEhZLG6MFobI4P79Bf7vnixHMejh6c3psQ4/RsfGScPjLGf/vw9P6ZwHffcPAjg/+4e3ZyfjgmxvhoMjZGJ4fHx8OHp4+OzNHRiBecd3304NA8uncNYx6NjsxH9EeP0N/H8xugxOF85t7RnTe+M7xvHp4c2fazFw7xFbgVWsN3zMPzBwydm2fjs/HFucOdnY7Gh6fj3mxD/8fjL2QM3M7/m5OjE+Ps/v3R0bi3YHCGw9NHQ17+lZdeGdrlh73h4fHDwxGpDmnd4yPz9PCYXqPo7hv3Doejk+3e0Lx7PjRPh/d3toej47O/ozfx4P97sOd0xp849k36F6Dqmz1usOvhK9e/xa7Hr1z/Z/pX9uCgc/4l/dPfS1wp/1/0b53Wc+4YqY7B6z6oP3il/DvsevTK9R/T65oq/Jlu2Od/Y+WVK+UtelQ9v+Gg7X0Xzor8eDptEMl6PG1I7Kddpr2g71zfgzr9x7YN7kui7ltz2pleThuzzUiX9J80MGrArfuf4BrtIW/7D2badfss+DH9ZwkM/tV2Gtyhf/9I/z6OEPL1119+8eXb+pfOzHM6H9sHzMmUIgP6921W6XhCZfAlGvU6KPXh8eH44dmpPj47Ox61dRqdR4ejI31rx+i19dfhZOzvky++8fD4ns6kwi6Z8G/Xtj8yjZ1Bf7u/t9Uf9kjnka53Ds27D/TRyfBGT++c6IO+bvsJXfZZYNbPb5JLuLeuRJbo+QB+L0s8IuH3kvtbE7/99Iff7yP+UIgEIj6fn9brD/tIMCaJ2NwL2nWvyk6OUgl5tsyxDzx6VuaYHRQHXqMxlTsggaHPF8xL5Bz6jo5FMCSzDvU5/Ros2gMTyCRJMCqxqFX99PcgSCRPTMD5f5zzfzvnz53zBzx/EnZv7pi/OHPdPd5bcP3PfVy+6bPYDcONfqKQzIUT0qBLI0H5NYu86/B3EuQ//t4JYl7eqQjut5og1e8GAqyE//sKeVIiskkCa9Afd54FyK+75BV+s9MA+Z1C69cs8jaF4MN6giybwTXwwJK+H4H6WXuXDv+RQjYm+SDUr/kp/1GJYi0gMPDZNcB5P7MPPr4gGvPnh0WZ/Au9rUl/jZdnfCHP+U8TlL/F+CzwT4Hv9zlfhfoNxt8C/gOFPL7IZjn/ALD/Fsd3oHyNlTeg/IfA7xqCD1B+nfE1ztdr2D7M+HXOh9axfYPxYc7XwphPMr7B+UYD199ifJL3302GW7x/mklxfwFq32phe4mVv8nrz93EfJvxEuclCfNRxrd5+/sMR3n7S23cfjSK7Qes/D6UfwL1ZwaYLzJ+wNuP7WNeZnyR88Ui5tOMlzkvy5hPMD7N/d9mOMH9j6ex/4kEtq+y8tvc/3wVj5/O+CpvX9nG9irjdc6Xdcz3GK9yXlUxrzG+x/VkePTRpf4v93B8axq2XxfxzfwvrV8fvysG5pMz8VvxxK+Px0+S88nkvPER8VMV48H6P+WJnwi1T6fn+cf6l85Xjy/Wwvh+V6ve8i/R+c7O+nT+ovNTecwms9vs3yevEnUCi4upz/qNxfzRJjq9MH3Let/2T54QnaYM3/nBM9vebFsFd0r85B8o7lt9jhVf2exYWYH9ZdOw/ALT8rvWLsJ1q+7F41CI+8f4mlVD5RtWA+Gm1US4ZbUQzlk5hCVLQu0tLeH2olYUlc9YGYRjVgzholVEWLZkhONWHLWXSOD28lYelVcsBeGyVUZYtVSEl61lhDVLQ7hklVD7Kyu4/YpVQeWTVhLhlJVCOG2lUX1ra7i+VWvVw39lSRX58/cK8U/85DewMISb/IVCXry4R9YY/z7Lr35z0y6uOPYX2F4aObxq5+/KGKJr+jN2lc4HZdPvpwucKfH5WP6tmJubUILxtL3bFzif62a/b9d4AO1JutluY9zpYGwYXlwxSR3iP+Sz/dXN3V1cfsfyYtDjgUePFbNaB96y7SV14hd6ZPx2zstXzFAR43DZi7WJ38/1y+wjFQ9Pca0O6/2ajYMVs1HvQL61sUz17vfqvWI26wY8x3F7KQf3K3H7pRzUt8RxNAf1RZ36KmYsB/Yxbi8XwV7m5eNFsI9znCiCfYLbK0WwVzivlsFe5Xi5DPbLHGtlsNe4/UoZ7Fd4+8kK2Cd5+VQF7FMcpytgn+Z4tQL2qxyvVWD+WuP936oDbrn8eINOZ9Mv7PD2MjngM9w+m9tB45EvAp/nfKHo4SkulYEvcayXd9D4r1cwrtcRHudyHn8oLhYxLpcxrlS8/s/T73sxr37HJIn0232Ofrtz9dtdqN9uF0p0F+q3VusivW1sYFytYlyvd7F+pZqIX1pfo4HLN5sYt1oeTP1bkuDRI+vYz9GvBO8Dtvn45STIdzmhF6kh9EKu6jcmNYV+IH6YfZbjjNQS8UWu6leSwb8CLx+Sq2K+Av3JNaw/uSH0R3FRhvaKHCtyE+mxwHhRf15uiXgGvavQvu7EF8x/z3ze+a/bB17oJayCf2Ghb7WG9a02hL4pXlGbQt8Ul1Xwp8z1rzOsCz2pLaEnyA99aG+T8+0+tNfmuNOH9jocG31oz+B4p19H/qtJuJ91jvt9aG+X40gS2ouI+SdZw/NPsoHnn2QTzz/Jlph/KF5P1kV79H4rDFe4fuUr+v224tXv20T16Bfp9Xeg1625et1aqFeyBSW2Fuo16iyvXD1tb2O8tIRxLodxNotxLIZxJkOQPkk8iuI5Ec+JeKX9lWzn0PiF4ttIH1J8yZPvruq7GM8KfUC+isewPhjv6uOqvvPxDNLLZnsbxWO3De13F+q7047i+GzHcHy2s+L+KO63ob0+by++nBP6kEGf9ks8V5/tGvB1bh9e3kb6lJeXUD7XlqNYn8sxrM/lLNYnwx59LmeQPqs1aK/K+Y0atLch1i+1qFi/UNysxcR6heJ6LYv8X07lhF4ortUyIn+DPlPbSJ9qagmtN9KpKNZnKob1mcpgfaayWJ8MV67Jr2TFq88fERnl19Rz8mtqrl5TC/WaSkGJ1EK9KkoK6atYxDgUwliSUlh/muJZf+lmIoHLFwoY5/PYfiVavD6/RkMovy5FJbQezUUTIt/Oy69RBefXaAHl12g0f21+DWshrAdNwutbLYHya1kroPgvaXm0vstoRaGH/FU9asxe5/Ga6hSFvml9rUZRxDtd3+jpIspHm50Qnl86kphfKE52Emh9bHQUPJ90Cng+6eTRfFJthLBeGxLSa7uRQPm12VCwXhsFpNdaIy+eV0Cf6RDWZ1rCzwPpBFovrKYVrM90HuszXcD6ZPi6/Ple2qvPf3feuS/Kn525euwszp8dKNFZqMdSCee7cBhjWcY4Hr8mP1JcLmOsaTP5c7Uk+gv0FgtjvcVkrLdYHK1vV2IZz/x/Vb/RWEmsf2F8YmWP3iH+p574n/N8uxrG8cC+qnjiYTXuiYer+tVXMyj/rK+WUX6orGoiHqieYjHN4x/VkxHGejJkrCcjjp83jQxa7/WNktAP5BejjPS82iwLPcD6RAnj9Ykio+fxhBLH63clg9bveaWEnjezSlmsT2j9hqGh9VC1GcZ6bspYz8040nOrmfE+D5u1Zgm9b6g3NTQ/KYrmaX9ePlSzXr39yvl66+bDwnPyYWGu/goL9VcoQInCAv1dvtmwyDvi+49uRiIFpB9d5/hDtj7rRzzxoZubywWkr134TOnGg3T5JkHfr2h/1nS0Ptlh76uSvP/atU3R/xLku01PvqPxko+geEnkN0V8QP4qRUT+gu8ZQf79hfaPbgZVr78bk0ZA8PbzW1DEuwT5N+h5nt6YDAj/3vFJN/jOBWnA3BbMqDL5FN6X9wj/3sHeh/uJeL8P811nXbRfgvVCZcYfgv15oe95f0NxuhZB8Xur1hH5QNqY3GT2fvv9OwH/uh7/qD7yHbQeUPIFsb6H+YCtF9z3W9R+f8e1/yRA7culjpvvP2T8YJfzwn/7e1QJ+N4LnPex8S7w/NuF7yfofml5/w6qL0n49xO7P9j3OVuvrP6baVTeHh/3ewXcP2//Mx9gte25HxofxPt9ivLsedTmQ3w89z3ti3zO2h/c8rRP4zca4fkE7m9djP9Tuz+5P0+hP1pRneeTVyG/RDue/AT910b3ZxDv9xzKry8h3o43Q/BGDo3fC+x7K5tf7fHxtzzjszHpi/h5wuz7K6g/qozv8/7I5XU+H3fh+a8UROvFYmkTrRdbJZ2vP0s8Xqq8vlKpIJ63oP1qDPnniRdnfEN8fBlWX0D9cVPEj30/NxNz4uum4JM5xKdFPNl8Oov4GuHfu2y+psyJx5rgB2HEb4v4s/ntPOLt+NsWfK+IeE982fx6a1G82DzLx4LfJ97vhxCfpTnxtC94fwTx0my8sO/LgpcJ//5s8/Im4jXCv+8+eRV4TUf8GuHfQ237tQ7io4xfc74fUp7NXy7/yky+y9D+hNCywu56jG18svlPGW/B95te2s6fskl6sMHk/DXYPwH5vLG4Pm/5b9jlKxK8OZoO2SYVqn/pe0Tk72cUB3r2uyU3nwe3tiCf99x87t/aQvncv9WD8jYP9YO5Uz9bL7yL1gvqZKsXgM0zzvdQul7cAn/ZepHdzwTdj0bjwbLeIu56dHd8wwp43u+rk14v6Nb3lJXfh/fr1ue2fqXRgOy791NLkIx548aWp78rY1b+ZwO+Xtnfx+uVvQHYDw7s58WKuW/jqX2/2mSwx/17qgRjJtlj7X38nwHbn8EAqmP+UByZ7FnO3qEg46k/0LZjT1Rzbw9I67cW209C/bXA3xsw/k8VSTOtPcCDP15CeVWbWDfYeL8/Ze0D9jP8NqsvY/YsGJuBbU/yTvfqt84J1E/LO/176fi3ZfncLYAfgT9svG1/7Hhi2N6/Q/l3ez3WvjOemR84OOz2DwuNKfmjPX5fuQjOrB8JWj/evvCh8d8ds+b4ePvNnv24DpMa1d9rFx/3fsV69Oe0fInW/znbg2VZ3wuQ9xWyduHZ3PQXgP96/PX4cxw+4qSZmeOAiH28s+W9R2yB/QdOwV88x37Ffe02c/zAqVTyif2QMedxDY415/yHOXWyfZTO9PIZub79prN/dtaNd52t1D+ZKR+cs786YvcXqrrnvC3SHRxyfJ+1f9nZCjzr/2uOfc/BgQXtfwP2VM+xnzr21ef4bzrtH8zuA3fsp57243PsC/Z+2SvtVyP4/mf9lzz7yoOeeHOPr0YwdtufHX94HrzO/qse++Ac+285MXFlh7yE96EHnP240zn75aU5Gph2FusNxY+z3/iLC+yrnqic1/9h55r7/3FmjzUfPkseP/5Uu5D3wqzfG/jstQtf0y8Lup/7ucjO7R/37Nr9LzdekE0=
