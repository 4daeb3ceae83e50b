import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { actsFor } from './ocpi-partner-parties.ts';

/** Name of a role `r` of credentials that is an eMSP. */
const namedProvider = (sql: Queryable) => sql`
  r ->> 'role' = 'EMSP' and r -> 'businessDetails' ->> 'name' <> ''`;

/**
 * Returns the names of the eMSPs whose drivers can charge at the EVSEs of a network, in alphabetical order: those of its registered
 * partners, the clients of its hubs by their parties, because a hub reports no names, and the network itself once it has drivers.
 * Clients that are SUSPENDED cannot charge, and PLANNED ones cannot yet.
 */
export async function listServiceProviders(sql: Queryable, networkId: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    with p as (
      select * from ocpi_partners where network_id = ${networkId} and status = 'REGISTERED' and deleted_at is null
    )
    select left(found.name, 50) as name from (
      select r -> 'businessDetails' ->> 'name' as name from p cross join jsonb_array_elements(p.roles) as x(r)
      where ${namedProvider(sql)}
      union
      select h.country_code || '-' || h.party_id from p join ocpi_hub_clients h on h.partner_id = p.id
      where p.hub_parties is not null and h.role = 'EMSP' and h.status in ('CONNECTED', 'OFFLINE')
        and ${actsFor(sql, sql`h.country_code`, sql`h.party_id`)}
        and not exists (select from jsonb_array_elements(p.roles) as x(r) where ${namedProvider(sql)}
          and r ->> 'countryCode' = h.country_code and r ->> 'partyId' = h.party_id)
      union
      select coalesce(n.legal_name, n.name) from networks n
      where n.id = ${networkId} and exists (select from users u where u.network_id = n.id and u.deleted_at is null)
    ) found group by 1 order by 1`;
  return rows.map(({ name }) => name);
}
