import { placeOf } from '#shared/domain/access/addresses.ts';
import { mailboxOf } from '#shared/domain/people/email.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { countRate, type RateLimit, requireWithin } from '#api/services/kernel/rates.ts';

const windowMs = 15 * 60_000;

/** Few from one place for one account; more for an account, or from a place, that many share or try. */
const attempts = { accountAndAddress: 10, account: 50, address: 100 };

type RateDeps = Pick<ServiceDeps, 'bus'>;

/**
 * Counts an attempt at the password of an account, before anything is looked up, so that many at once are counted too.
 * @param what whose accounts: part of the counters' names.
 * @throws {DomainError} RATE_LIMITED.
 */
export async function countAttempt(
  deps: RateDeps,
  what: 'login' | 'driver-login',
  account: string,
  address: string,
): Promise<void> {
  const name = anonymous(account);
  const place = placeOf(address);
  await countAll(deps, 'attempts to log in', [
    [`${what}:${name}:${place}`, { limit: attempts.accountAndAddress, windowMs }],
    [`${what}-from:${place}`, { limit: attempts.address, windowMs }],
    [`${what}:${name}`, { limit: attempts.account, windowMs }],
  ]);
}

/** Answers to requests for a second factor, of one account. They need its password: few are enough for its owner. */
const factorAnswers = { limit: 10, perDay: 50 };

const dayMs = 86_400_000;

/**
 * Counts an answer to the request for a second factor.
 * @throws {DomainError} RATE_LIMITED.
 */
export async function countFactorAnswer(deps: RateDeps, account: string, address: string): Promise<void> {
  await countAll(deps, 'attempts to log in', [
    [`login-from:${placeOf(address)}`, { limit: attempts.address, windowMs }],
    [`second-factor:${account}`, { limit: factorAnswers.limit, windowMs }],
    [`second-factor-day:${account}`, { limit: factorAnswers.perDay, windowMs: dayMs }],
  ]);
}

/**
 * Counts an attempt to sign in without a password, which cannot be guessed: only by the address.
 * @throws {DomainError} RATE_LIMITED.
 */
export async function countSignIn(deps: RateDeps, address: string): Promise<void> {
  await countAll(deps, 'attempts to log in', [
    [`login-from:${placeOf(address)}`, { limit: attempts.address, windowMs }],
  ]);
}

/**
 * Limits of e-mails that can be requested without a login, within an hour: to one mailbox, over all networks,
 * and from one address.
 */
const mails = { recipient: 5, address: 50 };

/**
 * Counts an e-mail requested without credentials, whether or not it has a recipient.
 * @throws {DomainError} RATE_LIMITED.
 */
export async function countMail(deps: RateDeps, recipient: string, address: string): Promise<void> {
  await countAll(deps, 'e-mails', [
    [`mail-from:${placeOf(address)}`, { limit: mails.address, windowMs: 4 * windowMs }],
    [`mail-to:${anonymous(mailboxOf(recipient))}`, { limit: mails.recipient, windowMs: 4 * windowMs }],
  ]);
}

/** Returns a hash of an account name, because the store of counters must not hold personal data. */
function anonymous(name: string): string {
  return hashSecret(foldName(name)).toString('base64url');
}

/** In lower case as PostgreSQL, which finds the account, has it: a letter for a letter, where JavaScript makes two of İ. */
function foldName(name: string): string {
  return Array.from(name, (letter) => Array.from(letter.toLowerCase())[0]).join('');
}

/**
 * Counts against one limit after the other. A request refused by one limit, which is the sender's own, does
 * not count against the next.
 */
async function countAll(deps: RateDeps, what: string, limits: [string, RateLimit][]): Promise<void> {
  for (const [key, limit] of limits) requireWithin(await countRate(deps, key, limit), what);
}
