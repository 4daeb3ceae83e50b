import {
  countMessages,
  type MessageCount,
  type MessageFilter,
  readMessages,
  type StoredMessage,
} from '#shared/clickhouse/ocpp-messages.ts';
import { readStatusEvents, type StoredStatusEvent } from '#shared/clickhouse/status-events.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from './chargers.service.ts';
import { type BucketQuery, type BucketRange, bucketRange } from './meter-series.service.ts';
import { cutPage, decodeCursor, encodeCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';

export { messageDirections, messageKinds } from '#shared/clickhouse/ocpp-messages.ts';
export { statusEventKinds } from '#shared/clickhouse/status-events.ts';

/** Charger whose history is requested, and the part of it. */
export interface HistoryQuery {
  chargerUuid: string;
  networkUuid: string | undefined;
  /** Both inclusive. */
  from: Date | undefined;
  to: Date | undefined;
  /** End of the previous page. */
  cursor: string | undefined;
  limit: number;
}

/** One page of a history, newest first; `nextCursor` null: there is nothing older. */
interface HistoryPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** A status event with the number that operators know the connector by; null if it is not an event of a connector. */
export interface NumberedStatusEvent extends StoredStatusEvent {
  connectorNumber: number | null;
}

/** Message with its identifier: its position in the log of its charger, which is also a cursor. */
export interface IdentifiedMessage extends StoredMessage {
  id: string;
}

type MessageQuery = Pick<
  MessageFilter,
  'action' | 'direction' | 'callDirection' | 'errorsOnly' | 'messageId' | 'search'
>;

/**
 * The frames between a charger and the gateway.
 * @throws {DomainError} CHARGER_NOT_FOUND; VALIDATION_FAILED for a cursor or times that are wrong; STORE_UNAVAILABLE.
 */
export async function readChargerMessages(
  deps: ServiceDeps,
  caller: Caller,
  query: HistoryQuery & MessageQuery,
): Promise<HistoryPage<IdentifiedMessage>> {
  const { limit } = query;
  const before = positionBefore(query);
  const charger = await requireCharger(deps, caller, query.chargerUuid, query.networkUuid);
  const filter = { ...query, before: before && { time: before.time, seq: before.tie } };
  const rows = await fromClickHouse(readMessages(deps.clickhouse, charger, filter, limit + 1));
  const page = cutPage(rows, limit, ({ time, seq }) => ({ time, tie: seq }));
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, id: encodeCursor({ time: row.time, tie: row.seq }) })),
  };
}

/**
 * Counts the calls of a charger and their errors by bucket.
 * @throws {DomainError} CHARGER_NOT_FOUND; VALIDATION_FAILED for a wrong range; STORE_UNAVAILABLE.
 */
export async function countChargerMessages(
  deps: ServiceDeps,
  caller: Caller,
  query: BucketQuery & { chargerUuid: string; networkUuid: string | undefined },
): Promise<BucketRange & { chargerUuid: string; counts: MessageCount[] }> {
  const range = bucketRange(query);
  const charger = await requireCharger(deps, caller, query.chargerUuid, query.networkUuid);
  const counts = await fromClickHouse(countMessages(deps.clickhouse, charger, range));
  return { chargerUuid: charger.uuid, ...range, counts };
}

/**
 * Returns the status reports of a charger, and the times at which its sockets opened and closed.
 * @throws {DomainError} as `readChargerMessages` does.
 */
export async function readStatusHistory(
  deps: ServiceDeps,
  caller: Caller,
  query: HistoryQuery,
): Promise<HistoryPage<NumberedStatusEvent>> {
  const { from, to, limit } = query;
  const before = positionBefore(query);
  const charger = await requireCharger(deps, caller, query.chargerUuid, query.networkUuid);
  const [events, places] = await Promise.all([
    fromClickHouse(
      readStatusEvents(
        deps.clickhouse,
        charger,
        { from, to, before: before && { time: before.time, digest: before.tie } },
        limit + 1,
      ),
    ),
    listConnectorPlaces(deps.sql, charger.id),
  ]);
  const numbers = new Map(places.map(({ evse, connector, number }) => [`${evse}/${connector}`, number]));
  const page = cutPage(events, limit, ({ time, digest }) => ({ time, tie: digest }));
  const rows = page.rows.map((event) => ({
    ...event,
    connectorNumber: numbers.get(`${event.evse}/${event.connector}`) ?? null,
  }));
  return { ...page, rows };
}

function positionBefore({ from, to, cursor }: HistoryQuery) {
  requireOrder({ from, to });
  return cursor === undefined ? undefined : decodeCursor(cursor);
}
