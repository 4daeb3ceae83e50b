import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { mintKey } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';

void t.test('shows a change at once in a session that was read before', async (t) => {
  const { api, keys, charge, run, chargerUuid, locationUuid } = await billingScene(t);
  const { sql } = api.stores;
  const operator = await mintKey(api);
  const show = async (id: string) => {
    const driver = await api.call(keys.operator, { url: `/emsp/v1/charging/sessions/${id}` });
    const cpms = await api.call(operator, { url: `/cpms/v1/sessions/${id}` });
    t.strictSame([driver.status, cpms.status], [200, 200], driver.text + cpms.text);
    return { driver: driver.json, cpms: cpms.json['data'], etag: cpms.headers['etag'] };
  };
  const id = await charge();
  const first = await show(id);
  t.strictSame(await show(id), first, 'a repeated read has the same response');
  t.equal(first.etag, '"1"');
  t.strictSame(await show(id.toUpperCase()), first);

  const elsewhere = await addLocation(sql, api.network.id, { name: 'Market' });
  await sql`update locations set name = 'Pier' where uuid = ${locationUuid}`;
  const renamed = await show(id);
  t.match([renamed.driver, renamed.cpms], [{ locationName: 'Pier' }, { locationName: 'Pier' }]);
  await sql`update chargers set location_id = ${elsewhere.id} where uuid = ${chargerUuid}`;
  t.match((await show(id)).driver, { locationName: 'Market' });

  const amended = await api.call(operator, {
    method: 'POST',
    url: `/cpms/v1/sessions/${id}/amend`,
    headers: { 'if-match': '"1"' },
    payload: { reason: 'a test', energyKwh: 7.5 },
  });
  t.equal(amended.status, 200, amended.text);
  const corrected = await show(id);
  t.match(corrected.driver, { energyKwh: 7.5 });
  t.match(corrected.cpms, { energyKwh: 7.5, revisions: [{ reason: 'a test' }] });
  t.equal(corrected.etag, '"2"');

  const running = await run();
  t.match((await show(running)).driver, { energyKwh: 0 });
  await sql`update sessions set energy_wh = 1234, started_at = started_at - interval '1 hour' where uuid = ${running}`;
  const { driver } = await show(running);
  t.match(driver, { energyKwh: 1.234 });
  t.ok(Number(driver['durationSeconds']) >= 3600);
});

void t.test('hides a session that others have read from callers who do not see it', async (t) => {
  const { api, keys, charge } = await billingScene(t);
  const { sql } = api.stores;
  const id = await charge();
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const own = await mintKey(api, { networkIds: [api.network.id] });
  const url = `/emsp/v1/charging/sessions/${id}`;
  const operatorUrl = `/cpms/v1/sessions/${id}`;
  const statuses = async () => {
    const asked = [
      [keys.operator, url],
      [keys.driver, url],
      [own, operatorUrl],
      [keys.otherDriver, url],
      [keys.elsewhere, url],
      [foreign, operatorUrl],
    ] as const;
    return Promise.all(asked.map(async ([key, path]) => (await api.call(key, { url: path })).status));
  };
  for (let n = 0; n < 3; n++) t.strictSame(await statuses(), [200, 200, 200, 404, 404, 404]);
  await sql`update sessions set network_id = ${api.otherNetwork.id} where uuid = ${id}`;
  t.strictSame(
    await statuses(),
    [404, 404, 404, 404, 200, 200],
    'the session belongs to another network now',
  );
});
