import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type AlertFilter,
  type AlertRecord,
  findAlert,
  listAlerts,
  updateAlert,
} from '#shared/postgres/fleet/alerts.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';

export type { AlertRecord } from '#shared/postgres/fleet/alerts.statements.ts';

/**
 * A page of the alerts of the caller's networks, or of the one that the call names, newest first.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a cursor or times that are wrong.
 */
export async function listOperatorAlerts(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: AlertFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: AlertRecord[]; nextCursor: string | null }> {
  requireOrder(filter);
  const before = decodeIdCursor(cursor, 'bigint');
  const networks = await networksOfCall(deps, caller, networkUuid);
  return cutById(await listAlerts(deps.sql, networks, filter, before, limit + 1), limit);
}

/** @throws {DomainError} ALERT_NOT_FOUND for an unknown alert and for another tenant's alike. */
export async function readAlert({ sql }: ServiceDeps, caller: Caller, uuid: string): Promise<AlertRecord> {
  return requireFound(await findAlert(sql, caller.networks, uuid), uuid);
}

/**
 * Acknowledges or resolves an alert (`acknowledge`, `resolve`). A resolved alert is opened again only by a
 * new occurrence. A note is stored; without one the earlier note stays.
 * @throws {DomainError} ALERT_NOT_FOUND; ALERT_RESOLVED.
 */
export async function settleAlert(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  action: 'acknowledge' | 'resolve',
  note: string | undefined,
): Promise<AlertRecord> {
  return sql.begin(async (transaction) => {
    const before = requireFound(await findAlert(transaction, by.caller.networks, uuid, true), uuid);
    if (before.status === 'resolved') {
      throw new DomainError('ALERT_RESOLVED', 'The alert is resolved already.');
    }
    const status = action === 'acknowledge' ? ('acknowledged' as const) : ('resolved' as const);
    await updateAlert(transaction, before.id, { status, by: by.caller.who.name, note });
    const after = requireFound(await findAlert(transaction, by.caller.networks, uuid), uuid);
    await auditChange(transaction, by, {
      networkId: before.networkId,
      category: 'alert',
      action,
      resourceId: before.uuid,
      resourceName: `${before.kind} ${before.resourceName}`,
      before,
      after,
      reason: note,
    });
    return after;
  });
}

function requireFound(alert: AlertRecord | null, uuid: string): AlertRecord {
  if (alert === null) throw new DomainError('ALERT_NOT_FOUND', `There is no alert ${uuid}.`);
  return alert;
}
