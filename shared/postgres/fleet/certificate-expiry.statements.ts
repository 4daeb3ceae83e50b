import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Returns certificates of chargers whose expiry was not read yet, oldest first. */
export function listUnreadCertificates(
  sql: Queryable,
  limit: number,
): Promise<{ id: bigint; pem: string }[]> {
  return sql<{ id: bigint; pem: string }[]>`
    select id, pem from charger_certificates where valid_to is null and deleted_at is null order by id limit ${limit}`;
}

/** Stores the ends of validity of certificates; null: unreadable. */
export async function storeCertificateExpiry(
  sql: Queryable,
  rows: readonly { id: bigint; validTo: Date | null }[],
): Promise<void> {
  const read = rows.map(({ id, validTo }) => ({
    id: String(id),
    validTo: validTo?.toISOString() ?? 'infinity',
  }));
  await sql`
    update charger_certificates c set valid_to = r."validTo"
    from jsonb_to_recordset(${sql.json(read)}) as r(id bigint, "validTo" timestamptz) where c.id = r.id`;
}
