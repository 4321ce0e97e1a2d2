/* Rigid bodies in the plane.
 *
 *   fall BODIES STEPS SEED    boxes, discs, heptagons and capsules that fall on a slope, with collisions counted
 *   joints CHAINS STEPS SEED  bodies held by every kind of joint and spring, and motors
 *   queries COUNT SEED        points, segments, boxes and shapes asked for among many still shapes
 *   terrain STEPS             a map on the standard input, # for rock, traced to outlines that balls roll over
 *
 * A heap of bodies is chaotic, so that simulations are short and positions enter the checksum coarsely.
 */
#include "bench.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/cpMarch.h>
#include <chipmunk/cpPolyline.h>

enum { DIGITS = 4, MOVING = 1, STILL = 2 };

static void free_constraint(cpBody *body, cpConstraint *constraint, void *data) {
  (void)body, (void)data;
  if (cpConstraintGetSpace(constraint)) cpSpaceRemoveConstraint(cpConstraintGetSpace(constraint), constraint);
  cpConstraintFree(constraint);
}

static void free_shape(cpBody *body, cpShape *shape, void *data) {
  (void)body, (void)data;
  cpSpaceRemoveShape(cpShapeGetSpace(shape), shape);
  cpShapeFree(shape);
}

static void list_body(cpBody *body, void *next) { *(*(cpBody ***)next)++ = body; }

static void count_body(cpBody *body, void *count) { (void)body, ++*(size_t *)count; }

static void free_space(cpSpace *space) {
  size_t count = 0;
  cpSpaceEachBody(space, count_body, &count);
  cpBody **bodies = bench_alloc(count * sizeof *bodies), **next = bodies;
  cpSpaceEachBody(space, list_body, &next);
  for (size_t i = 0; i < count; i++) {
    cpBodyEachConstraint(bodies[i], free_constraint, NULL);
    cpBodyEachShape(bodies[i], free_shape, NULL);
    cpSpaceRemoveBody(space, bodies[i]);
    cpBodyFree(bodies[i]);
  }
  cpBodyEachShape(cpSpaceGetStaticBody(space), free_shape, NULL);
  cpSpaceFree(space);
  free(bodies);
}

static void add_body(cpBody *body, void *energy) {
  cpVect at = cpBodyGetPosition(body);
  bench_add_number((uint64_t)(int64_t)(10 * at.x + 100000.5));
  bench_add_number((uint64_t)(int64_t)(10 * at.y + 100000.5));
  *(double *)energy += cpBodyKineticEnergy(body);
}

static void run(cpSpace *space, int steps) {
  for (int step = 1; step <= steps; step++) {
    cpSpaceStep(space, 1.0 / 60);
    if (step % (steps / 4 + 1) != 0 && step != steps) continue;
    double energy = 0;
    cpSpaceEachBody(space, add_body, &energy);
    bench_print("energy in thousands", (long long)(energy / 1000));
  }
}

static cpShape *still(cpSpace *space, cpShape *shape) {
  cpShapeSetFriction(shape, 0.8);
  cpShapeSetElasticity(shape, 0.3);
  cpShapeSetCollisionType(shape, STILL);
  return cpSpaceAddShape(space, shape);
}

/* A body of kind 0 to 3, with its one shape. */
static cpBody *moving(cpSpace *space, int kind, cpVect at) {
  cpVect corners[7]; /* on a circle and counter-clockwise, so that they are their own convex hull */
  for (int i = 0; i < 7; i++) corners[i] = cpvmult(cpvforangle(0.9 * i + 0.4 * bench_unit()), 7);
  cpFloat moment = kind == 0   ? cpMomentForBox(1, 10, 8)
                   : kind == 1 ? cpMomentForCircle(1, 0, 5, cpvzero)
                   : kind == 2 ? cpMomentForPoly(1, 7, corners, cpvzero, 0.5)
                               : cpMomentForSegment(1, cpv(-4, 0), cpv(4, 0), 3);
  cpBody *body = cpSpaceAddBody(space, cpBodyNew(1, moment));
  cpShape *shape = kind == 0   ? cpBoxShapeNew(body, 10, 8, 0.2)
                   : kind == 1 ? cpCircleShapeNew(body, 5, cpvzero)
                   : kind == 2 ? cpPolyShapeNewRaw(body, 7, corners, 0.5)
                               : cpSegmentShapeNew(body, cpv(-4, 0), cpv(4, 0), 3);
  cpBodySetPosition(body, at);
  cpBodySetAngle(body, bench_unit() * 3);
  cpShapeSetFriction(shape, 0.6);
  cpShapeSetElasticity(shape, 0.2);
  cpShapeSetCollisionType(shape, MOVING);
  cpSpaceAddShape(space, shape);
  return body;
}

static cpBool touched(cpArbiter *pair, cpSpace *space, cpDataPointer counts) {
  (void)space;
  ((long *)counts)[0] += cpArbiterGetCount(pair);
  return cpTrue;
}

static void parted(cpArbiter *pair, cpSpace *space, cpDataPointer counts) {
  (void)space, (void)pair;
  ((long *)counts)[1]++;
}

static void run_fall(int bodies, int steps) {
  long counts[2] = {0, 0};
  cpSpace *space = cpSpaceNew();
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceSetIterations(space, 12);
  cpSpaceSetSleepTimeThreshold(space, 0.5);
  if (bodies % 2) cpSpaceUseSpatialHash(space, 14, 2000); /* else the tree of boxes */
  cpCollisionHandler *handler = cpSpaceAddCollisionHandler(space, MOVING, STILL);
  handler->beginFunc = touched;
  handler->separateFunc = parted;
  handler->userData = counts;
  still(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-400, 60), cpv(400, -20), 3));
  still(space, cpBoxShapeNew2(cpSpaceGetStaticBody(space), cpBBNew(300, -40, 340, 120), 1));
  for (int i = 0; i < bodies; i++) moving(space, i % 4, cpv(i % 20 * 18 - 180 + bench_unit(), 90 + i / 20 * 16));
  run(space, steps);
  bench_print("touched", counts[0]);
  bench_print("parted", counts[1]);
  free_space(space);
}

static void run_joints(int chains, int steps) {
  cpSpace *space = cpSpaceNew();
  cpSpaceSetGravity(space, cpv(0, -100));
  cpSpaceSetDamping(space, 0.9);
  for (int c = 0; c < chains; c++) {
    cpBody *before = cpSpaceGetStaticBody(space);
    cpVect top = cpv(60.0 * c, 0);
    for (int link = 0; link < 9; link++) {
      cpVect at = cpv(60.0 * c + link, -20.0 * (link + 1)), here = link ? cpvzero : top;
      cpBody *body = moving(space, link % 4, at);
      cpConstraint *all[3] = {NULL, NULL, NULL};
      int kind = (link + c) % 9;
      if (kind >= 5 && kind <= 7) all[1] = cpPinJointNew(before, body, here, cpvzero);
      switch (kind) {
        case 0: all[0] = cpPinJointNew(before, body, here, cpvzero); break;
        case 1: all[0] = cpSlideJointNew(before, body, here, cpvzero, 10, 25); break;
        case 2:
          all[0] = cpPivotJointNew(before, body, cpv(at.x, at.y + 10));
          all[1] = cpSimpleMotorNew(before, body, 2);
          break;
        case 3: all[0] = cpGrooveJointNew(before, body, here, cpvadd(here, cpv(0, -25)), cpv(0, 5)); break;
        case 4: all[0] = cpDampedSpringNew(before, body, here, cpvzero, 20, 60, 2); break;
        case 5: all[0] = cpDampedRotarySpringNew(before, body, 0.3, 900, 20); break;
        case 6: all[0] = cpRotaryLimitJointNew(before, body, -0.4, 0.4); break;
        case 7: all[0] = cpRatchetJointNew(before, body, 0, 0.5); break;
        default:
          all[0] = cpPivotJointNew2(before, body, here, cpv(0, 20));
          all[1] = cpGearJointNew(before, body, 0.2, 2);
      }
      for (int i = 0; all[i] != NULL; i++) {
        cpConstraintSetMaxForce(all[i], 1e6);
        cpConstraintSetCollideBodies(all[i], cpFalse);
        cpSpaceAddConstraint(space, all[i]);
      }
      cpBodyApplyImpulseAtLocalPoint(body, cpv(bench_unit() * 20 - 10, 0), cpv(0, 1));
      before = body;
    }
  }
  run(space, steps);
  free_space(space);
}

static void on_point(cpShape *shape, cpVect point, cpFloat distance, cpVect gradient, void *count) {
  (void)shape, (void)point, (void)gradient;
  bench_add_number((uint64_t)(distance < 0));
  ++*(long *)count;
}

static void on_segment(cpShape *shape, cpVect point, cpVect normal, cpFloat along, void *count) {
  (void)shape, (void)point, (void)normal, (void)along;
  ++*(long *)count;
}

static void on_box(cpShape *shape, void *count) { (void)shape, ++*(long *)count; }

static void on_shape(cpShape *shape, cpContactPointSet *points, void *count) {
  (void)shape;
  *(long *)count += points->count;
}

static void run_queries(int count) {
  long points = 0, segments = 0, boxes = 0, contacts = 0;
  cpSpace *space = cpSpaceNew();
  cpBody *probe = cpBodyNewKinematic();
  cpShape *shape = cpBoxShapeNew(probe, 60, 30, 2);
  for (int i = 0; i < 500; i++) {
    cpVect at = cpv(bench_unit() * 1000, 0);
    at.y = bench_unit() * 1000;
    moving(space, i % 4, at);
  }
  cpSpaceStep(space, 1.0 / 60);
  for (int i = 0; i < count; i++) {
    cpVect from = cpv(bench_unit() * 1000, 500), to = cpv(bench_unit() * 1000, 10.0 * (i % 100));
    cpPointQueryInfo near;
    cpSegmentQueryInfo hit;
    cpSpacePointQuery(space, to, 30, CP_SHAPE_FILTER_ALL, on_point, &points);
    cpSpaceSegmentQuery(space, from, to, 1, CP_SHAPE_FILTER_ALL, on_segment, &segments);
    cpSpaceBBQuery(space, cpBBNewForCircle(to, 25), CP_SHAPE_FILTER_ALL, on_box, &boxes);
    cpBodySetPosition(probe, to);
    cpBodySetAngle(probe, 0.1 * i);
    cpShapeCacheBB(shape);
    cpSpaceShapeQuery(space, shape, on_shape, &contacts);
    if (cpSpacePointQueryNearest(space, from, 100, CP_SHAPE_FILTER_ALL, &near)) bench_add_real(near.distance, DIGITS);
    if (cpSpaceSegmentQueryFirst(space, to, from, 2, CP_SHAPE_FILTER_ALL, &hit)) bench_add_real(hit.alpha, DIGITS);
  }
  bench_print("points", points);
  bench_print("segments", segments);
  bench_print("boxes", boxes);
  bench_print("contacts", contacts);
  cpShapeFree(shape);
  cpBodyFree(probe);
  free_space(space);
}

enum { ROWS = 32, COLUMNS = 64, CELL = 20 };
static char map[ROWS][COLUMNS + 2];

static cpFloat rock(cpVect at, void *data) {
  int row = (int)(at.y / CELL), column = (int)(at.x / CELL);
  (void)data;
  return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS && map[row][column] == '#' ? 1.0 : 0.0;
}

static void run_terrain(int steps) {
  cpSpace *space = cpSpaceNew();
  long pieces = 0, closed = 0;
  for (int row = ROWS - 1; row >= 0 && fgets(map[row], sizeof map[row], stdin) != NULL; row--) {}
  cpPolylineSet *lines = cpPolylineSetNew();
  cpBB all = cpBBNew(0, 0, COLUMNS * CELL, ROWS * CELL);
  cpMarchSoft(all, 100, 60, 0.5, (cpMarchSegmentFunc)cpPolylineSetCollectSegment, lines, rock, NULL);
  for (int i = 0; i < lines->count; i++) {
    cpPolyline *curve = cpPolylineSimplifyCurves(lines->lines[i], 1.5), *simple = cpPolylineSimplifyVertexes(curve, 1);
    for (int k = 0; k + 1 < simple->count; k++) {
      still(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), simple->verts[k], simple->verts[k + 1], 1));
      bench_add_real(simple->verts[k].x, DIGITS);
    }
    if (cpPolylineIsClosed(simple)) {
      cpVect centre = cpCentroidForPoly(simple->count - 1, simple->verts);
      bench_add_real(cpAreaForPoly(simple->count - 1, simple->verts, 0), DIGITS);
      bench_add_real(centre.x, DIGITS);
      closed++;
    }
    pieces += simple->count;
    cpPolylineFree(simple);
    cpPolylineFree(curve);
  }
  bench_print("outlines", lines->count);
  bench_print("pieces", pieces);
  bench_print("closed", closed);
  cpPolylineSetFree(lines, cpTrue);
  cpSpaceSetGravity(space, cpv(0, -600));
  for (int i = 0; i < 240; i++) {
    double x = 100 + i % 60 * 17.0, y = ROWS * CELL - 20 - 3.0 * (i % 5) + i / 60 * 16;
    moving(space, i % 4, cpv(x, y));
  }
  run(space, steps);
  free_space(space);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  int count = (int)bench_number(argc, argv, 2, 1, 100000), fall = strcmp(mode, "fall") == 0;
  int simulation = fall || strcmp(mode, "joints") == 0, terrain = strcmp(mode, "terrain") == 0;
  bench_seed(terrain ? 1 : (uint64_t)bench_number(argc, argv, simulation ? 4 : 3, 0, 1000000));
  if (simulation) {
    int steps = (int)bench_number(argc, argv, 3, 1, 10000);
    fall ? run_fall(count, steps) : run_joints(count, steps);
  } else if (terrain) {
    run_terrain(count);
  } else if (strcmp(mode, "queries") == 0) {
    run_queries(count);
  } else {
    bench_fail("no such mode");
  }
  return 0;
}
