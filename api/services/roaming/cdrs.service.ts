import type { RoamingDeps } from './deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import { findCdr, listCdrs } from '#shared/postgres/roaming/cdrs.statements.ts';
import type { ChangedSlice } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import type { CallingPartner } from './partners.service.ts';
import type { Cdr } from './wire/v221/cdr.ts';

/** A slice of a partner's own CDRs, oldest first, and how many there are in all. */
export async function listPartnerCdrs(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  slice: ChangedSlice,
): Promise<{ rows: Cdr[]; total: number }> {
  const { rows, total } = await listCdrs<Cdr>(sql, partner, slice);
  return { rows: rows.map(({ document }) => document), total };
}

/**
 * One of a partner's own CDRs, as it was made.
 * @param party of us, where the path names it.
 * @throws {DomainError} CDR_NOT_FOUND.
 */
export async function readPartnerCdr(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  id: string,
  party: PartyOnWire | null,
): Promise<Cdr> {
  const { document } = (await findCdr<Cdr>(sql, partner, id)) ?? {};
  const isThere =
    document !== undefined &&
    (party === null ||
      (party.country_code.toUpperCase() === document.country_code &&
        party.party_id.toUpperCase() === document.party_id));
  if (!isThere) throw new DomainError('CDR_NOT_FOUND', `You have no CDR ${id} here.`);
  return document;
}
