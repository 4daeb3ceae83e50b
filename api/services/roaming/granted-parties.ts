import { type Actor, audit, type PartnerActor } from '#api/services/access/audit.ts';
import type { RoamingDeps } from './deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type CredentialsRole, type Party, partyName } from '#shared/domain/roaming/ocpi.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { listOwnParties, recordRefusedParties } from '#shared/postgres/roaming/ocpi-partner-parties.ts';
import { ourRole } from './our-credentials.ts';
import type { PartnerRecord } from './partners.ts';

/**
 * Refuses a partner that names a party which its operator did not grant: another partner's, the network's
 * own, or an unknown one. The operator gets an alert and an audit entry.
 * @throws {DomainError} OCPI_PARTY_NOT_GRANTED (2001).
 */
export async function requireGranted(
  deps: Pick<RoamingDeps, 'sql'>,
  partner: PartnerRecord,
  named: readonly CredentialsRole[],
  by: Actor | PartnerActor,
): Promise<void> {
  const refused = await ungranted(deps.sql, partner, named);
  if (refused.length === 0) return;
  const parties = refused.map(partyName);
  await deps.sql.begin(async (transaction) => {
    await recordRefusedParties(transaction, partner.id, parties);
    await audit(transaction, by, {
      networkId: partner.networkId,
      category: 'ocpi-partner',
      action: 'refuse-parties',
      resourceId: partner.uuid,
      resourceName: partner.name,
      description: `ocpi-partner ${partner.name}: credentials named parties that were not granted: ${parties.join(', ')}`,
      details: { parties },
    });
  });
  throw notGranted(refused);
}

/**
 * Returns the parties among these roles that a partner was not granted, each once. A hub may name parties that it speaks for as
 * well (OCPI 2.3.0); its own party must be granted.
 */
export async function ungranted(
  sql: Queryable,
  partner: Pick<PartnerRecord, 'id' | 'networkId' | 'parties' | 'hubParties'>,
  named: readonly CredentialsRole[],
): Promise<Party[]> {
  const granted = new Set(partner.parties.map(partyName));
  const spokenFor =
    partner.hubParties === null
      ? granted
      : new Set((await listOwnParties(sql, partner.id, named)).map(partyName));
  const ours = partyName(await ourRole({ sql }, partner.networkId));
  const refused = named.filter((party) => {
    const name = partyName(party);
    return name === ours || !(party.role === 'HUB' ? granted : spokenFor).has(name);
  });
  return [...new Map(refused.map((party) => [partyName(party), party])).values()];
}

/** The error of credentials that name parties which were not granted. It does not say whose they are. */
export function notGranted(parties: readonly Party[]): DomainError {
  const names = parties.map(partyName).join(', ');
  return new DomainError(
    'OCPI_PARTY_NOT_GRANTED',
    `Your roles name parties that you were not granted: ${names}. Name the parties that were agreed with the operator.`,
  );
}
