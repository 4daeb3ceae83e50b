import { type Actor } from '#api/services/access/audit.ts';
import { markActed } from '#api/services/access/idempotency.service.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { ourRole } from '#api/services/roaming/our-credentials.ts';
import { partners } from '#api/services/roaming/partner-audit.ts';
import {
  listPartnerEndpoints,
  type PartnerRecord,
  resetPartner,
} from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { askParty, credentialsUrl, HandshakeError } from './discovery.ts';
import { claimRun } from './run.service.ts';
import { idleHandshake, requireTransition, superseded } from './states.ts';

/** Answer of the partner to the end of its registration. NOT_ASKED: there was no registration to end. */
export const unregisterOutcomes = ['CONFIRMED', 'NOT_CONFIRMED', 'NOT_ASKED'] as const;
type UnregisterOutcome = (typeof unregisterOutcomes)[number];

/** Partner after its registration ended, with the partner's answer. */
interface Unregistered {
  partner: PartnerRecord;
  outcome: UnregisterOutcome;
  /** Reason that the partner did not confirm. */
  reason: string | null;
}

/**
 * Ends the registration with a partner: sends DELETE credentials, then invalidates the tokens of both sides here, whatever the
 * partner answered. A suspension stays.
 * @throws {DomainError} PARTNER_NOT_FOUND, OCPI_HANDSHAKE_RUNNING, OCPI_REGISTRATION_STATE when the registration changed
 * meanwhile.
 */
export async function unregister(deps: RoamingDeps, by: Actor, uuid: string): Promise<Unregistered> {
  const asked = await deps.sql.begin(async (transaction) => {
    const partner = await partners.require(transaction, by.caller.networks, uuid, true);
    requireTransition(partner.registration, 'end');
    // A handshake to continue is not continued while the partner is asked.
    if ((await idleHandshake(transaction, partner.id)) !== null) await claimRun(transaction, partner);
    return partner;
  });
  markActed(by);
  const answer = await askToEnd(deps, asked);
  const partner = await deps.sql.begin(async (transaction) => {
    const before = await partners.require(transaction, by.caller.networks, uuid, true);
    if (!isSame(asked, before, answer.outcome)) throw superseded();
    await resetPartner(transaction, before.id, null);
    const after = await partners.require(transaction, by.caller.networks, uuid);
    await partners.audit(transaction, by, 'unregister', before, after, answer);
    return after;
  });
  return { partner, ...answer };
}

/** Returns true when a registration is still the one that the partner was to end. */
function isSame(asked: PartnerRecord, now: PartnerRecord, outcome: UnregisterOutcome): boolean {
  // The partner has ended what it had, whichever token it shows us.
  if (outcome === 'CONFIRMED') return now.registeredAt?.getTime() === asked.registeredAt?.getTime();
  return now.theirToken === asked.theirToken;
}

async function askToEnd(
  deps: RoamingDeps,
  partner: PartnerRecord,
): Promise<Pick<Unregistered, 'outcome' | 'reason'>> {
  if (partner.theirToken === null) return { outcome: 'NOT_ASKED', reason: null };
  const url = credentialsUrl(await listPartnerEndpoints(deps.sql, partner.id));
  if (url === undefined) {
    return { outcome: 'NOT_CONFIRMED', reason: 'The partner has no endpoint of the module credentials.' };
  }
  try {
    const called = { ...partner, from: await ourRole(deps, partner.networkId) };
    await askParty(deps, called, 'credentials', { method: 'DELETE', url });
    return { outcome: 'CONFIRMED', reason: null };
  } catch (error) {
    if (!(error instanceof HandshakeError)) throw error;
    return { outcome: 'NOT_CONFIRMED', reason: `${url}: ${error.message}` };
  }
}
