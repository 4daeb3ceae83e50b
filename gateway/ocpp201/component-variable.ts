import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ComponentVariable } from '#shared/domain/commands/device-model.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type ReportData = NonNullable<RequestOf<DeviceModelVersion, 'NotifyReport'>['reportData']>[number];

/** Twice the maximum of the standard (50 characters). Names are keys, and a longer one is cut. */
const longestName = 100;

/** Translates ComponentType and VariableType of OCPP 2.0.1. */
export function componentVariableOf({
  component,
  variable,
}: Pick<ReportData, 'component' | 'variable'>): ComponentVariable {
  return {
    component: component.name.slice(0, longestName),
    componentInstance: (component.instance ?? '').slice(0, longestName),
    evse: component.evse?.id ?? 0,
    connector: component.evse?.connectorId ?? 0,
    variable: variable.name.slice(0, longestName),
    variableInstance: (variable.instance ?? '').slice(0, longestName),
  };
}
