import type { ChargerReportType, ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import {
  recordDeviceEvents,
  recordDeviceVariables,
  recordSecurityEvents,
  recordVariableMonitors,
} from '#shared/postgres/fleet/device-model.statements.ts';
import { recordNotifications } from './notifications.ts';
import { firmwareProgress, logProgress, recordProgress } from './progress.statements.ts';
import { recordChargingProfiles, recordReservationEnds } from './reservations-and-profiles.ts';

type Recorder = (transaction: Transaction, reports: ReceivedReport[]) => Promise<void>;

type Recorders = {
  [Type in ChargerReportType]: (transaction: Transaction, reports: ReceivedReport<Type>[]) => Promise<void>;
};

const recorders: Recorders = {
  'firmware-status': (transaction, reports) => recordProgress(transaction, firmwareProgress, reports),
  'log-status': (transaction, reports) => recordProgress(transaction, logProgress, reports),
  'security-event': recordSecurityEvents,
  'device-variables': recordDeviceVariables,
  'variable-monitors': recordVariableMonitors,
  'device-events': recordDeviceEvents,
  'charging-profiles': recordChargingProfiles,
  'reservation-ended': recordReservationEnds,
  notification: recordNotifications,
};

/** Stores what many chargers reported in one transaction, with a few statements per kind. A repeat changes nothing. */
export async function recordReports(sql: Sql, reports: ReceivedReport[]): Promise<void> {
  const byType = Map.groupBy(reports, ({ type }) => type);
  await sql.begin(async (transaction) => {
    for (const [type, those] of byType) {
      // All of the group have this type, which the compiler does not see.
      await (recorders[type] as Recorder)(transaction, those);
    }
  });
}
