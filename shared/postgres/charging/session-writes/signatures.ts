import { readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { checkSignature } from '#shared/domain/charging/signature-check.ts';
import {
  maxSignedValues,
  type SessionSignatures,
  signatureFlagNames,
  signatureFlags,
  type SignedMeterValue,
  type SignedNature,
  signaturesOf,
  valueTransitions,
} from '#shared/domain/charging/signed-meter-value.ts';
import type { SessionPeriod } from '#shared/domain/charging/signed-registers.ts';
import { type LockedSession, selectLocked } from '#shared/postgres/charging/sessions.statements.ts';
import {
  countSignedValues,
  findKnownValues,
  insertSignedValues,
  listCheckedValues,
  listSignedValues,
  updateSignedValue,
} from '#shared/postgres/charging/signed-meter-values.statements.ts';
import { claimRecheck, listUnchecked, storeRecheck } from '#shared/postgres/charging/signature-rechecks.ts';
import {
  awaitKeyChanges,
  claimMeterKey,
  registeredKeys,
} from '#shared/postgres/fleet/meter-keys.statements.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { mayChange, nextPrice, type Price, withPriceFlags } from '#shared/pricing/price-state.ts';
import { priceColumns } from './price.statements.ts';
import { settle } from './settle.ts';

/** Locked session with signed values. */
interface SignedSession extends LockedSession {
  chargerId: number;
  connectorId: number;
  costMinor: bigint | null;
  invoiceNumber: string | null;
}

/** Signed values that were not stored. */
export interface UnstoredValues {
  /** Natures of those above the maximum of the session. */
  surplus: SignedNature[];
  /** Number of those that another session of the charger has. */
  reused: number;
}

/**
 * Checks signed values of a session with the registered keys, and stores them with the state of the session that follows. Values
 * that the session has already change nothing.
 */
export async function storeSignedValues(
  sql: Sql,
  sessionUuid: string,
  values: readonly SignedMeterValue[],
): Promise<UnstoredValues> {
  return sql.begin(async (transaction) => {
    const session = await lockSigned(transaction, sessionUuid);
    const { fresh, ...unstored } = await selectFresh(transaction, session, distinct(values));
    if (fresh.length === 0) return unstored;
    await awaitKeyChanges(transaction, session.chargerId);
    const keys = await registeredKeys(transaction, session.chargerId, session.connectorId);
    const checked = fresh.map((value) => ({ ...value, ...checkSignature(value, keys) }));
    await insertSignedValues(transaction, session.id, checked);
    await claimKeys(transaction, session, fresh);
    await recordSignatures(transaction, session, { mayReview: isRecent(session) });
    return unstored;
  });
}

/** Returns values without those of equal nature and data. */
function distinct(values: readonly SignedMeterValue[]): SignedMeterValue[] {
  return [...new Map(values.map((value) => [`${value.nature} ${value.data}`, value])).values()];
}

/** Selects the values to check and store: their signatures cost time, in which the row of the session is locked. */
async function selectFresh(
  transaction: Transaction,
  session: SignedSession,
  values: readonly SignedMeterValue[],
): Promise<UnstoredValues & { fresh: SignedMeterValue[] }> {
  const known = await findKnownValues(transaction, session, values);
  const indexes = new Set(known.map(({ index }) => index));
  const counts = await countSignedValues(transaction, session.id);
  const fresh: SignedMeterValue[] = [];
  const surplus: SignedNature[] = [];
  for (const [index, value] of values.entries()) {
    if (indexes.has(index)) continue;
    const count = counts.get(value.nature) ?? 0;
    counts.set(value.nature, count + 1);
    if (count < maxSignedValues[value.nature]) fresh.push(value);
    else surplus.push(value.nature);
  }
  return { fresh, surplus, reused: known.filter(({ isElsewhere }) => isElsewhere).length };
}

/** Sessions that are checked before the position is stored. */
const recheckedAtOnce = 200;

/**
 * Checks the next sessions of a charger again, or of any, that have values which no key verified, after a key was registered or
 * removed. A price whose review had no reason but the signature is settled. A settled one stays settled: a wrong key must not hold
 * back the money of past sessions. A check that is interrupted continues after the last stored position.
 * @param chargerId null: the charger whose keys changed first.
 * @param atOnce number of sessions after which the position is stored.
 * @returns the number of checked sessions; null when no check is due.
 */
export async function recheckSignatures(
  sql: Sql,
  chargerId: number | null,
  atOnce = recheckedAtOnce,
): Promise<number | null> {
  const recheck = await claimRecheck(sql, chargerId);
  if (recheck === null) return null;
  const sessions = await listUnchecked(sql, recheck, atOnce);
  for (const { uuid } of sessions) {
    await sql.begin(async (transaction) => {
      const session = await lockSigned(transaction, uuid);
      await recheckValues(transaction, session);
      await recordSignatures(transaction, session, { mayReview: false });
    });
  }
  await storeRecheck(sql, recheck, sessions.length < atOnce ? null : (sessions.at(-1) ?? null));
  return sessions.length;
}

/** Session whose values are checked with the keys of a connector. */
type CheckedSession = Pick<SignedSession, 'id' | 'chargerId' | 'connectorId'>;

/** Checks the values of a locked session again. */
async function recheckValues(
  transaction: Transaction,
  { id, chargerId, connectorId }: CheckedSession,
): Promise<void> {
  const keys = await registeredKeys(transaction, chargerId, connectorId);
  for (const value of await listSignedValues(transaction, id)) {
    const check = checkSignature(value, keys);
    const state = valueTransitions[value.state][check.state];
    if (state !== value.state) await updateSignedValue(transaction, value, { ...check, state });
  }
}

/**
 * Checks the values of a locked session again whose start, and with it the connector, was assumed until now. Returns the signatures;
 * the caller stores them.
 */
export async function signaturesAtConnector(
  transaction: Transaction,
  session: CheckedSession & SessionPeriod,
): Promise<SessionSignatures> {
  await recheckValues(transaction, session);
  return signaturesOf(await listCheckedValues(transaction, session.id), session);
}

async function lockSigned(transaction: Transaction, uuid: string): Promise<SignedSession> {
  const more = transaction`, s.charger_id as "chargerId", s.connector_id as "connectorId",
    s.cost_minor as "costMinor", s.invoice_number as "invoiceNumber"`;
  const [session] = await transaction<SignedSession[]>`
    ${selectLocked(transaction, more)} where s.uuid = ${uuid} for update`;
  if (session === undefined) throw new Error(`there is no session ${uuid}`);
  return session;
}

/** Stores the keys that came with values, for an operator to compare with the meter. */
async function claimKeys(
  transaction: Transaction,
  { chargerId, connectorId }: SignedSession,
  values: readonly SignedMeterValue[],
): Promise<void> {
  for (const claimed of new Set(values.flatMap(({ claimedKey }) => claimedKey ?? []))) {
    const key = readMeterKey(claimed);
    if (key !== null) await claimMeterKey(transaction, chargerId, connectorId, key);
  }
}

/**
 * Stores the state that the values of a session have in total. A running session is judged at its end.
 * @param options.mayReview allows that a settled price goes to the review. The other way is always open.
 */
async function recordSignatures(
  transaction: Transaction,
  session: SignedSession,
  { mayReview }: { mayReview: boolean },
): Promise<void> {
  const signatures = signaturesOf(await listCheckedValues(transaction, session.id), session);
  const flags = session.endedAt === null ? session.flags : flagsWith(session, signatures);
  const found = judged(session, flags);
  const price = found.priceState === 'REVIEW' && !mayReview ? session : found;
  const { signatureState, signedEnergyWh } = signatures;
  const stored = withPriceFlags(flags, price);
  // A session without a change has no event: a check after another key passes thousands of them.
  await transaction`
    update sessions set signature_state = ${signatureState}, signed_energy_wh = ${signedEnergyWh},
      flags = ${stored}, ${priceColumns(transaction, price)}, updated_at = now()
    where id = ${session.id} and (signature_state, signed_energy_wh, flags, price_state)
      is distinct from (${signatureState}, ${signedEnergyWh}, ${stored}, ${price.priceState})`;
  if (price.priceState !== session.priceState) await settle(transaction, session.id);
}

function flagsWith({ flags, energyWh, hasMeterKey }: SignedSession, signatures: SessionSignatures): string[] {
  const found = signatureFlags({ ...signatures, hasMeterKey }, energyWh);
  return [...flags.filter((flag) => !signatureFlagNames.has(flag)), ...found];
}

/** Days after the end in which a signed value may send a settled price to the review: drivers rely on what they paid. */
const reviewDays = 7;

function isRecent({ endedAt }: SignedSession): boolean {
  return endedAt === null || Date.now() - endedAt.getTime() < reviewDays * 24 * 3_600_000;
}

/** Returns the price after a late value or another check. Prices that an operator decided on, or that are on an invoice, stay. */
function judged(session: SignedSession, flags: readonly string[]): Price {
  const { costMinor, invoiceNumber, priceDecision, priceState } = session;
  if (priceDecision !== null || invoiceNumber !== null || !mayChange(priceState, 'signed')) return session;
  const cost = costMinor === null ? null : { totalInclVatMinor: costMinor };
  return nextPrice(session, 'signed', { cost, needsReadings: priceState === 'PENDING', flags });
}

/** Checks the signed values of all chargers whose keys changed, until `stopping` is aborted. */
export async function recheckAllSignatures(sql: Sql, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await recheckSignatures(sql, null)) !== null);
}
