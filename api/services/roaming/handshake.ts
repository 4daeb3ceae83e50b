import type { PartnerActor } from '#api/services/access/audit.ts';
import type { RoamingDeps } from './deps.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type CredentialsRole,
  interfaceRoles,
  type OcpiEndpoint,
  type OcpiVersion,
} from '#shared/domain/roaming/ocpi.ts';
import { hashSecret, newPartnerToken } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { queueResync } from '#shared/postgres/roaming/ocpi-changes.ts';
import {
  findPartnerById,
  type Registration,
  resetPartner,
  storeRegistration,
} from '#shared/postgres/roaming/ocpi-partners.ts';
import { notGranted, requireGranted, ungranted } from './granted-parties.ts';
import { ourRole } from './our-credentials.ts';
import { callPartner, isSuccess } from './partner-calls.ts';
import type { CallingPartner, PartnerRecord } from './partners.ts';

/** Credentials as a party sends them (OCPI 2.2.1 §7.3), whatever the names on the wire. */
export interface SentCredentials {
  token: string;
  url: string;
  roles: CredentialsRole[];
}

/**
 * Registers a partner, or renews its registration: reads its versions and endpoints with the token that it
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
  await requireGranted(deps, partner, sent.roles, by);
  const endpoints = await findEndpoints(deps, partner, version, sent);
  const token = newPartnerToken();
  await storePartner(deps, partner, {
    tokenHash: hashSecret(token),
    theirToken: sent.token,
    versionsUrl: sent.url,
    ocpiVersion: version,
    roles: sent.roles,
    endpoints,
  });
  return token;
}

/**
 * Asks a partner where it serves the modules of a version.
 * @throws {DomainError} as `registerPartner` does.
 */
async function findEndpoints(
  deps: RoamingDeps,
  partner: PartnerRecord,
  version: OcpiVersion,
  sent: Pick<SentCredentials, 'token' | 'url'>,
): Promise<OcpiEndpoint[]> {
  const from = await ourRole(deps, partner.networkId);
  const ask = (url: string) => askPartner(deps, { ...partner, theirToken: sent.token, from }, url);
  const versions = listOf(await ask(sent.url), ['version', 'url']);
  const entry = versions.find((candidate) => candidate['version'] === version);
  if (entry === undefined) {
    throw new DomainError('OCPI_VERSION_UNSUPPORTED', `Your versions do not list ${version}.`);
  }
  const details = await ask(entry['url'] ?? '');
  const list =
    typeof details === 'object' && details !== null && 'endpoints' in details ? details.endpoints : [];
  const endpoints = listOf(list, ['identifier', 'url'])
    .slice(0, maxEndpoints)
    .map(toEndpoint)
    .filter(isUsable);
  if (!endpoints.some(({ identifier }) => identifier === 'credentials')) {
    throw new DomainError('OCPI_ENDPOINTS_MISSING', 'Your endpoints do not list the module credentials.');
  }
  return endpoints;
}

/** Ends a registration: no token of either side is good any more. */
export async function unregisterPartner({ sql }: RoamingDeps, partner: PartnerRecord): Promise<void> {
  await sql.begin((transaction) => resetPartner(transaction, partner.id, null));
}

async function storePartner(
  { sql }: RoamingDeps,
  partner: CallingPartner,
  agreed: Registration,
): Promise<void> {
  const isStored = await sql.begin(async (transaction) => {
    if (!(await storeRegistration(transaction, partner.id, partner.tokenHash, agreed))) return false;
    await requireStillGranted(transaction, partner.id, agreed.roles);
    // All else it reads for itself; of its CDRs we know which it was never seen to have.
    await queueResync(transaction, partner, ['cdrs'], null);
    return true;
  });
  if (!isStored) {
    throw new DomainError('OCPI_TOKEN_INVALID', 'Another registration used this token at the same time.');
  }
}

/** @throws {DomainError} OCPI_PARTY_NOT_GRANTED: the operator withdrew a party during the handshake. */
async function requireStillGranted(
  transaction: Transaction,
  partnerId: number,
  roles: readonly CredentialsRole[],
): Promise<void> {
  const partner = await findPartnerById(transaction, partnerId);
  const refused =
    partner === null ? [] : ungranted(partner, roles, await ourRole({ sql: transaction }, partner.networkId));
  if (refused.length > 0) throw notGranted(refused);
}

async function askPartner(
  deps: RoamingDeps,
  partner: Parameters<typeof callPartner>[1],
  url: string,
): Promise<unknown> {
  try {
    const answer = await callPartner(deps, partner, { module: 'versions', method: 'GET', url });
    if (isSuccess(answer)) return answer.data;
    throw callbackFailed(url, `HTTP ${answer.httpStatus}, status_code ${answer.statusCode ?? 'none'}`);
  } catch (error) {
    if (error instanceof OutboundError) throw callbackFailed(url, `${error.fault}: ${error.message}`);
    throw error;
  }
}

function callbackFailed(url: string, why: string): DomainError {
  return new DomainError('OCPI_CALLBACK_FAILED', `Your endpoint ${url} could not be used: ${why}.`);
}

/** Those entries of a list that have all these texts. */
function listOf(data: unknown, names: string[]): Record<string, string>[] {
  if (!Array.isArray(data)) return [];
  return data.filter(
    (entry: unknown): entry is Record<string, string> =>
      typeof entry === 'object' &&
      entry !== null &&
      names.every((name) => typeof (entry as Record<string, unknown>)[name] === 'string'),
  );
}

/** More than there are modules and sides of them. */
const maxEndpoints = 100;

/** Returns whether an endpoint's URL is usable at all; its address is checked at each call. */
function isUsable({ identifier, url }: OcpiEndpoint): boolean {
  const isPlain = identifier.length <= 64 && url.length <= 1024 && !/\p{Cc}/u.test(identifier + url);
  return isPlain && /^https?:/i.test(url) && URL.canParse(url);
}

/** A party that names no role means its own side of the module: the one that we are not. */
function toEndpoint({ identifier = '', role, url = '' }: Record<string, string>): OcpiEndpoint {
  const known = interfaceRoles.find((candidate) => candidate === role);
  return { identifier, role: known ?? 'RECEIVER', url };
}
