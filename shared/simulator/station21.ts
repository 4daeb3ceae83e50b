import { command21, type State21 } from './commands21.ts';
import { DerControls } from './der-controls.ts';
import type { Dialect } from './dialect.ts';
import { EventStreams } from './event-streams.ts';
import { LocalCosts } from './local-costs.ts';
import { SimulatedStation } from './simulated-station.ts';
import { dialect201 } from './station201.ts';
import type { Station, StationOptions } from './station.ts';

/** Returns the messages of a station that limits its sessions and calculates their costs (E16, I07). */
function dialect21(): Dialect {
  const state: State21 = {
    costs: new LocalCosts(),
    streams: new EventStreams(),
    der: new DerControls(),
  };
  const { costs, streams } = state;
  return {
    ...dialect201,
    protocol: 'ocpp2.1',
    settings: (options) =>
      new Map([
        ...dialect201.settings(options),
        ['TariffCostCtrlr.Enabled[Tariff]', { value: 'true', readonly: true }],
        ['TxCtrlr.SupportedLimits', { value: 'maxCost,maxEnergy,maxTime', readonly: true }],
      ]),
    start: (session, sequence, offline) => {
      costs.begin(session);
      return dialect201.start(session, sequence, offline);
    },
    started: (session, answer) => costs.limit(session, answer),
    meterValues: (session, readings, sequence, offline) => {
      const call = dialect201.meterValues(session, readings, sequence, offline);
      const last = readings.at(-1);
      if (last === undefined) return call;
      if (!offline) for (const reading of readings) streams.take(session.connector, reading);
      return { ...call, payload: costs.extend(call.payload, session, last.energyWh, last.time) };
    },
    metered: (session, answer) => costs.limit(session, answer),
    stop: (session, end, sequence, offline) => {
      const call = dialect201.stop(session, end, sequence, offline);
      return { ...call, payload: costs.extend(call.payload, session, end.meterStopWh, end.at) };
    },
    command: (controls, call) => command21(state, controls, call),
  };
}

/** A simulated OCPP 2.1 charging station with one connector per EVSE; not connected yet. */
export function createStation21(options: StationOptions): Station {
  return new SimulatedStation(options, dialect21());
}
