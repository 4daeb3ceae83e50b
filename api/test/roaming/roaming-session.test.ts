import t, { type Test } from 'tap';
import { startApi } from '#api/server.ts';
import { items, type Json } from '#api/test/support/fixtures.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf } from './support/partner.ts';
import { CommandResponse } from './support/standard/asked.ts';
import { Cdr, Session, Tariff } from './support/standard/charged.ts';
import { Location } from './support/standard/locations.ts';
import { Credentials, VersionDetails } from './support/standard/registration.ts';
import { misfits, type Shape } from './support/standard/shape.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import type { Station } from '#shared/simulator/station.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { createLogger } from '#shared/log/log.ts';
import { backdateStart } from '#shared/testing/backdate.ts';
import { testConfig } from '#shared/testing/config.ts';
import { seedApiKey } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const text = (json: Json | undefined) => json as unknown as string;

/** Asks over HTTP; answers with the headers and `data`, and throws what is no success. */
async function ask(headers: Record<string, string>, url: string, body?: object, method?: string) {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(json)}`);
  return { headers: response.headers, json, data: json['data'] ?? {} };
}

/** The whole product, with all that runs in the background, and an operator who may do everything. */
async function startProduct(t: Test) {
  const rig = await startRig(t);
  const config = await testConfig(t, rig.stores, { OUTBOUND_ALLOW: '127.0.0.0/8' });
  const log = createLogger('api', config.logLevel);
  const api = await startApi({ config, urls: rig.stores, bus: rig.bus, log });
  t.teardown(() => api.stop());
  const key = await seedApiKey(rig.stores.sql, 'cpms', {
    networkIds: [rig.network.id],
    scopes: grantableScopes,
  });
  const operate = (path: string, body?: object, method?: string) =>
    ask({ 'x-api-key': key }, `${api.url}/cpms/v1${path}`, body, method);
  return { rig, api, operate };
}
type Product = Awaited<ReturnType<typeof startProduct>>;

/** A place with a charger of each version of OCPP and a price, as an operator makes them. */
async function furnish(t: Test, { rig, operate }: Product): Promise<Station[]> {
  const { data: location } = await operate('/locations', {
    name: 'Oberbaum',
    address: 'Oberbaumstraße 1',
    city: 'Berlin',
    country: 'DEU',
    timeZone: 'Europe/Berlin',
    coordinates: { latitude: 52.5, longitude: 13.4 },
  });
  const { data: tariff } = await operate('/tariffs', {
    name: 'Spree',
    elements: [
      {
        price_components: [
          { type: 'ENERGY', price: 0.49, vat: 19, step_size: 1 },
          { type: 'FLAT', price: 1, vat: 19, step_size: 1 },
        ],
      },
    ],
  });
  const everywhere = { tariffUuid: text(tariff['id']), networkUuid: rig.network.uuid };
  await operate('/tariff-assignments', everywhere);
  const stations = [];
  for (const [serial, ocppVersion, create] of [
    ['SPREE-16', '1.6', createStation16],
    ['SPREE-201', '2.0.1', createStation201],
  ] as const) {
    const made = { serial, ocppVersion, locationUuid: text(location['id']) };
    const { data: charger } = await operate('/chargers', made);
    const path = `/chargers/${text(charger['id'])}`;
    const socket = { standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' };
    await operate(`${path}/connectors`, {
      connectorNumber: 1,
      ...socket,
      maxVoltage: 400,
      maxAmperage: 32,
    });
    await operate(path, { isPublic: true }, 'PATCH');
    const station = create({
      ocppUrl: rig.ocppUrl,
      uid: text(charger['uid']),
      password: text(charger['ocppPassword']),
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
    });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    stations.push(station);
  }
  return stations;
}

/** Returns the header with which a partner of 2.2.1 sends its token. */
function shows(token: string) {
  return { authorization: `Token ${Buffer.from(token).toString('base64')}` };
}

/** Runs the eMSP's side of the handshake, from its only inputs: a token and our versions URL. */
async function register(emsp: Emsp, registration: Json) {
  const first = shows(text(registration['registrationToken']));
  const { data: versions } = await ask(first, text(registration['ourVersionsUrl']));
  const strict = items(versions).find(({ version }) => text(version) === '2.2.1');
  const { data: details } = await ask(first, text(strict?.['url']));
  const urls = new Map(
    items(details['endpoints']).map(({ identifier, url }) => [text(identifier), text(url)] as const),
  );
  const { data: credentials } = await ask(first, urls.get('credentials') ?? '', credentialsOf(emsp));
  const headers = shows(text(credentials['token']));
  const roam = (module: string, path = '', body?: object) => ask(headers, `${urls.get(module)}${path}`, body);
  const token = text(credentials['token']);
  return { roam, headers, token, details, credentials, role: items(credentials['roles'])[0] ?? {} };
}

// 12.345 kWh at 0.49 are 6.05, and 1.00 for the session; 7.04905 with 19 % VAT are 8.39.
const total = { excl_vat: 7.05, incl_vat: 8.39 };

void t.test('roaming sessions, from the registration of the partner to the CDR', async (t) => {
  const product = await startProduct(t);
  const { api, operate } = product;
  const stations = await furnish(t, product);
  const emsp = await startEmsp(t);
  emsp.react('/ocpi/emsp/2.2.1/tokens', { body: enveloped([]) });
  const { data: registration } = await operate('/ocpi-partners', {
    name: 'Example eMSP',
    parties: [{ countryCode: 'DE', partyId: 'EMS' }],
  });
  const partnerPath = `/ocpi-partners/${text(registration['id'])}`;
  const { roam, headers, token, details, credentials, role } = await register(emsp, registration);
  const us = `${text(role['country_code'])}/${text(role['party_id'])}`;
  const received = (method: string, module: string) =>
    emsp.received.filter(
      (sent) => sent.method === method && sent.path.startsWith(`/ocpi/emsp/2.2.1/${module}`),
    );
  const sent = async (module: string, what: object) =>
    until(`${module} ${JSON.stringify(what)}`, async () =>
      Promise.resolve(
        emsp.received.findLast(
          ({ path, body }) =>
            path.startsWith(`/ocpi/emsp/2.2.1/${module}`) &&
            Object.entries(what).every(([name, value]) => body[name] === value),
        ),
      ),
    );

  const location = await until('both stations are seen to be free', async () => {
    const [found] = items((await roam('locations')).data);
    return items(found?.['evses']).every(({ status }) => text(status) === 'AVAILABLE') ? found : null;
  });
  const evses = items(location['evses']);
  const [tariff] = items((await roam('tariffs')).data);
  const documented = (path: string) => ask(headers, `${api.url}/ocpi/cpo/2.2/${path}`);
  t.equal(evses.length, stations.length);
  const fits = (what: string, value: unknown, shape: Shape) =>
    t.strictSame(misfits(value, shape), [], `${what} has the form of the standard`);
  fits('version details', details, VersionDetails);
  fits('credentials', credentials, Credentials);
  fits('a location', location, Location);
  fits('a tariff', tariff, Tariff);

  for (const [index, station] of stations.entries()) {
    await t.test(`${station.protocol}: are started, metered and stopped by the partner`, async (t) => {
      const evse = evses[index];
      t.match(evse, { status: 'AVAILABLE', connectors: [{ tariff_ids: [text(tariff?.['id'])] }] });
      const responses = `/results/${index}`;
      const command = async (name: string, body: object) => {
        const asked = { response_url: `${emsp.url}${responses}/${name}`, ...body };
        const { data: answer } = await roam('commands', `/${name}`, asked);
        t.match(answer, { result: 'ACCEPTED' });
        fits(`the answer to ${name}`, answer, CommandResponse);
        t.match((await emsp.next('POST', `${responses}/${name}`)).body, { result: 'ACCEPTED' }, name);
      };
      const driver = { country_code: 'DE', party_id: 'EMS', type: 'APP_USER', contract_id: 'DE-EMS-C1' };
      const uid = `APP-${index}`;
      const times = { issuer: 'Us', valid: true, whitelist: 'NEVER', last_updated: new Date().toISOString() };
      await command('START_SESSION', {
        token: { ...driver, uid, ...times },
        location_id: location?.['id'],
        evse_uid: evse?.['uid'],
        connector_id: '1',
        authorization_reference: `REF-${index}`,
      });
      const begun = await sent('sessions', { status: 'ACTIVE', authorization_reference: `REF-${index}` });
      const id = text(begun.body['id']);
      t.match(begun, { method: 'PUT', path: `/ocpi/emsp/2.2.1/sessions/${us}/${id}` });
      t.match(begun.body, {
        auth_method: 'COMMAND',
        cdr_token: { ...driver, uid },
        location_id: text(location?.['id']),
        evse_uid: text(evse?.['uid']),
        connector_id: '1',
        currency: 'EUR',
      });
      await until('the push of the EVSE in use', async () =>
        Promise.resolve(
          received('PATCH', 'locations').some(
            ({ path, body }) => path.endsWith(text(evse?.['uid'])) && text(body['status']) === 'CHARGING',
          ),
        ),
      );

      await backdateStart(product.rig.stores.sql, id);
      await station.sendMeterValues(1, { time: new Date(), energyWh: 5000, powerW: 7400 });
      // 5 kWh are 2.45, and 1.00.
      t.match((await sent('sessions', { kwh: 5 })).body, { total_cost: { excl_vat: 3.45 } });
      await station.sendMeterValues(1, { time: new Date(), energyWh: 12_345, powerW: 3700 });
      await command('STOP_SESSION', { session_id: id });
      const ended = await sent('sessions', { id, status: 'COMPLETED' });
      t.match(ended, { method: 'PUT', body: { kwh: 12.345, total_cost: total, end_date_time: String } });

      fits('a running session', begun.body, Session);
      fits('one that has ended', ended.body, Session);
      const cdr = (await sent('cdrs', { session_id: id })).body;
      fits('a CDR', cdr, Cdr);
      t.match(cdr, {
        authorization_reference: `REF-${index}`,
        cdr_token: { ...driver, uid },
        cdr_location: { id: text(location?.['id']), evse_uid: text(evse?.['uid']), connector_id: '1' },
        total_energy: 12.345,
        total_cost: total,
        total_energy_cost: { excl_vat: 6.05 },
        total_fixed_cost: { excl_vat: 1 },
        tariffs: [{ id: text(tariff?.['id']) }],
      });
      const energy = items(cdr['charging_periods'])
        .flatMap(({ dimensions }) => items(dimensions))
        .filter(({ type }) => text(type) === 'ENERGY')
        .reduce((sum, { volume }) => sum + Number(volume), 0);
      t.equal(Math.round(energy * 1000), 12_345, 'its periods add up to it');
      const cdrId = text(cdr['id']);
      t.strictSame((await roam('cdrs', `/${cdrId}`)).data, cdr);
      t.strictSame((await documented(`cdrs/${us}/${cdrId}`)).data, cdr);
      t.match((await roam('sessions', `/${id}`)).data, { status: 'COMPLETED', total_cost: total });
      t.match((await documented(`sessions/${us}/${id}`)).data, { kwh: 12.345, total_cost: total });
    });
  }

  await t.test('have one CDR, pushed and listed by both APIs', async (t) => {
    const push = await until('that nothing waits', async () => {
      const { push: state } = (await operate(partnerPath)).data;
      return Number(state?.['waiting']) === 0 && state;
    });
    t.match(push, { breaker: 'CLOSED', failed: 0 });
    const pushed = received('POST', 'cdrs').map(({ body }) => body);
    t.equal(pushed.length, stations.length);
    for (const url of [`${api.url}/ocpi/cpo/2.2/cdrs`, `${api.url}/ocpi/cpo/2.2.1/cdrs/`]) {
      const listed = await ask(headers, url);
      t.equal(listed.headers.get('x-total-count'), String(stations.length));
      t.strictSame(listed.data, pushed);
    }
  });

  await t.test('are logged for the operator without any token', async (t) => {
    const log = await until('the exchanges', async () => {
      const { json } = await operate(`${partnerPath}/exchanges?pageSize=100`);
      const modules = new Set(
        items(json['data']).map(({ direction, module }) => `${text(direction)} ${text(module)}`),
      );
      return modules.has('out cdrs') && modules.has('in cdrs') && json;
    });
    const rows = items(log['data']);
    const start = rows.find(({ url }) => text(url).endsWith('/commands/START_SESSION'));
    t.match(start, { direction: 'in', method: 'POST', httpStatus: 200, ocpiStatus: 1000 });
    const result = rows.find(
      (row) => text(row['direction']) === 'out' && text(row['url']).includes('/START_SESSION'),
    );
    t.match(result, { method: 'POST', httpStatus: 200, request: /"result":"ACCEPTED"/ });
    t.match(
      rows.filter(({ module }) => text(module) === 'versions'),
      [{}, {}, {}, {}],
      'both sides of the handshake',
    );
    for (const secret of [token, text(registration['registrationToken']), emsp.token]) {
      t.notMatch(JSON.stringify(log), secret);
    }
  });
});
