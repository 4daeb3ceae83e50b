import { Map as MapLibre, NavigationControl, addProtocol, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { Protocol } from 'pmtiles';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadCountries } from './land.ts';
import { mapStyle, readMapTiles } from './map-style.ts';
import styles from './map-canvas.module.css';

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
