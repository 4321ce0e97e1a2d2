/* Time scales, precession and nutation, ephemerides and star positions with ERFA.
 *
 *   time COUNT SEED      dates through all time scales, calendars and sidereal times
 *   frames COUNT SEED    bias, precession, nutation and polar motion by the models of 1976, 2000 and 2006
 *   planets COUNT SEED   positions of the earth, the moon and the planets, and light bent by them
 *   stars COUNT SEED     from catalogues to the sky as observed and back, and from catalogue to catalogue
 *   dates                lines "year month day hour minute second" in UTC on the standard input
 */
#include "bench.h"

#include "erfa.h"

enum { DIGITS = 6 };

static double between(double low, double high) { return low + (high - low) * bench_unit(); }

static void add(const double *values, int count) {
  for (int i = 0; i < count; i++) bench_add_real(values[i], DIGITS);
}

static void add_two(double a, double b) { add((const double[]){a, b}, 2); }

static void add_matrix(double m[3][3]) { add(&m[0][0], 9); }

/* Angles in radians that must not differ by more than 0.1 arc seconds; the way there and back is not exact. */
static void same(double a, double b, const char *what) {
  double apart = eraAnpm(a - b);
  bench_check(apart < 5e-7 && apart > -5e-7, what);
}

static void ok(int status) { bench_check(status >= 0, "ERFA refused what it was given"); }

/* All scales from UTC, and back to UTC. */
static void add_time(double utc1, double utc2) {
  double tai[2], tt[2], tcg[2], tdb[2], tcb[2], ut1[2], back[2], xyz[3];
  ok(eraUtctai(utc1, utc2, &tai[0], &tai[1]));
  ok(eraTaitt(tai[0], tai[1], &tt[0], &tt[1]));
  ok(eraTttcg(tt[0], tt[1], &tcg[0], &tcg[1]));
  ok(eraUtcut1(utc1, utc2, 0.3, &ut1[0], &ut1[1]));
  ok(eraGd2gc(1, 0.2, 0.8, 400.0, xyz));
  double slow = eraDtdb(tt[0], tt[1], ut1[1], 0.2, xyz[0] / 1000, xyz[2] / 1000);
  ok(eraTttdb(tt[0], tt[1], slow, &tdb[0], &tdb[1]));
  ok(eraTdbtcb(tdb[0], tdb[1], &tcb[0], &tcb[1]));
  bench_add_real(slow, DIGITS - 1);
  add_two(eraGmst06(ut1[0], ut1[1], tt[0], tt[1]), eraGmst82(ut1[0], ut1[1]));
  add_two(eraGst06a(ut1[0], ut1[1], tt[0], tt[1]), eraGst94(ut1[0], ut1[1]));
  add_two(eraGst00a(ut1[0], ut1[1], tt[0], tt[1]), eraGst00b(ut1[0], ut1[1]));
  add_two(eraEra00(ut1[0], ut1[1]), eraGmst00(ut1[0], ut1[1], tt[0], tt[1]));
  ok(eraTcbtdb(tcb[0], tcb[1], &tdb[0], &tdb[1]));
  ok(eraTdbtt(tdb[0], tdb[1], slow, &tt[0], &tt[1]));
  ok(eraTttcg(tt[0], tt[1], &tcg[0], &tcg[1]));
  ok(eraTcgtt(tcg[0], tcg[1], &tt[0], &tt[1]));
  ok(eraTtut1(tt[0], tt[1], 66.0, &ut1[0], &ut1[1]));
  ok(eraUt1tt(ut1[0], ut1[1], 66.0, &tt[0], &tt[1]));
  ok(eraTttai(tt[0], tt[1], &tai[0], &tai[1]));
  ok(eraTaiutc(tai[0], tai[1], &back[0], &back[1]));
  double seconds = (back[0] - utc1 + (back[1] - utc2)) * 86400;
  bench_check(seconds < 1e-4 && seconds > -1e-4, "the time came back as another");
  add_two(eraEpj(tt[0], tt[1]), eraEpb(tt[0], tt[1]));
}

static void run_time(long count) {
  for (long i = 0; i < count; i++) {
    int year = 1965 + (int)bench_below(60), month = 1 + (int)bench_below(12), fields[4], y, m, d;
    double day0, day, fraction, leap, epoch;
    ok(eraCal2jd(year, month, 1 + (int)bench_below(28), &day0, &day));
    double utc2 = day + between(0.01, 0.99);
    add_time(day0, utc2);
    ok(eraJd2cal(day0, utc2, &y, &m, &d, &fraction));
    bench_check(y == year && m == month, "another month");
    ok(eraDat(y, m, d, fraction, &leap));
    bench_add_real(leap, DIGITS);
    ok(eraJdcalf(0, day0, day, fields));
    bench_add_number((uint64_t)(fields[0] * 10000 + fields[1] * 100 + fields[2]));
    eraEpj2jd(year + 0.5, &day0, &epoch);
    add_two(day0, epoch);
    eraEpb2jd(year + 0.5, &day0, &epoch);
    add_two(day0, epoch);
    if (i % (count / 3 + 1) == 0) bench_print("year", y);
  }
}

static void run_frames(long count) {
  for (long i = 0; i < count; i++) {
    double t1 = 2451545.0, t2 = between(-20000, 20000), m[3][3], b[3][3], p[3][3], bp[3][3], n[3][3], w[3];
    double psi, eps, obliquity, x, y, s, p06[16], u1 = t1, u2 = t2 - 0.0008;
    eraNut00a(t1, t2, &psi, &eps), add_two(psi, eps);
    eraNut06a(t1, t2, &psi, &eps), add_two(psi, eps);
    eraNut80(t1, t2, &psi, &eps), add_two(psi, eps);
    eraPn00b(t1, t2, &psi, &eps, &obliquity, b, p, bp, n, m), add_matrix(m);
    eraPn00a(t1, t2, &psi, &eps, &obliquity, b, p, bp, n, m), add_matrix(n);
    eraPn06a(t1, t2, &psi, &eps, &obliquity, b, p, bp, n, m), add_matrix(bp);
    eraPnm80(t1, t2, m), add_matrix(m);
    eraRm2v(m, w), add(w, 3);
    eraC2t00a(t1, t2, u1, u2, 1e-6, 2e-6, m), add_matrix(m);
    eraC2t00b(t1, t2, u1, u2, 1e-6, 2e-6, m), add_matrix(m);
    eraC2t06a(t1, t2, u1, u2, 1e-6, 2e-6, m), add_matrix(m);
    eraC2tpe(t1, t2, u1, u2, psi, eps, 1e-6, 2e-6, m), add_matrix(m);
    eraXy06(t1, t2, &x, &y);
    eraC2txy(t1, t2, u1, u2, x, y, 1e-6, 2e-6, m), add_matrix(m);
    eraXys06a(t1, t2, &x, &y, &s), add_two(x, y), add_two(s, eraEo06a(t1, t2));
    eraXys00b(t1, t2, &x, &y, &s), add_two(x, y);
    eraP06e(t1, t2, &p06[0], &p06[1], &p06[2], &p06[3], &p06[4], &p06[5], &p06[6], &p06[7], &p06[8], &p06[9], &p06[10],
            &p06[11], &p06[12], &p06[13], &p06[14], &p06[15]);
    add(p06, 16);
    eraPb06(t1, t2, &x, &y, &s), add_two(x, s);
    eraLtpb(eraEpj(t1, t2 * 20), m), add_matrix(m);
    eraLtecm(eraEpj(t1, t2 * 20), m), add_matrix(m);
    add_two(eraEe06a(t1, t2), eraEe00b(t1, t2));
    if (i % (count / 3 + 1) == 0) bench_print("day", (long long)t2);
  }
}

static void run_planets(long count) {
  for (long i = 0; i < count; i++) {
    double t1 = 2451545.0, t2 = between(-15000, 15000), sun[2][3], centre[2][3], pv[2][3], sum = 0;
    double angle, height, distance, turn, rise, speed, star[3];
    eraLDBODY bodies[3] = {{.bm = 0.00028574, .dl = 3e-10}, {.bm = 0.00095435, .dl = 3e-9}, {.bm = 1.0, .dl = 6e-6}};
    eraEpv00(t1, t2, sun, centre);
    eraMoon98(t1, t2, pv);
    add(&centre[0][0], 6);
    add(&pv[0][0], 6);
    for (int planet = 1; planet <= 8; planet++) {
      ok(eraPlan94(t1, t2, planet, pv));
      eraPv2s(pv, &angle, &height, &distance, &turn, &rise, &speed);
      add_two(angle, distance);
      add_two(turn, speed);
      if (planet == 5 || planet == 6) memcpy(bodies[6 - planet].pv, pv, sizeof pv);
      sum += distance;
    }
    memset(bodies[2].pv, 0, sizeof bodies[2].pv);
    double ra = between(0, 6.28), dec = between(-1.5, 1.5);
    eraS2c(ra, dec, star);
    eraLdn(3, bodies, sun[0], star, star);
    add(star, 3);
    if (i % (count / 4 + 1) == 0) bench_print("all distances in AU", (long long)sum);
  }
}

static void run_stars(long count) {
  long above = 0;
  for (long i = 0; i < count; i++) {
    double ra = between(0, 6.28), dec = between(-1.5, 1.5), pr = between(-1e-5, 1e-5), pd = between(-1e-5, 1e-5);
    double px = between(0.001, 0.3), rv = between(-60, 60), utc1 = 2456384.5, utc2 = between(0, 3000), o[6], q[6], eo;
    double where[2] = {between(-3, 3)};
    where[1] = between(-1.3, 1.3);
    ok(eraAtco13(ra, dec, pr, pd, px, rv, utc1, utc2, 0.15, where[0], where[1], 2700.0, 1e-6, 2e-6, 730.0, 12.0, 0.6, 0.55,
                 &o[0], &o[1], &o[2], &o[3], &o[4], &eo));
    add(o, 5);
    above += o[1] < 1.4;
    ok(eraAtoc13("A", o[0], o[1], utc1, utc2, 0.15, where[0], where[1], 2700.0, 1e-6, 2e-6, 730.0, 12.0, 0.6, 0.55, &q[0],
                 &q[1]));
    add(q, 2);
    eraAtci13(ra, dec, pr, pd, px, rv, utc1, utc2, &q[0], &q[1], &eo), add(q, 2);
    eraAtic13(q[0], q[1], utc1, utc2, &o[0], &o[1], &eo), add(o, 2);
    eraHd2ae(o[2], dec, where[1], &q[0], &q[1]), eraAe2hd(q[0], q[1], where[1], &q[2], &q[3]);
    same(q[3], dec, "the declination came back as another");
    ok(eraStarpm(ra, dec, pr, pd, px, rv, utc1, utc2, utc1, 20000, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5])), add(o, 6);
    eraFk524(ra, dec, pr, pd, px, rv, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5]), add(o, 6);
    eraFk425(o[0], o[1], o[2], o[3], o[4], o[5], &q[0], &q[1], &q[2], &q[3], &q[4], &q[5]), same(q[0], ra, "another star");
    eraFk52h(ra, dec, pr, pd, px, rv, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5]), add(o, 6);
    eraH2fk5(o[0], o[1], o[2], o[3], o[4], o[5], &q[0], &q[1], &q[2], &q[3], &q[4], &q[5]), same(q[1], dec, "another star");
    eraFk45z(ra, dec, 1954.7, &o[0], &o[1]), add(o, 2);
    eraIcrs2g(ra, dec, &o[0], &o[1]), eraG2icrs(o[0], o[1], &q[0], &q[1]), same(q[0], ra, "another galactic longitude");
    eraEqec06(utc1, utc2, ra, dec, &o[2], &o[3]), eraEceq06(utc1, utc2, o[2], o[3], &q[0], &q[1]), same(q[1], dec, "another");
    add(o, 4);
    if (eraTpxes(ra + 0.01, dec, ra, dec, &o[0], &o[1]) == 0) {
      eraTpsts(o[0], o[1], ra, dec, &q[0], &q[1]), same(q[1], dec, "another point of the plate");
      eraTpors(o[0], o[1], ra + 0.01, dec, &q[0], &q[1], &q[2], &q[3]), add(q, 2);
    }
    add_two(eraSeps(ra, dec, where[0], where[1]), eraPas(ra, dec, where[0], where[1]));
    if (i % (count / 4 + 1) == 0) bench_print("above the horizon", above);
  }
  bench_print("above the horizon", above);
}

static void run_dates(void) {
  char line[128], sign;
  for (int y, m, d, hour, minute; fgets(line, sizeof line, stdin) != NULL;) {
    double second, utc1, utc2, tai1, tai2, ut1, ut2;
    int fields[4], status;
    if (sscanf(line, "%d %d %d %d %d %lf", &y, &m, &d, &hour, &minute, &second) != 6) bench_fail("not a date");
    status = eraDtf2d("UTC", y, m, d, hour, minute, second, &utc1, &utc2);
    printf("%d-%02d-%02d status %d", y, m, d, status);
    if (status >= 0) {
      for (int i = 0; i < 400; i++) add_time(utc1, utc2 + i * 7);
      ok(eraUtctai(utc1, utc2, &tai1, &tai2));
      ok(eraD2dtf("TAI", 3, tai1, tai2, &y, &m, &d, fields));
      printf(" TAI %d-%02d-%02d %02d:%02d:%02d.%03d", y, m, d, fields[0], fields[1], fields[2], fields[3]);
      ok(eraUtcut1(utc1, utc2, 0, &ut1, &ut2));
      eraA2tf(2, eraGmst06(ut1, ut2, tai1, tai2), &sign, fields);
      printf(" sidereal %c%02d:%02d:%02d.%02d", sign, fields[0], fields[1], fields[2], fields[3]);
    }
    putchar('\n');
    bench_print("date", y);
  }
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "dates") == 0) {
    run_dates();
    return 0;
  }
  long count = bench_number(argc, argv, 2, 1, 1000000);
  bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
  if (strcmp(mode, "time") == 0)
    run_time(count);
  else if (strcmp(mode, "frames") == 0)
    run_frames(count);
  else if (strcmp(mode, "planets") == 0)
    run_planets(count);
  else if (strcmp(mode, "stars") == 0)
    run_stars(count);
  else
    bench_fail("no such mode");
  return 0;
}
