import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { vendor } from './chargers.ts';
import type { Promises } from './promises.ts';
import type { Pulse, PulseName } from './pulse.ts';
import { apiNames, type ProductName, type Topology } from './topology.ts';

const clientsPerApi = 2;
const pauseMs = 200;
const timeoutMs = 10_000;

/** Clients of the operator API. */
export interface Clients {
  /** Credits a wallet and sends commands until the signal. */
  live(signal: AbortSignal): Promise<void>;
  /** Sends a credit once, or once more; returns true when it is acknowledged. */
  credit(api: ProductName, idempotencyKey: string): Promise<boolean>;
}

export function createClients(
  topology: Topology,
  records: { key: string; walletUuid: string; chargers: readonly SeededCharger[] },
  promises: Promises,
  pulse: Pulse,
): Clients {
  const post = async (api: ProductName, path: string, idempotencyKey: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${topology.fronts[api].port}/cpms/v1${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': records.key,
        'idempotency-key': idempotencyKey,
        'x-request-id': idempotencyKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return response.status === 200;
  };
  const acknowledged = async (name: PulseName, request: () => Promise<boolean>): Promise<boolean> => {
    const sentAt = performance.now();
    const isAcknowledged = await request().catch(() => false);
    if (isAcknowledged) pulse.record(name, sentAt);
    return isAcknowledged;
  };
  const credit: Clients['credit'] = async (api, idempotencyKey) => {
    const body = { amount: 1, reason: idempotencyKey };
    const path = `/wallets/${records.walletUuid}/credit`;
    const isBooked = await acknowledged(api, () => post(api, path, idempotencyKey, body));
    if (isBooked) promises.credits.add(idempotencyKey);
    return isBooked;
  };
  const creditUntil = async (api: ProductName, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const idempotencyKey = randomUUID();
      if (!(await credit(api, idempotencyKey))) promises.openCredits.add(idempotencyKey);
      await wait(pauseMs);
    }
  };
  const commandUntil = async (api: ProductName, first: number, signal: AbortSignal): Promise<void> => {
    for (let turn = first; !signal.aborted; turn++) {
      const charger = records.chargers[turn % records.chargers.length];
      if (charger === undefined) throw new Error('there is no charger');
      const id = randomUUID();
      const body = { vendorId: vendor, data: id };
      const send = () => post(api, `/chargers/${charger.uuid}/ocpp/DataTransfer`, id, body);
      if (await acknowledged('commands', send)) promises.commands.set(id, Date.now());
      await wait(pauseMs);
    }
  };
  return {
    credit,
    async live(signal) {
      const numbers = Array.from({ length: clientsPerApi }, (_, index) => index);
      await Promise.all(
        apiNames.flatMap((api) =>
          numbers.flatMap((number) => [creditUntil(api, signal), commandUntil(api, number * 7, signal)]),
        ),
      );
    },
  };
}
