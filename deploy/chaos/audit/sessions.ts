import { sessionKey } from '../promises.ts';
import { minorPerWh } from '../tariff.ts';
import type { AuditedStores, Evidence } from '../evidence.ts';
import { type Finding, repeated } from './finding.ts';

/** Compares acknowledged starts and ends with the stored sessions, and the price of each ended session with its energy. */
export async function auditSessions(
  { sql }: AuditedStores,
  { networkId, promises }: Evidence,
): Promise<{ starts: Finding; ends: Finding; prices: Finding }> {
  const rows = await sql<
    {
      uid: string;
      transactionId: string;
      /** Identity of the start: charger, time and register. */
      start: string;
      status: string;
      meterStopWh: number | null;
      priceState: string;
      costMinor: number | null;
    }[]
  >`
    select c.uid, s.ocpp_transaction_id as "transactionId", concat_ws(' ', c.uid, s.started_at, s.meter_start_wh) as start,
      s.status, s.meter_stop_wh::float8 as "meterStopWh",
      s.price_state as "priceState", s.cost_minor::float8 as "costMinor"
    from sessions s join chargers c on c.id = s.charger_id where s.network_id = ${networkId}`;
  const keys = rows.map((row) => sessionKey(row.uid, row.transactionId));
  const stored = new Map(rows.map((row, index) => [keys[index], row]));
  // A start whose answer was lost may be stored, once for each such answer.
  const unanswered = Map.groupBy(promises.refusedStarts, (uid) => uid);
  const unknown = rows.filter((_, index) => !promises.started.has(keys[index] ?? ''));
  const ended = [...promises.ended].map(([key, end]) => ({ key, end, row: stored.get(key) }));
  return {
    starts: {
      count: promises.started.size,
      lost: [...promises.started].filter((key) => !stored.has(key)),
      doubled: [
        ...repeated(rows.map(({ start }) => start)),
        ...[...Map.groupBy(unknown, ({ uid }) => uid)].flatMap(([uid, sessions]) =>
          sessions.slice(unanswered.get(uid)?.length ?? 0).map(({ start }) => start),
        ),
      ],
    },
    ends: {
      count: promises.ended.size,
      lost: ended
        .filter(({ end, row }) => row?.status !== 'COMPLETED' || row.meterStopWh !== end.meterStopWh)
        .map(({ key }) => key),
      doubled: null,
    },
    prices: {
      count: promises.ended.size,
      lost: ended
        .filter(
          ({ end, row }) => row?.priceState !== 'SETTLED' || row.costMinor !== end.energyWh * minorPerWh,
        )
        .map(({ key, row }) => `${key} ${row?.priceState} ${row?.costMinor}`),
      doubled: null,
    },
  };
}
