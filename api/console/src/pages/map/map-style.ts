import type { RasterSourceSpecification, StyleSpecification } from 'maplibre-gl';
import { themeColor } from '../../ui/chart/series.ts';
import type { FeatureCollection } from 'geojson';

export interface MapTiles {
  url: string;
  attribution: string | null;
}

/** Reads whether this installation has tiles of its own for the map. */
export async function readMapTiles(): Promise<MapTiles | null> {
  const response = await fetch('/console/settings.json');
  return ((await response.json()) as { mapTiles: MapTiles | null }).mapTiles;
}

/** Returns the style of the map: tiles where they are set, else countries in the colours of the theme. */
export function mapStyle(tiles: MapTiles | null, countries: FeatureCollection | null): StyleSpecification {
  const background = {
    id: 'background',
    type: 'background',
    paint: { 'background-color': themeColor('--surface-sunken') },
  } as const;
  if (tiles !== null) {
    const source: RasterSourceSpecification = { type: 'raster', tileSize: 256 };
    if (tiles.url.endsWith('.pmtiles')) source.url = `pmtiles://${tiles.url}`;
    else source.tiles = [tiles.url];
    if (tiles.attribution !== null) source.attribution = tiles.attribution;
    return {
      version: 8,
      sources: { tiles: source },
      layers: [background, { id: 'tiles', type: 'raster', source: 'tiles' }],
    };
  }
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: countries ?? { type: 'FeatureCollection', features: [] } },
    },
    layers: [
      background,
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': themeColor('--surface') } },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': themeColor('--border'), 'line-width': 1 },
      },
    ],
  };
}
