import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { readSessionSamples, type WrittenSamples } from '#shared/clickhouse/session-samples.ts';
import { hasOwnStop } from '#shared/domain/charging/session.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireSession } from './sessions.service.ts';

export type { WrittenSamples } from '#shared/clickhouse/session-samples.ts';

/** The readings of a session that is over, packed, as they were at this change of it. */
interface KeptSamples {
  /** ms since 1970. */
  updatedAt: number;
  deflated: Uint8Array;
  isTruncated: boolean;
}

const maxBytes = 16 * 1024 * 1024;

/** Time in ms after which manual changes in ClickHouse are visible at the latest. */
const keptForMs = 60 * 60_000;

/**
 * Time in ms after the end of a session when its acknowledged readings are in ClickHouse and visible. Later
 * readings are recorded in the session (`recordLateReadings`).
 */
const settledMs = 5 * 60_000;

/** Cache of this process. A thousand readings are 138 KB, and some 16 KB when packed. */
const kept = new LRUCache<string, KeptSamples>({
  maxSize: maxBytes,
  sizeCalculation: ({ deflated }) => deflated.byteLength + 256,
  ttl: keptForMs,
});

const pack = promisify(deflateRaw);

/**
 * Returns the first `limit` meter readings of one of the caller's sessions, in order of time; `isTruncated`
 * when there are more.
 * @throws {DomainError} SESSION_NOT_FOUND; STORE_UNAVAILABLE when ClickHouse is unreachable.
 */
export async function readMeterValues(
  deps: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  caller: Caller,
  uuid: string,
  limit: number,
): Promise<WrittenSamples> {
  const session = await requireSession(deps, caller, uuid);
  const key = `${session.uuid} ${limit}`;
  const updatedAt = session.updatedAt.getTime();
  const known = kept.get(key);
  if (known?.updatedAt === updatedAt) {
    return { json: inflateRawSync(known.deflated), isTruncated: known.isTruncated };
  }
  const samples = await readSamples(deps, session, limit);
  if (isSettled(session)) {
    const deflated = new Uint8Array(await pack(samples.json, { level: 1 }));
    kept.set(key, { updatedAt, deflated, isTruncated: samples.isTruncated });
  }
  return samples;
}

function readSamples(
  { clickhouse }: Pick<ServiceDeps, 'clickhouse'>,
  { chargerId, uuid, startedAt, endedAt }: SessionRecord,
  limit: number,
): Promise<WrittenSamples> {
  const during = { from: startedAt.getTime(), to: endedAt?.getTime() ?? Date.now() };
  return fromClickHouse(readSessionSamples(clickhouse, { chargerId, sessionId: uuid }, limit, during));
}

/** Returns whether a session is final. One whose end is only assumed may continue. */
function isSettled(session: SessionRecord): boolean {
  return hasOwnStop(session) && session.updatedAt.getTime() < Date.now() - settledMs;
}
