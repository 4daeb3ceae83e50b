import { randomUUID } from 'node:crypto';
import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { answered, connectedCharger } from '#api/test/support/held-charger.ts';

const selector = { component: 'EVSE', evseId: 1, variable: 'Power' };
const wellFormed = [
  ['POST', 'unlock-connector', { connectorNumber: 1 }],
  ['POST', 'change-availability', { connectorNumber: 0, type: 'Operative' }],
  ['GET', 'configuration', undefined],
  ['POST', 'configuration', { key: 'A', value: 'B' }],
  ['POST', 'variables/get', { variables: [selector] }],
  ['POST', 'variables/set', { variables: [{ ...selector, value: '1' }] }],
  ['POST', 'firmware/update', { location: 'https://files.example/f' }],
  ['POST', 'rotate-password', undefined],
  ['POST', 'ocpp/Reset', { type: 'Soft' }],
] as const;

void t.test('no command reaches a charger of another network, nor without a key', async (t) => {
  const api = await startTestApi(t);
  const { taken, ask } = await connectedCharger(api);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reads = [
    ['GET', 'firmware/status', undefined],
    ['GET', 'remote-starts', undefined],
  ] as const;
  for (const [method, path, payload] of [...wellFormed, ...reads]) {
    const foreign = await ask(method, path, payload, other);
    t.match(foreign, { status: 404, json: { error: { code: 'CHARGER_NOT_FOUND' } } }, path);
    t.equal((await ask(method, path, payload, null)).status, 401, path);
    const mine = await ask(method, path, payload);
    t.equal(mine.status, 200, `${path} ${mine.text}`);
  }
  t.equal(taken.length, wellFormed.length, 'only the commands of its own network');
  const [entry] = await api.stores.sql`
    select count(*)::integer as count from audit_log where category = 'command'`;
  t.equal(entry?.['count'], wellFormed.length);
});

void t.test("returns the shard's result of each command", async (t) => {
  const api = await startTestApi(t);
  const next = { reply: answered() };
  const { ask } = await connectedCharger(api, () => next.reply);
  for (const [method, path, payload] of wellFormed) {
    for (const [code, status] of [
      ['CHARGER_OFFLINE', 409],
      ['COMMAND_NOT_SUPPORTED', 409],
      ['CHARGER_REFUSED', 502],
      ['CHARGER_TIMEOUT', 504],
      ['STORE_UNAVAILABLE', 503],
    ] as const) {
      next.reply = { ok: false, code, message: 'why' };
      t.match(await ask(method, path, payload), { status, json: { error: { code, message: 'why' } } }, path);
    }
  }
});

void t.test('unlock-connector and change-availability name the connector as OCPP does', async (t) => {
  const api = await startTestApi(t);
  const next = { reply: answered() };
  const { id, taken, ask } = await connectedCharger(api, () => next.reply);
  await api.stores.sql`
    insert into connectors (charger_id, number, evse_number, evse_connector)
    select id, n, 1, n from chargers, generate_series(1, 2) n`;
  t.match((await ask('POST', 'unlock-connector', { connectorNumber: 2 })).json['data'], {
    chargerId: id,
    connectorNumber: 2,
    accepted: true,
    message: String,
  });
  next.reply = answered({ accepted: false, status: 'UnlockFailed' });
  t.match((await ask('POST', 'unlock-connector', { connectorNumber: 1 })).json['data'], {
    accepted: false,
    message: /UnlockFailed/,
  });
  next.reply = answered({ status: 'Scheduled' });
  const change = { connectorNumber: 0, type: 'Inoperative' };
  t.match((await ask('POST', 'change-availability', change)).json['data'], {
    chargerId: id,
    ...change,
    accepted: true,
    message: /session/,
  });
  await ask('POST', 'change-availability', { connectorNumber: 2, type: 'Operative' });
  t.match(
    taken.map(({ command }) => command),
    [
      { type: 'unlock-connector', position: { evse: 1, connector: 2 } },
      { type: 'unlock-connector', position: { evse: 1, connector: 1 } },
      { type: 'change-availability', position: null, availability: 'Inoperative' },
      { type: 'change-availability', position: { evse: 1, connector: 2 }, availability: 'Operative' },
    ],
  );
  for (const [path, payload] of [
    ['unlock-connector', { connectorNumber: 3 }],
    ['change-availability', { connectorNumber: 3, type: 'Operative' }],
  ] as const) {
    t.match(await ask('POST', path, payload), {
      status: 404,
      json: { error: { code: 'CONNECTOR_NOT_FOUND' } },
    });
  }
});

void t.test('rejects invalid input by field and sends nothing to the charger', async (t) => {
  const api = await startTestApi(t);
  const { taken, ask } = await connectedCharger(api);
  for (const [path, payload, said] of [
    ['unlock-connector', {}, /connectorNumber is required/],
    ['unlock-connector', { connectorNumber: 0 }, /connectorNumber/],
    ['change-availability', { connectorNumber: -1, type: 'Operative' }, /connectorNumber/],
    ['change-availability', { connectorNumber: 1, type: 'Broken' }, /Operative, Inoperative/],
    ['configuration', { key: 'A' }, /value is required/],
    ['configuration', { key: '', value: 'B' }, /key/],
    ['configuration', { key: 'A', value: 'a\0b' }, /without NUL/],
    ['variables/get', { variables: [] }, /variables/],
    ['variables/get', { variables: [{ variable: 'A' }] }, /component is required/],
    ['variables/set', { variables: [selector] }, /value is required/],
    ['variables/set', { variables: [{ ...selector, value: '1', attributeType: 'Past' }] }, /Actual/],
    ['firmware/update', {}, /location or else firmwareVersionId is required/],
    ['firmware/update', { location: 'a', firmwareVersionId: randomUUID() }, /one of the two/],
    ['firmware/update', { location: 'file:///etc/passwd' }, /http:\/\/, https:\/\/, ftp:\/\/ or ftps:\/\//],
    ['firmware/update', { location: 'files.example' }, /http:\/\/, https:\/\/, ftp:\/\/ or ftps:\/\//],
    ['firmware/update', { location: 'https://a.example', retrieveDate: 'soon' }, /retrieveDate/],
    ['firmware/update', { location: 'https://a.example', signing: {} }, /certificate is required/],
    ['ocpp/DataTransfer', { vendorId: 'V', data: 'a\0b' }, /NUL/],
    ['ocpp/DataTransfer', { vendorId: 'V', data: '\ud800' }, /surrogate/],
    ['ocpp/Reset', [], /body/],
    ['ocpp/a-b', {}, /OCPP action/],
  ] as const) {
    t.match(
      await ask('POST', path, payload),
      { status: 400, json: { error: { code: 'VALIDATION_FAILED', message: said } } },
      `${path} ${JSON.stringify(payload)}`,
    );
  }
  t.match(await ask('POST', 'firmware/update', { firmwareVersionId: randomUUID() }), {
    status: 404,
    json: { error: { code: 'FIRMWARE_NOT_FOUND' } },
  });
  t.same(taken, []);
});

void t.test('the configuration has one shape in both versions', async (t) => {
  const api = await startTestApi(t);
  const settings = [
    { key: 'A', value: '1', readonly: true, status: 'Accepted' },
    { key: 'Charger.B', value: null, readonly: null, status: 'Rejected' },
    { key: 'C', value: null, readonly: null, status: 'UnknownKey' },
    { key: 'X.D', value: null, readonly: null, status: 'UnknownVariable' },
  ];
  const next = { reply: answered({ status: null, settings }, '2.0.1') };
  const { id, taken, ask } = await connectedCharger(api, () => next.reply);
  t.same((await ask('GET', 'configuration?keys=A,%20B,A,,C')).json['data'], {
    chargerId: id,
    chargePointId: 'CP-1',
    ocppVersion: '2.0.1',
    result: { settings: settings.slice(0, 2), unknownKeys: ['C', 'X.D'] },
  });
  await ask('GET', 'configuration');
  next.reply = answered({ status: 'RebootRequired' });
  t.same((await ask('POST', 'configuration', { key: 'A', value: '' })).json['data'], {
    chargerId: id,
    chargePointId: 'CP-1',
    ocppVersion: '1.6',
    key: 'A',
    accepted: true,
    result: { status: 'RebootRequired', rebootRequired: true },
  });
  t.same(
    taken.map(({ command }) => command),
    [
      { type: 'get-configuration', keys: ['A', 'B', 'C'] },
      { type: 'get-configuration', keys: [] },
      { type: 'change-configuration', key: 'A', value: '' },
    ],
  );
});

void t.test('all of the configuration is what a charger of 2.0.1 reported', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const settings = ['Ctrlr.Fixed', 'CTRLR.Free[One]', 'Ctrlr.Unheard'].map((key) => ({
    key,
    value: '1',
    readonly: null,
    status: 'Accepted',
  }));
  const { id, taken, ask } = await connectedCharger(api, () => answered({ settings }, '2.0.1'));
  await sql`update chargers set ocpp_version = '2.0.1' where uuid = ${id}`;
  await sql`
    insert into device_variables (charger_id, component, component_instance, evse, connector, variable,
      variable_instance, attribute, mutability, persistent, constant, reported_at)
    select c.id, v.*, true, false, now()
    from chargers c, (values
      ('Ctrlr', '', 0, 0, 'Fixed', '', 'Actual', 'ReadOnly'), ('Ctrlr', '', 0, 0, 'Free', 'One', 'Actual', 'ReadWrite'),
      ('Ctrlr', '', 0, 0, 'Free', 'One', 'MaxSet', 'ReadOnly'), ('Ctrlr', '', 0, 0, 'Secret', '', 'Actual', 'WriteOnly'),
      ('Ctrlr', 'A', 0, 0, 'Fixed', '', 'Actual', 'ReadOnly'), ('EVSE', '', 1, 0, 'Power', '', 'Actual', 'ReadOnly')) v
    where c.uuid = ${id}`;
  t.match((await ask('GET', 'configuration')).json['data'], {
    result: { settings: [{ readonly: true }, { readonly: false }, { readonly: null }] },
  });
  await ask('GET', 'configuration?keys=Other.Key');
  t.match(
    taken.map(({ command }) => command),
    [{ keys: ['Ctrlr.Fixed', 'Ctrlr.Free[One]'] }, { keys: ['Other.Key'] }],
  );
});

void t.test('masks a password or key that a charger reports', async (t) => {
  const api = await startTestApi(t);
  const next = {
    reply: answered({
      settings: [{ key: 'AuthorizationKey', value: 'hush', readonly: false, status: 'Accepted' }],
    }),
  };
  const { ask } = await connectedCharger(api, () => next.reply);
  t.match((await ask('GET', 'configuration')).json['data'], {
    result: { settings: [{ key: 'AuthorizationKey', value: '***' }] },
  });
  const variable = 'BasicAuthPassword';
  const place = { component: 'SecurityCtrlr', componentInstance: null, evseId: null, connectorId: null };
  const result = { ...place, variable, variableInstance: null, attributeType: 'Actual' } as const;
  next.reply = answered({ variables: [{ ...result, status: 'Accepted', value: 'hush' }] }, '2.0.1');
  const asked = { variables: [{ component: 'SecurityCtrlr', variable }] };
  t.match((await ask('POST', 'variables/get', asked)).json['data'], { result: [{ variable, value: '***' }] });
});

void t.test('reads and sets variables one by one', async (t) => {
  const api = await startTestApi(t);
  const full = {
    component: 'EVSE',
    componentInstance: null,
    evseId: 1,
    connectorId: null,
    variable: 'Power',
    variableInstance: null,
    attributeType: 'Actual',
  } as const;
  const variables = [{ ...full, status: 'Accepted', value: '11000' }];
  const next = { reply: answered({ status: null, variables }, '2.0.1') };
  const { id, taken, ask } = await connectedCharger(api, () => next.reply);
  const spoken = { chargerId: id, chargePointId: 'CP-1', ocppVersion: '2.0.1' };
  t.same((await ask('POST', 'variables/get', { variables: [selector] })).json['data'], {
    ...spoken,
    result: variables,
  });
  const refused = [{ ...full, status: 'Rejected', value: null }];
  next.reply = answered({ accepted: false, status: null, variables: refused }, '2.0.1');
  t.same((await ask('POST', 'variables/set', { variables: [{ ...selector, value: '7' }] })).json['data'], {
    ...spoken,
    accepted: false,
    result: [{ ...full, status: 'Rejected' }],
  });
  t.match(
    taken.map(({ command }) => command),
    [
      { type: 'get-variables', variables: [full] },
      { type: 'set-variables', variables: [{ ...full, value: '7' }] },
    ],
  );
});

void t.test('returns the raw answer of any OCPP action, and the error of an invalid one', async (t) => {
  const api = await startTestApi(t);
  const next = { reply: answered({ status: null, payload: { listVersion: 3, more: [1] } }, '2.0.1') };
  const { id, taken, ask } = await connectedCharger(api, () => next.reply);
  t.same((await ask('POST', 'ocpp/GetLocalListVersion', {})).json['data'], {
    chargerId: id,
    ocppVersion: '2.0.1',
    action: 'GetLocalListVersion',
    accepted: true,
    status: null,
    result: { listVersion: 3, more: [1] },
    message: 'The charger accepted.',
  });
  t.match(taken, [
    { timeoutMs: 30_000, command: { type: 'ocpp', action: 'GetLocalListVersion', payload: {} } },
  ]);
  next.reply = { ok: false, code: 'ACTION_UNKNOWN', message: 'no', details: { actions: ['Reset'] } };
  t.match(await ask('POST', 'ocpp/Nonsense', {}), {
    status: 400,
    json: { error: { code: 'ACTION_UNKNOWN', details: { actions: ['Reset'] } } },
  });
  next.reply = {
    ok: false,
    code: 'VALIDATION_FAILED',
    message: 'no',
    details: { errors: [{ field: 'type', message: 'is missing' }] },
  };
  t.match(await ask('POST', 'ocpp/Reset', {}), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'type' }] } } },
  });
});
