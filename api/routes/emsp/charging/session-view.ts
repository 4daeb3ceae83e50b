import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { costLineTypes, costNotes, noCostReasons, priceStates } from '#api/services/charging/session-cost.ts';
import type { SessionReading } from '#api/services/charging/sessions.ts';
import { limitNames, sessionStatuses } from '#shared/domain/charging/session.ts';

/** What a cost comes to. */
export const costTotals = {
  currency: Type.String({ description: 'ISO 4217; amounts are in its major unit', examples: ['EUR'] }),
  isFinal: Type.Boolean({
    description: 'False while the session runs (priced so far), and while the price is in review',
  }),
  totalExclVat: Type.Number({
    description: 'Total without VAT, in the major unit of the currency.',
    examples: [5],
  }),
  totalVat: Type.Number({
    description: 'VAT of the total, in the major unit of the currency.',
    examples: [1.05],
  }),
  totalInclVat: Type.Number({
    description: 'Total with VAT, in the major unit of the currency.',
    examples: [6.05],
  }),
  idleFee: Type.Number({
    description: 'Of the total, with VAT: for occupying the connector without charging',
    examples: [0],
  }),
};

/** A line of a cost. */
export const CostLine = Named('CostLine', {
  type: OneOf(
    costLineTypes,
    'TIME is time charging; MIN_PRICE and MAX_PRICE keep to the limits of the tariff; AMENDED: an operator set the price',
  ),
  quantity: Type.Number({ description: 'Billed: rounded up to the step of the tariff', examples: [12.5] }),
  unit: OneOf(
    ['kWh', 'h', 'session', 'min'],
    'Unit of the quantity: kWh, hours (`h`), sessions or minutes (`min`).',
  ),
  unitPrice: Nullable(Type.Number({ description: 'Without VAT', examples: [0.4] })),
  vatPercent: Nullable(
    Type.Number({ description: 'VAT rate in percent. Null when no VAT applies.', examples: [21] }),
  ),
  exclVat: Type.Number({
    description: 'Amount without VAT, in the major unit of the currency.',
    examples: [5],
  }),
  vat: Type.Number({ description: 'VAT in the major unit of the currency.', examples: [1.05] }),
});

/** What of a cost falls to one rate of VAT. */
export const VatRate = Named('VatRateTotal', {
  vatPercent: Nullable(
    Type.Number({ description: 'VAT rate in percent. Null when no VAT applies.', examples: [21] }),
  ),
  exclVat: Type.Number({
    description: 'Sum of the lines without VAT, in the major unit of the currency.',
    examples: [5],
  }),
  vat: Type.Number({ description: 'VAT in the major unit of the currency.', examples: [1.05] }),
});

/** What a cost comes to, and why. */
export const costBreakdown = {
  ...costTotals,
  lines: Type.Array(CostLine, { description: 'They add up to the totals' }),
  vatRates: Type.Array(VatRate, { description: 'The lines summed for each rate of VAT; null: none applies' }),
  notes: Type.Array(OneOf(costNotes), {
    description:
      'What of the tariff could not be applied: it prices reservations, or current that was not measured; or energy was taken to have flowed evenly, for want of readings',
  }),
};

const SessionLimits = Type.Object(
  {
    maxCost: Nullable(
      Type.Number({ description: 'With VAT, in the currency of the session', examples: [20] }),
    ),
    maxDurationMinutes: Nullable(
      Type.Number({
        description: 'Duration in minutes at which the session is stopped. Null: no limit.',
        examples: [240],
      }),
    ),
    maxEnergyKwh: Nullable(
      Type.Number({
        description: 'Energy in kWh at which the session is stopped. Null: no limit.',
        examples: [30],
      }),
    ),
    passed: Nullable(OneOf(limitNames, 'The limit that the charger was asked to stop the session for')),
  },
  { title: 'SessionLimits', description: 'What the session may use; null: as much as it likes' },
);

const fields = {
  id: Uuid('Session identifier.'),
  status: OneOf(sessionStatuses, 'STOPPING: the charger accepted a stop and has not confirmed it yet'),
  networkId: Uuid('Network identifier.'),
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Type.String({
    description: 'OCPP identity of the charger, as printed on it.',
    examples: ['QUAY-1'],
  }),
  connectorId: Uuid('Connector identifier.'),
  connectorNumber: Type.Integer({
    description: 'Connector number at the charger, starting at 1.',
    examples: [1],
  }),
  locationId: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
  userId: Nullable(Uuid('The driver; null for a token of nobody known')),
  idTag: Nullable(Type.String({ description: 'The token that was shown', examples: ['04A1B2C3D4E5F6'] })),
  transactionId: Type.String({ description: "OCPP's", examples: ['1042'] }),
  startedAt: DateTime("Time the session started, by the charger's clock."),
  endedAt: Nullable(
    DateTime("Time the session ended, by the charger's clock. Null while the session is running."),
  ),
  durationSeconds: Type.Integer({ description: 'Until now while the session runs', examples: [4500] }),
  energyKwh: Type.Number({ description: 'Charged so far, or in all', examples: [12.5] }),
  powerKw: Nullable(Type.Number({ description: 'Now', examples: [11] })),
  currentPowerKw: Nullable(Type.Number({ description: 'The same as `powerKw`', examples: [11] })),
  peakPowerKw: Nullable(Type.Number({ description: 'The highest that was measured', examples: [11.04] })),
  isIdle: Type.Boolean({
    description:
      'Occupies the connector now without charging, after it had charged or since the charger holds back',
  }),
  idleStartedAt: Nullable(DateTime('Of the idle period under way, or of the one that the session ended in')),
  gracePeriodEndsAt: Nullable(DateTime('When that period begins to cost, by the tariff')),
  idleSeconds: Type.Integer({ description: 'Of all idle periods: parked without charging', examples: [300] }),
  chargingEndedAt: Nullable(DateTime('Null while it charges')),
  limits: SessionLimits,
  socPercent: Nullable(Type.Number({ description: "The car's state of charge", examples: [64] })),
  liveAt: Nullable(DateTime('When the charger measured power, state of charge and energy')),
  meterStartKwh: Nullable(Type.Number({ description: 'The energy register', examples: [1204.25] })),
  meterStopKwh: Nullable(
    Type.Number({
      description:
        'Energy register at the end of the session, in kWh. Null when the charger did not report it, or while the session is running.',
      examples: [1216.75],
    }),
  ),
  stopReason: Nullable(
    Type.String({
      description: 'OCPP stop reason, such as Local, Remote or EVDisconnected. Null when none was reported.',
      examples: ['EVDisconnected'],
    }),
  ),
  flags: Type.Array(Type.String({ examples: ['corrected'] }), {
    description: 'What was odd about the data of the charger',
  }),
  updatedAt: DateTime('Time of the latest change.'),
};

const priceFields = {
  priceState: OneOf(
    priceStates,
    'OPEN: the session runs. PENDING: the price waits for readings. UNPRICED: no tariff is assigned. REVIEW: the charger ' +
      'reported values that cannot be right; nothing is charged before the operator approves or amends them. SETTLED: the ' +
      'price is charged or to be invoiced',
  ),
  priceNotice: Nullable(
    Type.String({
      description: 'Sentence to show the driver while the price is in review',
      examples: [
        'The charger reported values that cannot be right. The operator checks the price; nothing is charged until then.',
      ],
    }),
  ),
};

const priceNotice =
  'The charger reported values that cannot be right. The operator checks the price; nothing is charged until then.';

const costUnavailable = Nullable(OneOf(noCostReasons, 'Why `cost` is null'));

/** A session in a list: its price without the lines. */
export const SessionItem = Named('SessionSummary', {
  ...fields,
  cost: Nullable(
    Type.Object(costTotals, {
      description: 'Price of the session. Null when `costUnavailable` names a reason.',
    }),
  ),
  costUnavailable,
  ...priceFields,
});

/** A session with its cost breakdown. */
export const SessionDetail = Type.Object(
  {
    ...fields,
    cost: Nullable(
      Type.Object(costBreakdown, {
        description: 'Price of the session. Null when `costUnavailable` names a reason.',
      }),
    ),
    costUnavailable,
    ...priceFields,
  },
  { title: 'Session', description: 'The session with its cost breakdown' },
);

/** A session as the API shows it; what of the cost is shown is up to the schema. */
export function sessionView(reading: SessionReading): Static<typeof SessionDetail> {
  const { session, durationSeconds, idle, limits, cost, costUnavailable } = reading;
  return {
    id: session.uuid,
    status: session.status,
    networkId: session.networkUuid,
    chargerId: session.chargerUuid,
    chargerUid: session.chargerUid,
    connectorId: session.connectorUuid,
    connectorNumber: session.connectorNumber,
    locationId: session.locationUuid,
    locationName: session.locationName,
    userId: session.userUuid,
    idTag: session.idToken,
    transactionId: session.transactionId,
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
    meterStartKwh: kilo(session.meterStartWh),
    meterStopKwh: kilo(session.meterStopWh),
    stopReason: session.stopReason,
    flags: session.flags,
    updatedAt: session.updatedAt.toISOString(),
    cost,
    costUnavailable,
    priceState: session.priceState,
    priceNotice: session.priceState === 'REVIEW' ? priceNotice : null,
  };
}
