import type { RoamingDeps } from './deps.ts';
import { sessionReadings } from '#api/services/charging/sessions.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartnerStatement } from '#shared/domain/charging/partner-statement.ts';
import type { AuthMethod } from '#shared/domain/roaming/roaming.ts';
import {
  lockStatedSession,
  storeStatement,
} from '#shared/postgres/charging/session-writes/statement.statements.ts';
import { auditChange, type PartnerActor } from '#api/services/access/audit.ts';
import type { PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import {
  type ChargingPreferences,
  patchPartnerSession,
  setChargingPreferences,
} from '#shared/postgres/charging/session-writes/requests.statements.ts';
import {
  findPartnerSession,
  listPartnerSessions,
  type PartnerSession,
} from '#shared/postgres/roaming/ocpi-sessions.ts';
import type { ChangedSlice } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { periodReadings, withPeriods } from './charging-periods.ts';
import type { CallingPartner } from './partners.service.ts';
import { invalid, ocpiTime, statedTime } from './wire/date-time.ts';
import { type PartnerSessionReading, sessionObject } from './wire/v221/session.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'clickhouse'>;

/** Resolution in ms of periods of a running or ended session; a CDR's periods use every reading. */
const periodsEveryMs = 60_000;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A slice of a partner's own sessions, and how many there are in all. */
export async function listOcpiSessions(
  deps: Deps,
  partner: CallingPartner,
  slice: ChangedSlice,
): Promise<{ rows: PartnerSessionReading[]; total: number }> {
  const { rows, total } = await listPartnerSessions(deps.sql, partner, slice);
  return { rows: await partnerReadings(deps, rows), total };
}

/**
 * One of a partner's own sessions.
 * @param party of us, where the path names it.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function readOcpiSession(
  deps: Deps,
  partner: CallingPartner,
  id: string,
  party: PartyOnWire | null,
): Promise<PartnerSessionReading> {
  const [reading] = await partnerReadings(deps, [await requireSession(deps, partner, id, party)]);
  if (reading === undefined) throw new Error('a session that was read no longer exists');
  return reading;
}

/** Session fields that a partner patches, with the document's names; all are optional, and null removes a value. */
interface SessionPatch {
  kWh?: number | undefined;
  endDateTime?: string | null | undefined;
  authMethod?: AuthMethod | undefined;
  authorizationReference?: string | null | undefined;
  meterId?: string | null | undefined;
  currency?: string | undefined;
  status?: string | undefined;
  lastUpdated?: string | undefined;
}

/**
 * Applies a partner's patch of its own session. Method, reference and meter of the authorization take effect at once. Energy, end,
 * currency and status that differ from ours are stored as the partner's statement: the price waits for an operator, who accepts or
 * rejects them. A patch older than the partner's last one is ignored.
 * @throws {DomainError} SESSION_NOT_FOUND; VALIDATION_FAILED (2001) for a value that cannot be, or that was decided on.
 */
export async function patchOcpiSession(
  deps: Deps,
  by: PartnerActor,
  partner: CallingPartner,
  id: string,
  party: PartyOnWire,
  patch: SessionPatch,
): Promise<PartnerSessionReading> {
  const before = await readOcpiSession(deps, partner, id, party);
  const statement = statementOf(before, patch);
  const { lastUpdated, authMethod, authorizationReference, meterId } = patch;
  const saidAt = lastUpdated === undefined ? new Date() : statedTime('lastUpdated', lastUpdated);
  await deps.sql.begin(async (transaction) => {
    const session = await lockStatedSession(transaction, before.session.uuid, partner.id);
    if (session === null) throw noSession(id);
    if (session.patchedAt !== null && saidAt < session.patchedAt) return;
    await patchPartnerSession(transaction, session.id, {
      authMethod,
      authorizationReference,
      meterId,
      saidAt,
    });
    const [field] = Object.keys(statement);
    if (field === undefined) return;
    if (session.priceDecision !== null || session.invoiceNumber !== null) {
      const why = session.invoiceNumber === null ? 'was decided by an operator' : 'is on an invoice';
      throw invalid(
        field === 'endedAt' ? 'endDateTime' : field,
        `cannot change: the price of the session ${why}`,
      );
    }
    const stated = await storeStatement(transaction, session, statement);
    await auditChange(transaction, by, {
      networkId: before.session.networkId,
      category: 'session',
      action: 'partner-statement',
      resourceId: session.uuid,
      resourceName: session.uuid,
      before: session.partnerStatement,
      after: stated,
    });
  });
  return readOcpiSession(deps, partner, id, party);
}

/** Maximum energy of a session in kWh that a partner can state. */
const maxKwh = 1_000_000;

/**
 * Returns the values of a patch that differ from ours.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
function statementOf(reading: PartnerSessionReading, patch: SessionPatch): PartnerStatement {
  const is = sessionObject(reading);
  const { kWh, currency, status, endDateTime } = patch;
  if (kWh !== undefined && kWh > maxKwh) throw invalid('kWh', `must be at most ${maxKwh}`);
  const endedAt = endDateTime && ocpiTime('endDateTime', endDateTime).toISOString();
  if (endDateTime === null && is.end_date_time !== undefined) {
    throw invalid('endDateTime', `cannot be removed: it is ${is.end_date_time}`);
  }
  if (endedAt && (new Date(endedAt) < reading.session.startedAt || Date.parse(endedAt) > Date.now())) {
    throw invalid('endDateTime', 'must be between the start of the session and now');
  }
  return {
    ...(kWh !== undefined && kWh !== is.kwh && { kwh: kWh }),
    ...(endedAt && endedAt !== is.end_date_time && { endedAt }),
    ...(currency !== undefined && currency !== is.currency && { currency }),
    ...(status !== undefined && status !== is.status && { status }),
  };
}

/** ChargingPreferencesResponse (OCPI 2.2.1 §9.4.1). */
export const preferencesAnswers = [
  'ACCEPTED',
  'DEPARTURE_REQUIRED',
  'ENERGY_NEED_REQUIRED',
  'NOT_POSSIBLE',
  'PROFILE_TYPE_NOT_SUPPORTED',
] as const;
type PreferencesAnswer = (typeof preferencesAnswers)[number];

/**
 * Applies the charging preferences of a running session's driver (§9.2.1.2). The only profile is REGULAR,
 * which charges as fast as the connector can: energy that it can deliver until the departure is accepted and
 * stored with the session, more is NOT_POSSIBLE.
 * @throws {DomainError} SESSION_NOT_FOUND, also where the EVSE is not CHARGING_PREFERENCES_CAPABLE (§9.4.1:
 * 404).
 */
export async function acceptPreferences(
  deps: Deps,
  partner: CallingPartner,
  id: string,
  preferences: ChargingPreferences,
): Promise<PreferencesAnswer> {
  const session = await requireSession(deps, partner, id, null);
  if (session.place.capabilities?.includes('CHARGING_PREFERENCES_CAPABLE') !== true) {
    throw new DomainError(
      'SESSION_NOT_FOUND',
      'The EVSE of this session does not support charging preferences.',
    );
  }
  if (preferences.profile_type !== 'REGULAR') return 'PROFILE_TYPE_NOT_SUPPORTED';
  if (!isPossible(session, preferences)) return 'NOT_POSSIBLE';
  return (await setChargingPreferences(deps.sql, session.id, preferences)) ? 'ACCEPTED' : 'NOT_POSSIBLE';
}

/**
 * Returns whether the connector can deliver the requested energy until the departure; unknown values count as possible.
 */
function isPossible(
  { ratedPowerW, energyWh }: PartnerSession,
  { departure_time: departure, energy_need: energyNeed }: ChargingPreferences,
): boolean {
  if (departure === undefined) return true;
  const hoursLeft = (ocpiTime('departure_time', departure).getTime() - Date.now()) / 3_600_000;
  if (hoursLeft <= 0) return false;
  if (energyNeed === undefined || ratedPowerW === null) return true;
  return energyNeed * 1000 - energyWh <= ratedPowerW * hoursLeft;
}

/** Sessions with their charging periods and costs as of now; for pushes too. */
export async function partnerReadings(
  deps: Pick<RoamingDeps, 'sql' | 'clickhouse'>,
  sessions: readonly PartnerSession[],
): Promise<PartnerSessionReading[]> {
  const now = new Date();
  const [readings, meter] = await Promise.all([
    sessionReadings(deps, sessions),
    periodReadings(deps, sessions, now, periodsEveryMs),
  ]);
  return sessions.flatMap((session, index) => {
    const reading = readings[index];
    if (reading === undefined) return [];
    return [withPeriods(reading, session, now, meter?.get(session.uuid))];
  });
}

async function requireSession(
  { sql }: Deps,
  partner: CallingPartner,
  id: string,
  party: PartyOnWire | null,
): Promise<PartnerSession> {
  const session = uuidPattern.test(id) ? await findPartnerSession(sql, partner, id) : null;
  const isThere =
    session !== null &&
    (party === null ||
      (party.country_code.toUpperCase() === session.countryCode &&
        party.party_id.toUpperCase() === session.partyId));
  if (!isThere) throw noSession(id);
  return session;
}

function noSession(id: string): DomainError {
  return new DomainError('SESSION_NOT_FOUND', `You have no session ${id} here.`);
}
