import type { Party } from '#shared/domain/roaming/ocpi.ts';
import type { IdTokenType } from '#shared/domain/charging/session.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { actsFor } from './ocpi-partner-parties.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** The party that a card belongs to, by its uid. */
interface UidOwner extends Party {
  partnerId: number;
}

/** Condition that the partner `p` of a token `t` acts for its party. */
const isGranted = (sql: Queryable) => actsFor(sql, sql`t.country_code`, sql`t.party_id`);

/** Tokens `t` of parties that their partners `p` act for. */
const grantedTokens = (sql: Queryable) => sql`
  ocpi_tokens t join ocpi_partners p on p.id = t.partner_id and p.deleted_at is null and ${isGranted(sql)}`;

/** The order in which tokens with one uid claim it: the operator's choice, then the token that was known first. */
const byClaim = (sql: Queryable) => sql`t.chosen_at desc nulls last, t.id`;

/**
 * Selects the owner of a uid in a network: `partner_id`, `country_code`, `party_id`. A charger shows a bare uid, and the
 * tokens of several parties may have it. `last_updated` is the partner's own word and decides nothing between parties; a
 * suspended partner keeps its cards.
 */
export const ownerOf = (sql: Queryable, networkId: number, uid: string): Fragment => sql`
  select t.partner_id, t.country_code, t.party_id from ${grantedTokens(sql)}
  where lower(t.uid) = lower(${uid}) and p.network_id = ${networkId} order by ${byClaim(sql)} limit 1`;

/** Returns the owner of a uid among the partners of a network; null when no partner has a token with it. */
export async function findUidOwner(sql: Queryable, networkId: number, uid: string): Promise<UidOwner | null> {
  const [row] = await sql<UidOwner[]>`
    select partner_id as "partnerId", country_code as "countryCode", party_id as "partyId"
    from (${ownerOf(sql, networkId, uid)}) o`;
  return row ?? null;
}

/** A partner's token as operators see it alongside others with its uid. */
export interface ClaimedToken extends Party {
  networkId: number;
  networkUuid: string;
  partnerUuid: string;
  partnerName: string;
  uid: string;
  type: IdTokenType;
  contractId: string;
  isValid: boolean;
  lastUpdated: Date;
  knownSince: Date;
  /** True when its party owns the uid. */
  isOwner: boolean;
}

/** Lists the tokens of partners with a uid in these networks, the strongest claim of each network first. */
export async function listTokensWithUid(
  sql: Queryable,
  scope: NetworkScope,
  uid: string,
): Promise<ClaimedToken[]> {
  return sql<ClaimedToken[]>`
    select p.network_id as "networkId", n.uuid as "networkUuid", p.uuid as "partnerUuid", p.name as "partnerName",
      t.country_code as "countryCode", t.party_id as "partyId", t.uid,
      case t.type when 'EMAID' then 'OTHER' else t.type end as type, t.contract_id as "contractId",
      t.is_valid as "isValid", t.last_updated as "lastUpdated", t.created_at as "knownSince",
      concat_ws(' ', t.partner_id, t.country_code, t.party_id) = first_value(concat_ws(' ', t.partner_id, t.country_code, t.party_id))
        over (partition by p.network_id order by ${byClaim(sql)}) as "isOwner"
    from ${grantedTokens(sql)} join networks n on n.id = p.network_id
    where lower(t.uid) = lower(${uid}) and ${inScope(sql, 'p.network_id', scope)}
    order by p.network_id, ${byClaim(sql)} limit 1000`;
}

/** Makes a party the owner of a uid in a network; returns false when the party has no token with it. */
export async function chooseOwner(
  sql: Transaction,
  networkId: number,
  uid: string,
  { countryCode, partyId }: Party,
): Promise<boolean> {
  const rows = await sql<{ isChosen: boolean }[]>`
    update ocpi_tokens t
    set chosen_at = case when t.country_code = upper(${countryCode}) and t.party_id = upper(${partyId}) then now() end
    from ocpi_partners p
    where p.id = t.partner_id and p.network_id = ${networkId} and p.deleted_at is null and ${isGranted(sql)}
      and lower(t.uid) = lower(${uid})
    returning t.chosen_at is not null as "isChosen"`;
  return rows.some(({ isChosen }) => isChosen);
}
