import type { ComponentVariable } from './device-model.ts';

/** Stream of the values of one monitor (OCPP 2.1 N11). */
export interface EventStream {
  streamId: number;
  monitorId: number;
  /** Seconds after which the station sends what it has collected. Null: not by time. */
  intervalSeconds: number | null;
  /** Number of values after which it does. Null: not by number. */
  maxValues: number | null;
}

/** Monitored variable of a stream. */
export interface StreamVariable extends ComponentVariable {
  /** Unit that the device model states. Null: the unit of the standard. */
  unit: string | null;
}

/** Values of a stream that a station sent. */
export interface StreamNotice {
  streamId: number;
  values: { at: Date; timeFlag: string | null; saidTime: string | null; value: string }[];
}

/** Measurand of the readings that the values of a variable are. */
interface StreamMeasurand {
  measurand: string;
  /** Unit in the standard. */
  unit: string;
}

/** Variables of the standard (part 2, appendix 3) that measurands of readings correspond to, in lower case. */
const measurands = new Map<string, StreamMeasurand>(
  Object.entries({
    energyimportregister: { measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
    energyexportregister: { measurand: 'Energy.Active.Export.Register', unit: 'Wh' },
    power: { measurand: 'Power.Active.Import', unit: 'W' },
    dischargepower: { measurand: 'Power.Active.Export', unit: 'W' },
    accurrent: { measurand: 'Current.Import', unit: 'A' },
    dccurrent: { measurand: 'Current.Import', unit: 'A' },
    acvoltage: { measurand: 'Voltage', unit: 'V' },
    dcvoltage: { measurand: 'Voltage', unit: 'V' },
    stateofcharge: { measurand: 'SoC', unit: 'Percent' },
    temperature: { measurand: 'Temperature', unit: 'Celsius' },
    frequency: { measurand: 'Frequency', unit: 'Hertz' },
  }),
);

/** Location of a measurand by its component; the others measure at the outlet. */
const locations = new Map([
  ['electricalfeed', 'Inlet'],
  ['connectedev', 'EV'],
]);

/** Returns how the values of a variable are read, or null where they are no readings. */
export function measurandOf({
  component,
  variable,
  variableInstance,
  unit,
}: Pick<StreamVariable, 'component' | 'variable' | 'variableInstance' | 'unit'>) {
  const found = measurands.get(variable.toLowerCase());
  if (found === undefined) return null;
  return {
    measurand: found.measurand,
    unit: unit ?? found.unit,
    location: locations.get(component.toLowerCase()),
    // The phases of a variable are its instances (PhaseEnumType).
    phase: variableInstance === '' ? undefined : variableInstance,
  };
}
