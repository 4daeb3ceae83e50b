import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  Integer,
  Named,
  Nullable,
  Str,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type NotificationRecord,
  readStationState,
  sliceNotifications,
  type StationState,
} from '#api/services/fleet/station-state.service.ts';
import { chargerOf, commandRequest } from '#api/routes/cpms/kernel/command-route.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';

const Evse = Integer('EVSE number.', 1);

const Tariff = Named('StationTariff', {
  evseId: Evse,
  tariffId: Str(
    'Identifier at the station: tariff, version and EVSE.',
    '018f6b7e-5d8e-7c1f-9a51-3b7f4b6f0d11:3:1',
  ),
  status: Str(
    'Answer of the station. NotExpressible: the station cannot calculate by this tariff; it was not sent.',
    'Accepted',
  ),
  reason: Nullable(Str('Reason of a refusal, or why the tariff was not sent. Null: none.')),
  sentAt: DateTime('Time of the answer.'),
});

const EventStream = Named('EventStream', {
  streamId: Integer('Number of the stream at the station.', 1),
  monitorId: Integer('Number of the monitor whose values it carries.', 7),
  intervalSeconds: Nullable(Integer('Seconds after which the station sends values. Null: not by time.')),
  maxValues: Nullable(Integer('Number of values after which it sends them. Null: not by number.')),
  openedAt: DateTime('Time the station opened the stream.'),
  component: Nullable(Str('Component of the monitored variable. Null: not reported.', 'EVSE')),
  evseId: Nullable(Integer('EVSE number. Null for the charger as a whole.', 1)),
  variable: Nullable(Str('Monitored variable. Null: not reported.', 'Power')),
  variableInstance: Nullable(Str('Instance of the variable. Null when the variable has no instances.')),
});

const DerControl = Named('DerControl', {
  controlId: Str('Identifier of the control.', 'volt-watt-1'),
  isActive: Flag('True while the station applies the control.'),
  changedAt: DateTime('Time of the report that it began or ended.'),
});

const DerAlarm = Named('DerAlarm', {
  controlType: Str('Kind of control (DERControlEnumType).', 'VoltWatt'),
  gridEventFault: Nullable(Str('Event of the grid. Null when not stated.', 'OverVoltage')),
  isActive: Flag('True until the station reports the end of the alarm.'),
  changedAt: DateTime('Time of the report.'),
});

const State = Named('StationState', {
  tariffs: Type.Array(Tariff),
  eventStreams: Type.Array(EventStream),
  derControls: Type.Array(DerControl),
  derAlarms: Type.Array(DerAlarm),
});

const Notification = Named('ChargerNotification', {
  id: Str('Identifier of the notification.', '1042'),
  action: Str('OCPP action.', 'NotifySettlement'),
  payload: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: "Payload in the format of the charger's OCPP version.",
  }),
  receivedAt: DateTime('Time the gateway received the message.'),
});

const errors = cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND');
const query = commandRequest.querystring.properties;

/** Registers the routes of what a station of OCPP 2.1 applies and reports by itself. */
export function stationStateRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:chargerUuid/station', 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'readStationState',
    summary: 'Read tariffs, event streams and DER control at a station (OCPP 2.1)',
    description:
      'Tariffs that the station was given, its open event streams, and the state of its control of distributed ' +
      'energy resources by its last 1,000 reports. All lists are empty for chargers of earlier versions.',
    response: { 200: Envelope(State, 'The state of the station.'), ...errors },
    handler: async (request) =>
      success(stateView(await readStationState(deps, await chargerOf(deps, request)))),
  });

  operation(app, 'GET /chargers/:chargerUuid/notifications', 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'listChargerNotifications',
    summary: 'List the notifications of a charger, newest first',
    description:
      'Messages of a charger that are stored as received, such as NotifySettlement, BatterySwap, ReportDERControl ' +
      'and NotifyChargingLimit, without NotifyCustomerInformation. Values of secrets are masked. Kept for LOG_DAYS (90 by default).',
    querystring: Type.Object({
      ...query,
      ...cursorQuery,
      action: Type.Optional(Text(50, 'OCPP action to filter by.', 'NotifySettlement')),
    }),
    response: { 200: CursorEnvelope(Notification, 'One page of notifications.'), ...errors },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const page = await sliceNotifications(deps, charger, request.query.action, cursorOf(request.query));
      return successSlice(page.rows.map(notificationView), page.nextCursor);
    },
  });
}

function stateView({ tariffs, eventStreams, derControls, derAlarms }: StationState) {
  return {
    tariffs: tariffs.map(({ sentAt, ...tariff }) => ({ ...tariff, sentAt: sentAt.toISOString() })),
    eventStreams: eventStreams.map(({ openedAt, ...stream }) => ({
      ...stream,
      openedAt: openedAt.toISOString(),
    })),
    derControls: derControls.map(withTime),
    derAlarms: derAlarms.map(withTime),
  };
}

function withTime<State extends { changedAt: Date }>({ changedAt, ...state }: State) {
  return { ...state, changedAt: changedAt.toISOString() };
}

function notificationView({ id, payload, receivedAt, action }: NotificationRecord) {
  return {
    id: String(id),
    action,
    payload: payload as Record<string, unknown>,
    receivedAt: receivedAt.toISOString(),
  };
}
