import { kilo } from '#api/routes/schema.ts';
import type { ListedCharger } from '#api/services/fleet/chargers.service.ts';
import { chargerStateOf } from '#shared/domain/fleet/charger-state.ts';
import type { ExportRow, ExportValue } from '#shared/domain/reporting/export.ts';

/** Columns of the CSV of chargers with their values. Columns are added at the end, and never renamed. */
const columns: Record<string, (charger: ListedCharger) => ExportValue> = {
  charger_id: ({ uuid }) => uuid,
  network_id: ({ networkUuid }) => networkUuid,
  uid: ({ uid }) => uid,
  serial_number: ({ serialNumber }) => serialNumber,
  evse_id: ({ evseId }) => evseId,
  state: ({ status, isOnline }) => chargerStateOf(status, isOnline),
  status: ({ status }) => status,
  location_id: ({ locationUuid }) => locationUuid,
  location_name: ({ locationName }) => locationName,
  city: ({ city }) => city,
  country: ({ country }) => country,
  manufacturer_name: ({ manufacturerName }) => manufacturerName,
  model_name: ({ modelName }) => modelName,
  firmware_version: ({ firmwareVersion }) => firmwareVersion,
  ocpp_version: ({ ocppVersion }) => ocppVersion,
  last_seen_at: ({ lastHeartbeat }) => lastHeartbeat,
  running_sessions: ({ runningSessions }) => runningSessions,
  power_kw: ({ powerW }) => kilo(powerW),
  open_alerts: ({ openAlerts }) => openAlerts,
};

/** Names of the columns. */
export const chargerColumns = Object.keys(columns).map((name) => ({ name }));

export function chargerRow(charger: ListedCharger): ExportRow {
  return Object.values(columns).map((value) => value(charger));
}
