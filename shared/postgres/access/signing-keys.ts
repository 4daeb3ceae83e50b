import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';

/** A secret that tokens are signed with. */
export interface SigningKey {
  kid: string;
  secret: Buffer;
}

/** The number means nothing beyond being ours. */
const signingKeyLock = 7_140_900_010;

/** The key of this name; null when there is none (any more). */
export async function findSigningKey(sql: Queryable, kid: string): Promise<SigningKey | null> {
  return (await findByName(sql, kid)) ?? null;
}

const findByName = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, kids: string[]) {
    const keys = await sql<
      SigningKey[]
    >`select kid, secret from token_signing_keys where kid = any(${kids}::uuid[])`;
    return new Map(keys.map((key): [string, SigningKey] => [key.kid, key]));
  },
});

/**
 * Returns the key to sign with: the newest, if it is younger than `rotateAfterDays`, else a new one with
 * `secret` from the first of the concurrent processes. Removes keys whose tokens have all expired.
 */
export async function currentSigningKey(
  sql: Sql,
  secret: Buffer,
  rotateAfterDays: number,
): Promise<SigningKey> {
  const current = await youngKey(sql, rotateAfterDays);
  if (current !== null) return current;
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${signingKeyLock})`;
    const standing = await youngKey(transaction, rotateAfterDays);
    if (standing !== null) return standing;
    await transaction`
      delete from token_signing_keys where created_at < now() - ${rotateAfterDays + 1} * interval '1 day'`;
    const [made] = await transaction<SigningKey[]>`
      insert into token_signing_keys (secret) values (${secret}) returning kid, secret`;
    if (made === undefined) throw new Error('the insert of a signing key returned no row');
    return made;
  });
}

async function youngKey(sql: Queryable, days: number): Promise<SigningKey | null> {
  const [row] = await sql<SigningKey[]>`
    select kid, secret from token_signing_keys where created_at > now() - ${days} * interval '1 day'
    order by created_at desc, kid limit 1`;
  return row ?? null;
}
