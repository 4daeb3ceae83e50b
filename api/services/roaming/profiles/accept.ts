import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import {
  agreed,
  declined,
  type ImmediateAnswer,
  isReachable,
  type PartnerRequest,
  requireDeliverable,
  unreachable,
} from '#api/services/roaming/commands/requests.service.ts';
import { storeRequest } from '#api/services/roaming/commands/accept.ts';
import { invalid } from '#api/services/roaming/wire/date-time.ts';
import { type ChargingProfile, profileProblem } from '#shared/domain/charging/charging-profile.ts';
import type { SessionProfile } from '#shared/domain/roaming/ocpi-command.ts';
import { countProfileRequests, lockKey } from '#shared/postgres/roaming/ocpi-commands.ts';
import { findPartnerSession } from '#shared/postgres/roaming/ocpi-places.ts';

/** Request of a partner about the charging profile of a session (OCPI 2.2.1 §14.4.1). */
export type ProfileRequest =
  | { type: 'GET_PROFILE'; durationSeconds: number }
  | { type: 'SET_PROFILE'; profile: SessionProfile }
  | { type: 'CLEAR_PROFILE' };

/** Maximum number of requests to a session's charger: each is a message over a mobile line (§14.3). */
const maxRequests = 6;
const perSeconds = 60;

/**
 * Takes a request about the charging profile of a session of the partner: answers at once, and has done in the background
 * what was accepted.
 * @throws {DomainError} VALIDATION_FAILED (2001) for a profile that no charger could follow, or a `response_url` that cannot be
 * called.
 */
export async function acceptProfileRequest(
  deps: RoamingDeps,
  request: PartnerRequest,
  sessionId: string,
  wanted: ProfileRequest,
): Promise<ImmediateAnswer> {
  await requireDeliverable(deps, request);
  if (wanted.type === 'SET_PROFILE') requirePossible(wanted.profile);
  const { partner } = request;
  const session = await findPartnerSession(deps.sql, partner, sessionId);
  if (session === null) return declined('UNKNOWN_SESSION', 'There is no such session of yours.');
  if (!session.isRunning) return declined('REJECTED', 'The session has ended.');
  if (!(await isReachable(deps, session))) return declined('REJECTED', unreachable);
  const { id, uuid: sessionUuid, chargerId, chargerUuid } = session;
  return deps.sql.begin(async (transaction) => {
    await lockKey(transaction, partner.id, `profile ${id}`);
    if ((await countProfileRequests(transaction, id, perSeconds)) >= maxRequests) {
      return declined('TOO_OFTEN', `${maxRequests} requests of a session within ${perSeconds} s.`);
    }
    const plan = agreed({ ...wanted, chargerUuid, sessionUuid }, { chargerId, sessionId: id });
    const none = { commandId: null, repeatKey: null, authorizationId: null };
    await storeRequest(transaction, request, wanted.type, plan, none);
    return plan;
  });
}

function requirePossible(profile: SessionProfile): void {
  const problem = profileProblem({ ...chargingProfile(profile), profileId: 0, transactionId: null }, 1);
  if (problem !== null) throw invalid('charging_profile', `: ${problem}`);
}

/** A partner's profile as chargers have it: of the session, and the one of its own there (1.6 §7.10, 2.0.1 K01). */
export function chargingProfile({
  startsAt,
  ...profile
}: SessionProfile): Omit<ChargingProfile, 'profileId' | 'transactionId'> {
  return {
    ...profile,
    startsAt: startsAt === null ? null : new Date(startsAt),
    stackLevel: 0,
    purpose: 'Tx',
    kind: startsAt === null ? 'Relative' : 'Absolute',
    recurrency: null,
    updateIntervalSeconds: null,
    validFrom: null,
    validTo: null,
  };
}
