import t from 'tap';
import { CallServer } from '#gateway/connections/call-server.ts';
import type { ChargerLookup } from '#gateway/connections/charger-lookup.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { createLogger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

const log = createLogger('test', 'silent');

void t.test('answers a call that misses its deadline with InternalError and serves the next', async (t) => {
  const answers = [new Promise<[]>(() => undefined), Promise.resolve<[]>([])];
  const lookup: ChargerLookup = {
    credentials: () => Promise.resolve(null),
    running: () => answers.shift() ?? Promise.resolve([]),
  };
  const outcomes: string[] = [];
  const server = new CallServer(
    {
      charger: { id: 1, uuid: '', uid: 'CP-1', networkId: 1, registration: 'Accepted' },
      protocol: ocpp16,
    },
    {
      // A Heartbeat needs no others.
      stores: { meterOverrides: { of: () => [], forget: () => undefined } } as Partial<Stores> as Stores,
      lookup,
      log,
      callOutages: new OutageLog(log, { failed: 'calls fail' }),
      observe: (_version, _action, outcome) => outcomes.push(outcome),
    },
    20,
  );
  const heartbeat = async (id: string) => {
    const call = { kind: 'call', id, action: 'Heartbeat', payload: {} } as const;
    const reply = await server.serveCall(call);
    server.answered(call, reply, 1);
    return JSON.parse(reply.text) as unknown;
  };
  t.match(await heartbeat('1'), [4, '1', 'InternalError', /try again later/, {}]);
  t.match(await heartbeat('2'), [3, '2', { currentTime: String }]);
  t.same(outcomes, ['internal', 'result']);
});
