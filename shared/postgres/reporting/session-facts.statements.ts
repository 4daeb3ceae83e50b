import type { IdleTime } from '#shared/domain/charging/idle.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import type { PriceState } from '#shared/pricing/price-state.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  advanceReader,
  claimEvents,
  type EventRange,
  inRange,
  nextRange,
} from '#shared/postgres/kernel/outbox.statements.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';

/** Longer than a batch takes in ClickHouse; a sender without activity loses its lock after it. */
const longestSilence = '120s';

/** A changed session whose fact must be written, as it is now. */
export interface MarkedSession extends IdleTime {
  id: bigint;
  uuid: string;
  /** Rises with each change. */
  version: bigint;
  status: SessionStatus;
  networkId: number;
  chargerId: number;
  connectorId: number;
  locationId: number | null;
  userId: number | null;
  tariffId: number | null;
  startedAt: Date;
  endedAt: Date | null;
  energyWh: number;
  currency: string;
  cost: StoredCost | null;
  priceState: PriceState;
  /** Places where it was counted before its changes. */
  was: CountedPlace[];
}

/** Place where a session was counted. */
interface CountedPlace {
  networkId: number;
  startedAt: Date;
  endedAt: Date;
}

/** Changes that are being sent. The reader of the outbox moves past them when that is done. */
interface FactBatch {
  /** Number of this batch, higher than that of every batch before it. */
  number: bigint;
  sessions: MarkedSession[];
  /** Number of changes in the batch. */
  changes: number;
  range: EventRange;
}

/** An event of a session that is completed, or was. */
interface Change {
  position: bigint;
  sessionId: bigint;
  /** Place where the session was counted before. Null: it was not. */
  networkId: number | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

/**
 * Returns the oldest changes that were not sent yet; null if all were sent or another process is sending. No other process sends
 * until the transaction ends.
 */
export async function takeFactBatch(transaction: Transaction, limit: number): Promise<FactBatch | null> {
  let range = await claimEvents(transaction, 'facts', limit);
  while (range !== null) {
    const changes = range.count === 0 ? [] : await readChanges(transaction, range);
    if (changes.length > 0) return startBatch(transaction, range, changes);
    await advanceReader(transaction, range);
    range = range.count < limit ? null : await nextRange(transaction, 'facts', range.upTo, limit);
  }
  return null;
}

async function readChanges(transaction: Transaction, range: EventRange): Promise<Change[]> {
  const wasCounted = transaction`e.internal #>> '{was,status}' = 'COMPLETED'`;
  return transaction<Change[]>`
    select e.position, e.subject_id as "sessionId",
      case when ${wasCounted} then (e.internal #>> '{was,network_id}')::integer end as "networkId",
      case when ${wasCounted} then (e.internal #>> '{was,started_at}')::timestamptz end as "startedAt",
      case when ${wasCounted} then (e.internal #>> '{was,ended_at}')::timestamptz end as "endedAt"
    from outbox e
    where ${inRange(transaction, range)}
      and (e.internal ->> 'status' = 'COMPLETED' or ${wasCounted} or e.type = 'session_fact.due')
    order by e.position`;
}

async function startBatch(
  transaction: Transaction,
  range: EventRange,
  changes: Change[],
): Promise<FactBatch> {
  await transaction`select set_config('idle_in_transaction_session_timeout', ${longestSilence}, true)`;
  const [batch] = await transaction<{ number: bigint }[]>`select nextval('session_fact_batch') as number`;
  if (batch === undefined) throw new Error('a sequence gave no number');
  // Read after their events: a newer change has an event of its own.
  const sessions = await readSessions(transaction, changes);
  return { number: batch.number, sessions, changes: changes.length, range };
}

async function readSessions(transaction: Transaction, all: Change[]): Promise<MarkedSession[]> {
  const bySession = Map.groupBy(all, ({ sessionId }) => sessionId);
  const rows = await transaction<Omit<MarkedSession, 'version' | 'was'>[]>`
    select s.id, s.uuid, s.status, s.network_id as "networkId", s.charger_id as "chargerId",
      s.connector_id as "connectorId", c.location_id as "locationId", s.user_id as "userId",
      s.tariff_id as "tariffId", s.started_at as "startedAt", s.ended_at as "endedAt", s.energy_wh as "energyWh",
      s.currency, s.cost, s.price_state as "priceState", s.idle_periods as "idlePeriods", s.idle_started_at as "idleStartedAt",
      s.idle_cause as "idleCause"
    from sessions s join chargers c on c.id = s.charger_id
    where s.id = any(${[...bySession.keys()].map(String)}::bigint[])`;
  return rows.map((row) => {
    const changes = bySession.get(row.id) ?? [];
    return {
      ...row,
      version: changes.at(-1)?.position ?? 0n,
      was: changes.flatMap(({ networkId, startedAt, endedAt }) =>
        networkId === null || startedAt === null || endedAt === null
          ? []
          : [{ networkId, startedAt, endedAt }],
      ),
    };
  });
}
