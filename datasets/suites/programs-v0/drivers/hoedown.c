/* Hoedown: Markdown to HTML, with its extensions, a table of contents and typographic punctuation.
 *
 *   hoedown plain SEED PARTS      original Markdown, no extension
 *   hoedown extended SEED PARTS   tables, footnotes, fenced code, maths, links found in the text and more
 *   hoedown inline SEED PARTS     every line by itself, as the text of a heading is rendered
 *   hoedown stdin REPEATS         the text on the standard input, with and without the extensions
 */
#include "bench.h"

#include <document.h>
#include <escape.h>
#include <html.h>

/* Appends a pattern in which $n stands for a number and $w for a few words. */
static void put_pattern(hoedown_buffer *b, const char *pattern) {
  char text[48];
  for (; *pattern; pattern++) {
    size_t size = 4 + bench_below(sizeof text - 4);
    if (pattern[0] == '$' && pattern[1] == 'n') {
      hoedown_buffer_printf(b, "%d", (int)bench_below(40));
      pattern++;
    } else if (pattern[0] == '$' && pattern[1] == 'w') {
      bench_text(text, size);
      for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') text[i] = ' ';
      hoedown_buffer_put(b, (const uint8_t *)text, size);
      pattern++;
    } else {
      hoedown_buffer_putc(b, (uint8_t)*pattern);
    }
  }
}

static void make_text(hoedown_buffer *b, int extended, long parts) {
  static const char *const patterns[] = {
      "# $w\n\n", "$w\n---\n\n", "$w **$w** *$w* ***$w*** __$w__ _a_\n$w  \n$w\n\n", "> $w\n> $w\n>\n> > $w\n\n",
      "* $w\n* $w\n    * $w\n    * $w\n\n    $w\n\n", "1. $w\n2. $w\n\n   $w\n3. $w\n\n", "    indented $n < $n\n    $w\n\n",
      "[$w](http://example.org/$n 'title $w') ![$w](/i$n.png) [$w][r$n] <http://example.com/?a=$n&b=$n> <me@example.com>\n\n",
      "[r$n]: http://example.net/$n  \"$w\"\n\n", "`code $w` ``a ` b`` \\* \\\\ &amp; &#65; AT&T 1 < 2 <b>$w</b> \"$w\" -- '$w' --- (c) 1/2 ...\n\n",
      "<div>\n$w *raw*\n</div>\n\n<!-- $w -->\n\n* * *\n\n",
      /* From here on the extensions matter. */
      "| $w | b |\n|:---|:-:|\n| $n | **$w** |\n| `c` | $w |\n\n", "```c\nint a = $n; // $w\n```\n\n~~~~ {.py}\n$w\n~~~~\n\n",
      "$w[^n$n] and ~~$w~~ ==$w== \"$w\" x^2 y^($w)\n\n[^n$n]: $w\n\n", "www.example.org/$n http://example.com/a_(b)_$n?c=$n, a$n@example.org. $$x_$n$$ \\\\(y\\\\) \\\\[z^$n\\\\] snake_case_$n\n\n"};
  const size_t count = sizeof patterns / sizeof *patterns;
  for (long i = 0; i < parts; i++) put_pattern(b, patterns[bench_below(extended ? count : count - 4)]);
}

/* Renders with one set of extensions: the document, its contents, and both escapes of what came out. */
static void render(const hoedown_buffer *text, hoedown_extensions extensions, hoedown_html_flags flags, int printing) {
  hoedown_renderer *html = hoedown_html_renderer_new(flags, 4), *toc = hoedown_html_toc_renderer_new(4);
  hoedown_buffer *out = hoedown_buffer_new(65536), *smart = hoedown_buffer_new(65536);
  hoedown_document *document = hoedown_document_new(html, extensions, 16);
  hoedown_document_render(document, out, text->data, text->size);
  hoedown_document_free(document);
  bench_add(out->data, out->size);
  if (printing) bench_print("html", (long long)out->size);

  hoedown_html_smartypants(smart, out->data, out->size);
  bench_add(smart->data, smart->size);
  if (printing) bench_print("smart", (long long)smart->size);

  document = hoedown_document_new(toc, extensions, 16);
  hoedown_buffer_reset(out);
  hoedown_document_render(document, out, text->data, text->size);
  hoedown_document_free(document);
  bench_add(out->data, out->size);
  if (printing) bench_print("contents", (long long)out->size);

  hoedown_buffer_reset(out);
  hoedown_escape_href(out, smart->data, smart->size / 4);
  hoedown_escape_html(out, smart->data, smart->size / 2, 1);
  bench_add(out->data, out->size);
  if (printing) bench_print("escaped", (long long)out->size);
  hoedown_buffer_free(out);
  hoedown_buffer_free(smart);
  hoedown_html_renderer_free(html);
  hoedown_html_renderer_free(toc);
}

static void render_lines(const hoedown_buffer *text, hoedown_extensions extensions) {
  hoedown_renderer *html = hoedown_html_renderer_new(HOEDOWN_HTML_ESCAPE, 0);
  hoedown_buffer *out = hoedown_buffer_new(65536), *line = hoedown_buffer_new(64);
  hoedown_document *document = hoedown_document_new(html, extensions, 8);
  size_t lines = 0;
  for (size_t at = 0, end; at < text->size; at = end + 1) {
    for (end = at; end < text->size && text->data[end] != '\n'; end++) continue;
    hoedown_buffer_set(line, text->data + at, end - at);
    if (hoedown_buffer_prefix(line, "> ") == 0 && line->size > 2) hoedown_buffer_slurp(line, 2);
    hoedown_document_render_inline(document, out, line->data, line->size);
    hoedown_buffer_put_utf8(out, 0x2028 + (unsigned)(lines++ % 2));
  }
  bench_add(out->data, out->size);
  bench_print("lines", (long long)lines);
  bench_print("inline", (long long)out->size);
  hoedown_document_free(document);
  hoedown_buffer_free(line);
  hoedown_buffer_free(out);
  hoedown_html_renderer_free(html);
}

int main(int argc, char **argv) {
  const hoedown_extensions all = HOEDOWN_EXT_BLOCK | HOEDOWN_EXT_SPAN | HOEDOWN_EXT_FLAGS;
  const char *mode = bench_word(argc, argv, 1);
  hoedown_buffer *text = hoedown_buffer_new(65536);
  if (strcmp(mode, "stdin") == 0) {
    long repeats = bench_number(argc, argv, 2, 1, 10000);
    bench_check(hoedown_buffer_putf(text, stdin) == 0, "the standard input is not read");
    bench_add(text->data, text->size);
    bench_print("text", (long long)text->size);
    for (long i = 0; i < repeats; i++) {
      render(text, 0, HOEDOWN_HTML_USE_XHTML | HOEDOWN_HTML_HARD_WRAP, i == 0);
      render(text, all, HOEDOWN_HTML_SKIP_HTML, i == 0);
    }
  } else {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    make_text(text, strcmp(mode, "plain") != 0, bench_number(argc, argv, 3, 1, 100000));
    bench_add(text->data, text->size);
    bench_print("text", (long long)text->size);
    if (strcmp(mode, "plain") == 0)
      render(text, 0, 0, 1);
    else if (strcmp(mode, "extended") == 0)
      render(text, all & ~HOEDOWN_EXT_UNDERLINE, 0, 1);
    else if (strcmp(mode, "inline") == 0)
      render_lines(text, all & ~HOEDOWN_EXT_FOOTNOTES); /* inline rendering does not set up the footnotes */
    else
      bench_fail("no such mode");
  }
  bench_print("end", (long long)text->size);
  hoedown_buffer_free(text);
  return 0;
}
