"""Small LLVM programs for replays, as text."""

from __future__ import annotations

from typing import Final

HEADER: Final = 'target triple = "x86_64-unknown-linux-gnu"\n'


def returning(body: str, declarations: str = "") -> bytes:
    return f"{HEADER}{declarations}\ndefine i32 @main(i32 %argc, ptr %argv) {{\n{body}\n}}\n".encode()


BUSY: Final = b"""
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@ok = private constant [3 x i8] c"ok\\00"

declare i32 @puts(ptr)

; Counts to two billion times its first argument, a digit, and prints "ok".
define i32 @main(i32 %argc, ptr %argv) {
entry:
  %cell = alloca i64
  %unused = alloca i64
  store i64 7, ptr %unused
  store volatile i64 0, ptr %cell
  %place = getelementptr ptr, ptr %argv, i64 1
  %argument = load ptr, ptr %place
  %character = load i8, ptr %argument
  %wide = zext i8 %character to i64
  %digit = sub i64 %wide, 48
  %limit = mul i64 %digit, 2000000000
  br label %loop

loop:
  %i = load volatile i64, ptr %cell
  %more = icmp slt i64 %i, %limit
  br i1 %more, label %body, label %done

body:
  %next = add i64 %i, 1
  store volatile i64 %next, ptr %cell
  br label %loop

done:
  %printed = call i32 @puts(ptr @ok)
  ret i32 0
}
"""
