import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';

/** A secret that tokens are signed with. */
export interface SigningKey {
  kid: string;
  secret: Buffer;
  /** Identifies the key that sealed the secret. Null: it is in clear. */
  sealingKey: string | null;
}

/** New signing key, and the sealing keys that its process knows. */
interface NewSigningKey {
  secret: Buffer;
  sealingKey: string;
  knownKeys: readonly string[];
}

/** The number means nothing beyond being ours. */
const signingKeyLock = 7_140_900_010;

/** The key of this name; or null. */
export async function findSigningKey(sql: Queryable, kid: string): Promise<SigningKey | null> {
  return (await findByName(sql, kid)) ?? null;
}

const findByName = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, kids: string[]) {
    const keys = await sql<SigningKey[]>`
      select kid, secret, sealing_key as "sealingKey" from token_signing_keys where kid = any(${kids}::uuid[])`;
    return new Map(keys.map((key): [string, SigningKey] => [key.kid, key]));
  },
});

/**
 * Returns the key to sign with: the newest that can be opened, if it is younger than `rotateAfterDays`, else the new one of the
 * first of the concurrent processes. Removes keys whose tokens have all expired.
 */
export async function currentSigningKey(
  sql: Sql,
  { secret, sealingKey, knownKeys }: NewSigningKey,
  rotateAfterDays: number,
): Promise<SigningKey> {
  const current = await youngKey(sql, knownKeys, rotateAfterDays);
  if (current !== null) return current;
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${signingKeyLock})`;
    const standing = await youngKey(transaction, knownKeys, rotateAfterDays);
    if (standing !== null) return standing;
    await transaction`
      delete from token_signing_keys where created_at < now() - ${rotateAfterDays + 1} * interval '1 day'`;
    const [made] = await transaction<SigningKey[]>`
      insert into token_signing_keys (secret, sealing_key) values (${secret}, ${sealingKey})
      returning kid, secret, sealing_key as "sealingKey"`;
    if (made === undefined) throw new Error('the insert of a signing key returned no row');
    return made;
  });
}

async function youngKey(
  sql: Queryable,
  knownKeys: readonly string[],
  days: number,
): Promise<SigningKey | null> {
  const [row] = await sql<SigningKey[]>`
    select kid, secret, sealing_key as "sealingKey" from token_signing_keys
    where created_at > now() - ${days} * interval '1 day'
      and (sealing_key is null or sealing_key = any(${knownKeys}::text[]))
    order by created_at desc, kid limit 1`;
  return row ?? null;
}
