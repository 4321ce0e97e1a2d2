/* LibYAML: documents taken apart as tokens, events and node trees, and written again in several styles.
 *
 *   libyaml events SEED RECORDS PIECE   makes a document, reads it PIECE bytes at a time, writes it in four styles
 *   libyaml build SEED RECORDS          builds node trees through the document functions, dumps and loads them
 *   libyaml stdin REPEATS               does all of it with the text on the standard input
 */
#include "bench.h"

#include <yaml.h>

typedef struct {
  unsigned char *data;
  size_t size, room, at, piece;
} buffer;

static int write_piece(void *to, unsigned char *data, size_t size) {
  buffer *b = to;
  if (b->room - b->size < size) {
    b->room = 2 * b->room + size;
    b->data = realloc(b->data, b->room);
    if (b->data == NULL) return 0;
  }
  memcpy(b->data + b->size, data, size);
  b->size += size;
  return 1;
}

static int read_piece(void *from, unsigned char *data, size_t size, size_t *got) {
  buffer *b = from;
  size_t left = b->size - b->at;
  *got = size < b->piece ? size : b->piece;
  if (*got > left) *got = left;
  memcpy(data, b->data + b->at, *got);
  b->at += *got;
  return 1;
}

static void put(buffer *b, const char *text) {
  bench_check(write_piece(b, (unsigned char *)text, strlen(text)), "there is no memory left");
}

static void open_parser(yaml_parser_t *parser, buffer *from) {
  from->at = 0;
  bench_check(yaml_parser_initialize(parser), "no parser");
  yaml_parser_set_input(parser, read_piece, from);
}

static void open_emitter(yaml_emitter_t *emitter, buffer *to, int canonical, int indent, int width, int unicode) {
  to->size = 0;
  bench_check(yaml_emitter_initialize(emitter), "no emitter");
  yaml_emitter_set_output(emitter, write_piece, to);
  yaml_emitter_set_canonical(emitter, canonical);
  yaml_emitter_set_indent(emitter, indent);
  yaml_emitter_set_width(emitter, width);
  yaml_emitter_set_unicode(emitter, unicode);
  yaml_emitter_set_break(emitter, width < 0 ? YAML_CRLN_BREAK : YAML_LN_BREAK);
}

/* A list of records with every scalar style, anchors, aliases, tags, comments and flow collections. */
static void make_text(buffer *b, long records) {
  char line[256], word[41];
  put(b, "%YAML 1.1\n%TAG !e! tag:example.org,2000:\n--- # records\n");
  for (long i = 0; i < records; i++) {
    bench_text(word, 40);
    word[40] = 0;
    for (char *p = word; *p; p++)
      if (*p == '\n') *p = ' ';
    snprintf(line, sizeof line, "- id: &id%ld %ld\n  name: \"%s\\t\\u00e9\"\n  'plain key': %.20s # note\n", i, i, word, word);
    put(b, line);
    snprintf(line, sizeof line, "  tags: [a%ld, 'it''s', ~, 0x%lx, {x: 1.5, ? y : !!str 2}]\n  ref: *id%ld\n", i, i, i / 2);
    put(b, line);
    snprintf(line, sizeof line, "  literal: |+\n    %s\n    more\n\n  folded: !e!note >-\n    %.18s\n\n    %s\n", word, word, word);
    put(b, line);
  }
  put(b, "...\n");
}

static long scan(buffer *from) {
  yaml_parser_t parser;
  yaml_token_t token;
  long count = 0;
  int more = 1;
  open_parser(&parser, from);
  while (more) {
    bench_check(yaml_parser_scan(&parser, &token), "the text has no tokens");
    more = token.type != YAML_STREAM_END_TOKEN;
    bench_add_number((uint64_t)token.type << 32 | token.end_mark.line << 8 | token.end_mark.column);
    if (token.type == YAML_SCALAR_TOKEN) bench_add(token.data.scalar.value, token.data.scalar.length);
    yaml_token_delete(&token);
    count++;
  }
  yaml_parser_delete(&parser);
  return count;
}

/* Passes every event of one text to the emitter of another. */
static void rewrite(buffer *from, buffer *to, int canonical, int indent, int width, int unicode) {
  yaml_parser_t parser;
  yaml_emitter_t emitter;
  yaml_event_t event;
  int more = 1;
  open_parser(&parser, from);
  open_emitter(&emitter, to, canonical, indent, width, unicode);
  while (more) {
    bench_check(yaml_parser_parse(&parser, &event), "the text is not parsed");
    more = event.type != YAML_STREAM_END_EVENT;
    bench_check(yaml_emitter_emit(&emitter, &event), "an event is not written");
  }
  yaml_emitter_delete(&emitter);
  yaml_parser_delete(&parser);
  bench_add(to->data, to->size);
}

static uint64_t walk(yaml_document_t *document, int index, int depth) {
  yaml_node_t *node = yaml_document_get_node(document, index);
  uint64_t sum = (uint64_t)(depth + node->type);
  if (node->type == YAML_SCALAR_NODE) {
    bench_add(node->data.scalar.value, node->data.scalar.length);
  } else if (node->type == YAML_SEQUENCE_NODE) {
    for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++)
      sum += walk(document, *i, depth + 1);
  } else if (node->type == YAML_MAPPING_NODE) {
    for (yaml_node_pair_t *i = node->data.mapping.pairs.start; i < node->data.mapping.pairs.top; i++)
      sum += 3 * walk(document, i->key, depth + 1) + walk(document, i->value, depth + 1);
  }
  return sum;
}

/* Loads every document of a text as a tree, walks it and dumps it. */
static uint64_t reload(buffer *from, buffer *to) {
  yaml_parser_t parser;
  yaml_emitter_t emitter;
  yaml_document_t document;
  uint64_t sum = 0;
  open_parser(&parser, from);
  open_emitter(&emitter, to, 0, 4, 60, 1);
  bench_check(yaml_emitter_open(&emitter), "no stream is opened");
  for (;;) {
    bench_check(yaml_parser_load(&parser, &document), "the text is not loaded");
    if (yaml_document_get_root_node(&document) == NULL) break;
    sum += walk(&document, 1, 0);
    bench_check(yaml_emitter_dump(&emitter, &document), "a document is not dumped");
  }
  yaml_document_delete(&document);
  bench_check(yaml_emitter_close(&emitter), "the stream is not closed");
  yaml_emitter_delete(&emitter);
  yaml_parser_delete(&parser);
  bench_add(to->data, to->size);
  return sum;
}

static int add_scalar(yaml_document_t *document, const char *text, yaml_scalar_style_t style) {
  int node = yaml_document_add_scalar(document, NULL, (const yaml_char_t *)text, -1, style);
  bench_check(node, "no scalar node");
  return node;
}

static void build(buffer *to, long records) {
  static const yaml_scalar_style_t styles[] = {YAML_PLAIN_SCALAR_STYLE, YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE, YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE};
  yaml_emitter_t emitter;
  yaml_document_t document;
  char text[64];
  open_emitter(&emitter, to, 0, 2, 40, 0);
  for (int part = 0; part < 2; part++) {
    bench_check(yaml_document_initialize(&document, NULL, NULL, NULL, part, part), "no document");
    int list = yaml_document_add_sequence(&document, NULL, YAML_ANY_SEQUENCE_STYLE);
    for (long i = 0; i < records; i++) {
      int map = yaml_document_add_mapping(&document, NULL, i % 3 ? YAML_BLOCK_MAPPING_STYLE : YAML_FLOW_MAPPING_STYLE);
      bench_check(list && map && yaml_document_append_sequence_item(&document, list, map), "no collection node");
      for (int field = 0; field < 5; field++) {
        snprintf(text, sizeof text, "field %d", field);
        int key = add_scalar(&document, text, YAML_ANY_SCALAR_STYLE);
        bench_text(text, sizeof text - 4);
        memcpy(text + sizeof text - 4, i % 7 ? " \xc3\xa9" : " -\n", 4);
        bench_check(yaml_document_append_mapping_pair(&document, map, key, add_scalar(&document, text, styles[field])), "no pair");
        /* The same node twice becomes an anchor and an alias. */
        if (field == 4) bench_check(yaml_document_append_sequence_item(&document, list, key), "no item");
      }
    }
    bench_check(yaml_emitter_dump(&emitter, &document), "a document is not dumped");
  }
  bench_check(yaml_emitter_close(&emitter) && yaml_emitter_flush(&emitter), "the stream is not closed");
  yaml_emitter_delete(&emitter);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  buffer text = {.piece = 4096}, again = {.piece = 4096};
  long repeats = 1;
  if (strcmp(mode, "stdin") == 0) {
    char block[512];
    size_t got;
    repeats = bench_number(argc, argv, 2, 1, 10000);
    while ((got = fread(block, 1, sizeof block, stdin)) > 0)
      bench_check(write_piece(&text, (unsigned char *)block, got), "there is no memory left");
  } else {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    long records = bench_number(argc, argv, 3, 1, 100000);
    if (strcmp(mode, "events") == 0) {
      text.piece = (size_t)bench_number(argc, argv, 4, 1, 65536);
      make_text(&text, records);
    } else {
      bench_check(strcmp(mode, "build") == 0, "no such mode");
      build(&text, records);
    }
  }
  bench_add(text.data, text.size);
  bench_print("text", (long long)text.size);
  for (long i = 0; i < repeats; i++) {
    long tokens = scan(&text);
    if (i == 0) bench_print("tokens", tokens);
    rewrite(&text, &again, 0, 2, 72, 1);
    if (i == 0) bench_print("block", (long long)again.size);
    rewrite(&text, &again, 0, 6, -1, 0);
    if (i == 0) bench_print("wide", (long long)again.size);
    rewrite(&text, &again, 1, 3, 30, 0);
    if (i == 0) bench_print("canonical", (long long)again.size);
    uint64_t sum = reload(&again, &text);
    if (i == 0) bench_print("nodes", (long long)sum);
  }
  bench_print("end", (long long)text.size);
  free(text.data);
  free(again.data);
  return 0;
}
