import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { IdTokenType } from '#shared/domain/charging/session.ts';
import type { Party } from '#shared/domain/roaming/ocpi.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { actsFor } from './ocpi-partner-parties.ts';

/** Token of one partner as operators see it. */
export interface PartnerTokenRecord extends Party {
  id: number;
  uid: string;
  type: IdTokenType;
  contractId: string;
  visualNumber: string | null;
  issuer: string;
  groupId: string | null;
  isValid: boolean;
  whitelist: Whitelist;
  lastUpdated: Date;
  knownSince: Date;
  /** True when the partner acts for the party of the token. */
  isGranted: boolean;
}

/** Filter of the tokens of a partner. */
export interface PartnerTokenFilter {
  /** Compared without regard to case. */
  uid?: string | undefined;
  isValid?: boolean | undefined;
}

/** Lists the tokens of a partner after this id, in the order in which they were first received. */
export async function listPartnerTokens(
  sql: Queryable,
  partnerId: number,
  { uid, isValid }: PartnerTokenFilter,
  { after, limit }: { after: number | null; limit: number },
): Promise<PartnerTokenRecord[]> {
  return sql<PartnerTokenRecord[]>`
    select t.id::double precision as id, t.country_code as "countryCode", t.party_id as "partyId", t.uid,
      case t.type when 'EMAID' then 'OTHER' else t.type end as type, t.contract_id as "contractId",
      t.visual_number as "visualNumber", t.issuer, t.group_id as "groupId", t.is_valid as "isValid", t.whitelist,
      t.last_updated as "lastUpdated", t.created_at as "knownSince",
      ${actsFor(sql, sql`t.country_code`, sql`t.party_id`)} as "isGranted"
    from ocpi_tokens t join ocpi_partners p on p.id = t.partner_id
    where t.partner_id = ${partnerId} and t.id > ${after ?? 0}
      ${uid === undefined ? sql`` : sql`and lower(t.uid) = lower(${uid})`}
      ${isValid === undefined ? sql`` : isValid ? sql`and t.is_valid` : sql`and not t.is_valid`}
    order by t.id limit ${limit}`;
}
