import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Map as MapLibre } from 'maplibre-gl';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Box, MapCanvas, type View } from './map-canvas.tsx';
import { addMarker } from './markers.ts';
import styles from './map-canvas.module.css';

type Feature = Schemas['ChargerMap']['features'][number];

/** Zoom at which a press on a cluster shows its chargers as a list instead of coming closer. */
const closestZoom = 16;

/** Chargers on a map: clusters by the server, with the shares of their states. */
export function MapPage() {
  const { t } = useTranslation(['map', 'common']);
  const formats = useFormats();
  const network = useNetworkQuery();
  const navigate = useNavigate();
  const { at } = useSearch({ from: '/signed-in/fleet/map' });
  const [view] = useState(() => viewOf(at));
  const [box, setBox] = useState<Box | null>(null);
  const found = useQuery({
    queryKey: ['map', network, box],
    queryFn: () => api.GET('/cpms/v1/chargers/map', { params: { query: { ...network, ...queryOf(box) } } }),
    enabled: box !== null,
    placeholderData: keepWithin('map', network),
    refetchInterval: 30_000,
  });
  const { data, error } = found;
  const [map, setMap] = useState<MapLibre | null>(null);
  const open = useEffectEvent(({ properties, bbox, geometry }: Feature) => {
    const [west = 0, south = 0, east = 0, north = 0] = bbox;
    if (properties.locationUuid !== null) {
      void navigate({ to: '/fleet/chargers', search: { location: properties.locationUuid } });
    } else if (west === east && south === north) {
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      map?.easeTo({ center: [longitude, latitude], zoom: Math.min(closestZoom, map.getZoom() + 3) });
    } else {
      map?.fitBounds([west, south, east, north], { padding: 60, maxZoom: closestZoom });
    }
  });
  const nameOf = useEffectEvent(({ properties: { name, chargers, states: counts } }: Feature) =>
    [
      name ?? t('cluster'),
      t('chargers', { count: chargers, number: formats.integer(chargers) }),
      ...chargerStates
        .filter((state) => counts[state] > 0)
        .map((state) => `${t(`common:state.${state}`)}: ${formats.integer(counts[state])}`),
    ].join(', '),
  );
  const features = data?.features;
  useEffect(() => {
    if (map === null || features === undefined) return;
    const markers = features.map((feature) =>
      addMarker(map, feature, {
        count: formats.integer(feature.properties.chargers),
        name: nameOf(feature),
        open: () => open(feature),
      }),
    );
    return () => {
      for (const marker of markers) marker.remove();
    };
  }, [map, features, formats]);
  const move = (next: View, shown: Box) => {
    setBox(shown);
    const text = [next.longitude.toFixed(4), next.latitude.toFixed(4), next.zoom.toFixed(2)].join(',');
    void navigate({ to: '.', search: (before) => ({ ...before, at: text }), replace: true });
  };
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <p>
          {data !== undefined && t('shown', { count: data.chargers, number: formats.integer(data.chargers) })}
          {data !== undefined &&
            data.chargersWithoutLocation > 0 &&
            ` · ${t('withoutLocation', { number: formats.integer(data.chargersWithoutLocation) })}`}
        </p>
        <ul className={styles['legend']} aria-label={t('legend')}>
          {chargerStates.map((state) => (
            <li key={state}>
              <StateBadge state={state} />
            </li>
          ))}
        </ul>
      </header>
      <StaleNotice query={found} />
      {error !== null && data === undefined && (
        <ErrorNotice error={error} retry={() => void found.refetch()} />
      )}
      <MapCanvas view={view} onMove={move} onReady={setMap} />
    </div>
  );
}

function viewOf(at: string | undefined): View | null {
  const [longitude, latitude, zoom] = (at ?? '').split(',').map(Number);
  if (longitude === undefined || latitude === undefined || zoom === undefined) return null;
  return [longitude, latitude, zoom].every(Number.isFinite) ? { longitude, latitude, zoom } : null;
}

function queryOf(box: Box | null): { bbox: string; zoom: number } {
  const { west, south, east, north, zoom } = box ?? { west: -180, south: -85, east: 180, north: 85, zoom: 0 };
  const bounded = [Math.max(-180, west), Math.max(-85, south), Math.min(180, east), Math.min(85, north)];
  return { bbox: bounded.map((value) => value.toFixed(5)).join(','), zoom: Math.round(Math.min(20, zoom)) };
}
