import t from 'tap';
import { asResponse, InvalidPayload } from '#shared/ocpp/validators.ts';

const readSettings = (entry: object, more: object = {}) =>
  asResponse('1.6', 'GetConfiguration', {
    configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }, entry],
    ...more,
  });

void t.test('returns what is readable of a response with odd fields (F7)', async (t) => {
  const first = { key: 'HeartbeatInterval', readonly: false, value: '60' };
  for (const [entry, readable] of [
    [
      { key: 'A', readonly: 0, value: '1' },
      { key: 'A', readonly: false, value: '1' },
    ],
    [
      { key: 'A', readonly: 'TRUE', value: '1' },
      { key: 'A', readonly: true, value: '1' },
    ],
    [
      { key: 'A', value: '1' },
      { key: 'A', readonly: false, value: '1' },
    ],
    [
      { key: 'A', readonly: true, value: 60 },
      { key: 'A', readonly: true, value: '60' },
    ],
    [
      { key: 'A', readonly: true, value: true },
      { key: 'A', readonly: true, value: 'true' },
    ],
    [
      { key: 'A', readonly: true, value: null },
      { key: 'A', readonly: true },
    ],
    [
      { key: 'A', readonly: true, value: { nested: 1 } },
      { key: 'A', readonly: true },
    ],
  ]) {
    t.strictSame(readSettings(entry ?? {}), { configurationKey: [first, readable] }, JSON.stringify(entry));
  }
  t.strictSame(
    readSettings({ readonly: true, value: '1' }),
    { configurationKey: [first] },
    'an entry without its key',
  );
  t.strictSame(readSettings({ key: 'A', readonly: true }, { unknownKey: null }), {
    configurationKey: [first, { key: 'A', readonly: true }],
  });
});

void t.test('reads a response of null, and statuses in another case, in both versions', async (t) => {
  t.strictSame(asResponse('1.6', 'UpdateFirmware', null), {});
  for (const said of ['accepted', 'ACCEPTED', ' Accepted ']) {
    t.strictSame(asResponse('1.6', 'RemoteStartTransaction', { status: said }), { status: 'Accepted' });
    t.match(asResponse('2.0.1', 'RequestStartTransaction', { status: said }), { status: 'Accepted' });
  }
  t.strictSame(asResponse('1.6', 'ChangeConfiguration', { status: 'reboot_required' }), {
    status: 'RebootRequired',
  });
  t.strictSame(asResponse('1.6', 'UnlockConnector', { status: 'NOTSUPPORTED' }), { status: 'NotSupported' });
  t.match(
    asResponse('2.0.1', 'RequestStartTransaction', {
      status: 'Accepted',
      transactionId: 17,
      statusInfo: null,
    }),
    { status: 'Accepted', transactionId: '17' },
  );
});

void t.test('reads the same fault in each of many entries', async (t) => {
  const configurationKey = Array.from({ length: 300 }, (_, n) => ({ key: `K${n}`, value: n }));
  const { configurationKey: entries } = asResponse('1.6', 'GetConfiguration', { configurationKey });
  t.equal(entries?.length, 300);
  t.strictSame(entries?.[299], { key: 'K299', value: '299', readonly: false });
});

void t.test('never takes an unreadable status of a result for accepted', async (t) => {
  const result = { component: { name: 'C' }, variable: { name: 'V' } };
  for (const attributeStatus of ['Sure', null, 7, undefined]) {
    const setVariableResult = [
      { ...result, attributeStatus: 'Accepted' },
      { ...result, attributeStatus },
    ];
    const { setVariableResult: read } = asResponse('2.0.1', 'SetVariables', { setVariableResult });
    t.strictSame(
      read.map((entry) => entry.attributeStatus),
      ['Accepted', 'Rejected'],
    );
  }
});

void t.test('never takes an unreadable status for accepted', async (t) => {
  for (const payload of [
    null,
    {},
    { status: null },
    { status: 1 },
    { status: 'Yes' },
    { status: ['Accepted'] },
    'Accepted',
    [],
  ]) {
    for (const version of ['1.6', '2.0.1'] as const) {
      t.throws(() => asResponse(version, 'ClearCache', payload), InvalidPayload, JSON.stringify(payload));
    }
  }
});
