import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Decimal,
  Flag,
  idParams,
  Integer,
  Named,
  Nullable,
  OneOf,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  readHistory,
  readSitePlan,
  simulatePlan,
  takeReadings,
} from '#api/services/load/load-plans.service.ts';
import { strategies } from '#shared/domain/load/demand.ts';
import { LoadPlan, Phase, phaseOf, planView, round } from './load-plan-schema.ts';
import { Key, Phases, readingRange } from './load-site-schema.ts';

const Assumed = Closed({
  connectorId: Uuid('Connector identifier.'),
  hasCar: Type.Optional(Flag('False: no car wants to charge. True by default.')),
  isOnline: Type.Optional(Flag('False: the station is not connected. True by default.')),
  isSetAside: Type.Optional(Flag('True: the station exceeds its limits. False by default.')),
  lastAmps: Type.Optional(
    Nullable(
      Decimal('Limit in A that the station confirmed last. Null, the default: its fallback.', 16, {
        minimum: 0,
        maximum: 1000,
      }),
    ),
  ),
  drawnPhases: Type.Optional(
    Nullable(
      Type.Unsafe<1 | 2 | 3>({
        type: 'integer',
        minimum: 1,
        maximum: 3,
        description:
          'Phases that the car draws from. Null, the default: unknown, so that it counts on all phases.',
        examples: [1],
      }),
    ),
  ),
  priority: Type.Optional(
    Decimal('Weight of the car with the strategy `priority`. 1 by default.', 1, {
      exclusiveMinimum: 0,
      maximum: 1000,
    }),
  ),
  arrivedAt: Type.Optional(DateTime('Time at which the car arrived. By default the time of the plan.')),
  departsAt: Type.Optional(Nullable(DateTime('Time at which the car departs. Null, the default: unknown.'))),
  neededKwh: Type.Optional(
    Nullable(
      Decimal('Energy in kWh that the car still needs. Null, the default: unknown.', 20, {
        minimum: 0,
        maximum: 10_000,
      }),
    ),
  ),
});

const Assumptions = Closed({
  at: Type.Optional(
    DateTime('Time of the plan, which selects limits by schedule and external bounds. Now by default.'),
  ),
  strategy: Type.Optional(OneOf(strategies, 'Strategy. By default the one of the site.')),
  connectors: Type.Array(Assumed, {
    maxItems: 500,
    description: 'States of connectors. Those that are not listed are connected and have no car.',
  }),
  otherLoads: Type.Optional(
    Type.Array(
      Closed({
        circuitId: Key('Metered circuit.'),
        amps: Phases('Load of the circuit itself that is not charging.'),
      }),
      { maxItems: 200, description: 'Loads of metered circuits. By default the highest other load.' },
    ),
  ),
});

const SitePlan = Named('LoadSitePlan', {
  isEnabled: Flag('True if the site is planned.'),
  plan: Nullable(LoadPlan),
});

const History = Named('LoadHistory', {
  circuitId: Key('Circuit identifier.'),
  everySeconds: Integer('Length of a stretch in s.', 300),
  phases: Type.Array(
    Type.Object({
      phase: Phase('Phase of the circuit.'),
      points: Type.Array(
        Named('LoadPoint', {
          at: DateTime('Start of the stretch.'),
          limitAmps: Decimal('Lowest limit in A.', 63),
          otherAmps: Decimal('Mean load in A that is not charging.', 8),
          loadAmps: Decimal('Mean load in A with charging.', 48.3),
          maxLoadAmps: Decimal('Highest load in A.', 61.2),
          maxBoundAmps: Decimal('Highest load in A that was possible.', 62.9),
        }),
        { description: 'Stretches with a plan, in order.' },
      ),
    }),
    { description: 'Phases L1 to L3.' },
  ),
});

const Receipt = Named('LoadMeterReceipt', {
  circuitId: Key('Circuit identifier.'),
  received: Integer('Number of readings.', 1),
  isCredible: Flag(
    'False: the newest reading is above five times the limit of the circuit, such as W in place of A. The highest other load counts.',
  ),
});

const circuitParams = Type.Object({ uuid: Uuid('Site identifier.'), circuitId: Key('Circuit identifier.') });

const time = (text: string | null | undefined) =>
  text === null || text === undefined ? null : Date.parse(text);

/** Registers the routes of plans, what-ifs, histories and meters. */
export function loadPlanRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /load-sites/:uuid/plan', 'cpms:read:load-sites', {
    operationId: 'getLoadPlan',
    summary: 'Get the limits of a site now, each with its reason',
    description:
      'The newest plan of the process that controls the site. `plan` is null while no process does, such as after a start.',
    params: idParams('Site'),
    response: { 200: Envelope(SitePlan, 'The plan.'), ...cpmsErrors('LOAD_SITE_NOT_FOUND') },
    handler: async (request) => {
      const { site, plan } = await readSitePlan(deps, callerOf(request), request.params.uuid);
      return success({ isEnabled: site.isEnabled, plan: plan === null ? null : planView(plan) });
    },
  });

  operation(app, 'POST /load-sites/:uuid/simulate', 'cpms:read:load-sites', {
    operationId: 'simulateLoadPlan',
    summary: 'Calculate the limits of a site in an assumed state',
    description:
      'The plan that the site reaches when each station confirms its limits and each car draws its limit. Sends and stores nothing.',
    params: idParams('Site'),
    body: Assumptions,
    response: { 200: Envelope(LoadPlan, 'The plan.'), ...cpmsErrors('LOAD_SITE_NOT_FOUND') },
    handler: async (request) => {
      const { at, strategy = null, connectors, otherLoads = [] } = request.body;
      const now = time(at) ?? deps.clock.now();
      const plan = await simulatePlan(deps, callerOf(request), request.params.uuid, {
        now,
        strategy,
        otherAmps: otherLoads,
        connectors: connectors.map(({ hasCar = true, arrivedAt, departsAt, neededKwh = null, ...own }) => ({
          connectorId: own.connectorId,
          isOnline: own.isOnline ?? true,
          isSetAside: own.isSetAside ?? false,
          lastAmps: own.lastAmps ?? null,
          drawnPhases: own.drawnPhases ?? null,
          demand: hasCar
            ? {
                arrivedAt: time(arrivedAt) ?? now,
                priority: own.priority ?? 1,
                departsAt: time(departsAt),
                neededWh: neededKwh === null ? null : neededKwh * 1000,
                mode: { kind: 'paused', since: time(arrivedAt) ?? now },
              }
            : null,
        })),
      });
      return success(planView(plan));
    },
  });

  operation(app, 'GET /load-sites/:uuid/circuits/:circuitId/history', 'cpms:read:load-sites', {
    operationId: 'getLoadHistory',
    summary: 'Get the load of a circuit against its limit over time',
    description: 'At most 300 stretches of whole minutes for each phase. Minutes are stored for 400 days.',
    params: circuitParams,
    querystring: Type.Object({
      from: DateTime('Start of the period.'),
      to: DateTime('End of the period, exclusive.'),
    }),
    response: {
      200: Envelope(History, 'The load.'),
      ...cpmsErrors('LOAD_SITE_NOT_FOUND', 'LOAD_CIRCUIT_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const { uuid, circuitId } = request.params;
      const period = { from: new Date(request.query.from), to: new Date(request.query.to) };
      const { everySeconds, points } = await readHistory(deps, callerOf(request), uuid, circuitId, period);
      const phases = [0, 1, 2].map((index) => ({
        phase: phaseOf(index),
        points: points
          .filter(({ phase }) => phase === index)
          .map(({ atMs, ...point }) => ({
            at: new Date(atMs).toISOString(),
            limitAmps: round(point.limitAmps),
            otherAmps: round(point.otherAmps),
            loadAmps: round(point.loadAmps),
            maxLoadAmps: round(point.maxLoadAmps),
            maxBoundAmps: round(point.maxBoundAmps),
          })),
      }));
      return success({ circuitId, everySeconds, phases });
    },
  });

  operation(app, 'PUT /load-sites/:uuid/circuits/:circuitId/meter', 'cpms:write:load-meters', {
    operationId: 'putLoadReadings',
    summary: "Send readings of a circuit's meter",
    description:
      'Send the currents every second, at least every 5 s: after 10 s the meter is lost, and the highest other load counts. Readings ' +
      'are not stored, and no entry in the audit log is written.',
    params: circuitParams,
    body: Closed({
      readings: Type.Array(
        Closed({
          amps: Phases('Currents, negative for export.', readingRange),
          at: Type.Optional(DateTime('Time of the reading. By default the time of the request.')),
        }),
        { minItems: 1, maxItems: 60, description: 'One reading or several.' },
      ),
    }),
    response: {
      200: Envelope(Receipt, 'The receipt.'),
      ...cpmsErrors('LOAD_CIRCUIT_NOT_FOUND', 'LOAD_CIRCUIT_UNMETERED'),
    },
    handler: async (request) => {
      const { uuid, circuitId } = request.params;
      const readings = request.body.readings.map(({ amps, at }) => ({
        amps,
        at: at === undefined ? null : new Date(at),
      }));
      return success(await takeReadings(deps, callerOf(request), uuid, circuitId, readings));
    },
  });
}
