import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import {
  readFirstEnergy,
  readSessionMessages,
  type SessionMessage,
} from '#shared/clickhouse/session-messages.ts';
import { readStatusEvents, type StoredStatusEvent } from '#shared/clickhouse/status-events.ts';
import { idlePeriodsUntil } from '#shared/domain/charging/idle.ts';
import { maxTimelineEntries, type TimelineEntry } from '#shared/domain/charging/session-timeline.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { readSessionTraces } from '#shared/postgres/charging/session-timeline.statements.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import { needsReadings } from '#shared/pricing/rating.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireSession } from './sessions.service.ts';

export { timelineLinks, timelineSources, timelineTypes } from '#shared/domain/charging/session-timeline.ts';

/** Course of a session. */
interface SessionTimeline {
  session: SessionRecord;
  /** In the order of time. */
  entries: TimelineEntry[];
  /** More entries exist than are returned. */
  isTruncated: boolean;
  /** Messages, statuses and readings are missing, since ClickHouse is unavailable. */
  isPartial: boolean;
}

/** Time around a session in which its messages and statuses are looked for. */
const aroundMs = 10 * 60_000;

/** Time after the start in which a call with only the token belongs to the session. */
const beginMs = 60_000;

/**
 * Returns the course of one of the caller's sessions, from what is stored.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function readSessionTimeline(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<SessionTimeline> {
  const session = await requireSession(deps, caller, uuid);
  const now = new Date();
  const [traces, logged] = await Promise.all([
    readSessionTraces(deps.sql, session),
    readLogs(deps, session, now),
  ]);
  const known = [...ownEntries(session, now), ...traces, ...limitEntry(session, traces)];
  const entries = [...known, ...(logged ?? [])].toSorted((a, b) => a.time.getTime() - b.time.getTime());
  return {
    session,
    entries: entries.slice(0, maxTimelineEntries),
    isTruncated: entries.length > maxTimelineEntries,
    isPartial: logged === null,
  };
}

const none = { by: null, status: null, reason: null, until: null, link: null } as const;

/** Entries of the session's own row. */
function ownEntries(session: SessionRecord, now: Date): TimelineEntry[] {
  const { startedAt, endedAt, authorizationStatus, stopReason, status, priceState } = session;
  const own = { ...none, source: 'session' } as const;
  const entries: TimelineEntry[] = [
    { ...own, time: startedAt, type: 'started', status: authorizationStatus },
  ];
  for (const { from, to, cause } of idlePeriodsUntil(session, endedAt ?? now)) {
    entries.push({ ...own, time: from, type: 'idle', status: cause, until: to });
  }
  if (endedAt === null) return entries;
  entries.push({ ...own, time: endedAt, type: 'stopped', status, reason: stopReason });
  const pricedAt = session.stopReceivedAt ?? endedAt;
  if (priceState === 'REVIEW') {
    const reason = session.flags.join(' ');
    entries.push({ ...own, time: pricedAt, type: 'under-review', status: priceState, reason });
  } else if (session.cost !== null && isPricedAtEnd(session, endedAt)) {
    entries.push({ ...own, time: pricedAt, type: 'priced', status: priceState });
  }
  return entries;
}

/** Returns true for a price that was made when the stop was received. The time of a later one is not stored. */
function isPricedAtEnd(session: SessionRecord, endedAt: Date): boolean {
  return session.tariff !== null && !needsReadings(session.tariff, usageUntil(session, endedAt));
}

/** The time of a passed limit is that of the first stop that followed. */
function limitEntry(session: SessionRecord, traces: readonly TimelineEntry[]): TimelineEntry[] {
  const { limitPassed, endedAt } = session;
  if (limitPassed === null) return [];
  const stop = traces.find(({ type, reason }) => type === 'command' && reason === 'remote-stop');
  const time = stop?.time ?? endedAt;
  if (time === null) return [];
  return [{ ...none, time, type: 'limit-reached', source: 'session', status: limitPassed }];
}

/** Returns the entries of ClickHouse; null while it is unavailable. */
async function readLogs(
  { clickhouse, sql }: ServiceDeps,
  session: SessionRecord,
  now: Date,
): Promise<TimelineEntry[] | null> {
  const { chargerId, networkId, startedAt, endedAt } = session;
  const from = new Date(startedAt.getTime() - aroundMs);
  const to = new Date((endedAt ?? now).getTime() + aroundMs);
  const begun = new Date(startedAt.getTime() + beginMs);
  try {
    const [messages, statuses, firstEnergy, places] = await Promise.all([
      readSessionMessages(clickhouse, { ...session, from, begun, to }),
      readStatusEvents(clickhouse, { id: chargerId, networkId }, { from, to }, maxTimelineEntries),
      readFirstEnergy(clickhouse, session),
      listConnectorPlaces(sql, chargerId),
    ]);
    const place = places.find(({ number }) => number === session.connectorNumber);
    return [
      ...messages.map(messageEntry),
      ...statuses
        .filter(
          ({ kind, evse, connector }) =>
            kind !== 'status' || (evse === place?.evse && connector === place.connector),
        )
        .map(statusEntry),
      ...(firstEnergy === null
        ? []
        : [{ ...none, time: new Date(firstEnergy), type: 'first-energy', source: 'readings' } as const]),
    ];
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return null;
  }
}

function messageEntry({
  atMs,
  action,
  messageId,
  direction,
  status,
  eventType,
}: SessionMessage): TimelineEntry {
  const isEnd = action === 'StopTransaction' || eventType === 'Ended';
  const reported = isEnd ? 'stop-reported' : 'start-reported';
  const fromCharger = action === 'Authorize' ? 'authorized' : reported;
  return {
    ...none,
    time: new Date(atMs),
    type: direction === 'out' ? 'command' : fromCharger,
    source: 'message-log',
    status: status === '' ? null : status,
    reason: action,
    link: { kind: 'message', id: messageId },
  };
}

function statusEntry({ time, kind, status, errorCode, info }: StoredStatusEvent): TimelineEntry {
  const said = [errorCode === 'NoError' ? '' : errorCode, info].filter((text) => text !== '').join(' ');
  return {
    ...none,
    time,
    type: kind === 'status' ? 'connector-status' : kind,
    source: 'status-history',
    status: status === '' ? null : status,
    reason: said === '' ? null : said,
  };
}
