import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { findPartner } from '#shared/postgres/roaming/ocpi-partners.ts';
import {
  listPartnerTokens,
  type PartnerTokenFilter,
  type PartnerTokenRecord,
} from '#shared/postgres/roaming/ocpi-partner-tokens.ts';
import type { RoamingDeps } from './deps.ts';
import { found } from './partner-audit.ts';

export type { PartnerTokenRecord } from '#shared/postgres/roaming/ocpi-partner-tokens.ts';

/**
 * Returns one page of the tokens of a partner.
 * @throws {DomainError} PARTNER_NOT_FOUND, VALIDATION_FAILED.
 */
export async function listTokensOfPartner(
  { sql }: Pick<RoamingDeps, 'sql'>,
  caller: Caller,
  uuid: string,
  filter: PartnerTokenFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: PartnerTokenRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor, 'bigint');
  const { id } = found(await findPartner(sql, caller.networks, uuid), uuid);
  return cutById(await listPartnerTokens(sql, id, filter, { after, limit: limit + 1 }), limit);
}
