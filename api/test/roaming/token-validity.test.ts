import t from 'tap';
import { renewExpiringTokens } from '#api/jobs/roaming.jobs.ts';
import { alertScene, type AlertScene } from '#api/test/support/alert-scene.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Test } from 'tap';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { acceptCredentials, command } from './support/handshakes.ts';
import { patchPartner } from './support/hub.ts';
import { makePartner, ocpi } from './support/partner.ts';

const log = createLogger('test', 'silent');
const dayMs = 86_400_000;

/** A registered partner whose tokens are valid for a number of days. */
async function registered(t: Test, tokenValidDays: number) {
  const scene = await alertScene(t);
  const emsp = await startEmsp(t);
  const partner = acceptCredentials(emsp);
  const { id } = await makePartner(scene.api, { tokenValidDays });
  const payload = { versionsUrl: emsp.versionsUrl, token: emsp.token };
  await command(scene.api, scene.key, id, 'handshake', payload);
  emsp.received.length = 0;
  return { scene, emsp, partner, id };
}

const renew = ({ api }: AlertScene) => renewExpiringTokens({ ...api.deps, log });

const read = async ({ api, key }: AlertScene, id: string) =>
  (await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` })).json['data'];

/** Moves the time until the token expires, and a former renewal six hours back. */
async function expireIn({ api }: AlertScene, days: number) {
  await api.stores.sql`
    update ocpi_partners set token_expires_at = now() + make_interval(secs => ${days * 86_400}),
      token_renewal_at = token_renewal_at - interval '6 hours'`;
}

/** Days until the token expires, as the API shows it. */
const daysLeft = async (scene: AlertScene, id: string) => {
  const shown = (await read(scene, id))?.['tokenExpiresAt'] as unknown as string;
  return Math.round((Date.parse(shown) - Date.now()) / dayMs);
};

const puts = ({ received }: Emsp) => received.filter(({ method }) => method === 'PUT').length;

void t.test('gives a partner a new token before its token expires', async (t) => {
  const { scene, emsp, partner, id } = await registered(t, 60);
  const [first = ''] = partner.ours;
  t.match(await read(scene, id), { tokenValidDays: 60, tokenExpiresAt: String });
  t.equal(await daysLeft(scene, id), 60);
  await expireIn(scene, 21);
  await renew(scene);
  t.same(emsp.received, [], 'not before the last third of its validity');

  await expireIn(scene, 19);
  await Promise.all([renew(scene), renew(scene)]);
  t.equal(puts(emsp), 1, 'one process renews it');
  const [, second = ''] = partner.ours;
  t.equal((await ocpi(scene.api, first, { url: '/ocpi/versions' })).status, 401);
  t.equal((await ocpi(scene.api, second, { url: '/ocpi/cpo/2.2.1/locations' })).status, 200);
  t.equal(await daysLeft(scene, id), 60);
  const audit = await scene.api.call(scene.key, { url: '/cpms/v1/audit-log?category=ocpi-partner' });
  t.match(items(audit.json['data']).slice(0, 2), [
    { action: 'rotate-token', userName: 'ocpi-token-renewal' },
    { action: 'begin-token-rotation', userName: 'ocpi-token-renewal' },
  ]);
});

void t.test('alerts while an expiring token is not renewed', async (t) => {
  const { scene, emsp, partner, id } = await registered(t, 60);
  await expireIn(scene, 19);
  partner.fault = { status: 503 };
  await renew(scene);
  await scene.watch();
  t.same(await scene.states(), [], 'two weeks are left');
  await renew(scene);
  t.equal(puts(emsp), 1, 'it is repeated after six hours');

  await expireIn(scene, 6);
  partner.fault = { status: 503 };
  await renew(scene);
  await scene.watch();
  t.match(await scene.list(), [
    { kind: 'partner-token-expiring', resourceName: 'eMSP', details: { lastError: /HTTP 503/ } },
  ]);
  await expireIn(scene, 5);
  await renew(scene);
  await scene.watch();
  t.same(await scene.states(), ['partner-token-expiring resolved']);
  t.match(await read(scene, id), { registration: 'REGISTERED' });
});

void t.test('alerts after a renewal that an unexpected error ended', async (t) => {
  const { scene } = await registered(t, 60);
  const { sql } = scene.api.stores;
  await sql`alter table ocpi_handshakes add constraint broken check (our_token is null)`;
  await expireIn(scene, 6);
  await renew(scene);
  await scene.watch();
  t.match(await scene.list(), [
    { kind: 'partner-token-expiring', details: { lastError: /unexpected error/ } },
  ]);
  await sql`alter table ocpi_handshakes drop constraint broken`;
});

void t.test('alerts after a renewal that has no result', async (t) => {
  const { scene } = await registered(t, 60);
  const { sql } = scene.api.stores;
  await expireIn(scene, 6);
  await sql`update ocpi_partners set token_renewal_at = now()`;
  await scene.watch();
  t.same(await scene.states(), [], 'an attempt runs');
  await sql`update ocpi_partners set token_renewal_at = now() - interval '3 minutes'`;
  await scene.watch();
  t.same(await scene.states(), ['partner-token-expiring open']);
});

void t.test('refuses an expired token, and replaces it when the partner can be reached again', async (t) => {
  const { scene, partner } = await registered(t, 60);
  const [first = ''] = partner.ours;
  await expireIn(scene, -1);
  t.match(await ocpi(scene.api, first, { url: '/ocpi/versions' }), {
    status: 401,
    json: { status_code: 2000 },
  });
  await scene.watch();
  t.same(await scene.states(), ['partner-token-expiring open']);
  await renew(scene);
  t.equal((await ocpi(scene.api, partner.ours[1] ?? '', { url: '/ocpi/cpo/2.2.1/locations' })).status, 200);
});

void t.test('limits the validity of the token of a renewal whose answer was lost', async (t) => {
  const { scene, emsp, partner, id } = await registered(t, 60);
  await expireIn(scene, 19);
  const sent = () =>
    emsp.received
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => body['token'] as unknown as string);
  partner.fault = { hangUp: true };
  await renew(scene);
  const [lost = ''] = sent();
  const versions = async (token: string) => (await ocpi(scene.api, token, { url: '/ocpi/versions' })).status;
  t.equal(await versions(lost), 200);

  const age = (days: number) =>
    scene.api.stores
      .sql`update ocpi_handshakes set our_token_at = our_token_at - make_interval(days => ${days})`;
  await age(59);
  t.equal(await versions(lost), 200);
  partner.fault = { hangUp: true };
  await expireIn(scene, 19);
  await renew(scene);
  t.same(sent(), [lost, lost], 'a repeat sends the same token');
  t.equal(await versions(lost), 200);
  await age(2);
  t.equal(await versions(lost), 401, 'a repeat does not prolong it');

  await expireIn(scene, 19);
  await renew(scene);
  const [, second = ''] = partner.ours;
  t.not(second, lost, 'and then another one');
  t.equal(await versions(second), 200);
  t.match(await read(scene, id), { registration: 'REGISTERED' });
});

void t.test('limits the validity of a registration token', async (t) => {
  const scene = await alertScene(t);
  const { id, registrationToken } = await makePartner(scene.api, { tokenValidDays: 7 });
  t.equal(await daysLeft(scene, id), 7);
  t.equal((await ocpi(scene.api, registrationToken, { url: '/ocpi/versions' })).status, 200);
  await expireIn(scene, -1);
  t.equal((await ocpi(scene.api, registrationToken, { url: '/ocpi/versions' })).status, 401);
  const url = `/cpms/v1/ocpi-partners/${id}/registration-token`;
  const { json } = await scene.api.call(scene.key, { method: 'POST', url });
  const token = json['data']?.['registrationToken'] as unknown as string;
  t.equal((await ocpi(scene.api, token, { url: '/ocpi/versions' })).status, 200);
  t.equal(await daysLeft(scene, id), 7);
});

void t.test('counts another validity from its change', async (t) => {
  const { scene, id } = await registered(t, 60);
  await expireIn(scene, 10);
  t.match(await patchPartner(scene.api, id, { name: 'Renamed' }), { status: 200 });
  t.equal(await daysLeft(scene, id), 10, 'another change keeps the end');
  t.match(await patchPartner(scene.api, id, { tokenValidDays: 30 }), { status: 200 });
  t.equal(await daysLeft(scene, id), 30);
  t.match(await patchPartner(scene.api, id, { tokenValidDays: null }), { status: 200 });
  t.match(await read(scene, id), { tokenValidDays: null, tokenExpiresAt: null });
  for (const tokenValidDays of [0, 3651, 1.5]) {
    t.match(await patchPartner(scene.api, id, { tokenValidDays }), { status: 400 });
  }
});

void t.test('renews no token of a suspended or removed partner', async (t) => {
  const { scene, emsp, id } = await registered(t, 60);
  await patchPartner(scene.api, id, { isSuspended: true });
  await expireIn(scene, 1);
  await renew(scene);
  await patchPartner(scene.api, id, { isSuspended: false });
  const key = await mintKey(scene.api);
  await scene.api.call(key, { method: 'DELETE', url: `/cpms/v1/ocpi-partners/${id}` });
  await renew(scene);
  t.same(emsp.received, []);
});
