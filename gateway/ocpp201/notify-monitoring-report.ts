import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import { noticeTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { componentVariableOf } from './component-variable.ts';

/** Translates OCPP 2.0.1 N02: a part of the configured monitors. */
export function variableMonitors(
  request: RequestOf<DeviceModelVersion, 'NotifyMonitoringReport'>,
  receipt: Receipt,
): ChargerReport {
  return {
    type: 'variable-monitors',
    report: {
      action: 'NotifyMonitoringReport',
      requestId: request.requestId,
      generatedAt: noticeTime(request.generatedAt, receipt),
      part: request.seqNo,
      isLast: request.tbc !== true,
    },
    monitors: (request.monitor ?? []).flatMap((data) =>
      data.variableMonitoring.map((monitor) => ({
        ...componentVariableOf(data),
        monitorId: monitor.id,
        type: monitor.type,
        value: monitor.value,
        severity: monitor.severity,
        transactionOnly: monitor.transaction,
        notificationType: 'eventNotificationType' in monitor ? monitor.eventNotificationType : null,
      })),
    ),
  };
}
