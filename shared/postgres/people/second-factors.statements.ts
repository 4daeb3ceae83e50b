import type { FactorKind } from '#shared/domain/access/second-factors.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Second factor of an operator, as it is listed. */
export interface SecondFactor {
  id: number;
  uuid: string;
  kind: FactorKind;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Authenticator app with its sealed secret. */
export interface TotpFactor extends SecondFactor {
  kind: 'totp';
  sealedSecret: Buffer;
  sealingKey: string;
  /** Time step of the latest accepted code. */
  lastStep: number;
}

/** Passkey. Pending: with a challenge only. */
export interface PasskeyFactor extends SecondFactor {
  kind: 'passkey';
  challenge: string | null;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
}

export type StoredFactor = TotpFactor | PasskeyFactor;

/** Minutes in which a new factor must be confirmed. */
export const pendingMinutes = 10;

const columns = (sql: Queryable) => sql`
  f.id, f.uuid, f.kind, f.name, f.created_at as "createdAt", f.last_used_at as "lastUsedAt", f.sealed_secret as "sealedSecret",
  f.sealing_key as "sealingKey", coalesce(f.last_step, 0)::float8 as "lastStep", f.challenge, f.credential_id as "credentialId",
  f.public_key as "publicKey", f.sign_count::float8 as "signCount", coalesce(f.transports, '{}') as transports`;

/** Returns the active factors of an operator, oldest first. `lock`: while an answer is checked against them. */
export async function activeFactors(
  sql: Queryable,
  operatorId: number,
  lock = false,
): Promise<StoredFactor[]> {
  return sql<StoredFactor[]>`
    select ${columns(sql)} from second_factors f where f.operator_id = ${operatorId} and f.state = 'active'
    order by f.id ${lock ? sql`for update` : sql``}`;
}

/** Returns a pending factor of an operator that can still be confirmed, locked; or null. */
export async function lockPendingFactor(
  sql: Transaction,
  operatorId: number,
  uuid: string,
): Promise<StoredFactor | null> {
  const [row] = await sql<StoredFactor[]>`
    select ${columns(sql)} from second_factors f
    where f.operator_id = ${operatorId} and f.uuid = ${uuid} and f.state = 'pending' and not ${isExpired(sql)} for update`;
  return row ?? null;
}

/** Values of a new factor by its kind. */
export type NewFactor = { operatorId: number; name: string } & (
  | { kind: 'totp'; sealedSecret: Buffer; sealingKey: string }
  | { kind: 'passkey'; challenge: string }
);

/** Stores a pending factor, in place of other pending ones of the operator. Returns its public identifier. */
export async function insertPendingFactor(sql: Transaction, factor: NewFactor): Promise<string> {
  const { operatorId, kind, name } = factor;
  const values =
    factor.kind === 'totp'
      ? { sealed_secret: factor.sealedSecret, sealing_key: factor.sealingKey }
      : { challenge: factor.challenge };
  await sql`delete from second_factors where operator_id = ${operatorId} and state = 'pending'`;
  const [row] = await sql<{ uuid: string }[]>`
    insert into second_factors ${sql({ operator_id: operatorId, kind, name, ...values })} returning uuid`;
  if (row === undefined) throw new Error('the insert of a second factor returned no row');
  return row.uuid;
}

/** Activates an authenticator app with the time step of its first code. */
export async function activateTotp(sql: Queryable, id: number, lastStep: number): Promise<void> {
  await sql`update second_factors set state = 'active', last_step = ${lastStep} where id = ${id}`;
}

/** Activates a passkey with its credential. */
export async function activatePasskey(
  sql: Queryable,
  id: number,
  { credentialId, publicKey, signCount, transports }: Omit<PasskeyFactor, keyof SecondFactor | 'challenge'>,
): Promise<void> {
  await sql`
    update second_factors set state = 'active', challenge = null, credential_id = ${credentialId}, public_key = ${publicKey},
      sign_count = ${signCount}, transports = ${transports}
    where id = ${id}`;
}

/** Records the use of a factor, with the time step or the count of signatures that it must exceed next. */
export async function recordFactorUse(
  sql: Queryable,
  id: number,
  used: { lastStep: number } | { signCount: number },
): Promise<void> {
  const values = 'lastStep' in used ? { last_step: used.lastStep } : { sign_count: used.signCount };
  await sql`update second_factors set ${sql(values)}, last_used_at = now() where id = ${id}`;
}

/** Removes an active factor of an operator. */
export async function removeFactor(sql: Queryable, id: number): Promise<void> {
  await sql`delete from second_factors where id = ${id}`;
}

/** Removes everything that an operator can answer a challenge with. Returns the number of active factors. */
export async function removeAllFactors(sql: Queryable, operatorId: number): Promise<number> {
  await replaceRecoveryCodes(sql, operatorId, []);
  const removed = await sql<{ state: string }[]>`
    delete from second_factors where operator_id = ${operatorId} returning state`;
  return removed.filter(({ state }) => state === 'active').length;
}

/** Replaces the recovery codes of an operator by their digests. */
export async function replaceRecoveryCodes(
  sql: Queryable,
  operatorId: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from recovery_codes where operator_id = ${operatorId}`;
  for (const hash of hashes) {
    await sql`insert into recovery_codes (operator_id, code_hash) values (${operatorId}, ${hash})`;
  }
}

/** Uses a recovery code up; false: it is unknown or was used before. */
export async function takeRecoveryCode(sql: Queryable, operatorId: number, hash: Buffer): Promise<boolean> {
  const { count } = await sql`
    delete from recovery_codes where operator_id = ${operatorId} and code_hash = ${hash}`;
  return count > 0;
}

/** Returns the number of recovery codes that an operator has left. */
export async function countRecoveryCodes(sql: Queryable, operatorId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from recovery_codes where operator_id = ${operatorId}`;
  return row?.count ?? 0;
}

const isExpired = (sql: Queryable) => sql`(f.created_at < now() - ${pendingMinutes} * interval '1 minute')`;

/** Removes factors that were not confirmed in time. */
export async function removeUnconfirmedFactors(sql: Queryable): Promise<void> {
  await sql`delete from second_factors f where f.state = 'pending' and ${isExpired(sql)}`;
}
