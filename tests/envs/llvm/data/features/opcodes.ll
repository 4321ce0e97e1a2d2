; Every opcode of LLVM 22 that programs can hold, each at least once.
target triple = "x86_64-unknown-linux-gnu"

@global = global i32 7
@table = internal constant [2 x ptr] [ptr @numbers, ptr @vectors]

declare i32 @__CxxFrameHandler3(...)
declare i32 @__gxx_personality_v0(...)
declare void @may_throw()
declare i64 @llvm.ctpop.i64(i64)

define i64 @numbers(i64 %a, i64 %b, i128 %wide) {
  %add = add i64 %a, -1
  %sub = sub i64 %add, %b
  %mul = mul i64 %sub, 3
  %udiv = udiv i64 %mul, 5
  %sdiv = sdiv i64 %udiv, %b
  %urem = urem i64 %sdiv, 7
  %srem = srem i64 %urem, 11
  %shl = shl i64 %srem, 1
  %lshr = lshr i64 %shl, 2
  %ashr = ashr i64 %lshr, 3
  %and = and i64 %ashr, 255
  %or = or i64 %and, 1
  %xor = xor i64 %or, %b
  %huge = xor i128 %wide, 340282366920938463463374607431768211455
  %small = trunc i64 %xor to i32
  %zext = zext i32 %small to i64
  %sext = sext i32 %small to i64
  %icmp = icmp eq i64 %zext, %sext
  %select = select i1 %icmp, i64 %zext, i64 poison
  %freeze = freeze i64 %select
  %count = call i64 @llvm.ctpop.i64(i64 %freeze)
  ret i64 %count
}

define double @floats(float %x, double %y, i64 %i) {
  %neg = fneg double %y
  %add = fadd double %neg, 1.0
  %sub = fsub double %add, %y
  %mul = fmul double %sub, %y
  %div = fdiv double %mul, %y
  %rem = frem double %div, %y
  %ui = fptoui double %rem to i64
  %si = fptosi double %rem to i64
  %uf = uitofp i64 %ui to double
  %sf = sitofp i64 %si to double
  %narrow = fptrunc double %uf to float
  %wide = fpext float %narrow to double
  %less = fcmp olt double %wide, %sf
  br i1 %less, label %yes, label %no
yes:
  br label %no
no:
  %phi = phi double [ %wide, %0 ], [ %sf, %yes ]
  ret double %phi
}

define i32 @memory(ptr %p, ptr addrspace(1) %far, ...) {
  %slot = alloca i64
  %value = load i64, ptr %p
  store i64 %value, ptr %slot
  %element = getelementptr i64, ptr %p, i64 %value
  fence seq_cst
  %pair = cmpxchg ptr %p, i64 0, i64 1 seq_cst seq_cst
  %old = atomicrmw add ptr %p, i64 1 seq_cst
  %bits = ptrtoint ptr %element to i64
  %address = ptrtoaddr ptr %element to i64
  %pointer = inttoptr i64 %bits to ptr
  %double = bitcast i64 %address to double
  %near = addrspacecast ptr addrspace(1) %far to ptr
  %next = va_arg ptr %p, i32
  %loaded = load i32, ptr @global
  %sum = add i32 %next, %loaded
  ret i32 %sum
}

define internal <4 x i32> @vectors(<4 x i32> %v, { i32, i32 } %s) {
  %first = extractelement <4 x i32> %v, i32 0
  %inserted = insertelement <4 x i32> %v, i32 %first, i32 1
  %shuffled = shufflevector <4 x i32> %inserted, <4 x i32> poison, <4 x i32> zeroinitializer
  %field = extractvalue { i32, i32 } %s, 0
  %struct = insertvalue { i32, i32 } %s, i32 %field, 1
  ret <4 x i32> %shuffled
}

define void @itanium(i32 %x, ptr %where, ptr %f) personality ptr @__gxx_personality_v0 {
entry:
  switch i32 %x, label %end [ i32 -3, label %end
                              i32 4, label %jump
                              i32 5, label %end ]
jump:
  indirectbr ptr %where, [label %assembly, label %assembly, label %call]
assembly:
  callbr void asm sideeffect "", "!i"() to label %end [label %call]
call:
  invoke void @may_throw() to label %end unwind label %pad
pad:
  %caught = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught
end:
  call void %f()
  call void asm sideeffect "nop", ""()
  %same = call double @floats(float 0.0, double 0.0, i64 0)
  %other = call i32 @numbers(i32 1)
  ret void
}

define void @funclets() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw() to label %done unwind label %dispatch
dispatch:
  %switch = catchswitch within none [label %handler] unwind label %cleanup
handler:
  %catch = catchpad within %switch [ptr null, i32 64, ptr null]
  catchret from %catch to label %done
cleanup:
  %pad = cleanuppad within none []
  cleanupret from %pad unwind to caller
done:
  unreachable
}

define void @never_reached(i1 %c) {
  br label %exit
orphan:
  br i1 %c, label %exit, label %orphan
exit:
  ret void
}
