import type { ClickHouse } from '#shared/clickhouse/client.ts';
import {
  type ChangedPlace,
  insertSessionFacts,
  renewRollups,
  type SessionFact,
} from '#shared/clickhouse/session-facts.queries.ts';
import { chargingTimes } from '#shared/domain/charging/charging-times.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { advanceReader, assignPositions, hasUnread } from '#shared/postgres/kernel/outbox.statements.ts';
import { type MarkedSession, takeFactBatch } from '#shared/postgres/reporting/session-facts.statements.ts';

/** As many changes as one query of the rollups can name. */
const batchSize = 1000;

/**
 * Sends the sessions that changed to ClickHouse. Returns the number of changes, which is 0 too while another process sends.
 * The reader of the outbox moves on when everything is written. A process that dies before leaves the events to the next, and writing
 * the same again changes nothing.
 */
export async function sendSessionFacts(sql: Sql, clickhouse: ClickHouse, limit = batchSize): Promise<number> {
  await assignPositions(sql);
  if (!(await hasUnread(sql, 'facts'))) return 0;
  return sql.begin(async (transaction) => {
    const batch = await takeFactBatch(transaction, limit);
    if (batch === null) return 0;
    const facts = batch.sessions.flatMap(factsOf);
    if (facts.length > 0) {
      await insertSessionFacts(clickhouse, facts);
      await renewRollups(clickhouse, batch.sessions.flatMap(placesOf), batch.number);
    }
    await advanceReader(transaction, batch.range);
    return batch.changes;
  });
}

/**
 * Returns the fact of a session as it is now, and one that cancels each end at which it was counted before.
 */
function factsOf(session: MarkedSession): SessionFact[] {
  const { networkId } = session;
  const endedAt = isCounted(session) ? boundedTime(session.endedAt) : null;
  const left = session.was
    .map((place) => ({ networkId: place.networkId, endedAt: boundedTime(place.endedAt) }))
    .filter((place) => place.networkId !== networkId || place.endedAt !== endedAt);
  const places = left.map((place) => ({ ...factOf(session, place.endedAt), ...place, isCounted: false }));
  return endedAt === null ? places : [factOf(session, endedAt), ...places];
}

/** Returns true when a session counts in analytics. Its energy and revenue are not known while its price is in review. */
function isCounted(session: MarkedSession): session is MarkedSession & { endedAt: Date } {
  return session.status === 'COMPLETED' && session.endedAt !== null && session.priceState !== 'REVIEW';
}

function factOf(session: MarkedSession, endedAt: number): SessionFact {
  const startedAt = Math.min(boundedTime(session.startedAt), endedAt);
  const durationMs = endedAt - startedAt;
  const times = chargingTimes({ ...session, startedAt: new Date(startedAt) }, new Date(endedAt));
  const { cost } = session;
  return {
    networkId: session.networkId,
    endedAt,
    sessionId: session.id,
    version: session.version,
    isCounted: true,
    sessionUuid: session.uuid,
    chargerId: session.chargerId,
    connectorId: session.connectorId,
    locationId: session.locationId ?? 0,
    userId: session.userId ?? 0,
    tariffId: session.tariffId ?? 0,
    startedAt,
    durationMs,
    idleMs: durationMs - times.reduce((total, { from, to }) => total + to - from, 0),
    charging: times.flatMap(({ from, to }) => {
      const believed = { from: Math.max(from, endedAt - longestMs), to };
      return believed.from < to ? [believed] : [];
    }),
    energyMilliWh: Math.min(Math.round(session.energyWh * 1000), maxMilliWh),
    currency: session.currency,
    costExclVatMinor: cost === null ? null : BigInt(cost.totalExclVatMinor),
    costInclVatMinor: cost === null ? null : BigInt(cost.totalInclVatMinor),
  };
}

function placesOf(session: MarkedSession): ChangedPlace[] {
  const { networkId, startedAt, endedAt } = session;
  const now = isCounted(session) && endedAt !== null ? [{ networkId, startedAt, endedAt }] : [];
  return [...now, ...session.was].map((place) => {
    const to = boundedTime(place.endedAt);
    const from = Math.min(Math.max(boundedTime(place.startedAt), to - longestMs), to);
    return { networkId: place.networkId, from, to };
  });
}

/**
 * Maximum duration in ms of a session; one of decades, by a wrong clock, would fill the rollups with millions
 * of slots.
 */
const longestMs = 366 * 24 * 60 * 60 * 1000;

/** Highest value of a column. One session must not block all others: a higher value is cut. */
const maxMilliWh = Number.MAX_SAFE_INTEGER;
const latest = Date.UTC(2100, 0, 1);

function boundedTime(time: Date): number {
  return Math.min(Math.max(time.getTime(), 0), latest);
}
