import type { RPCClient } from 'ocpp-rpc';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Stores a requested update of a charger. */
export async function askForFirmware(sql: Sql, chargerId: number, requestId: number | null): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into firmware_updates (charger_id, request_id, location)
    values (${chargerId}, ${requestId}, 'https://firmware.example/1.bin') returning id`;
  return row?.id ?? 0n;
}

export function firmwareOf(
  sql: Sql,
  id: bigint,
): Promise<{ status: string; outcome: string | null; isOpen: boolean }[]> {
  return sql`select status, outcome, closed_at is null as "isOpen" from firmware_updates where id = ${id}`;
}

/** The history of a charger, in order, with whether a status belongs to an update of ours. */
export async function historyOf(sql: Sql, chargerId: number, table: string): Promise<[string, boolean][]> {
  const rows = await sql<{ status: string; isOurs: boolean }[]>`
    select status, update_id is not null as "isOurs" from ${sql(table)}
    where charger_id = ${chargerId} order by id`;
  return rows.map(({ status, isOurs }) => [status, isOurs]);
}

export async function tell(client: RPCClient, action: string, payloads: object[]): Promise<void> {
  for (const payload of payloads) await client.call(action, payload);
}
