import type { AttributeType } from './commands.ts';

/**
 * Component and variable in the device model of OCPP 2.0.1 (part 1, chapter 4). Parts that the standard leaves out are `''`
 * for names and 0 for numbers, so that equal values compare equal.
 */
export interface ComponentVariable {
  component: string;
  componentInstance: string;
  /** 0: the charging station. */
  evse: number;
  /** 0: the EVSE. */
  connector: number;
  variable: string;
  variableInstance: string;
}

/** One attribute of a variable, as a charger reports it. */
export interface DeviceVariable extends ComponentVariable {
  attribute: AttributeType;
  /** Null: write-only, or not reported. */
  value: string | null;
  mutability: string;
  persistent: boolean;
  constant: boolean;
  unit: string | null;
  dataType: string | null;
  minLimit: number | null;
  maxLimit: number | null;
  valuesList: string | null;
  supportsMonitoring: boolean | null;
}

/** A monitor that is set on a variable (2.0.1 N). */
export interface VariableMonitor extends ComponentVariable {
  monitorId: number;
  type: string;
  value: number;
  severity: number;
  transactionOnly: boolean;
  /** Null: not reported, as before OCPP 2.1. */
  notificationType: string | null;
}

/** Event of a monitor or a hard-wired notification (2.0.1 N07). */
export interface DeviceEvent extends ComponentVariable {
  eventId: number;
  occurredAt: Date;
  /** Fault of the charger's time stamp. */
  timeFlag: string | null;
  trigger: string;
  notificationType: string;
  actualValue: string;
  cause: number | null;
  techCode: string | null;
  techInfo: string | null;
  cleared: boolean | null;
  transactionId: string | null;
  monitorId: number | null;
}
