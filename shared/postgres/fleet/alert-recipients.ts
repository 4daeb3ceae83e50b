import type { AlertRecipient } from '#shared/domain/fleet/alert-rules.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Address of a recipient, with its language or null for the network's. */
export interface AlertAddress {
  email: string;
  language: string | null;
}

/** Operators `o` that can be notified. */
const reachable = (sql: Queryable) => sql`o.deleted_at is null and not o.is_disabled and o.email is not null`;

const isOf = (sql: Queryable, networkId: number | null) => sql`
  exists (select from operator_networks p where p.operator_id = o.id and p.network_id = ${networkId}::integer)`;

/**
 * Returns the addresses of recipients. Operators that were disabled or lost the network since are left out. Null: the owners and
 * administrators of the network, or those of all networks where it has none.
 */
export async function listAlertAddresses(
  sql: Queryable,
  networkId: number | null,
  recipients: readonly AlertRecipient[] | null,
): Promise<AlertAddress[]> {
  if (recipients === null) return administrators(sql, networkId);
  const operators = recipients.filter(({ operatorId }) => operatorId !== null);
  const known = await sql<{ uuid: string; email: string }[]>`
    select o.uuid, o.email from operators o
    where ${reachable(sql)} and o.uuid = any(${operators.map(({ operatorId }) => operatorId)}::uuid[])
      and (o.unrestricted or ${isOf(sql, networkId)})`;
  const emails = new Map(known.map(({ uuid, email }) => [uuid, email]));
  return recipients.flatMap(({ operatorId, email, language }) => {
    const address = operatorId === null ? email : emails.get(operatorId);
    return address === undefined || address === null ? [] : [{ email: address, language }];
  });
}

async function administrators(sql: Queryable, networkId: number | null): Promise<AlertAddress[]> {
  return sql<AlertAddress[]>`
    with administrator as (
      select o.email, ${isOf(sql, networkId)} as "isOwn" from operators o
      where ${reachable(sql)} and o.role in ('Owner', 'Admin') and (o.unrestricted or ${isOf(sql, networkId)})
    )
    select email, null as language from administrator
    where "isOwn" or not exists (select from administrator where "isOwn")
    order by email`;
}

/** Returns which of these operators exist and have access to the network; null: to the whole system. */
export async function listReachableOperators(
  sql: Queryable,
  networkId: number | null,
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ uuid: string }[]>`
    select o.uuid from operators o
    where o.deleted_at is null and o.uuid = any(${[...uuids]}::uuid[]) and (o.unrestricted or ${isOf(sql, networkId)})`;
  return rows.map(({ uuid }) => uuid);
}
