import { Type } from 'typebox';
import { DateTime, Named, Nullable, OneOf } from '#api/routes/schema.ts';
import type {
  DeviceEventRecord,
  DeviceVariableRecord,
  SecurityEventRecord,
} from '#api/services/fleet/device-data.ts';
import { attributeTypes } from '#shared/domain/commands/commands.ts';

const place = {
  component: Type.String(),
  componentInstance: Nullable(Type.String()),
  evseId: Nullable(Type.Integer({ description: 'Null: the charger as a whole' })),
  connectorId: Nullable(Type.Integer({ description: 'Of the EVSE' })),
  variable: Type.String(),
  variableInstance: Nullable(Type.String()),
};

export const DeviceVariable = Named('DeviceVariable', {
  ...place,
  attributeType: OneOf(attributeTypes),
  value: Nullable(Type.String({ description: 'Null: write-only, or not told' })),
  mutability: Type.String(),
  persistent: Type.Boolean(),
  constant: Type.Boolean(),
  unit: Nullable(Type.String()),
  dataType: Nullable(Type.String()),
  minLimit: Nullable(Type.Number()),
  maxLimit: Nullable(Type.Number()),
  valuesList: Nullable(Type.String()),
  supportsMonitoring: Nullable(Type.Boolean()),
  reportedAt: DateTime(),
});

const eventTimes = {
  occurredAt: DateTime('What the charger said, where it told a sound time'),
  receivedAt: DateTime(),
  timeFlag: Nullable(Type.String({ description: 'What was wrong with the time that the charger said' })),
};

export const DeviceEvent = Named('DeviceEvent', {
  eventId: Type.Number({ description: "The charger's own; it begins again when it restarts" }),
  ...eventTimes,
  ...place,
  trigger: Type.String(),
  notificationType: Type.String(),
  actualValue: Type.String(),
  cause: Nullable(Type.Integer({ description: 'The event that caused this one' })),
  techCode: Nullable(Type.String()),
  techInfo: Nullable(Type.String()),
  cleared: Nullable(Type.Boolean()),
  transactionId: Nullable(Type.String()),
  monitorId: Nullable(Type.Integer()),
});

export const SecurityEvent = Named('SecurityEvent', {
  type: Type.String(),
  techInfo: Nullable(Type.String()),
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
