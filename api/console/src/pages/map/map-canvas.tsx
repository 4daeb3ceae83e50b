import {
  Map as MapLibre,
  NavigationControl,
  addProtocol,
  setWorkerUrl,
  type RasterSourceSpecification,
  type StyleSpecification,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { Protocol } from 'pmtiles';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './map-canvas.module.css';
import type { FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { themeColor } from '../../ui/chart/theme-color.ts';

setWorkerUrl(workerUrl);
addProtocol('pmtiles', new Protocol().tile);

/** Part of the world that is shown. */
export interface View {
  longitude: number;
  latitude: number;
  zoom: number;
}

export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
  zoom: number;
}

interface Props {
  /** View at first; null: that of `fit`. */
  view: View | null;
  onMove: (view: View, box: Box) => void;
  onReady: (map: MapLibre) => void;
}

/** Map without markers. It takes its colours from the theme and loads its tiles as the installation says. */
export function MapCanvas({ view, onMove, onReady }: Props) {
  const { t } = useTranslation('map');
  const holder = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const report = useEffectEvent((map: MapLibre) => {
    const [centre, bounds, zoom] = [map.getCenter(), map.getBounds(), map.getZoom()];
    onMove(
      { longitude: centre.lng, latitude: centre.lat, zoom },
      {
        west: bounds.getWest(),
        south: bounds.getSouth(),
        east: bounds.getEast(),
        north: bounds.getNorth(),
        zoom,
      },
    );
  });
  const create = useEffectEvent((container: HTMLDivElement) => {
    const map = new MapLibre({
      container,
      style: mapStyle(null, null),
      center: [view?.longitude ?? 8, view?.latitude ?? 50],
      zoom: view?.zoom ?? 4,
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
    });
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    map.touchZoomRotate.disableRotation();
    map.on('moveend', () => report(map));
    map.once('load', () => {
      report(map);
      onReady(map);
    });
    return map;
  });
  useEffect(() => {
    const container = holder.current;
    if (container === null) return;
    const map = create(container);
    let isShown = true;
    const draw = async () => {
      const tiles = await readMapTiles();
      const countries = tiles === null ? await loadCountries() : null;
      if (isShown) map.setStyle(mapStyle(tiles, countries));
    };
    const drawOrSay = () => void draw().catch((error: unknown) => setFailure(String(error)));
    drawOrSay();
    const theme = new MutationObserver(drawOrSay);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      isShown = false;
      theme.disconnect();
      map.remove();
    };
  }, []);
  return (
    <div className={styles['canvas']}>
      <div ref={holder} className={styles['holder']} role="region" aria-label={t('label')} />
      {failure !== null && (
        <p role="alert" className={styles['failure']}>
          {failure}
        </p>
      )}
    </div>
  );
}

/** Loads the countries of the built-in map (Natural Earth, public domain), a file of this origin. */
async function loadCountries(): Promise<FeatureCollection> {
  const response = await fetch(countriesUrl);
  const topology = (await response.json()) as Topology;
  const { countries } = topology.objects;
  if (countries === undefined) throw new Error('the map has no countries');
  return feature(topology, countries) as FeatureCollection;
}

interface MapTiles {
  url: string;
  attribution: string | null;
}

/** Reads whether this installation has tiles of its own for the map. */
async function readMapTiles(): Promise<MapTiles | null> {
  const response = await fetch('/console/settings.json');
  return ((await response.json()) as { mapTiles: MapTiles | null }).mapTiles;
}

/** Returns the style of the map: tiles where they are set, else countries in the colours of the theme. */
function mapStyle(tiles: MapTiles | null, countries: FeatureCollection | null): StyleSpecification {
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
