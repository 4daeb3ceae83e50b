import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, idParams, isoOrNull, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
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
  maxCost: Nullable(
    Type.Number({
      description: 'Cost with VAT, in the currency of the session. Null: no limit.',
      examples: [25.5],
    }),
  ),
  maxEnergyKwh: Nullable(Type.Number({ description: 'Energy in kWh. Null: no limit.', examples: [30] })),
  maxDurationMinutes: Nullable(
    Type.Number({ description: 'Duration in minutes since the start. Null: no limit.', examples: [120] }),
  ),
  maxSocPercent: Nullable(
    Type.Number({ description: 'State of charge in percent. Null: no limit.', examples: [80] }),
  ),
});

const Cost = Named('StationCost', {
  currency: Type.String({ description: 'Currency (ISO 4217).', examples: ['EUR'] }),
  totalExclVat: Nullable(
    Type.Number({
      description: 'Total without VAT, in the major unit. Null when not stated.',
      examples: [10],
    }),
  ),
  totalInclVat: Nullable(
    Type.Number({
      description: 'Total with VAT, in the major unit. Null when not stated.',
      examples: [12.1],
    }),
  ),
  failure: Nullable(
    Type.String({
      description: 'Reason why the station could not calculate the cost. Null when it could.',
      examples: ['no tariff'],
    }),
  ),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'Calculation as received (CostDetailsType of OCPP 2.1).' },
  ),
});

const Station = Named('SessionStation', {
  sessionId: Uuid('Session identifier.'),
  isSupported: Type.Boolean({
    description:
      'True when the OCPP version of the charger has limits, costs and priority charging of its own (2.1).',
  }),
  limitsSent: Nullable(Limits),
  limitsSentAt: Nullable(DateTime('Time of the last limits that the station was sent. Null: none.')),
  limitsReported: Nullable(Limits),
  limitsReportedAt: Nullable(DateTime('Time of the last limits that the station reported. Null: none.')),
  limitReached: Nullable(
    OneOf(stationLimitNames, 'Limit at which the station ended the energy transfer. Null: none.'),
  ),
  limitReachedAt: Nullable(DateTime('Time of the report that the limit was reached. Null: none.')),
  tariffId: Nullable(
    Type.String({
      description:
        'Tariff by which the station calculates: identifier and version of one of our tariffs, or its own. Null when not stated.',
      examples: ['018f6b7e-5d8e-7c1f-9a51-3b7f4b6f0d11:3'],
    }),
  ),
  cost: Nullable(Cost),
  costAt: Nullable(DateTime('Time of the last cost that the station reported. Null: none.')),
  ownTotalInclVat: Nullable(
    Type.Number({
      description: 'Our price with VAT, in the major unit; of a running session, so far. Null without one.',
      examples: [12.1],
    }),
  ),
  isCostDifferent: Type.Boolean({
    description:
      "True when the station's cost differs from our price by more than two minor units and 1 %. The price is then " +
      'reviewed (`station-cost-differs`); our price remains the bill.',
  }),
  isPriorityCharging: Nullable(
    Type.Boolean({
      description:
        'True while the station charges the session with priority. Null when neither requested nor reported, and after the session ended.',
    }),
  ),
  priorityChargingAt: Nullable(DateTime('Time of the last change of priority charging. Null: none.')),
});

/** Registers the route of what a station applies and calculates itself. */
export function sessionStationRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/sessions/:uuid/station',
    config: { scope: 'cpms:read:sessions' },
    schema: {
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
    },
    handler: async (request) =>
      success(stationView(await readStationTransaction(deps, callerOf(request), request.params.uuid))),
  });

  app.route({
    method: 'POST',
    url: '/sessions/:uuid/priority-charging',
    config: { scope: 'cpms:command:charging-profile' },
    schema: {
      operationId: 'usePriorityCharging',
      summary: 'Begin or end priority charging of a running session (OCPP 2.1)',
      description:
        'The station then charges by its profile of the purpose PriorityCharging instead of the other profiles. ' +
        'It answers NoProfile when it has none.',
      tags: ['commands'],
      params: idParams('Session'),
      body: Type.Object(
        { isActive: Type.Boolean({ description: 'True to charge with priority.', examples: [true] }) },
        { additionalProperties: false },
      ),
      response: {
        200: Envelope(Type.Object(commandAnswer), 'Answer of the charger.'),
        ...commandErrors('CHARGER_LOAD_MANAGED', 'SESSION_NOT_FOUND', 'NO_ACTIVE_SESSION'),
      },
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
