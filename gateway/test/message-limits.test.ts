import t from 'tap';
import type { ChargerCommand, VariableSelector } from '#shared/domain/commands/commands.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';

interface Named {
  component: { name: string };
  variable: { name: string; instance?: string };
}

/** Call that a station accepted; `items` are those of its list, limits that were requested are left out. */
interface Taken {
  action: string;
  items: unknown[];
  bytes: number;
}

const selector = (variable: string): VariableSelector => ({
  component: 'TxCtrlr',
  componentInstance: null,
  evseId: null,
  connectorId: null,
  variable,
  variableInstance: null,
  attributeType: 'Actual',
});

const lists = ['getVariableData', 'setVariableData', 'componentVariable', 'setMonitoringData', 'id'];
const monitor = { value: 1, type: 'Delta', severity: 5 };
const named = (variable: string) => ({ component: { name: 'TxCtrlr' }, variable: { name: variable } });

const sizes = (taken: Taken[]) => taken.map(({ items }) => items.length);

void t.test('message limits of a 2.0.1 station', async (t) => {
  const rig = await startRig(t);

  /** A station with these limits by `Component.Variable[Instance]`, which refuses what is beyond them. */
  const station = async (limits: Record<string, number>, failAt = Number.POSITIVE_INFINITY) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const taken: Taken[] = [];
    const asked: string[] = [];
    answerCalls(client, (action, payload) => {
      const fields = payload as Record<string, unknown>;
      const list = lists.find((name) => name in fields) ?? '';
      const items = (fields[list] ?? []) as unknown[];
      const results = (items as Named[]).map((item) => ({ ...item, attributeStatus: 'Accepted' }));
      if (action === 'GetVariables' && (items[0] as Named).variable.name.endsWith('PerMessage')) {
        const [{ component, variable }] = items as [Named];
        const key = `${component.name}.${variable.name}[${variable.instance}]`;
        asked.push(...(items as Named[]).map(() => key));
        const value = limits[key];
        if (value === undefined) {
          return {
            getVariableResult: results.map((result) => ({ ...result, attributeStatus: 'UnknownVariable' })),
          };
        }
        return { getVariableResult: results.map((result) => ({ ...result, attributeValue: String(value) })) };
      }
      const most = action === 'GetMonitoringReport' ? 'GetReport' : action;
      const max = Object.entries(limits).find(([key]) => key.endsWith(`ItemsPerMessage[${most}]`))?.[1];
      if (items.length > (max ?? 99)) throw new Error('too many items');
      if (taken.length === failAt) throw new Error('out of order');
      const frame = JSON.stringify([2, 'x'.repeat(36), action, payload]);
      taken.push({ action, items, bytes: Buffer.byteLength(frame) });
      switch (action) {
        case 'GetVariables':
          // The order is the station's own.
          return {
            getVariableResult: results.map((item) => ({ ...item, attributeValue: '1' })).toReversed(),
          };
        case 'SetVariables':
          return {
            setVariableResult: results.map(({ component, variable, attributeStatus }) => ({
              component,
              variable,
              attributeStatus,
            })),
          };
        case 'SetVariableMonitoring':
          return {
            setMonitoringResult: (items as Named[]).map(({ component, variable }, index) => ({
              id: taken.length * 10 + index,
              type: monitor.type,
              severity: monitor.severity,
              component,
              variable,
              status: 'Accepted',
            })),
          };
        case 'ClearVariableMonitoring':
          return { clearMonitoringResult: (items as number[]).map((id) => ({ id, status: 'Accepted' })) };
        default:
          return { status: taken.length === 1 ? 'EmptyResultSet' : 'Accepted' };
      }
    });
    const command = (wanted: ChargerCommand, timeoutMs?: number) =>
      rig.command(charger.uid, wanted, timeoutMs);
    return { charger, client, taken, asked, command };
  };

  const getThree = { type: 'get-variables', variables: ['A', 'B', 'C'].map(selector) } as const;
  const setThree = {
    type: 'set-variables',
    variables: ['A', 'B', 'C'].map((name) => ({ ...selector(name), value: name })),
  } as const;

  await t.test('sends one variable per message to a station that accepts one (B06.FR.05)', async (t) => {
    const { taken, asked, command } = await station({ 'DeviceDataCtrlr.ItemsPerMessage[GetVariables]': 1 });
    const reply = await command(getThree);
    t.same(sizes(taken), [1, 1, 1]);
    t.same(
      reply.ok && reply.result.variables,
      ['A', 'B', 'C'].map((name) => ({ ...selector(name), status: 'Accepted', value: '1' })),
    );
    await command(getThree);
    t.same(sizes(taken), [1, 1, 1, 1, 1, 1]);
    t.same(
      asked,
      ['ItemsPerMessage', 'BytesPerMessage'].map((name) => `DeviceDataCtrlr.${name}[GetVariables]`),
      'the station receives one request for its limits',
    );
  });

  await t.test('returns results in the order of the request', async (t) => {
    const { taken, command } = await station({ 'DeviceDataCtrlr.ItemsPerMessage[GetVariables]': 2 });
    const reply = await command(getThree);
    t.same(sizes(taken), [2, 1]);
    t.same(reply.ok && reply.result.variables?.map(({ variable }) => variable), ['A', 'B', 'C']);
  });

  await t.test('applies the limit to settings that are read by key', async (t) => {
    const { taken, command } = await station({ 'DeviceDataCtrlr.ItemsPerMessage[GetVariables]': 2 });
    const keys = ['TxCtrlr.A', 'TxCtrlr.B', 'TxCtrlr.C'];
    const reply = await command({ type: 'get-configuration', keys });
    t.same(sizes(taken), [2, 1]);
    t.same(reply.ok && reply.result.settings?.map(({ key }) => key), keys);
  });

  await t.test('sends no more bytes than the station accepts', async (t) => {
    const bytes = 420;
    const { taken, command } = await station({
      'DeviceDataCtrlr.ItemsPerMessage[SetVariables]': 50,
      'DeviceDataCtrlr.BytesPerMessage[SetVariables]': bytes,
    });
    const variables = Array.from({ length: 8 }, (_, n) => ({ ...selector(`V${n}`), value: 'ä'.repeat(20) }));
    const reply = await command({ type: 'set-variables', variables });
    t.match(reply, { ok: true, result: { accepted: true } });
    t.ok(taken.length > 1 && taken.length < 8, `${taken.length} messages`);
    for (const message of taken) t.ok(message.bytes <= bytes, `${message.bytes} bytes`);
    t.same(
      reply.ok && reply.result.variables?.map(({ variable }) => variable),
      variables.map(({ variable }) => variable),
    );
  });

  await t.test('requests no limit that the station has reported', async (t) => {
    const { client, taken, asked, command } = await station({});
    await client.call('NotifyReport', {
      requestId: 1,
      generatedAt: new Date().toISOString(),
      seqNo: 0,
      reportData: [
        {
          component: { name: 'DeviceDataCtrlr' },
          variable: { name: 'ItemsPerMessage', instance: 'SetVariables' },
          variableAttribute: [{ value: '2', mutability: 'ReadOnly' }],
        },
      ],
    });
    t.match(await command(setThree), { ok: true, result: { accepted: true } });
    t.same([sizes(taken), asked], [[2, 1], []]);
  });

  await t.test('sends twenty items to a station that states no limit', async (t) => {
    const { taken, command } = await station({});
    const variables = Array.from({ length: 45 }, (_, n) => selector(`V${n}`));
    t.match(await command({ type: 'get-variables', variables }), { ok: true });
    t.same(sizes(taken), [20, 20, 5]);
  });

  for (const [action, list, items, result] of [
    ['GetReport', 'componentVariable', ['A', 'B', 'C'].map(named), { status: 'Accepted' }],
    ['GetMonitoringReport', 'componentVariable', ['A', 'B', 'C'].map(named), { status: 'Accepted' }],
    [
      'SetVariableMonitoring',
      'setMonitoringData',
      ['A', 'B', 'C'].map((name) => ({ ...named(name), ...monitor })),
      { setMonitoringResult: [10, 20, 30].map((id) => ({ id })) },
    ],
    [
      'ClearVariableMonitoring',
      'id',
      [7, 8, 9],
      { clearMonitoringResult: [7, 8, 9].map((id) => ({ id, status: 'Accepted' })) },
    ],
  ] as const) {
    await t.test(`${action} respects the limit of its list`, async (t) => {
      const controller = action.includes('VariableMonitoring') ? 'MonitoringCtrlr' : 'DeviceDataCtrlr';
      const instance = action === 'GetMonitoringReport' ? 'GetReport' : action;
      const { taken, command } = await station({ [`${controller}.ItemsPerMessage[${instance}]`]: 1 });
      const request = action.startsWith('Get') ? { requestId: 7 } : {};
      const reply = await command({ type: 'ocpp', action, payload: { ...request, [list]: items } });
      t.same(sizes(taken), [1, 1, 1]);
      t.match(reply, { ok: true, action, result: { accepted: true, payload: result } });
    });
  }

  await t.test('reports the earlier results when a later part fails', async (t) => {
    const { command } = await station({ 'DeviceDataCtrlr.ItemsPerMessage[SetVariables]': 1 }, 2);
    const reply = await command(setThree);
    t.match(reply, { ok: false, code: 'CHARGER_REFUSED', message: /answered 2 of 3 items/ });
    t.same(reply.ok ? null : reply.details, {
      answered: ['A', 'B'].map((name) => ({ ...selector(name), status: 'Accepted', value: null })),
      answeredItems: 2,
      unansweredItems: 1,
    });
  });
});
