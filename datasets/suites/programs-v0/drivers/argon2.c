/* argon2: password hashing that needs much memory, in its three variants.
 *
 *   hash TYPE PASSES KIB LANES SEED  raw hashes through the context interface, with own memory functions
 *   verify TYPE PASSES KIB LANES     encoded hashes of the lines of stdin, verified with true and false passwords
 *
 * Either begins with the test vectors of RFC 9106 and those of the older version of the algorithm.
 * TYPE is 0 (Argon2d), 1 (Argon2i) or 2 (Argon2id).
 */
#include "bench.h"
#include "argon2.h"

static void expect(const uint8_t *got, const char *hex, const char *what) {
  for (int i = 0; hex[2 * i] != 0; i++) {
    unsigned value = 0;
    bench_check(sscanf(hex + 2 * i, "%2x", &value) == 1 && got[i] == value, what);
  }
  bench_add(got, strlen(hex) / 2);
  bench_print(what, (long long)(strlen(hex) / 2));
}

static void done(int result) {
  if (result != ARGON2_OK) bench_fail(argon2_error_message(result));
}

static int take(uint8_t **memory, size_t bytes) {
  *memory = malloc(bytes);
  return *memory == NULL;
}

static void give(uint8_t *memory, size_t bytes) {
  bench_check(bytes % 1024 == 0, "the memory is no whole number of blocks");
  free(memory);
}

static void vectors(void) {
  static const char *const names[] = {"argon2d", "argon2i", "argon2id"};
  static const char *const tags[2][3] = {
      {"96a9d4e5a1734092c85e29f410a45914a5dd1f5cbf08b2670da68a0285abf32b",
       "87aeedd6517ab830cd9765cd8231abb2e647a5dee08f7c05e02fcb763335d0fd",
       "b64615f07789b66b645b67ee9ed3b377ae350b6bfcbb0fc95141ea8f322613c0"},
      {"512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb",
       "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8",
       "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"}};
  uint8_t password[32], salt[16], secret[8], extra[12], tag[32];
  for (int version = 0; version < 2; version++) {
    for (int type = 0; type < 3; type++) {
      argon2_context context = {.out = tag, .outlen = sizeof tag, .pwd = password, .pwdlen = sizeof password,
                                .salt = salt, .saltlen = sizeof salt, .secret = secret, .secretlen = sizeof secret,
                                .ad = extra, .adlen = sizeof extra, .t_cost = 3, .m_cost = 32, .lanes = 4, .threads = 4,
                                .version = version ? ARGON2_VERSION_13 : ARGON2_VERSION_10,
                                .flags = ARGON2_FLAG_CLEAR_PASSWORD | ARGON2_FLAG_CLEAR_SECRET};
      memset(password, 1, sizeof password);
      memset(salt, 2, sizeof salt);
      memset(secret, 3, sizeof secret);
      memset(extra, 4, sizeof extra);
      done(argon2_ctx(&context, (argon2_type)type));
      bench_check(password[0] == 0 && secret[7] == 0, "the password was not cleared");
      expect(tag, tags[version][type], names[type]);
    }
  }
  done(argon2i_hash_raw(2, 256, 1, "password", 8, "somesalt", 8, tag, sizeof tag));
  expect(tag, "89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f", "argon2i-raw");
  done(argon2id_hash_raw(2, 256, 1, "password", 8, "somesalt", 8, tag, sizeof tag));
  expect(tag, "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe", "argon2id-raw");
}

static void hash(argon2_type type, uint32_t passes, uint32_t kib, uint32_t lanes) {
  uint8_t password[40], salt[20], tag[128], once[128];
  for (uint32_t length = 4; length <= sizeof tag; length = 2 * length + 1) {
    argon2_context context = {.out = tag, .outlen = length, .pwd = password, .pwdlen = length % sizeof password,
                              .salt = salt, .saltlen = sizeof salt, .t_cost = passes, .m_cost = kib, .lanes = lanes,
                              .threads = lanes, .version = ARGON2_VERSION_13, .allocate_cbk = take, .free_cbk = give};
    bench_noise(password, sizeof password);
    bench_noise(salt, sizeof salt);
    done(argon2_ctx(&context, type));
    bench_add(tag, length);
    bench_print(argon2_type2string(type, 1), length);
    memcpy(once, tag, length);
    if (length == 4) done(argon2_verify_ctx(&context, (const char *)once, type));
    once[length - 1] ^= 1;
    if (length == 4)
      bench_check(argon2_verify_ctx(&context, (const char *)once, type) == ARGON2_VERIFY_MISMATCH, "a forged hash holds");
    context.lanes = 0;
    bench_print(argon2_error_message(argon2_ctx(&context, type)), length);
  }
}

static void verify(argon2_type type, uint32_t passes, uint32_t kib, uint32_t lanes) {
  char line[128], encoded[256];
  uint8_t salt[16];
  size_t room = argon2_encodedlen(passes, kib, lanes, sizeof salt, 24, type);
  bench_check(room <= sizeof encoded, "an encoded hash is too long");
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t length = strcspn(line, "\n");
    bench_noise(salt, sizeof salt);
    if (type == Argon2_d)
      done(argon2d_hash_encoded(passes, kib, lanes, line, length, salt, sizeof salt, 24, encoded, room));
    else if (type == Argon2_i)
      done(argon2i_hash_encoded(passes, kib, lanes, line, length, salt, sizeof salt, 24, encoded, room));
    else
      done(argon2id_hash_encoded(passes, kib, lanes, line, length, salt, sizeof salt, 24, encoded, room));
    printf("%s\n", encoded);
    bench_add(encoded, strlen(encoded));
    done(argon2_verify(encoded, line, length, type));
    bench_check(argon2_verify(encoded, line, length + 1, type) == ARGON2_VERIFY_MISMATCH, "a false password holds");
    encoded[strlen(encoded) - 3] ^= 1;
    bench_check(argon2_verify(encoded, line, length, type) != ARGON2_OK, "a forged hash holds");
    encoded[9] = '?';
    int refused = argon2_verify(encoded, line, length, type);
    bench_check(refused == ARGON2_DECODING_FAIL, "what is no hash was decoded");
    bench_print(argon2_error_message(refused), (long long)length);
  }
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  argon2_type type = (argon2_type)bench_number(argc, argv, 2, 0, 2);
  uint32_t passes = (uint32_t)bench_number(argc, argv, 3, 1, 100), kib = (uint32_t)bench_number(argc, argv, 4, 8, 65536);
  uint32_t lanes = (uint32_t)bench_number(argc, argv, 5, 1, 16);
  vectors();
  if (strcmp(mode, "hash") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 6, 0, 1000000));
    hash(type, passes, kib, lanes);
  } else if (strcmp(mode, "verify") == 0) {
    verify(type, passes, kib, lanes);
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
