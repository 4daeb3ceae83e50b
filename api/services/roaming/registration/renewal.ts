import { type Actor, type OwnActor } from '#api/services/access/audit.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { partners } from '#api/services/roaming/partner-audit.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { prepareRenewal } from '#shared/postgres/roaming/ocpi-handshakes.ts';
import { type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { storeRenewalFailure, takeDueRenewal } from '#shared/postgres/roaming/ocpi-token-validity.ts';
import { claimRun, type HandshakeRun, runHandshake } from './run.service.ts';
import { idleHandshake, requireTransition } from './states.ts';

const job: OwnActor = { part: 'ocpi-token-renewal' };

/**
 * Claims the renewal of our token for a locked partner.
 * @throws {DomainError} PARTNER_NOT_REGISTERED, OCPI_HANDSHAKE_RUNNING, OCPI_REGISTRATION_STATE.
 */
export async function claimRenewal(
  deps: RoamingDeps,
  transaction: Transaction,
  by: Actor | OwnActor,
  partner: PartnerRecord,
): Promise<HandshakeRun> {
  const { theirToken, versionsUrl, ocpiVersion, status } = partner;
  if (status !== 'REGISTERED' || theirToken === null || versionsUrl === null || ocpiVersion === null) {
    throw new DomainError('PARTNER_NOT_REGISTERED', 'Only a registered partner has tokens to rotate.');
  }
  await idleHandshake(transaction, partner.id);
  requireTransition(partner.registration, 'renew');
  await prepareRenewal(transaction, partner.id, { versionsUrl, sealingKey: deps.secrets.id });
  const claimed = await claimRun(transaction, partner);
  await partners.audit(transaction, by, 'begin-token-rotation', partner, partner, {
    registration: claimed.handshake.state,
  });
  return { ...claimed, partner, theirToken, spoken: [ocpiVersion], method: 'PUT' };
}

/** Renewal that was due. */
interface Renewal {
  /** Uuid of the partner. */
  partner: string;
  /** Error of the renewal, or a fault of our own. Null: the partner has a new token. */
  failure: unknown;
}

/**
 * Gives the partner whose token expires first a new one with PUT credentials. A failed renewal is due again later, and is an alert
 * when the end is near.
 * @returns null when no renewal is due.
 */
export async function renewDueToken(deps: RoamingDeps): Promise<Renewal | null> {
  const due = await takeDueRenewal(deps.sql);
  if (due === null) return null;
  try {
    const run = await deps.sql.begin(async (transaction) => {
      const partner = await partners.require(transaction, allNetworks, due.uuid, true);
      return claimRenewal(deps, transaction, job, partner);
    });
    await runHandshake(deps, job, run);
    return { partner: due.uuid, failure: null };
  } catch (error) {
    const reason = error instanceof DomainError ? error.message : 'An unexpected error ended the renewal.';
    await storeRenewalFailure(deps.sql, due.id, reason);
    return { partner: due.uuid, failure: error };
  }
}
