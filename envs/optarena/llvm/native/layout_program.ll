; The program that layout.c looks at. It holds each thing that is read from LLVM's own structures.
target triple = "x86_64-unknown-linux-gnu"
%pair = type { i32, i64 }
$group = comdat any
@attributed = constant i32 1 #2
@plain = hidden thread_local global i32 2, section "own", comdat($group)
@external = externally_initialized global i32 3
@target = constant [8 x i32] zeroinitializer
@ranged = constant ptr getelementptr inbounds inrange(4, 12) (i32, ptr @target, i64 1)
@unranged = constant ptr getelementptr (i32, ptr @target, i64 2)

declare i32 @called(i32) nounwind
declare void @llvm.assume(i1)
declare i32 @personality(...)

define i32 @named(i32 %argument, ptr %address) nounwind personality ptr @personality !dbg !20 {
entry:
  %room = alloca %pair, align 16
  %field = getelementptr inbounds %pair, ptr %room, i64 0, i32 1
  %one = call i32 @called(i32 %argument) #0
  %two = call i32 @called(i32 %one) #0
  %three = call i32 @called(i32 %two) #1
  %four = call i32 @called(i32 %three)
  %loaded = load volatile i32, ptr %address, align 4, !tbaa !0
  %0 = load atomic i32, ptr %address syncscope("singlethread") acquire, align 4
  store i32 %0, ptr %address, align 4, !tbaa !0
  fence syncscope("singlethread") release
  %old = atomicrmw add ptr %address, i32 1 syncscope("singlethread") monotonic
  %swapped = cmpxchg ptr %address, i32 1, i32 2 acq_rel monotonic
  %sum = add nsw i32 %four, %old
  %1 = add nuw i32 %sum, 1
  %less = icmp slt i32 %1, %loaded
  call void @llvm.assume(i1 true) [ "align"(ptr %address, i64 8) ]
  br i1 %less, label %many, label %end
many:
    #dbg_value(i32 %sum, !22, !DIExpression(), !23)
  switch i32 %sum, label %end [ i32 1, label %loop
                                i32 2, label %end ], !dbg !23
loop:
  %again = phi i32 [ %sum, %many ], [ %next, %loop ]
  %next = add i32 %again, 1
  br i1 %less, label %loop, label %end, !llvm.loop !5
end:
  %result = phi i32 [ 0, %entry ], [ %sum, %many ], [ %sum, %many ], [ %next, %loop ]
  ret i32 %result
}

attributes #0 = { nounwind willreturn }
attributes #1 = { cold }
attributes #2 = { "own"="yes" }
!llvm.module.flags = !{!10}
!llvm.dbg.cu = !{!11}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"char", !3, i64 0}
!3 = !{!"root"}
!4 = !{!"large"}
!5 = distinct !{!4, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16}
!10 = !{i32 2, !"Debug Info Version", i32 3}
!11 = distinct !DICompileUnit(language: DW_LANG_C11, file: !12, emissionKind: FullDebug)
!12 = !DIFile(filename: "program.c", directory: "/")
!20 = distinct !DISubprogram(name: "named", file: !12, unit: !11, type: !21)
!21 = !DISubroutineType(types: !24)
!22 = !DILocalVariable(name: "sum", scope: !20, file: !12)
!23 = !DILocation(line: 1, scope: !20)
!24 = !{null}
