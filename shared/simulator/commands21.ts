import { command201 } from './commands201.ts';
import type { Controls, Setting } from './dialect.ts';
import type { LocalCosts } from './local-costs.ts';
import { number, type Payload, record, text } from './payload.ts';
import type { Answer, Call } from './rpc.ts';

/** State of a station that the commands of 2.1 change. */
export interface State21 {
  costs: LocalCosts;
  /** Kinds of the charging profiles, by identifier. */
  profiles: Map<number, string>;
}

const status = (value: string, after?: () => void): Answer => ({ payload: { status: value }, after });

/** Answers a 2.1 command: a command of 2.0.1, or one that 2.1 added. */
export function command21({ costs, profiles }: State21, controls: Controls, call: Call): Answer {
  const { payload } = call;
  switch (call.action) {
    case 'GetBaseReport':
      return status('Accepted', () => report(controls, number(payload, 'requestId') ?? 0));
    case 'GetMonitoringReport':
      return status('EmptyResultSet');
    case 'GetPeriodicEventStream':
      // It opened none.
      return { payload: {} };
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
    case 'SetChargingProfile': {
      const profile = record(payload, 'chargingProfile');
      profiles.set(number(profile, 'id') ?? 0, text(profile, 'chargingProfileKind') ?? '');
      return command201(controls, call);
    }
    case 'ClearChargingProfile': {
      const id = number(payload, 'chargingProfileId');
      if (id !== undefined) profiles.delete(id);
      return command201(controls, call);
    }
    case 'UpdateDynamicSchedule':
      return status(
        profiles.get(number(payload, 'chargingProfileId') ?? 0) === 'Dynamic' ? 'Accepted' : 'Rejected',
      );
    case 'UsePriorityCharging': {
      const { transactionId, activate: activated } = payload;
      const isRunning = controls.sessions().some((session) => session.transactionId === transactionId);
      if (!isRunning) return status('Rejected');
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
