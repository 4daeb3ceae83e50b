/** EVSEs and connectors in OCPI 2.2.1 (§8.3.2, §8.3.3, §8.4), and the mapping of our states and terms to them. */

/** §8.4.22. */
export const evseStatuses = [
  'AVAILABLE',
  'BLOCKED',
  'CHARGING',
  'INOPERATIVE',
  'OUTOFORDER',
  'PLANNED',
  'REMOVED',
  'RESERVED',
  'UNKNOWN',
] as const;
export type EvseStatus = (typeof evseStatuses)[number];

/** §8.4.3. */
export const capabilities = [
  'CHARGING_PROFILE_CAPABLE',
  'CHARGING_PREFERENCES_CAPABLE',
  'CHIP_CARD_SUPPORT',
  'CONTACTLESS_CARD_SUPPORT',
  'CREDIT_CARD_PAYABLE',
  'DEBIT_CARD_PAYABLE',
  'PED_TERMINAL',
  'REMOTE_START_STOP_CAPABLE',
  'RESERVABLE',
  'RFID_READER',
  'START_SESSION_CONNECTOR_REQUIRED',
  'TOKEN_GROUP_CAPABLE',
  'UNLOCK_CAPABLE',
] as const;
export type Capability = (typeof capabilities)[number];

/** §8.4.17. */
export const parkingRestrictions = ['EV_ONLY', 'PLUGGED', 'DISABLED', 'CUSTOMERS', 'MOTORCYCLES'] as const;

/** Parking restrictions of OCPI 2.3.0. */
export const parkingRestrictions230 = [...parkingRestrictions, 'EMPLOYEES', 'TAXIS', 'TENANTS'] as const;
export type ParkingRestriction = (typeof parkingRestrictions230)[number];

/** Returns those restrictions that versions before 2.3.0 have. */
export function parkingRestrictions221(
  restrictions: readonly ParkingRestriction[],
): (typeof parkingRestrictions)[number][] {
  return parkingRestrictions.filter((restriction) => restrictions.includes(restriction));
}

/** Returns the restrictions that replace others as versions before 2.3.0 write them: those that they cannot name stay. */
export function replaceRestrictions221(
  current: readonly ParkingRestriction[],
  sent: readonly ParkingRestriction[],
): ParkingRestriction[] {
  const named: ReadonlySet<string> = new Set(parkingRestrictions);
  return [...new Set([...sent, ...current.filter((restriction) => !named.has(restriction))])];
}

/** Capabilities of a connector (OCPI 2.3.0, ConnectorCapability): drivers can use them there. */
export const connectorCapabilities = ['ISO_15118_2_PLUG_AND_CHARGE', 'ISO_15118_20_PLUG_AND_CHARGE'] as const;
export type ConnectorCapability = (typeof connectorCapabilities)[number];

/** §8.4.4. */
export const connectorFormats = ['SOCKET', 'CABLE'] as const;

/** §8.4.19. */
export const powerTypes = ['AC_1_PHASE', 'AC_2_PHASE', 'AC_2_PHASE_SPLIT', 'AC_3_PHASE', 'DC'] as const;

/** §8.4.5. */
export const connectorTypes = [
  'CHADEMO',
  'CHAOJI',
  'DOMESTIC_A',
  'DOMESTIC_B',
  'DOMESTIC_C',
  'DOMESTIC_D',
  'DOMESTIC_E',
  'DOMESTIC_F',
  'DOMESTIC_G',
  'DOMESTIC_H',
  'DOMESTIC_I',
  'DOMESTIC_J',
  'DOMESTIC_K',
  'DOMESTIC_L',
  'DOMESTIC_M',
  'DOMESTIC_N',
  'DOMESTIC_O',
  'GBT_AC',
  'GBT_DC',
  'IEC_60309_2_single_16',
  'IEC_60309_2_three_16',
  'IEC_60309_2_three_32',
  'IEC_60309_2_three_64',
  'IEC_62196_T1',
  'IEC_62196_T1_COMBO',
  'IEC_62196_T2',
  'IEC_62196_T2_COMBO',
  'IEC_62196_T3A',
  'IEC_62196_T3C',
  'NEMA_5_20',
  'NEMA_6_30',
  'NEMA_6_50',
  'NEMA_10_30',
  'NEMA_10_50',
  'NEMA_14_30',
  'NEMA_14_50',
  'PANTOGRAPH_BOTTOM_UP',
  'PANTOGRAPH_TOP_DOWN',
  'TESLA_R',
  'TESLA_S',
] as const;
export type ConnectorType = (typeof connectorTypes)[number];

/** Types that OCPI 2.3.0 added. */
const addedConnectorTypes = ['MCS', 'SAE_J3400'] as const;

/** Connector types of OCPI 2.3.0. */
export const connectorTypes230 = [...connectorTypes, ...addedConnectorTypes] as const;
type ConnectorType230 = (typeof connectorTypes230)[number];

/** Other names of some: what people write, and ConnectorEnumType of OCPP 2.0.1. */
const otherNames: Record<string, ConnectorType> = {
  CCS: 'IEC_62196_T2_COMBO',
  CCS1: 'IEC_62196_T1_COMBO',
  CCS2: 'IEC_62196_T2_COMBO',
  CCCS1: 'IEC_62196_T1_COMBO',
  CCCS2: 'IEC_62196_T2_COMBO',
  CG105: 'CHADEMO',
  J1772: 'IEC_62196_T1',
  TYPE1: 'IEC_62196_T1',
  CTYPE1: 'IEC_62196_T1',
  MENNEKES: 'IEC_62196_T2',
  TYPE2: 'IEC_62196_T2',
  CTYPE2: 'IEC_62196_T2',
  STYPE2: 'IEC_62196_T2',
  STYPE3: 'IEC_62196_T3C',
  CTESLA: 'TESLA_S',
  SCHUKO: 'DOMESTIC_F',
  SCEE77: 'DOMESTIC_F',
  SBS1361: 'DOMESTIC_G',
  S3091P16A: 'IEC_60309_2_single_16',
  S3093P16A: 'IEC_60309_2_three_16',
  S3093P32A: 'IEC_60309_2_three_32',
};

/** Returns a name in capitals without spaces and punctuation. */
export const bare = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
const typesByName = new Map<string, ConnectorType>([
  ...Object.entries(otherNames),
  ...connectorTypes.map((type) => [bare(type), type] as const),
]);

/** OCPI's word for a connector's standard, however an operator wrote it; null: it has none. */
export function connectorTypeOf(standard: string | null): ConnectorType | null {
  return standard === null ? null : (typesByName.get(bare(standard)) ?? null);
}

const addedByName = new Map<string, ConnectorType230>([
  ...addedConnectorTypes.map((type) => [bare(type), type] as const),
  ['CMCS', 'MCS'],
  ['CNACS', 'SAE_J3400'],
  ['J3400', 'SAE_J3400'],
  ['NACS', 'SAE_J3400'],
]);

/** Returns the connector type of OCPI 2.3.0 for a connector's standard as an operator wrote it. Null: it has none. */
export function connectorType230Of(standard: string | null): ConnectorType230 | null {
  if (standard === null) return null;
  return connectorTypeOf(standard) ?? addedByName.get(bare(standard)) ?? null;
}

/** EVSE statuses that people set, because chargers do not report them. */
export const humanStatuses = ['BLOCKED', 'INOPERATIVE', 'OUTOFORDER', 'PLANNED', 'REMOVED'] as const;
const outweighing: ReadonlySet<string> = new Set(humanStatuses);

/** Facts that determine the status of an EVSE. */
export interface EvseState {
  isRemoved: boolean;
  statedStatus: EvseStatus | null;
  /** Connection state: whether the charger's socket is open now, and whether it ever was. */
  isConnected: boolean;
  wasConnected: boolean;
  /** Status of the charger as a whole and of the EVSE's connectors, as reported. */
  stationStatus: string | null;
  connectorStatuses: readonly string[];
  /** A session runs at one of them. */
  hasSession: boolean;
}

/**
 * The status of an EVSE. What is removed is REMOVED; what people state that no charger can know outweighs what it says;
 * a charger that is offline is UNKNOWN (§8.4.22), one that never spoke is what was stated. One of an EVSE's connectors
 * is used at a time (§8.3.2), so the first of these that one has is that of the EVSE: CHARGING, RESERVED, AVAILABLE,
 * INOPERATIVE, OUTOFORDER. While a session runs there it is CHARGING, in use, unless its connectors are out of order: a
 * charger that restarts knows of no session. (`moveUsed` in shared/postgres/roaming/ocpi-changes.ts detects when that is a change.)
 */
export function evseStatus(state: EvseState): EvseStatus {
  const { isRemoved, statedStatus, isConnected, wasConnected, stationStatus, connectorStatuses } = state;
  if (isRemoved) return 'REMOVED';
  if (statedStatus !== null && outweighing.has(statedStatus)) return statedStatus;
  if (!wasConnected) return statedStatus ?? 'UNKNOWN';
  if (!isConnected) return 'UNKNOWN';
  const reported = statusOfReports(
    statusOfReport(stationStatus ?? ''),
    connectorStatuses.map(statusOfReport),
  );
  return state.hasSession && !outOfOrder.has(reported) ? 'CHARGING' : reported;
}

/**
 * Statuses that chargers report. One of an EVSE's connectors is used at a time (§8.3.2): the first of these statuses that a connector has
 * is the status of the EVSE.
 */
export const reportedStatuses = [
  'CHARGING',
  'RESERVED',
  'AVAILABLE',
  'INOPERATIVE',
  'OUTOFORDER',
  'UNKNOWN',
] as const satisfies readonly EvseStatus[];
export type ReportedStatus = (typeof reportedStatuses)[number];

/** Statuses of EVSEs by states of connectors, in lower case: it is CHARGING while a vehicle or a driver occupies it. Others: UNKNOWN. */
export const statusByReport: Readonly<Record<string, ReportedStatus>> = {
  available: 'AVAILABLE',
  preparing: 'CHARGING',
  charging: 'CHARGING',
  suspendedev: 'CHARGING',
  suspendedevse: 'CHARGING',
  finishing: 'CHARGING',
  occupied: 'CHARGING',
  reserved: 'RESERVED',
  unavailable: 'INOPERATIVE',
  faulted: 'OUTOFORDER',
};

const statusOfReport = (status: string): ReportedStatus => statusByReport[status.toLowerCase()] ?? 'UNKNOWN';

const outOfOrder: ReadonlySet<EvseStatus> = new Set(['INOPERATIVE', 'OUTOFORDER']);

/** Returns the status of an EVSE by the statuses of its station and its connectors. A station out of order outweighs connectors. */
export function statusOfReports(
  station: ReportedStatus,
  connectors: Iterable<ReportedStatus>,
): ReportedStatus {
  if (outOfOrder.has(station)) return station;
  let best = reportedStatuses.length - 1;
  for (const status of connectors) best = Math.min(best, reportedStatuses.indexOf(status));
  return reportedStatuses[best] ?? 'UNKNOWN';
}
