/* tinyaes: AES-256 one byte at a time, in the modes ECB, CBC and CTR.
 *
 *   vectors COUNT         the examples of FIPS 197 and NIST SP 800-38A, then a chain of COUNT encrypted blocks
 *   modes SIZE SEED TURNS every mode over a text, with new keys and initial values each turn
 *   stream SEED TURNS     counter mode over stdin, in pieces of changing length
 */
#include "bench.h"
#include "aes.h"

static void from_hex(uint8_t *to, const char *hex) {
  for (unsigned value; sscanf(hex, "%2x", &value) == 1; hex += 2) *to++ = (uint8_t)value;
}

static void expect(const uint8_t *got, const char *hex, const char *what) {
  uint8_t want[64];
  size_t bytes = strlen(hex) / 2;
  from_hex(want, hex);
  bench_check(memcmp(got, want, bytes) == 0, what);
  bench_add(got, bytes);
  bench_print(what, (long long)bytes);
}

static void vectors(long count) {
  struct AES_ctx aes;
  uint8_t key[32], block[64], counter[16];
  const char *text = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51";
  from_hex(key, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  from_hex(block, "00112233445566778899aabbccddeeff");
  AES_init_ctx(&aes, key);
  AES_ECB_encrypt(&aes, block);
  expect(block, "8ea2b7ca516745bfeafc49904b496089", "block");
  AES_ECB_decrypt(&aes, block);
  expect(block, "00112233445566778899aabbccddeeff", "block-back");

  from_hex(key, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
  from_hex(counter, "000102030405060708090a0b0c0d0e0f");
  from_hex(block, text);
  AES_init_ctx_iv(&aes, key, counter);
  AES_CBC_encrypt_buffer(&aes, block, 32);
  expect(block, "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d", "chain");
  AES_ctx_set_iv(&aes, counter);
  AES_CBC_decrypt_buffer(&aes, block, 32);
  expect(block, text, "chain-back");

  from_hex(counter, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  AES_init_ctx_iv(&aes, key, counter);
  AES_CTR_xcrypt_buffer(&aes, block, 32);
  expect(block, "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5", "counter");

  for (long i = 0; i < count; i++) { /* each block is the key of the next but one */
    memmove(key + 16, key, 16);
    memcpy(key, block, 16);
    AES_init_ctx(&aes, key);
    AES_ECB_encrypt(&aes, block);
    if (i % 3 == 2) AES_ECB_decrypt(&aes, block + 16);
    bench_add(block, 32);
  }
  bench_print("key-chain", count);
}

static void modes(size_t size, long turns) {
  uint8_t *text = bench_alloc(size), *work = bench_alloc(size), *secret = bench_alloc(size), key[32], start[16];
  struct AES_ctx aes;
  for (long turn = 0; turn < turns; turn++) {
    bench_text((char *)text, size);
    bench_noise(key, sizeof key);
    bench_noise(start, sizeof start);
    memcpy(work, text, size);
    AES_init_ctx_iv(&aes, key, start);
    AES_CBC_encrypt_buffer(&aes, work, size);
    bench_add(work, size);
    if (turn % (turns / 8 + 1) == 0) bench_print("cbc", work[size - 1]);
    AES_init_ctx_iv(&aes, key, start);
    AES_CBC_decrypt_buffer(&aes, work, size);
    bench_check(memcmp(work, text, size) == 0, "what was deciphered differs");

    memset(start + 8, 0xff, 8); /* the counter runs over at once */
    AES_ctx_set_iv(&aes, start);
    AES_CTR_xcrypt_buffer(&aes, work, size - 5);
    bench_add(work, size);
    if (turn % (turns / 8 + 1) == 0) bench_print("ctr", work[size - 6]);
    memcpy(secret, work, size);
    key[turn % 32] ^= 1;
    AES_init_ctx_iv(&aes, key, start);
    AES_CTR_xcrypt_buffer(&aes, work, size - 5);
    bench_check(memcmp(work, text, size - 5) != 0, "a false key deciphers the text");

    for (size_t at = 0; at < size; at += AES_BLOCKLEN) AES_ECB_encrypt(&aes, secret + at);
    bench_add(secret, size);
    if (turn % (turns / 8 + 1) == 0) bench_print("ecb", secret[0]);
    for (size_t at = 0; at < size; at += AES_BLOCKLEN) AES_ECB_decrypt(&aes, secret + at);
    key[turn % 32] ^= 1;
    AES_init_ctx_iv(&aes, key, start);
    AES_CTR_xcrypt_buffer(&aes, secret, size - 5);
    bench_check(memcmp(secret, text, size) == 0, "the right key does not decipher the text");
  }
  free(text);
  free(work);
  free(secret);
}

static void stream(long turns) {
  uint8_t given[4096], work[4096], key[32], start[16];
  size_t length = fread(given, 1, sizeof given, stdin);
  bench_check(length > 0, "stdin is empty");
  for (long turn = 0; turn < turns; turn++) {
    struct AES_ctx aes;
    bench_noise(key, sizeof key);
    bench_noise(start, sizeof start);
    memcpy(work, given, length);
    for (int way = 0; way < 2; way++) {
      AES_init_ctx_iv(&aes, key, start);
      for (size_t at = 0, piece; at < length; at += piece) {
        piece = AES_BLOCKLEN * (1 + bench_below(6)); /* a context begins every call with a new counter block */
        if (piece > length - at) piece = length - at;
        AES_CTR_xcrypt_buffer(&aes, work + at, piece);
      }
      bench_add(work, length);
    }
    bench_check(memcmp(work, given, length) == 0, "what was deciphered differs");
    if (turn % (turns / 8 + 1) == 0) bench_print("turn", turn);
  }
  bench_print("stream", (long long)length);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "vectors") == 0) {
    vectors(bench_number(argc, argv, 2, 1, 10000000));
  } else if (strcmp(mode, "modes") == 0) {
    size_t size = (size_t)bench_number(argc, argv, 2, 32, 10000000) / AES_BLOCKLEN * AES_BLOCKLEN;
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    modes(size, bench_number(argc, argv, 4, 1, 1000));
  } else if (strcmp(mode, "stream") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    stream(bench_number(argc, argv, 3, 1, 1000000));
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
