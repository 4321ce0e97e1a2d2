; Keeps `attributor` busy for ever, at constant memory: each pointer is one of the two before it, and the pass
; follows every path. 40 such pointers take 20 s, and each two more double the time.
; Runnable: prints 7, exit code 0.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@format = private constant [4 x i8] c"%d\0A\00"

declare i32 @printf(ptr, ...)

define internal i32 @walk(ptr %p0, ptr %p1, i1 %c) {
  %p2 = select i1 %c, ptr %p1, ptr %p0
  store i32 2, ptr %p2
  %p3 = select i1 %c, ptr %p2, ptr %p1
  store i32 3, ptr %p3
  %p4 = select i1 %c, ptr %p3, ptr %p2
  store i32 4, ptr %p4
  %p5 = select i1 %c, ptr %p4, ptr %p3
  store i32 5, ptr %p5
  %p6 = select i1 %c, ptr %p5, ptr %p4
  store i32 6, ptr %p6
  %p7 = select i1 %c, ptr %p6, ptr %p5
  store i32 7, ptr %p7
  %p8 = select i1 %c, ptr %p7, ptr %p6
  store i32 8, ptr %p8
  %p9 = select i1 %c, ptr %p8, ptr %p7
  store i32 9, ptr %p9
  %p10 = select i1 %c, ptr %p9, ptr %p8
  store i32 10, ptr %p10
  %p11 = select i1 %c, ptr %p10, ptr %p9
  store i32 11, ptr %p11
  %p12 = select i1 %c, ptr %p11, ptr %p10
  store i32 12, ptr %p12
  %p13 = select i1 %c, ptr %p12, ptr %p11
  store i32 13, ptr %p13
  %p14 = select i1 %c, ptr %p13, ptr %p12
  store i32 14, ptr %p14
  %p15 = select i1 %c, ptr %p14, ptr %p13
  store i32 15, ptr %p15
  %p16 = select i1 %c, ptr %p15, ptr %p14
  store i32 16, ptr %p16
  %p17 = select i1 %c, ptr %p16, ptr %p15
  store i32 17, ptr %p17
  %p18 = select i1 %c, ptr %p17, ptr %p16
  store i32 18, ptr %p18
  %p19 = select i1 %c, ptr %p18, ptr %p17
  store i32 19, ptr %p19
  %p20 = select i1 %c, ptr %p19, ptr %p18
  store i32 20, ptr %p20
  %p21 = select i1 %c, ptr %p20, ptr %p19
  store i32 21, ptr %p21
  %p22 = select i1 %c, ptr %p21, ptr %p20
  store i32 22, ptr %p22
  %p23 = select i1 %c, ptr %p22, ptr %p21
  store i32 23, ptr %p23
  %p24 = select i1 %c, ptr %p23, ptr %p22
  store i32 24, ptr %p24
  %p25 = select i1 %c, ptr %p24, ptr %p23
  store i32 25, ptr %p25
  %p26 = select i1 %c, ptr %p25, ptr %p24
  store i32 26, ptr %p26
  %p27 = select i1 %c, ptr %p26, ptr %p25
  store i32 27, ptr %p27
  %p28 = select i1 %c, ptr %p27, ptr %p26
  store i32 28, ptr %p28
  %p29 = select i1 %c, ptr %p28, ptr %p27
  store i32 29, ptr %p29
  %p30 = select i1 %c, ptr %p29, ptr %p28
  store i32 30, ptr %p30
  %p31 = select i1 %c, ptr %p30, ptr %p29
  store i32 31, ptr %p31
  %p32 = select i1 %c, ptr %p31, ptr %p30
  store i32 32, ptr %p32
  %p33 = select i1 %c, ptr %p32, ptr %p31
  store i32 33, ptr %p33
  %p34 = select i1 %c, ptr %p33, ptr %p32
  store i32 34, ptr %p34
  %p35 = select i1 %c, ptr %p34, ptr %p33
  store i32 35, ptr %p35
  %p36 = select i1 %c, ptr %p35, ptr %p34
  store i32 36, ptr %p36
  %p37 = select i1 %c, ptr %p36, ptr %p35
  store i32 37, ptr %p37
  %p38 = select i1 %c, ptr %p37, ptr %p36
  store i32 38, ptr %p38
  %p39 = select i1 %c, ptr %p38, ptr %p37
  store i32 39, ptr %p39
  %p40 = select i1 %c, ptr %p39, ptr %p38
  store i32 40, ptr %p40
  %p41 = select i1 %c, ptr %p40, ptr %p39
  store i32 41, ptr %p41
  %p42 = select i1 %c, ptr %p41, ptr %p40
  store i32 42, ptr %p42
  %p43 = select i1 %c, ptr %p42, ptr %p41
  store i32 43, ptr %p43
  %p44 = select i1 %c, ptr %p43, ptr %p42
  store i32 44, ptr %p44
  %p45 = select i1 %c, ptr %p44, ptr %p43
  store i32 45, ptr %p45
  %p46 = select i1 %c, ptr %p45, ptr %p44
  store i32 46, ptr %p46
  %p47 = select i1 %c, ptr %p46, ptr %p45
  store i32 47, ptr %p47
  %p48 = select i1 %c, ptr %p47, ptr %p46
  store i32 48, ptr %p48
  %p49 = select i1 %c, ptr %p48, ptr %p47
  store i32 49, ptr %p49
  %p50 = select i1 %c, ptr %p49, ptr %p48
  store i32 50, ptr %p50
  %p51 = select i1 %c, ptr %p50, ptr %p49
  store i32 51, ptr %p51
  %p52 = select i1 %c, ptr %p51, ptr %p50
  store i32 52, ptr %p52
  %p53 = select i1 %c, ptr %p52, ptr %p51
  store i32 53, ptr %p53
  %p54 = select i1 %c, ptr %p53, ptr %p52
  store i32 54, ptr %p54
  %p55 = select i1 %c, ptr %p54, ptr %p53
  store i32 55, ptr %p55
  %p56 = select i1 %c, ptr %p55, ptr %p54
  store i32 56, ptr %p56
  %p57 = select i1 %c, ptr %p56, ptr %p55
  store i32 57, ptr %p57
  %p58 = select i1 %c, ptr %p57, ptr %p56
  store i32 58, ptr %p58
  %p59 = select i1 %c, ptr %p58, ptr %p57
  store i32 59, ptr %p59
  %p60 = select i1 %c, ptr %p59, ptr %p58
  store i32 60, ptr %p60
  %p61 = select i1 %c, ptr %p60, ptr %p59
  store i32 61, ptr %p61
  %p62 = select i1 %c, ptr %p61, ptr %p60
  store i32 62, ptr %p62
  %p63 = select i1 %c, ptr %p62, ptr %p61
  store i32 7, ptr %p63
  %value = load i32, ptr %p63
  ret i32 %value
}

define i32 @main(i32 %argc, ptr %argv) {
  %a = alloca i32
  %b = alloca i32
  store i32 0, ptr %a
  store i32 0, ptr %b
  %c = icmp sgt i32 %argc, 1
  %value = call i32 @walk(ptr %a, ptr %b, i1 %c)
  %printed = call i32 (ptr, ...) @printf(ptr @format, i32 %value)
  ret i32 0
}
