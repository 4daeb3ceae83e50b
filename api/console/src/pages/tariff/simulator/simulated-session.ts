import { zonedInput, zonedInstant } from '../../../texts/zoned-time.ts';
import { numberOf } from '../../../texts/numbers.ts';
import type { SimulationSearch } from '../tariff-search.ts';

/** Power curves: one power, that of a fast charger as the battery fills, or parts of one's own. */
export const shapes = ['constant', 'falling', 'own'] as const;
type Shape = (typeof shapes)[number];

/** Part of the charging time, as its inputs hold it. */
export interface PartFields {
  /** Identifies the row of inputs. */
  id: number;
  minutes: string;
  power: string;
}

/** Session that is simulated, as its inputs hold it. */
export interface SessionFields {
  shape: Shape;
  power: string;
  energy: string;
  parts: readonly PartFields[];
  parking: string;
  /** Wall-clock time in the zone. */
  start: string;
  zone: string;
}

export interface Part {
  minutes: number;
  powerKw: number;
}

/** Session as the API accepts it. */
export interface SimulatedSession {
  startTime: string;
  timeZone: string;
  charging: Part[];
  parkingMinutes: number;
}

/** Shares of the energy and of the highest power, as a battery fills. */
const fall = [
  [0.5, 1],
  [0.2, 0.75],
  [0.15, 0.5],
  [0.15, 0.25],
] as const;

const evening = 'T18:00';

/** Returns the session of the address; without one: 22 kWh with 11 kW, from this evening, and an hour of parking. */
export function fieldsOf(search: SimulationSearch, networkZone: string | undefined): SessionFields {
  const zone = zoneOf(search.zone) ?? networkZone ?? 'UTC';
  const start = search.start?.slice(0, 16);
  const isStart = start !== undefined && zonedInstant(start, zone) !== null;
  return {
    ...curveOf(search.session ?? ''),
    parking: /^([\d.]+)min$/.exec(search.parking ?? '')?.[1] ?? '60',
    start: isStart ? start : `${zonedInput(Date.now(), zone).slice(0, 10)}${evening}`,
    zone,
  };
}

function zoneOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function curveOf(text: string): Pick<SessionFields, 'shape' | 'power' | 'energy' | 'parts'> {
  const [, falls, power = '11', energy = '22'] = /^(falling_)?([\d.]+)kW_([\d.]+)kWh$/.exec(text) ?? [];
  const parts = text.split('_').map((part) => /^([\d.]+)minx([\d.]+)kW$/.exec(part));
  if (parts.every((part) => part !== null)) {
    const own = parts.map(([, minutes = '', kw = ''], id) => ({ id, minutes, power: kw }));
    return { shape: 'own', power, energy, parts: own };
  }
  const one = [{ id: 0, minutes: '60', power }];
  return { shape: falls === undefined ? 'constant' : 'falling', power, energy, parts: one };
}

/** Returns the address of a session. What is no number yet is left as it was. */
export function searchOf(fields: SessionFields): SimulationSearch {
  const { shape, start, zone, parking } = fields;
  const [power, energy] = [numberOf(fields.power), numberOf(fields.energy)];
  const curve = `${power}kW_${energy}kWh`;
  const own = fields.parts.map((part) => `${numberOf(part.minutes)}minx${numberOf(part.power)}kW`);
  return {
    session: shape === 'own' ? own.join('_') : shape === 'falling' ? `falling_${curve}` : curve,
    parking: `${numberOf(parking) ?? 0}min`,
    start,
    zone,
  };
}

const isAbove = (value: number | null | undefined, least: number): value is number =>
  typeof value === 'number' && value > least;

/** Returns the parts of the charging time; null while a value is missing. */
export function partsOf({ shape, power, energy, parts }: SessionFields): Part[] | null {
  if (shape === 'own') {
    const own = parts.map((part) => ({ minutes: numberOf(part.minutes), powerKw: numberOf(part.power) }));
    const isWhole = (part: (typeof own)[number]): part is Part =>
      isAbove(part.minutes, 0) && isAbove(part.powerKw, -1e-9);
    return own.length > 0 && own.every(isWhole) ? own : null;
  }
  const [kw, kwh] = [numberOf(power), numberOf(energy)];
  if (!isAbove(kw, 0) || !isAbove(kwh, 0)) return null;
  const steps = shape === 'falling' ? fall : ([[1, 1]] as const);
  return steps.map(([share, of]) => ({
    minutes: ((kwh * share) / (kw * of)) * 60,
    powerKw: kw * of,
  }));
}

/** Returns the session as the API accepts it; null while a value is missing. */
export function sessionOf(fields: SessionFields): SimulatedSession | null {
  const charging = partsOf(fields);
  const startTime = zonedInstant(fields.start, fields.zone);
  const parkingMinutes = numberOf(fields.parking) ?? 0;
  if (charging === null || startTime === null || parkingMinutes < 0) return null;
  return { startTime, timeZone: fields.zone, charging, parkingMinutes };
}

/** Returns the minutes of charging. */
export const chargingMinutes = (parts: readonly Part[]) =>
  parts.reduce((sum, { minutes }) => sum + minutes, 0);
