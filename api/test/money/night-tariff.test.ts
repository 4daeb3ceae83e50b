import t from 'tap';
import { items, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';

const tokyo = {
  name: 'Shibuya',
  address: 'Dogenzaka 1',
  city: 'Tokyo',
  country: 'JPN',
  coordinates: { latitude: 35.66, longitude: 139.7 },
};

const energyAt = (price: number) => ({ type: 'ENERGY', price, vat: 21, step_size: 1 });

const nightTariff = {
  name: 'Night',
  elements: [
    { price_components: [energyAt(0.1)], restrictions: { start_time: '22:00', end_time: '06:00' } },
    { price_components: [energyAt(0.4)] },
  ],
};

/** Returns a time of day of two days ago (UTC). */
function recent(time: string): Date {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  return new Date(`${day}T${time}Z`);
}

// 14:00 UTC is 23:00 in Tokyo and 9:00 or 10:00 in New York; 23:00 UTC is 8:00 in Tokyo and evening in New York.
void t.test('a night tariff applies at night at the location, not in the zone of the network', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await sql`update networks set time_zone = 'America/New_York' where id = ${api.network.id}`;
  const key = await mintKey(api);
  const post = async (url: string, payload: object) => {
    const { status, json } = await api.call(key, { method: 'POST', url: `/cpms/v1${url}`, payload });
    t.ok(status < 300, `${url} ${JSON.stringify(json['error'])}`);
    return json['data'] ?? {};
  };
  const location = await post('/locations', tokyo);
  t.equal(location['timeZone'], 'Asia/Tokyo');
  const charger = await register(api, key, { serial: 'CP-1' });
  await sql`
    update chargers set location_id = (select id from locations where uuid = ${location['id'] as unknown as string})
    where uuid = ${charger.id}`;
  const tariff = await post('/tariffs', nightTariff);
  await post('/tariff-assignments', { tariffUuid: tariff['id'], locationUuid: location['id'] });

  const unitPrice = async (startedAt: Date) => {
    const session = await startSession(sql, { chargerUuid: charger.id, startedAt });
    await endSession(sql, session, 10_000);
    const { json } = await api.call(key, { url: `/cpms/v1/sessions/${session.uuid}/price` });
    t.match(json['data'], { tariff: { timeZone: 'Asia/Tokyo' } });
    return items(json['data']?.['components']).map((component) => component['unitPrice']);
  };
  await sql`update tariff_assignments set valid_from = now() - interval '30 days'`;
  t.strictSame(await unitPrice(recent('14:00:00')), ['0.1']);
  t.strictSame(await unitPrice(recent('23:00:00')), ['0.4']);
});
