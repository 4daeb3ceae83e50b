import { command21 } from './commands21.ts';
import type { Dialect } from './dialect.ts';
import { SimulatedStation } from './simulated-station.ts';
import { dialect201 } from './station201.ts';
import type { Station, StationOptions } from './station.ts';

const dialect21: Dialect = { ...dialect201, protocol: 'ocpp2.1', command: command21 };

/** A simulated OCPP 2.1 charging station with one connector per EVSE; not connected yet. */
export function createStation21(options: StationOptions): Station {
  return new SimulatedStation(options, dialect21);
}
