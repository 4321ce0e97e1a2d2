/* Lua: runs the program on the standard input. It gets SIZE and SEED as its arguments, and two functions of ours:
 * report(label, value) prints a line, vector(n) makes an array of n numbers that lives outside of Lua.
 *
 *   lua source SIZE SEED         compiles and runs it
 *   lua bytecode SIZE SEED       writes the compiled program as byte code, loads that and runs it
 *   lua generational SIZE SEED   runs it with the generational garbage collector
 *   lua hooked SIZE SEED         runs it as a coroutine, with a hook on every call and every thousandth instruction
 */
#include "bench.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static void check_lua(lua_State *L, int status) {
  if (status != LUA_OK && status != LUA_YIELD) bench_fail(lua_tostring(L, -1));
}

static int report(lua_State *L) {
  const char *label = luaL_checkstring(L, 1);
  size_t size = 0;
  long long shown = 0;
  if (lua_isinteger(L, 2)) {
    shown = lua_tointeger(L, 2);
    bench_add_number((uint64_t)shown);
  } else if (lua_type(L, 2) == LUA_TNUMBER) {
    bench_add_real(lua_tonumber(L, 2), 6);
  } else {
    const char *text = luaL_tolstring(L, 2, &size);
    shown = (long long)size;
    bench_add(text, size);
  }
  bench_print(label, shown);
  return 0;
}

static int vector_new(lua_State *L) {
  lua_Integer count = luaL_checkinteger(L, 1);
  luaL_argcheck(L, count > 0 && count < 1000000, 1, "no such size");
  double *items = lua_newuserdatauv(L, (size_t)count * sizeof *items, 0);
  for (lua_Integer i = 0; i < count; i++) items[i] = 0;
  luaL_setmetatable(L, "vector");
  return 1;
}

static double *vector_at(lua_State *L) {
  double *items = luaL_checkudata(L, 1, "vector");
  lua_Integer at = luaL_checkinteger(L, 2), count = (lua_Integer)(lua_rawlen(L, 1) / sizeof *items);
  luaL_argcheck(L, at >= 1 && at <= count, 2, "no such item");
  return items + at - 1;
}

static int vector_get(lua_State *L) {
  lua_pushnumber(L, *vector_at(L));
  return 1;
}

static int vector_set(lua_State *L) {
  *vector_at(L) = luaL_checknumber(L, 3);
  return 0;
}

static int vector_size(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)(lua_rawlen(L, 1) / sizeof(double)));
  return 1;
}

static const char *read_block(lua_State *L, void *block, size_t *size) {
  (void)L;
  *size = fread(block, 1, 512, stdin);
  return *size ? block : NULL;
}

static int write_block(lua_State *L, const void *from, size_t size, void *to) {
  (void)L;
  luaL_addlstring(to, from, size);
  return 0;
}

static long long hooks[8];

static void hook(lua_State *L, lua_Debug *event) {
  lua_getinfo(L, "Sl", event);
  hooks[event->event]++;
  if (event->event == LUA_HOOKCOUNT) bench_add_number((uint64_t)event->currentline);
}

/* Replaces the function on the stack by what comes out of its byte code. */
static void through_bytecode(lua_State *L) {
  luaL_Buffer code;
  size_t size;
  lua_State *other = lua_newthread(L); /* lua_dump wants the function on the top, the buffer may need the top too */
  lua_insert(L, -2);
  lua_xmove(L, other, 1);
  luaL_buffinit(L, &code);
  bench_check(lua_dump(other, write_block, &code, 0) == 0, "the program is not written as byte code");
  luaL_pushresult(&code);
  const char *bytes = lua_tolstring(L, -1, &size);
  bench_print("bytecode", (long long)size);
  check_lua(L, luaL_loadbufferx(L, bytes, size, "=stdin", "b"));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

int main(int argc, char **argv) {
  /* What the standard list also has and stays out: package, which loads code from files, and os. */
  static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base}, {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string},
                                       {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_DBLIBNAME, luaopen_debug}, {LUA_IOLIBNAME, luaopen_io}};
  static const luaL_Reg vector[] = {{"__index", vector_get}, {"__newindex", vector_set}, {"__len", vector_size}, {NULL, NULL}};
  const char *mode = bench_word(argc, argv, 1);
  const long size = bench_number(argc, argv, 2, 1, 10000000), seed = bench_number(argc, argv, 3, 0, 1000000);
  char block[512];
  lua_State *L = luaL_newstate();
  bench_check(L != NULL, "there is no memory left");
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
    lua_pop(L, 1);
  }
  luaL_newmetatable(L, "vector");
  luaL_setfuncs(L, vector, 0);
  lua_pop(L, 1);
  lua_register(L, "report", report);
  lua_register(L, "vector", vector_new);

  check_lua(L, lua_load(L, read_block, block, "=stdin", "t"));
  if (strcmp(mode, "bytecode") == 0) through_bytecode(L);
  if (strcmp(mode, "generational") == 0) lua_gc(L, LUA_GCGEN, 0, 0);
  if (strcmp(mode, "hooked") == 0) {
    lua_State *thread = lua_newthread(L);
    int results = 0, status;
    long yields = 0;
    lua_insert(L, -2);
    lua_xmove(L, thread, 1);
    lua_pushinteger(thread, size);
    lua_pushinteger(thread, seed);
    lua_sethook(thread, hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1000);
    while ((status = lua_resume(thread, L, yields ? 0 : 2, &results)) == LUA_YIELD) {
      yields++;
      lua_pop(thread, results);
    }
    check_lua(thread, status);
    bench_print("yields", yields);
    bench_print("calls", hooks[LUA_HOOKCALL] + hooks[LUA_HOOKTAILCALL]);
    bench_print("thousands", hooks[LUA_HOOKCOUNT]);
  } else {
    bench_check(strcmp(mode, "source") == 0 || strcmp(mode, "bytecode") == 0 || strcmp(mode, "generational") == 0, "no such mode");
    lua_pushinteger(L, size);
    lua_pushinteger(L, seed);
    check_lua(L, lua_pcall(L, 2, 0, 0));
  }
  lua_settop(L, 0);
  lua_gc(L, LUA_GCCOLLECT);
  lua_close(L);
  bench_print("end", size);
  return 0;
}
