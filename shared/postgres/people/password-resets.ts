import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Operator that can receive an e-mail to choose a password. */
interface ResetRecipient {
  uuid: string;
  id: number;
  email: string;
}

/** Returns the enabled account of this installation with an e-mail address, or null. */
export async function findResetRecipient(sql: Queryable, email: string): Promise<ResetRecipient | null> {
  const [row] = await sql<ResetRecipient[]>`
    select uuid, id, email from operators
    where lower(email) = lower(${email}) and issuer is null and deleted_at is null and not is_disabled`;
  return row ?? null;
}

/** Stores a token that an e-mail carries. Without a recipient the token opens nothing. */
export async function insertPasswordReset(
  sql: Queryable,
  reset: { hash: Buffer; recipient: ResetRecipient | null; language: string | null; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into operator_password_resets (token_hash, operator_id, email, language, expires_at)
    values (${reset.hash}, ${reset.recipient?.id ?? null}, ${reset.recipient?.email ?? null}, ${reset.language},
      ${reset.expiresAt})`;
}

/** Operator whose token was used up, and the language of its e-mails. */
interface TakenReset {
  uuid: string;
  language: string | null;
}

/**
 * Uses up a token and locks its operator. Returns null for a token that is unknown, used or expired, and for an account that is
 * disabled, removed or has another address since.
 */
export async function takePasswordReset(sql: Transaction, hash: Buffer): Promise<TakenReset | null> {
  // The operator before the token, as a change of the account locks them.
  await sql`
    select 1 from operators o join operator_password_resets r on r.operator_id = o.id
    where r.token_hash = ${hash} for no key update of o`;
  const [taken] = await sql<TakenReset[]>`
    with reset as (
      delete from operator_password_resets where token_hash = ${hash} and expires_at > now() returning *)
    select o.uuid, reset.language from operators o join reset on reset.operator_id = o.id and reset.email = o.email
    where o.deleted_at is null and not o.is_disabled`;
  return taken ?? null;
}

/** Removes expired tokens. */
export async function removeExpiredResets(sql: Queryable): Promise<void> {
  await sql`delete from operator_password_resets where expires_at < now()`;
}
