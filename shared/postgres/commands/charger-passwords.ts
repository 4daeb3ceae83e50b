import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Maximum number of unconfirmed passwords of a charger: it can be asked repeatedly without a reply. */
const maxPending = 8;

/** From now on the charger may come with this password too. */
export async function addPendingPassword(sql: Queryable, chargerId: number, hash: Buffer): Promise<void> {
  await sql`
    update chargers set pending_password_hashes =
      (array_append(pending_password_hashes, ${hash}))[greatest(1, cardinality(pending_password_hashes) + 2 - ${maxPending}):]
    where id = ${chargerId}`;
}

/** The charger did not take this password. */
export async function dropPendingPassword(sql: Queryable, chargerId: number, hash: Buffer): Promise<void> {
  await sql`
    update chargers set pending_password_hashes = array_remove(pending_password_hashes, ${hash})
    where id = ${chargerId}`;
}

/** The charger came with this password: from now on it is the only one. */
export async function confirmPassword(sql: Queryable, chargerId: number, hash: Uint8Array): Promise<void> {
  await sql`
    update chargers set password_hash = ${Buffer.from(hash)}, pending_password_hashes = '{}'
    where id = ${chargerId} and ${Buffer.from(hash)} = any(pending_password_hashes)`;
}
