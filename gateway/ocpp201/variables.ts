import type { VariableResult, VariableSelector } from '#shared/domain/commands/commands.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';

type GetResult = ResponseOf<'2.0.1', 'GetVariables'>['getVariableResult'][number];
type SetResult = ResponseOf<'2.0.1', 'SetVariables'>['setVariableResult'][number];

/** The component of a key that names none: the operator API says so. */
const defaultComponent = 'Charger';

/**
 * The variables for configuration that every charger must have: those that are required of the controllers which are not
 * there for a feature alone, such as SmartChargingCtrlr (2.0.1 edition 3, part 2, chapter 2 of the referenced components and
 * variables, and `dm_components_vars.csv` of the appendices 1.4).
 */
export const requiredKeys: readonly string[] = [
  'AlignedDataCtrlr.Interval',
  'AlignedDataCtrlr.Measurands',
  'AlignedDataCtrlr.TxEndedInterval',
  'AlignedDataCtrlr.TxEndedMeasurands',
  'AuthCtrlr.AuthorizeRemoteStart',
  'AuthCtrlr.LocalAuthorizeOffline',
  'AuthCtrlr.LocalPreAuthorize',
  'ClockCtrlr.DateTime',
  'ClockCtrlr.TimeSource',
  'DeviceDataCtrlr.BytesPerMessage[GetReport]',
  'DeviceDataCtrlr.BytesPerMessage[GetVariables]',
  'DeviceDataCtrlr.BytesPerMessage[SetVariables]',
  'DeviceDataCtrlr.ItemsPerMessage[GetReport]',
  'DeviceDataCtrlr.ItemsPerMessage[GetVariables]',
  'DeviceDataCtrlr.ItemsPerMessage[SetVariables]',
  'OCPPCommCtrlr.FileTransferProtocols',
  'OCPPCommCtrlr.MessageAttemptInterval[TransactionEvent]',
  'OCPPCommCtrlr.MessageAttempts[TransactionEvent]',
  'OCPPCommCtrlr.MessageTimeout[Default]',
  'OCPPCommCtrlr.NetworkConfigurationPriority',
  'OCPPCommCtrlr.NetworkProfileConnectionAttempts',
  'OCPPCommCtrlr.OfflineThreshold',
  'OCPPCommCtrlr.ResetRetries',
  'OCPPCommCtrlr.UnlockOnEVSideDisconnect',
  'SampledDataCtrlr.TxEndedInterval',
  'SampledDataCtrlr.TxEndedMeasurands',
  'SampledDataCtrlr.TxStartedMeasurands',
  'SampledDataCtrlr.TxUpdatedInterval',
  'SampledDataCtrlr.TxUpdatedMeasurands',
  'SecurityCtrlr.CertificateEntries',
  'SecurityCtrlr.OrganizationName',
  'SecurityCtrlr.SecurityProfile',
  'TxCtrlr.EVConnectionTimeOut',
  'TxCtrlr.StopTxOnEVSideDisconnect',
  'TxCtrlr.StopTxOnInvalidId',
  'TxCtrlr.TxStartPoint',
  'TxCtrlr.TxStopPoint',
];

/** The variable of a key `Component.Variable` or `Component.Variable[Instance]`. */
export function variableOfKey(key: string) {
  const dot = key.indexOf('.');
  const component = dot === -1 ? defaultComponent : key.slice(0, dot);
  const [, name = '', instance] = /^([^[]*)(?:\[(.*)\])?$/.exec(key.slice(dot + 1)) ?? [];
  // What is no such key is asked for as it is: the charger says that it knows none.
  const variable =
    name === '' ? { name: key.slice(dot + 1) } : { name, ...(instance !== undefined && { instance }) };
  return { component: { name: component }, variable };
}

/** The key that names an answered variable. */
export function keyOf({ component, variable }: Pick<GetResult, 'component' | 'variable'>): string {
  const instance = variable.instance === undefined ? '' : `[${variable.instance}]`;
  return `${component.name}.${variable.name}${instance}`;
}

/** A variable as the standard names it. */
export function selected(variable: VariableSelector) {
  const { component, componentInstance, evseId, connectorId, variableInstance, attributeType } = variable;
  return {
    attributeType,
    component: {
      name: component,
      ...(componentInstance !== null && { instance: componentInstance }),
      ...(evseId !== null && { evse: { id: evseId, ...(connectorId !== null && { connectorId }) } }),
    },
    variable: {
      name: variable.variable,
      ...(variableInstance !== null && { instance: variableInstance }),
    },
  };
}

/** What was answered of a variable; a value is told by GetVariables alone. */
export function resultOf(result: GetResult | SetResult): VariableResult {
  const { component, variable, attributeType, attributeStatus } = result;
  return {
    component: component.name,
    componentInstance: component.instance ?? null,
    evseId: component.evse?.id ?? null,
    connectorId: component.evse?.connectorId ?? null,
    variable: variable.name,
    variableInstance: variable.instance ?? null,
    // The standard's default.
    attributeType: attributeType ?? 'Actual',
    status: attributeStatus,
    value: 'attributeValue' in result ? (result.attributeValue ?? null) : null,
  };
}
