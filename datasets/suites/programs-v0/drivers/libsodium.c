/* libsodium: boxes, signatures and hashes in the portable code of the library, without password hashing.
 *
 *   seal KIND SIZE SEED TURNS  messages under a shared key: boxes, AEAD and streams; KIND is text or input (stdin)
 *   keys SEED TURNS            public keys: exchange, boxes, signatures, arithmetic in the groups
 *   hash SIZE SEED TURNS       hashes, authenticators, bare stream ciphers, encodings
 *
 * Each mode begins with test vectors of the standards. Whatever is forged has to be refused.
 */
#include "bench.h"
#include <sodium.h>

/* sodium_init wants to choose code for the password hash, which is left out. */
int _crypto_pwhash_argon2_pick_best_implementation(void) { return 0; }

static const char *source_name(void) { return "bench"; }
static uint32_t source_random(void) { return (uint32_t)(bench_random() >> 20); }
static void source_fill(void *const to, const size_t bytes) { bench_noise(to, bytes); }

static void expect(const unsigned char *got, const char *hex, const char *what) {
  unsigned char want[64];
  size_t bytes = 0;
  bench_check(sodium_hex2bin(want, sizeof want, hex, strlen(hex), NULL, &bytes, NULL) == 0, "this is not hexadecimal");
  bench_check(sodium_memcmp(got, want, bytes) == 0, what);
  bench_add(got, bytes);
  bench_print(what, (long long)bytes);
}

static void decode(unsigned char *to, size_t room, const char *hex) {
  bench_check(sodium_hex2bin(to, room, hex, strlen(hex), NULL, NULL, NULL) == 0, "this is not hexadecimal");
}

static void seal(const unsigned char *text, size_t size, long turns) {
  unsigned char key[32], nonce[24], extra[12], *shut = bench_alloc(size + 64), *open = bench_alloc(size + 64), mac[16];
  unsigned long long length, opened;
  decode(extra, sizeof extra, "50515253c0c1c2c3c4c5c6c7");
  decode(nonce, sizeof nonce, "070000004041424344454647");
  for (int i = 0; i < 32; i++) key[i] = (unsigned char)(0x80 + i);
  crypto_aead_chacha20poly1305_ietf_encrypt_detached(
      shut, mac, NULL, (const unsigned char *)"Ladies and Gentl", 16, NULL, 0, NULL, nonce, key);
  expect(shut, "d31a8d34648e60db7b86afbc53ef7ec2", "rfc8439");
  for (long turn = 0; turn < turns; turn++) {
    unsigned char tag, header[crypto_secretstream_xchacha20poly1305_HEADERBYTES];
    crypto_secretstream_xchacha20poly1305_state push, pull;
    randombytes_buf(key, sizeof key);
    randombytes_buf(nonce, sizeof nonce);
    size_t place = randombytes_uniform((uint32_t)size);

    crypto_secretbox_easy(shut, text, size, nonce, key);
    bench_add(shut, size + crypto_secretbox_MACBYTES);
    bench_check(crypto_secretbox_open_easy(open, shut, size + 16, nonce, key) == 0, "a box stays shut");
    bench_check(memcmp(open, text, size) == 0, "a box holds something else");
    shut[place] ^= 1;
    bench_check(crypto_secretbox_open_easy(open, shut, size + 16, nonce, key) != 0, "a forged box opens");
    crypto_secretbox_xchacha20poly1305_easy(shut, text, size, nonce, key);
    bench_check(crypto_secretbox_xchacha20poly1305_open_easy(open, shut, size + 16, nonce, key) == 0, "a box stays shut");

    crypto_aead_chacha20poly1305_ietf_encrypt(shut, &length, text, size, extra, sizeof extra, NULL, nonce, key);
    bench_check(crypto_aead_chacha20poly1305_ietf_decrypt(open, &opened, NULL, shut, length, extra, 12, nonce, key) == 0 &&
                opened == size, "a message is lost");
    bench_add(shut, (size_t)length);
    extra[turn % 12] ^= 1;
    bench_check(crypto_aead_chacha20poly1305_ietf_decrypt(open, &opened, NULL, shut, length, extra, 12, nonce, key) != 0,
                "another address is accepted");
    crypto_aead_xchacha20poly1305_ietf_encrypt(shut, &length, text, size, extra, sizeof extra, NULL, nonce, key);
    bench_check(crypto_aead_xchacha20poly1305_ietf_decrypt(open, &opened, NULL, shut, length, extra, 12, nonce, key) == 0,
                "a message is lost");
    crypto_aead_chacha20poly1305_encrypt(shut, &length, text, size, extra, sizeof extra, NULL, nonce, key);
    bench_check(crypto_aead_chacha20poly1305_decrypt(open, &opened, NULL, shut, length, extra, 12, nonce, key) == 0 &&
                memcmp(open, text, size) == 0, "a message is lost");
    bench_add(shut, (size_t)length);

    crypto_secretstream_xchacha20poly1305_init_push(&push, header, key);
    bench_check(crypto_secretstream_xchacha20poly1305_init_pull(&pull, header, key) == 0, "a stream cannot begin");
    for (size_t at = 0, piece; at < size; at += piece) {
      piece = 1 + bench_below(900);
      if (piece > size - at) piece = size - at;
      unsigned char want = at + piece == size ? crypto_secretstream_xchacha20poly1305_TAG_FINAL
                                              : at % 3 == 0 ? crypto_secretstream_xchacha20poly1305_TAG_REKEY : 0;
      crypto_secretstream_xchacha20poly1305_push(&push, shut, &length, text + at, piece, extra, sizeof extra, want);
      bench_check(crypto_secretstream_xchacha20poly1305_pull(&pull, open, &opened, &tag, shut, length, extra, 12) == 0 &&
                  tag == want && memcmp(open, text + at, piece) == 0, "a piece is lost");
      bench_add(shut, (size_t)length);
    }
    if (turn % (turns / 6 + 1) == 0) bench_print("sealed", (long long)size);
  }
  free(shut);
  free(open);
}

static void keys(long turns) {
  unsigned char public[2][32], secret[2][32], sign_public[32], sign_secret[64], seed[32], nonce[24], shared[2][64];
  unsigned char message[200], box[300], open[300], signature[64], a[32], b[32], c[32];
  unsigned long long length;
  decode(seed, 32, "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
  crypto_sign_seed_keypair(sign_public, sign_secret, seed);
  expect(sign_public, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "rfc8032-key");
  crypto_sign_detached(signature, NULL, (const unsigned char *)"", 0, sign_secret);
  expect(signature, "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                    "d25bf5f0595bbe24655141438e7a100b", "rfc8032-signature");
  decode(a, 32, "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
  decode(b, 32, "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
  bench_check(crypto_scalarmult(c, a, b) == 0, "a product is zero");
  expect(c, "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552", "rfc7748");
  for (long turn = 0; turn < turns; turn++) {
    crypto_sign_state state;
    randombytes_buf(message, sizeof message);
    randombytes_buf(nonce, sizeof nonce);
    for (int i = 0; i < 2; i++) crypto_box_keypair(public[i], secret[i]);
    bench_check(crypto_box_easy(box, message, 200, nonce, public[1], secret[0]) == 0, "a box cannot be shut");
    bench_check(crypto_box_open_easy(open, box, 216, nonce, public[0], secret[1]) == 0, "a box stays shut");
    bench_check(memcmp(open, message, 200) == 0, "a box holds something else");
    bench_add(box, 216);
    bench_check(crypto_box_open_easy(open, box, 216, nonce, public[1], secret[1]) != 0, "a box of another one opens");
    bench_check(crypto_box_seal(box, message, 200, public[0]) == 0, "a letter cannot be shut");
    bench_check(crypto_box_seal_open(open, box, 248, public[0], secret[0]) == 0, "a letter stays shut");
    bench_check(crypto_kx_client_session_keys(shared[0], shared[0] + 32, public[0], secret[0], public[1]) == 0 &&
                crypto_kx_server_session_keys(shared[1] + 32, shared[1], public[1], secret[1], public[0]) == 0 &&
                sodium_memcmp(shared[0], shared[1], 64) == 0, "the two sides share nothing");
    bench_add(shared, 64);

    randombytes_buf(seed, sizeof seed);
    crypto_sign_seed_keypair(sign_public, sign_secret, seed);
    crypto_sign(box, &length, message, 200, sign_secret);
    bench_check(crypto_sign_open(open, &length, box, 264, sign_public) == 0 && length == 200, "a signature was refused");
    box[turn % 264] ^= 1;
    bench_check(crypto_sign_open(open, &length, box, 264, sign_public) != 0, "a forged signature holds");
    crypto_sign_init(&state);
    crypto_sign_update(&state, message, 77);
    crypto_sign_update(&state, message + 77, 123);
    crypto_sign_final_create(&state, signature, NULL, sign_secret);
    bench_add(signature, 64);
    bench_check(crypto_sign_ed25519_pk_to_curve25519(a, sign_public) == 0, "a key cannot be changed");
    crypto_sign_ed25519_sk_to_curve25519(b, sign_secret);
    crypto_scalarmult_base(c, b);
    bench_check(memcmp(a, c, 32) == 0, "the changed keys are no pair");

    crypto_core_ed25519_scalar_random(a);
    bench_check(crypto_core_ed25519_scalar_invert(b, a) == 0, "a number has no inverse");
    crypto_core_ed25519_random(c);
    bench_check(crypto_scalarmult_ed25519_noclamp(open, a, c) == 0 && crypto_scalarmult_ed25519_noclamp(box, b, open) == 0 &&
                memcmp(box, c, 32) == 0, "a quotient is no quotient");
    crypto_core_ristretto255_random(c);
    bench_check(crypto_scalarmult_ristretto255(open, a, c) == 0 && crypto_scalarmult_ristretto255_base(box, b) == 0 &&
                crypto_core_ristretto255_add(shared[0], open, box) == 0 &&
                crypto_core_ristretto255_sub(shared[0], shared[0], box) == 0 && memcmp(shared[0], open, 32) == 0,
                "a difference is no difference");
    bench_add(open, 32);
    if (turn % (turns / 6 + 1) == 0) bench_print("keys", turn);
  }
}

static void hash(size_t size, long turns) {
  unsigned char *text = bench_alloc(size + 32), *work = bench_alloc(size + 32), digest[64], key[32], nonce[24];
  char *letters = bench_alloc(2 * size + 64);
  crypto_hash_sha256(digest, (const unsigned char *)"abc", 3);
  expect(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "sha256");
  memset(key, 'k', sizeof key);
  crypto_auth_hmacsha256(digest, (const unsigned char *)"abc", 3, key);
  expect(digest, "af61b693912efc56e2e46f949719ea10a9e80d68f8dcfb84e26cac5330da3c74", "hmac");
  for (int i = 0; i < 32; i++) key[i] = (unsigned char)i;
  crypto_generichash(digest, 32, (const unsigned char *)"abc", 3, key, 32);
  expect(digest, "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f", "blake2b");
  for (long turn = 0; turn < turns; turn++) {
    crypto_generichash_state blake;
    crypto_onetimeauth_state poly;
    size_t third = size / 3, padded, length;
    bench_text((char *)text, size);
    randombytes_buf_deterministic(key, sizeof key, key);
    randombytes_buf(nonce, sizeof nonce);
    crypto_hash_sha512(digest, text, size);
    bench_add(digest, 64);
    crypto_hash_sha256(digest, text, size);
    bench_add(digest, 32);
    crypto_auth_hmacsha512(digest, text, size, key);
    crypto_auth(digest, text, size, key);
    bench_check(crypto_auth_verify(digest, text, size, key) == 0, "a tag was refused");
    digest[turn % 32] ^= 1;
    bench_check(crypto_auth_verify(digest, text, size, key) != 0, "a forged tag holds");
    crypto_generichash_init(&blake, key, 32, 48);
    crypto_generichash_update(&blake, text, third);
    crypto_generichash_update(&blake, text + third, size - third);
    crypto_generichash_final(&blake, digest, 48);
    bench_add(digest, 48);
    crypto_onetimeauth_init(&poly, key);
    crypto_onetimeauth_update(&poly, text, third);
    crypto_onetimeauth_update(&poly, text + third, size - third);
    crypto_onetimeauth_final(&poly, digest);
    bench_check(crypto_onetimeauth_verify(digest, text, size, key) == 0, "the pieces have another tag");
    crypto_shorthash(digest, text, size, key);
    crypto_shorthash_siphashx24(digest + 8, text, size, key);
    crypto_kdf_derive_from_key(digest + 24, 40, (uint64_t)turn, "bench ok", key);
    bench_add(digest, 64);
    bench_print("hashed", turn);

    crypto_stream_xor(work, text, size, nonce, key); /* XSalsa20, then the others over it */
    crypto_stream_salsa20_xor_ic(work, work, size, nonce, 5, key);
    crypto_stream_salsa2012_xor(work, work, size, nonce, key);
    crypto_stream_salsa208_xor(work, work, size, nonce, key);
    crypto_stream_chacha20_xor(work, work, size, nonce, key);
    crypto_stream_chacha20_ietf_xor(work, work, size, nonce, key);
    crypto_stream_xchacha20_xor(work, work, size, nonce, key);
    bench_add(work, size);
    sodium_bin2hex(letters, 2 * size + 64, work, size);
    bench_check(sodium_hex2bin(work, size, letters, 2 * size, NULL, &length, NULL) == 0 && length == size, "hexadecimal fails");
    sodium_bin2base64(letters, 2 * size + 64, work, size, sodium_base64_VARIANT_URLSAFE);
    bench_add(letters, strlen(letters));
    bench_check(sodium_base642bin(text, size, letters, strlen(letters), NULL, &length, NULL,
                                  sodium_base64_VARIANT_URLSAFE) == 0 && sodium_compare(text, work, size) == 0,
                "base 64 fails");
    sodium_increment(nonce, sizeof nonce);
    sodium_add(key, nonce, 24);
    bench_check(sodium_pad(&padded, text, size, 16, size + 32) == 0 && padded % 16 == 0 &&
                sodium_unpad(&length, text, padded, 16) == 0 && length == size, "the padding is lost");
    bench_print("coded", (long long)padded);
  }
  free(text);
  free(work);
  free(letters);
}

int main(int argc, char **argv) {
  static randombytes_implementation source = {source_name, source_random, NULL, NULL, source_fill, NULL};
  const char *mode = bench_word(argc, argv, 1);
  randombytes_set_implementation(&source);
  bench_check(sodium_init() == 0, "the library cannot begin");
  if (strcmp(mode, "seal") == 0) {
    const char *kind = bench_word(argc, argv, 2);
    size_t size = (size_t)bench_number(argc, argv, 3, 1, 1000000);
    unsigned char *text = bench_alloc(size);
    bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
    if (strcmp(kind, "text") == 0) bench_text((char *)text, size);
    else if (strcmp(kind, "input") == 0) size = fread(text, 1, size, stdin);
    else bench_fail("there is no such kind of input");
    bench_check(size > 0, "stdin is empty");
    seal(text, size, bench_number(argc, argv, 5, 1, 100000));
    free(text);
  } else if (strcmp(mode, "keys") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    keys(bench_number(argc, argv, 3, 1, 1000));
  } else if (strcmp(mode, "hash") == 0) {
    size_t size = (size_t)bench_number(argc, argv, 2, 10, 1000000);
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    hash(size, bench_number(argc, argv, 4, 1, 1000));
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
