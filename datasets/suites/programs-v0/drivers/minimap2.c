/* Maps reads with errors onto a genome.
 *
 *   paf PRESET BASES READS LENGTH ERRORS SEED   prints every mapping as minimap2 does, without the alignments
 *   sam PRESET BASES READS LENGTH ERRORS SEED   prints every mapping with its alignment
 *   sum PRESET BASES READS LENGTH ERRORS SEED   adds the alignments, in three notations, to the checksum
 *
 * PRESET is one of minimap2's, or plain: long reads with one gap penalty instead of two. BASES is the size of a
 * genome made from the seed, or 0 to read one as FASTA from the standard input. ERRORS is per thousand bases.
 *
 * All files are in memory: the driver stands in for zlib, whose reading functions minimap2 uses for every file,
 * and for kthread.c, because everything is to run in one thread.
 */
#include "bench.h"

#include "bseq.h"
#include "kalloc.h"
#include "kthread.h"
#include "mmpriv.h"
#include "zlib.h"

enum { EXON = 200, EXON_AND_INTRON = 700, CONTIGS = 3 };

struct memory_file {
  const char *name;
  char *text;
  size_t length, room, at;
};

static struct memory_file genome = {.name = "genome"}, genes = {.name = "genes"}, standard_input = {.name = "-"};
static struct memory_file reads[2] = {{.name = "reads1"}, {.name = "reads2"}};

gzFile gzopen(const char *name, const char *mode) {
  struct memory_file *const all[] = {&genome, &genes, &reads[0], &reads[1]};
  (void)mode;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

gzFile gzdopen(int number, const char *mode) {
  (void)mode;
  return number == 0 ? &standard_input : NULL;
}

int gzread(gzFile file, void *to, unsigned count) {
  if (file == &standard_input) return (int)fread(to, 1, count, stdin);
  if (count > file->length - file->at) count = (unsigned)(file->length - file->at);
  if (count > 0) memcpy(to, file->text + file->at, count);
  file->at += count;
  return (int)count;
}

int gzclose(gzFile file) {
  file->at = 0;
  return 0;
}

void kt_for(int threads, void (*work)(void *, long, int), void *data, long count) {
  (void)threads;
  for (long i = 0; i < count; i++) work(data, i, 0);
}

void kt_pipeline(int threads, void *(*work)(void *, int, void *), void *shared, int steps) {
  (void)threads;
  for (;;) {
    void *data = NULL;
    for (int step = 0; step < steps; step++) {
      data = work(shared, step, data);
      if (data == NULL && step < steps - 1) return;
    }
  }
}

static void put(struct memory_file *file, const char *text, size_t length) {
  if (file->length + length > file->room) {
    file->room = 2 * (file->length + length);
    file->text = realloc(file->text, file->room);
    bench_check(file->text != NULL, "there is no memory left");
  }
  memcpy(file->text + file->length, text, length);
  file->length += length;
}

static void put_name(struct memory_file *file, const char *before, int number, const char *after) {
  char line[64];
  put(file, line, (size_t)snprintf(line, sizeof line, "%s%d%s", before, number, after));
}

/* Contigs of which a fifth is copied, with changes, from what stands before; every intron begins GT and ends AG. */
static void make_genome(long bases) {
  long size = bases / CONTIGS;
  char *contig = bench_alloc((size_t)size);
  for (int c = 1; c <= CONTIGS; c++) {
    for (long at = 0; at < size;) {
      long piece = 300 + (long)bench_below(900), from = (long)bench_below((uint64_t)at + 1);
      int copy = from + piece <= at && bench_below(5) == 0;
      for (long i = 0; i < piece && at < size; i++, at++)
        contig[at] = copy && bench_below(20) != 0 ? contig[from + i] : "ACGT"[bench_below(4)];
    }
    for (long at = 0; at + EXON_AND_INTRON <= size; at += EXON_AND_INTRON) {
      memcpy(contig + at + EXON, "GT", 2);
      memcpy(contig + at + EXON_AND_INTRON - 2, "AG", 2);
    }
    put_name(&genome, ">sequence", c, " made of pieces\n");
    for (long at = 0; at < size; at += 70) {
      put(&genome, contig + at, (size_t)(size - at < 70 ? size - at : 70));
      put(&genome, "\n", 1);
    }
    /* One gene a contig: from the first base to the last, its exons as blocks. */
    int exons = (int)(size / EXON_AND_INTRON);
    put_name(&genes, "sequence", c, "\t0\t");
    put_name(&genes, "", (exons - 1) * EXON_AND_INTRON + EXON, "\tgene\t0\t+\t0\t0\t0\t");
    put_name(&genes, "", exons, "\t");
    for (int i = 0; i < exons; i++) put_name(&genes, "", EXON, ",");
    put(&genes, "\t", 1);
    for (int i = 0; i < exons; i++) put_name(&genes, "", i * EXON_AND_INTRON, ",");
    put(&genes, "\n", 1);
  }
  free(contig);
}

/* Bases here are numbers from 0 to 3, and 3 minus a base is its complement. */
static void reverse(uint8_t *bases, long count) {
  for (long i = 0, j = count - 1; i <= j; i++, j--) {
    uint8_t kept = (uint8_t)(3 - bases[i]);
    bases[i] = (uint8_t)(3 - bases[j]);
    bases[j] = kept;
  }
}

static void write_read(struct memory_file *to, int number, const uint8_t *bases, long count, long errors) {
  size_t start;
  put_name(to, "@read", number, "\n");
  start = to->length;
  for (long i = 0; i < count; i++) {
    long kind = (long)bench_below(1000) < errors ? (long)bench_below(4) : 9;
    if (kind == 0) continue;                                  /* a base is missing */
    if (kind == 1) put(to, &"ACGT"[bench_below(4)], 1);       /* there is one too many */
    put(to, &"ACGT"[kind > 3 ? bases[i] : bench_below(4)], 1); /* right, or any */
  }
  size_t written = to->length - start;
  put(to, "\n+\n", 3);
  for (size_t i = 0; i < written; i++) put(to, &"5?DI"[bench_below(4)], 1);
  put(to, "\n", 1);
}

static void make_reads(const mm_idx_t *index, int count, long length, long errors, int paired, int spliced) {
  long whole = paired ? 3 * length : spliced ? length / EXON * EXON_AND_INTRON : length;
  uint8_t *bases = bench_alloc((size_t)whole);
  for (int r = 0; r < count; r++) {
    uint32_t contig = (uint32_t)bench_below(index->n_seq), size = index->seq[contig].len;
    bench_check(size > (uint32_t)whole, "a contig is shorter than a read");
    uint32_t from = (uint32_t)bench_below(size - (uint32_t)whole);
    long n = 0;
    bench_check(mm_idx_getseq(index, contig, from, from + (uint32_t)whole, bases) == whole, "there is no such piece");
    for (long i = 0; i < whole; i++) {
      if (bases[i] > 3) bases[i] = 0; /* an unknown base of the genome */
      if (!spliced || (from + i) % EXON_AND_INTRON < EXON) bases[n++] = bases[i];
    }
    if (r % 5 == 4 && n >= 1500) reverse(bases + n / 3, n / 3); /* an inversion */
    if (r % 2) reverse(bases, n);
    write_read(&reads[0], r, bases, paired ? length : n, errors);
    if (paired) {
      reverse(bases, n);
      write_read(&reads[1], r, bases, length, errors);
    }
  }
  free(bases);
}

/* What mm_map_file does, one read after the other, with the lines added to the checksum. */
static void map_to_sum(const mm_idx_t *index, const mm_mapopt_t *options) {
  mm_bseq_file_t *file = mm_bseq_open(reads[0].name);
  mm_tbuf_t *buffer = mm_tbuf_init();
  kstring_t line = {0, 0, NULL};
  char *notation = NULL;
  int count = 0, room = 0, hits = 0;
  long long score = 0, matching = 0;
  mm_bseq1_t *read;
  while ((read = mm_bseq_read3(file, 20000, 1, 1, 0, &count)) != NULL) {
    for (int i = 0; i < count; i++) {
      int n = 0;
      mm_reg1_t *hit = mm_map(index, read[i].l_seq, read[i].seq, &n, buffer, options, read[i].name);
      const mm_reg1_t *const hit_list = hit;
      for (int h = 0; h < n; h++) {
        mm_write_sam3(&line, index, &read[i], 0, h, 1, &n, &hit_list, NULL, options->flag, buffer->rep_len);
        bench_add(line.s, line.l);
        mm_write_paf3(&line, index, &read[i], &hit[h], NULL, options->flag, buffer->rep_len);
        bench_add(line.s, line.l);
        int written = mm_gen_cs(NULL, &notation, &room, index, &hit[h], read[i].seq, h % 2);
        bench_add(notation, (size_t)written);
        written = mm_gen_MD(NULL, &notation, &room, index, &hit[h], read[i].seq);
        bench_add(notation, (size_t)written);
        score += hit[h].p->dp_score;
        matching += hit[h].mlen;
      }
      for (int h = 0; h < n; h++) free(hit[h].p);
      hits += n;
      free(hit);
      free(read[i].name);
      free(read[i].seq);
      free(read[i].qual);
      free(read[i].comment);
    }
    free(read);
    bench_print("hits", hits);
    bench_print("score", score);
    bench_print("matching bases", matching);
  }
  free(notation);
  free(line.s);
  mm_tbuf_destroy(buffer);
  mm_bseq_close(file);
}

int main(int argc, char **argv) {
  const char *format = bench_word(argc, argv, 1), *preset = bench_word(argc, argv, 2);
  long bases = bench_number(argc, argv, 3, 0, 10000000), length = bench_number(argc, argv, 5, 30, 100000);
  int count = (int)bench_number(argc, argv, 4, 1, 100000), sum = strcmp(format, "sum") == 0;
  int paired = strcmp(preset, "sr") == 0 && !sum, spliced = strncmp(preset, "splice", 6) == 0;
  mm_idxopt_t indexing;
  mm_mapopt_t mapping;
  bench_check(sum || strcmp(format, "paf") == 0 || strcmp(format, "sam") == 0, "no such format");
  bench_seed((uint64_t)bench_number(argc, argv, 7, 0, 1000000));

  mm_set_opt(NULL, &indexing, &mapping);
  if (strcmp(preset, "plain") == 0)
    mapping.q2 = mapping.q, mapping.e2 = mapping.e;
  else
    bench_check(mm_set_opt(preset, &indexing, &mapping) == 0, "no such preset");
  if (strncmp(preset, "ava", 3) != 0) mapping.flag |= MM_F_CIGAR;
  if (strcmp(format, "sam") == 0) mapping.flag |= MM_F_OUT_SAM | MM_F_OUT_MD;
  if (sum) mapping.sdust_thres = 25;
  bench_check(mm_check_opt(&indexing, &mapping) == 0, "the options contradict each other");

  if (bases > 0) make_genome(bases);
  mm_idx_t *index = mm_idx_build(bases > 0 ? genome.name : "-", indexing.w, indexing.k, indexing.flag, 1);
  bench_check(index != NULL && index->n_seq > 0, "there is no genome");
  mm_mapopt_update(&mapping, index);
  bench_print("contigs", index->n_seq);
  bench_print("most occurrences", mapping.mid_occ);
  if (spliced && bases > 0) bench_check(mm_idx_bed_read(index, genes.name, 1) == 0, "the genes were not read");

  make_reads(index, count, length, bench_number(argc, argv, 6, 0, 500), paired, spliced);
  if (sum) {
    map_to_sum(index, &mapping);
  } else {
    const char *files[] = {reads[0].name, reads[1].name};
    bench_check(mm_map_file_frag(index, paired ? 2 : 1, files, &mapping, 1) == 0, "the reads were not mapped");
  }
  mm_idx_destroy(index);
  free(genome.text);
  free(genes.text);
  for (int i = 0; i < 2; i++) free(reads[i].text);
  return 0;
}
