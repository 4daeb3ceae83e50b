import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { handleDeviceEvents } from '#gateway/handlers/report.ts';
import { serve } from '#gateway/protocol/serve.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import { type ConnectorStatus, connectorStatuses } from '#shared/domain/fleet/charger.ts';
import { chargerTime, noticeTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { DeviceEvent } from '#shared/domain/commands/device-model.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { componentVariableOf } from './component-variable.ts';
import { positionOf } from './position.ts';

type EventData = RequestOf<DeviceModelVersion, 'NotifyEvent'>['eventData'][number];

/** OCPP 2.0.1 N07 and N08; a station may report connector statuses only by events (G01). */
export const notifyEvent = (version: DeviceModelVersion) =>
  serve(version, 'NotifyEvent', {
    message: ({ eventData }, receipt) => ({
      events: eventData.map((event) => eventOf(event, receipt)),
      statuses: eventData.flatMap((event) => statusOf(event, receipt)),
    }),
    handle: handleDeviceEvents,
  });

function eventOf(event: EventData, receipt: Receipt): DeviceEvent {
  const { time, flag } = chargerTime(event.timestamp, receipt);
  return {
    ...componentVariableOf(event),
    eventId: event.eventId,
    occurredAt: time,
    timeFlag: flag,
    trigger: event.trigger,
    notificationType: event.eventNotificationType,
    actualValue: event.actualValue,
    cause: event.cause ?? null,
    techCode: event.techCode ?? null,
    techInfo: event.techInfo ?? null,
    cleared: event.cleared ?? null,
    transactionId: event.transactionId ?? null,
    monitorId: event.variableMonitoringId ?? null,
  };
}

function statusOf(event: EventData, receipt: Receipt): StatusNotice[] {
  const { component, variable, actualValue } = event;
  if (component.name !== 'Connector' || variable.name !== 'AvailabilityState') return [];
  const position = positionOf(component.evse?.id ?? 0, component.evse?.connectorId);
  if (position === null || !isStatus(actualValue)) return [];
  return [
    {
      position,
      status: actualValue,
      errorCode: null,
      vendorErrorCode: event.techCode ?? null,
      info: event.techInfo ?? null,
      at: noticeTime(event.timestamp, receipt),
    },
  ];
}

function isStatus(value: string): value is ConnectorStatus {
  return (connectorStatuses as readonly string[]).includes(value);
}
