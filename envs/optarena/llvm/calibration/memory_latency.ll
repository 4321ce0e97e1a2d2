; Follows 200,000 addresses through 32 MiB, each known only when the one before has arrived. The cells form one
; cycle: a linear congruence modulo a power of two has its full period (Hull and Dobell, 1962).
target triple = "x86_64-unknown-linux-gnu"

@cells = internal global [4194304 x i64] zeroinitializer, align 64

define i32 @main() {
entry:
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %scaled = mul i64 %i, 2654435761
  %shifted = add i64 %scaled, 12345
  %target = and i64 %shifted, 4194303
  %cell = getelementptr [4194304 x i64], ptr @cells, i64 0, i64 %i
  store i64 %target, ptr %cell
  %i.next = add i64 %i, 1
  %filled = icmp eq i64 %i.next, 4194304
  br i1 %filled, label %chase, label %fill

chase:
  %n = phi i64 [ 0, %fill ], [ %n.next, %chase ]
  %at = phi i64 [ 0, %fill ], [ %next, %chase ]
  %from = getelementptr [4194304 x i64], ptr @cells, i64 0, i64 %at
  %next = load i64, ptr %from
  %n.next = add i64 %n, 1
  %done = icmp eq i64 %n.next, 200000
  br i1 %done, label %end, label %chase

end:
  %low = and i64 %next, 127
  %code = trunc i64 %low to i32
  ret i32 %code
}
