import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newMailToken } from '#shared/domain/kernel/secrets.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import {
  type DriverAccount,
  type DriverDetails,
  holdDriverAccount,
  insertMailToken,
  insertUnverifiedAccount,
  removeUnverified,
  takeVerification,
  verifyAccount,
} from '#shared/postgres/people/driver-accounts.ts';
import { holdNetwork } from '#shared/postgres/fleet/networks.statements.ts';
import { findUserByEmail, insertUser, userEmailKey } from '#shared/postgres/people/users.statements.ts';
import { sessionEnded } from '#api/services/access/access-tokens.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { accountOfToken, callerOfDriver } from '#api/services/access/driver-callers.ts';
import { networkOfDrivers } from './driver-networks.ts';
import { beginSession, type DriverSession, withAccessToken } from './driver-sessions.ts';
import { countMail } from './login-attempts.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import { hashPassword } from './passwords.ts';
import { auditUser } from './users.service.ts';

/** Validity of the links in e-mails in ms; their texts state it. */
export const mailTokenMs = { verification: 24 * 3_600_000, passwordReset: 3_600_000 };

/** An account that was not verified within this time is removed. */
export const unverifiedDays = 7;

/** Fields of a driver's registration. */
interface Registration extends DriverDetails {
  password: string;
  /** Undefined: the default network. */
  networkUuid: string | undefined;
}

/**
 * Registers a driver: an account without access until the link in the e-mail is followed. A known address
 * differs only in the text of its e-mail, so that only its reader learns of it.
 * @throws {DomainError} VALIDATION_FAILED, RATE_LIMITED.
 */
export async function register(
  deps: ServiceDeps,
  { password, networkUuid, ...details }: Registration,
  ipAddress: string,
): Promise<DriverSession> {
  const network = await networkOfDrivers(deps, networkUuid);
  await countMail(deps, details.email, ipAddress);
  const passwordHash = await hashPassword(password);
  const session = await deps.sql.begin(async (transaction) => {
    const account = await insertUnverifiedAccount(transaction, network.id, details, passwordHash);
    await welcome(deps, transaction, account);
    return beginSession(transaction, account, ipAddress);
  });
  return withAccessToken(deps, session);
}

/**
 * Sends the e-mail of a registration again.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED, RATE_LIMITED.
 */
export async function resendVerification(
  deps: ServiceDeps,
  accessToken: string,
  ipAddress: string,
): Promise<{ isVerified: boolean }> {
  const { account } = await accountOfToken(deps, accessToken);
  if (account.user !== null) return { isVerified: true };
  await countMail(deps, account.email, ipAddress);
  return deps.sql.begin(async (transaction) => {
    // The address may be verified meanwhile: then this registration is a driver's, or gone with those of others.
    const known = await holdDriverAccount(transaction, account);
    if (known === null) throw sessionEnded();
    if (known.user !== null) return { isVerified: true };
    await welcome(deps, transaction, known);
    return { isVerified: false };
  });
}

/**
 * Verifies the address of an account by the token of its e-mail. This creates the driver; sessions of the
 * registration continue.
 * @throws {DomainError} MAIL_TOKEN_INVALID.
 */
export async function verifyEmail({ sql }: ServiceDeps, token: string, ipAddress: string): Promise<void> {
  try {
    await sql.begin(async (transaction) => {
      const account = await takeVerification(transaction, hashSecret(token));
      const isOpen = account !== null && (await holdNetwork(transaction, account.networkId));
      if (!isOpen) throw badMailToken();
      const { networkId, email, name, phone, language } = account;
      const user = await insertUser(transaction, networkId, {
        email,
        name,
        phone,
        language,
        externalId: null,
      });
      await verifyAccount(transaction, account.id, user.id);
      // What others, or the same driver, registered with the address too.
      await removeUnverified(transaction, networkId, email);
      const caller = callerOfDriver({ user, networkId }, null);
      await auditUser(transaction, { caller, ipAddress }, 'register', null, user);
    });
  } catch (error) {
    // The address became known meanwhile: of that one only its own e-mails make a password.
    if (violates(error, userEmailKey)) throw badMailToken();
    throw error;
  }
}

/** The error of an invalid or expired token. */
export function badMailToken(): DomainError {
  return new DomainError(
    'MAIL_TOKEN_INVALID',
    'This token is unknown, used or expired: request a new e-mail.',
  );
}

/**
 * Queues the e-mail after a registration: a link to follow or, for a known address, a notice. A known driver
 * never gets the password of a registration, which anyone can make, but can choose one.
 */
async function welcome(deps: ServiceDeps, transaction: Transaction, account: DriverAccount): Promise<void> {
  const { id, networkId, email } = account;
  const known = await findUserByEmail(transaction, networkId, email);
  const token = newMailToken();
  if (known === null) {
    const expiresAt = new Date(Date.now() + mailTokenMs.verification);
    await insertMailToken(
      transaction,
      hashSecret(token),
      { purpose: 'verify-email', accountId: id },
      expiresAt,
    );
    await queueMail(deps, transaction, account, { kind: 'verify-email', token });
    return;
  }
  const expiresAt = new Date(Date.now() + mailTokenMs.passwordReset);
  await insertMailToken(
    transaction,
    hashSecret(token),
    { purpose: 'reset-password', user: known },
    expiresAt,
  );
  await queueMail(deps, transaction, known, { kind: 'account-exists', token });
}
