/* CRFsuite: trains a conditional random field that labels sequences, and tags sequences with it.
 *
 *   crfsuite make SEED SEQUENCES ALGORITHM [NAME=VALUE ...]     sequences from a hidden process, a fifth is held out
 *   crfsuite stdin REPEATS ALGORITHM [NAME=VALUE ...]           sequences from the standard input: "label attribute ..."
 *                                                               a line, an empty line between sequences
 */
#include "bench.h"

#include <crfsuite.h>
#include <time.h>

/* The library writes a model to a file and reads it from there. It is compiled with fopen, clock and time renamed, so
 * that they are these functions: a file in memory, and a clock that stands still. */
static char model_bytes[1 << 22];
static size_t model_size;

FILE *fopen(const char *name, const char *mode) {
  (void)name;
  return *mode == 'w' ? fmemopen(model_bytes, sizeof model_bytes, "wb") : fmemopen(model_bytes, model_size, "rb");
}

clock_t clock(void) { return 0; }

time_t time(time_t *to) {
  if (to != NULL) *to = 0;
  return 0;
}

static long messages;

static int on_message(void *user, const char *format, va_list values) {
  (void)user;
  (void)values; /* what is in them may differ in the last digits */
  messages++;
  bench_add(format, strlen(format));
  return 0;
}

static void open_data(crfsuite_data_t *data) {
  crfsuite_data_init(data);
  bench_check(crfsuite_create_instance("dictionary", (void **)&data->attrs), "no dictionary");
  bench_check(crfsuite_create_instance("dictionary", (void **)&data->labels), "no dictionary");
}

static void close_data(crfsuite_data_t *data) {
  data->attrs->release(data->attrs);
  data->labels->release(data->labels);
  crfsuite_data_finish(data);
}

static void add_attribute(crfsuite_data_t *data, crfsuite_item_t *item, const char *name, double value) {
  crfsuite_attribute_t attribute;
  crfsuite_attribute_set(&attribute, data->attrs->get(data->attrs, name), value);
  crfsuite_item_append_attribute(item, &attribute);
}

static void add_instance(crfsuite_data_t *data, crfsuite_instance_t *instance, int holdout) {
  instance->group = data->num_instances % 5 == holdout ? -1 : 0; /* training without a holdout leaves out group -1 */
  crfsuite_data_append(data, instance);
  crfsuite_instance_finish(instance);
  crfsuite_instance_init(instance);
}

/* The label of a word depends on the label before; a word shows it by its number, in two times out of three. */
static void make_data(crfsuite_data_t *data, long sequences) {
  static const char *const labels[] = {"noun", "verb", "article", "other", "number"};
  char name[32];
  for (long s = 0; s < sequences; s++) {
    crfsuite_instance_t instance;
    int length = 3 + (int)bench_below(12), label = (int)bench_below(5), before = 0;
    crfsuite_instance_init(&instance);
    for (int t = 0; t < length; t++) {
      crfsuite_item_t item;
      crfsuite_item_init(&item);
      label = bench_below(4) ? (label * 2 + 1) % 5 : (int)bench_below(5);
      int word = (int)(bench_below(3) ? bench_below(40) * 5 + (uint64_t)label : bench_below(200));
      snprintf(name, sizeof name, "w=%d", word);
      add_attribute(data, &item, name, 1);
      snprintf(name, sizeof name, "before=%d", before);
      add_attribute(data, &item, name, 1);
      snprintf(name, sizeof name, "pair=%d|%d", word % 10, before % 10);
      add_attribute(data, &item, name, 0.5);
      if (t == 0) add_attribute(data, &item, "first", 1);
      crfsuite_instance_append(&instance, &item, data->labels->get(data->labels, labels[label]));
      crfsuite_item_finish(&item);
      before = word;
    }
    add_instance(data, &instance, 4);
  }
}

static void read_data(crfsuite_data_t *data) {
  char line[512];
  crfsuite_instance_t instance;
  crfsuite_instance_init(&instance);
  while (fgets(line, sizeof line, stdin) != NULL) {
    char *label = strtok(line, " \n");
    if (label != NULL) {
      crfsuite_item_t item;
      crfsuite_item_init(&item);
      for (char *name; (name = strtok(NULL, " \n")) != NULL;) add_attribute(data, &item, name, 1);
      crfsuite_instance_append(&instance, &item, data->labels->get(data->labels, label));
      crfsuite_item_finish(&item);
    } else if (!crfsuite_instance_empty(&instance)) {
      add_instance(data, &instance, -1);
    }
  }
  if (!crfsuite_instance_empty(&instance)) add_instance(data, &instance, -1);
}

static void train(const crfsuite_data_t *data, int argc, char **argv) {
  crfsuite_trainer_t *trainer = NULL;
  char name[64];
  snprintf(name, sizeof name, "train/crf1d/%s", bench_word(argc, argv, 0));
  bench_check(crfsuite_create_instance(name, (void **)&trainer), "no such algorithm");
  crfsuite_params_t *params = trainer->params(trainer);
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    bench_check(value != NULL && (size_t)(value - argv[i]) < sizeof name, "a parameter has no value");
    snprintf(name, sizeof name, "%.*s", (int)(value - argv[i]), argv[i]);
    bench_check(params->set(params, name, value + 1) == 0, "no such parameter");
  }
  params->release(params);
  trainer->set_message_callback(trainer, NULL, on_message);
  bench_check(trainer->train(trainer, data, "model", -1) == 0, "the training fails");
  trainer->release(trainer);
  model_size = 0; /* the header holds the size, after four bytes */
  for (int i = 3; i >= 0; i--) model_size = model_size << 8 | (unsigned char)model_bytes[4 + i];
}

/* The same sequence with the numbers that attributes and labels have in the model; it may lack some attributes. */
static void translate(const crfsuite_data_t *data, const crfsuite_instance_t *from, crfsuite_dictionary_t *attrs, crfsuite_dictionary_t *labels, crfsuite_instance_t *to) {
  const char *name = NULL;
  crfsuite_instance_init(to);
  for (int t = 0; t < from->num_items; t++) {
    crfsuite_item_t item;
    crfsuite_item_init(&item);
    for (int i = 0; i < from->items[t].num_contents; i++) {
      crfsuite_attribute_t attribute = from->items[t].contents[i];
      data->attrs->to_string(data->attrs, attribute.aid, &name);
      attribute.aid = attrs->to_id(attrs, name);
      if (attribute.aid >= 0) crfsuite_item_append_attribute(&item, &attribute);
      data->attrs->free(data->attrs, name);
    }
    data->labels->to_string(data->labels, from->labels[t], &name);
    crfsuite_instance_append(to, &item, labels->to_id(labels, name));
    data->labels->free(data->labels, name);
    crfsuite_item_finish(&item);
  }
}

/* Tags all sequences, or those held out from the training, and compares with the labels they have. */
static void tag(const crfsuite_data_t *data, int held_out, int from_memory, int printing) {
  crfsuite_model_t *model = NULL;
  crfsuite_tagger_t *tagger = NULL;
  crfsuite_dictionary_t *labels = NULL, *attrs = NULL;
  crfsuite_evaluation_t evaluation;
  int found[256];
  double norms = 0, scores = 0, margins = 0;
  int failed = from_memory ? crfsuite_create_instance_from_memory(model_bytes, model_size, (void **)&model) : crfsuite_create_instance_from_file("model", (void **)&model);
  bench_check(!failed, "the model is not read");
  bench_check(model->get_tagger(model, &tagger) == 0 && model->get_labels(model, &labels) == 0 && model->get_attrs(model, &attrs) == 0, "the model does not tag");
  bench_check(labels->num(labels) == data->labels->num(data->labels), "labels are lost");
  crfsuite_evaluation_init(&evaluation, data->labels->num(data->labels));
  for (int i = 0; i < data->num_instances; i++) {
    crfsuite_instance_t instance;
    double score, norm, margin;
    if ((held_out && data->instances[i].group >= 0) || data->instances[i].num_items > 256) continue;
    translate(data, &data->instances[i], attrs, labels, &instance);
    tagger->set(tagger, &instance);
    bench_check(tagger->viterbi(tagger, found, &score) == 0 && tagger->lognorm(tagger, &norm) == 0, "a sequence is not tagged");
    bench_check(tagger->marginal_point(tagger, found[0], tagger->length(tagger) - 1, &margin) == 0, "no marginal");
    crfsuite_evaluation_accmulate(&evaluation, instance.labels, found, instance.num_items);
    bench_add(found, sizeof *found * (size_t)instance.num_items);
    crfsuite_instance_finish(&instance);
    norms += norm;
    scores += score;
    margins += margin;
  }
  crfsuite_evaluation_finalize(&evaluation);
  crfsuite_evaluation_output(&evaluation, labels, on_message, NULL);
  bench_add_real(norms, 4);
  bench_add_real(scores, 4);
  bench_add_real(margins, 4);
  if (printing) {
    bench_print("items", evaluation.item_total_num);
    bench_print("right", evaluation.item_total_correct);
    bench_print("all-right", evaluation.inst_total_correct);
  }
  crfsuite_evaluation_finish(&evaluation);
  attrs->release(attrs);
  labels->release(labels);
  tagger->release(tagger);
  model->release(model);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  const int making = strcmp(mode, "make") == 0;
  const long first = bench_number(argc, argv, 2, 0, 1000000);
  const int used = making ? 4 : 3;
  crfsuite_data_t data;
  bench_check(making || strcmp(mode, "stdin") == 0, "no such mode");
  bench_seed((uint64_t)first);
  srand(1);
  open_data(&data);
  if (making)
    make_data(&data, bench_number(argc, argv, 3, 5, 100000));
  else
    read_data(&data);
  bench_print("sequences", data.num_instances);
  bench_print("items", crfsuite_data_totalitems(&data));
  bench_print("longest", crfsuite_data_maxlength(&data));
  bench_print("attributes", data.attrs->num(data.attrs));
  for (long i = 0; i < (making ? 1 : first); i++) {
    train(&data, argc - used, argv + used);
    if (i == 0) bench_print("messages", messages);
    tag(&data, making, 0, i == 0);
    tag(&data, 0, 1, i == 0);
  }
  bench_print("end", messages);
  close_data(&data);
  return 0;
}
