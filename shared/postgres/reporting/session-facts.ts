import type { IdleTime } from '#shared/domain/charging/idle.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import type { PriceState } from '#shared/pricing/price-state.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { StoredCost } from '#shared/postgres/money/cost.ts';

/** One sender at a time over all processes; the number means nothing beyond being ours. */
const senderLock = 7_140_900_003;

/** Longer than ClickHouse may take for a batch; a sender that is gone without a word loses its lock after it. */
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
export interface CountedPlace {
  networkId: number;
  startedAt: Date;
  endedAt: Date;
}

/** Changes that are being sent; their marks are removed when that is done. */
export interface FactBatch {
  /** Of this batch alone, and higher than that of every batch before it. */
  number: bigint;
  sessions: MarkedSession[];
  markIds: bigint[];
}

interface Mark {
  id: bigint;
  sessionId: bigint;
  networkId: number | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

/**
 * The oldest changes that were not sent yet; null: there are none, or another process is sending. Nobody else sends
 * until the transaction ends.
 */
export async function takeFactBatch(transaction: Transaction, limit: number): Promise<FactBatch | null> {
  const [lock] = await transaction<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${senderLock}) as "isMine"`;
  if (lock?.isMine !== true) return null;
  const marks = await transaction<Mark[]>`
    select id, session_id as "sessionId", was_network_id as "networkId", was_started_at as "startedAt",
      was_ended_at as "endedAt"
    from session_fact_marks order by id limit ${limit}`;
  if (marks.length === 0) return null;
  await transaction`select set_config('idle_in_transaction_session_timeout', ${longestSilence}, true)`;
  const [batch] = await transaction<{ number: bigint }[]>`select nextval('session_fact_batch') as number`;
  if (batch === undefined) throw new Error('a sequence gave no number');
  // Read after their marks: what is newer than them has marks of its own.
  const sessions = await readSessions(transaction, marks);
  return { number: batch.number, sessions, markIds: marks.map(({ id }) => id) };
}

/** Removes the marks of a batch that was sent. */
export async function removeMarks(transaction: Transaction, { markIds }: FactBatch): Promise<void> {
  await transaction`delete from session_fact_marks where id = any(${markIds.map(String)}::bigint[])`;
}

async function readSessions(transaction: Transaction, marks: Mark[]): Promise<MarkedSession[]> {
  const bySession = Map.groupBy(marks, ({ sessionId }) => sessionId);
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
      // In the order of their ids.
      version: changes.at(-1)?.id ?? 0n,
      was: changes.flatMap(({ networkId, startedAt, endedAt }) =>
        networkId === null || startedAt === null || endedAt === null
          ? []
          : [{ networkId, startedAt, endedAt }],
      ),
    };
  });
}
