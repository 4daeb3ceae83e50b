import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Decimal,
  Flag,
  idParams,
  isoOrNull,
  kilo,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import {
  isUnlimited,
  readStationTransaction,
  stationLimitNames,
  type StationLimits,
  type StationReading,
  usePriorityCharging,
} from '#api/services/charging/station-transactions.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { commandAnswer, commandErrors, outcome } from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Limits = Named('StationLimits', {
  maxCost: Nullable(Decimal('Cost with VAT, in the currency of the session. Null: no limit.', 25.5)),
  maxEnergyKwh: Nullable(Decimal('Energy in kWh. Null: no limit.', 30)),
  maxDurationMinutes: Nullable(Decimal('Duration in minutes since the start. Null: no limit.', 120)),
  maxSocPercent: Nullable(Decimal('State of charge in percent. Null: no limit.', 80)),
});

const Cost = Named('StationCost', {
  currency: Str('Currency (ISO 4217).', 'EUR'),
  totalExclVat: Nullable(Decimal('Total without VAT, in the major unit. Null when not stated.', 10)),
  totalInclVat: Nullable(Decimal('Total with VAT, in the major unit. Null when not stated.', 12.1)),
  failure: Nullable(
    Str('Reason why the station could not calculate the cost. Null when it could.', 'no tariff'),
  ),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'Calculation as received (CostDetailsType of OCPP 2.1).' },
  ),
});

const Station = Named('SessionStation', {
  sessionId: Uuid('Session identifier.'),
  isSupported: Flag(
    'True when the OCPP version of the charger has limits, costs and priority charging of its own (2.1).',
  ),
  limitsSent: Nullable(Limits),
  limitsSentAt: Nullable(DateTime('Time of the last limits that the station was sent. Null: none.')),
  limitsReported: Nullable(Limits),
  limitsReportedAt: Nullable(DateTime('Time of the last limits that the station reported. Null: none.')),
  limitReached: Nullable(
    OneOf(stationLimitNames, 'Limit at which the station ended the energy transfer. Null: none.'),
  ),
  limitReachedAt: Nullable(DateTime('Time of the report that the limit was reached. Null: none.')),
  tariffId: Nullable(
    Str(
      'Tariff by which the station calculates: identifier and version of one of our tariffs, or its own. Null when not stated.',
      '018f6b7e-5d8e-7c1f-9a51-3b7f4b6f0d11:3',
    ),
  ),
  cost: Nullable(Cost),
  costAt: Nullable(DateTime('Time of the last cost that the station reported. Null: none.')),
  ownTotalInclVat: Nullable(
    Decimal('Our price with VAT, in the major unit; of a running session, so far. Null without one.', 12.1),
  ),
  isCostDifferent: Flag(
    "True when the station's cost differs from our price by more than two minor units and 1 %. The price is then " +
      'reviewed (`station-cost-differs`); our price remains the bill.',
  ),
  isPriorityCharging: Nullable(
    Flag(
      'True while the station charges the session with priority. Null when neither requested nor reported, and after the session ended.',
    ),
  ),
  priorityChargingAt: Nullable(DateTime('Time of the last change of priority charging. Null: none.')),
});

/** Registers the route of what a station applies and calculates itself. */
export function sessionStationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid/station', 'cpms:read:sessions', {
    operationId: 'readSessionStation',
    summary: 'Read the limits and the cost of a session at its station (OCPP 2.1)',
    description:
      'Limits that the station was sent and reported, and the cost that it calculated, next to our price. All parts ' +
      'are null for stations of earlier versions.',
    params: idParams('Session'),
    response: {
      200: Envelope(Station, 'The session at its station.'),
      ...cpmsErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request) =>
      success(stationView(await readStationTransaction(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'POST /sessions/:uuid/priority-charging', 'cpms:command:charging-profile', {
    operationId: 'usePriorityCharging',
    summary: 'Begin or end priority charging of a running session (OCPP 2.1)',
    description:
      'The station then charges by its profile of the purpose PriorityCharging instead of the other profiles. ' +
      'It answers NoProfile when it has none.',
    tags: ['commands'],
    params: idParams('Session'),
    body: Closed({ isActive: Flag('True to charge with priority.', true) }),
    response: {
      200: Envelope(Type.Object(commandAnswer), 'Answer of the charger.'),
      ...commandErrors('CHARGER_LOAD_MANAGED', 'SESSION_NOT_FOUND', 'NO_ACTIVE_SESSION'),
    },
    handler: async (request) => {
      const asked = { uuid: request.params.uuid, isActive: request.body.isActive };
      const sent = await usePriorityCharging(deps, actorOf(request), callerOf(request), asked);
      return success({
        chargerId: sent.chargerUuid,
        accepted: sent.accepted,
        message: outcome(
          sent,
          asked.isActive
            ? 'The charger charges the session with priority.'
            : 'The charger charges the session without priority.',
        ),
      });
    },
  });
}

function stationView({ sessionUuid, ...reading }: StationReading): Static<typeof Station> {
  return {
    ...reading,
    sessionId: sessionUuid,
    limitsSent: limitsView(reading.limitsSent),
    limitsSentAt: isoOrNull(reading.limitsSentAt),
    limitsReported: limitsView(reading.limitsReported),
    limitsReportedAt: isoOrNull(reading.limitsReportedAt),
    limitReachedAt: isoOrNull(reading.limitReachedAt),
    cost: reading.cost && { ...reading.cost, details: reading.cost.details as Record<string, unknown> },
    costAt: isoOrNull(reading.costAt),
    priorityChargingAt: isoOrNull(reading.priorityChargingAt),
  };
}

function limitsView(limits: StationLimits | null): Static<typeof Limits> | null {
  if (limits === null) return null;
  const valueOf = (name: keyof StationLimits) => {
    const value = limits[name] ?? null;
    return value === null || isUnlimited(name, value) ? null : value;
  };
  const maxEnergyWh = valueOf('maxEnergy');
  const maxSeconds = valueOf('maxTime');
  return {
    maxCost: valueOf('maxCost'),
    maxEnergyKwh: maxEnergyWh && kilo(maxEnergyWh),
    maxDurationMinutes: maxSeconds && maxSeconds / 60,
    maxSocPercent: valueOf('maxSoC'),
  };
}
