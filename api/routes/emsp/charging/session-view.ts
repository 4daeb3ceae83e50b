import {
  connectorFields,
  connectorView,
  MeterStartKwh,
  MeterStopKwh,
  meterView,
  SessionFlags,
  signatureFields,
  StopReason,
  tokenFields,
} from '#api/routes/session-fields.ts';
import { type Static, Type } from 'typebox';
import {
  DateTime,
  Decimal,
  Flag,
  Integer,
  isoOrNull,
  kilo,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import { costLineTypes, costNotes, noCostReasons, priceStates } from '#api/services/charging/session-cost.ts';
import type { SessionReading } from '#api/services/charging/sessions.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readChargingLimit, slowdowns } from '#api/services/load/charging-limit.ts';
import { signatureInvalid } from '#shared/domain/charging/signed-meter-value.ts';
import { reservationEnds } from '#shared/domain/charging/reservation.ts';
import { limitNames, sessionStatuses } from '#shared/domain/charging/session.ts';

/** Totals of a cost. */
export const costTotals = {
  currency: Str('Currency of the amounts (ISO 4217), which are in its major unit.', 'EUR'),
  isFinal: Flag('False while the session is running (priced so far), and while the price is in review.'),
  totalExclVat: Decimal('Total without VAT, in the major unit of the currency.', 5),
  totalVat: Decimal('VAT of the total, in the major unit of the currency.', 1.05),
  totalInclVat: Decimal('Total with VAT, in the major unit of the currency.', 6.05),
  idleFee: Decimal('Part of the total for occupying the connector without charging, with VAT.', 0),
};

/** Line of a cost. */
export const CostLine = Named('CostLine', {
  type: OneOf(
    costLineTypes,
    'Kind of line. TIME: time charging. RESERVATION_TIME, RESERVATION_FLAT: the reservation. MIN_PRICE, MAX_PRICE: adjustment to a limit of the tariff. AMENDED: ' +
      'price set by an operator.',
  ),
  quantity: Decimal('Billed quantity, rounded up to the step of the tariff.', 12.5),
  unit: OneOf(
    ['kWh', 'h', 'session', 'min'],
    'Unit of the quantity: kWh, hours (`h`), sessions or minutes (`min`).',
  ),
  unitPrice: Nullable(Decimal('Price per unit without VAT. Null when the line has none.', 0.4)),
  vatPercent: Nullable(Decimal('VAT rate in percent. Null when no VAT applies.', 21)),
  exclVat: Decimal('Amount without VAT, in the major unit of the currency.', 5),
  vat: Decimal('VAT in the major unit of the currency.', 1.05),
});

/** Part of a cost with one VAT rate. */
export const VatRate = Named('VatRateTotal', {
  vatPercent: Nullable(Decimal('VAT rate in percent. Null when no VAT applies.', 21)),
  exclVat: Decimal('Sum of the lines without VAT, in the major unit of the currency.', 5),
  vat: Decimal('VAT in the major unit of the currency.', 1.05),
});

/** Totals of a cost with its lines. */
export const costBreakdown = {
  ...costTotals,
  lines: Type.Array(CostLine, { description: 'Lines of the cost. They add up to the totals.' }),
  vatRates: Type.Array(VatRate, {
    description: 'Sum of the lines by VAT rate. A null rate: no VAT applies.',
  }),
  notes: Type.Array(OneOf(costNotes), {
    description:
      'Limits of the calculation: parts of the tariff that could not be applied (prices of reservations, ' +
      'restrictions on a current that was not measured), or energy that was distributed evenly because readings ' +
      'are missing.',
  }),
};

const SessionLimits = Type.Object(
  {
    maxCost: Nullable(Decimal('Maximum cost with VAT, in the currency of the session. Null: no limit.', 20)),
    maxDurationMinutes: Nullable(
      Decimal('Duration in minutes at which the session is stopped. Null: no limit.', 240),
    ),
    maxEnergyKwh: Nullable(Decimal('Energy in kWh at which the session is stopped. Null: no limit.', 30)),
    passed: Nullable(OneOf(limitNames, 'Limit that the session was stopped for. Null when none was passed.')),
  },
  { title: 'SessionLimits', description: 'Limits of the session. Null: no limit.' },
);

const fields = {
  id: Uuid('Session identifier.'),
  status: OneOf(
    sessionStatuses,
    'Status of the session. RESERVATION: the connector is reserved at a price, and charging has not begun. STOPPING: ' +
      'the charger accepted a stop and has not confirmed it yet.',
  ),
  networkId: Uuid('Network identifier.'),
  ...connectorFields,
  ...tokenFields,
  transactionId: Str('OCPP transaction identifier.', '1042'),
  reservedAt: Nullable(
    DateTime(
      'Time from which the connector was reserved. Null when the session began without a priced reservation.',
    ),
  ),
  reservationEnd: Nullable(
    OneOf(
      reservationEnds,
      'End of the reservation. USED: the session charged. USED_ELSEWHERE: another session of the token did. Null while ' +
        'the connector is reserved, and without a priced reservation.',
    ),
  ),
  startedAt: DateTime(
    "Time charging started, by the charger's clock. Without charging: the end of the reservation, or its begin until then.",
  ),
  endedAt: Nullable(
    DateTime("Time the session ended, by the charger's clock. Null while the session is running."),
  ),
  durationSeconds: Integer(
    'Duration of the session in seconds without its reservation, until now while it is running.',
    4500,
  ),
  energyKwh: Decimal('Energy in kWh, so far or in total.', 12.5),
  powerKw: Nullable(Decimal('Current power in kW. Null when not reported.', 11)),
  currentPowerKw: Nullable(Decimal('Alias of `powerKw`.', 11)),
  peakPowerKw: Nullable(Decimal('Highest measured power in kW. Null when power was not measured.', 11.04)),
  isIdle: Flag(
    'True while the session occupies the connector without charging: after it has charged, or since the ' +
      'charger suspended it.',
  ),
  idleStartedAt: Nullable(
    DateTime(
      'Start of the idle period in progress, or of the one in which the session ended. Null without one.',
    ),
  ),
  gracePeriodEndsAt: Nullable(
    DateTime('Time from which that idle period costs, by the tariff. Null when it costs nothing.'),
  ),
  idleSeconds: Integer(
    'Time at the connector without charging, the sum of all idle periods, in seconds.',
    300,
  ),
  chargingEndedAt: Nullable(DateTime('Time charging ended. Null while the session is charging.')),
  limits: SessionLimits,
  socPercent: Nullable(Decimal('State of charge of the car, in percent. Null when not reported.', 64)),
  liveAt: Nullable(
    DateTime('Time of the latest reading of power, state of charge and energy. Null without readings.'),
  ),
  meterStartKwh: MeterStartKwh,
  meterStopKwh: MeterStopKwh,
  stopReason: StopReason,
  flags: SessionFlags,
  ...signatureFields,
  updatedAt: DateTime('Time of the latest change.'),
};

const priceFields = {
  priceState: OneOf(
    priceStates,
    'State of the price. OPEN: the session is running. PENDING: readings are awaited. UNPRICED: no tariff is ' +
      'assigned. REVIEW: values are implausible or a signature is not valid; nothing is charged before the operator ' +
      'approves or amends them. SETTLED: the price is charged or ready to be invoiced.',
  ),
  priceNotice: Nullable(
    Str(
      'Sentence for the driver while the price is in review. Null otherwise.',
      'The charger reported implausible values. The operator reviews the price; nothing is charged until then.',
    ),
  ),
};

/** Returns the sentence for the driver while a price is in review. */
function priceNotice({ flags }: SessionReading['session']): string {
  const cause = flags.includes(signatureInvalid)
    ? 'A signed meter value is not valid.'
    : 'The charger reported implausible values.';
  return `${cause} The operator reviews the price; nothing is charged until then.`;
}

const costUnavailable = Nullable(
  OneOf(noCostReasons, 'Reason that `cost` is null. Null when there is a cost.'),
);

/** Session in a list: its price without the lines. */
export const SessionItem = Named('SessionSummary', {
  ...fields,
  cost: Nullable(
    Type.Object(costTotals, {
      description: 'Price of the session. Null if `costUnavailable` contains a reason.',
    }),
  ),
  costUnavailable,
  ...priceFields,
});

const ChargingLimit = Named('ChargingLimit', {
  limitKw: Decimal(
    'Power in kW that the car may draw now, if it draws from all phases of the connector.',
    7.36,
  ),
  reason: OneOf(
    slowdowns,
    'Reason for the limit. shared: the site shares its power among cars. paused: the car waits for its turn. rising: the limit ' +
      'rises as soon as others have reduced. external: the grid operator, a price or the operator limits charging. station: the ' +
      'station has not confirmed a limit.',
  ),
  at: DateTime('Time of the limit.'),
});

/** Fields of a session with its cost breakdown, for all APIs. */
export const detailFields = {
  ...fields,
  cost: Nullable(
    Type.Object(costBreakdown, {
      description: 'Price of the session. Null if `costUnavailable` contains a reason.',
    }),
  ),
  costUnavailable,
  ...priceFields,
};

/** Session with its cost breakdown. */
export const SessionDetail = Type.Object(
  { ...detailFields, chargingLimit: Nullable(ChargingLimit) },
  { title: 'Session', description: 'The session with its cost breakdown.' },
);

/** Converts a session. The schema selects the shown parts of the cost. */
export function sessionView(reading: SessionReading): Omit<Static<typeof SessionDetail>, 'chargingLimit'> {
  const { session, durationSeconds, idle, limits, cost, costUnavailable } = reading;
  return {
    id: session.uuid,
    status: session.status,
    networkId: session.networkUuid,
    ...connectorView(session),
    transactionId: session.transactionId,
    reservedAt: isoOrNull(session.reservedAt),
    reservationEnd: session.reservationEnd,
    startedAt: session.startedAt.toISOString(),
    endedAt: isoOrNull(session.endedAt),
    durationSeconds,
    energyKwh: kilo(session.energyWh),
    powerKw: kilo(session.powerW),
    currentPowerKw: kilo(session.powerW),
    peakPowerKw: kilo(session.peakPowerW),
    isIdle: idle.isIdle,
    idleStartedAt: isoOrNull(session.idleStartedAt),
    gracePeriodEndsAt: isoOrNull(idle.gracePeriodEndsAt),
    idleSeconds: idle.idleSeconds,
    chargingEndedAt: isoOrNull(idle.chargingEndedAt),
    limits,
    socPercent: session.socPercent,
    liveAt: isoOrNull(session.liveAt),
    ...meterView(session),
    cost,
    costUnavailable,
    priceState: session.priceState,
    priceNotice: session.priceState === 'REVIEW' ? priceNotice(session) : null,
  };
}

/** Converts a session with the reason why its car charges slowly. */
export async function detailView(
  deps: ServiceDeps,
  reading: SessionReading,
): Promise<Static<typeof SessionDetail>> {
  const limit = await readChargingLimit(deps, reading.session);
  return {
    ...sessionView(reading),
    chargingLimit: limit && {
      limitKw: kilo(limit.watts),
      reason: limit.reason,
      at: new Date(limit.at).toISOString(),
    },
  };
}
