/* What happens before and after main(), in an order that a C library defines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int seven;
static _Thread_local int counted = 40;
static _Thread_local int cleared[4];
static const char *how = "";

static void say(const char *what) { printf("%s %d %d\n", what, counted++, cleared[1]++); }
static void late(void) { say("late handler"); }
static void handler_of_constructor(void) { say("handler of a constructor"); }
static void first_handler(void) { say("first handler"); }
static void second_handler(void) {
  say("second handler");
  atexit(late);
  if (!strcmp(how, "handler")) exit(17);
}

__attribute__((constructor)) static void plain_constructor(int count, char **words) {
  seven = 7;
  how = count > 1 ? words[1] : "";
  say("constructor");
  atexit(handler_of_constructor);
  if (!strcmp(how, "constructor")) exit(11);
}
__attribute__((constructor)) static void second_constructor(void) { say("second constructor"); }
__attribute__((constructor(2000))) static void later_constructor(void) { say("constructor 2000"); }
__attribute__((constructor(200))) static void early_constructor(void) { say("constructor 200"); }

__attribute__((destructor)) static void plain_destructor(void) { say("destructor"); }
__attribute__((destructor)) static void second_destructor(void) {
  say("second destructor");
  if (!strcmp(how, "destructor")) exit(13);
}
__attribute__((destructor(200))) static void last_destructor(void) { say("destructor 200"); }
__attribute__((destructor(2000))) static void later_destructor(void) { say("destructor 2000"); }

static void leave(int code) {
  if (!strcmp(how, "exit")) exit(code);
  if (!strcmp(how, "_exit")) {
    fflush(stdout);
    _exit(code);
  }
  if (!strcmp(how, "quick_exit")) quick_exit(code);
  if (!strcmp(how, "abort")) abort();
}

int main(int count, char **words) {
  atexit(first_handler);
  atexit(second_handler);
  printf("main %d %d %s\n", seven, count, count > 1 ? words[1] : "");
  leave(300);
  say("end");
  return 3;
}
