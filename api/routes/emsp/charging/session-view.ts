import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { costLineTypes, costNotes, noCostReasons, priceStates } from '#api/services/charging/session-cost.ts';
import type { SessionReading } from '#api/services/charging/sessions.ts';
import { limitNames, sessionStatuses } from '#shared/domain/charging/session.ts';

/** What a cost comes to. */
export const costTotals = {
  currency: Type.String({ description: 'ISO 4217; amounts are in its major unit' }),
  isFinal: Type.Boolean({
    description: 'False while the session runs (priced so far), and while the price is in review',
  }),
  totalExclVat: Type.Number(),
  totalVat: Type.Number(),
  totalInclVat: Type.Number(),
  idleFee: Type.Number({
    description: 'Of the total, with VAT: for occupying the connector without charging',
  }),
};

/** A line of a cost. */
export const CostLine = Named('CostLine', {
  type: OneOf(
    costLineTypes,
    'TIME is time charging; MIN_PRICE and MAX_PRICE keep to the limits of the tariff; AMENDED: an operator set the price',
  ),
  quantity: Type.Number({ description: 'Billed: rounded up to the step of the tariff' }),
  unit: OneOf(['kWh', 'h', 'session', 'min']),
  unitPrice: Nullable(Type.Number({ description: 'Without VAT' })),
  vatPercent: Nullable(Type.Number()),
  exclVat: Type.Number(),
  vat: Type.Number(),
});

/** What of a cost falls to one rate of VAT. */
export const VatRate = Named('VatRateTotal', {
  vatPercent: Nullable(Type.Number()),
  exclVat: Type.Number(),
  vat: Type.Number(),
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
    maxCost: Nullable(Type.Number({ description: 'With VAT, in the currency of the session' })),
    maxDurationMinutes: Nullable(Type.Number()),
    maxEnergyKwh: Nullable(Type.Number()),
    passed: Nullable(OneOf(limitNames, 'The limit that the charger was asked to stop the session for')),
  },
  { title: 'SessionLimits', description: 'What the session may use; null: as much as it likes' },
);

const fields = {
  id: Uuid(),
  status: OneOf(sessionStatuses, 'STOPPING: the charger accepted a stop and has not confirmed it yet'),
  networkId: Uuid(),
  chargerId: Uuid(),
  chargerUid: Type.String(),
  connectorId: Uuid(),
  connectorNumber: Type.Integer(),
  locationId: Nullable(Uuid()),
  locationName: Nullable(Type.String()),
  userId: Nullable(Uuid('The driver; null for a token of nobody known')),
  idTag: Nullable(Type.String({ description: 'The token that was shown' })),
  transactionId: Type.String({ description: "OCPP's" }),
  startedAt: DateTime(),
  endedAt: Nullable(DateTime()),
  durationSeconds: Type.Integer({ description: 'Until now while the session runs' }),
  energyKwh: Type.Number({ description: 'Charged so far, or in all' }),
  powerKw: Nullable(Type.Number({ description: 'Now' })),
  currentPowerKw: Nullable(Type.Number({ description: 'The same as `powerKw`' })),
  peakPowerKw: Nullable(Type.Number({ description: 'The highest that was measured' })),
  isIdle: Type.Boolean({
    description:
      'Occupies the connector now without charging, after it had charged or since the charger holds back',
  }),
  idleStartedAt: Nullable(DateTime('Of the idle period under way, or of the one that the session ended in')),
  gracePeriodEndsAt: Nullable(DateTime('When that period begins to cost, by the tariff')),
  idleSeconds: Type.Integer({ description: 'Of all idle periods: parked without charging' }),
  chargingEndedAt: Nullable(DateTime('Null while it charges')),
  limits: SessionLimits,
  socPercent: Nullable(Type.Number({ description: "The car's state of charge" })),
  liveAt: Nullable(DateTime('When the charger measured power, state of charge and energy')),
  meterStartKwh: Nullable(Type.Number({ description: 'The energy register' })),
  meterStopKwh: Nullable(Type.Number()),
  stopReason: Nullable(Type.String()),
  flags: Type.Array(Type.String(), { description: 'What was odd about the data of the charger' }),
  updatedAt: DateTime(),
};

const priceFields = {
  priceState: OneOf(
    priceStates,
    'OPEN: the session runs. PENDING: the price waits for readings. UNPRICED: no tariff is assigned. REVIEW: the charger ' +
      'reported values that cannot be right; nothing is charged before the operator approves or amends them. SETTLED: the ' +
      'price is charged or to be invoiced',
  ),
  priceNotice: Nullable(
    Type.String({ description: 'Sentence to show the driver while the price is in review' }),
  ),
};

const priceNotice =
  'The charger reported values that cannot be right. The operator checks the price; nothing is charged until then.';

const costUnavailable = Nullable(OneOf(noCostReasons, 'Why `cost` is null'));

/** A session in a list: its price without the lines. */
export const SessionItem = Named('SessionSummary', {
  ...fields,
  cost: Nullable(Type.Object(costTotals)),
  costUnavailable,
  ...priceFields,
});

/** A session with its cost breakdown. */
export const SessionDetail = Type.Object(
  {
    ...fields,
    cost: Nullable(Type.Object(costBreakdown)),
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
