import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import { requireDriver, type Caller } from '#api/services/access/callers.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import {
  maxScheduled,
  scheduleAheadMs,
  type ScheduledChargeStatus,
} from '#shared/domain/charging/scheduled-charge.ts';
import {
  countScheduled,
  endScheduledCharge,
  insertScheduledCharge,
  listScheduledCharges,
  lockScheduledCharge,
  type ScheduledChargeRecord,
} from '#shared/postgres/charging/scheduled-charges.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { chooseConnector, readStartSite, type WantedSession } from './driver-remote-starts.ts';
import { tokenChoice, tokenToChargeWith } from './remote-start-tokens.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { ScheduledChargeRecord } from '#shared/postgres/charging/scheduled-charges.statements.ts';

/** Session to start later, with the minutes after that time in which the start is tried. */
interface WantedSchedule extends WantedSession {
  startAt: Date;
  windowMinutes: number;
}

/**
 * Schedules a session of the calling driver: a job requests the start from the charger at that time. The job
 * checks then that the charger is free and that the wallet has enough.
 * @throws {DomainError} DRIVER_KEY_REQUIRED, VALIDATION_FAILED, CHARGER_NOT_FOUND, CONNECTOR_NOT_FOUND,
 * ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED, SCHEDULE_FULL.
 */
export async function scheduleCharge(
  deps: ServiceDeps,
  by: Actor,
  wanted: WantedSchedule,
): Promise<ScheduledChargeRecord> {
  const { startAt, windowMinutes, limits, idTag } = wanted;
  const userId = requireDriver(by.caller);
  requireTimeToCome(startAt);
  const site = await readStartSite(deps, by.caller, wanted.chargerId, tokenChoice(by.caller, idTag));
  const connector = chooseConnector(site, wanted);
  const token = await tokenToChargeWith(deps, by, site, idTag);
  return deps.sql.begin(async (transaction) => {
    if ((await countScheduled(transaction, userId)) >= maxScheduled) {
      throw new DomainError(
        'SCHEDULE_FULL',
        `A driver can have at most ${maxScheduled} upcoming charges: cancel one first.`,
        {
          limit: maxScheduled,
        },
      );
    }
    const charge = await insertScheduledCharge(transaction, {
      networkId: site.charger.networkId,
      userId,
      chargerId: site.charger.id,
      connectorId: connector.id,
      idTokenId: token.id,
      limits,
      startAt,
      windowEndsAt: new Date(startAt.getTime() + windowMinutes * 60_000),
    });
    const { uuid } = charge;
    await enqueue(transaction, 'scheduled-charge', { uuid }, { startAfter: startAt });
    await auditChange(transaction, by, { ...audited(charge, 'create'), before: null, after: charge });
    return charge;
  });
}

/**
 * Returns one page of the scheduled sessions of the calling driver.
 * @throws {DomainError} DRIVER_KEY_REQUIRED.
 */
export async function readOwnSchedules(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  status: ScheduledChargeStatus | undefined,
  page: PageRequest,
): Promise<Page<ScheduledChargeRecord>> {
  return listScheduledCharges(
    sql,
    { networks: caller.networks, userId: requireDriver(caller) },
    status,
    page,
  );
}

/**
 * Cancels a scheduled session that has not begun.
 * @throws {DomainError} DRIVER_KEY_REQUIRED; SCHEDULE_NOT_FOUND, also when the session was requested, cancelled or has ended. A
 * running session is stopped like any other session.
 */
export async function cancelSchedule({ sql }: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  const of = { networks: by.caller.networks, userId: requireDriver(by.caller) };
  await sql.begin(async (transaction) => {
    const found = await lockScheduledCharge(transaction, of, uuid);
    const isToCome = found?.record.status === 'scheduled' || found?.record.status === 'starting';
    if (found === null || !isToCome || found.isAsked) {
      throw new DomainError('SCHEDULE_NOT_FOUND', `There is no upcoming scheduled charge ${uuid}.`);
    }
    await endScheduledCharge(transaction, uuid, 'cancelled');
    const after = { ...found.record, status: 'cancelled' };
    await auditChange(transaction, by, { ...audited(found.record, 'cancel'), before: found.record, after });
  });
}

function requireTimeToCome(startAt: Date): void {
  const aheadMs = startAt.getTime() - Date.now();
  if (aheadMs > 0 && aheadMs <= scheduleAheadMs) return;
  const rule = `must be within the ${scheduleAheadMs / 86_400_000} days to come`;
  throw new DomainError('VALIDATION_FAILED', `Invalid body: startTime ${rule}.`, {
    errors: [{ field: 'startTime', message: rule }],
  });
}

function audited({ networkId, uuid, chargerUid }: ScheduledChargeRecord, action: string) {
  return {
    networkId,
    category: 'scheduled-charge',
    action,
    resourceId: uuid,
    resourceName: `at ${chargerUid}`,
  };
}
