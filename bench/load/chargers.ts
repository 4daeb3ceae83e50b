import type { System } from '#bench/system/system.ts';

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
  const chargers = Array.from<RegisteredCharger>({ length: count });
  const network = system.networkId === null ? {} : { networkUuid: system.networkId };
  let next = 0;
  const register = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const uid = `${prefix}-${String(number).padStart(6, '0')}`;
      const response = await fetch(`${system.apiUrl}/cpms/v1/chargers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': system.operatorKey },
        body: JSON.stringify({ ...network, serial: uid }),
      });
      if (response.status !== 201) throw new Error(`a charger was not registered: ${await response.text()}`);
      const { data } = (await response.json()) as { data: { id: string; ocppPassword: string } };
      chargers[number] = { number, id: data.id, uid, password: data.ocppPassword };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, register));
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
