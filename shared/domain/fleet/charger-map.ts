/** Box on the map, in degrees (WGS 84). It crosses the antimeridian when `west` is greater than `east`. */
export interface MapBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Maximum zoom level of a map. */
export const maxMapZoom = 20;

/** Zoom level from which on locations are not clustered. */
export const singleLocationsZoom = 16;

/** Maximum number of features of a map. */
export const maxMapFeatures = 500;

/** Cells of the grid along one side of a map tile: with tiles of 256 pixels a cell has 64. */
const cellsPerTile = 4;

/**
 * Returns the number of cells along the whole world for a zoom level, in the Web Mercator projection. The grid is coarser than
 * the zoom level where the box would have more cells than features.
 */
export function gridCells(box: MapBox, zoom: number): number {
  const width = box.west <= box.east ? box.east - box.west : box.east - box.west + 360;
  const height = mercatorY(box.south) - mercatorY(box.north);
  for (let level = zoom; level > 0; level -= 1) {
    const cells = 2 ** level * cellsPerTile;
    // A box that begins within a cell touches one more.
    const touched = ((width / 360) * cells + 1) * (height * cells + 1);
    if (touched <= maxMapFeatures) return cells;
  }
  return cellsPerTile;
}

/** Maximum latitude of Web Mercator. */
export const maxMercatorLatitude = 85.051_13;

/** Returns the position of a latitude from north to south, 0 to 1. */
function mercatorY(latitude: number): number {
  const bounded = Math.min(maxMercatorLatitude, Math.max(-maxMercatorLatitude, latitude));
  const angle = Math.PI / 4 + (bounded * Math.PI) / 360;
  return 0.5 - Math.log(Math.tan(angle)) / (2 * Math.PI);
}
