import type { RPCClient } from 'ocpp-rpc';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findSession, type SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { until } from '#shared/testing/until.ts';
import type { Rig } from './rig.ts';

export const minute = 60_000;

/** Returns the reports of a 1.6 charger, each in a minute after `begin` (ms since 1970). */
export function scripted16(client: RPCClient, begin: number) {
  const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
  return {
    at,
    /** Answers with the transaction id. */
    async start(idTag: string, minutes: number, meterStart: number, connectorId = 1): Promise<number> {
      const start = { connectorId, idTag, meterStart, timestamp: at(minutes) };
      return ((await client.call('StartTransaction', start)) as { transactionId: number }).transactionId;
    },
    /** Only the last quarter of an hour is taken as said. */
    status: (minutes: number, status: string) =>
      client.call('StatusNotification', {
        connectorId: 1,
        errorCode: 'NoError',
        status,
        timestamp: at(minutes),
      }),
    meter(transactionId: number, minutes: number, registerWh: number, powerW?: number) {
      const power = { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' };
      const sampledValue = [{ value: String(registerWh) }, ...(powerW === undefined ? [] : [power])];
      const meterValue = [{ timestamp: at(minutes), sampledValue }];
      return client.call('MeterValues', { connectorId: 1, transactionId, meterValue });
    },
    stop: (transactionId: number, minutes: number, meterStop: number, idTag?: string) =>
      client.call('StopTransaction', {
        transactionId,
        meterStop,
        timestamp: at(minutes),
        ...(idTag !== undefined && { idTag }),
      }),
  };
}

/** The session of a transaction; a charger names its own in 2.0.1. */
export async function sessionOf({ stores }: Rig, transactionId: number | string): Promise<SessionRecord> {
  const [row] = await stores.sql<{ uuid: string }[]>`
    select uuid from sessions where ocpp_transaction_id = ${String(transactionId)}`;
  const everything = { networks: allNetworks, userId: null };
  const session = row === undefined ? null : await findSession(stores.sql, everything, row.uuid);
  if (session === null) throw new Error(`no session of ${transactionId}`);
  return session;
}

/** Resolves when the readings of a session came to this energy, Wh. */
export async function untilLive(rig: Rig, transactionId: number, energyWh: number): Promise<void> {
  await until(`${energyWh} Wh`, async () => (await sessionOf(rig, transactionId)).energyWh === energyWh);
}
