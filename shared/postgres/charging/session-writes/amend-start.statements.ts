import type { SessionStart } from '#shared/domain/charging/session.ts';
import { nextPrice, withPriceFlags } from '#shared/pricing/price-state.ts';
import type { SessionResult } from '#shared/pricing/settle-session.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import { ratedPower } from '#shared/postgres/charging/meter-frames.ts';
import type { LockedSession } from '#shared/postgres/charging/sessions.statements.ts';
import { unbindOtherToken } from '#shared/postgres/charging/remote-starts.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { keyIsRegistered } from '#shared/postgres/fleet/meter-keys.statements.ts';
import { costJson, priceColumns } from './price.statements.ts';
import { settle } from './settle.ts';
import { signaturesAtConnector } from './signatures.ts';
import { type NewSession, placeAndTariff } from './start.statements.ts';
import { ofPartner, ofToken } from './token.statements.ts';

/** Connector and tariff of a reported start. */
interface StartPlace {
  connectorId: number;
  tariffId: number | null;
  tariff: Tariff | null;
  /** Exact text of the tariff. */
  tariffText: string | null;
  /** Watts; null: not known. */
  ratedPowerW: number | null;
  hasMeterKey: boolean;
}

/** Locked session whose start arrived after later messages, with the values that follow from that start. */
type LateStarted = LockedSession & { place: StartPlace };

/** Reads connector and tariff of a late start, and returns the locked session settled with them. */
export async function readLateStart(
  transaction: Transaction,
  found: LockedSession,
  reported: NewSession,
): Promise<LateStarted> {
  const [place] = await transaction<StartPlace[]>`
    with ${placeAndTariff(transaction, reported)}
    select place.connector_id as "connectorId", tariff.id as "tariffId", tariff.snapshot as tariff,
      tariff.snapshot::text as "tariffText", ${ratedPower(transaction, transaction`place.connector_id`)} as "ratedPowerW",
      ${keyIsRegistered(transaction, transaction`${reported.chargerId}::integer`, transaction`place.connector_id`)} as "hasMeterKey"
    from place left join tariff on true`;
  if (place === undefined) throw new Error('a connector was neither found nor created');
  const { tariff, ratedPowerW, hasMeterKey } = place;
  const hasToken = reported.start.idToken !== null;
  const isRefused = hasToken ? reported.authorizationStatus !== 'Accepted' : found.isRefused;
  const signatures = await signaturesAtConnector(transaction, {
    id: found.id,
    chargerId: reported.chargerId,
    connectorId: place.connectorId,
    startedAt: reported.start.startedAt,
    endedAt: found.endedAt,
  });
  return { ...found, ...signatures, tariff, ratedPowerW, hasMeterKey, isRefused, place };
}

/**
 * Corrects connector, tariff, token, time and register of a session whose start arrives after later messages of it, and what
 * follows from them. A session that has ended is settled again. The token that the start presents decides whose the session is,
 * since another driver may have stopped it; without one the token stays.
 */
export async function amendStart(
  transaction: Transaction,
  session: LateStarted,
  reported: NewSession,
  amended: SessionResult,
): Promise<void> {
  const { id, endedAt, place } = session;
  const { start } = reported;
  const price = endedAt === null ? session : nextPrice(session, 'ended', amended);
  await transaction`
    update sessions s set connector_id = ${place.connectorId}, tariff_id = ${place.tariffId},
      tariff = ${place.tariffText}::text::jsonb,
      currency = coalesce(${place.tariff?.currency ?? null},
        (select n.currency from networks n where n.id = s.network_id)),
      ${ofTokenAtStart(transaction, session, reported)}
      remote_start_id = coalesce(${start.remoteStartId}, s.remote_start_id), started_at = ${start.startedAt},
      meter_start_wh = coalesce(${start.meterStartWh}, s.meter_start_wh), energy_wh = ${amended.energyWh},
      cost_minor = ${amended.cost?.totalInclVatMinor ?? null}, cost = ${costJson(transaction, amended.cost)},
      flags = ${withPriceFlags(amended.flags, price)}, ${priceColumns(transaction, price)},
      plausible_cost_minor = ${amended.plausibleCostMinor}, signature_state = ${session.signatureState},
      signed_energy_wh = ${session.signedEnergyWh},
      updated_at = now()
    where s.id = ${id}`;
  if (showsAnother(start, session)) {
    await unbindOtherToken(transaction, id);
    await markLeftCdr(transaction, id);
  }
  await settle(transaction, id);
}

/** Assignments by the token that a start presents; none where it presents none. */
function ofTokenAtStart(
  transaction: Transaction,
  found: LockedSession,
  { start, idTokenId, userId, authorizationStatus, roaming }: NewSession,
) {
  if (start.idToken === null) return transaction``;
  const token = { idToken: start.idToken, idTokenId, userId, authorizationStatus, roaming };
  if (showsAnother(start, found)) return ofToken(transaction, token);
  // An owner that is known already stays where the token is no longer known, or its partner does not answer.
  return transaction`
    user_id = coalesce(${userId}, s.user_id), id_token_id = coalesce(${idTokenId}, s.id_token_id),
    authorization_status = ${authorizationStatus}, ${roaming === null ? transaction`` : ofPartner(transaction, roaming)}`;
}

/** Returns true when a start presents another token than the session is known by. OCPP: identifiers are CiString. */
function showsAnother({ idToken }: SessionStart, found: LockedSession): boolean {
  return idToken !== null && idToken.toLowerCase() !== found.idToken?.toLowerCase();
}

/** Marks a session that no longer belongs to a partner: its CDR must be credited. */
async function markLeftCdr(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`
    insert into cdr_marks (session_id)
    select s.id from sessions s
    where s.id = ${sessionId} and s.ocpi_partner_id is null and exists (select from cdrs where session_id = s.id)`;
}
