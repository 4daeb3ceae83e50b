import type { FailedStartReason } from '#api/services/mail/texts/messages.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import {
  type DueCharge,
  endScheduledCharge,
  recordFailedAttempt,
  recordStart,
  takeUpCharge,
} from '#shared/postgres/charging/scheduled-charges.statements.ts';
import { chooseConnector, readStartSite, requestSession } from './driver-remote-starts.ts';
import { requireToken } from './remote-start-tokens.ts';
import { asPublicError, findShard } from '#api/services/commands/send.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { queueMail } from '#api/services/mail/mails.ts';

/** Reports that a scheduled session has not begun. Its job runs again. */
export class NotThereYet extends Error {
  override name = 'NotThereYet';
}

/** Errors that no later attempt would avoid. */
const final: ReadonlySet<ErrorCode> = new Set([
  'CHARGER_NOT_FOUND',
  'CONNECTOR_NOT_FOUND',
  'ID_TOKEN_NOT_FOUND',
  'ID_TOKEN_BLOCKED',
]);

/**
 * Makes an attempt at a scheduled session, or reads the outcome of the last one. Its charger receives one
 * request at a time: the requested start is stored in the transaction that reserves the connector, so a
 * process that takes over after a crash finds it, and requests another only when no session came of it.
 * @throws {NotThereYet} it must run again. @throws an error on our side; it must run again too.
 */
export async function runScheduledCharge(deps: ServiceDeps, uuid: string): Promise<void> {
  const charge = await takeUpCharge(deps.sql, uuid);
  if (charge === null) return;
  if (charge.startStatus === 'started') {
    await endScheduledCharge(deps.sql, uuid, 'started');
    return;
  }
  if (charge.startStatus === 'pending')
    throw new NotThereYet('the charger accepted, and no session began yet');
  if (charge.email === null) {
    await endScheduledCharge(deps.sql, uuid, 'cancelled');
    return;
  }
  if (charge.windowEndsAt.getTime() <= Date.now()) {
    await fail(deps, charge, lastError(charge));
    return;
  }
  const error = await attempt(deps, charge);
  if (error === null) throw new NotThereYet('the request was sent to the charger');
  if (final.has(error.code)) await fail(deps, charge, error);
  else {
    await recordFailedAttempt(deps.sql, uuid, error);
    throw new NotThereYet(error.message, { cause: error });
  }
}

/** Requests the session. Returns the error of a request that failed, or null. */
async function attempt(deps: ServiceDeps, charge: DueCharge): Promise<DomainError | null> {
  const { networkId, userId, chargerUuid, connectorUuid, limits } = charge;
  try {
    const who = { networks: onlyNetworks([networkId]), userId };
    const site = await readStartSite(deps, who, chargerUuid, { uid: charge.idToken });
    const { charger } = site;
    const connector = chooseConnector(site, { connectorId: connectorUuid });
    const token = requireToken(site.token, charge.idToken, userId);
    const shard = await findShard(deps, charger);
    const by = { part: 'scheduled-charges' };
    const order = { charger, connector, token, limits };
    await requestSession(deps, by, order, shard, async (transaction, startId) => {
      const isOurs = await recordStart(transaction, charge, startId);
      // The schedule was cancelled meanwhile, or another process was faster.
      if (!isOurs) throw new NotThereYet('another process runs it');
    });
    return null;
  } catch (failure) {
    const error = asPublicError(failure, 'START_REFUSED');
    if (error instanceof DomainError && error.status !== 500 && error.code !== 'STORE_UNAVAILABLE')
      return error;
    throw error;
  }
}

/** Returns the reason why the window passed without a session. */
function lastError({ startStatus, errorCode, errorMessage }: DueCharge): FailedAttempt {
  if (errorCode !== null) return { code: errorCode as ErrorCode, message: errorMessage ?? '' };
  return startStatus === null
    ? { code: 'START_MISSED', message: 'No start could be attempted within the window.' }
    : {
        code: 'START_EXPIRED',
        message: 'The charger accepted, and no session began: no car was plugged in.',
      };
}

interface FailedAttempt {
  code: ErrorCode | 'START_MISSED' | 'START_EXPIRED';
  message: string;
}

/** Ends a scheduled session that could not be started, and queues an e-mail to its driver. */
async function fail(deps: ServiceDeps, charge: DueCharge, error: FailedAttempt): Promise<void> {
  await deps.sql.begin(async (transaction) => {
    await recordFailedAttempt(transaction, charge.uuid, error);
    const isOurs = await endScheduledCharge(transaction, charge.uuid, 'failed');
    if (!isOurs) return;
    await queueMail(deps, transaction, charge, {
      kind: 'scheduled-charge-failed',
      charger: charge.chargerUid,
      startAt: charge.startAt,
      timeZone: charge.timeZone,
      reason: reasons[error.code] ?? 'refused',
    });
  });
}

/** Reasons in the e-mail, by error code. */
const reasons: Partial<Record<FailedAttempt['code'], FailedStartReason>> = {
  CHARGER_UNAVAILABLE: 'offline',
  CONNECTOR_UNAVAILABLE: 'occupied',
  START_IN_PROGRESS: 'occupied',
  BALANCE_TOO_LOW: 'balance',
  ID_TOKEN_NOT_FOUND: 'token',
  ID_TOKEN_BLOCKED: 'token',
  ID_TOKEN_IN_USE: 'token',
  CHARGER_NOT_FOUND: 'gone',
  CONNECTOR_NOT_FOUND: 'gone',
  START_EXPIRED: 'no-car',
  START_MISSED: 'missed',
};
