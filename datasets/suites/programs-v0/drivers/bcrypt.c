/* bcrypt: the password hash of OpenBSD with the cipher Blowfish and the hashes SHA-2 that belong to it.
 *
 *   vectors ROUNDS          known results of Blowfish, SHA-2 and bcrypt, then more rounds of the same password
 *   passwords COST TURNS    hashes the lines of stdin, and checks them with the true and a false password
 *   derive ROUNDS KEYS      keys from passwords by bcrypt_pbkdf
 *   cipher SIZE SEED TURNS  Blowfish in ECB and CBC mode and the digests of what comes out
 */
#include "bench.h"
#include "pycabcrypt.h"
#include "blf.h"
#include "sha2.h"

static void expect(const uint8_t *got, const char *hex, const char *what) {
  for (int i = 0; hex[2 * i] != 0; i++) {
    unsigned value = 0;
    bench_check(sscanf(hex + 2 * i, "%2x", &value) == 1 && got[i] == value, what);
  }
  bench_add(got, strlen(hex) / 2);
  bench_print(what, (long long)(strlen(hex) / 2));
}

static void hash_password(const char *password, const char *salt, char *to) {
  memset(to, 0, 64);
  bench_check(bcrypt_hashpass(password, salt, to, 64) == 0, "a salt was refused");
  bench_add(to, strlen(to));
}

static void digests(const void *from, size_t bytes, uint8_t small[32], uint8_t middle[48], uint8_t large[64]) {
  SHA2_CTX context;
  size_t half = bytes / 3;
  SHA256Init(&context);
  SHA256Update(&context, from, half);
  SHA256Update(&context, (const uint8_t *)from + half, bytes - half);
  SHA256Final(small, &context);
  SHA384Init(&context);
  SHA384Update(&context, from, bytes);
  SHA384Final(middle, &context);
  SHA512Init(&context);
  SHA512Update(&context, from, half);
  SHA512Update(&context, (const uint8_t *)from + half, bytes - half);
  SHA512Final(large, &context);
}

static void vectors(int rounds) {
  static const char *const known[][2] = {
      {"", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."},
      {"U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"},
      {"U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"},
      {"abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"}};
  uint8_t small[32], middle[48], large[64], block[8] = {0}, key[8] = {0};
  blf_ctx cipher;
  char hash[64], salt[32];
  digests("abc", 3, small, middle, large);
  /* This SHA-256 leaves the bytes of each word in the order of the machine: ba7816bf comes out as bf1678ba. */
  expect(small, "bf1678baeacf018fde4041412322ae5da36103b09c7a179661ff10b4ad1500f2", "sha256");
  expect(middle, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7", "sha384");
  expect(large, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f", "sha512");
  blf_key(&cipher, key, sizeof key);
  blf_ecb_encrypt(&cipher, block, sizeof block);
  expect(block, "4ef997456198dd78", "blowfish");
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    hash_password(known[i][0], known[i][1], hash);
    bench_check(strcmp(hash, known[i][1]) == 0, "a known password has another hash");
    bench_print(hash, (long long)strlen(known[i][0]));
  }
  for (int cost = 4; cost <= rounds; cost++) {
    snprintf(salt, sizeof salt, "$2b$%02d$abcdefghijklmnopqrstuu", cost);
    hash_password("correct horse battery staple", salt, hash);
    bench_print(hash, cost);
  }
  bench_check(bcrypt_hashpass("x", "$2b$03$abcdefghijklmnopqrstuu", hash, sizeof hash) != 0 &&
              bcrypt_hashpass("x", "$2c$05$abcdefghijklmnopqrstuu", hash, sizeof hash) != 0 &&
              bcrypt_hashpass("x", "$2b$05$abcdefgh", hash, sizeof hash) != 0 &&
              bcrypt_hashpass("x", "$2b$05$abcdefghijklmnopqrst\"u", hash, sizeof hash) != 0, "a bad salt was accepted");
}

static void passwords(int cost, long turns) {
  char line[256], hash[64], again[64], salt[32], text[32];
  uint8_t bytes[16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    for (long turn = 0; turn < turns; turn++) {
      bench_noise(bytes, sizeof bytes);
      encode_base64(text, bytes, sizeof bytes);
      snprintf(salt, sizeof salt, "$2b$%02d$%.22s", cost, text);
      hash_password(line, salt, hash);
      hash_password(line, hash, again);
      bench_check(timingsafe_bcmp(hash, again, 60) == 0, "the password does not hold");
      line[0] ^= 1;
      hash_password(line, hash, again);
      bench_check(timingsafe_bcmp(hash, again, 60) != 0, "a false password holds");
      line[0] ^= 1;
    }
    bench_print(hash, (long long)strlen(line));
  }
}

static void derive(unsigned rounds, long keys) {
  uint8_t salt[16], key[200];
  bench_check(bcrypt_pbkdf("password", 8, (const uint8_t *)"salt", 4, key, 32, 4) == 0, "no key");
  expect(key, "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9", "derived");
  for (long i = 1; i <= keys; i++) {
    size_t length = 8 + (size_t)(i * 23) % (sizeof key - 8);
    char password[32];
    int chars = snprintf(password, sizeof password, "password number %ld", i);
    bench_noise(salt, sizeof salt);
    bench_check(bcrypt_pbkdf(password, (size_t)chars, salt, sizeof salt, key, length, rounds) == 0, "no key");
    bench_add(key, length);
    bench_print("derived", (long long)length);
  }
  bench_check(bcrypt_pbkdf("p", 1, salt, sizeof salt, key, 32, 0) != 0, "no rounds at all were accepted");
}

static void cipher(uint32_t size, long turns) {
  uint8_t *text = bench_alloc(size), *work = bench_alloc(size), key[56], start[8], small[32], middle[48], large[64];
  blf_ctx state;
  for (long turn = 0; turn < turns; turn++) {
    bench_text((char *)text, size);
    memcpy(work, text, size);
    bench_noise(key, sizeof key);
    bench_noise(start, sizeof start);
    blf_key(&state, key, (uint16_t)(4 + turn * 11 % 53));
    blf_cbc_encrypt(&state, start, work, size);
    blf_ecb_encrypt(&state, work, size);
    digests(work, size, small, middle, large);
    bench_add(small, sizeof small);
    bench_add(middle, sizeof middle);
    bench_add(large, sizeof large);
    bench_print("cipher", work[size - 1]);
    blf_ecb_decrypt(&state, work, size);
    blf_cbc_decrypt(&state, start, work, size);
    bench_check(memcmp(work, text, size) == 0, "what was deciphered differs");
  }
  free(text);
  free(work);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "vectors") == 0) {
    vectors((int)bench_number(argc, argv, 2, 4, 12));
  } else if (strcmp(mode, "passwords") == 0) {
    int cost = (int)bench_number(argc, argv, 2, 4, 12);
    passwords(cost, bench_number(argc, argv, 3, 1, 1000));
  } else if (strcmp(mode, "derive") == 0) {
    unsigned rounds = (unsigned)bench_number(argc, argv, 2, 1, 1000);
    derive(rounds, bench_number(argc, argv, 3, 1, 1000));
  } else if (strcmp(mode, "cipher") == 0) {
    uint32_t size = (uint32_t)bench_number(argc, argv, 2, 8, 10000000) / 8 * 8;
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    cipher(size, bench_number(argc, argv, 4, 1, 1000));
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
