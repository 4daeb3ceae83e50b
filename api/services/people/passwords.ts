import { hash, verify } from '@node-rs/argon2';
import { newOperatorPassword } from '#shared/domain/kernel/secrets.ts';
import { HashingQueue } from './hashing-queue.ts';

/** Node.js has four threads for such work; files and names of hosts need the others. */
const queue = new HashingQueue({ maxRunning: 2, maxWaiting: 100 });

/**
 * Hashes a password that a person chose: Argon2id with the library's defaults, 19 MiB and two passes, which are those of
 * OWASP's Password Storage Cheat Sheet. Composed and decomposed letters are the same password.
 * @throws {DomainError} RATE_LIMITED when too many passwords wait to be hashed.
 */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password.normalize('NFKC')));
}

/** Returns whether a password matches a hash. Takes the same time when it does not, or when the hash is null. Throws as `hashPassword` does. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const standIn = await standInHash();
  const matches = await queue.run(() => verify(stored ?? standIn, password.normalize('NFKC')));
  return matches && stored !== null;
}

let standInMade: Promise<string> | null = null;

/** Returns the hash of a random password, which a check without an account spends its time on. */
function standInHash(): Promise<string> {
  standInMade ??= hash(newOperatorPassword());
  return standInMade;
}
