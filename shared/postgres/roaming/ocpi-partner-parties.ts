import type { Party } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** The key that keeps a party from being granted to two partners of a network. */
export const partyKey = 'ocpi_partner_parties_key';

/**
 * Condition that a partner `p` acts for a party, given as two fragments of type `bpchar`: the party was granted to it, or it is a
 * hub for any party and the party is neither another partner's nor the network's own. A grant to another partner therefore ends
 * what a hub may do at once.
 */
export const actsFor = (sql: Queryable, countryCode: Fragment, partyId: Fragment): Fragment => sql`
  coalesce(
    (select g.partner_id = p.id from ocpi_partner_parties g
      where g.network_id = p.network_id and g.country_code = ${countryCode} and g.party_id = ${partyId}),
    p.hub_parties = 'ANY' and not exists (select from networks own where own.id = p.network_id
      and upper(own.country_code)::bpchar = ${countryCode} and upper(own.party_id)::bpchar = ${partyId}), false)`;

/** Condition that a partner `p` acts for the party of a role `r` of its credentials. */
const hasRole = (sql: Queryable) =>
  actsFor(sql, sql`(r ->> 'countryCode')::bpchar`, sql`(r ->> 'partyId')::bpchar`);

/** Returns those of the parties that a partner acts for. */
export async function listOwnParties(
  sql: Queryable,
  partnerId: number,
  parties: readonly Party[],
): Promise<Party[]> {
  return sql<Party[]>`
    select distinct x.country as "countryCode", x.party as "partyId"
    from ocpi_partners p cross join lateral (
      select upper(o."countryCode") as country, upper(o."partyId") as party
      from jsonb_to_recordset(${sql.json(parties as never)}) as o("countryCode" text, "partyId" text)) x
    where p.id = ${partnerId} and ${actsFor(sql, sql`x.country::bpchar`, sql`x.party::bpchar`)}`;
}

/**
 * Grants a partner exactly these parties. Roles of other parties are dropped from its registration, and it is known by a
 * party that it still has; a registered hub only by its own party. Violates `partyKey` when another partner of the network has one of them.
 */
export async function grantParties(
  sql: Transaction,
  partnerId: number,
  parties: readonly Party[],
): Promise<void> {
  await sql`delete from ocpi_partner_parties where partner_id = ${partnerId}`;
  await sql`
    insert into ocpi_partner_parties (network_id, country_code, party_id, partner_id)
    select distinct p.network_id, upper(g."countryCode"), upper(g."partyId"), p.id
    from ocpi_partners p
    cross join jsonb_to_recordset(${sql.json(parties as never)}) as g("countryCode" text, "partyId" text)
    where p.id = ${partnerId} order by 2, 3`;
  await sql`
    update ocpi_partners p set roles = coalesce((
      select jsonb_agg(r order by position) from jsonb_array_elements(p.roles) with ordinality x(r, position)
      where ${hasRole(sql)}
    ), '[]') where id = ${partnerId}`;
  await sql`
    update ocpi_partners p set (country_code, party_id) = (
      select g.country_code, g.party_id from ocpi_partner_parties g
      left join jsonb_array_elements(p.roles) with ordinality x(r, position)
        on r ->> 'countryCode' = g.country_code and r ->> 'partyId' = g.party_id
      where g.partner_id = p.id and (p.hub_parties is null or p.their_token is null or r ->> 'role' = 'HUB')
      order by (g.country_code = p.country_code and g.party_id = p.party_id) desc nulls last,
        (r ->> 'role' = 'EMSP') desc nulls last, position, g.country_code, g.party_id
      limit 1)
    where id = ${partnerId}`;
}

/** Withdraws all parties of a partner. */
export async function withdrawParties(sql: Queryable, partnerId: number): Promise<void> {
  await sql`delete from ocpi_partner_parties where partner_id = ${partnerId}`;
}

/** Stores the names of the parties that a partner named and was not granted, for the alert. */
export async function recordRefusedParties(
  sql: Queryable,
  partnerId: number,
  names: readonly string[],
): Promise<void> {
  await sql`
    update ocpi_partners set refused_at = now(), refused_parties = ${names as string[]} where id = ${partnerId}`;
}
