import { Type } from 'typebox';
import { DateTime, Named, Nullable, OneOf } from '#api/routes/schema.ts';
import type {
  DeviceEventRecord,
  DeviceVariableRecord,
  SecurityEventRecord,
} from '#api/services/fleet/device-data.service.ts';
import { attributeTypes } from '#shared/domain/commands/commands.ts';

const place = {
  component: Type.String({
    description: 'Component of the device model (OCPP 2.0.1).',
    examples: ['OCPPCommCtrlr'],
  }),
  componentInstance: Nullable(
    Type.String({ description: 'Instance of the component. Null when the component has no instances.' }),
  ),
  evseId: Nullable(
    Type.Integer({ description: 'EVSE number. Null for the charger as a whole.', examples: [1] }),
  ),
  connectorId: Nullable(
    Type.Integer({
      description: 'Connector number within the EVSE. Null for the whole EVSE.',
      examples: [1],
    }),
  ),
  variable: Type.String({
    description: 'Variable of the component (OCPP 2.0.1).',
    examples: ['HeartbeatInterval'],
  }),
  variableInstance: Nullable(
    Type.String({ description: 'Instance of the variable. Null when the variable has no instances.' }),
  ),
};

export const DeviceVariable = Named('DeviceVariable', {
  ...place,
  attributeType: OneOf(attributeTypes, 'Attribute of the variable (OCPP 2.0.1).'),
  value: Nullable(
    Type.String({
      description: 'Value of the attribute. Null when it is write-only or was not reported.',
      examples: ['60'],
    }),
  ),
  mutability: Type.String({ description: 'ReadOnly, WriteOnly or ReadWrite.' }),
  persistent: Type.Boolean({ description: 'True when the value survives a restart.' }),
  constant: Type.Boolean({ description: 'True when the value never changes at runtime.' }),
  unit: Nullable(
    Type.String({
      description: 'Unit of the value. Null when the charger did not report it.',
      examples: ['kWh'],
    }),
  ),
  dataType: Nullable(
    Type.String({ description: 'Data type of the variable. Null when the charger did not report it.' }),
  ),
  minLimit: Nullable(
    Type.Number({ description: 'Minimum of the variable. Null when the charger did not report it.' }),
  ),
  maxLimit: Nullable(
    Type.Number({ description: 'Maximum of the variable. Null when the charger did not report it.' }),
  ),
  valuesList: Nullable(
    Type.String({
      description: 'Allowed values, separated by commas. Null when the charger did not report them.',
    }),
  ),
  supportsMonitoring: Nullable(
    Type.Boolean({
      description: 'True when the variable can be monitored. Null when the charger did not report it.',
    }),
  ),
  reportedAt: DateTime('Time the charger reported the variable.'),
});

const eventTimes = {
  occurredAt: DateTime(
    "Time of the event, by the charger's clock when it is plausible, otherwise the time of receipt.",
  ),
  receivedAt: DateTime('Time the gateway received the message.'),
  timeFlag: Nullable(Type.String({ description: "Irregularity of the charger's time. Null without one." })),
};

export const DeviceEvent = Named('DeviceEvent', {
  eventId: Type.Number({
    description: 'Event number of the charger. It starts again when the charger restarts.',
  }),
  ...eventTimes,
  ...place,
  trigger: Type.String({ description: 'Trigger of the event (OCPP 2.0.1).' }),
  notificationType: Type.String({ description: 'Cause of the event report (OCPP 2.0.1).' }),
  actualValue: Type.String({ description: 'Value of the variable at the time of the event.' }),
  cause: Nullable(
    Type.Integer({ description: 'Number of the event that caused this one. Null without one.' }),
  ),
  techCode: Nullable(Type.String({ description: 'Technical code of the event. Null if not set.' })),
  techInfo: Nullable(Type.String({ description: 'Technical details. Null if not set.' })),
  cleared: Nullable(
    Type.Boolean({
      description:
        'True when the event ends a condition that was reported before. Null when the charger did not report it.',
    }),
  ),
  transactionId: Nullable(
    Type.String({
      description: 'OCPP transaction that the event belongs to. Null when it belongs to none.',
      examples: ['1042'],
    }),
  ),
  monitorId: Nullable(
    Type.Integer({
      description:
        'Identifier of the monitor that raised the event (OCPP 2.0.1). Null for a hard-wired event.',
    }),
  ),
});

export const SecurityEvent = Named('SecurityEvent', {
  type: Type.String({ description: 'Kind of the security event (OCPP).' }),
  techInfo: Nullable(Type.String({ description: 'Technical details. Null if not set.' })),
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
