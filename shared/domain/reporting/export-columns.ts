import type { ExportDataset } from './export.ts';

/**
 * Type of a column. time: UTC with milliseconds. integer: 64 bits. real: double precision.
 */
export type ExportColumnType = 'text' | 'time' | 'integer' | 'real' | 'boolean';

/** A column of a dataset. Names are public: columns are added at the end, and never renamed. */
export interface ExportColumn {
  name: string;
  type: ExportColumnType;
  isNullable: boolean;
  description: string;
}

const required = (name: string, type: ExportColumnType, description: string): ExportColumn => ({
  name,
  type,
  isNullable: false,
  description,
});

const nullable = (name: string, type: ExportColumnType, description: string): ExportColumn => ({
  name,
  type,
  isNullable: true,
  description,
});

const currency = [
  required('currency', 'text', 'Currency of the amounts (ISO 4217).'),
  required(
    'currency_exponent',
    'integer',
    'Decimals of the minor unit: an amount is minor units / 10^exponent.',
  ),
];

const sessions: ExportColumn[] = [
  required('session_id', 'text', 'Session (UUID). The key of a row.'),
  required('network_id', 'text', 'Network (UUID).'),
  nullable(
    'location_id',
    'text',
    'Location of the charger at the time of the export (UUID). Null: it has none.',
  ),
  required('charger_id', 'text', 'Charger (UUID).'),
  required('connector_id', 'text', 'Connector (UUID).'),
  required('connector_number', 'integer', 'Connector number at the charger, from 1.'),
  nullable('driver_id', 'text', "Driver (UUID). Null: unknown, or a partner's."),
  nullable('roaming_partner_id', 'text', 'OCPI partner whose driver charged (UUID). Null: none.'),
  nullable('token_type', 'text', 'RFID, APP_USER, AD_HOC_USER or OTHER. Null: no token of the network.'),
  required('status', 'text', 'COMPLETED or INVALID. INVALID sessions count nowhere.'),
  required('started_at', 'time', "Start, by the charger's clock."),
  required('start_received_at', 'time', 'Receipt of the start.'),
  nullable('ended_at', 'time', "End, by the charger's clock. Null: an INVALID session without one."),
  nullable('stop_received_at', 'time', 'Receipt of the stop. Null: the charger reported none.'),
  nullable('duration_ms', 'integer', 'Time from start to end in ms. Null without an end.'),
  nullable('idle_ms', 'integer', 'Time at the connector without charging, in ms. Null without an end.'),
  nullable('stop_reason', 'text', 'Reason of the stop as in OCPP. Null: not reported.'),
  required('energy_wh', 'real', 'Energy in Wh.'),
  nullable('peak_power_w', 'real', 'Highest power in W. Null: not measured.'),
  nullable('meter_start_wh', 'real', 'Energy register at the start in Wh. Null: not reported.'),
  nullable('meter_stop_wh', 'real', 'Energy register at the end in Wh. Null: not reported.'),
  nullable('tariff_id', 'text', 'Tariff (UUID), as it stood at the start. Null: none was assigned.'),
  required(
    'price_state',
    'text',
    'PENDING, UNPRICED, REVIEW or SETTLED. Only SETTLED sessions have amounts.',
  ),
  required(
    'price_readings',
    'text',
    'Readings that the price counts: COMPLETE, MISSING, LATE or MISSING_LATE.',
  ),
  nullable('price_decision', 'text', 'APPROVED or AMENDED by an operator. Null: neither.'),
  ...currency,
  nullable('total_excl_vat_minor', 'integer', 'Price without VAT in minor units. Null: no price.'),
  nullable('total_vat_minor', 'integer', 'VAT in minor units. Null: no price.'),
  nullable('total_incl_vat_minor', 'integer', 'Price with VAT in minor units. Null: no price.'),
  nullable('energy_excl_vat_minor', 'integer', 'Part for energy, without VAT. Null: no price.'),
  nullable('time_excl_vat_minor', 'integer', 'Part for charging time, without VAT. Null: no price.'),
  nullable('parking_excl_vat_minor', 'integer', 'Part for parking time, without VAT. Null: no price.'),
  nullable('flat_excl_vat_minor', 'integer', 'Part for the start, without VAT. Null: no price.'),
  nullable('idle_excl_vat_minor', 'integer', 'Idle fee without VAT. Null: no price.'),
  nullable(
    'adjustment_excl_vat_minor',
    'integer',
    'Price limits, or the whole price as an operator set it, without VAT. The seven parts sum to the total. Null: no price.',
  ),
  nullable('invoice_number', 'text', 'Invoice number. Null: on no invoice.'),
  required('flags', 'text', 'Flags of the session, sorted, as a JSON array of text.'),
  required('version', 'integer', 'Number of ends that were counted: higher than 1 after a correction.'),
  required('updated_at', 'time', 'Last change of the session.'),
  nullable(
    'reservation_excl_vat_minor',
    'integer',
    'Part for the reservation with which the session began, without VAT. Null: no price.',
  ),
];

const cdrs: ExportColumn[] = [
  required('cdr_id', 'text', 'Charge detail record (UUID). The key of a row.'),
  required('network_id', 'text', 'Network (UUID).'),
  required('partner_id', 'text', 'OCPI partner that received the record (UUID).'),
  required('ocpi_id', 'text', 'Identifier of the CDR in OCPI.'),
  required('session_id', 'text', 'Session (UUID).'),
  required('session_version', 'integer', 'Version of the session that the record states.'),
  nullable('credits_cdr_id', 'text', 'Record that this one credits (UUID). Null: it is no credit.'),
  required('started_at', 'time', 'Start of the session.'),
  required('ended_at', 'time', 'End of the session.'),
  required('auth_method', 'text', 'AUTH_REQUEST, COMMAND or WHITELIST.'),
  required('energy_kwh', 'real', 'Energy in kWh. Positive in a credit too.'),
  required('duration_h', 'real', 'Duration of the session in hours.'),
  required('parking_h', 'real', 'Time without charging in hours.'),
  ...currency,
  required('total_excl_vat_minor', 'integer', 'Amount without VAT in minor units. Negative in a credit.'),
  required('total_incl_vat_minor', 'integer', 'Amount with VAT in minor units. Negative in a credit.'),
  required('created_at', 'time', 'Creation of the record, which never changes.'),
];

const meterValues: ExportColumn[] = [
  required('network_id', 'text', 'Network (UUID).'),
  required('charger_id', 'text', 'Charger (UUID). The first part of the key.'),
  nullable('session_id', 'text', 'Session (UUID). Null: nothing was charging.'),
  required('evse_number', 'integer', 'EVSE at the charger. 0: not reported, or the charger as a whole.'),
  required('connector_number', 'integer', 'Connector. 0: not reported, or the charger as a whole.'),
  required('time', 'time', "Time of the reading, by the charger's clock where that is credible."),
  required('received_at', 'time', 'Receipt of the reading.'),
  required('context', 'text', 'Reading context of OCPP, such as Sample.Periodic or Transaction.Begin.'),
  nullable('energy_wh', 'real', 'Energy register in Wh. Null: not reported.'),
  nullable('power_w', 'real', 'Power in W. Null: not reported.'),
  nullable('current_a', 'real', 'Current in A. Null: not reported.'),
  nullable('voltage_v', 'real', 'Voltage in V. Null: not reported.'),
  nullable('soc_percent', 'real', 'State of charge of the car in %. Null: not reported.'),
  nullable('temperature_c', 'real', 'Temperature in °C. Null: not reported.'),
  required(
    'extra',
    'text',
    'Other measurands as a JSON object of text, `Measurand@Location.Phase Unit` to value.',
  ),
  required('flags', 'text', 'Flags of the reading as a JSON array of text.'),
  required(
    'digest',
    'integer',
    'Hash of the values: tells readings of one time apart. The last part of the key.',
  ),
];

/** Columns of each dataset, in their order in the files. */
export const exportColumns: Record<ExportDataset, readonly ExportColumn[]> = {
  sessions,
  cdrs,
  'meter-values': meterValues,
};
