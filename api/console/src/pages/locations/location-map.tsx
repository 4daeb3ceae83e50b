import { type Map as MapLibre, Marker } from 'maplibre-gl';
import { useEffect, useEffectEvent, useState } from 'react';
import { MapCanvas, type View } from '../map/map-canvas.tsx';

interface Position {
  latitude: number;
  longitude: number;
}

interface Props {
  position: Position | null;
  /** Receives the position that was pressed. Left out: the map shows the position only. */
  onPick?: (position: Position) => void;
}

/** Zoom at which the surroundings of a location are seen, also on the built-in map without streets. */
const closeZoom = 6;

/** Small map with the position of a location. */
export function LocationMap({ position, onPick }: Props) {
  const [map, setMap] = useState<MapLibre | null>(null);
  const [view] = useState<View | null>(() => (position === null ? null : { ...position, zoom: closeZoom }));
  const pick = useEffectEvent((picked: Position) => onPick?.(picked));
  useEffect(() => {
    if (map === null) return;
    const onClick = map.on('click', ({ lngLat }) => pick({ latitude: lngLat.lat, longitude: lngLat.lng }));
    return () => onClick.unsubscribe();
  }, [map]);
  const latitude = position?.latitude;
  const longitude = position?.longitude;
  useEffect(() => {
    if (map === null || latitude === undefined || longitude === undefined) return;
    const color = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    const marker = new Marker({ color }).setLngLat([longitude, latitude]).addTo(map);
    if (!map.getBounds().contains([longitude, latitude])) map.jumpTo({ center: [longitude, latitude] });
    return () => {
      marker.remove();
    };
  }, [map, latitude, longitude]);
  return <MapCanvas view={view} onMove={() => undefined} onReady={setMap} />;
}
