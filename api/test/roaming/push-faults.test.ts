import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { queueChanges } from '#shared/postgres/roaming/ocpi-changes.ts';
import { settleReplaced, settleSent } from '#shared/postgres/roaming/ocpi-push-results.ts';
import { claimPushes, queueLock } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { until } from '#shared/testing/until.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, registerEmsp } from './support/partner.ts';
import {
  hurried,
  inNetwork,
  locations,
  owed,
  pushed,
  pushState,
  seedCdr,
  seedPlace,
  seedSession,
  setStatus,
  settled,
  startPusher,
} from './support/pushing.ts';

const shared = await startTestApi(t);

void t.test(
  'pauses pushes to an unavailable partner and sends them all later, alongside others',
  async (t) => {
    const api = await inNetwork(shared);
    const key = await mintKey(api);
    const { location, charger, evses } = await seedPlace(api);
    const [away, there] = [await startEmsp(t), await startEmsp(t)];
    const { id } = await registerEmsp(api, away);
    await registerEmsp(api, there, { party: { countryCode: 'FR', partyId: 'OTH' } });
    const session = await seedSession(api, id, charger.id);
    startPusher(t, api);
    await settled(api);
    await away.stop();
    there.received.length = 0;

    const uid = evses[0]?.uid ?? '';
    for (const [status, expected] of [
      ['Unavailable', 'INOPERATIVE'],
      ['Charging', 'CHARGING'],
      ['Faulted', 'OUTOFORDER'],
      ['Charging', 'CHARGING'],
    ] as const) {
      await setStatus(api, charger.id, status);
      const { body } = await there.next('PATCH', `${locations}/${location.uuid}/${uid}`);
      t.equal(body['status'], expected, 'while the first is away');
    }
    const cdr = await seedCdr(api, session.id);
    await api.stores.sql`update locations set name = 'Old harbour' where id = ${location.id}`;
    // The circuit may be open before the last changes are queued.
    const open = await until('the breaker is open and three objects wait', async () => {
      const state = await pushState(api, key, id);
      return state.breaker === 'OPEN' && state.waiting >= 3 && state;
    });
    t.match(open, { waiting: 3, lastError: /unreachable/, nextTryAt: String });
    t.ok(open.lagSeconds > 0 && open.failed >= hurried.failuresToOpen);
    const metrics = (await api.call(null, { url: '/metrics' })).text;
    t.match(metrics, `chargeway_ocpi_push_waiting{partner="${id}"} 3`);
    t.match(metrics, `chargeway_ocpi_push_breaker_open{partner="${id}"} 1`);

    away.received.length = 0;
    await away.start();
    await settled(api);
    t.match(pushed(away, 'locations').findLast(({ method }) => method === 'PUT')?.body, {
      name: 'Old harbour',
    });
    t.match(
      pushed(away, 'locations')
        .filter(({ method }) => method === 'PATCH')
        .map(({ body }) => body['status']),
      ['CHARGING'],
    );
    t.match(
      pushed(away, 'cdrs').map(({ body }) => body['id']),
      [cdr],
    );
    t.match(await pushState(api, key, id), { breaker: 'CLOSED', waiting: 0, lagSeconds: 0 });
  },
);

void t.test('repeats a push after slow, broken and wrong answers', async (t) => {
  const api = await inNetwork(shared);
  const { charger } = await seedPlace(api);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const session = await seedSession(api, id, charger.id);
  startPusher(t, api);
  await settled(api);
  const failures = [
    { delayMs: 60_000 },
    { status: 500, body: 'oops' },
    { status: 503, body: enveloped(undefined, 3000) },
    { status: 200, body: enveloped(undefined, 3002) },
    { status: 302, headers: { location: emsp.url } },
    { status: 401, body: enveloped(undefined, 2000) },
    { status: 404, body: 'no such version' },
    { status: 429 },
    { hangUp: true },
    // The partner refuses the CDR itself: this is no outage, and the CDR is kept.
    { status: 400, body: enveloped(undefined, 2001) },
    { status: 200, body: enveloped(undefined, 2001) },
  ];
  for (const failure of failures) emsp.react('/ocpi/emsp/2.2.1/cdrs', failure, 1);
  const cdr = await seedCdr(api, session.id);
  await settled(api);
  t.equal(pushed(emsp, 'cdrs').length, failures.length + 1);
  t.ok(pushed(emsp, 'cdrs').every(({ body }) => (body['id'] as unknown) === cdr));
});

void t.test('sets a refused object aside and sends the others', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const { charger, evses } = await seedPlace(api);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  startPusher(t, api, { maxRefusals: 3 });
  await settled(api);
  emsp.received.length = 0;
  let isRefusing = true;
  emsp.react(locations, ({ path }) =>
    isRefusing && path.endsWith(evses[0]?.uid ?? '')
      ? { status: 400, body: enveloped(undefined, 2001) }
      : { body: enveloped() },
  );
  await setStatus(api, charger.id, 'Charging');
  await setStatus(api, charger.id, 'Charging', 2);
  await settled(api);
  const paths = pushed(emsp, 'locations').map(({ path }) => path.split('/').at(-1));
  t.equal(paths.filter((uid) => uid === evses[0]?.uid).length, 3);
  t.equal(paths.filter((uid) => uid === evses[1]?.uid).length, 1);
  t.match(await pushState(api, key, id), {
    breaker: 'CLOSED',
    failed: 3,
    waiting: 0,
    refused: 1,
    lagSeconds: 0,
    lastError: /HTTP 400, status_code 2001/,
  });
  const health = `/cpms/v1/ocpi-partners/${id}/health`;
  const refusal = { object: 'evse', key: evses[0]?.uid, refusals: 3, lastError: /HTTP 400/ };
  t.match((await api.call(key, { url: health })).json['data']?.['refusedObjects'], [refusal]);
  const alerts = async () => {
    await watchForAlerts(api.deps);
    const { json } = await api.call(key, {
      url: `/cpms/v1/alerts?kind=ocpi-object-refused&resourceId=${id}`,
    });
    return json['data'];
  };
  t.match(await alerts(), [{ status: 'open', message: /keeps refusing 1 of our objects/ }]);

  emsp.received.length = 0;
  for (const status of ['SuspendedEV', 'Charging', 'Finishing', 'Available']) {
    await setStatus(api, charger.id, status);
    await setStatus(api, charger.id, status, 2);
    await settled(api);
  }
  const later = pushed(emsp, 'locations').map(({ path }) => path.split('/').at(-1));
  t.ok(later.includes(evses[1]?.uid), 'the other EVSE is sent');
  t.notOk(later.includes(evses[0]?.uid), 'its changes of status are not sent');

  await api.stores.sql`update evses set floor_level = '2' where uid = ${evses[0]?.uid ?? ''}`;
  await until('the refusal of the changed EVSE', async () => (await pushState(api, key, id)).failed === 4);
  t.equal((await pushState(api, key, id)).refused, 1);
  t.ok(pushed(emsp, 'locations').some(({ path }) => path.endsWith(evses[0]?.uid ?? '')));
  isRefusing = false;
  await api.stores.sql`update evses set floor_level = '3' where uid = ${evses[0]?.uid ?? ''}`;
  await until('the partner accepts it', async () => (await pushState(api, key, id)).refused === 0);
  t.match(await alerts(), [{ status: 'resolved' }]);
  t.match((await api.call(key, { url: health })).json['data'], { refusedObjects: { length: 0 } });
});

void t.test('closes the circuit breaker alongside an object that always fails', async (t) => {
  const api = await inNetwork(shared);
  const { charger, evses } = await seedPlace(api);
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  emsp.react(locations, ({ path }) =>
    path.endsWith(evses[0]?.uid ?? '') ? { status: 500 } : { body: enveloped() },
  );
  startPusher(t, api);
  await setStatus(api, charger.id, 'Charging');
  await until('it failed', () =>
    Promise.resolve(emsp.received.filter(({ path }) => path.startsWith(locations)).length > 3),
  );
  for (const status of ['Charging', 'Finishing', 'Available']) {
    await setStatus(api, charger.id, status, 2);
    const isOther = ({ path }: { path: string }) => path.endsWith(evses[1]?.uid ?? '');
    while (!isOther(await emsp.next('PATCH', locations)));
  }
  t.pass('the other EVSE was sent each time');
});

void t.test('sends nothing to suspended partners, and the pending pushes afterwards', async (t) => {
  const api = await inNetwork(shared);
  const key = await mintKey(api);
  const { charger } = await seedPlace(api);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const session = await seedSession(api, id, charger.id);
  startPusher(t, api);
  await settled(api);
  emsp.received.length = 0;
  const url = `/cpms/v1/ocpi-partners/${id}`;
  await api.call(key, { method: 'PATCH', url, payload: { isSuspended: true } });
  const cdr = await seedCdr(api, session.id);
  await setStatus(api, charger.id, 'Charging');
  await until('both wait', async () => (await pushState(api, key, id)).waiting === 2);
  t.strictSame(emsp.received, []);
  t.match(await api.call(key, { method: 'POST', url: `${url}/resync`, payload: {} }), {
    status: 409,
    json: { error: { code: 'PARTNER_NOT_REGISTERED' } },
  });
  await api.call(key, { method: 'PATCH', url, payload: { isSuspended: false } });
  await emsp.next('PATCH', locations);
  await emsp.next('POST', '/ocpi/emsp/2.2.1/cdrs');
  await settled(api);

  emsp.received.length = 0;
  emsp.react('/ocpi/emsp/2.2.1/cdrs', { status: 500 }, 1);
  const renewed = await api.call(key, { method: 'POST', url: `${url}/registration-token` });
  const second = await seedCdr(api, session.id);
  await setStatus(api, charger.id, 'Available');
  await settled(api);
  t.strictSame(emsp.received, []);
  const token = renewed.json['data']?.['registrationToken'] as unknown as string;
  await api.app.inject({
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    headers: { authorization: `Token ${token}` },
    payload: credentialsOf(emsp),
  });
  await settled(api);
  t.match(
    pushed(emsp, 'cdrs').map(({ body }) => body['id']),
    [second, second],
    `and not ${cdr}, which it has`,
  );
  t.equal(await owed(api), 0);
});

void t.test('sends each object from one process, and takes over from a dead one', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { charger } = await seedPlace(api);
  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  const session = await seedSession(api, id, charger.id);
  await queueChanges(sql, 1000);
  // A process takes it in hand and dies.
  const [row] = await sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${id}`;
  const claimed = await claimPushes(sql, row?.id ?? 0, { ...hurried, claimMs: 300 });
  t.match(claimed, [{ object: 'session' }]);

  const pushers = [startPusher(t, api), startPusher(t, api)];
  const cdrs: string[] = [];
  for (let count = 0; count < 30; count += 1) cdrs.push(await seedCdr(api, session.id));
  const places = await Promise.all(Array.from({ length: 10 }, () => seedPlace(api)));
  await settled(api);
  t.match(pushed(emsp, 'sessions'), [{ method: 'PUT' }], 'of the dead one');
  t.strictSame(
    pushed(emsp, 'cdrs').map(({ body }) => body['id'] as unknown),
    cdrs,
    'each once, in order',
  );
  for (const { location } of places) {
    t.ok(pushed(emsp, 'locations').some(({ path }) => path === `${locations}/${location.uuid}`));
  }

  // A process that stops completes the pushes in progress and begins no others.
  emsp.react(locations, { body: enveloped(), delayMs: 100 });
  await setStatus(api, charger.id, 'Charging');
  await emsp.next('PATCH', `${locations}/`);
  await Promise.all(pushers.map((pusher) => pusher.stop()));
  t.equal((await sql`select 1 from ocpi_pushes where claimed_until is not null`).length, 0);
});

void t.test('settles pushes without blocking queued changes', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { id } = await registerEmsp(api, await startEmsp(t));
  const [row] = await sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${id}`;
  const partnerId = row?.id ?? 0;
  const { location, evses } = await seedPlace(api);
  const [one, other] = evses.map((evse) => ['evse', evse.id] as const);
  const place = ['location', location.id] as const;
  if (one === undefined || other === undefined) throw new Error('no EVSE was made');
  await queueChanges(sql, 1000);
  const claimed = { partnerId, isWhole: true, revision: 1, attempts: 1, isProbe: true };
  /** Pushes that failed once and wait, but for the one that is in hand. */
  const inHand = async (...[mine, ...waiting]: (readonly ['evse' | 'location', number])[]) => {
    await sql`delete from ocpi_pushes where partner_id = ${partnerId}`;
    for (const [object, objectId] of [...waiting, ...(mine === undefined ? [] : [mine])]) {
      await sql`
        insert into ocpi_pushes (partner_id, object, object_id, is_whole, changed_at, attempts, due_at, claimed_until)
        values (${partnerId}, ${object}, ${objectId}, true, now(), 1, now() + interval '1 hour',
          ${mine?.[1] === objectId ? sql`now() + interval '1 hour'` : null})`;
    }
    const [found] = await sql<{ id: bigint }[]>`
      select id from ocpi_pushes where partner_id = ${partnerId} and claimed_until is not null`;
    if (mine === undefined || found === undefined) throw new Error('nothing is in hand');
    return { ...claimed, id: found.id, object: mine[0], objectId: BigInt(mine[1]) };
  };
  /** Queues changes in their order; after the first of them another process settles, and waits. */
  const queued = async (objects: (readonly [string, number])[], settle: () => Promise<void>) => {
    const settling: Promise<void>[] = [];
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${queueLock})`;
      for (const [object, objectId] of objects) {
        await transaction`
          insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
          values (${partnerId}, ${object}, ${objectId}, true, now())
          on conflict (partner_id, object, object_id) do update set revision = q.revision + 1`;
        if (settling.length === 0) settling.push(settle());
        // Asked outside of the transaction, which goes on seeing the connections that it saw first.
        await until('that it waits', async () => {
          const waiting = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          return waiting.length > 0;
        });
      }
    });
    await Promise.all(settling);
  };

  // The partner is back, so what failed before is due at once.
  await sql`insert into ocpi_push_lanes (partner_id, failures) values (${partnerId}, ${hurried.failuresToOpen})`;
  const sent = await inHand(other, one);
  await queued([one, other], () => settleSent(sql, sent, hurried));
  t.match(await sql`select due_at <= now() as "isDue" from ocpi_pushes where partner_id = ${partnerId}`, [
    { isDue: true },
    { isDue: true },
  ]);

  // The partner does not know the EVSE, so it is sent its location.
  const unknown = await inHand(one, place);
  const instead = { object: 'location', objectId: BigInt(location.id) } as const;
  await queued([place, one], () => settleReplaced(sql, unknown, hurried, instead));
  t.match(await sql`select object, revision from ocpi_pushes where partner_id = ${partnerId}`, [
    { object: 'location', revision: 3 },
  ]);
});
