import type { Commit } from '#gateway/wal/commit.ts';
import type { MeterOrigin } from '#shared/clickhouse/meter-samples.ts';
import type { MeterReport } from '#shared/domain/charging/session.ts';
import { namesTransaction } from '#shared/domain/charging/transaction-id.ts';
import { reopenSession } from '#shared/postgres/charging/session-writes/reopen.ts';
import {
  type FoundSession,
  findSessionByTransaction,
  type RunningSession,
} from '#shared/postgres/charging/running-sessions.statements.ts';
import type { Context } from './context.ts';
import { haveOwnTimes, identified } from './reading-identity.ts';
import {
  isAmbiguous,
  onlySessionAt,
  runningSessionOf,
  sessionAmbiguous,
  transactionUnknown,
} from './reading-session.ts';
import { noteLive } from './session-live.ts';

/** Commit that makes the readings of a report durable; null: the report has none. */
type ReadingsCommit = Commit | null;

/** Stores readings with their session. */
export function handleMeterValues(
  context: Context<'sql' | 'meter' | 'live' | 'signed' | 'watches'>,
  report: MeterReport,
): ReadingsCommit | Promise<ReadingsCommit> {
  return needQueries(context, report) ? storeWithQueries(context, report) : storeAtOnce(context, report);
}

/** Stores readings of any kind; resolves when they are durable. */
export async function storeReadings(
  context: Context<'sql' | 'meter' | 'live' | 'signed' | 'watches'>,
  report: MeterReport,
): Promise<void> {
  const commit = await handleMeterValues(context, report);
  await commit?.durable();
}

/** Stores readings that need no query (`needQueries`). */
export function storeAtOnce(
  context: Context<'meter' | 'live' | 'signed'>,
  report: MeterReport,
): ReadingsCommit {
  if (report.samples.length === 0) return null;
  const found = runningSessionOf(context.running, report);
  const session = found?.session ?? null;
  if (found === null) markUnassigned(context, report);
  else addToSession(context, found.session, found.isNamed, report);
  return context.stores.meter.add(originOf(context, session, report), report.samples);
}

/**
 * Returns true when readings need a query, as few do: their session is unknown, free or followed, they have times of ours, or
 * signed values to store.
 */
export function needQueries({ running, stores }: Context<'signed'>, report: MeterReport): boolean {
  const { samples, signed } = report;
  if (samples.length === 0) return false;
  const session = runningSessionOf(running, report)?.session ?? null;
  const isKnown =
    session === null ? !namesTransaction(report.transactionId) : !session.isFree && !session.isFollowed;
  const isUnsigned = signed.length === 0 || (session !== null && stores.signed.skips(session.uuid, signed));
  return !isKnown || !isUnsigned || !haveOwnTimes(samples);
}

/** Stores readings of any other kind. */
async function storeWithQueries(
  context: Context<'sql' | 'meter' | 'live' | 'signed' | 'watches'>,
  report: MeterReport,
): Promise<Commit> {
  const running = runningSessionOf(context.running, report);
  const found = running === null ? await findSession(context, report) : null;
  const named = found === null ? running : { session: found.session, isNamed: true };
  const belongsTo = named ?? onlySessionAt(context.running, report);
  const session = belongsTo?.session ?? null;
  if (belongsTo === null) markUnassigned(context, report);
  else if (named === null && namesTransaction(report.transactionId)) {
    markUnknown(report, report.transactionId);
  }
  if (belongsTo !== null && session !== null) {
    addToSession(context, session, belongsTo.isNamed, report);
    if (belongsTo.isNamed) await storeSignedValues(context, session.uuid, report);
    else if (report.signed.length > 0) await context.stores.signed.storeUnnamed(session, report.signed);
  }
  const origin = originOf(context, session, report);
  const samples = haveOwnTimes(report.samples)
    ? report.samples
    : await identified(context, origin, report.samples);
  // A session without a stop may have been closed by a job, of which this connection is not notified.
  const mayBeOver = found?.isRunning === false || session?.isFree === true || session?.isFollowed === true;
  return context.stores.meter.add(origin, samples, mayBeOver);
}

/** Adds readings to their session. */
function addToSession(
  context: Context<'live'>,
  session: RunningSession,
  isNamed: boolean,
  report: MeterReport,
): void {
  if (!isNamed) for (const sample of report.samples) sample.isNamed = false;
  noteLive(context, session, report);
}

/** Stores the signed values of a report with their session. */
export async function storeSignedValues(
  { stores }: Context<'signed'>,
  sessionUuid: string,
  { signed }: MeterReport,
): Promise<void> {
  if (signed.length > 0) await stores.signed.store(sessionUuid, signed);
}

function originOf({ charger }: Context, session: RunningSession | null, report: MeterReport): MeterOrigin {
  return {
    networkId: charger.networkId,
    chargerId: charger.id,
    position: session?.position ?? report.position,
    sessionId: session?.uuid ?? null,
  };
}

/**
 * Finds the session of readings that this connection does not know: an ended one, or one that an earlier connection began. An ended
 * one runs again where its charger shows that it was closed by mistake.
 */
async function findSession(
  context: Context<'sql' | 'watches'>,
  report: MeterReport,
): Promise<FoundSession | null> {
  const { transactionId, samples } = report;
  if (!namesTransaction(transactionId)) return null;
  const { sql } = context.stores;
  const found = await findSessionByTransaction(sql, context.charger.id, transactionId);
  if (found === null) return null;
  const latest = samples.reduce((last, { time }) => (time > last ? time : last), found.session.startedAt);
  const runs = found.isRunning || (found.mayRunOn && (await reopenSession(sql, found.session.uuid, latest)));
  if (runs) context.running.push(found.session);
  if (runs && !found.isRunning) {
    const { position, uuid } = found.session;
    context.stores.watches.session(context.charger.id, { ...position, sessionId: uuid, isRunning: true });
  }
  return { ...found, isRunning: runs };
}

/** Flags readings without a session that name a transaction, or that several sessions can claim. */
function markUnassigned({ running }: Context, report: MeterReport): void {
  if (report.transactionId !== null) markUnknown(report, report.transactionId);
  if (running.length < 2 || !isAmbiguous(running, report)) return;
  for (const sample of report.samples) sample.flags.push(sessionAmbiguous);
}

/** Flags the readings of an unknown transaction and keeps its id for reconciliation. */
function markUnknown(report: MeterReport, transactionId: string): void {
  for (const sample of report.samples) {
    sample.flags.push(transactionUnknown);
    sample.extra = Object.assign(Object.create(null), sample.extra, { transactionId });
  }
}
