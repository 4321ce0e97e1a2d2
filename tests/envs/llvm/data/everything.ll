; A bit of everything that bitcode can hold: the program of the fingerprint's tests.
source_filename = "everything.cpp"
target triple = "x86_64-unknown-linux-gnu"
%pair = type { i32, ptr }
$shared = comdat any
@table = internal constant [4 x i16] [i16 1, i16 2, i16 3, i16 4], align 2
@vtable = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @plain, ptr getelementptr (i8, ptr @table, i64 2)] }
@entry = global ptr getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @vtable, i32 0, i32 0, i32 2)
@other = global %pair { i32 7, ptr @entry }, section "own", align 16
@inline = linkonce_odr global i32 5, comdat($shared)
@also = alias i32, ptr @inline

declare i32 @personality(...)
declare void @llvm.assume(i1)
declare float @llvm.sqrt.f32(float)
declare void @may_throw(i32)
declare ptr @allocate(i64) #1

define internal i32 @plain(i32 %a, i32 %b) #0 {
start:
  %sum = add nsw i32 %a, %b
  %wide = zext nneg i32 %sum to i64
  %or = or disjoint i64 %wide, 4096
  %small = trunc nuw i64 %or to i32
  %less = icmp samesign ult i32 %small, 9
  %picked = select i1 %less, i32 %a, i32 %small
  ret i32 %picked
}

define i32 @main(i32 %count, ptr %values) personality ptr @personality {
start:
  %room = alloca %pair, align 8
  %field = getelementptr inbounds %pair, ptr %room, i64 0, i32 1
  store ptr %values, ptr %field, align 8, !tbaa !0
  %first = load i32, ptr %values, align 4, !tbaa !4
  %atomic = load atomic i32, ptr %values acquire, align 4
  %old = atomicrmw add ptr %values, i32 %first monotonic
  %swap = cmpxchg ptr %values, i32 %old, i32 %atomic acq_rel monotonic
  fence seq_cst
  %swapped = extractvalue { i32, i1 } %swap, 0
  %root = call fast float @llvm.sqrt.f32(float 2.0)
  %scaled = fmul nnan float %root, 3.0
  %vector = insertelement <4 x float> poison, float %scaled, i32 0
  %spread = shufflevector <4 x float> %vector, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 3>
  call void @llvm.assume(i1 true) [ "align"(ptr %values, i64 16) ]
  %called = tail call i32 @plain(i32 %swapped, i32 %count)
  switch i32 %called, label %loop [ i32 1, label %risky
                                    i32 5, label %done ]
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  %next = add nuw i32 %i, 1
  %again = icmp slt i32 %next, %count
  br i1 %again, label %loop, label %risky, !llvm.loop !8
risky:
  invoke void @may_throw(i32 %called) to label %done unwind label %pad
pad:
  %caught = landingpad { ptr, i32 } cleanup catch ptr null
  resume { ptr, i32 } %caught
done:
  %result = phi i32 [ %called, %start ], [ 3, %risky ]
  ret i32 %result
}

attributes #0 = { nounwind "own"="1" }
attributes #1 = { nounwind allockind("alloc,uninitialized") }
!llvm.module.flags = !{!6}
!llvm.ident = !{!7}
!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !2, i64 0}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{!"by hand"}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.unroll.count", i32 4}
