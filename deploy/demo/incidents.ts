import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runObedience, type LifeOptions } from '#shared/simulator/life.ts';
import { between } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import type { OperatorApi } from './chargers.ts';
import { demoApi } from './demo-api.ts';

/** Chargers with a trouble, by their uid. */
export const incidents = {
  /** Its only connector has a ground fault. Of OCPP 1.6. */
  faulted: 'DEMO-3C02',
  /** Has a wrong password: it is offline, and its connections are rejected. Of OCPP 1.6. */
  offline: 'DEMO-2A03',
  /** Loses its connection every few minutes. */
  flapping: 'DEMO-2B04',
  /** Cannot download the firmware that an operator requested. */
  failedUpdate: 'DEMO-1B02',
  /** Its last driver had less money than the session cost. */
  unpaid: 'DEMO-1A02',
} as const;

/** Chargers whose first connector ends its history with a jump of the register: their sessions are in the review queue. */
export const faultyMeters: ReadonlySet<string> = new Set(['DEMO-1A01', 'DEMO-2B01', 'DEMO-3C01']);

/** Pause between two attempts of a flapping charger to connect, in ms. */
export const flappingBackoff = { baseMs: 45_000, maxMs: 90_000 };

/** Identity that connects although no charger is registered with it. */
const unknownIdentity = 'DEMO-4A01';

/** More than the threshold of the alert. */
const wrongAttempts = 4;

/** Reports a ground fault, and starts only what the back end starts. */
export async function runFaulted(station: Station, options: LifeOptions): Promise<void> {
  const payload = {
    connectorId: 1,
    status: 'Faulted',
    errorCode: 'GroundFailure',
    info: 'Residual current of 34 mA',
    timestamp: new Date().toISOString(),
  };
  await station.rpc?.call({ action: 'StatusNotification', payload });
  await runObedience(station, options);
}

/** Stays offline until the end of the demo. */
export async function runOffline(station: Station, { signal }: LifeOptions): Promise<void> {
  await station.close();
  if (!signal.aborted) await once(signal, 'abort');
}

/** Cuts the connection every few minutes until the end of the demo. */
export async function flap(station: Station, { signal, random }: LifeOptions): Promise<void> {
  while (!signal.aborted) {
    await sleep(between(random, 120_000, 300_000), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await station.rpc?.terminate();
  }
}

/** Connects with a wrong password and with an unknown identity, and requests an update that fails. */
export async function causeIncidents(api: OperatorApi, ocppUrl: string): Promise<void> {
  for (let attempt = 0; attempt < wrongAttempts; attempt += 1) {
    await attemptConnection(ocppUrl, incidents.offline);
  }
  await attemptConnection(ocppUrl, unknownIdentity);
  const { get, post } = demoApi(api.url, api.key);
  const [charger] = await get<{ id: string }[]>(`/cpms/v1/chargers?search=${incidents.failedUpdate}`);
  if (charger === undefined) throw new Error(`there is no charger ${incidents.failedUpdate}`);
  await post(`/cpms/v1/chargers/${charger.id}/firmware/update`, {
    location: 'https://firmware.demo.example/twin-22-4.3.0.bin',
  });
}

/** Connects once with a wrong password, which is rejected. */
async function attemptConnection(ocppUrl: string, uid: string): Promise<void> {
  const options = {
    ocppUrl,
    uid,
    password: 'not the password',
    connectors: 1,
    vendor: 'Demo',
    model: 'Demo',
  };
  const station = createStation16(options);
  await station.connect().catch(() => undefined);
  await station.close();
}
