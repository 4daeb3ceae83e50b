import type { NetworkScope } from '#shared/domain/tenancy.ts';
import type { Queryable } from './client.ts';
import { inScope } from './scope.ts';

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The uuid of a public charger in scope, at a published location, that goes by this name: its uuid, its OCPP identity
 * or its serial number, in this order; null when there is none.
 */
export async function findPublicCharger(
  sql: Queryable,
  scope: NetworkScope,
  name: string,
): Promise<string | null> {
  const uuid = uuidForm.test(name) ? name : null;
  const [row] = await sql<{ uuid: string }[]>`
    select c.uuid from chargers c join locations l on l.id = c.location_id
    where (c.uuid = ${uuid}::uuid or c.uid = ${name} or c.serial_number = ${name}) and c.deleted_at is null
      and c.is_public and l.is_published and l.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
    order by (c.uuid = ${uuid}::uuid) desc nulls last, (c.uid = ${name}) desc, c.id limit 1`;
  return row?.uuid ?? null;
}
