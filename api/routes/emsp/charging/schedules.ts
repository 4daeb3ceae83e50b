import { connectorFields } from '#api/routes/session-fields.ts';
import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Decimal,
  idParams,
  isoOrNull,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  cancelSchedule,
  readOwnSchedules,
  scheduleCharge,
  type ScheduledChargeRecord,
} from '#api/services/charging/scheduled-charges.service.ts';
import { scheduledChargeStatuses } from '#shared/domain/charging/scheduled-charge.ts';
import { wanted, wantedSession } from './charging.routes.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';

const whose = 'For drivers only.';
const defaultWindowMinutes = 15;

const NewSchedule = Type.Object(
  {
    ...wantedSession,
    startTime: DateTime('Time of the start, within the next 30 days.'),
    windowMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 240,
        default: defaultWindowMinutes,
        description:
          'Duration in minutes after `startTime` in which a failed start is retried, for example while the charger ' +
          'is offline.',
      }),
    ),
  },
  { title: 'ScheduleChargeRequest', additionalProperties: false },
);

const Schedule = Type.Object(
  {
    id: Uuid('Scheduled charge identifier.'),
    status: OneOf(
      scheduledChargeStatuses,
      'Status. starting: the time has come and no session has begun. started: `sessionId` identifies the ' +
        'session. failed: the driver received an e-mail.',
    ),
    ...connectorFields,
    idTag: Str('Token that starts the session.', '04A1B2C3D4E5F6'),
    startTime: DateTime('Start of the session.'),
    windowEndsAt: DateTime('Time until which the start is retried.'),
    limits: Type.Object(
      {
        maxEnergyKwh: Nullable(Decimal('Energy limit in kWh.', 30)),
        maxDurationMinutes: Nullable(Decimal('Duration limit in minutes.', 240)),
        maxCost: Nullable(Decimal('Cost limit with VAT, in the currency of the tariff.', 20)),
      },
      { description: 'Limits of the session. Null: no limit.' },
    ),
    sessionId: Nullable(Uuid('Session identifier. Null when there is no session yet.')),
    problem: Type.Union(
      [
        Type.Object({
          code: Str(
            'Error code of /charging/start; START_EXPIRED: the charger accepted and no session began; START_MISSED: ' +
              'the server could not try in time.',
            'CHARGER_UNAVAILABLE',
          ),
          message: Str('Sentence that describes the problem.', 'The charger QUAY-1 is not connected.'),
        }),
        Type.Null(),
      ],
      { description: 'Problem of the latest attempt. Null if it had no problem.' },
    ),
    createdAt: DateTime('Time the scheduled charge was created.'),
    endedAt: Nullable(DateTime('Time the charge started, failed or was cancelled. Null before that.')),
  },
  { title: 'ScheduledCharge', description: 'The scheduled charge.' },
);

/** Registers the routes of scheduled charges. */
export function scheduleRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /charging/schedule', 'emsp:charge', {
    operationId: 'scheduleCharging',
    summary: 'Schedule a session',
    description: `${whose} The charger's availability and the wallet's balance are verified at that time. A failed start is retried until the window ends.`,
    body: NewSchedule,
    response: {
      201: Schedule,
      ...problems(
        'ScheduledCharge',
        'DRIVER_KEY_REQUIRED',
        'CHARGER_NOT_FOUND',
        'CONNECTOR_NOT_FOUND',
        'ID_TOKEN_NOT_FOUND',
        'ID_TOKEN_BLOCKED',
        'SCHEDULE_FULL',
        'USER_NOT_FOUND',
      ),
    },
    handler: async (request, reply) => {
      const { startTime, windowMinutes = defaultWindowMinutes, ...body } = request.body;
      const schedule = { ...wanted(body), startAt: new Date(startTime), windowMinutes };
      return reply.code(201).send(scheduleView(await scheduleCharge(deps, actorOf(request), schedule)));
    },
  });

  operation(app, 'GET /charging/schedules', 'emsp:read', {
    operationId: 'listSchedules',
    summary: 'List the scheduled charges of the driver',
    description: whose,
    querystring: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(scheduledChargeStatuses, 'Status to filter by.')),
    }),
    response: {
      200: List(Schedule, 'One page of scheduled charges, the latest start time first.'),
      ...problems('ScheduledCharge', 'DRIVER_KEY_REQUIRED'),
    },
    handler: async (request) => {
      const page = pageOf(request.query);
      const { rows, total } = await readOwnSchedules(deps, callerOf(request), request.query.status, page);
      return listPage(rows.map(scheduleView), page, total);
    },
  });

  operation(app, 'DELETE /charging/schedule/:id', 'emsp:charge', {
    operationId: 'cancelSchedule',
    summary: 'Cancel a scheduled charge',
    description: `${whose} A charge whose charger has received the start cannot be cancelled: stop its session instead.`,
    params: idParams('Scheduled charge', 'id'),
    response: {
      204: Type.Null({ description: 'The charge is cancelled.' }),
      ...problems('ScheduledCharge', 'DRIVER_KEY_REQUIRED', 'SCHEDULE_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      await cancelSchedule(deps, actorOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  });
}

function scheduleView(charge: ScheduledChargeRecord): Static<typeof Schedule> {
  const { maxEnergyKwh = null, maxDurationMinutes = null, maxCost = null } = charge.limits;
  const { errorCode, errorMessage } = charge;
  return {
    id: charge.uuid,
    status: charge.status,
    chargerId: charge.chargerUuid,
    chargerUid: charge.chargerUid,
    connectorId: charge.connectorUuid,
    connectorNumber: charge.connectorNumber,
    locationId: charge.locationUuid,
    locationName: charge.locationName,
    idTag: charge.idToken,
    startTime: charge.startAt.toISOString(),
    windowEndsAt: charge.windowEndsAt.toISOString(),
    limits: { maxEnergyKwh, maxDurationMinutes, maxCost },
    sessionId: charge.sessionUuid,
    problem: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    createdAt: charge.createdAt.toISOString(),
    endedAt: isoOrNull(charge.endedAt),
  };
}
