import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import { Decimal, Integer, Named, Nullable, Str } from '#api/routes/schema.ts';
import { readCompositeSchedule } from '#api/services/charging/charging-profiles.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { maxSeconds, Place, RateUnit } from './charging-profile-fields.ts';

const Schedule = Named('CompositeSchedule', {
  startsAt: Nullable(Str('Start of the schedule, as sent by the charger. Null when it sent none.')),
  durationSeconds: Nullable(
    Integer('Duration of the schedule in seconds. Null when the charger did not report it.', 4500),
  ),
  rateUnit: RateUnit,
  periods: Type.Array(
    Type.Object({
      startSeconds: Integer('Start of the period, in seconds after the start of the schedule.', 0),
      limit: Decimal('Maximum rate in the unit of `rateUnit`: W, or A per phase.', 16),
      phases: Nullable(
        Integer('Number of phases. Null when the charger did not report it, which means 3.', 3),
      ),
    }),
    { description: 'Periods of the schedule, in order.' },
  ),
});

const querystring = commandRequest.querystring.properties;

/** Registers the route of the schedule that a charger applies. */
export function compositeScheduleRoute(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:chargerUuid/composite-schedule', 'cpms:command:charging-profile', {
    ...commandRequest,
    operationId: 'getCompositeSchedule',
    summary: 'Get the composite schedule of a charger',
    description:
      'Requests the limits that result from all profiles of the charger for the coming `durationSeconds`. ' +
      'Limits are in W or A, as `rateUnit` requests.',
    querystring: Type.Object({
      ...querystring,
      connectorNumber: Place,
      durationSeconds: Integer('Duration of the schedule in seconds.', 4500, {
        minimum: 1,
        maximum: maxSeconds,
      }),
      rateUnit: Type.Optional(RateUnit),
    }),
    response: {
      200: Envelope(
        Type.Object({
          ...commandAnswer,
          connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
          schedule: Type.Union([Schedule, Type.Null()], {
            description: 'Composite schedule. Null when the charger sent none.',
          }),
        }),
        'Answer of the charger.',
      ),
      ...commandErrors('CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { connectorNumber, durationSeconds, rateUnit = null } = request.query;
      const requested = { connectorNumber, durationSeconds, rateUnit };
      const { sent, schedule } = await readCompositeSchedule(deps, actorOf(request), charger, requested);
      return success({
        chargerId: charger.uuid,
        connectorNumber,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger sent its schedule.'),
        schedule,
      });
    },
  });
}
