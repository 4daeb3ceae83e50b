import { parse } from 'csv-parse/sync';
import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { inNetwork, setStatus } from '#api/test/roaming/support/pushing.ts';
import { addFeed, datexErrors, getFile, irveFaults, publicPlace } from './support.ts';

const shared = await startTestApi(t);
const rows = (csv: string) => parse(csv, { relax_column_count: true });

void t.test('publishes GeoJSON with states and prices, without a key', async (t) => {
  const api = await inNetwork(shared);
  const { location, evses } = await publicPlace(api);
  const file = await getFile(api, await addFeed(api, 'geojson'));
  t.match(file, {
    statusCode: 200,
    headers: { 'content-type': 'application/geo+json', 'access-control-allow-origin': '*' },
  });
  t.match(file.json(), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: location.uuid,
        geometry: { type: 'Point', coordinates: [4.5, 51.9] },
        properties: {
          name: 'Harbour <"& Co">, quay 1',
          maxPowerW: 22_080,
          evses: [
            {
              uid: evses[0]?.uid,
              status: 'AVAILABLE',
              connectors: [
                {
                  type: 'IEC_62196_T2',
                  price: {
                    currency: 'EUR',
                    components: [{ dimension: 'ENERGY', price: 0.48, vatPercent: 20, isRestricted: false }],
                  },
                },
              ],
            },
            {},
          ],
        },
      },
    ],
  });
});

void t.test('publishes a summary with free EVSEs and the lowest price', async (t) => {
  const api = await inNetwork(shared);
  await publicPlace(api);
  const file = await getFile(api, await addFeed(api, 'summary'));
  t.match(file.json(), {
    locations: [{ evses: 2, available: 1, maxPowerKw: 22.08, pricePerKwh: 0.48, currency: 'EUR' }],
  });
});

void t.test('publishes files that are valid by the French schema', async (t) => {
  const api = await inNetwork(shared);
  const { charger } = await publicPlace(api);
  const ocpiId = 'FRA68P68021001';
  await api.stores.sql`update locations set given_ocpi_id = ${ocpiId} where network_id = ${api.network.id}`;
  await setStatus(api, charger.id, 'Faulted', 2);
  const fixed = rows((await getFile(api, await addFeed(api, 'irve-static'))).body);
  t.same(irveFaults(fixed, 'statique'), []);
  const [header = [], first = []] = fixed;
  const values = Object.fromEntries(header.map((name, index) => [name, first[index]]));
  t.match(values, {
    id_station_itinerance: ocpiId,
    id_pdc_itinerance: 'FRA68E68021001',
    nom_station: 'Harbour <"& Co">, quay 1',
    implantation_station: 'Voirie',
    puissance_nominale: '22.08',
    prise_type_2: 'true',
    prise_type_autre: 'false',
    horaires: '24/7',
    tarification: '0.48 EUR/kWh',
    nbre_pdc: '2',
  });
  const states = rows((await getFile(api, await addFeed(api, 'irve-dynamic'))).body);
  t.same(irveFaults(states, 'dynamique'), []);
  t.same(
    states.slice(1).map(([id, state, occupation, , type2]) => [id, state, occupation, type2]),
    [
      ['FRA68E68021001', 'en_service', 'libre', 'fonctionnel'],
      ['FRA68E68021002', 'hors_service', 'inconnu', 'hors_service'],
    ],
  );
});

void t.test('publishes XML that is valid by the schemas of DATEX II', async (t) => {
  const api = await inNetwork(shared);
  const { evses, location } = await publicPlace(api);
  const { sql } = api.stores;
  const energyMix = { isGreenEnergy: true, energySources: [{ source: 'SOLAR', percentage: 100 }] };
  const week = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, periodBegin: '08:00', periodEnd: '20:00' }));
  await sql`
    update locations set energy_mix = ${sql.json(energyMix)},
      opening_times = ${sql.json({ twentyFourSeven: false, regularHours: week })}
    where id = ${location.id}`;
  const table = await getFile(api, await addFeed(api, 'datex-table'));
  t.equal(table.headers['content-type'], 'application/xml; charset=utf-8');
  t.same(await datexErrors(table.body), []);
  t.match(table.body, 'Harbour &lt;&quot;&amp; Co&quot;&gt;, quay 1');
  t.match(table.body, '<aegi:value>0.48</aegi:value>');
  const states = await getFile(api, await addFeed(api, 'datex-status'));
  t.same(await datexErrors(states.body), []);
  t.match(states.body, `id="${evses[0]?.uid}"></afac:reference>`);
  t.match(states.body, '<aegi:status>available</aegi:status>');
  const spoiled = states.body.replace('available</aegi:status>', 'free</aegi:status>');
  t.ok((await datexErrors(spoiled)).length > 0, 'a wrong state is found');
});

void t.test('publishes an empty file of each format for a network without locations', async (t) => {
  const api = await inNetwork(shared);
  t.same((await getFile(api, await addFeed(api, 'geojson'))).json(), {
    type: 'FeatureCollection',
    features: [],
  });
  t.match((await getFile(api, await addFeed(api, 'summary'))).json(), { locations: [] });
  t.same(irveFaults(rows((await getFile(api, await addFeed(api, 'irve-static'))).body), 'statique'), []);
  t.same(await datexErrors((await getFile(api, await addFeed(api, 'datex-status'))).body), []);
});
