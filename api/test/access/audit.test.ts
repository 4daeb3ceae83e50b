import t from 'tap';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { accepted, holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';

void t.test('records actor, address, action and outcome of every command', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api, { name: 'Night shift' });
  const { id } = await register(api, key, { serial: 'CP-1' });
  const send = (path: string, payload?: object) =>
    api.call(key, {
      method: 'POST',
      url: `/cpms/v1/chargers/${id}/${path}`,
      ...(payload !== undefined && { payload }),
    });
  const last = async () => (await sql`select * from audit_log order by id desc limit 1`)[0];

  await send('reboot');
  t.match(await last(), {
    category: 'command',
    action: 'reset',
    description: 'reset: CHARGER_OFFLINE',
    details: { command: { type: 'reset', kind: 'Soft' }, error: { code: 'CHARGER_OFFLINE' } },
  });

  const next: { reply: CommandReply } = { reply: accepted };
  await holdCharger(api, 'CP-1', () => next.reply);
  await send('reboot', { type: 'Hard' });
  const [apiKey] = await sql`select id, uuid from api_keys where name = 'Night shift'`;
  t.match(await last(), {
    at: Date,
    network_id: api.network.id,
    category: 'command',
    action: 'reset',
    resource_id: id,
    resource_name: 'CP-1',
    description: 'reset: accepted (Accepted)',
    details: { command: { kind: 'Hard' }, accepted: true, ocppVersion: '1.6', ocppAction: 'Reset' },
    api_key_id: apiKey?.['id'],
    user_id: apiKey?.['uuid'],
    user_name: 'Night shift',
    ip_address: '127.0.0.1',
  });

  next.reply = { ok: false, code: 'VALIDATION_FAILED', message: 'no' };
  t.equal((await send('ocpp/ClearCache', { nonsense: true })).status, 400);
  t.match(await last(), {
    action: 'ClearCache',
    description: 'ClearCache: VALIDATION_FAILED',
    details: { command: { action: 'ClearCache', payload: { nonsense: true } } },
  });
});

void t.test('waits for the disk with the entry of a change, and not with that of a command', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const key = await mintKey(api);
  await sql`create table commits (action text, setting text)`;
  await sql`
    create function note_commit() returns trigger language plpgsql as $$
    begin
      insert into commits values (new.action, current_setting('synchronous_commit'));
      return null;
    end
    $$`;
  // Deferred: it runs when the transaction commits, with the setting of the commit.
  await sql`
    create constraint trigger commit_is_noted after insert on audit_log deferrable initially deferred
    for each row execute function note_commit()`;
  const { id } = await register(api, key, { serial: 'CP-1' });
  await holdCharger(api, 'CP-1', () => accepted);
  await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot` });
  const commits = await sql<{ action: string; setting: string }[]>`select action, setting from commits`;
  t.same(
    commits.map(({ action, setting }) => [action, setting]),
    [
      ['create', 'on'],
      ['reset', 'off'],
    ],
  );
  const [later] = await sql<{ setting: string }[]>`select current_setting('synchronous_commit') as setting`;
  t.equal(later?.setting, 'on', 'the connection keeps its setting');
});

void t.test('keeps secrets out of the audit log and the log', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const secret = 'Zm9vYmFyc2VjcmV0';
  const commands = [
    ['configuration', { key: 'AuthorizationKey', value: secret }],
    ['configuration', { key: 'SecurityCtrlr.BasicAuthPassword', value: secret }],
    [
      'variables/set',
      { variables: [{ component: 'SecurityCtrlr', variable: 'BasicAuthPassword', value: secret }] },
    ],
    ['firmware/update', { location: `ftp://user:${secret}@files.example/f` }],
    ['ocpp/ChangeConfiguration', { key: 'AuthorizationKey', value: secret }],
    [
      'ocpp/SetVariables',
      {
        setVariableData: [
          {
            component: { name: 'SecurityCtrlr' },
            variable: { name: 'BasicAuthPassword' },
            attributeValue: secret,
          },
        ],
      },
    ],
    ['rotate-password', undefined],
  ] as const;
  for (const [path, payload] of commands) {
    const url = `/cpms/v1/chargers/${id}/${path}`;
    const answer = await api.call(key, { method: 'POST', url, ...(payload !== undefined && { payload }) });
    t.equal(answer.status, 200, answer.text);
  }
  const rotated = taken.map(({ command }) => (command.type === 'set-password' ? command.password : null));
  const password = rotated.at(-1) ?? '';
  t.match(password, /^[0-9a-f]{40}$/);
  const rows = await api.stores.sql<{ row: string }[]>`select audit_log::text as row from audit_log`;
  t.equal(rows.length, 1 + commands.length, 'the creation, and each command');
  const written = rows.map(({ row }) => row).join('\n') + api.log();
  t.notMatch(written, secret);
  t.notMatch(written, password);
});

void t.test('truncates a payload that is too long', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  await holdCharger(api, 'CP-1', () => accepted);
  const payload = { vendorId: 'V', data: 'x'.repeat(100_000) };
  await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/ocpp/DataTransfer`, payload });
  const [row] = await api.stores.sql`
    select details, length(details::text) < 20000 as short from audit_log order by id desc limit 1`;
  t.match(row, { details: { truncated: true, text: /DataTransfer/ }, short: true });
});

void t.test('the audit log is append-only', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await sql`insert into audit_log (category, action, description, details) values ('a', 'b', 'c', '{}')`;
  await t.rejects(sql`update audit_log set action = 'x'`, { message: /append-only/ });
  await t.rejects(sql`delete from audit_log`, { message: /append-only/ });
  await t.rejects(sql`truncate audit_log`, { message: /append-only/ });
  t.match(await sql`select action from audit_log`, [{ action: 'b' }]);
});
