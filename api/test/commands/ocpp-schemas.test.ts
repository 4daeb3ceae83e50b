import { readFileSync } from 'node:fs';
import t from 'tap';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import { type SchemaFile, schemaFiles } from '#shared/ocpp/published-schemas.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/ocpp-schemas';

void t.test('lists the actions that can be sent, with a summary', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const answer = await api.call(key, { url });
  t.equal(answer.status, 200);
  t.match(answer.headers, { 'cache-control': 'private, max-age=3600' });
  const versions = items(answer.json['data']);
  t.same(
    versions.map(({ version }) => version),
    ['1.6', '2.0.1', '2.1'],
  );
  for (const { actions } of versions) {
    for (const one of items(actions)) t.match(one, { action: /^[A-Z]/, summary: /^[A-Z].*\.$/ });
  }
  const names = items(versions[0]?.['actions']).map(({ action }) => action);
  t.same(
    names,
    actionsOf('1.6').filter((action) => directionOf('1.6', action) !== 'charger'),
  );
});

/** Returns the names of definitions that a schema refers to. */
const referred = (schema: unknown) =>
  [...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name ?? '');

void t.test('returns the schemas of each action as their source has them, complete', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const version of ['1.6', '2.0.1'] as const) {
    const source = JSON.parse(readFileSync(schemaFiles[version], 'utf8')) as SchemaFile;
    for (const action of actionsOf(version)) {
      if (directionOf(version, action) === 'charger') continue;
      const { json } = await api.call(key, { url: `${url}/${version}/${action}` });
      t.match(json['data'], { version, action });
      for (const [side, name] of [
        ['request', `${action}Request`],
        ['response', `${action}Response`],
      ] as const) {
        const schema = json['data']?.[side] as unknown as { definitions?: Record<string, unknown> };
        const message = source.messages[name];
        t.ok(message, `${version} ${name} is published`);
        t.same({ ...schema, definitions: null }, { ...message, definitions: null }, `${version} ${name}`);
        for (const definition of referred(schema)) {
          t.same(schema.definitions?.[definition], source.definitions[definition], definition);
        }
      }
    }
  }
});

void t.test('refuses unknown actions and versions, and callers without the scope', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const unknown = { status: 400, json: { error: { code: 'ACTION_UNKNOWN' } } };
  t.match(await api.call(key, { url: `${url}/1.6/Heartbeat` }), unknown, 'sent by chargers');
  t.match(await api.call(key, { url: `${url}/1.6/SetVariables` }), unknown, 'of another version');
  t.match(await api.call(key, { url: `${url}/2.0.1/constructor` }), unknown);
  t.match(await api.call(key, { url: `${url}/3.0/Reset` }), unknown);
  const narrow = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  for (const path of ['', '/1.6/Reset']) {
    t.match(await api.call(narrow, { url: url + path }), { status: 403 });
    t.match(await api.call(null, { url: url + path }), { status: 401 });
  }
});
