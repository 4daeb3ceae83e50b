import { type Actor, audit, type OwnActor, type PartnerActor } from '#api/services/access/audit.ts';
import type { RoamingDeps } from './deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type CredentialsRole, type Party, partyName } from '#shared/domain/roaming/ocpi.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { listOwnParties, recordRefusedParties } from '#shared/postgres/roaming/ocpi-partner-parties.ts';
import { ourRole } from './our-credentials.ts';
import type { PartnerRecord } from './partners.service.ts';
import { invalid } from './wire/date-time.ts';

/**
 * Returns the roles with which a partner registers. A partner that names a party which its operator did not grant is refused: another
 * partner's, the network's own, or an unknown one. The operator gets an alert and an audit entry. Of a hub, only the own party must
 * be granted; roles of parties that it does not speak for are dropped, because a hub may list all of its clients (OCPI 2.3.0).
 * @throws {DomainError} OCPI_PARTY_NOT_GRANTED (2001); VALIDATION_FAILED (2001) for a hub that does not name its own party.
 */
export async function requireGranted(
  deps: Pick<RoamingDeps, 'sql'>,
  partner: PartnerRecord,
  named: readonly CredentialsRole[],
  by: Actor | OwnActor | PartnerActor,
): Promise<CredentialsRole[]> {
  const { roles, refused } = await judgeRoles(deps.sql, partner, named);
  if (refused.length === 0) return roles;
  const parties = refused.map(partyName);
  await deps.sql.begin(async (transaction) => {
    await recordRefusedParties(transaction, partner.id, parties);
    await audit(transaction, by, {
      networkId: partner.networkId,
      category: 'ocpi-partner',
      action: 'refuse-parties',
      resourceId: partner.uuid,
      resourceName: partner.name,
      description: `ocpi-partner ${partner.name}: credentials contain parties that were not granted: ${parties.join(', ')}`,
      details: { parties },
    });
  });
  throw notGranted(refused);
}

/** Roles of credentials: those with which the partner registers, and the parties that refuse it, each once. */
interface JudgedRoles {
  roles: CredentialsRole[];
  refused: Party[];
}

/**
 * Returns the roles among these that a partner was granted, and the parties for which it is refused.
 * @throws {DomainError} VALIDATION_FAILED (2001) for a hub that does not name its own party.
 */
export async function judgeRoles(
  sql: Queryable,
  partner: Pick<PartnerRecord, 'id' | 'networkId' | 'parties' | 'hubParties'>,
  named: readonly CredentialsRole[],
): Promise<JudgedRoles> {
  const isHub = partner.hubParties !== null;
  // Without it a party behind the hub would count as the hub itself.
  if (isHub && !named.some(({ role }) => role === 'HUB')) {
    throw invalid('roles', 'must contain the party of the hub itself, in the role HUB or in hub_party_id');
  }
  const granted = new Set(partner.parties.map(partyName));
  const spokenFor = isHub ? new Set((await listOwnParties(sql, partner.id, named)).map(partyName)) : granted;
  const ours = partyName(await ourRole({ sql }, partner.networkId));
  const isGranted = (party: CredentialsRole) => {
    const name = partyName(party);
    return name !== ours && (party.role === 'HUB' ? granted : spokenFor).has(name);
  };
  const refused = named.filter((party) => !isGranted(party) && (!isHub || party.role === 'HUB'));
  return {
    roles: named.filter(isGranted),
    refused: [...new Map(refused.map((party) => [partyName(party), party])).values()],
  };
}

/** The error of credentials that name parties which were not granted. It does not say whose they are. */
export function notGranted(parties: readonly Party[]): DomainError {
  const names = parties.map(partyName).join(', ');
  return new DomainError(
    'OCPI_PARTY_NOT_GRANTED',
    `Your roles name parties that you were not granted: ${names}. Name the parties that were agreed with the operator.`,
  );
}
