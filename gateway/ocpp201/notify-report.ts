import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import { noticeTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { DeviceVariable } from '#shared/domain/commands/device-model.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { componentVariableOf } from './component-variable.ts';

type Request = RequestOf<DeviceModelVersion, 'NotifyReport'>;

/** Translates OCPP 2.0.1 B07, B08: a part of the device model. */
export function deviceVariables(request: Request, receipt: Receipt): ChargerReport {
  return {
    type: 'device-variables',
    report: {
      action: 'NotifyReport',
      requestId: request.requestId,
      generatedAt: noticeTime(request.generatedAt, receipt),
      part: request.seqNo,
      isLast: request.tbc !== true,
    },
    variables: (request.reportData ?? []).flatMap(variablesOf),
  };
}

/** Returns one row per attribute, with the defaults of VariableAttributeType. */
function variablesOf(data: NonNullable<Request['reportData']>[number]): DeviceVariable[] {
  const { variableCharacteristics: characteristics } = data;
  return data.variableAttribute.map((attribute) => ({
    ...componentVariableOf(data),
    attribute: attribute.type ?? 'Actual',
    value: attribute.value ?? null,
    mutability: attribute.mutability ?? 'ReadWrite',
    persistent: attribute.persistent ?? false,
    constant: attribute.constant ?? false,
    unit: characteristics?.unit ?? null,
    dataType: characteristics?.dataType ?? null,
    minLimit: characteristics?.minLimit ?? null,
    maxLimit: characteristics?.maxLimit ?? null,
    valuesList: characteristics?.valuesList ?? null,
    supportsMonitoring: characteristics?.supportsMonitoring ?? null,
  }));
}
