import type { LoginChallengeState } from '#shared/domain/access/login-challenge.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Log-in that waits for a second factor. */
interface LoginChallenge {
  state: LoginChallengeState;
  wrongAnswers: number;
  passkeyChallenge: string | null;
}

/** Stores a challenge. The token itself is never stored. */
export async function insertLoginChallenge(
  sql: Transaction,
  challenge: { tokenHash: Buffer; operatorId: number; passkeyChallenge: string | null; expiresAt: Date },
): Promise<void> {
  const { tokenHash, operatorId, passkeyChallenge, expiresAt } = challenge;
  await sql`
    insert into login_challenges (token_hash, operator_id, passkey_challenge, expires_at)
    values (${tokenHash}, ${operatorId}, ${passkeyChallenge}, ${expiresAt})`;
}

/** Returns the operator of a challenge, or null. */
export async function findChallengedOperator(sql: Queryable, tokenHash: Buffer): Promise<string | null> {
  const [row] = await sql<{ uuid: string }[]>`
    select o.uuid from login_challenges c join operators o on o.id = c.operator_id where c.token_hash = ${tokenHash}`;
  return row?.uuid ?? null;
}

/** Returns a challenge that waits for an answer, locked; null: unknown, answered, failed or expired. */
export async function lockLoginChallenge(
  sql: Transaction,
  tokenHash: Buffer,
): Promise<LoginChallenge | null> {
  const [row] = await sql<LoginChallenge[]>`
    select state, wrong_answers as "wrongAnswers", passkey_challenge as "passkeyChallenge" from login_challenges
    where token_hash = ${tokenHash} and state = 'waiting' and expires_at > now() for update`;
  return row ?? null;
}

/** Records an answer to a challenge. */
export async function recordAnswer(
  sql: Transaction,
  tokenHash: Buffer,
  state: LoginChallengeState,
): Promise<void> {
  await sql`
    update login_challenges set state = ${state}, wrong_answers = wrong_answers + ${state === 'passed' ? 0 : 1}
    where token_hash = ${tokenHash}`;
}

/** Removes the challenges of an operator, whose password or factors change. */
export async function removeLoginChallenges(sql: Queryable, operatorId: number): Promise<void> {
  await sql`delete from login_challenges where operator_id = ${operatorId}`;
}

/** Removes expired challenges. */
export async function removeExpiredChallenges(sql: Queryable): Promise<void> {
  await sql`delete from login_challenges where expires_at < now()`;
}
