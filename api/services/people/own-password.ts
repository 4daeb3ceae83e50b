import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findPasswordHash } from '#shared/postgres/people/operator-logins.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Identity } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { countAttempt } from './login-attempts.ts';
import { isPassword } from './passwords.ts';

/** Operator that authenticated again with its password. */
interface OwnAccount {
  who: Extract<Identity, { kind: 'operator' }>;
  passwordHash: string;
}

/**
 * Authenticates the caller again by its password, before a change of how it logs in: a stolen session must not suffice.
 * @param field field of the password in the request.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED for a key, OPERATOR_EXTERNAL, VALIDATION_FAILED, RATE_LIMITED.
 */
export async function requireOwnPassword(
  deps: ServiceDeps,
  by: Actor,
  password: string,
  field: string,
): Promise<OwnAccount> {
  const who = requireOperatorAccount(by);
  const passwordHash = await findPasswordHash(deps.sql, who.id);
  if (passwordHash === null) {
    throw new DomainError(
      'OPERATOR_EXTERNAL',
      'Your identity provider manages how you log in: change it there.',
    );
  }
  await countAttempt(deps, 'login', who.uuid, by.ipAddress);
  if (!(await isPassword(password, passwordHash))) throw wrongField(field, 'is wrong');
  return { who, passwordHash };
}

/** Returns the operator that a caller is. @throws {DomainError} OPERATOR_NOT_ALLOWED for a key. */
export function requireOperatorAccount({ caller: { who } }: Pick<Actor, 'caller'>): OwnAccount['who'] {
  if (who.kind === 'operator') return who;
  throw new DomainError('OPERATOR_NOT_ALLOWED', 'A key has no password: log in as an operator.');
}
