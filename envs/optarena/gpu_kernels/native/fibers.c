/* Runs a grid of threads on one CPU thread: each GPU thread is a fiber, which runs until a barrier or its end. */
#include <stdint.h>

struct launch {
  uint32_t grid[2], block[2];
  const uint32_t *order;  /* the order in which the threads of a block take turns */
  char *stacks;           /* one for each thread of a block, aligned to 16 */
  uint64_t stack_bytes;
  void **contexts;        /* the stack pointers of fibers that wait */
  uint8_t *ended;
  uint32_t *places;       /* of the barriers at which threads wait */
  void **arguments;       /* of the kernel: an address of each value */
  uint64_t changed_guard; /* result: 1 for the first variable in shared memory, 2 for the second; 0 for none */
  uint64_t apart;         /* result: whether threads of one warp waited at different barriers */
};

uint32_t optarena_thread[2], optarena_block[2], optarena_block_size[2], optarena_grid_size[2];
static struct launch *current;
static void *scheduler;
static uint32_t running;

void optarena_kernel(void **arguments);
void optarena_clear_shared(void);
void optarena_check_shared(void);
void optarena_switch(void **saved, void *next);

/* Keeps what the System V calling convention keeps, and goes on where the other fiber was left. */
__asm__(".text\n"
        ".globl optarena_switch\n"
        ".type optarena_switch,@function\n"
        "optarena_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  retq\n");

static void leave(void) { optarena_switch(&current->contexts[running], scheduler); }

void optarena_barrier(uint32_t which, uint32_t place) {
  (void)which;
  current->places[running] = place;
  leave();
}

static void fiber(void) {
  optarena_kernel(current->arguments);
  current->ended[running] = 1;
  leave();
}

static void prepare(struct launch *order, uint32_t thread) {
  /* At its first turn a fiber takes six registers and the address of `fiber` from its stack. As after a call, the
     stack then is 8 bytes below a multiple of 16. */
  void **top = (void **)(order->stacks + (uint64_t)(thread + 1) * order->stack_bytes) - 1;
  *top = 0;
  *--top = (void *)fiber;
  for (int i = 0; i < 6; i++) *--top = 0;
  order->contexts[thread] = top;
  order->ended[thread] = 0;
}

/* Fills shared memory: a block must not find what another left. */
void optarena_fill(unsigned char *array, uint64_t bytes, uint8_t with) {
  for (uint64_t i = 0; i < bytes; i++) array[i] = with;
}

void optarena_check(const unsigned char *guard, uint64_t bytes, uint8_t with, uint64_t variable) {
  for (uint64_t i = 0; i < bytes; i++)
    if (guard[i] != with) current->changed_guard = variable;
}

/* The barrier is `.aligned`: all threads of a warp that have not ended must wait at the same instruction. */
static void check_warps(struct launch *order, uint32_t threads) {
  for (uint32_t first = 0; first < threads; first += 32) {
    uint32_t place = 0;
    for (uint32_t i = first; i < threads && i < first + 32; i++) {
      if (order->ended[i]) continue;
      if (place && place != order->places[i]) order->apart = 1;
      place = order->places[i];
    }
  }
}

static void run_block(struct launch *order) {
  const uint32_t threads = order->block[0] * order->block[1];
  optarena_clear_shared();
  for (uint32_t i = 0; i < threads; i++) prepare(order, i);
  for (uint32_t left = threads; left > 0;) {
    for (uint32_t i = 0; i < threads; i++) {
      running = order->order[i];
      if (order->ended[running]) continue;
      optarena_thread[0] = running % order->block[0];
      optarena_thread[1] = running / order->block[0];
      optarena_switch(&scheduler, order->contexts[running]);
      if (order->ended[running]) left--;
    }
    check_warps(order, threads);
  }
  optarena_check_shared();
}

void optarena_launch(struct launch *order) {
  current = order;
  for (int i = 0; i < 2; i++) {
    optarena_block_size[i] = order->block[i];
    optarena_grid_size[i] = order->grid[i];
  }
  for (uint32_t y = 0; y < order->grid[1]; y++)
    for (uint32_t x = 0; x < order->grid[0]; x++) {
      optarena_block[0] = x;
      optarena_block[1] = y;
      run_block(order);
    }
}
