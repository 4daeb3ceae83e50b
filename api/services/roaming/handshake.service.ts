import type { PartnerActor } from '#api/services/access/audit.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newPartnerToken } from '#shared/domain/kernel/secrets.ts';
import type { OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { resetPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import type { RoamingDeps } from './deps.ts';
import { requireGranted } from './granted-parties.ts';
import { ourRole } from './our-credentials.ts';
import type { CallingPartner, PartnerRecord } from './partners.service.ts';
import { discover, HandshakeError } from './registration/discovery.ts';
import { storePartner } from './registration/store.service.ts';
import type { SentCredentials } from './wire/v221/credentials.ts';

/**
 * Registers a partner that began the handshake, or renews its registration: reads its versions and endpoints with the token that it
 * sent, then stores them together with a new token for it. The old token is invalid from then on; on a
 * failure nothing changes.
 * @returns the new token of the partner: stored as a hash, so it is available only here.
 * @throws {DomainError} OCPI_CALLBACK_FAILED (3001), OCPI_VERSION_UNSUPPORTED (3002), OCPI_ENDPOINTS_MISSING
 * (3003), OCPI_PARTY_NOT_GRANTED (2001).
 */
export async function registerPartner(
  deps: RoamingDeps,
  partner: CallingPartner,
  version: OcpiVersion,
  sent: SentCredentials,
  by: PartnerActor,
): Promise<string> {
  const roles = await requireGranted(deps, partner, sent.roles, by);
  const theirToken = deps.secrets.sealText(sent.token);
  const called = {
    ...partner,
    theirToken,
    ocpiVersion: version,
    from: await ourRole(deps, partner.networkId),
  };
  const { endpoints } = await discover(deps, called, sent.url, [version]).catch((error: unknown) => {
    throw error instanceof HandshakeError ? answerTo(error, version) : error;
  });
  const token = newPartnerToken();
  const agreed = {
    tokenHash: hashSecret(token),
    theirToken,
    versionsUrl: sent.url,
    ocpiVersion: version,
    roles,
    endpoints,
  };
  const isStored = await deps.sql.begin((transaction) =>
    storePartner(transaction, partner, partner.tokenHash, agreed),
  );
  if (!isStored) {
    throw new DomainError('OCPI_TOKEN_INVALID', 'Another registration used this token at the same time.');
  }
  return token;
}

/** Ends a registration: the tokens of both sides become invalid. */
export async function unregisterPartner({ sql }: RoamingDeps, partner: PartnerRecord): Promise<void> {
  await sql.begin((transaction) => resetPartner(transaction, partner.id, null));
}

/** Returns the error that a calling partner gets for a fault of its own side. */
function answerTo({ fault, url, message }: HandshakeError, version: OcpiVersion): DomainError {
  if (fault === 'version-unsupported') {
    return new DomainError('OCPI_VERSION_UNSUPPORTED', `Your versions do not list ${version}.`);
  }
  if (fault === 'endpoints-missing') {
    return new DomainError('OCPI_ENDPOINTS_MISSING', 'Your endpoints do not list the module credentials.');
  }
  return new DomainError('OCPI_CALLBACK_FAILED', `Your endpoint ${url} could not be used: ${message}.`);
}
