import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import {
  listPartnerTokens,
  type PartnerTokenFilter,
  type PartnerTokenRecord,
} from '#shared/postgres/roaming/ocpi-partner-tokens.statements.ts';
import type { RoamingDeps } from './deps.ts';
import { partners } from './partner-audit.ts';

export type { PartnerTokenRecord } from '#shared/postgres/roaming/ocpi-partner-tokens.statements.ts';

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
  const { id } = await partners.require(sql, caller.networks, uuid);
  return cutById(await listPartnerTokens(sql, id, filter, { after, limit: limit + 1 }), limit);
}
