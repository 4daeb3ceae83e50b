import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { VariableResult, VariableSelector } from '#shared/domain/commands/commands.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';

type GetResult = ResponseOf<DeviceModelVersion, 'GetVariables'>['getVariableResult'][number];
type SetResult = ResponseOf<DeviceModelVersion, 'SetVariables'>['setVariableResult'][number];

/** Component of a key without one, as documented in the operator API. */
const defaultComponent = 'Charger';

/**
 * Configuration variables that every charger must have: those required of the controllers that do not serve an
 * optional feature such as SmartChargingCtrlr (2.0.1 edition 3, part 2, chapter 2 of the referenced components and
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

/** Returns the variable of a key `Component.Variable` or `Component.Variable[Instance]`. */
export function variableOfKey(key: string) {
  const dot = key.indexOf('.');
  const component = dot === -1 ? defaultComponent : key.slice(0, dot);
  const [, name = '', instance] = /^([^[]*)(?:\[(.*)\])?$/.exec(key.slice(dot + 1)) ?? [];
  // An unparsable key is sent as it is: the charger answers that it is unknown.
  const variable =
    name === '' ? { name: key.slice(dot + 1) } : { name, ...(instance !== undefined && { instance }) };
  return { component: { name: component }, variable };
}

/** Returns the key of an answered variable. */
export function keyOf({ component, variable }: Pick<GetResult, 'component' | 'variable'>): string {
  const instance = variable.instance === undefined ? '' : `[${variable.instance}]`;
  return `${component.name}.${variable.name}${instance}`;
}

/** Returns a variable selector in the format of the standard. */
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

/** Returns the result for a variable; only GetVariables has a value. */
export function resultOf(result: GetResult | SetResult): VariableResult {
  const { component, variable, attributeType, attributeStatus } = result;
  return {
    component: component.name,
    componentInstance: component.instance ?? null,
    evseId: component.evse?.id ?? null,
    connectorId: component.evse?.connectorId ?? null,
    variable: variable.name,
    variableInstance: variable.instance ?? null,
    // Default of the standard.
    attributeType: attributeType ?? 'Actual',
    status: attributeStatus,
    value: 'attributeValue' in result ? (result.attributeValue ?? null) : null,
  };
}
