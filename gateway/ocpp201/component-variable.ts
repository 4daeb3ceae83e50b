import type { ComponentVariable } from '#shared/domain/commands/device-model.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type ReportData = NonNullable<RequestOf<'2.0.1', 'NotifyReport'>['reportData']>[number];

/** Twice the standard's 50 characters: names are keys, and one that is longer than this is none. */
const longestName = 100;

/** ComponentType and VariableType of OCPP 2.0.1 as a place in the device model. */
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
