/* llhttp: requests and responses parsed as they arrive from a network, in pieces of any size.
 *
 *   llhttp requests SEED MESSAGES PIECE    pipelined requests, PIECE bytes at a time (0: pieces of random sizes)
 *   llhttp responses SEED MESSAGES PIECE   responses, the last one without a length
 *   llhttp broken SEED MESSAGES            one changed byte in each request: what the strict and lenient parsers say
 *   llhttp stdin REPEATS                   the requests on the standard input (lines end in LF) in pieces of every size
 */
#include "bench.h"

#include <llhttp.h>

typedef struct {
  uint64_t counts[16]; /* by kind of callback */
  uint64_t bytes;
  long pause; /* pause after every so many messages */
} totals;

static int count(llhttp_t *parser, int kind) {
  totals *t = parser->data;
  t->counts[kind]++;
  return 0;
}

static int take(llhttp_t *parser, const char *at, size_t size) {
  totals *t = parser->data;
  t->bytes += size;
  bench_add(at, size);
  return 0;
}

static int on_begin(llhttp_t *p) { return count(p, 0); }
static int on_url(llhttp_t *p) { return count(p, 1); }
static int on_status(llhttp_t *p) { return count(p, 2); }
static int on_method(llhttp_t *p) { return count(p, 3); }
static int on_version(llhttp_t *p) { return count(p, 4); }
static int on_field(llhttp_t *p) { return count(p, 5); }
static int on_value(llhttp_t *p) { return count(p, 6); }
static int on_extension(llhttp_t *p) { return count(p, 7); }
static int on_chunk(llhttp_t *p) { return count(p, 8); }
static int on_chunk_end(llhttp_t *p) { return count(p, 9); }
static int on_reset(llhttp_t *p) { return count(p, 10); }

static int on_headers(llhttp_t *p) {
  const char *name = llhttp_get_type(p) == HTTP_REQUEST ? llhttp_method_name(llhttp_get_method(p)) : llhttp_status_name(llhttp_get_status_code(p));
  bench_add(name, strlen(name));
  bench_add_number((uint64_t)llhttp_get_http_major(p) << 16 | (uint64_t)llhttp_get_http_minor(p) << 8 | (uint64_t)llhttp_should_keep_alive(p));
  return count(p, 11);
}

static int on_complete(llhttp_t *p) {
  totals *t = p->data;
  count(p, 12);
  return t->pause && t->counts[12] % (uint64_t)t->pause == 0 ? HPE_PAUSED : 0;
}

static llhttp_settings_t settings;

static void prepare_settings(void) {
  llhttp_settings_init(&settings);
  settings.on_url = settings.on_status = settings.on_method = settings.on_version = settings.on_header_field = settings.on_header_value = take;
  settings.on_chunk_extension_name = settings.on_chunk_extension_value = settings.on_body = take;
  settings.on_message_begin = on_begin;
  settings.on_url_complete = on_url;
  settings.on_status_complete = on_status;
  settings.on_method_complete = on_method;
  settings.on_version_complete = on_version;
  settings.on_header_field_complete = on_field;
  settings.on_header_value_complete = on_value;
  settings.on_chunk_extension_name_complete = settings.on_chunk_extension_value_complete = on_extension;
  settings.on_chunk_header = on_chunk;
  settings.on_chunk_complete = on_chunk_end;
  settings.on_reset = on_reset;
  settings.on_headers_complete = on_headers;
  settings.on_message_complete = on_complete;
}

static size_t make_request(char *to, size_t room) {
  static const char *const methods[] = {"GET", "HEAD", "OPTIONS", "DELETE", "PROPFIND", "M-SEARCH", "NOTIFY", "UNSUBSCRIBE", "TRACE", "MKCALENDAR"};
  char word[49];
  int i = (int)bench_below(1000), size;
  bench_text(word, 48);
  word[48] = 0;
  for (char *p = word; *p; p++)
    if (*p == '\n') *p = '-';
  switch (bench_below(5)) {
    case 0: size = snprintf(to, room, "%s /a/%d?q=%%20b#c HTTP/1.1\r\nHost: h%d.example\r\nUser-Agent: %s\r\nAccept: */*;q=0.%d\r\nConnection: keep-alive\r\n\r\n", methods[i % 10], i, i, word, i); break;
    case 1: size = snprintf(to, room, "POST /form HTTP/1.1\r\nHost: example.org:8080\r\nContent-Length: 48\r\nX-Empty:\r\n\r\n%s", word); break;
    case 2: size = snprintf(to, room, "PUT http://user@example.org:80/p HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nTrailer: X-Sum\r\n\r\n30;name=v%d;flag;q=\"a b\"\r\n%s\r\nA\r\n%.10s\r\n0\r\nX-Sum: %d\r\n\r\n", i, word, word, i); break;
    case 3: size = snprintf(to, room, "PATCH /x HTTP/1.1\r\nCookie: a=%d; b=%s\r\nX-Long-Header-Name-%d: %s%s\r\nContent-Length: 0\r\n\r\n", i, word, i, word, word); break;
    default: size = snprintf(to, room, "\r\nREPORT * HTTP/1.1\r\nProxy-Connection: keep-alive, TE\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n%.*s", i % 48, i % 48, word);
  }
  return (size_t)size;
}

static size_t make_response(char *to, size_t room, int last) {
  static const int statuses[] = {200, 201, 206, 301, 304, 400, 404, 418, 451, 500, 503};
  char word[41];
  int i = (int)bench_below(1000), status = statuses[i % 11];
  bench_text(word, 40);
  word[40] = 0;
  for (char *p = word; *p; p++)
    if (*p == '\n') *p = '-';
  if (last) return (size_t)snprintf(to, room, "HTTP/1.0 200 OK\r\nServer: x\r\n\r\n%s", word);
  if (status == 304 || i % 5 == 0) return (size_t)snprintf(to, room, "HTTP/1.1 304 Not Modified\r\nETag: \"%d\"\r\nDate: %s\r\n\r\n", i, word);
  if (i % 2) return (size_t)snprintf(to, room, "HTTP/1.1 %d %.8s\r\nTransfer-Encoding: chunked\r\nSet-Cookie: k%d=%s\r\n\r\n28\r\n%s\r\n5;x=%d\r\n%.5s\r\n0\r\n\r\n", status, word, i, word, word, i, word);
  return (size_t)snprintf(to, room, "HTTP/1.1 %d\r\nContent-Length: 40\r\nConnection: keep-alive\r\nVia: %d\r\n\r\n%s", status, i, word);
}

/* Parses a stream in pieces, going on after every pause, and ends it. */
static void parse(llhttp_type_t type, const char *data, size_t size, size_t piece, totals *t) {
  llhttp_t parser;
  llhttp_init(&parser, type, &settings);
  parser.data = t;
  for (size_t at = 0; at < size;) {
    size_t want = piece ? piece : 1 + bench_below(200);
    const char *from = data + at;
    if (want > size - at) want = size - at;
    llhttp_errno_t error = llhttp_execute(&parser, from, want);
    if (error == HPE_PAUSED) {
      at = (size_t)(llhttp_get_error_pos(&parser) - data);
      llhttp_resume(&parser);
    } else {
      bench_check(error == HPE_OK, "a message is refused");
      at += want;
    }
  }
  bench_check(llhttp_message_needs_eof(&parser) == (type == HTTP_RESPONSE), "the end is not where it should be");
  bench_check(llhttp_finish(&parser) == HPE_OK, "the stream is not ended");
}

static void print(const totals *t) {
  for (int i = 0; i < 13; i++) bench_add_number(t->counts[i]);
  bench_print("messages", (long long)t->counts[12]);
  bench_print("values", (long long)t->counts[6]);
  bench_print("chunks", (long long)t->counts[9]);
  bench_print("bytes", (long long)t->bytes);
}

static void parse_broken(long messages) {
  long errors[64] = {0};
  totals t = {0};
  char text[1024];
  for (long i = 0; i < messages; i++) {
    size_t size = make_request(text, sizeof text);
    text[bench_below(size)] = (char)bench_below(256);
    for (int lenient = 0; lenient < 2; lenient++) {
      llhttp_t parser;
      llhttp_init(&parser, i % 3 ? HTTP_BOTH : HTTP_REQUEST, &settings);
      parser.data = &t;
      llhttp_set_lenient_headers(&parser, lenient);
      llhttp_set_lenient_chunked_length(&parser, lenient);
      llhttp_set_lenient_transfer_encoding(&parser, lenient);
      llhttp_set_lenient_version(&parser, lenient);
      llhttp_set_lenient_keep_alive(&parser, lenient);
      llhttp_set_lenient_data_after_close(&parser, lenient);
      llhttp_set_lenient_optional_lf_after_cr(&parser, lenient);
      llhttp_set_lenient_optional_cr_before_lf(&parser, lenient);
      llhttp_set_lenient_optional_crlf_after_chunk(&parser, lenient);
      llhttp_set_lenient_spaces_after_chunk_size(&parser, lenient);
      llhttp_errno_t error = llhttp_execute(&parser, text, size);
      if (error == HPE_PAUSED_UPGRADE) llhttp_resume_after_upgrade(&parser);
      const char *reason = llhttp_get_error_reason(&parser), *name = llhttp_errno_name(error);
      if (error != HPE_OK && reason != NULL) bench_add(reason, strlen(reason));
      if (error != HPE_OK) bench_add_number((uint64_t)(llhttp_get_error_pos(&parser) - text));
      bench_add(name, strlen(name));
      errors[error]++;
    }
  }
  for (int i = 0; i < 64; i++)
    if (errors[i]) bench_print(llhttp_errno_name((llhttp_errno_t)i), errors[i]);
  print(&t);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  totals t = {0};
  prepare_settings();
  if (strcmp(mode, "stdin") == 0) {
    long repeats = bench_number(argc, argv, 2, 1, 10000);
    char text[8192];
    size_t size = 0;
    for (int c; (c = getchar()) != EOF && size + 2 < sizeof text;) {
      if (c == '\n') text[size++] = '\r';
      text[size++] = (char)c;
    }
    for (long i = 0; i < repeats; i++) parse(HTTP_REQUEST, text, size, 1 + (size_t)i % 40, &t);
    print(&t);
    return 0;
  }
  bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
  long messages = bench_number(argc, argv, 3, 1, 100000);
  if (strcmp(mode, "broken") == 0) {
    parse_broken(messages);
    return 0;
  }
  int requests = strcmp(mode, "requests") == 0;
  bench_check(requests || strcmp(mode, "responses") == 0, "no such mode");
  char *text = bench_alloc((size_t)messages * 512 + 1024);
  size_t size = 0;
  for (long i = 0; i < messages; i++)
    size += requests ? make_request(text + size, 512) : make_response(text + size, 512, i + 1 == messages);
  t.pause = 7;
  parse(requests ? HTTP_REQUEST : HTTP_RESPONSE, text, size, (size_t)bench_number(argc, argv, 4, 0, 65536), &t);
  print(&t);
  free(text);
  return 0;
}
