import t from 'tap';
import { items, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';

const url = '/cpms/v1/tariffs';
const assignmentsUrl = '/cpms/v1/tariff-assignments';

void t.test('counts the assignments of listed tariffs and names their targets', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { uuid: locationUuid } = await addLocation(sql, api.network.id);
  const { id: chargerUuid } = await register(api, key, { serial: 'CP-1', locationUuid });
  const made = await api.call(key, {
    method: 'POST',
    url: `/cpms/v1/chargers/${chargerUuid}/connectors`,
    payload: { connectorNumber: 2 },
  });
  const elements = [{ price_components: [{ type: 'ENERGY', price: 0.4, step_size: 1 }] }];
  const tariff = async (name: string) => {
    const { json } = await api.call(key, { method: 'POST', url, payload: { name, elements } });
    return json['data']?.['id'] as unknown as string;
  };
  const used = await tariff('Used');
  const unused = await tariff('Unused');
  const assign = async (tariffUuid: string, target: object) => {
    const payload = { tariffUuid, ...target };
    const { status, json, text } = await api.call(key, { method: 'POST', url: assignmentsUrl, payload });
    t.equal(status, 201, text);
    return json['data']?.['id'] as unknown as string;
  };
  const ended = await assign(unused, { locationUuid });
  await assign(used, { networkUuid: api.network.uuid });
  await assign(used, { chargerUuid });
  await assign(used, { connectorUuid: made.json['data']?.['id'] });
  await api.call(key, { method: 'DELETE', url: `${assignmentsUrl}/${ended}` });
  await assign(used, { locationUuid, validFrom: '2034-01-01T00:00:00Z' });

  const [location] = await sql<{ name: string }[]>`select name from locations where uuid = ${locationUuid}`;
  const [network] = await sql<{ name: string }[]>`select name from networks where id = ${api.network.id}`;
  const { json } = await api.call(key, { url: `${assignmentsUrl}?tariffUuid=${used}` });
  t.match(json['data'], [
    { level: 'NETWORK', targetName: network?.name, connectorNumber: null },
    { level: 'CHARGER', targetName: 'CP-1', connectorNumber: null },
    { level: 'CONNECTOR', targetName: 'CP-1', connectorNumber: 2 },
    { level: 'LOCATION', targetName: location?.name, connectorNumber: null },
  ]);

  const counted = async (query: string) =>
    items((await api.call(key, { url: `${url}${query}` })).json['data']).map(
      ({ id, assignments }) => [id, assignments] as unknown,
    );
  const all = [used, { network: 1, location: 1, charger: 1, connector: 1 }];
  const none = [unused, { network: 0, location: 0, charger: 0, connector: 0 }];
  t.strictSame(await counted(''), [all, none]);
  t.strictSame(await counted('?isAssigned=true'), [all]);
  t.strictSame(await counted('?isAssigned=false'), [none]);
  t.equal((await api.call(key, { url: `${url}?isAssigned=maybe` })).status, 400);
});
