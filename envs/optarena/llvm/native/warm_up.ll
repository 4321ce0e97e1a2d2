; The program on which a process that is to fork sessions runs passes once. Its functions have the attributes
; that clang writes for the pinned target, since a target machine has a subtarget for each combination of them.
target triple = "x86_64-unknown-linux-gnu"

@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

declare void @called(ptr)

define internal i32 @callee(i32 %value) #0 {
  %place = alloca i32
  store i32 %value, ptr %place
  %loaded = load i32, ptr %place
  %twice = shl i32 %loaded, 1
  ret i32 %twice
}

define i32 @loop(i32 %count, ptr %data) #0 {
entry:
  %sum = alloca i32
  %index = alloca i32
  store i32 0, ptr %sum
  store i32 0, ptr %index
  br label %test
test:
  %now = load i32, ptr %index
  %more = icmp slt i32 %now, %count
  br i1 %more, label %body, label %end
body:
  %wide = sext i32 %now to i64
  %address = getelementptr inbounds i32, ptr %data, i64 %wide
  %element = load i32, ptr %address
  %mask = and i32 %now, 3
  %short = zext i32 %mask to i64
  %from = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %short
  %constant = load i32, ptr %from
  %product = mul nsw i32 %element, %constant
  %called = call i32 @callee(i32 %product)
  %before = load i32, ptr %sum
  %after = add nsw i32 %before, %called
  store i32 %after, ptr %sum
  %odd = icmp eq i32 %mask, 1
  br i1 %odd, label %call, label %next
call:
  call void @called(ptr %data)
  br label %next
next:
  %again = load i32, ptr %index
  %following = add nsw i32 %again, 1
  store i32 %following, ptr %index
  br label %test
end:
  %result = load i32, ptr %sum
  ret i32 %result
}

define void @declared_like_a_library(ptr %data) #1 {
  call void @called(ptr %data)
  ret void
}

define void @without_attributes(i32 %value) {
  %place = alloca i32
  store i32 %value, ptr %place
  ret void
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
