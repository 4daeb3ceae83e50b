import { base32, newTotpSecret, totpUri } from '#shared/domain/access/one-time-passwords.ts';
import type { FactorKind } from '#shared/domain/access/second-factors.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashRecoveryCode, newRecoveryCode } from '#shared/domain/kernel/secrets.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { endSessions } from '#shared/postgres/people/browser-sessions.statements.ts';
import { findOperator, type OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import {
  activatePasskey,
  activateTotp,
  activeFactors,
  countRecoveryCodes,
  insertPendingFactor,
  lockPendingFactor,
  removeFactor,
  replaceRecoveryCodes,
  type SecondFactor,
  type StoredFactor,
} from '#shared/postgres/people/second-factors.statements.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { auditLogin } from '#api/services/access/login-audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { stepOfCode } from './factor-answers.ts';
import { requireOperatorAccount, requireOwnPassword } from './own-password.ts';
import {
  newPasskeyOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyNewPasskey,
} from './passkeys.service.ts';

export type { SecondFactor } from '#shared/postgres/people/second-factors.statements.ts';

/** Maximum number of second factors of an operator. */
const maxFactors = 10;

const recoveryCodeCount = 10;

/** Second factors of an operator. */
export interface OwnFactors {
  factors: SecondFactor[];
  /** Number of recovery codes that were not used. */
  recoveryCodes: number;
  isRequired: boolean;
}

/** Returns the caller's second factors. @throws {DomainError} OPERATOR_NOT_ALLOWED for a key. */
export async function listOwnFactors({ sql }: ServiceDeps, caller: Caller): Promise<OwnFactors> {
  const { id, requiresSecondFactor } = await ownAccount(sql, { caller });
  return {
    factors: await activeFactors(sql, id),
    recoveryCodes: await countRecoveryCodes(sql, id),
    isRequired: requiresSecondFactor,
  };
}

/** Factor that must be confirmed. Its secret is returned once. */
export interface NewFactor {
  id: string;
  totp: { secret: string; uri: string } | null;
  passkey: PublicKeyCredentialCreationOptionsJSON | null;
}

/**
 * Begins the enrolment of a second factor, in place of one that was not confirmed.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED, OPERATOR_EXTERNAL, VALIDATION_FAILED, RATE_LIMITED, SECOND_FACTOR_LIMIT.
 */
export async function beginFactor(
  deps: ServiceDeps,
  by: Actor,
  { kind, name, password }: { kind: FactorKind; name: string; password: string },
): Promise<NewFactor> {
  await requireOwnPassword(deps, by, password, 'password');
  const { secrets, settings } = deps;
  return deps.sql.begin(async (transaction) => {
    const operator = await ownAccount(transaction, by, true);
    const factors = await activeFactors(transaction, operator.id);
    if (factors.length >= maxFactors) {
      throw new DomainError('SECOND_FACTOR_LIMIT', `An account has at most ${maxFactors} second factors.`);
    }
    const common = { operatorId: operator.id, name };
    if (kind === 'totp') {
      const secret = newTotpSecret();
      const sealed = { sealedSecret: secrets.seal(secret), sealingKey: secrets.id };
      const id = await insertPendingFactor(transaction, { ...common, kind, ...sealed });
      const uri = totpUri(secret, new URL(settings.publicUrl).hostname, operator.email ?? operator.name);
      return { id, totp: { secret: base32(secret), uri }, passkey: null };
    }
    const existing = factors.filter((factor) => factor.kind === 'passkey');
    const passkey = await newPasskeyOptions(settings.publicUrl, operator, existing);
    const id = await insertPendingFactor(transaction, { ...common, kind, challenge: passkey.challenge });
    return { id, totp: null, passkey };
  });
}

/** Proof that a new factor works. */
export type FactorProof = { code: string } | { passkey: RegistrationResponseJSON };

/**
 * Activates a second factor with its first code or signature. The first factor of an account gets recovery codes, and ends the
 * other sessions, which began with the password only.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED, SECOND_FACTOR_NOT_FOUND, VALIDATION_FAILED.
 */
export async function confirmFactor(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  proof: FactorProof,
): Promise<{ factor: SecondFactor; recoveryCodes: string[] | null }> {
  return deps.sql.begin(async (transaction) => {
    const operator = await ownAccount(transaction, by, true);
    const pending = await lockPendingFactor(transaction, operator.id, uuid);
    if (pending === null) throw notFound(uuid);
    await activate(deps, transaction, pending, proof);
    const { kind, name } = pending;
    await auditLogin(transaction, by, 'add-second-factor', { kind, name });
    if (operator.hasSecondFactor) return { factor: pending, recoveryCodes: null };
    await endSessions(transaction, { kind: 'operator', id: operator.id }, by.caller.who.sessionId);
    return { factor: pending, recoveryCodes: await issueRecoveryCodes(transaction, operator) };
  });
}

async function activate(
  deps: ServiceDeps,
  transaction: Transaction,
  pending: StoredFactor,
  proof: FactorProof,
): Promise<void> {
  if (pending.kind === 'totp') {
    const step = 'code' in proof ? stepOfCode(deps, pending, proof.code) : null;
    if (step === null) throw wrongField('code', 'is wrong');
    return activateTotp(transaction, pending.id, step);
  }
  if (!('passkey' in proof)) throw wrongField('passkey', 'is required');
  const credential = await verifyNewPasskey(
    deps.settings.publicUrl,
    pending.challenge ?? '',
    proof.passkey,
  ).catch((error: Error) => {
    throw wrongField('passkey', `is refused: ${error.message}`);
  });
  try {
    await transaction.savepoint((savepoint) => activatePasskey(savepoint, pending.id, credential));
  } catch (error) {
    if (!violates(error, 'second_factors_credential_id_key')) throw error;
    throw wrongField('passkey', 'is already registered');
  }
}

/**
 * Removes a second factor; the last one with the recovery codes.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED, OPERATOR_EXTERNAL, VALIDATION_FAILED, RATE_LIMITED, SECOND_FACTOR_NOT_FOUND,
 *   LAST_SECOND_FACTOR.
 */
export async function removeOwnFactor(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  password: string,
): Promise<void> {
  await requireOwnPassword(deps, by, password, 'password');
  await deps.sql.begin(async (transaction) => {
    const { id, requiresSecondFactor } = await ownAccount(transaction, by, true);
    const factors = await activeFactors(transaction, id, true);
    const factor = factors.find((each) => each.uuid === uuid.toLowerCase());
    if (factor === undefined) throw notFound(uuid);
    const isLast = factors.length === 1;
    if (isLast && requiresSecondFactor) {
      throw new DomainError(
        'LAST_SECOND_FACTOR',
        'A network of this account requires a second factor: add another one first.',
      );
    }
    await removeFactor(transaction, factor.id);
    if (isLast) await replaceRecoveryCodes(transaction, id, []);
    await auditLogin(transaction, by, 'remove-second-factor', { kind: factor.kind, name: factor.name });
  });
}

/**
 * Replaces the recovery codes. Returns the new ones, once.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED, OPERATOR_EXTERNAL, VALIDATION_FAILED, RATE_LIMITED, SECOND_FACTOR_NOT_FOUND.
 */
export async function renewRecoveryCodes(deps: ServiceDeps, by: Actor, password: string): Promise<string[]> {
  await requireOwnPassword(deps, by, password, 'password');
  return deps.sql.begin(async (transaction) => {
    const operator = await ownAccount(transaction, by, true);
    if (!operator.hasSecondFactor) {
      throw new DomainError('SECOND_FACTOR_NOT_FOUND', 'Recovery codes need a second factor: add one first.');
    }
    await auditLogin(transaction, by, 'renew-recovery-codes', {});
    return issueRecoveryCodes(transaction, operator);
  });
}

async function issueRecoveryCodes(transaction: Transaction, { id }: OperatorRecord): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(transaction, id, codes.map(hashRecoveryCode));
  return codes;
}

async function ownAccount(
  sql: ServiceDeps['sql'] | Transaction,
  by: Pick<Actor, 'caller'>,
  lock = false,
): Promise<OperatorRecord> {
  const { uuid } = requireOperatorAccount(by);
  const operator = await findOperator(sql, allNetworks, uuid, lock);
  if (operator === null) throw new DomainError('TOKEN_INVALID', 'This account was removed.');
  return operator;
}

function notFound(uuid: string): DomainError {
  return new DomainError(
    'SECOND_FACTOR_NOT_FOUND',
    `There is no second factor ${uuid}, or it was not confirmed in time.`,
  );
}
