import { readFileSync } from 'node:fs';
import { Token } from './asked.ts';
import { Cdr, Session, Tariff } from './charged.ts';
import { Connector, EnergyMix, Evse, Hours, Location } from './locations.ts';
import { Credentials, VersionDetails } from './registration.ts';
import type { Shape } from './shape.ts';

/**
 * The example objects of the standard, as it has them: Open Charge Point Interface 2.2.1, © EVRoaming Foundation, under
 * CC BY-ND 4.0, https://github.com/ocpi/ocpi. It has none of commands and charging profiles.
 */
const folder = new URL('./examples/', import.meta.url);

const mix: Shape = { energy_mix: ['1', EnergyMix] };

/** Of each whole object: its name here, the section that it is from, and its class. */
export const examples: Record<string, { section: string; shape: Shape }> = {
  'version-details': { section: '6.2', shape: VersionDetails },
  credentials: { section: '7.4', shape: Credentials },
  'credentials-two-roles': { section: '7.4', shape: Credentials },
  location: { section: '8.3.1', shape: Location },
  'location-parking-garage': { section: '8.3.1', shape: Location },
  'location-limited-visibility': { section: '8.3.1', shape: Location },
  'energy-mix-simple': { section: '8.4.6', shape: mix },
  'energy-mix-provider': { section: '8.4.6', shape: mix },
  'energy-mix-complete': { section: '8.4.6', shape: mix },
  'hours-always-but-closed-once': { section: '8.4.14', shape: Hours },
  'hours-closed-once': { section: '8.4.14', shape: Hours },
  'hours-open-once': { section: '8.4.14', shape: Hours },
  'session-start': { section: '9.3.1', shape: Session },
  'session-finished': { section: '9.3.1', shape: Session },
  cdr: { section: '10.3.1', shape: Cdr },
  'tariff-alternative-text': { section: '11.3.1', shape: Tariff },
  'tariff-alternative-url': { section: '11.3.1', shape: Tariff },
  'tariff-complex': { section: '11.3.1', shape: Tariff },
  'tariff-max-price': { section: '11.3.1', shape: Tariff },
  'tariff-min-price': { section: '11.3.1', shape: Tariff },
  'tariff-first-hour-free': { section: '11.3.1', shape: Tariff },
  'tariff-reservation': { section: '11.3.1', shape: Tariff },
  'token-put': { section: '12.2.1.2', shape: Token },
  'token-rfid': { section: '12.3.2', shape: Token },
};

/** The same of what changes an object. */
export const changes: typeof examples = {
  'location-patch': { section: '8.2.2.3', shape: Location },
  'evse-patch': { section: '8.2.2.3', shape: Evse },
  'connector-patch': { section: '8.2.2.3', shape: Connector },
  'token-patch': { section: '12.2.1.3', shape: Token },
};

/** One of the examples. */
export function example(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Record<string, unknown>;
}
