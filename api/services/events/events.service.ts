import type { EventQuery } from './event-query.ts';
import { type PublicEventType, publicEventTypes } from '#shared/domain/events/event-types.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { positionBeforeLast, readEventLog } from '#shared/postgres/events/event-log.ts';
import { positionBefore, readLogBounds } from '#shared/postgres/events/log-positions.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type CloudEvent, cloudEventOf } from './cloud-event.ts';
import { eventCursor, positionOfCursor, requireKept } from './event-cursors.ts';

/** Events that a caller requests. */
export interface EventRequest {
  networkUuid: string | undefined;
  /** Types, or `session.*` for all of a subject; lists are separated by commas. */
  types: readonly string[];
  chargerUuid: string | undefined;
  locationUuid: string | undefined;
  sessionUuid: string | undefined;
  from: Date | undefined;
  cursor: string | undefined;
  /** Number of newest events to begin with. A cursor and a time take precedence. */
  last: number | undefined;
}

/** Page of events, oldest first. */
interface EventList {
  events: CloudEvent[];
  /** Start of the next page, also when it has no event yet. */
  nextCursor: string;
  /** True when events that the filter may take follow at once. */
  hasMore: boolean;
}

/** Pages of the log that one request reads while the filter takes no event. */
const pagesPerRequest = 5;

/**
 * Returns the events of the caller's networks after a cursor, otherwise from a time on, otherwise from the oldest.
 * @throws {DomainError} NETWORK_NOT_FOUND, EVENTS_EXPIRED; VALIDATION_FAILED for an unknown type or cursor.
 */
export async function listEvents(
  deps: ServiceDeps,
  caller: Caller,
  request: EventRequest,
  limit: number,
): Promise<EventList> {
  const { sql, settings } = deps;
  const query = await eventQuery(deps, caller, request);
  // Readers assign positions themselves: a list waits for no relay.
  await assignPositions(sql);
  let position = await listStart(deps, query, request);
  // Read before the page: what is visible up to the newest position is in the page, or is not for this caller.
  const { newest } = await readLogBounds(sql);
  for (let reads = 1; ; reads += 1) {
    const page = await readEventLog(sql, query.scope, query.filter, position, limit);
    const { from } = query;
    const events =
      from === undefined ? page.events : page.events.filter(({ occurredAt }) => occurredAt >= from);
    position = page.hasMore || page.upTo > newest ? page.upTo : newest;
    if (events.length > 0 || !page.hasMore || reads === pagesPerRequest) {
      return {
        events: events.map((event) => cloudEventOf(event, settings.publicUrl)),
        nextCursor: eventCursor(position),
        hasMore: page.hasMore,
      };
    }
  }
}

/** Returns the query of a request and the position after which a stream begins: without a cursor or a time, the newest. */
export async function streamStart(
  deps: ServiceDeps,
  caller: Caller,
  request: EventRequest,
): Promise<{ query: EventQuery; after: bigint }> {
  const query = await eventQuery(deps, caller, request);
  const { cursor, from, last } = request;
  // Events that were written before the stream was opened get their positions now, and are part of it only by a cursor or a time.
  await assignPositions(deps.sql);
  if (cursor !== undefined || from !== undefined || last !== undefined) {
    return { query, after: await listStart(deps, query, request) };
  }
  return { query, after: (await readLogBounds(deps.sql)).newest };
}

async function listStart(
  { sql }: ServiceDeps,
  { scope, filter }: EventQuery,
  { cursor, from, last }: EventRequest,
): Promise<bigint> {
  const bounds = await readLogBounds(sql);
  if (cursor === undefined) {
    if (from !== undefined) return positionBefore(sql, from);
    if (last === undefined) return bounds.removedUpTo;
    return (await positionBeforeLast(sql, scope, filter, last)) ?? bounds.newest;
  }
  const position = positionOfCursor(cursor);
  requireKept(position, bounds);
  return position;
}

async function eventQuery(deps: ServiceDeps, caller: Caller, request: EventRequest): Promise<EventQuery> {
  const { types, chargerUuid, locationUuid, sessionUuid, from } = request;
  const filter = {
    types: namedTypes(types),
    chargerUuid: chargerUuid?.toLowerCase(),
    locationUuid: locationUuid?.toLowerCase(),
    sessionUuid: sessionUuid?.toLowerCase(),
  };
  return { scope: await networksOfCall(deps, caller, request.networkUuid), filter, from };
}

/** All public types. */
const knownTypes = Object.keys(publicEventTypes) as PublicEventType[];

/** @throws {DomainError} VALIDATION_FAILED for an unknown type. */
function namedTypes(texts: readonly string[]): PublicEventType[] {
  const names = texts.flatMap((text) => text.split(',')).filter((name) => name !== '');
  return names.flatMap((name) => {
    const found = name.endsWith('.*')
      ? knownTypes.filter((type) => type.startsWith(name.slice(0, -1)))
      : knownTypes.filter((type) => type === name);
    if (found.length > 0) return found;
    const message =
      'must be types of GET /cpms/v1/event-types, or a subject with all its types, such as session.*';
    throw new DomainError('VALIDATION_FAILED', `Invalid query: type ${message}.`, {
      errors: [{ field: 'type', message }],
    });
  });
}
