import { stepOf } from '#shared/domain/access/one-time-passwords.ts';
import type { FactorKind } from '#shared/domain/access/second-factors.ts';
import { hashRecoveryCode } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  activeFactors,
  recordFactorUse,
  type StoredFactor,
  takeRecoveryCode,
  type TotpFactor,
} from '#shared/postgres/people/second-factors.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type AuthenticationResponseJSON, verifyPasskey } from './passkeys.service.ts';

/** Answer of an operator to the request for a second factor. */
export type FactorAnswer =
  | { code: string }
  | { recoveryCode: string }
  | { passkey: AuthenticationResponseJSON };

/** Way in which an operator proved a second factor. */
export type UsedFactor = FactorKind | 'recovery-code';

type AnswerDeps = Pick<ServiceDeps, 'secrets' | 'clock' | 'settings'>;

/**
 * Uses a second factor of an operator: a code, a recovery code and a signature are each accepted once. Null: the answer is wrong.
 * @param passkeyChallenge challenge that a passkey must have signed; null: none was sent.
 */
export async function useFactor(
  deps: AnswerDeps,
  transaction: Transaction,
  operatorId: number,
  passkeyChallenge: string | null,
  answer: FactorAnswer,
): Promise<UsedFactor | null> {
  if ('recoveryCode' in answer) {
    const hash = hashRecoveryCode(answer.recoveryCode);
    return (await takeRecoveryCode(transaction, operatorId, hash)) ? 'recovery-code' : null;
  }
  const factors = await activeFactors(transaction, operatorId, true);
  return 'code' in answer
    ? useCode(deps, transaction, factors, answer.code)
    : usePasskey(deps, transaction, factors, passkeyChallenge, answer.passkey);
}

/** Returns the time step of a code of an authenticator app, or null. */
export function stepOfCode(
  { secrets, clock }: Pick<ServiceDeps, 'secrets' | 'clock'>,
  { sealedSecret, sealingKey, lastStep }: TotpFactor,
  code: string,
): number | null {
  return stepOf(secrets.openBytes(sealedSecret, sealingKey), code, new Date(clock.now()), lastStep);
}

async function useCode(
  deps: AnswerDeps,
  transaction: Transaction,
  factors: readonly StoredFactor[],
  code: string,
): Promise<UsedFactor | null> {
  for (const factor of factors) {
    const lastStep = factor.kind === 'totp' ? stepOfCode(deps, factor, code) : null;
    if (lastStep === null) continue;
    await recordFactorUse(transaction, factor.id, { lastStep });
    return 'totp';
  }
  return null;
}

async function usePasskey(
  { settings }: AnswerDeps,
  transaction: Transaction,
  factors: readonly StoredFactor[],
  challenge: string | null,
  response: AuthenticationResponseJSON,
): Promise<UsedFactor | null> {
  const factor = factors.find((each) => each.kind === 'passkey' && each.credentialId === response.id);
  if (factor?.kind !== 'passkey' || challenge === null) return null;
  const signCount = await verifyPasskey(settings.publicUrl, challenge, factor, response);
  if (signCount === null) return null;
  await recordFactorUse(transaction, factor.id, { signCount });
  return 'passkey';
}
