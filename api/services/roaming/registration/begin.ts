import { type Actor } from '#api/services/access/audit.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { ourVersions } from '#api/services/roaming/our-credentials.ts';
import { partners } from '#api/services/roaming/partner-audit.ts';
import { requirePartnerGrant } from '#api/services/roaming/partner-authority.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { prepareHandshake } from '#shared/postgres/roaming/ocpi-handshakes.ts';
import { type PartnerRecord, resetPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { claimRenewal } from './renewal.ts';
import { claimRun, type DoneStep, type HandshakeRun, runHandshake } from './run.service.ts';
import { idleHandshake, opened, requireTransition } from './states.ts';

/** Versions URL and token that a partner gave an operator; both or neither. */
interface EnteredAccess {
  versionsUrl?: string | undefined;
  token?: string | undefined;
}

/** Partner after a handshake, and the steps of the run. */
export interface HandshakeResult {
  partner: PartnerRecord;
  steps: DoneStep[];
}

/**
 * Registers us with a partner that gave us its versions URL and token. Without them the latest handshake continues.
 * @throws {DomainError} PARTNER_NOT_FOUND, VALIDATION_FAILED, SCOPE_MISSING, KEY_LIMIT_EXCEEDED, OCPI_REGISTRATION_STATE,
 * OCPI_HANDSHAKE_RUNNING, and those of a failed step.
 */
export async function beginHandshake(
  deps: RoamingDeps,
  by: Actor,
  uuid: string,
  entered: EnteredAccess,
): Promise<HandshakeResult> {
  const access = accessOf(entered);
  const run = await deps.sql.begin(async (transaction): Promise<HandshakeRun> => {
    const before = await lockPartner(transaction, by, uuid);
    const handshake = await idleHandshake(transaction, before.id);
    if (access !== null) {
      requireTransition(before.registration, 'prepare');
      await resetPartner(transaction, before.id, null);
      const { versionsUrl, token } = access;
      const theirToken = deps.secrets.seal(token);
      await prepareHandshake(transaction, before.id, {
        versionsUrl,
        theirToken,
        sealingKey: deps.secrets.id,
      });
    } else if (handshake === null || handshake.state === 'RENEWING') {
      throw required(before);
    }
    const claimed = await claimRun(transaction, before);
    const entered = opened(deps, claimed.handshake, claimed.handshake.theirToken);
    if (entered === null) throw required(before);
    const theirToken = deps.secrets.sealText(entered);
    const after = await partners.require(transaction, by.caller.networks, uuid);
    await partners.audit(transaction, by, 'begin-handshake', before, after, {
      versionsUrl: claimed.handshake.versionsUrl,
    });
    const spoken = ourVersions(deps).map(({ version }) => version);
    return { ...claimed, partner: after, theirToken, spoken, method: 'POST' };
  });
  return finished(deps, by, run);
}

/**
 * Gives a registered partner a new token with PUT credentials, and takes its new one. Until the partner has answered both of our
 * tokens are valid.
 * @throws {DomainError} PARTNER_NOT_FOUND, PARTNER_NOT_REGISTERED, SCOPE_MISSING, KEY_LIMIT_EXCEEDED, OCPI_HANDSHAKE_RUNNING, and
 * those of a failed step.
 */
export async function rotateToken(deps: RoamingDeps, by: Actor, uuid: string): Promise<HandshakeResult> {
  const run = await deps.sql.begin(async (transaction) =>
    claimRenewal(deps, transaction, by, await lockPartner(transaction, by, uuid)),
  );
  return finished(deps, by, run);
}

async function finished(deps: RoamingDeps, by: Actor, run: HandshakeRun): Promise<HandshakeResult> {
  const steps = await runHandshake(deps, by, run);
  const { uuid } = run.partner;
  return { partner: await partners.require(deps.sql, by.caller.networks, uuid), steps };
}

/** Locks a partner for a handshake, which takes the authority that creating one takes. */
async function lockPartner(transaction: Transaction, by: Actor, uuid: string): Promise<PartnerRecord> {
  const partner = await partners.require(transaction, by.caller.networks, uuid, true);
  requirePartnerGrant(by.caller, partner.writeScopes);
  if (partner.status !== 'SUSPENDED') return partner;
  throw new DomainError('PARTNER_NOT_REGISTERED', 'The partner is suspended: end the suspension first.');
}

function accessOf({ versionsUrl, token }: EnteredAccess): { versionsUrl: string; token: string } | null {
  if (versionsUrl === undefined && token === undefined) return null;
  if (versionsUrl !== undefined && token !== undefined) return { versionsUrl, token };
  const field = token === undefined ? 'token' : 'versionsUrl';
  throw new DomainError('VALIDATION_FAILED', `Invalid body: ${field} is required with the other field.`, {
    errors: [{ field, message: 'is required' }],
  });
}

/** The error of a repeat without a handshake to continue. */
function required({ registration }: PartnerRecord): DomainError {
  return new DomainError(
    'OCPI_REGISTRATION_STATE',
    `The registration of this partner is ${registration} and has no handshake to continue: send versionsUrl and token.`,
    { registration },
  );
}
