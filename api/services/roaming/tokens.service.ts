import type { RoamingDeps } from './deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import {
  type ChangedSlice,
  findOcpiToken,
  listOcpiTokens,
  type OcpiTokenRecord,
  upsertOcpiTokens,
} from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { requireOwnParty } from './own-parties.ts';
import type { CallingPartner } from './partners.service.ts';
import { invalid, statedTime } from './wire/date-time.ts';
import { type Token, type TokenPatch, tokenRecord, tokenView } from './wire/v221/token.ts';

export type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';

/** Token identification from a path. */
interface TokenPath {
  country_code: string;
  party_id: string;
  token_uid: string;
}

/** A slice of a partner's own tokens, and how many there are in all. */
export function listPartnerTokens(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  slice: ChangedSlice,
): Promise<{ rows: OcpiTokenRecord[]; total: number }> {
  return listOcpiTokens(sql, partner, slice);
}

/**
 * One of a partner's own tokens; without a type its RFID one, where it has such.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND (2004).
 */
export async function readPartnerToken(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  { token_uid: uid, ...party }: Partial<TokenPath> & { token_uid: string },
  type: OcpiTokenType | undefined,
): Promise<OcpiTokenRecord> {
  const key = {
    countryCode: party.country_code?.toUpperCase() ?? null,
    partyId: party.party_id?.toUpperCase() ?? null,
    uid,
    type: type ?? null,
  };
  return requireFound(await findOcpiToken(sql, partner, key), uid);
}

/**
 * Stores a token as its partner has it now; an older word than the one that is here changes nothing (OCPI 2.2.1
 * §12.2.1.2).
 * @returns true when it was not stored before.
 * @throws {DomainError} VALIDATION_FAILED (2001) when the path names another token, or a party that is not the partner's.
 */
export async function putPartnerToken(
  deps: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  path: TokenPath,
  type: OcpiTokenType,
  token: Token,
): Promise<boolean> {
  await requireOwnParty(deps, partner, path);
  requireSame('country_code', path.country_code, token.country_code);
  requireSame('party_id', path.party_id, token.party_id);
  requireSame('uid', path.token_uid, token.uid);
  requireSame('type', type, token.type);
  return (await upsertOcpiTokens(deps.sql, partner.id, [tokenRecord(token)])) > 0;
}

/**
 * Changes what a partner names of a token; what it leaves out stays, and an older word changes nothing.
 * @throws {DomainError} VALIDATION_FAILED (2001) without `last_updated`, or when the path names another token than the body;
 *   ID_TOKEN_NOT_FOUND (2004).
 */
export async function patchPartnerToken(
  deps: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  path: TokenPath,
  type: OcpiTokenType,
  patch: TokenPatch,
): Promise<void> {
  await requireOwnParty(deps, partner, path);
  if (patch.last_updated === undefined) throw invalid('last_updated', 'is required');
  const lastUpdated = statedTime('last_updated', patch.last_updated);
  for (const [field, named] of [
    ['country_code', path.country_code],
    ['party_id', path.party_id],
    ['uid', path.token_uid],
    ['type', type],
  ] as const) {
    requireSame(field, named, patch[field] ?? named);
  }
  const { token_uid: uid } = path;
  const key = {
    countryCode: path.country_code.toUpperCase(),
    partyId: path.party_id.toUpperCase(),
    uid,
    type,
  };
  await deps.sql.begin(async (transaction) => {
    const before = requireFound(await findOcpiToken(transaction, partner, key, true), uid);
    if (lastUpdated < before.lastUpdated) return;
    const token = tokenRecord({ ...tokenView(before), ...patch });
    await upsertOcpiTokens(transaction, partner.id, [{ ...token, type: before.type }]);
  });
}

function requireSame(field: string, inPath: string, inBody: string): void {
  if (inPath.toUpperCase() === inBody.toUpperCase()) return;
  throw invalid(field, 'must be the same in the path and in the body');
}

function requireFound(token: OcpiTokenRecord | null, uid: string): OcpiTokenRecord {
  if (token === null) throw new DomainError('ID_TOKEN_NOT_FOUND', `There is no token ${uid}.`);
  return token;
}
