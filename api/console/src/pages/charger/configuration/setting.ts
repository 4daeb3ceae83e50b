import type { Schemas } from '../../../api/client.ts';
import { knownKey, vendorProfile } from './known-keys.ts';

export const valueTypes = ['boolean', 'integer', 'decimal', 'text', 'dateTime', 'choice', 'list'] as const;
export type ValueType = (typeof valueTypes)[number];

/** Address of an attribute in the device model (OCPP 2.0.1). */
export type VariablePath = Pick<
  Schemas['DeviceVariable'],
  | 'component'
  | 'componentInstance'
  | 'evseId'
  | 'connectorId'
  | 'variable'
  | 'variableInstance'
  | 'attributeType'
>;

export type Access = 'readWrite' | 'readOnly' | 'writeOnly';

/** Setting of a charger: a configuration key of OCPP 1.6, or an attribute of a variable of 2.0.1. */
export interface Setting {
  /** Key of 1.6, or the address of the attribute as text. */
  id: string;
  name: string;
  /** Feature profile of 1.6, component of 2.0.1. */
  component: string;
  /** Component with its instance and its place at the charger. */
  group: string;
  value: string | null;
  /** Null: the charger did not report it. */
  access: Access | null;
  type: ValueType | null;
  unit: string | null;
  minimum: number | null;
  maximum: number | null;
  choices: readonly string[];
  /** Null for a key of 1.6. */
  variable: VariablePath | null;
}

const unlimited = { unit: null, minimum: null, maximum: null, choices: [] };

/** Returns the setting of a configuration key of OCPP 1.6. */
export function settingOfKey({
  key,
  value,
  readonly,
}: Pick<Schemas['ConfigurationSetting'], 'key' | 'value' | 'readonly'>): Setting {
  const known = knownKey(key);
  const component = known?.profile ?? vendorProfile;
  return {
    ...unlimited,
    id: key,
    name: key,
    component,
    group: component,
    value,
    access: readonly === null ? null : readonly ? 'readOnly' : 'readWrite',
    type: known?.type ?? null,
    unit: known?.unit ?? null,
    variable: null,
  };
}

const typesOfVersion201: Record<string, ValueType> = {
  boolean: 'boolean',
  integer: 'integer',
  decimal: 'decimal',
  string: 'text',
  dateTime: 'dateTime',
  OptionList: 'choice',
  SequenceList: 'list',
  MemberList: 'list',
};

const accesses: Record<string, Access> = {
  ReadOnly: 'readOnly',
  WriteOnly: 'writeOnly',
  ReadWrite: 'readWrite',
};

/** Returns the setting of an attribute of the device model. */
export function settingOfVariable(reported: Schemas['DeviceVariable']): Setting {
  const { value, mutability, unit, dataType, minLimit, maxLimit, valuesList } = reported;
  const type = dataType === null ? null : (typesOfVersion201[dataType] ?? null);
  return {
    ...namesOf(reported),
    value,
    access: accesses[mutability] ?? null,
    type,
    unit,
    minimum: minLimit,
    maximum: maxLimit,
    choices: type === 'choice' && valuesList !== null ? valuesList.split(',').map((text) => text.trim()) : [],
  };
}

/** Returns the setting of a `Component.Variable` that was read without a report of the device model. */
export function settingOfVariableKey({ key, value, readonly }: Schemas['ConfigurationSetting']): Setting {
  const [, component = '', variable = '', instance] = /^([^.]+)\.([^[]+)(?:\[(.+)\])?$/.exec(key) ?? [];
  const path: VariablePath = {
    component,
    componentInstance: null,
    evseId: null,
    connectorId: null,
    variable: variable === '' ? key : variable,
    variableInstance: instance ?? null,
    attributeType: 'Actual',
  };
  return {
    ...unlimited,
    ...namesOf(path),
    value,
    access: readonly === null ? null : readonly ? 'readOnly' : 'readWrite',
    type: null,
  };
}

function namesOf(path: VariablePath) {
  const { component, componentInstance, evseId, connectorId, variable, variableInstance, attributeType } =
    path;
  const place = [evseId, connectorId].filter((number) => number !== null).join('.');
  const group = [component, componentInstance, place === '' ? null : `EVSE ${place}`];
  const instance = variableInstance === null ? '' : `[${variableInstance}]`;
  return {
    id: pathId(path),
    name: `${variable}${instance}${attributeType === 'Actual' ? '' : ` (${attributeType})`}`,
    component,
    group: group.filter((part) => part !== null).join(' · '),
    variable: {
      component,
      componentInstance,
      evseId,
      connectorId,
      variable,
      variableInstance,
      attributeType,
    },
  };
}

/** Returns the address of an attribute as text. Chargers compare names without regard to case. */
export function pathId(path: VariablePath): string {
  return [
    path.component,
    path.componentInstance,
    path.evseId,
    path.connectorId,
    path.variable,
    path.variableInstance,
    path.attributeType,
  ]
    .join('/')
    .toLowerCase();
}

/** Reason for which a charger probably refuses a value. It decides itself. */
export type Doubt = 'notInteger' | 'notNumber' | 'notBoolean' | 'limits';

/** Returns the reason to doubt a value, or null. */
export function doubtOf({ type, minimum, maximum }: Setting, value: string): Doubt | null {
  if (type === 'boolean') return /^(true|false)$/i.test(value) ? null : 'notBoolean';
  if (type === 'integer' && !/^[+-]?\d+$/.test(value.trim())) return 'notInteger';
  if (type === 'decimal' && (value.trim() === '' || Number.isNaN(Number(value)))) return 'notNumber';
  // The limits of a text are its length.
  const measure = type === 'integer' || type === 'decimal' ? Number(value) : value.length;
  return measure < (minimum ?? -Infinity) || measure > (maximum ?? Infinity) ? 'limits' : null;
}
