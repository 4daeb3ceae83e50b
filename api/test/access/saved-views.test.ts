import t from 'tap';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/saved-views';
const view = { name: 'Faulted', page: 'chargers', query: { state: 'faulted', columns: ['uid', 'state'] } };

interface Saved {
  id: string;
}

async function save(api: TestApi, key: string, changed: object = {}): Promise<Saved> {
  const answer = await api.call(key, { method: 'POST', url, payload: { ...view, ...changed } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data'] as unknown as Saved;
}

async function list(api: TestApi, key: string, query = ''): Promise<Saved[]> {
  return (await api.call(key, { url: `${url}${query}` })).json['data'] as unknown as Saved[];
}

void t.test('saves, changes, lists and deletes a view of the caller', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const saved = await save(api, key);
  t.match(saved, { ...view, isOwn: true, ownerName: 'test', sharedWithNetworkId: null });
  t.strictSame(await list(api, key), [saved]);
  t.strictSame(await list(api, key, '?page=sessions'), []);
  const path = `${url}/${saved.id}`;
  const change = { name: 'Broken', sharedWithNetworkId: api.network.uuid };
  const changed = await api.call(key, { method: 'PATCH', url: path, payload: change });
  t.match(changed, { status: 200, json: { data: { ...change, page: 'chargers', query: view.query } } });
  const renamed = await api.call(key, { method: 'PATCH', url: path, payload: { name: 'Again' } });
  t.match(renamed.json['data'], { name: 'Again', sharedWithNetworkId: api.network.uuid });
  t.match(await api.call(key, { method: 'DELETE', url: path }), {
    status: 200,
    json: { data: { deleted: true } },
  });
  t.match(await api.call(key, { method: 'DELETE', url: path }), { status: 404 });
  t.strictSame(await list(api, key), []);
});

void t.test(
  'shows a view to callers of the network that it is shared with, who cannot change it',
  async (t) => {
    const api = await startTestApi(t);
    const owner = await mintKey(api);
    const colleague = await mintKey(api);
    const stranger = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const own = await save(api, owner);
    const shared = await save(api, owner, { sharedWithNetworkId: api.network.uuid });
    t.match(await list(api, colleague), [{ id: shared.id, isOwn: false }]);
    t.strictSame(await list(api, stranger), []);
    const missing = { status: 404, json: { error: { code: 'SAVED_VIEW_NOT_FOUND' } } };
    for (const { id } of [own, shared]) {
      for (const key of [colleague, stranger]) {
        t.match(
          await api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload: { name: 'Mine' } }),
          missing,
        );
        t.match(await api.call(key, { method: 'DELETE', url: `${url}/${id}` }), missing);
      }
    }
    const payload = { ...view, sharedWithNetworkId: api.otherNetwork.uuid };
    t.match(await api.call(owner, { method: 'POST', url, payload }), {
      status: 404,
      json: { error: { code: 'NETWORK_NOT_FOUND' } },
    });
    t.equal((await api.call(null, { url })).status, 401);
  },
);

void t.test('changes more shared views at once than the pool has connections', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const shared = { sharedWithNetworkId: api.network.uuid };
  const views = await Promise.all(Array.from({ length: 12 }, () => save(api, key, shared)));
  const answers = await Promise.all(
    views.map(({ id }) =>
      api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload: { name: 'Again' } }),
    ),
  );
  t.strictSame(
    answers.filter(({ status }) => status !== 200),
    [],
  );
});

void t.test('rejects views that are no views', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const own = await save(api, key);
  for (const payload of [
    { ...view, page: 'nowhere' },
    { ...view, name: '' },
    { ...view, query: [] },
    { ...view, query: { text: 'x'.repeat(8192) } },
    { ...view, colour: 'red' },
  ]) {
    const refused = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };
    t.match(await api.call(key, { method: 'POST', url, payload }), refused);
    t.match(await api.call(key, { method: 'PATCH', url: `${url}/${own.id}`, payload }), refused);
  }
  t.equal((await list(api, key)).length, 1);
});
