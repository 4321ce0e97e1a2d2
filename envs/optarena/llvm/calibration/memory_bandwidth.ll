; Writes to each cache line of 32 MiB, and then reads all of it four times in order.
target triple = "x86_64-unknown-linux-gnu"

@cells = internal global [4194304 x i64] zeroinitializer, align 64

define i32 @main() {
entry:
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %cell = getelementptr [4194304 x i64], ptr @cells, i64 0, i64 %i
  store i64 %i, ptr %cell
  %i.next = add i64 %i, 8
  %filled = icmp eq i64 %i.next, 4194304
  br i1 %filled, label %pass, label %fill

pass:
  %p = phi i64 [ 0, %fill ], [ %p.next, %passed ]
  %before = phi i64 [ 0, %fill ], [ %sum.next, %passed ]
  br label %read

read:
  %k = phi i64 [ 0, %pass ], [ %k.next, %read ]
  %sum = phi i64 [ %before, %pass ], [ %sum.next, %read ]
  %from = getelementptr [4194304 x i64], ptr @cells, i64 0, i64 %k
  %value = load i64, ptr %from
  %sum.next = add i64 %sum, %value
  %k.next = add i64 %k, 1
  %all = icmp eq i64 %k.next, 4194304
  br i1 %all, label %passed, label %read

passed:
  %p.next = add i64 %p, 1
  %mixed = xor i64 %sum.next, %p.next
  %done = icmp eq i64 %p.next, 4
  br i1 %done, label %end, label %pass

end:
  %low = and i64 %mixed, 127
  %code = trunc i64 %low to i32
  ret i32 %code
}
