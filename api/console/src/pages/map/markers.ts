import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { Schemas } from '../../api/client.ts';
import styles from './map-canvas.module.css';

type Feature = Schemas['ChargerMap']['features'][number];
type States = Feature['properties']['states'];

/** Colours of the states around a marker, by the parts of the ring. */
const colors: Record<keyof States, string> = {
  faulted: '--state-faulted',
  offline: '--state-offline',
  unavailable: '--state-unavailable',
  reserved: '--state-reserved',
  occupied: '--state-occupied',
  available: '--state-available',
  unknown: '--state-unknown',
};

interface Options {
  /** Text in the marker. */
  count: string;
  /** Name of the marker, read and shown on hover. */
  name: string;
  open: () => void;
}

/** Adds the marker of a cluster or a location: its number of chargers in a ring of their states. */
export function addMarker(map: MapLibre, feature: Feature, { count, name, open }: Options): Marker {
  const { chargers, states } = feature.properties;
  const [longitude = 0, latitude = 0] = feature.geometry.coordinates;
  const size = Math.round(30 + Math.min(26, Math.log10(chargers + 1) * 9));
  const element = document.createElement('button');
  element.type = 'button';
  element.className = styles['marker'] ?? '';
  element.style.width = `${size}px`;
  element.style.height = `${size}px`;
  element.style.background = `conic-gradient(${ringOf(states, chargers)})`;
  element.setAttribute('aria-label', name);
  element.title = name;
  const text = document.createElement('span');
  text.textContent = count;
  element.append(text);
  element.addEventListener('click', (event) => {
    event.stopPropagation();
    open();
  });
  return new Marker({ element }).setLngLat([longitude, latitude]).addTo(map);
}

/** Parts of the ring, as stops of a gradient. */
function ringOf(states: States, chargers: number): string {
  let from = 0;
  const stops: string[] = [];
  for (const state of Object.keys(colors) as (keyof States)[]) {
    const share = states[state] / Math.max(1, chargers);
    if (share === 0) continue;
    stops.push(`var(${colors[state]}) ${from}turn ${from + share}turn`);
    from += share;
  }
  return stops.join(', ');
}
