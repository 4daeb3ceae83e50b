import { loginChallengeMs, maxWrongAnswers, stateAfter } from '#shared/domain/access/login-challenge.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newChallengeToken } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  findChallengedOperator,
  insertLoginChallenge,
  lockLoginChallenge,
  recordAnswer,
} from '#shared/postgres/people/login-challenges.statements.ts';
import { findOperator, type OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import { activeFactors, countRecoveryCodes } from '#shared/postgres/people/second-factors.statements.ts';
import { auditLogin } from '#api/services/access/login-audit.ts';
import { callerOfOperator } from '#api/services/access/operator-callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import { type FactorAnswer, type UsedFactor, useFactor } from './factor-answers.ts';
import { countFactorAnswer } from './login-attempts.ts';
import { passkeyOptions, type PublicKeyCredentialRequestOptionsJSON } from './passkeys.service.ts';

/** Request for a second factor. Its token is returned once. */
export interface LoginChallenge {
  token: string;
  methods: UsedFactor[];
  /** Options for the browser's passkeys. Null: the operator has none. */
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
  expiresAt: Date;
}

/** Result of a log-in with the right password. */
export type LoggedIn<Session> =
  | { kind: 'begun'; session: Session }
  | { kind: 'challenged'; challenge: LoginChallenge };

/** Stores a challenge for an operator whose password is right. */
export async function challengeOperator(
  { settings, clock }: Pick<ServiceDeps, 'settings' | 'clock'>,
  transaction: Transaction,
  { id }: OperatorRecord,
): Promise<LoginChallenge> {
  const token = newChallengeToken();
  const expiresAt = new Date(clock.now() + loginChallengeMs);
  const factors = await activeFactors(transaction, id);
  const passkeys = factors.filter((factor) => factor.kind === 'passkey');
  const passkey = passkeys.length === 0 ? null : await passkeyOptions(settings.publicUrl, passkeys);
  const passkeyChallenge = passkey?.challenge ?? null;
  await insertLoginChallenge(transaction, {
    tokenHash: hashSecret(token),
    operatorId: id,
    passkeyChallenge,
    expiresAt,
  });
  const methods: UsedFactor[] = [...new Set(factors.map(({ kind }) => kind))];
  if ((await countRecoveryCodes(transaction, id)) > 0) methods.push('recovery-code');
  return { token, methods, passkey, expiresAt };
}

/** Result of an answer; null: no challenge waits for it. */
type Outcome<Session> = { kind: 'right'; session: Session } | { kind: 'wrong'; attemptsLeft: number } | null;

/**
 * Checks the answer to a challenge and begins the session with `begin`, in the transaction that uses the factor.
 * @throws {DomainError} LOGIN_CHALLENGE_INVALID, SECOND_FACTOR_FAILED, RATE_LIMITED.
 */
export async function answerChallenge<Session>(
  deps: ServiceDeps,
  { challenge: token, ...answer }: { challenge: string } & FactorAnswer,
  ipAddress: string,
  begin: (transaction: Transaction, operator: OperatorRecord, used: UsedFactor) => Promise<Session>,
): Promise<Session> {
  const tokenHash = hashSecret(token);
  const operatorUuid = await findChallengedOperator(deps.sql, tokenHash);
  if (operatorUuid === null) throw challengeInvalid();
  await countFactorAnswer(deps, operatorUuid, ipAddress);
  const outcome = await deps.sql.begin(async (transaction): Promise<Outcome<Session>> => {
    // The operator before the challenge, as a change of the password locks them.
    const operator = await findOperator(transaction, allNetworks, operatorUuid, true);
    const challenge = operator && (await lockLoginChallenge(transaction, tokenHash));
    if (operator === null || challenge === null || operator.isDisabled) return null;
    const { state, wrongAnswers, passkeyChallenge } = challenge;
    const used = await useFactor(deps, transaction, operator.id, passkeyChallenge, answer);
    const next = stateAfter(state, used !== null, wrongAnswers);
    await recordAnswer(transaction, tokenHash, next);
    if (used !== null) return { kind: 'right', session: await begin(transaction, operator, used) };
    // The limits of an account bound the entries and the e-mails.
    const by = { caller: callerOfOperator(operator, null), ipAddress };
    await auditLogin(transaction, by, next === 'failed' ? 'second-factor-failed' : 'second-factor-wrong', {
      wrongAnswers: wrongAnswers + 1,
    });
    if (next === 'failed') {
      const addressee = { networkId: operator.networkIds[0] ?? null, email: operator.email, language: null };
      await queueMail(deps, transaction, addressee, { kind: 'second-factor-failed' });
    }
    return { kind: 'wrong', attemptsLeft: maxWrongAnswers - wrongAnswers - 1 };
  });
  if (outcome === null) throw challengeInvalid();
  if (outcome.kind === 'right') return outcome.session;
  const { attemptsLeft } = outcome;
  throw new DomainError('SECOND_FACTOR_FAILED', 'The code or passkey is wrong or was used before.', {
    attemptsLeft,
  });
}

function challengeInvalid(): DomainError {
  return new DomainError('LOGIN_CHALLENGE_INVALID', 'This log-in has ended: begin again with the password.');
}
