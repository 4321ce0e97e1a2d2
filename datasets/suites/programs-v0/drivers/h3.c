/* Places on the earth as cells of the H3 grid of hexagons.
 *
 *   index COUNT SEED          random places: cells, outlines, areas, parents, children, edges and corners
 *   travel RESOLUTION K SEED  disks, rings, distances, paths and local coordinates around cells and pentagons
 *   fill RESOLUTION           the polygon on the standard input, a latitude and a longitude in degrees a line, filled
 *                             in four ways, compacted, and traced back to outlines
 */
#include "bench.h"

#include "h3api.h"

static void ok(H3Error error) { bench_check(error == E_SUCCESS, describeH3Error(error)); }

static void add_place(const LatLng *at) {
  bench_add_real(at->lat, 6);
  bench_add_real(at->lng, 6);
}

static void add_boundary(const CellBoundary *line) {
  for (int i = 0; i < line->numVerts; i++) add_place(&line->verts[i]);
}

static H3Index *cells_of(int64_t count) {
  H3Index *cells = bench_alloc((size_t)count * sizeof *cells);
  memset(cells, 0, (size_t)count * sizeof *cells); /* H3 leaves what it does not use at 0, no cell */
  return cells;
}

/* Adds the cells to the checksum, and gives back how many there are. */
static long long add_cells(const H3Index *cells, int64_t room) {
  long long count = 0;
  for (int64_t i = 0; i < room; i++) {
    if (cells[i] == 0) continue;
    bench_check(isValidCell(cells[i]), "not a cell");
    bench_add_number(cells[i]);
    count++;
  }
  return count;
}

static H3Index random_cell(int resolution, LatLng *at) {
  H3Index cell;
  at->lat = degsToRads(bench_unit() * 170 - 85);
  at->lng = degsToRads(bench_unit() * 360 - 180);
  ok(latLngToCell(at, resolution, &cell));
  return cell;
}

static void run_index(long count) {
  double area = 0, length = 0, moved = 0;
  for (long i = 0; i < count; i++) {
    int resolution = (int)(i % 16), faces = 0, face[5];
    LatLng at, centre;
    CellBoundary outline;
    H3Index cell = random_cell(resolution, &at), again, edges[6], corners[6];
    char name[20];
    ok(cellToLatLng(cell, &centre));
    ok(cellToBoundary(cell, &outline));
    add_place(&centre);
    add_boundary(&outline);
    moved += greatCircleDistanceKm(&at, &centre);
    ok(h3ToString(cell, name, sizeof name));
    ok(stringToH3(name, &again));
    bench_check(again == cell && getResolution(cell) == resolution, "the name is of another cell");
    bench_add(name, strlen(name));
    bench_add_number((uint64_t)getBaseCellNumber(cell) + (isPentagon(cell) ? 1000 : 0));
    ok(maxFaceCount(cell, &faces));
    ok(getIcosahedronFaces(cell, face));
    for (int f = 0; f < faces; f++) bench_add_number((uint64_t)(face[f] + 1));

    double one;
    ok(cellAreaKm2(cell, &one));
    bench_add_real(one, 5);
    area += one;
    ok(originToDirectedEdges(cell, edges));
    ok(cellToVertexes(cell, corners));
    for (int k = 0; k < 6; k++) {
      if (edges[k] != 0) {
        ok(edgeLengthKm(edges[k], &one));
        ok(getDirectedEdgeDestination(edges[k], &again));
        ok(directedEdgeToBoundary(edges[k], &outline));
        add_boundary(&outline);
        bench_add_number(again);
        length += one;
      }
      if (corners[k] != 0) {
        ok(vertexToLatLng(corners[k], &centre));
        bench_check(isValidVertex(corners[k]), "not a corner");
        add_place(&centre);
      }
    }

    int64_t place, size;
    for (int up = 0; up <= resolution; up += 3) {
      H3Index parent;
      ok(cellToParent(cell, up, &parent));
      ok(cellToChildPos(cell, up, &place));
      ok(childPosToCell(place, parent, resolution, &again));
      bench_check(again == cell, "another child has this place");
      bench_add_number(parent + (uint64_t)place);
    }
    if (resolution <= 12) {
      ok(cellToChildrenSize(cell, resolution + 3, &size));
      H3Index *children = cells_of(size);
      ok(cellToChildren(cell, resolution + 3, children));
      add_cells(children, size);
      free(children);
    }
    if (i % (count / 4 + 1) == 0) bench_print("area in km2", (long long)area);
  }
  bench_print("edges in km", (long long)length);
  bench_print("moved in km", (long long)moved);
}

static void run_travel(int resolution, int k) {
  H3Index pentagons[12];
  int64_t size, distance, refused = 0, reached = 0, steps = 0;
  ok(getPentagons(resolution, pentagons));
  ok(maxGridDiskSize(k, &size));
  H3Index *disk = cells_of(size);
  int *away = bench_alloc((size_t)size * sizeof *away);
  for (int i = 0; i < 36; i++) {
    LatLng place;
    H3Index from = i < 12 ? pentagons[i] : random_cell(resolution, &place);
    memset(disk, 0, (size_t)size * sizeof *disk);
    memset(away, 0, (size_t)size * sizeof *away);
    ok(gridDiskDistances(from, k, disk, away));
    reached += add_cells(disk, size);
    for (int64_t at = i % 7; at < size; at += 7) {
      CoordIJ ij;
      H3Index back;
      if (disk[at] == 0) continue;
      bench_add_number((uint64_t)away[at]);
      if (gridDistance(from, disk[at], &distance) != E_SUCCESS) { /* the way is across a pentagon */
        refused++;
        continue;
      }
      bench_check(distance >= away[at], "a cell is nearer than it can be");
      if (cellToLocalIj(from, disk[at], 0, &ij) == E_SUCCESS && localIjToCell(from, &ij, 0, &back) == E_SUCCESS)
        bench_add_number((uint64_t)(ij.i * 10000 + ij.j) + back);
      if (gridPathCellsSize(from, disk[at], &distance) == E_SUCCESS) {
        H3Index *path = cells_of(distance);
        int adjacent = 0;
        if (gridPathCells(from, disk[at], path) == E_SUCCESS) {
          steps += add_cells(path, distance);
          if (distance > 1) ok(areNeighborCells(path[0], path[1], &adjacent));
          bench_check(distance == 1 || adjacent, "the path has a gap");
        }
        free(path);
      }
    }
    H3Index *ring = cells_of(6 * k);
    if (gridRingUnsafe(from, k, ring) == E_SUCCESS)
      add_cells(ring, 6 * k);
    else
      refused++;
    free(ring);
    if (i % 12 == 11) {
      bench_print("cells reached", reached);
      bench_print("steps", steps);
    }
  }
  bench_print("refused", refused);
  free(away);
  free(disk);
}

static void trace(const H3Index *cells, int64_t count) {
  LinkedGeoPolygon shapes;
  long long polygons = 0, loops = 0, places = 0;
  ok(cellsToLinkedMultiPolygon(cells, (int)count, &shapes));
  for (const LinkedGeoPolygon *polygon = &shapes; polygon != NULL; polygon = polygon->next, polygons++)
    for (const LinkedGeoLoop *loop = polygon->first; loop != NULL; loop = loop->next, loops++)
      for (const LinkedLatLng *place = loop->first; place != NULL; place = place->next, places++)
        add_place(&place->vertex);
  destroyLinkedMultiPolygon(&shapes);
  bench_print("outlines", loops);
  bench_print("corners of outlines", places);
}

static void run_fill(int resolution) {
  LatLng corners[64], hole[64];
  GeoLoop inner = {.verts = hole};
  GeoPolygon polygon = {.geoloop = {.verts = corners}, .numHoles = 1, .holes = &inner};
  double latitude, longitude, middle_lat = 0, middle_lng = 0;
  int n = 0;
  for (char line[128]; n < 64 && fgets(line, sizeof line, stdin) != NULL;)
    if (sscanf(line, "%lf %lf", &latitude, &longitude) == 2) {
      corners[n].lat = degsToRads(latitude);
      corners[n++].lng = degsToRads(longitude);
    }
  bench_check(n >= 3, "a polygon has three corners or more");
  polygon.geoloop.numVerts = inner.numVerts = n;
  for (int i = 0; i < n; i++) {
    middle_lat += corners[i].lat / n;
    middle_lng += corners[i].lng / n;
  }
  for (int i = 0; i < n; i++) { /* a hole of the same shape, smaller, about the middle */
    hole[i].lat = middle_lat + (corners[i].lat - middle_lat) * 0.3;
    hole[i].lng = middle_lng + (corners[i].lng - middle_lng) * 0.3;
  }
  for (int way = -1; way < (int)CONTAINMENT_INVALID; way++) { /* -1: the older function */
    int64_t room, small, large;
    if (way < 0)
      ok(maxPolygonToCellsSize(&polygon, resolution, 0, &room));
    else
      ok(maxPolygonToCellsSizeExperimental(&polygon, resolution, (uint32_t)way, &room));
    H3Index *cells = cells_of(room), *packed = cells_of(room);
    if (way < 0)
      ok(polygonToCells(&polygon, resolution, 0, cells));
    else
      ok(polygonToCellsExperimental(&polygon, resolution, (uint32_t)way, room, cells));
    small = 0;
    for (int64_t i = 0; i < room; i++)
      if (cells[i] != 0) cells[small++] = cells[i];
    bench_print("cells", add_cells(cells, small));
    trace(cells, small);
    ok(compactCells(cells, packed, small));
    bench_print("compacted", add_cells(packed, small));
    ok(uncompactCellsSize(packed, small, resolution, &large));
    bench_check(large == small, "the cells were not all kept");
    ok(uncompactCells(packed, small, cells, large, resolution));
    add_cells(cells, large);
    free(packed);
    free(cells);
  }
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "index") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    run_index(bench_number(argc, argv, 2, 1, 1000000));
  } else if (strcmp(mode, "travel") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
    run_travel((int)bench_number(argc, argv, 2, 1, 15), (int)bench_number(argc, argv, 3, 1, 200));
  } else if (strcmp(mode, "fill") == 0) {
    run_fill((int)bench_number(argc, argv, 2, 0, 15));
  } else {
    bench_fail("no such mode");
  }
  return 0;
}
