import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keys of the chargers that have this EVSE id, or whose EVSEs do, in any case, with any separators or none. */
const withEvseId = (sql: Queryable, evseId: string) => sql`
  select id from chargers where deleted_at is null and printed_id(evse_id) = printed_id(${evseId})
  union all select charger_id from evses where removed_at is null and printed_id(evse_id) = printed_id(${evseId})`;

/** Condition that a charger `c` or one of its EVSEs has this EVSE id. */
export const hasEvseId = (sql: Queryable, evseId: string) => sql`c.id in (${withEvseId(sql, evseId)})`;

/**
 * Returns the uuid of a public charger in scope, at a published location, by a name that a person may type: its uuid, its
 * OCPP identity, its serial number or an EVSE id, in this order, or null. The same letters win over
 * letters in another case.
 */
export async function findPublicCharger(
  sql: Queryable,
  scope: NetworkScope,
  name: string,
): Promise<string | null> {
  const uuid = uuidForm.test(name) ? name : null;
  const [row] = await sql<{ uuid: string }[]>`
    select c.uuid from chargers c join locations l on l.id = c.location_id
    where c.id in (
        select id from chargers
        where deleted_at is null
          and (uuid = ${uuid}::uuid or lower(uid) = lower(${name}) or lower(serial_number) = lower(${name}))
        union all ${withEvseId(sql, name)})
      and c.is_public and l.is_published and l.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
    order by (c.uuid = ${uuid}::uuid) desc nulls last, (c.uid = ${name}) desc, (c.serial_number = ${name}) desc,
      (c.evse_id = ${name} or exists (
        select 1 from evses e where e.charger_id = c.id and e.removed_at is null and e.evse_id = ${name})) desc,
      (lower(c.uid) = lower(${name})) desc, (lower(c.serial_number) = lower(${name})) desc, c.id limit 1`;
  return row?.uuid ?? null;
}
