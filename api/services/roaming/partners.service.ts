import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartnerWriteScope, Party } from '#shared/domain/roaming/ocpi.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { findPartnerByToken, type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import type { RoamingDeps } from './deps.ts';

export type { PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';

/** A partner that calls, with the token that it showed. */
export interface CallingPartner extends PartnerRecord {
  shownToken: string;
  tokenHash: Buffer;
  /** Party that sent the request through its hub. Null: the hub itself, or the partner is no hub. */
  client: Party | null;
}

const scheme = /^token\s+(\S+)\s*$/i;

/**
 * The partner that a request's Authorization header stands for. 2.2.1 sends the token in base64, many peers of 2.2 as it
 * is: both are taken (field notes, OCPI).
 * @throws {DomainError} OCPI_TOKEN_MISSING, OCPI_TOKEN_INVALID, OCPI_PARTNER_SUSPENDED.
 */
export async function authenticatePartner(
  { sql }: Pick<RoamingDeps, 'sql'>,
  authorization: string | undefined,
): Promise<CallingPartner> {
  const sent = scheme.exec(authorization ?? '')?.[1];
  if (sent === undefined) {
    throw new DomainError('OCPI_TOKEN_MISSING', 'The header Authorization: Token … is missing.');
  }
  const readings = [sent, Buffer.from(sent, 'base64').toString('utf8').trim()];
  const hashes = readings.map(hashSecret);
  const partner = await findPartnerByToken(sql, hashes);
  const { tokenHash } = partner ?? {};
  if (partner === null || !tokenHash) throw new DomainError('OCPI_TOKEN_INVALID', 'The token is not known.');
  if (partner.status === 'SUSPENDED') {
    throw new DomainError('OCPI_PARTNER_SUSPENDED', 'The operator suspended this partnership.');
  }
  const shownToken = readings.find((_, index) => hashes[index]?.equals(tokenHash)) ?? sent;
  return { ...partner, shownToken, tokenHash, client: null };
}

/**
 * Stops a partner that has not exchanged credentials yet.
 * @throws {DomainError} OCPI_NOT_REGISTERED_YET.
 */
export function requireRegistered(partner: PartnerRecord): void {
  if (partner.status === 'REGISTERED') return;
  throw new DomainError(
    'OCPI_NOT_REGISTERED_YET',
    'This token is only valid for the registration. Exchange credentials first.',
  );
}

/**
 * Stops a partner that was not granted to change our records. The grant of a hub is not that of the parties behind it.
 * @throws {DomainError} OCPI_WRITE_NOT_GRANTED.
 */
export function requireWriteScope(partner: CallingPartner, scope: PartnerWriteScope): void {
  if (partner.writeScopes.includes(scope) && partner.client === null) return;
  throw new DomainError('OCPI_WRITE_NOT_GRANTED', `This partner has no permission to change ${scope}.`);
}
