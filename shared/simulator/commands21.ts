import { command201 } from './commands201.ts';
import type { Controls, Setting } from './dialect.ts';
import type { DerControls } from './der-controls.ts';
import type { EventStreams } from './event-streams.ts';
import type { LocalCosts } from './local-costs.ts';
import { number, type Payload, record } from './payload.ts';
import type { Answer, Call } from './rpc.ts';

/** State of a station that the commands of 2.1 change. */
export interface State21 {
  costs: LocalCosts;
  streams: EventStreams;
  der: DerControls;
}

const status = (value: string, after?: () => void): Answer => ({ payload: { status: value }, after });

/** Answers a 2.1 command: a command of 2.0.1, or one that 2.1 added. */
export function command21({ costs, streams, der }: State21, controls: Controls, call: Call): Answer {
  const { payload } = call;
  switch (call.action) {
    case 'GetBaseReport':
      return status('Accepted', () => report(controls, number(payload, 'requestId') ?? 0));
    case 'GetMonitoringReport':
      return streams.report(controls, number(payload, 'requestId') ?? 0);
    case 'SetVariableMonitoring':
      return streams.set(controls, payload);
    case 'ClearVariableMonitoring':
      return streams.clear(payload.id as number[]);
    case 'AdjustPeriodicEventStream':
      return streams.adjust(payload);
    case 'GetPeriodicEventStream':
      return streams.list();
    case 'SetDERControl':
      return der.set(controls, payload);
    case 'ClearDERControl':
      return der.clear(controls, payload);
    case 'GetDERControl':
      return der.report(controls, payload);
    case 'SetDefaultTariff': {
      const evseId = number(payload, 'evseId') ?? 0;
      const all = Array.from({ length: controls.connectors }, (_, index) => index + 1);
      return status(costs.setTariff(evseId === 0 ? all : [evseId], payload));
    }
    case 'GetTariffs': {
      const tariffAssignments = costs.assignments();
      return tariffAssignments.length === 0
        ? status('NoTariff')
        : { payload: { status: 'Accepted', tariffAssignments } };
    }
    case 'ClearTariffs': {
      const isCleared = costs.clearTariffs(texts(payload, 'tariffIds'), number(payload, 'evseId'));
      return { payload: { clearTariffsResult: [{ status: isCleared ? 'Accepted' : 'NoTariff' }] } };
    }
    case 'UpdateDynamicSchedule': {
      const limit = number(record(payload, 'scheduleUpdate'), 'limit');
      return status(
        controls.changeLimit(number(payload, 'chargingProfileId'), limit) ? 'Accepted' : 'Rejected',
      );
    }
    case 'UsePriorityCharging': {
      const { transactionId, activate: activated } = payload;
      const session = controls.sessions().find((running) => running.transactionId === transactionId);
      if (session === undefined) return status('Rejected');
      if (activated === true && !controls.hasProfile(session.connector, 'PriorityCharging'))
        return status('NoProfile');
      return status('Accepted', () =>
        controls.send({ action: 'NotifyPriorityCharging', payload: { transactionId, activated } }),
      );
    }
    default:
      return command201(controls, call);
  }
}

/** Reports all settings in one message (B07). */
function report(controls: Controls, requestId: number): void {
  controls.send({
    action: 'NotifyReport',
    payload: {
      requestId,
      generatedAt: new Date().toISOString(),
      seqNo: 0,
      reportData: [...controls.settings].map(([key, setting]) => reported(key, setting)),
    },
  });
}

/** Returns a setting, whose key is `Component.Variable` or `Component.Variable[Instance]`, as an entry of a report. */
function reported(key: string, { value, readonly }: Setting): Payload {
  const [, component, variable, instance] = /^(\w+)\.(\w+)(?:\[(\w+)\])?$/.exec(key) ?? [];
  return {
    component: { name: component },
    variable: { name: variable, instance },
    variableAttribute: [{ value, mutability: readonly ? 'ReadOnly' : 'ReadWrite' }],
  };
}

function texts(payload: Payload, name: string): string[] | undefined {
  const value = payload[name];
  return Array.isArray(value) ? value.map(String) : undefined;
}
