import type { Commit } from '#gateway/wal/commit.ts';
import type { MeterOrigin } from '#shared/clickhouse/meter-samples.ts';
import { latestLive } from '#shared/domain/commands/charger-messages.ts';
import { idlePowerW } from '#shared/domain/charging/idle.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import {
  type CountedEnergy,
  countRegister,
  type RegisterCount,
  roundedWh,
} from '#shared/domain/charging/register-count.ts';
import type { LiveValues, MeterReport } from '#shared/domain/charging/session.ts';
import { assumeMeterStart, type LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import {
  type FoundSession,
  findSessionByTransaction,
  type RunningSession,
} from '#shared/postgres/charging/running-sessions.ts';
import type { Context } from './context.ts';
import { haveOwnTimes, identified } from './reading-identity.ts';

/** Stores readings with their session; null: nothing is left to wait for. */
export function handleMeterValues(
  context: Context<'sql' | 'meter' | 'live' | 'signed'>,
  report: MeterReport,
): Commit | null | Promise<null> {
  const commit = storePlainReadings(context, report);
  return commit === undefined ? storeWithQueries(context, report) : commit;
}

/** Stores readings of any kind; resolves when they are durable. */
export async function storeReadings(
  context: Context<'sql' | 'meter' | 'live' | 'signed'>,
  report: MeterReport,
): Promise<void> {
  const commit = await handleMeterValues(context, report);
  await commit?.durable();
}

/**
 * Stores readings that need no query, as nearly all do. Returns undefined for others, of which nothing is stored then;
 * null for none.
 */
export function storePlainReadings(
  context: Context<'meter' | 'live' | 'signed'>,
  report: MeterReport,
): Commit | null | undefined {
  if (report.samples.length === 0) return null;
  const running = runningSessionOf(context, report);
  if (!isPlain(context, running, report)) return undefined;
  if (running !== null) noteLive(context, running, report);
  return context.stores.meter.add(originOf(context, running, report), report.samples);
}

/**
 * Returns true when readings need no query: a known session that runs, or none, the charger's own times, nothing signed that is
 * stored.
 */
function isPlain(
  { stores }: Context<'signed'>,
  running: RunningSession | null,
  report: MeterReport,
): boolean {
  const isKnown =
    running === null
      ? report.transactionId === null
      : running.meterStartWh !== null && !running.isFree && !running.isFollowed;
  const isUnsigned =
    report.signed.length === 0 || (running !== null && stores.signed.skips(running.uuid, report.signed));
  return isKnown && isUnsigned && haveOwnTimes(report.samples);
}

/** Stores readings of any other kind; resolves when they are durable. */
async function storeWithQueries(
  context: Context<'sql' | 'meter' | 'live' | 'signed'>,
  report: MeterReport,
): Promise<null> {
  const running = runningSessionOf(context, report);
  const found = running === null ? await findSession(context, report) : null;
  const session = running ?? found?.session ?? null;
  if (session !== null) {
    if (session.meterStartWh === null) await countFrom(context, session, report);
    noteLive(context, session, report);
    if (report.transactionId !== null) await storeSignedValues(context, session.uuid, report);
    else if (report.signed.length > 0) await context.stores.signed.storeUnnamed(session, report.signed);
  } else if (report.transactionId !== null) {
    markUnknown(report, report.transactionId);
  }
  const origin = originOf(context, session, report);
  const samples = haveOwnTimes(report.samples)
    ? report.samples
    : await identified(context, origin, report.samples);
  // A session without a stop may have been closed by a job, of which this connection is not notified.
  const mayBeOver = found?.isRunning === false || running?.isFree === true || running?.isFollowed === true;
  await context.stores.meter.add(origin, samples, mayBeOver).durable();
  return null;
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
 * Returns the running session of a report: by its transaction, or the newest at its EVSE (clock-aligned readings name
 * no transaction).
 */
function runningSessionOf(context: Context, { transactionId, position }: MeterReport): RunningSession | null {
  const { running } = context;
  for (let index = running.length - 1; index >= 0; index -= 1) {
    const session = running[index]!;
    const isIt =
      transactionId === null
        ? session.position.evse === position.evse && !session.isFree && !session.isFollowed
        : session.transactionId === transactionId;
    if (isIt) return session;
  }
  return null;
}

/**
 * Finds a session that this connection does not know: an ended one (a late replay), or one that an earlier connection
 * began.
 */
async function findSession(context: Context<'sql'>, report: MeterReport): Promise<FoundSession | null> {
  if (report.transactionId === null) return null;
  const found = await findSessionByTransaction(context.stores.sql, context.charger.id, report.transactionId);
  if (found?.isRunning === true) context.running.push(found.session);
  return found;
}

/** Sets the register at the start of a session that was started without one to its first reading. */
async function countFrom(
  context: Context<'sql'>,
  session: RunningSession,
  { samples }: MeterReport,
): Promise<void> {
  const registerWh = samples.find((sample) => sample.energyWh !== null)?.energyWh ?? null;
  if (registerWh === null) return;
  await assumeMeterStart(context.stores.sql, session.uuid, registerWh);
  session.meterStartWh = registerWh;
}

/** Records the newest live values with the counted register; they are written with those of other sessions. */
function noteLive(context: Context<'live'>, session: RunningSession, report: MeterReport): void {
  const live = latestLive(report);
  if (live === null) return;
  const counted = session.count;
  for (const { energyWh, time } of inOrder(report.samples)) {
    if (energyWh === null || session.meterStartWh === null) continue;
    session.count = countRegister(session.count, { registerWh: energyWh, atMs: time.getTime() });
  }
  const before = context.stores.live.get(session.uuid);
  if (before !== undefined && before.time > live.time) return;
  const charging = chargesNow(session, live, counted) ?? before;
  context.stores.live.set(session.uuid, {
    sessionUuid: session.uuid,
    energyWh: session.count.energyWh,
    count: session.count,
    powerW: live.powerW ?? before?.powerW ?? null,
    peakPowerW: highestPower(report.samples, before?.peakPowerW ?? null),
    socPercent: live.socPercent ?? before?.socPercent ?? null,
    isCharging: charging?.isCharging ?? null,
    isChargingSince: charging?.isChargingSince ?? null,
    time: live.time,
  });
}

function inOrder(samples: readonly MeterSample[]): readonly MeterSample[] {
  return samples.length === 1 ? samples : samples.toSorted((a, b) => a.time.getTime() - b.time.getTime());
}

function highestPower(samples: readonly MeterSample[], before: number | null): number | null {
  let highest = before;
  for (const { powerW } of samples) {
    if (powerW !== null && (highest === null || powerW > highest)) highest = powerW;
  }
  return highest;
}

type Charging = Pick<LiveRecord, 'isCharging' | 'isChargingSince'>;

/**
 * Returns true when a session charges, by its power or, without power, by the rise of its register; null when unknown.
 */
function chargesNow(session: RunningSession, live: LiveValues, before: RegisterCount): Charging | null {
  if (live.powerW !== null) return chargesByPower(session, live, live.powerW);
  const after = session.count;
  if (before.last === null || after.last === null || after.last.atMs <= before.last.atMs) return null;
  const from = { energyWh: before.energyWh, atMs: before.last.atMs };
  const powerW = averageW(from, { energyWh: after.energyWh, atMs: after.last.atMs });
  return { isCharging: powerW >= idlePowerW, isChargingSince: new Date(from.atMs) };
}

/**
 * Returns true when a session charges by its power. Zero power counts as a faulty measurement while the register
 * beside it rises by more than `roundedWh`, one step of the register (always 0, reversed meter, or kW sent as W).
 */
function chargesByPower(session: RunningSession, live: LiveValues, powerW: number): Charging {
  const hasPower = powerW >= idlePowerW;
  if (hasPower) session.powerless = null;
  if (hasPower || live.energyRegisterWh === null) return { isCharging: hasPower, isChargingSince: live.time };
  const since = session.powerless;
  const now = { energyWh: session.count.energyWh, atMs: live.time.getTime() };
  const isWrong =
    since !== null && now.energyWh - since.energyWh > roundedWh && averageW(since, now) >= idlePowerW;
  if (since === null || isWrong) session.powerless = now;
  return { isCharging: isWrong, isChargingSince: isWrong ? new Date(since.atMs) : live.time };
}

function averageW(from: CountedEnergy, to: CountedEnergy): number {
  return (to.energyWh - from.energyWh) / ((to.atMs - from.atMs) / 3_600_000);
}

/** Flags the readings of an unknown transaction and keeps its id for reconciliation. */
function markUnknown(report: MeterReport, transactionId: string): void {
  for (const sample of report.samples) {
    sample.flags.push('transaction-unknown');
    sample.extra = Object.assign(Object.create(null), sample.extra, { transactionId });
  }
}
