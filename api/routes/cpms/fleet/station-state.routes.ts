import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery, DateTime, Named, Nullable, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type NotificationRecord,
  readStationState,
  sliceNotifications,
  type StationState,
} from '#api/services/fleet/station-state.service.ts';
import { chargerOf, commandRequest } from '#api/routes/cpms/kernel/command-route.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';

const Evse = Type.Integer({ description: 'EVSE number.', examples: [1] });

const Tariff = Named('StationTariff', {
  evseId: Evse,
  tariffId: Type.String({
    description: 'Identifier at the station: tariff, version and EVSE.',
    examples: ['018f6b7e-5d8e-7c1f-9a51-3b7f4b6f0d11:3:1'],
  }),
  status: Type.String({
    description:
      'Answer of the station. NotExpressible: the station cannot calculate by this tariff; it was not sent.',
    examples: ['Accepted'],
  }),
  reason: Nullable(
    Type.String({ description: 'Reason of a refusal, or why the tariff was not sent. Null: none.' }),
  ),
  sentAt: DateTime('Time of the answer.'),
});

const EventStream = Named('EventStream', {
  streamId: Type.Integer({ description: 'Number of the stream at the station.', examples: [1] }),
  monitorId: Type.Integer({ description: 'Number of the monitor whose values it carries.', examples: [7] }),
  intervalSeconds: Nullable(
    Type.Integer({ description: 'Seconds after which the station sends values. Null: not by time.' }),
  ),
  maxValues: Nullable(
    Type.Integer({ description: 'Number of values after which it sends them. Null: not by number.' }),
  ),
  openedAt: DateTime('Time the station opened the stream.'),
  component: Nullable(
    Type.String({
      description: 'Component of the monitored variable. Null: not reported.',
      examples: ['EVSE'],
    }),
  ),
  evseId: Nullable(
    Type.Integer({ description: 'EVSE number. Null for the charger as a whole.', examples: [1] }),
  ),
  variable: Nullable(
    Type.String({ description: 'Monitored variable. Null: not reported.', examples: ['Power'] }),
  ),
  variableInstance: Nullable(
    Type.String({ description: 'Instance of the variable. Null when the variable has no instances.' }),
  ),
});

const DerControl = Named('DerControl', {
  controlId: Type.String({ description: 'Identifier of the control.', examples: ['volt-watt-1'] }),
  isActive: Type.Boolean({ description: 'True while the station applies the control.' }),
  changedAt: DateTime('Time of the report that it began or ended.'),
});

const DerAlarm = Named('DerAlarm', {
  controlType: Type.String({ description: 'Kind of control (DERControlEnumType).', examples: ['VoltWatt'] }),
  gridEventFault: Nullable(
    Type.String({ description: 'Event of the grid. Null when not stated.', examples: ['OverVoltage'] }),
  ),
  isActive: Type.Boolean({ description: 'True until the station reports the end of the alarm.' }),
  changedAt: DateTime('Time of the report.'),
});

const State = Named('StationState', {
  tariffs: Type.Array(Tariff),
  eventStreams: Type.Array(EventStream),
  derControls: Type.Array(DerControl),
  derAlarms: Type.Array(DerAlarm),
});

const Notification = Named('ChargerNotification', {
  id: Type.String({ description: 'Identifier of the notification.', examples: ['1042'] }),
  action: Type.String({ description: 'OCPP action.', examples: ['NotifySettlement'] }),
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
      action: Type.Optional(
        Text(50, { description: 'OCPP action to filter by.', examples: ['NotifySettlement'] }),
      ),
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
