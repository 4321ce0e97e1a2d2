// Answers the usual steps of a session without Python: one pass or none, or one decision on a call (dialogue.c),
// and observations that are numbers. An interpreter takes longer for a step than many passes, and in a process that
// was just forked each page that it writes to is copied first.
//
// A frame is looked at while it stays in the socket, and taken out once it is answered. So whatever is not usual
// is left to Python just as it came: other calls, frames that cannot be read, unknown numbers, other limits. If a
// pass reports an error, or its result is not usual, or a decision was the last one, Python reads the frame and
// finishes the step.
//
// service/protocol/frames.py has the layout of frames, and explains how to wait.
#include "apply.h"

typedef unsigned char u8;

i64 recv(int, void *, u64, int);
i64 send(int, const void *, u64, int);
i64 pread(int, void *, u64, i64);
int sched_yield(void);
int clock_gettime(int, i64 *);

enum { PEEK = 2, AT_ONCE = 0x40, NO_SIGNAL = 0x4000, MONOTONIC = 1 };
enum { MARK = 0, VERSION = 1, NUMBERS = 1, NO_EFFECT = 1 };
// Bytes of a frame's length, of a step without its numbers, and of a reply and a value without their content.
enum { LENGTH = 4, STEP = 34, REPLY = 15, VALUE = 5, ACTION = 8, INDEX = 4, NUMBER = 8 };
enum { MOST_ANSWERED = 256, MOST_OBSERVATIONS = 8, MOST_NUMBERS = 256 };
// The largest frames: one byte more than a usual step has, and the longest reply.
enum { FRAME = LENGTH + STEP + ACTION + INDEX * MOST_OBSERVATIONS + 1 };
enum { ANSWER = LENGTH + REPLY + MOST_OBSERVATIONS * (VALUE + NUMBER * MOST_NUMBERS) };
enum { IS_UNUSUAL, RAN };

// An observation consists of the numbers that `compute` writes, or of those at some places among them; else of the
// numbers that `kept` points to. Without both it is the number of instructions. If `numbers` is 0, it is computed in
// Python.
typedef struct {
  void (*compute)(Module, i64 *);
  const u32 *places;
  const i64 *kept;
  u64 numbers;
} Observation;

typedef struct {
  i64 channel;
  u64 session;                          // its number
  u64 cpu_ms;                           // the limit of CPU time in force
  i64 cpu[4];                           // the same, as for setitimer
  volatile u64 *progress;               // where each unit of work is noted
  PassState *state;
  void *dialogue;                       // 0 where actions are passes
  u64 actions;
  const char *const *pipelines;
  u64 spaces;
  const Observation *observations;
  u64 wakeful, yield, busy, most_long;  // how to wait: nanoseconds, and how many long waits there may be
  u64 long_waits, busy_until;
  i64 loads, processors;                // the file that says how many processes run, and how many can
  u64 content, instructions;            // the fingerprint and the size of the present state
  u64 answered;                         // how many actions
  u32 log[MOST_ANSWERED];               // which
  void (*computed)(Module, i64 *);      // what was computed last, of the state with this fingerprint
  u64 computed_of;
  i64 numbers[MOST_NUMBERS];
} Steps;

typedef struct {
  u64 call, session, cpu_ms, action;
  u32 actions, observations;
  const u8 *spaces;
} Step;

static u64 number_at(const u8 *place, int bytes) {
  u64 number = 0;
  __builtin_memcpy(&number, place, bytes);
  return number;
}

static u8 *put(u8 *place, u64 number, int bytes) {
  __builtin_memcpy(place, &number, bytes);
  return place + bytes;
}

static u64 now(void) {
  i64 time[2];
  clock_gettime(MONOTONIC, time);
  return (u64)time[0] * 1000000000 + (u64)time[1];
}

// Whether more processes run, or wait for a processor, than there are processors. The file begins like this:
// 0.81 0.43 0.27 3/215
static int is_crowded(const Steps *steps) {
  char text[64];
  i64 have = pread((int)steps->loads, text, sizeof text, 0), running = 0;
  int gaps = 0;
  for (i64 i = 0; i < have && text[i] != '/'; i++) {
    if (text[i] == ' ') gaps++;
    else if (gaps == 3) running = 10 * running + text[i] - '0';
  }
  return running > steps->processors;
}

// Looks at what comes next, for a moment without sleeping if that is worth it. Gives the number of bytes.
static i64 look(Steps *steps, u8 *frame) {
  int channel = (int)steps->channel;
  u64 begin = now(), time = begin;
  i64 have = recv(channel, frame, FRAME, PEEK | AT_ONCE);
  if (have < 0 && steps->long_waits < steps->most_long && begin > steps->busy_until && !is_crowded(steps)) {
    for (; have < 0 && time < begin + steps->wakeful; have = recv(channel, frame, FRAME, PEEK | AT_ONCE)) {
      u64 before = now();
      sched_yield();
      time = now();
      if (time - before > steps->yield) {  // somebody else needed the processor, and got it
        steps->busy_until = time + steps->busy;
        break;
      }
    }
  }
  if (have < 0) have = recv(channel, frame, FRAME, PEEK);
  steps->long_waits = now() < begin + steps->wakeful ? 0 : steps->long_waits + 1;
  return have;
}

// Reads a step. Gives whether these bytes are exactly one, and a usual one.
static int read_step(const Steps *steps, const u8 *frame, u64 have, Step *step) {
  const u8 *head = frame + LENGTH;
  if (have < LENGTH + STEP || have != LENGTH + number_at(frame, LENGTH)) return 0;
  if (head[0] != MARK || head[1] != VERSION) return 0;
  step->call = number_at(head + 2, 8);
  step->session = number_at(head + 10, 8);  // then comes the limit of wall time, which is for several actions
  step->cpu_ms = number_at(head + 22, 4);
  step->actions = (u32)number_at(head + 26, 4);
  step->observations = (u32)number_at(head + 30, 4);
  if (step->session != steps->session || step->cpu_ms != steps->cpu_ms) return 0;
  if (step->actions > 1 || step->observations > MOST_OBSERVATIONS) return 0;
  if (have != LENGTH + STEP + ACTION * step->actions + INDEX * step->observations) return 0;
  step->action = step->actions ? number_at(head + STEP, ACTION) : 0;
  step->spaces = head + STEP + ACTION * step->actions;
  for (u32 i = 0; i < step->observations; i++) {
    u64 space = number_at(step->spaces + INDEX * i, INDEX);
    if (space >= steps->spaces || !steps->observations[space].numbers) return 0;
  }
  return step->action < steps->actions;
}

// Begins a unit of work: notes it, 0 for none, and sets its limit of CPU time.
static void begin(const Steps *steps, u64 unit) {
  *steps->progress = unit;
  limit(steps->cpu);
}

// The numbers of an observation. They follow from the program alone, so an action without effect leaves them.
static const i64 *numbers_of(Steps *steps, const Observation *observation) {
  if (!observation->compute) return observation->kept;
  if (steps->computed != observation->compute || steps->computed_of != steps->content) {
    observation->compute(steps->state->module, steps->numbers);
    steps->computed = observation->compute;
    steps->computed_of = steps->content;
  }
  return steps->numbers;
}

static u8 *observe(Steps *steps, const Observation *observation, u8 *to) {
  u64 bytes = NUMBER * observation->numbers;
  to = put(put(to, NUMBERS, 1), bytes, 4);
  if (!observation->compute && !observation->kept) return put(to, steps->instructions, NUMBER);
  const i64 *numbers = numbers_of(steps, observation);
  if (observation->places) {
    for (u64 i = 0; i < observation->numbers; i++)
      put(to + NUMBER * i, (u64)numbers[observation->places[i]], NUMBER);
  } else {
    __builtin_memcpy(to, numbers, bytes);
  }
  return to + bytes;
}

// Takes the frame out of the socket and sends the reply. If the peer is gone, Python finds that out.
static int exchange(int channel, u8 *frame, u64 length, const u8 *reply, const u8 *end) {
  while (length) {
    i64 taken = recv(channel, frame, length, 0);
    if (taken <= 0) return 0;
    length -= (u64)taken;
  }
  while (reply < end) {
    i64 sent = send(channel, reply, (u64)(end - reply), NO_SIGNAL);
    if (sent < 0) return 0;
    reply += sent;
  }
  return 1;
}

// Carries an action out. Gives whether its result is usual.
static int act(Steps *steps, u64 action) {
  if (steps->dialogue) return optarena_dialogue_decide(steps->dialogue, action);
  if (!optarena_apply(steps->state, steps->pipelines[action], 0)) return 0;
  steps->content = steps->state->found[0];
  steps->instructions = steps->state->found[1];
  return 1;
}

// Answers steps until something is not usual. Gives whether the action of the next step has been carried out.
int optarena_steps(Steps *steps) {
  u8 frame[FRAME], reply[ANSWER];
  for (;;) {
    Step step;
    u64 unit = 0, before = steps->content;
    i64 have = look(steps, frame);
    if (have <= 0 || steps->answered == MOST_ANSWERED) return IS_UNUSUAL;
    if (!read_step(steps, frame, (u64)have, &step)) return IS_UNUSUAL;
    if (!step.actions && !step.observations) begin(steps, 0);  // or waiting would use up the last limit
    if (step.actions) {
      begin(steps, ++unit);
      if (!act(steps, step.action)) return RAN;
      steps->log[steps->answered++] = (u32)step.action;
    }
    u64 had_no_effect = steps->content == before && !(step.actions && steps->dialogue);
    u8 *end = put(put(put(reply + LENGTH, MARK, 1), VERSION, 1), step.call, 8);
    end = put(put(end, had_no_effect ? NO_EFFECT : 0, 1), step.observations, 4);
    for (u32 i = 0; i < step.observations; i++) {
      begin(steps, ++unit);
      end = observe(steps, &steps->observations[number_at(step.spaces + INDEX * i, INDEX)], end);
    }
    put(reply, (u64)(end - reply - LENGTH), LENGTH);
    if (!exchange((int)steps->channel, frame, (u64)have, reply, end)) return IS_UNUSUAL;
  }
}
