import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { removeLoginChallenges } from './login-challenges.statements.ts';

/** Record that a login is checked against. */
interface OperatorLogin {
  uuid: string;
  passwordHash: string;
}

/** Returns our account with this e-mail address, or null. */
export async function findOperatorLogin(sql: Queryable, email: string): Promise<OperatorLogin | null> {
  const [row] = await sql<OperatorLogin[]>`
    select uuid, password_hash as "passwordHash" from operators
    where lower(email) = lower(${email}) and issuer is null and deleted_at is null`;
  return row ?? null;
}

/** The hash of an operator's password; null: an external account. */
export async function findPasswordHash(sql: Queryable, operatorId: number): Promise<string | null> {
  const [row] = await sql<{ hash: string | null }[]>`
    select password_hash as hash from operators where id = ${operatorId}`;
  return row?.hash ?? null;
}

/** Sets an operator's password. E-mailed tokens to choose another, and log-ins that wait for a second factor, are removed. */
export async function setPasswordHash(sql: Queryable, operatorId: number, hash: string): Promise<void> {
  await sql`delete from operator_password_resets where operator_id = ${operatorId}`;
  await removeLoginChallenges(sql, operatorId);
  await sql`update operators set password_hash = ${hash}, updated_at = now() where id = ${operatorId}`;
}
