; Grows beyond 1,000,000 instructions under `module-inline`: each of 17 functions calls the next one twice.
; LLVM's own levels delete them first, since the call is never reached.
; Runnable: prints 42, exit code 0.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@format = private constant [4 x i8] c"%d\0A\00"

declare i32 @printf(ptr, ...)

define internal i32 @level0(i32 %x) alwaysinline {
  %a = call i32 @level1(i32 %x)
  %b = call i32 @level1(i32 %a)
  ret i32 %b
}

define internal i32 @level1(i32 %x) alwaysinline {
  %a = call i32 @level2(i32 %x)
  %b = call i32 @level2(i32 %a)
  ret i32 %b
}

define internal i32 @level2(i32 %x) alwaysinline {
  %a = call i32 @level3(i32 %x)
  %b = call i32 @level3(i32 %a)
  ret i32 %b
}

define internal i32 @level3(i32 %x) alwaysinline {
  %a = call i32 @level4(i32 %x)
  %b = call i32 @level4(i32 %a)
  ret i32 %b
}

define internal i32 @level4(i32 %x) alwaysinline {
  %a = call i32 @level5(i32 %x)
  %b = call i32 @level5(i32 %a)
  ret i32 %b
}

define internal i32 @level5(i32 %x) alwaysinline {
  %a = call i32 @level6(i32 %x)
  %b = call i32 @level6(i32 %a)
  ret i32 %b
}

define internal i32 @level6(i32 %x) alwaysinline {
  %a = call i32 @level7(i32 %x)
  %b = call i32 @level7(i32 %a)
  ret i32 %b
}

define internal i32 @level7(i32 %x) alwaysinline {
  %a = call i32 @level8(i32 %x)
  %b = call i32 @level8(i32 %a)
  ret i32 %b
}

define internal i32 @level8(i32 %x) alwaysinline {
  %a = call i32 @level9(i32 %x)
  %b = call i32 @level9(i32 %a)
  ret i32 %b
}

define internal i32 @level9(i32 %x) alwaysinline {
  %a = call i32 @level10(i32 %x)
  %b = call i32 @level10(i32 %a)
  ret i32 %b
}

define internal i32 @level10(i32 %x) alwaysinline {
  %a = call i32 @level11(i32 %x)
  %b = call i32 @level11(i32 %a)
  ret i32 %b
}

define internal i32 @level11(i32 %x) alwaysinline {
  %a = call i32 @level12(i32 %x)
  %b = call i32 @level12(i32 %a)
  ret i32 %b
}

define internal i32 @level12(i32 %x) alwaysinline {
  %a = call i32 @level13(i32 %x)
  %b = call i32 @level13(i32 %a)
  ret i32 %b
}

define internal i32 @level13(i32 %x) alwaysinline {
  %a = call i32 @level14(i32 %x)
  %b = call i32 @level14(i32 %a)
  ret i32 %b
}

define internal i32 @level14(i32 %x) alwaysinline {
  %a = call i32 @level15(i32 %x)
  %b = call i32 @level15(i32 %a)
  ret i32 %b
}

define internal i32 @level15(i32 %x) alwaysinline {
  %a = call i32 @level16(i32 %x)
  %b = call i32 @level16(i32 %a)
  ret i32 %b
}

define internal i32 @level16(i32 %x) alwaysinline {
  %a = call i32 @level17(i32 %x)
  %b = call i32 @level17(i32 %a)
  ret i32 %b
}

define internal i32 @level17(i32 %x) alwaysinline {
  %a = mul i32 %x, 1664525
  %b = add i32 %a, 1013904223
  %c = lshr i32 %b, 7
  %d = xor i32 %c, %b
  %e = shl i32 %d, 3
  %f = sub i32 %e, %x
  %g = or i32 %f, 1
  %h = urem i32 %g, 65521
  ret i32 %h
}

define i32 @main(i32 %argc, ptr %argv) {
entry:
  %unused = add i32 %argc, 1
  br i1 false, label %never, label %always

never:
  %grown = call i32 @level0(i32 %argc)
  br label %always

always:
  %value = phi i32 [ 42, %entry ], [ %grown, %never ]
  %printed = call i32 (ptr, ...) @printf(ptr @format, i32 %value)
  ret i32 0
}
