import { hashSecret, newMailToken } from '#shared/domain/kernel/secrets.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { endSessions } from '#shared/postgres/people/browser-sessions.statements.ts';
import { setPasswordHash } from '#shared/postgres/people/operator-logins.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import {
  findResetRecipient,
  insertPasswordReset,
  takePasswordReset,
} from '#shared/postgres/people/password-resets.ts';
import { auditLogin } from '#api/services/access/login-audit.ts';
import { callerOfOperator } from '#api/services/access/operator-callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import { badMailToken, mailTokenMs } from './driver-registration.ts';
import { countAttempt, countMail } from './login-attempts.ts';
import { hashPassword } from './passwords.ts';

/**
 * Sends an operator an e-mail with which a new password can be chosen. For any other address the response is the same and
 * nothing is sent.
 * @throws {DomainError} RATE_LIMITED.
 */
export async function requestPasswordReset(
  deps: ServiceDeps,
  { email, language = null }: { email: string; language?: string | null | undefined },
  ipAddress: string,
): Promise<void> {
  await countMail(deps, email, ipAddress);
  const token = newMailToken();
  const expiresAt = new Date(Date.now() + mailTokenMs.passwordReset);
  await deps.sql.begin(async (transaction) => {
    const recipient = await findResetRecipient(transaction, email);
    await insertPasswordReset(transaction, { hash: hashSecret(token), recipient, language, expiresAt });
    const addressee = { networkId: null, email: recipient?.email ?? null, language };
    await queueMail(deps, transaction, addressee, { kind: 'reset-operator-password', token });
  });
}

/**
 * Sets an operator's password by the token of an e-mail and ends all sessions of the account.
 * @throws {DomainError} MAIL_TOKEN_INVALID, RATE_LIMITED.
 */
export async function resetOperatorPassword(
  deps: ServiceDeps,
  { token, password }: { token: string; password: string },
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, 'login', token, ipAddress);
  const passwordHash = await hashPassword(password);
  await deps.sql.begin(async (transaction) => {
    const reset = await takePasswordReset(transaction, hashSecret(token));
    if (reset === null) throw badMailToken();
    const operator = await findOperator(transaction, allNetworks, reset.uuid);
    if (operator === null) throw badMailToken();
    const { id, email } = operator;
    const by = { caller: callerOfOperator(operator, null), ipAddress };
    await auditLogin(transaction, by, 'reset-password', {});
    await setPasswordHash(transaction, id, passwordHash);
    await endSessions(transaction, { kind: 'operator', id });
    const addressee = { networkId: null, email, language: reset.language };
    await queueMail(deps, transaction, addressee, { kind: 'operator-password-changed' });
  });
}
