import { deviceModelProtocol } from '#gateway/ocpp201/table.ts';
import type { Protocol, ServeAction } from '#gateway/protocol/protocol.ts';
import { effectOf } from './effects.ts';
import { reports, sends } from './reports.ts';

/** OCPP 2.1: the actions of 2.0.1 in their 2.1 form, and those that it adds. */
export const ocpp21: Protocol = {
  ...deviceModelProtocol('2.1', reports),
  effectOf,
  sends: new Map<string, ServeAction>(sends),
};
