import { command201 } from './commands201.ts';
import type { Controls } from './dialect.ts';
import { text } from './payload.ts';
import type { Answer, Call } from './rpc.ts';

/** Answers a 2.1 command: a command of 2.0.1, or one that 2.1 added. */
export function command21(controls: Controls, call: Call): Answer {
  switch (call.action) {
    case 'GetPeriodicEventStream':
      // It opened none.
      return { payload: {} };
    case 'GetTariffs':
      return { payload: { status: 'NoTariff' } };
    case 'UsePriorityCharging': {
      const transactionId = text(call.payload, 'transactionId');
      const isRunning = controls.sessions().some((session) => session.transactionId === transactionId);
      return { payload: { status: isRunning ? 'NoProfile' : 'Rejected' } };
    }
    default:
      return command201(controls, call);
  }
}
