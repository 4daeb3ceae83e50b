import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { LimitName, SessionLimits } from '#shared/domain/charging/session.ts';
import { lockLimits, sessionCurrency } from '#shared/postgres/charging/session-limits.statements.ts';
import { updateLimits } from '#shared/postgres/charging/session-writes/limits.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Requested limits: kWh, minutes, and major units of the session's currency, VAT included. */
export interface WantedLimits {
  maxEnergyKwh?: number | undefined;
  maxDurationMinutes?: number | undefined;
  maxCost?: number | undefined;
}

/** Change of limits. Null removes a limit. */
type ChangedLimits = { [Name in keyof WantedLimits]: WantedLimits[Name] | null };

/** Limits of a session in a response. Null: none. */
export interface ShownLimits {
  maxEnergyKwh: number | null;
  maxDurationMinutes: number | null;
  maxCost: number | null;
  /** Limit for which the session was stopped. */
  passed: LimitName | null;
}

/** Returns the limits of a session that is requested at a charger, or null when none is given. */
export async function limitsAt(
  { sql }: Pick<ServiceDeps, 'sql'>,
  place: { chargerId: number; evse: number | null },
  wanted: WantedLimits,
): Promise<SessionLimits | null> {
  const { maxEnergyKwh = null, maxDurationMinutes = null, maxCost = null } = wanted;
  if (maxEnergyKwh === null && maxDurationMinutes === null && maxCost === null) return null;
  const currency = maxCost === null ? null : await sessionCurrency(sql, place.chargerId, place.evse);
  return toLimits(wanted, currency);
}

/**
 * Changes the limits of a running session of the caller's networks. An undefined limit stays. A session that passed a limit and
 * has not stopped continues when the new limits allow it.
 * @throws {DomainError} SESSION_NOT_FOUND; NO_ACTIVE_SESSION when it has ended.
 */
export async function changeSessionLimits(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  uuid: string,
  change: ChangedLimits,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const session = await lockLimits(transaction, by.caller.networks, uuid);
    if (session === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
    if (session.endedAt !== null) throw new DomainError('NO_ACTIVE_SESSION', 'The session has ended.');
    const before = inUnits(session);
    const after = { ...before, ...defined(change) };
    await updateLimits(transaction, session.id, toLimits(after, session.currency));
    await auditChange(transaction, by, {
      networkId: session.networkId,
      category: 'session',
      action: 'change-limits',
      resourceId: session.uuid,
      resourceName: session.uuid,
      before,
      after,
    });
  });
}

function toLimits(wanted: ChangedLimits, currency: string | null): SessionLimits {
  const { maxEnergyKwh = null, maxDurationMinutes = null, maxCost = null } = wanted;
  return {
    maxEnergyWh: maxEnergyKwh === null ? null : maxEnergyKwh * 1000,
    maxDurationSeconds: maxDurationMinutes === null ? null : Math.round(maxDurationMinutes * 60),
    maxCostMinor: maxCost === null || currency === null ? null : toMinor(maxCost, currency),
  };
}

/** Converts an amount to minor units, rounded down to at least 1. */
function toMinor(amount: number, currency: string): bigint {
  const minor = Math.floor(Number((amount * 10 ** minorDigits(currency)).toFixed(3)));
  return BigInt(Math.max(1, minor));
}

/** Returns the limits of a stored session. */
export function shownLimits(session: SessionRecord): ShownLimits {
  return { ...inUnits(session), passed: session.limitPassed };
}

function inUnits({
  maxEnergyWh,
  maxDurationSeconds,
  maxCostMinor,
  currency,
}: SessionLimits & { currency: string }): Omit<ShownLimits, 'passed'> {
  return {
    maxEnergyKwh: maxEnergyWh === null ? null : maxEnergyWh / 1000,
    maxDurationMinutes: maxDurationSeconds === null ? null : maxDurationSeconds / 60,
    maxCost: maxCostMinor === null ? null : toMajor(maxCostMinor, currency),
  };
}
