import { type Static, Type } from 'typebox';
import { DateTime, Decimal, Flag, Integer, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type {
  AvailabilityReport,
  PortAvailability,
  PortOutage,
  PortSlot,
} from '#api/services/reporting/availability-reports.service.ts';
import type { MeasuredPort } from '#api/services/reporting/measured-ports.service.ts';
import { evseStatuses, reportedStatuses } from '#shared/domain/fleet/ocpi-evse.ts';
import {
  type AvailabilitySums,
  measuredShare,
  meetsTarget,
} from '#shared/domain/reporting/availability/definition.ts';
import { exclusionCauses } from '#shared/domain/reporting/availability/exclusion.ts';
import type { ExportValue } from '#shared/domain/reporting/export.ts';

const minutesField = (what: string) => Decimal(`${what}, in minutes, to 2 decimals.`, 1440);
const percentField = (what: string) => Nullable(Decimal(`${what}, to 4 decimals.`, 99.3836));

const port = {
  chargerId: Uuid('Charger of the EVSE.'),
  chargerUid: Str('OCPP identity of the charger.', 'QUAY-1'),
  evseNumber: Integer('Number of the EVSE at the charger.', 1),
  evseId: Nullable(Str('EVSE identifier (eMI3). Null: none.', 'NL*HRB*E1')),
  locationId: Nullable(Uuid('Location of the charger. Null: none.')),
  locationName: Nullable(Str('Name of the location. Null: none.', 'Quay')),
  statedStatus: Nullable(
    OneOf(
      evseStatuses,
      'Status that the operator or the partner states now. It is not part of the measured history. Null: none.',
    ),
  ),
};

const sums = {
  upMinutes: minutesField('Time that counts as available'),
  outageMinutes: minutesField('Outages that count'),
  excludedMinutes: Type.Object(
    Object.fromEntries(
      exclusionCauses.map((cause) => [cause, minutesField('Outages of this cause')]),
    ) as Record<(typeof exclusionCauses)[number], ReturnType<typeof minutesField>>,
    { description: 'Outages that do not count, by cause.' },
  ),
  notMeasuredMinutes: minutesField('Time without a measurement'),
  closedMinutes: minutesField('Time outside opening hours, if the rules leave it out'),
  measuredPercent: percentField(
    'Measured share of the time in percent, without hours that the rules leave out. Null: always closed',
  ),
};

const PortRow = Named('PortAvailability', {
  ...port,
  ...sums,
  percent: percentField('Availability in percent. Null: nothing was measured'),
  meetsTarget: Nullable(Flag('True if the EVSE reaches the target. Null: nothing was measured.')),
});

export const Report = Named('AvailabilityReport', {
  networkId: Uuid('Network of the report.'),
  from: Str('First day of the period (local date).', '2025-01-01'),
  to: Str('First day after the period (local date).', '2026-01-01'),
  measuredUntil: DateTime('End of the measured time: the end of the period, or now.'),
  isComplete: Flag(
    'False: the period is not over, or begins before the statuses that are kept (RECORD_DAYS).',
  ),
  targetPercent: Decimal('Required availability in percent. us: it has to be exceeded.', 99),
  evseCount: Integer('Number of EVSEs in the report.', 12),
  neverReportedCount: Integer(
    'Number of EVSEs without a reported status. The report does not include them.',
    0,
  ),
  unknownPowerCount: Integer(
    'uk: number of public EVSEs whose power is unknown. The report does not include them. 0 in other reports.',
    0,
  ),
  belowTarget: Integer('Number of EVSEs below the target.', 1),
  ...sums,
  percent: percentField(
    'Availability of all EVSEs together in percent. us: mean of the EVSEs. Null: nothing was measured',
  ),
  meetsTarget: Nullable(Flag('True if all EVSEs together reach the target. Null: nothing was measured.')),
  ports: Type.Array(PortRow, { description: 'EVSEs by charger and number.' }),
});

export const Outage = Named('EvseOutage', {
  ...port,
  from: DateTime('Begin of the outage, or of the requested window.'),
  to: DateTime('End of the outage, or of the requested window.'),
  minutes: minutesField('Duration'),
  status: OneOf(reportedStatuses, 'Latest reported status, as in OCPI.'),
  isConnected: Flag('False: the charger had no connection.'),
  cause: Nullable(OneOf(exclusionCauses, 'Cause that an operator entered. Null: none.')),
});

const minutesOf = (ms: number) => Math.round(ms / 600) / 100;
const percentOf = (share: number | null) => (share === null ? null : Math.round(share * 1_000_000) / 10_000);

function portView({
  chargerUuid,
  chargerUid,
  number,
  evseId,
  locationUuid,
  locationName,
  statedStatus,
}: MeasuredPort) {
  return {
    chargerId: chargerUuid,
    chargerUid,
    evseNumber: number,
    evseId,
    locationId: locationUuid,
    locationName,
    statedStatus,
  };
}

function sumsView(all: AvailabilitySums) {
  const { up, down, excluded, notMeasured, closed } = all;
  const { maintenance, vandalism, grid, customer, weather } = excluded;
  return {
    upMinutes: minutesOf(up),
    outageMinutes: minutesOf(down),
    excludedMinutes: {
      maintenance: minutesOf(maintenance),
      vandalism: minutesOf(vandalism),
      grid: minutesOf(grid),
      customer: minutesOf(customer),
      weather: minutesOf(weather),
    },
    notMeasuredMinutes: minutesOf(notMeasured),
    closedMinutes: minutesOf(closed),
    measuredPercent: percentOf(measuredShare(all)),
  };
}

export function reportView(report: AvailabilityReport): Static<typeof Report> {
  const { definition, ports, share } = report;
  return {
    networkId: report.networkUuid,
    from: report.fromDate,
    to: report.toDate,
    measuredUntil: report.measuredUntil.toISOString(),
    isComplete: report.isComplete,
    targetPercent: definition.targetPercent,
    evseCount: ports.length,
    neverReportedCount: report.neverReportedCount,
    unknownPowerCount: report.unknownPowerCount,
    belowTarget: ports.filter((one) => meetsTarget(one.share, definition) === false).length,
    ...sumsView(report.sums),
    percent: percentOf(share),
    meetsTarget: meetsTarget(share, definition),
    ports: ports.map((one) => ({
      ...portView(one.port),
      ...sumsView(one.sums),
      percent: percentOf(one.share),
      meetsTarget: meetsTarget(one.share, definition),
    })),
  };
}

export function outageView({ port, interval }: PortOutage): Static<typeof Outage> {
  const { from, to, status, isConnected, cause } = interval;
  return {
    ...portView(port),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    minutes: minutesOf(to - from),
    status,
    isConnected,
    cause,
  };
}

/** Columns of a CSV with their values. Columns are added at the end, and never renamed. */
type Columns<Row> = Record<string, (row: Row) => ExportValue>;

const portColumns: Columns<{ port: MeasuredPort }> = {
  network_id: ({ port }) => port.networkUuid,
  location_id: ({ port }) => port.locationUuid,
  location_name: ({ port }) => port.locationName,
  city: ({ port }) => port.city,
  charger_id: ({ port }) => port.chargerUuid,
  charger_uid: ({ port }) => port.chargerUid,
  evse_number: ({ port }) => port.number,
  evse_id: ({ port }) => port.evseId,
};

const sumColumns: Columns<{ sums: AvailabilitySums }> = {
  up_minutes: ({ sums }) => minutesOf(sums.up),
  outage_minutes: ({ sums }) => minutesOf(sums.down),
  ...Object.fromEntries(
    exclusionCauses.map((cause) => [
      `excluded_${cause}_minutes`,
      ({ sums }: { sums: AvailabilitySums }) => minutesOf(sums.excluded[cause]),
    ]),
  ),
  not_measured_minutes: ({ sums }) => minutesOf(sums.notMeasured),
  closed_minutes: ({ sums }) => minutesOf(sums.closed),
};

export const reportColumns: Columns<PortAvailability> = {
  ...portColumns,
  ...sumColumns,
  percent: ({ share }) => percentOf(share),
  measured_percent: ({ sums }) => percentOf(measuredShare(sums)),
  stated_status: ({ port }) => port.statedStatus,
};

export const outageColumns: Columns<PortOutage> = {
  ...portColumns,
  outage_start: ({ interval }) => new Date(interval.from),
  outage_end: ({ interval }) => new Date(interval.to),
  minutes: ({ interval }) => minutesOf(interval.to - interval.from),
  status: ({ interval }) => interval.status,
  is_connected: ({ interval }) => interval.isConnected,
  excluded_cause: ({ interval }) => interval.cause,
};

export const slotColumns: Columns<PortSlot> = {
  ...portColumns,
  interval_start: ({ from }) => new Date(from),
  interval_end: ({ to }) => new Date(to),
  ...sumColumns,
};
