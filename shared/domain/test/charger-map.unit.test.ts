import t from 'tap';
import { gridCells, maxMapFeatures, maxMapZoom } from '#shared/domain/fleet/charger-map.ts';

void t.test('keeps cells of 64 pixels for the box of a screen', async (t) => {
  // 1280 by 800 pixels at zoom 8: 5 tiles are 7.03 degrees.
  t.equal(gridCells({ west: 3, south: 51, east: 10.03, north: 53.7 }, 8), 2 ** 8 * 4);
});

void t.test('returns fewer cells than features for any box and zoom level', async (t) => {
  const boxes = [
    { west: -180, south: -90, east: 180, north: 90 },
    { west: 170, south: -20, east: -170, north: 20 },
    { west: 0, south: 0, east: 0, north: 0 },
  ];
  for (const box of boxes) {
    for (let zoom = 0; zoom <= maxMapZoom; zoom += 1) {
      const cells = gridCells(box, zoom);
      const width = (box.west <= box.east ? box.east - box.west : box.east - box.west + 360) / 360;
      t.ok(cells === 4 || width * cells <= maxMapFeatures, `${JSON.stringify(box)} at ${zoom}`);
      t.ok(cells <= 2 ** zoom * 4 || zoom === 0);
    }
  }
});
