import t from 'tap';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { makePartner, ocpi } from './support/partner.ts';
import { example } from './support/standard/examples.ts';
import { misfits, type Shape } from './support/standard/shape.ts';
import { exampleOf } from './support/versions/examples.ts';
import * as shapes211 from './support/versions/shapes-211.ts';
import * as shapes230 from './support/versions/shapes-230.ts';

const optional = (shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, [, kind]]) => [name, ['?', kind] as const]));

/** Examples of 2.1.1 with their classes, and in what they differ from these: the release has the faults. */
const published211: [name: string, shape: Shape, faults: string[]][] = [
  ['location', shapes211.Location, []],
  ['tariff', shapes211.Tariff, []],
  ['token', shapes211.Token, []],
  ['credentials', shapes211.Credentials, []],
  ['version-details', shapes211.VersionDetails, ['.version: "2.0"']],
  ['session-start', shapes211.Session, ['.location.country: "BE"']],
  ['session-finished', shapes211.Session, ['.location.country: "BE"']],
  ['session-patch', optional(shapes211.Session), []],
  [
    'cdr',
    shapes211.Cdr,
    [
      '.location.type: "on_street"',
      '.location.country: "BE"',
      '.location.evses.0.STATUS: not in the standard',
      '.location.evses.0.status: missing',
      '.tariffs.0.elements.0.last_updated: not in the standard',
      '.tariffs.0.elements.0.price_components.0.price: "2.00"',
      '.tariffs.0.last_updated: missing',
    ],
  ],
];

for (const [name, shape, faults] of published211) {
  void t.test(`holds the objects of 2.1.1 to the form of the example ${name}`, async (t) => {
    t.strictSame(misfits(exampleOf('211', name), shape), faults);
  });
}

/** As `published211`, of 2.3.0. */
const published230: [name: string, shape: Shape, faults?: string[]][] = [
  ['cdr', shapes230.Cdr, ['.tariffs.0.tax_included: missing']],
  ['session-finished', shapes230.Session],
  ['session-patch', optional(shapes230.Session)],
  ['tariff-complex', shapes230.Tariff],
  ['tariff-max-price', shapes230.Tariff],
  ['tariff-reservation', shapes230.Tariff],
  ['tariff-tax-excluded', shapes230.Tariff],
  ['tariff-tax-included', shapes230.Tariff],
];

for (const [name, shape, faults = []] of published230) {
  void t.test(`holds the objects of 2.3.0 to the form of the example ${name}`, async (t) => {
    t.strictSame(misfits(exampleOf('230', name), shape), faults);
  });
}

void t.test('converts the CDR of the example of 2.2.1 to the amounts of the other examples', async (t) => {
  const stored = example('cdr') as unknown as Cdr;
  const { total_cost, total_time_cost, total_energy, total_time, cdr_token } = exampleOf('230', 'cdr');
  t.match(serializerFor('2.3.0').cdr(stored), {
    total_cost,
    total_time_cost,
    total_energy,
    total_time,
    cdr_token,
  });
  const former = exampleOf('211', 'cdr');
  t.match(serializerFor('2.1.1').cdr(stored), {
    auth_id: former['auth_id'],
    charging_periods: former['charging_periods'],
    total_cost: former['total_cost'],
    total_energy: former['total_energy'],
    total_time: former['total_time'],
    stop_date_time: former['stop_date_time'],
  });
});

void t.test('registers with the credentials of the example of 2.1.1', async (t) => {
  const api = await startTestApi(t);
  const party = { countryCode: 'NL', partyId: 'EXA' };
  const emsp = await startEmsp(t, party);
  emsp.versions = ['2.1.1'];
  const { id, registrationToken } = await makePartner(api, { parties: [party] });
  const payload = { ...exampleOf('211', 'credentials'), token: emsp.token, url: emsp.versionsUrl };
  const url = '/ocpi/2.1.1/credentials';
  t.match(await ocpi(api, registrationToken, { method: 'POST', url, payload }), {
    json: { status_code: 1000 },
  });
  const [partner] = await api.stores.sql`select roles from ocpi_partners where uuid = ${id}`;
  t.match(partner?.['roles'], [
    {
      ...party,
      businessDetails: {
        name: 'Example Operator',
        website: 'http://example.com',
        logoUrl: 'https://example.com/img/logo.jpg',
      },
    },
  ]);
});
