import type { ClientStatus, HubClient } from '#shared/domain/roaming/hub-client.ts';
import type { Party } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { actsFor } from './ocpi-partner-parties.ts';

/** Selects the columns of a `HubClient` `h`. */
const columns = (sql: Queryable) => sql`
  h.country_code as "countryCode", h.party_id as "partyId", h.role, h.status, h.last_updated as "lastUpdated"`;

/**
 * Selects the state of a party behind a hub. Null: the hub has not reported it. A CPO has no tokens; of the other roles of a party
 * that of the eMSP counts, otherwise the one reported last.
 */
export const clientStatus = (
  sql: Queryable,
  partner: Fragment,
  countryCode: Fragment,
  partyId: Fragment,
) => sql`
  (select h.status from ocpi_hub_clients h
  where h.partner_id = ${partner} and h.country_code = ${countryCode} and h.party_id = ${partyId} and h.role <> 'CPO'
  order by (h.role = 'EMSP') desc, h.last_updated desc limit 1)`;

/** Returns the state of a party behind a hub. Null: the hub has not reported it. */
export async function findClientStatus(
  sql: Queryable,
  partnerId: number,
  { countryCode, partyId }: Party,
): Promise<ClientStatus | null> {
  const [row] = await sql<{ status: ClientStatus | null }[]>`
    select ${clientStatus(sql, sql`${partnerId}::integer`, sql`${countryCode}::bpchar`, sql`${partyId}::bpchar`)} as status`;
  return row?.status ?? null;
}

/** Returns a client of a hub, of several roles the one reported last. Null: the hub has not reported it. */
export async function findHubClient(
  sql: Queryable,
  partnerId: number,
  { countryCode, partyId }: Party,
): Promise<HubClient | null> {
  const [row] = await sql<HubClient[]>`
    select ${columns(sql)} from ocpi_hub_clients h
    where h.partner_id = ${partnerId} and h.country_code = ${countryCode}::bpchar and h.party_id = ${partyId}::bpchar
    order by h.last_updated desc, h.id limit 1`;
  return row ?? null;
}

/**
 * Stores clients of a hub, each of which may come once; newer reports stay.
 * @returns the clients that are connected and were not before.
 */
export async function upsertHubClients(
  sql: Queryable,
  partnerId: number,
  clients: readonly HubClient[],
): Promise<Party[]> {
  if (clients.length === 0) return [];
  const rows = clients.map((client) => ({ ...client, lastUpdated: client.lastUpdated.toISOString() }));
  return sql<Party[]>`
    with before as materialized (
      select country_code, party_id, role from ocpi_hub_clients where partner_id = ${partnerId} and status <> 'CONNECTED'
    ), stored as (
      insert into ocpi_hub_clients (partner_id, country_code, party_id, role, status, last_updated)
      select ${partnerId}, c."countryCode", c."partyId", c.role, c.status, c."lastUpdated"
      from jsonb_to_recordset(${sql.json(rows)}) as c("countryCode" text, "partyId" text, role text, status text,
        "lastUpdated" timestamptz)
      order by c."countryCode", c."partyId", c.role
      on conflict (partner_id, country_code, party_id, role) do update
        set status = excluded.status, last_updated = excluded.last_updated
      where ocpi_hub_clients.last_updated <= excluded.last_updated
      returning country_code, party_id, role, status
    )
    select distinct stored.country_code as "countryCode", stored.party_id as "partyId"
    from stored join before using (country_code, party_id, role) where stored.status = 'CONNECTED'`;
}

/** Client of a hub as operators see it. */
export interface ListedHubClient extends HubClient {
  id: number;
  /** True when the hub speaks for the party. */
  isGranted: boolean;
}

/** Lists the clients of a hub after this id, in the order in which they were first reported. */
export async function listHubClients(
  sql: Queryable,
  partnerId: number,
  after: number | null,
  limit: number,
): Promise<ListedHubClient[]> {
  return sql<ListedHubClient[]>`
    select h.id, ${columns(sql)}, ${actsFor(sql, sql`h.country_code`, sql`h.party_id`)} as "isGranted"
    from ocpi_hub_clients h join ocpi_partners p on p.id = h.partner_id
    where h.partner_id = ${partnerId} and h.id > ${after ?? 0} order by h.id limit ${limit}`;
}

/** Removes the clients of a partner whose registration ended, or which is no hub any more. */
export async function removeHubClients(sql: Queryable, partnerId: number): Promise<void> {
  await sql`delete from ocpi_hub_clients where partner_id = ${partnerId}`;
}
