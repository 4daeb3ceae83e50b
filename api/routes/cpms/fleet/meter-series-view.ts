import { type Static, Type } from 'typebox';
import { DateTime, Integer, Named, Nullable } from '#api/routes/schema.ts';
import type {
  ConnectorSeries,
  Measurand,
  MeterSeries,
  SeriesColumns,
} from '#api/services/fleet/meter-series.service.ts';

import { seriesPoints } from '#shared/domain/charging/meter-series.ts';

/** Query of a range that is divided into buckets. */
export const bucketQuery = {
  from: Type.Optional(DateTime('Beginning of the range, inclusive. Default: one day before `to`.')),
  to: Type.Optional(DateTime('End of the range, exclusive. Default: now. At most ten years after `from`.')),
  points: Type.Optional(
    Integer('Maximum number of buckets: the width of the chart in pixels.', 800, {
      minimum: seriesPoints.least,
      maximum: seriesPoints.most,
      default: seriesPoints.usual,
    }),
  ),
};

/** Fields of an answer about its buckets. */
export const bucketFields = {
  from: DateTime('Beginning of the range.'),
  to: DateTime('End of the range.'),
  bucketSeconds: Integer(
    'Width of a bucket in seconds. Buckets begin at multiples of it since 1970 (UTC).',
    36_000,
  ),
};

/** Beginnings of buckets. */
export const BucketTimes = Type.Array(Type.Integer(), {
  description: 'Beginning of each bucket, in seconds since 1970 (UTC). Buckets without entries are absent.',
  examples: [[1_767_225_600]],
});

const values = (description: string) =>
  Type.Array(Nullable(Type.Number()), { description, examples: [[10.9, null]] });

const spread = (what: string) =>
  Nullable(
    Type.Object(
      {
        min: values('Lowest value of each bucket; null without a value.'),
        mean: values('Mean of the values of each bucket; null without a value.'),
        max: values('Highest value of each bucket; null without a value.'),
      },
      { description: `${what} Null when the charger did not report it in the range.` },
    ),
  );

const ConnectorSeriesView = Named('ConnectorSeries', {
  connectorNumber: Nullable(
    Integer('Connector number. Null for the charger as a whole, and for a removed connector.', 1),
  ),
  evse: Nullable(Integer('EVSE number of the connector. Null for the charger as a whole.', 1)),
  time: BucketTimes,
  powerKw: spread('Power in kW.'),
  currentA: spread('Current of the phase with the highest, in A.'),
  currentL1A: spread('Current of phase 1 in A.'),
  currentL2A: spread('Current of phase 2 in A.'),
  currentL3A: spread('Current of phase 3 in A.'),
  voltageV: spread('Mean voltage of the phases in V.'),
  voltageL1V: spread('Voltage of phase 1 in V.'),
  voltageL2V: spread('Voltage of phase 2 in V.'),
  voltageL3V: spread('Voltage of phase 3 in V.'),
  socPercent: spread('State of charge of the vehicle in percent.'),
  temperatureC: spread('Temperature in °C.'),
  energyRegisterKwh: Nullable(
    values(
      'Energy register at the last reading of each bucket, in kWh. Null when no register was reported in the range.',
    ),
  ),
  energyKwh: Nullable(
    values(
      'Increase of the register since the bucket before, in kWh; of the first bucket, since its first reading. Of a session: the ' +
        'energy that its price counts, whichever register showed it. Null when none was reported in the range.',
    ),
  ),
  sessionEnergyKwh: Nullable(
    values(
      'Energy of the session until the last reading of each bucket, in kWh, as its price counts it. Null for a charger, and where ' +
        'nothing was measured.',
    ),
  ),
});

/** Readings of connectors by bucket. */
export const connectorSeriesFields = {
  ...bucketFields,
  connectors: Type.Array(ConnectorSeriesView, {
    description: 'Connectors with readings in the range. Each array has one entry for each entry of `time`.',
  }),
};

export function bucketFieldsView({ from, to, widthMs }: Pick<MeterSeries, 'from' | 'to' | 'widthMs'>) {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucketSeconds: widthMs / 1000,
  };
}

export function meterSeriesView(series: MeterSeries) {
  return { ...bucketFieldsView(series), connectors: series.connectors.map(connectorView) };
}

function connectorView({
  connectorNumber,
  evse,
  times,
  columns,
  register,
  sessionEnergy,
}: ConnectorSeries): Static<typeof ConnectorSeriesView> {
  const column = (name: Measurand, decimals = 2) =>
    columnView(columns[name], (value) => round(value, decimals));
  return {
    connectorNumber,
    evse: evse === 0 ? null : evse,
    time: times.map((time) => time / 1000),
    powerKw: columnView(columns.power_w, kilo),
    currentA: column('current_a'),
    currentL1A: column('current_l1_a'),
    currentL2A: column('current_l2_a'),
    currentL3A: column('current_l3_a'),
    voltageV: column('voltage_v'),
    voltageL1V: column('voltage_l1_v'),
    voltageL2V: column('voltage_l2_v'),
    voltageL3V: column('voltage_l3_v'),
    socPercent: column('soc_percent', 1),
    temperatureC: column('temperature_c', 1),
    energyRegisterKwh: register && register.last.map(kiloOrNull),
    energyKwh: register && register.increase.map(kiloOrNull),
    sessionEnergyKwh: sessionEnergy && sessionEnergy.map(kiloOrNull),
  };
}

function columnView(
  columns: SeriesColumns | undefined,
  show: (value: number) => number,
): SeriesColumns | null {
  if (columns === undefined) return null;
  const shown = (numbers: (number | null)[]) => numbers.map((value) => (value === null ? null : show(value)));
  return { min: shown(columns.min), mean: shown(columns.mean), max: shown(columns.max) };
}

/** To the watt or watt-hour: more digits than that are longer to send, and no charger measures them. */
const kilo = (value: number): number => Math.round(value) / 1000;

const kiloOrNull = (value: number | null): number | null => (value === null ? null : kilo(value));

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
