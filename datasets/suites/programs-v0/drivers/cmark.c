/* cmark-gfm: Markdown to a tree, and the tree to HTML, XML, man page, CommonMark, plain text and LaTeX.
 *
 *   cmark make KIND SEED PARTS   makes a document of KIND (prose, blocks or tables) and renders it
 *   cmark edit KIND SEED PARTS   the same, but changes the tree through the node functions first
 *   cmark stdin REPEATS          renders the text on the standard input
 */
#include "bench.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

typedef struct {
  char *data;
  size_t size, room;
} buffer;

static void put(buffer *b, const char *data, size_t size) {
  if (b->room - b->size < size) {
    b->room = 2 * b->room + size;
    b->data = realloc(b->data, b->room);
    bench_check(b->data != NULL, "there is no memory left");
  }
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

/* Appends a pattern in which $n stands for a number and $w for a few words. */
static void put_pattern(buffer *b, const char *pattern) {
  char text[48];
  for (; *pattern; pattern++) {
    if (pattern[0] != '$' || (pattern[1] != 'n' && pattern[1] != 'w')) {
      put(b, pattern, 1);
      continue;
    }
    size_t size = 4 + bench_below(sizeof text - 4);
    if (*++pattern == 'n')
      size = (size_t)snprintf(text, sizeof text, "%d", (int)bench_below(40));
    else
      bench_text(text, size);
    for (size_t i = 0; i < size; i++)
      if (text[i] == '\n') text[i] = ' ';
    put(b, text, size);
  }
}

static const char *const prose[] = {
    "# $w\n\n", "$w\n===\n\n", "$w **$w** and *$w*, __$w__ _$w_ ***$w***\n$w  \n$w\\\n$w\n\n",
    "[$w](http://example.org/$n \"$w\") ![$w](<pic $n.png>) [$w][ref$n] [ref$n][] [ref$n]\n\n",
    "[ref$n]: <http://example.net/a?b=$n&c=$n> 'title $w'\n\n", "`code $w` ``a ` $n`` \\* \\_ &amp; &copy; &#$n; &#x4e; \"$w\" -- '$w' --- $w...\n\n",
    "<http://example.com/$n> <a$n@example.com> www.example.com/$w ftp://h/$n me@example.org <b title=\"$n\">$w</b> ~~$w~~ ~$w~\n\n",
    "$w[^n$n] caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac $w *a **b $w** c* **x*y*z** [a [b] $w](c)\n\n", "[^n$n]: a note, $w\n\n"};
static const char *const blocks[] = {
    "* $w\n* $w\n    * $w\n      $w\n\n      $w\n    * $w\n\n", "$n. $w\n$n. $w\n   - [ ] $w\n   - [x] $w\n\n     > $w\n     > $w\n\n",
    "> $w\n> > $w\n$w\n> - $w\n>   1) $w\n>\n>      code\n\n", "```c\nint a$n = $n; /* <$w> */\n```\n\n", "~~~\n$w\n\t$w\n~~~~\n\n", "    indented $w\n\n    $n & < >\n\n",
    "<div class=\"x\">\n$w *not marked up*\n</div>\n\n", "<!-- $w\n$w -->\n\n", "<script>\nvar x = $n;\n</script>\n\n<title>$w</title>\n\n", "***\n\n- - -\n\n", "##### $w #####\n\n", "$w\n---\n\n"};
static const char *const tables[] = {
    "| $w | b |\n|---|:-:|\n| $n | **$w** |\n| `a\\|b` | $w | extra |\n| short |\n\n", "a | b | c | d\n:-- | --: | :-: | ---\n$n | $n | [$w](u) | ~~$w~~\n$w | $w | $w | $w\n\n",
    "| not a table | $w |\n| $n | $n |\n\n", "> | q | r |\n> | - | - |\n> | $w | www.example.org/$n |\n\n", "$w\n\n"};

static void make_text(buffer *b, const char *kind, long parts) {
  const char *const *patterns = prose;
  size_t count = sizeof prose / sizeof *prose;
  if (strcmp(kind, "blocks") == 0) {
    patterns = blocks;
    count = sizeof blocks / sizeof *blocks;
  } else if (strcmp(kind, "tables") == 0) {
    patterns = tables;
    count = sizeof tables / sizeof *tables;
  } else {
    bench_check(strcmp(kind, "prose") == 0, "no such kind of document");
  }
  for (long i = 0; i < parts; i++) put_pattern(b, patterns[bench_below(count)]);
}

/* Renumbers headings, changes links and lists, drops rules and puts a paragraph before every quote. */
static long edit(cmark_node *root) {
  cmark_iter *iter = cmark_iter_new(root);
  cmark_event_type event;
  long changes = 0;
  while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
    cmark_node *node = cmark_iter_get_node(iter);
    cmark_node_type type = cmark_node_get_type(node);
    if (event != CMARK_EVENT_EXIT && type != CMARK_NODE_THEMATIC_BREAK) continue;
    bench_add_number((uint64_t)cmark_node_get_start_line(node) << 16 | (uint64_t)cmark_node_get_end_column(node));
    if (type == CMARK_NODE_HEADING) {
      changes += cmark_node_set_heading_level(node, cmark_node_get_heading_level(node) % 6 + 1);
    } else if (type == CMARK_NODE_LINK) {
      bench_add(cmark_node_get_url(node), strlen(cmark_node_get_url(node)));
      changes += cmark_node_set_url(node, "http://example.com/changed") + cmark_node_set_title(node, "new & old");
    } else if (type == CMARK_NODE_LIST) {
      changes += cmark_node_set_list_type(node, CMARK_ORDERED_LIST) + cmark_node_set_list_start(node, 7) + cmark_node_set_list_tight(node, !cmark_node_get_list_tight(node));
    } else if (type == CMARK_NODE_BLOCK_QUOTE) {
      cmark_node *paragraph = cmark_node_new(CMARK_NODE_PARAGRAPH), *text = cmark_node_new(CMARK_NODE_TEXT);
      changes += cmark_node_set_literal(text, "A <quote>:") + cmark_node_append_child(paragraph, text) + cmark_node_insert_before(node, paragraph);
    } else if (type == CMARK_NODE_THEMATIC_BREAK) {
      cmark_node_free(node);
      changes++;
    }
  }
  cmark_iter_free(iter);
  cmark_consolidate_text_nodes(root);
  return changes;
}

static void render(const buffer *text, int editing, int printing) {
  static const char *const extensions[] = {"table", "strikethrough", "autolink", "tagfilter", "tasklist"};
  static const char *const labels[] = {"html", "safe", "xml", "man", "commonmark", "plain", "latex"};
  cmark_parser *parser = cmark_parser_new(CMARK_OPT_FOOTNOTES | CMARK_OPT_SMART | CMARK_OPT_VALIDATE_UTF8);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    cmark_syntax_extension *extension = cmark_find_syntax_extension(extensions[i]);
    bench_check(extension != NULL && cmark_parser_attach_syntax_extension(parser, extension), "an extension is missing");
  }
  for (size_t at = 0; at < text->size; at += 777)
    cmark_parser_feed(parser, text->data + at, text->size - at < 777 ? text->size - at : 777);
  cmark_node *root = cmark_parser_finish(parser);
  bench_check(root != NULL, "the text is not parsed");
  if (editing) bench_print("changes", edit(root));
  cmark_llist *used = cmark_parser_get_syntax_extensions(parser);
  char *made[] = {cmark_render_html(root, CMARK_OPT_UNSAFE | CMARK_OPT_SOURCEPOS, used), cmark_render_html(root, CMARK_OPT_HARDBREAKS | CMARK_OPT_GITHUB_PRE_LANG, used),
                  cmark_render_xml(root, CMARK_OPT_SOURCEPOS), cmark_render_man(root, 0, 60), cmark_render_commonmark(root, 0, 72), cmark_render_plaintext(root, 0, 0), cmark_render_latex(root, 0, 80)};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    bench_add(made[i], strlen(made[i]));
    if (printing) bench_print(labels[i], (long long)strlen(made[i]));
    free(made[i]);
  }
  cmark_node_free(root);
  cmark_parser_free(parser);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  buffer text = {0};
  long repeats = 1;
  cmark_gfm_core_extensions_ensure_registered();
  if (strcmp(mode, "stdin") == 0) {
    char block[512];
    size_t got;
    repeats = bench_number(argc, argv, 2, 1, 10000);
    while ((got = fread(block, 1, sizeof block, stdin)) > 0) put(&text, block, got);
  } else {
    bench_check(strcmp(mode, "make") == 0 || strcmp(mode, "edit") == 0, "no such mode");
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    make_text(&text, argv[2], bench_number(argc, argv, 4, 1, 100000));
  }
  bench_add(text.data, text.size);
  bench_print("text", (long long)text.size);
  for (long i = 0; i < repeats; i++) render(&text, strcmp(mode, "edit") == 0, i == 0);
  bench_print("end", repeats);
  free(text.data);
  return 0;
}
