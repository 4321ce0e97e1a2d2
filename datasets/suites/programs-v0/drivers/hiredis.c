/* hiredis without a connection: commands put into the protocol of Redis, replies read from it, dynamic strings.
 *
 *   hiredis commands SEED COUNT        formats commands and reads them back
 *   hiredis replies SEED COUNT PIECE   reads nested replies of every type, PIECE bytes at a time
 *   hiredis strings SEED COUNT         edits, splits, joins and quotes dynamic strings
 *   hiredis stdin REPEATS              splits the lines on the standard input into arguments, formats and reads them
 */
#include "bench.h"

#include <hiredis.h>
#include <sds.h>

static uint64_t nodes[16], depth_most;

static void walk(const redisReply *reply, uint64_t depth) {
  nodes[reply->type]++;
  if (depth > depth_most) depth_most = depth;
  bench_add_number((uint64_t)reply->type);
  switch (reply->type) {
    case REDIS_REPLY_INTEGER:
    case REDIS_REPLY_BOOL: bench_add_number((uint64_t)reply->integer); break;
    case REDIS_REPLY_DOUBLE: bench_add_real(reply->dval, 6); break;
    case REDIS_REPLY_NIL: break;
    case REDIS_REPLY_VERB: bench_add(reply->vtype, 3); /* fall through */
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
    case REDIS_REPLY_BIGNUM: bench_add(reply->str, reply->len); break;
    default:
      for (size_t i = 0; i < reply->elements; i++) walk(reply->element[i], depth + 1);
  }
}

/* Feeds a stream in pieces; the number of replies in it. */
static long read_all(const char *data, size_t size, size_t piece) {
  redisReader *reader = redisReaderCreate();
  long count = 0;
  bench_check(reader != NULL, "no reader");
  for (size_t at = 0; at < size; at += piece) {
    void *reply = NULL;
    bench_check(redisReaderFeed(reader, data + at, size - at < piece ? size - at : piece) == REDIS_OK, "a piece is refused");
    for (;;) {
      bench_check(redisReaderGetReply(reader, &reply) == REDIS_OK, "a reply is refused");
      if (reply == NULL) break;
      walk(reply, 1);
      freeReplyObject(reply);
      count++;
    }
  }
  redisReaderFree(reader);
  return count;
}

static sds add_command(sds to, char *command, int size) {
  bench_check(size > 0, "a command is not formatted");
  to = sdscatlen(to, command, (size_t)size);
  redisFreeCommand(command);
  return to;
}

static sds make_commands(sds to, long count) {
  char word[33], noise[24];
  for (long i = 0; i < count; i++) {
    char *command = NULL;
    int size, n = (int)bench_below(100000);
    bench_text(word, 32);
    word[4 + bench_below(29)] = 0;
    bench_noise(noise, sizeof noise);
    switch (i % 5) {
      case 0: size = redisFormatCommand(&command, "SET key:%d %s EX %lu", n, word, (unsigned long)n * 7); break;
      case 1: size = redisFormatCommand(&command, "HSET %b:%04x f%%%d %b", word, (size_t)3, (unsigned)n, n, noise, sizeof noise); break;
      case 2: size = redisFormatCommand(&command, "ZADD z %.3f %+lld m%hd  %s%%", n * 0.125, (long long)n << 20, (short)(n % 32768), word + n % 4); break;
      case 3: {
        const char *args[] = {"RPUSH", "list", word, noise, ""};
        const size_t sizes[] = {5, 4, strlen(word), sizeof noise, 0};
        size = (int)redisFormatCommandArgv(&command, 5, args, i % 2 ? sizes : (const size_t[]){5, 4, 4, 0, 0});
        break;
      }
      default: {
        const char *args[] = {"PUBLISH", word, word};
        sds line = NULL;
        bench_check(redisFormatSdsCommandArgv(&line, 3, args, NULL) > 0, "a command is not formatted");
        to = sdscatsds(to, line);
        redisFreeSdsCommand(line);
        continue;
      }
    }
    to = add_command(to, command, size);
  }
  return to;
}

/* One reply of any type; collections hold further ones. */
static sds add_reply(sds to, int depth) {
  static const char collections[] = "*%~>|";
  char word[65];
  long long n = (long long)(bench_random() >> 20) - (1LL << 43);
  size_t size = bench_below(64);
  bench_text(word, 64);
  word[size] = 0;
  for (char *p = word; *p; p++)
    if (*p == '\n') *p = ' ';
  switch (bench_below(depth < 6 ? 14 : 10)) {
    case 0: return sdscatfmt(to, "+%s\r\n", word);
    case 1: return sdscatprintf(to, "-ERR %s\r\n", word);
    case 2: return sdscatfmt(to, ":%I\r\n", n);
    case 3: return sdscat(to, n % 2 ? "$-1\r\n" : "*-1\r\n");
    case 4: return sdscat(to, n % 2 ? "_\r\n" : "#t\r\n");
    case 5: return n % 9 ? sdscatprintf(to, ",%lld.%u\r\n", n >> 24, (unsigned)size) : sdscat(to, n % 2 ? ",inf\r\n" : ",-inf\r\n");
    case 6: return sdscatfmt(to, "(%U%u\r\n", (unsigned long long)n, 1234567890u);
    case 7: return sdscatprintf(to, "=%d\r\ntxt:%s\r\n", (int)size + 4, word);
    case 8:
    case 9: return sdscatprintf(to, "$%d\r\n%s\r\n", (int)size, word);
    default: {
      char kind = collections[depth ? bench_below(3) : 0];
      int count = (int)bench_below(6);
      to = sdscatprintf(to, "%c%d\r\n", kind, count);
      for (int i = 0; i < (kind == '%' ? 2 * count : count); i++) to = add_reply(to, depth + 1);
      return to;
    }
  }
}

static long edit_strings(long count) {
  sds all = sdsempty();
  long words = 0;
  for (long i = 0; i < count; i++) {
    char text[201];
    int parts = 0;
    bench_text(text, sizeof text - 1);
    text[sizeof text - 1] = 0;
    sds line = sdstrim(sdsnew(text), "the \n.");
    sdstoupper(line);
    sdsrange(line, 2, -3);
    line = sdsmapchars(line, "AEIOU\n", "aeiou ", 6);
    sds *split = sdssplitlen(line, (int)sdslen(line), i % 2 ? " " : "E ", i % 2 ? 1 : 2, &parts);
    sds joined = sdsjoinsds(split, parts, ", ", 2), copy = sdsdup(joined), number = sdsfromlonglong((long long)bench_random());
    words += parts;
    sdsfreesplitres(split, parts);
    sdstolower(copy);
    bench_add_number((uint64_t)(sdscmp(joined, copy) < 0));
    number = sdsgrowzero(number, 28);
    sds quoted = sdscatrepr(sdscpy(copy, "q="), number, sdslen(number));
    all = sdscatsds(all, joined);
    all = sdsRemoveFreeSpace(sdscatsds(sdsMakeRoomFor(all, sdslen(quoted)), quoted));
    bench_add(all, sdslen(all));
    if (sdslen(all) > 2000) sdsclear(all);
    sdsfree(line);
    sdsfree(joined);
    sdsfree(quoted);
    sdsfree(number);
  }
  bench_print("last", (long long)sdslen(all));
  sdsfree(all);
  return words;
}

static sds read_lines(sds to) {
  char line[1024];
  while (fgets(line, sizeof line, stdin) != NULL) {
    int count = 0;
    sds *args = sdssplitargs(line, &count);
    sds command = NULL;
    bench_check(args != NULL, "the quotes of a line do not match");
    if (count > 0) {
      bench_check(redisFormatSdsCommandArgv(&command, count, (const char **)args, NULL) > 0, "a command is not formatted");
      to = sdscatsds(to, command);
      redisFreeSdsCommand(command);
    }
    sdsfreesplitres(args, count);
  }
  return to;
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  size_t piece = 4096;
  long repeats = 1, count = 0;
  sds stream = sdsempty();
  if (strcmp(mode, "stdin") == 0) {
    repeats = bench_number(argc, argv, 2, 1, 100000);
    stream = read_lines(stream);
  } else {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    count = bench_number(argc, argv, 3, 1, 1000000);
    if (strcmp(mode, "commands") == 0) {
      stream = make_commands(stream, count);
    } else if (strcmp(mode, "replies") == 0) {
      piece = (size_t)bench_number(argc, argv, 4, 1, 65536);
      for (long i = 0; i < count; i++) stream = add_reply(stream, 0);
    } else {
      bench_check(strcmp(mode, "strings") == 0, "no such mode");
      bench_print("words", edit_strings(count));
    }
  }
  bench_add(stream, sdslen(stream));
  bench_print("stream", (long long)sdslen(stream));
  for (count = 0; repeats > 0; repeats--) count += read_all(stream, sdslen(stream), repeats % 2 ? piece : 5);
  bench_print("replies", count);
  for (int i = 0; i < 16; i++)
    if (nodes[i]) printf("type %d: %llu\n", i, (unsigned long long)nodes[i]);
  bench_print("depth", (long long)depth_most);
  sdsfree(stream);
  return 0;
}
