// What an executable has around main(), for programs with constructors or destructors: it is linked to them right
// before they are compiled. optarena.llvm.starting makes the lists.

typedef void (*Constructor)(int, char **, char **);
typedef void (*Destructor)(void);

extern const Constructor optarena_constructors[];
extern const Destructor optarena_destructors[];

int __cxa_atexit(void (*)(void *), void *, void *);
int optarena_main(int, char **, char **);

static void destroy(void *unused) {
  (void)unused;
  for (const Destructor *one = optarena_destructors; *one; one++) (*one)();
}

int main(int count, char **arguments, char **variables) {
  __cxa_atexit(destroy, 0, 0);  // the first handler is the last one to run
  for (const Constructor *one = optarena_constructors; *one; one++) (*one)(count, arguments, variables);
  return optarena_main(count, arguments, variables);
}
