import { randomUUID } from 'node:crypto';
import { type Actor, type OwnActor } from '#api/services/access/audit.ts';
import { markActed } from '#api/services/access/idempotency.service.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { requireGranted } from '#api/services/roaming/granted-parties.ts';
import { ourRole, ourVersionsUrl } from '#api/services/roaming/our-credentials.ts';
import { partners } from '#api/services/roaming/partner-audit.ts';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import type { SentCredentials } from '#api/services/roaming/wire/v221/credentials.ts';
import { hashSecret, newPartnerToken } from '#shared/domain/kernel/secrets.ts';
import type { OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { type HandshakeStep, handshakeSteps } from '#shared/domain/roaming/registration.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  claimHandshake,
  type ClaimedRun,
  failHandshake,
  findHandshake,
  type HandshakeRecord,
  storeAnswer,
  storeSending,
} from '#shared/postgres/roaming/ocpi-handshakes.ts';
import { findPartnerById, type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { askParty, credentialsUrl, discover, type Discovered, HandshakeError } from './discovery.ts';
import { failureOf } from './failures.ts';
import { opened, requireTransition, superseded } from './states.ts';
import { storePartner } from './store.service.ts';

/** Duration after which a run that ended without a trace is given up: longer than its three requests. */
const runSeconds = 90;

/** Step of a handshake that succeeded. */
export interface DoneStep {
  step: HandshakeStep;
  /** Duration in ms. */
  durationMs: number;
}

/** Handshake that an operator's command, or the renewal of a token, may run. */
export interface HandshakeRun extends ClaimedRun {
  partner: PartnerRecord;
  handshake: HandshakeRecord;
  /** Token that the partner accepts in this handshake, sealed. */
  theirToken: string;
  /** Our versions that may be agreed, in ascending order. */
  spoken: readonly OcpiVersion[];
  method: 'POST' | 'PUT';
}

/** Claims the handshake of a locked partner. */
export async function claimRun(
  transaction: Transaction,
  partner: PartnerRecord,
): Promise<ClaimedRun & { handshake: HandshakeRecord }> {
  const claim = randomUUID();
  await claimHandshake(transaction, partner.id, claim, runSeconds);
  const handshake = await findHandshake(transaction, partner.id);
  if (handshake === null) throw new Error('the handshake to claim is not there');
  return { partnerId: partner.id, claim, handshake };
}

/**
 * Runs a claimed handshake from the step that it has reached to the stored registration. Each result is stored before the next
 * step, so that a repeat after a failure or a crash continues with the same token.
 * @throws {DomainError} of the failed step, which `details.step` names.
 */
export async function runHandshake(
  deps: RoamingDeps,
  by: Actor | OwnActor,
  run: HandshakeRun,
): Promise<DoneStep[]> {
  const done: DoneStep[] = [];
  let startedAt = performance.now();
  const onStep = (step: HandshakeStep) => {
    done.push({ step, durationMs: Math.round(performance.now() - startedAt) });
    startedAt = performance.now();
  };
  try {
    markActed(by);
    const exchanged = storedExchange(deps, run.handshake) ?? (await exchange(deps, run, onStep));
    await complete(deps, by, run, exchanged);
    onStep('registration');
    return done;
  } catch (error) {
    const step =
      error instanceof HandshakeError ? error.step : (handshakeSteps[done.length] ?? 'registration');
    const failure = failureOf(error, run, step, done);
    const { code, message } = failure ?? {
      code: 'INTERNAL_ERROR',
      message: 'An unexpected error ended the handshake.',
    };
    await failHandshake(deps.sql, run, { step, code, message });
    throw failure ?? error;
  }
}

/** Agreed version and endpoints, our token, and the credentials that the partner answered with. */
interface Exchanged extends Discovered {
  ourTokenHash: Buffer;
  answer: SentCredentials;
}

/** Returns the exchange that an earlier run of the handshake stored. Null: no exchange, or our token has expired since. */
function storedExchange(deps: RoamingDeps, handshake: HandshakeRecord): Exchanged | null {
  const { ourTokenHash, ocpiVersion: version, endpoints } = handshake;
  if (handshake.isOurTokenExpired) return null;
  const answer = opened(deps, handshake, handshake.answer);
  if (answer === null || ourTokenHash === null || version === null || endpoints === null) return null;
  return { version, endpoints, ourTokenHash, answer: JSON.parse(answer) as SentCredentials };
}

async function exchange(
  deps: RoamingDeps,
  run: HandshakeRun,
  onStep: (step: HandshakeStep) => void,
): Promise<Exchanged> {
  const { partner, handshake, spoken, method } = run;
  const from = await ourRole(deps, partner.networkId);
  const called = { ...partner, theirToken: run.theirToken, from };
  const found = await discover(deps, called, handshake.versionsUrl, spoken, onStep);
  const isRenewal = method === 'PUT';
  const state = requireTransition(handshake.state, isRenewal ? 'renew' : 'send');
  const kept = handshake.isOurTokenExpired ? null : opened(deps, handshake, handshake.ourToken);
  const token = kept ?? newPartnerToken();
  const ourTokenHash = hashSecret(token);
  const sending = {
    theirToken: handshake.theirToken && deps.secrets.seal(deps.secrets.openText(run.theirToken)),
    ourToken: deps.secrets.seal(token),
    ourTokenHash,
    sealingKey: deps.secrets.id,
  };
  const { version: ocpiVersion, endpoints } = found;
  if (!(await storeSending(deps.sql, run, { ...sending, state, ocpiVersion, endpoints }))) throw superseded();
  const url = credentialsUrl(endpoints) ?? '';
  const serializer = serializerFor(ocpiVersion);
  const body = serializer.credentials({ token, url: ourVersionsUrl(deps), roles: [from] });
  const { data } = await askParty(deps, { ...called, ocpiVersion }, 'credentials', { method, url, body });
  const answer = serializer.readCredentials(data, handshake.versionsUrl);
  if (answer === null) {
    const problem = 'the answer has no valid token, url and roles';
    throw new HandshakeError('credentials', 'credentials-invalid', url, problem);
  }
  const answered = isRenewal ? state : requireTransition(state, 'answer');
  const sealed = deps.secrets.seal(JSON.stringify(answer));
  if (!(await storeAnswer(deps.sql, run, answered as 'ANSWERED' | 'RENEWING', sealed))) throw superseded();
  onStep('credentials');
  return { ...found, ourTokenHash, answer };
}

async function complete(
  deps: RoamingDeps,
  by: Actor | OwnActor,
  { partner, method }: HandshakeRun,
  { version, endpoints, ourTokenHash, answer }: Exchanged,
): Promise<void> {
  const roles = await requireGranted(deps, partner, answer.roles, by);
  const agreed = {
    tokenHash: ourTokenHash,
    theirToken: deps.secrets.sealText(answer.token),
    versionsUrl: answer.url,
    ocpiVersion: version,
    roles,
    endpoints,
  };
  await deps.sql.begin(async (transaction) => {
    const before = await findPartnerById(transaction, partner.id);
    if (!(await storePartner(transaction, partner, ourTokenHash, agreed))) throw superseded();
    const after = await findPartnerById(transaction, partner.id);
    if (before === null || after === null) throw superseded();
    const action = method === 'PUT' ? 'rotate-token' : 'register';
    await partners.audit(transaction, by, action, before, after);
  });
}
