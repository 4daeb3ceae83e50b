import { createStation16 } from './station16.ts';
import { createStation201 } from './station201.ts';
import { createStation21 } from './station21.ts';

/** Simulated charging stations by OCPP version. */
export const stations = {
  '1.6': createStation16,
  '2.0.1': createStation201,
  '2.1': createStation21,
} as const;

/** Returns whether stations of a version can be simulated. */
export function isSimulated(version: string): version is keyof typeof stations {
  return Object.hasOwn(stations, version);
}
