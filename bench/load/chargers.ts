import type { System } from '#bench/system/system.ts';
import { forEachAtOnce } from './bench-station.ts';
import { requestJson } from './http.ts';

/** A charger that the bench registered. */
export interface RegisteredCharger {
  /** Position in its fleet, from 0. Even ones speak OCPP 1.6, odd ones 2.0.1. */
  number: number;
  /** Identifier in the operator API. */
  id: string;
  uid: string;
  password: string;
}

/** Requests to the API that are under way at once. */
const atOnce = 16;

/** Registers chargers through the operator API, in the order of their numbers. */
export async function registerChargers(
  system: Pick<System, 'apiUrl' | 'operatorKey' | 'networkId'>,
  count: number,
  prefix = uniquePrefix(),
): Promise<RegisteredCharger[]> {
  const network = system.networkId === null ? {} : { networkUuid: system.networkId };
  const numbers = Array.from({ length: count }, (_, number) => number);
  const chargers = Array.from<RegisteredCharger>({ length: count });
  await forEachAtOnce(numbers, atOnce, async (number) => {
    const uid = `${prefix}-${String(number).padStart(6, '0')}`;
    const { data } = await requestJson<{ data: { id: string; ocppPassword: string } }>(
      system,
      system.operatorKey,
      '/cpms/v1/chargers',
      { ...network, serial: uid },
    );
    chargers[number] = { number, id: data.id, uid, password: data.ocppPassword };
  });
  return chargers;
}

/** Returns a prefix of serials that earlier runs against the same system did not use. */
function uniquePrefix(): string {
  return `BENCH-${Date.now().toString(36).toUpperCase()}`;
}

/** Chargers of a yardstick, which knows no registration. */
export function bareChargers(count: number): RegisteredCharger[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    id: '',
    uid: `BENCH-${String(number).padStart(6, '0')}`,
    password: 'password-of-a-station',
  }));
}
