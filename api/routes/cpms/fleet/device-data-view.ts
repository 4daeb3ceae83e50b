import { DateTime, Decimal, Flag, Integer, Named, Nullable, OneOf, Str } from '#api/routes/schema.ts';
import type {
  DeviceEventRecord,
  DeviceVariableRecord,
  SecurityEventRecord,
} from '#api/services/fleet/device-data.service.ts';
import { attributeTypes } from '#shared/domain/commands/commands.ts';

const place = {
  component: Str('Component of the device model (OCPP 2.0.1).', 'OCPPCommCtrlr'),
  componentInstance: Nullable(Str('Instance of the component. Null when the component has no instances.')),
  evseId: Nullable(Integer('EVSE number. Null for the charger as a whole.', 1)),
  connectorId: Nullable(Integer('Connector number within the EVSE. Null for the whole EVSE.', 1)),
  variable: Str('Variable of the component (OCPP 2.0.1).', 'HeartbeatInterval'),
  variableInstance: Nullable(Str('Instance of the variable. Null when the variable has no instances.')),
};

export const DeviceVariable = Named('DeviceVariable', {
  ...place,
  attributeType: OneOf(attributeTypes, 'Attribute of the variable (OCPP 2.0.1).'),
  value: Nullable(Str('Value of the attribute. Null when it is write-only or was not reported.', '60')),
  mutability: Str('ReadOnly, WriteOnly or ReadWrite.'),
  persistent: Flag('True when the value survives a restart.'),
  constant: Flag('True when the value never changes at runtime.'),
  unit: Nullable(Str('Unit of the value. Null when the charger did not report it.', 'kWh')),
  dataType: Nullable(Str('Data type of the variable. Null when the charger did not report it.')),
  minLimit: Nullable(Decimal('Minimum of the variable. Null when the charger did not report it.')),
  maxLimit: Nullable(Decimal('Maximum of the variable. Null when the charger did not report it.')),
  valuesList: Nullable(
    Str('Allowed values, separated by commas. Null when the charger did not report them.'),
  ),
  supportsMonitoring: Nullable(
    Flag('True when the variable can be monitored. Null when the charger did not report it.'),
  ),
  reportedAt: DateTime('Time the charger reported the variable.'),
});

const eventTimes = {
  occurredAt: DateTime(
    "Time of the event, by the charger's clock when it is plausible, otherwise the time of receipt.",
  ),
  receivedAt: DateTime('Time the gateway received the message.'),
  timeFlag: Nullable(Str("Irregularity of the charger's time. Null without one.")),
};

export const DeviceEvent = Named('DeviceEvent', {
  eventId: Decimal('Event number of the charger. It starts again when the charger restarts.'),
  ...eventTimes,
  ...place,
  trigger: Str('Trigger of the event (OCPP 2.0.1).'),
  notificationType: Str('Cause of the event report (OCPP 2.0.1).'),
  actualValue: Str('Value of the variable at the time of the event.'),
  cause: Nullable(Integer('Number of the event that caused this one. Null without one.')),
  techCode: Nullable(Str('Technical code of the event. Null if not set.')),
  techInfo: Nullable(Str('Technical details. Null if not set.')),
  cleared: Nullable(
    Flag(
      'True when the event ends a condition that was reported before. Null when the charger did not report it.',
    ),
  ),
  transactionId: Nullable(
    Str('OCPP transaction that the event belongs to. Null when it belongs to none.', '1042'),
  ),
  monitorId: Nullable(
    Integer('Identifier of the monitor that raised the event (OCPP 2.0.1). Null for a hard-wired event.'),
  ),
});

export const SecurityEvent = Named('SecurityEvent', {
  type: Str('Kind of the security event (OCPP).'),
  techInfo: Nullable(Str('Technical details. Null if not set.')),
  ...eventTimes,
});

export function deviceVariableView({ reportedAt, ...variable }: DeviceVariableRecord) {
  return { ...variable, reportedAt: reportedAt.toISOString() };
}

export function deviceEventView({ eventId, occurredAt, receivedAt, ...event }: DeviceEventRecord) {
  return {
    ...event,
    eventId: Number(eventId),
    occurredAt: occurredAt.toISOString(),
    receivedAt: receivedAt.toISOString(),
  };
}

export function securityEventView({ occurredAt, receivedAt, ...event }: SecurityEventRecord) {
  return { ...event, occurredAt: occurredAt.toISOString(), receivedAt: receivedAt.toISOString() };
}
