import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { findManagingSite } from '#shared/postgres/load/wired-connectors.statements.ts';

/** OCPP actions that change the charging profiles in force. */
const profileActions: ReadonlySet<string> = new Set([
  'SetChargingProfile',
  'ClearChargingProfile',
  'UpdateDynamicSchedule',
  'UsePriorityCharging',
]);

/** Returns true if a request changes charging profiles, also with the start of a session. */
export function changesProfiles(action: string, payload: Record<string, unknown>): boolean {
  return profileActions.has(action) || 'chargingProfile' in payload;
}

/**
 * Keeps the profiles of load management: another one could outrank its limits.
 * @throws {DomainError} CHARGER_LOAD_MANAGED.
 */
export async function requireUnmanaged(
  sql: Queryable,
  { id, uid }: { id: number; uid: string },
): Promise<void> {
  const site = await findManagingSite(sql, id);
  if (site === null) return;
  throw new DomainError(
    'CHARGER_LOAD_MANAGED',
    `The site ${site.name} limits the charger ${uid}: set a bound of the site instead, or disable the site.`,
    { siteId: site.uuid },
  );
}
