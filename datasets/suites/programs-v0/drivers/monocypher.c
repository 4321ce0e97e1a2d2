/* monocypher: authenticated encryption, curve arithmetic and hashing in one small library.
 *
 *   aead KIND SIZE SEED TURNS  messages locked and unlocked, whole and in pieces; KIND is text or input (from stdin)
 *   curve SEED TURNS           X25519 exchanges, EdDSA signatures, hidden keys by Elligator
 *   hash SIZE SEED TURNS       BLAKE2b, Poly1305 and Argon2
 *
 * Each mode begins with test vectors of the standards. Forged messages and signatures have to be refused.
 */
#include "bench.h"
#include "monocypher.h"

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

static void aead(const uint8_t *text, size_t size, long turns) {
  static const char sunscreen[] = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
                                  "future, sunscreen would be it.";
  uint8_t key[32], nonce[24], extra[40], mac[16], *locked = bench_alloc(size), *open = bench_alloc(size), small[128];
  crypto_aead_ctx writer, reader;
  for (int i = 0; i < 32; i++) key[i] = (uint8_t)(0x80 + i);
  from_hex(nonce, "070000004041424344454647");
  from_hex(extra, "50515253c0c1c2c3c4c5c6c7");
  crypto_aead_init_ietf(&writer, key, nonce);
  crypto_aead_write(&writer, small, mac, extra, 12, (const uint8_t *)sunscreen, sizeof sunscreen - 1);
  expect(small, "d31a8d34648e60db7b86afbc53ef7ec2", "rfc8439-text");
  expect(mac, "1ae10b594f09e26a7e902ecbd0600691", "rfc8439-tag");

  for (long turn = 0; turn < turns; turn++) {
    bench_noise(key, sizeof key);
    bench_noise(nonce, sizeof nonce);
    bench_noise(extra, sizeof extra);
    crypto_aead_lock(locked, mac, key, nonce, extra, sizeof extra, text, size);
    bench_add(locked, size);
    bench_add(mac, sizeof mac);
    bench_check(crypto_aead_unlock(open, mac, key, nonce, extra, sizeof extra, locked, size) == 0, "a message is lost");
    bench_check(memcmp(open, text, size) == 0, "a message differs");
    locked[bench_below(size)] ^= 4;
    bench_check(crypto_aead_unlock(open, mac, key, nonce, extra, sizeof extra, locked, size) == -1, "a forgery holds");

    if (turn % 2) crypto_aead_init_x(&writer, key, nonce), crypto_aead_init_x(&reader, key, nonce);
    else crypto_aead_init_djb(&writer, key, nonce), crypto_aead_init_djb(&reader, key, nonce);
    for (size_t at = 0, piece; at < size; at += piece) { /* each piece has a key of its own */
      piece = 1 + bench_below(700);
      if (piece > size - at) piece = size - at;
      crypto_aead_write(&writer, locked + at, mac, NULL, 0, text + at, piece);
      bench_check(crypto_aead_read(&reader, open + at, mac, NULL, 0, locked + at, piece) == 0, "a piece is lost");
    }
    bench_check(memcmp(open, text, size) == 0, "the pieces differ");
    bench_add(locked, size);

    uint64_t next = crypto_chacha20_djb(locked, text, size / 2, key, nonce, 7); /* goes on where the first half ended */
    if (size / 2 % 64 == 0) crypto_chacha20_djb(locked + size / 2, text + size / 2, size - size / 2, key, nonce, next);
    crypto_chacha20_djb(open, locked, size / 2, key, nonce, 7);
    bench_check(memcmp(open, text, size / 2) == 0, "the stream cipher is no inverse of itself");
    bench_add_number(crypto_chacha20_x(locked, NULL, size, key, nonce, 1));
    bench_add_number(crypto_chacha20_ietf(open, text, size, key, nonce, 9));
    bench_add(locked, size);
    bench_add(open, size);
    if (turn % (turns / 6 + 1) == 0) bench_print("locked", (long long)size);
  }
  free(locked);
  free(open);
}

static void curve(long turns) {
  uint8_t secret[32], seed[32], point[32], other[32], shared[2][32], keys[64], signature[64], message[300], hidden[32];
  from_hex(secret, "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
  from_hex(point, "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
  crypto_x25519(shared[0], secret, point);
  expect(shared[0], "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552", "rfc7748");
  for (long turn = 0; turn < turns; turn++) {
    int mapped;
    bench_noise(secret, sizeof secret);
    bench_noise(seed, sizeof seed);
    bench_noise(message, sizeof message);
    crypto_x25519_public_key(point, secret);
    crypto_x25519_public_key(other, seed);
    crypto_x25519(shared[0], secret, other);
    crypto_x25519(shared[1], seed, point);
    bench_check(crypto_verify32(shared[0], shared[1]) == 0, "the two sides share nothing");
    crypto_chacha20_h(shared[0], shared[0], message);
    bench_add(shared[0], 32);
    crypto_x25519_inverse(other, secret, point); /* undoes the multiplication: what is left is the base point */
    expect(other, "0900000000000000000000000000000000000000000000000000000000000000", "inverse");

    crypto_eddsa_key_pair(keys, point, seed);
    crypto_eddsa_sign(signature, keys, message, sizeof message);
    bench_check(crypto_eddsa_check(signature, point, message, sizeof message) == 0, "a signature was refused");
    bench_add(signature, sizeof signature);
    message[turn % 300] ^= 1;
    bench_check(crypto_eddsa_check(signature, point, message, sizeof message) == -1, "a forgery holds");
    crypto_eddsa_to_x25519(other, point);
    crypto_x25519_to_eddsa(shared[1], other);
    bench_add(shared[1], 32);
    crypto_eddsa_reduce(shared[0], keys);
    crypto_eddsa_mul_add(shared[1], shared[0], secret, shared[0]);
    crypto_eddsa_scalarbase(point, shared[1]);
    bench_add(point, 32);

    bench_noise(seed, sizeof seed);
    crypto_elligator_key_pair(hidden, secret, seed);
    crypto_elligator_map(point, hidden);
    crypto_x25519_dirty_fast(other, secret);
    crypto_x25519_dirty_small(shared[0], secret);
    bench_check(memcmp(point, other, 32) == 0, "a hidden key reveals another one");
    mapped = crypto_elligator_rev(hidden, shared[0], (uint8_t)turn);
    bench_add(hidden, 32);
    bench_print("mapped", mapped);
  }
}

static void hash(size_t size, long turns) {
  static const char *const tags[] = {"512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb",
                                     "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8",
                                     "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"};
  uint8_t *message = bench_alloc(size), *area = bench_alloc(1024 * 1024), digest[64], once[64], key[32], mac[16];
  uint8_t password[32], salt[16], secret[8], extra[12];
  crypto_blake2b(digest, 64, (const uint8_t *)"abc", 3);
  expect(digest, "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                 "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923", "blake2b");
  from_hex(key, "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b");
  crypto_poly1305(mac, (const uint8_t *)"Cryptographic Forum Research Group", 34, key);
  expect(mac, "a8061dc1305136c6c22b8baf0c0127a9", "poly1305");
  memset(password, 1, sizeof password);
  memset(salt, 2, sizeof salt);
  memset(secret, 3, sizeof secret);
  memset(extra, 4, sizeof extra);
  crypto_argon2_inputs inputs = {password, salt, sizeof password, sizeof salt};
  crypto_argon2_extras extras = {secret, extra, sizeof secret, sizeof extra};
  for (uint32_t i = 0; i < 3; i++) {
    crypto_argon2(digest, 32, area, (crypto_argon2_config){i, 32, 3, 4}, inputs, extras);
    expect(digest, tags[i], "argon2");
  }
  for (long turn = 0; turn < turns; turn++) {
    crypto_blake2b_ctx blake;
    crypto_poly1305_ctx poly;
    bench_noise(message, size);
    bench_noise(key, sizeof key);
    crypto_blake2b_keyed(once, 64, key, 32, message, size);
    crypto_blake2b_keyed_init(&blake, 64, key, 32);
    crypto_poly1305_init(&poly, key);
    for (size_t at = 0, piece; at < size; at += piece) {
      piece = 1 + bench_below(500);
      if (piece > size - at) piece = size - at;
      crypto_blake2b_update(&blake, message + at, piece);
      crypto_poly1305_update(&poly, message + at, piece);
    }
    crypto_blake2b_final(&blake, digest);
    bench_check(crypto_verify64(digest, once) == 0, "the pieces have another hash");
    crypto_poly1305_final(&poly, mac);
    crypto_poly1305(once, message, size, key);
    bench_check(crypto_verify16(mac, once) == 0, "the pieces have another tag");
    bench_add(digest, sizeof digest);
    bench_add(mac, sizeof mac);
    crypto_argon2(digest, 64, area, (crypto_argon2_config){(uint32_t)turn % 3, 200 + (uint32_t)turn * 50 % 800, 2, 1},
                  inputs, crypto_argon2_no_extras);
    bench_add(digest, sizeof digest);
    bench_print("hashed", turn);
  }
  free(message);
  free(area);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "aead") == 0) {
    const char *kind = bench_word(argc, argv, 2);
    size_t size = (size_t)bench_number(argc, argv, 3, 1, 1000000);
    uint8_t *text = bench_alloc(size);
    bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
    if (strcmp(kind, "text") == 0) bench_text((char *)text, size);
    else if (strcmp(kind, "input") == 0) size = fread(text, 1, size, stdin);
    else bench_fail("there is no such kind of input");
    bench_check(size > 0, "stdin is empty");
    aead(text, size, bench_number(argc, argv, 5, 1, 100000));
    free(text);
  } else if (strcmp(mode, "curve") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    curve(bench_number(argc, argv, 3, 1, 1000));
  } else if (strcmp(mode, "hash") == 0) {
    size_t size = (size_t)bench_number(argc, argv, 2, 1, 1000000);
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    hash(size, bench_number(argc, argv, 4, 1, 1000));
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
