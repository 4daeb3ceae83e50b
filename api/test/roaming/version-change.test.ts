import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { ocpiVersions } from '#shared/domain/roaming/ocpi.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, flatCredentialsOf, ocpi, registerEmsp } from './support/partner.ts';
import { addPlace } from './support/places.ts';
import { settled, startPusher } from './support/pushing.ts';
import { startRoamingSession } from './support/roaming-session.ts';

void t.test('a partner changes its version while a session runs, and pushes follow', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  emsp.versions = [...ocpiVersions];
  await seedTariff(sql, api.network.id);
  const { charger } = await addPlace(api);
  let { id, token } = await registerEmsp(api, emsp, { version: '2.2' });
  startPusher(t, api);
  const session = await startRoamingSession(api, charger.uuid, id);
  const path = (version: string) => `/ocpi/emsp/${version}/sessions/NL/CWY/${session.uuid}`;
  t.match((await emsp.next('PUT', path('2.2'))).body, { cdr_token: {}, start_date_time: String });

  const changeTo = async (version: string) => {
    const payload = (version === '2.1.1' ? flatCredentialsOf : credentialsOf)(emsp);
    const answer = await ocpi(api, token, { method: 'PUT', url: `/ocpi/${version}/credentials`, payload });
    t.match(answer, { status: 200, json: { status_code: 1000 } }, version);
    token = answer.json['data']?.['token'] as unknown as string;
    await settled(api);
    emsp.received.length = 0;
  };
  await changeTo('2.1.1');
  emsp.react('/ocpi/emsp/2.1.1/sessions', { body: enveloped(undefined, 2003) }, 1);
  await sql`update sessions set live_at = now(), energy_wh = 6000 where uuid = ${session.uuid}`;
  t.match((await emsp.next('PATCH', path('2.1.1'))).body, { kwh: 6, total_cost: Number, status: 'ACTIVE' });
  t.match(
    (await emsp.next('PUT', path('2.1.1'))).body,
    { auth_id: String, start_datetime: String, location: {} },
    'the partner does not know the session there',
  );

  await changeTo('2.3.0');
  await endSession(sql, session, 10_000);
  t.match((await emsp.next('PUT', path('2.3.0'))).body, { total_cost: { before_taxes: Number } });
  await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  t.match((await emsp.next('POST', '/ocpi/emsp/2.3.0/cdrs')).body, { total_cost: { before_taxes: Number } });
  await settled(api);
  const elsewhere = emsp.received.filter(
    ({ path: to }) => to.startsWith('/ocpi/emsp/') && !to.includes('/2.3.0/'),
  );
  t.strictSame(elsewhere, [], 'nothing is sent to endpoints of another version');
  const shown = await api.call(await mintKey(api), { url: `/cpms/v1/ocpi-partners/${id}` });
  t.match(shown.json['data'], { ocpiVersion: '2.3.0', status: 'REGISTERED' });
  const urls = items(shown.json['data']?.['endpoints']).map(({ url }) => url as unknown as string);
  t.strictSame(
    urls.filter((url) => !url.includes('/2.3.0/')),
    [],
  );
});
