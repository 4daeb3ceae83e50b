import { send } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { JobPayloads } from '#shared/domain/kernel/jobs.ts';
import type { Logger } from '#shared/log/log.ts';
import { listLostProfiles } from '#shared/postgres/charging/charging-profile-records.ts';
import { findManagingSite } from '#shared/postgres/load/wired-connectors.statements.ts';

/**
 * Sets our profiles of a transaction again: its station lost them in the reset after which it resumed (OCPP 2.1 E17.FR.15).
 * A profile that fails does not keep the others from being sent.
 * @throws the error of the last profile that failed.
 */
export async function resendTransactionProfiles(
  deps: ApiDeps & { log: Logger },
  { chargerId, transactionId }: JobPayloads['resend-profiles'],
): Promise<void> {
  // Load management sends its own, and others could outrank them.
  if ((await findManagingSite(deps.sql, chargerId)) !== null) return;
  const failures: unknown[] = [];
  for (const { charger, evse, profile } of await listLostProfiles(deps.sql, chargerId, transactionId)) {
    const payload = { evseId: evse, chargingProfile: profile };
    const command = { type: 'ocpp', action: 'SetChargingProfile', payload } as const;
    try {
      const { accepted, status } = await send(deps, null, charger, command);
      if (accepted) continue;
      const about = { charger: charger.uid, transactionId, profileId: profile['id'], status };
      deps.log.warn(about, 'a charger refused a profile of a session that it resumed');
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.at(-1);
}
