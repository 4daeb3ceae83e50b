import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation, endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedNetwork, seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addRoamingCharger, startRoamingSession } from './support/roaming-session.ts';

const api = await startTestApi(t);
const { sql } = api.stores;
await seedTariff(sql, api.network.id);
const location = await addLocation(sql, api.network.id);
const { id: partnerUuid, token } = await registerEmsp(api, await startEmsp(t));
const party = { countryCode: 'FR', partyId: 'ABC' };
const other = await registerEmsp(api, await startEmsp(t, party), { party });
const key = await mintKey(api);
const log = createLogger('test', 'silent');
const alerts = () => watchForAlerts(api.deps);
const refused = { status: 400, json: { status_code: 2001 } };

/** A partner's session, and requests of its partner and of operators about it. */
async function begin() {
  const charger = await addRoamingCharger(api, api.network.id, location.id);
  const session = await startRoamingSession(api, charger.uuid, partnerUuid, { authMethod: 'AUTH_REQUEST' });
  const { uuid } = session;
  const url = `/ocpi/cpo/2.2/sessions/NL/CWY/${uuid}`;
  return {
    ...session,
    patch: (payload: object, as: string | null = token) => ocpi(api, as, { method: 'PATCH', url, payload }),
    shown: async () => (await ocpi(api, token, { url })).json['data'],
    read: async (as = key) => (await api.call(as, { url: `/cpms/v1/sessions/${uuid}` })).json['data'],
    approve: (payload: object, as = key) =>
      api.call(as, {
        method: 'POST',
        url: `/cpms/v1/sessions/${uuid}/approve`,
        payload: { reason: 'Agreed', ...payload },
      }),
    alerts: async () => {
      await alerts();
      const { json } = await api.call(key, { url: `/cpms/v1/alerts?resourceId=${uuid}` });
      return items(json['data']).map(({ kind, status, message }) => ({ kind, status, message }));
    },
  };
}

const cdrOf = async (uuid: string) => {
  await makeDueCdrs({ ...api.deps, log });
  const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.2/cdrs?limit=100' });
  return items(json['data']).filter((cdr) => (cdr['session_id'] as unknown as string) === uuid);
};

void t.test('a stated authorization takes effect at once and reviews nothing', async (t) => {
  const session = await begin();
  const stated = { authMethod: 'WHITELIST', authorizationReference: 'REF-9', meterId: 'METER-9' };
  t.match(await session.patch(stated), {
    status: 200,
    json: { data: { auth_method: 'WHITELIST', authorization_reference: 'REF-9', meter_id: 'METER-9' } },
  });
  await endSession(sql, session, 10_000);
  t.match(await session.read(), { priceState: 'SETTLED', review: null });
});

void t.test('values of an ended session wait for an operator, who accepts them', async (t) => {
  const session = await begin();
  await endSession(sql, session, 10_000);
  t.match(await cdrOf(session.uuid), [{ total_energy: 10, total_cost: { excl_vat: 5 } }]);
  const endDateTime = new Date(Date.now() - 60_000).toISOString();
  const answer = await session.patch({ kWh: 8, endDateTime, currency: 'EUR', status: 'COMPLETED' });
  t.match(answer, { status: 200, json: { status_code: 1000, data: { kwh: 10, status: 'COMPLETED' } } });
  t.match(await session.read(), {
    priceState: 'REVIEW',
    energyKwh: 10,
    review: {
      reasons: ['partner-statement'],
      proposed: { energyKwh: 10 },
      partnerStatement: { energyKwh: 8, endedAt: endDateTime, currency: null, status: null },
    },
  });
  t.match(await session.alerts(), [
    { kind: 'session-in-review', status: 'open', message: /other values at its roaming partner/ },
  ]);
  const { length } = await cdrOf(session.uuid);
  t.equal(length, 1, 'nothing is credited before the decision');
  const undecided = await session.approve({});
  t.match(undecided, {
    status: 400,
    json: { error: { details: { errors: [{ field: 'partnerStatement' }] } } },
  });
  t.match(await session.approve({ partnerStatement: 'ACCEPT' }), {
    status: 200,
    json: { data: { priceState: 'SETTLED', energyKwh: 8, endedAt: endDateTime, review: null } },
  });
  t.match(await session.shown(), { kwh: 8, end_date_time: endDateTime });
  t.match(
    (await cdrOf(session.uuid)).map((cdr) => cdr['total_energy'] as unknown as number),
    [10, 10, 8],
    'the CDR is credited and sent again',
  );
  t.match(await session.alerts(), [{ status: 'resolved' }]);
  const entries = await sql`
    select action, user_name, details from audit_log where resource_id = ${session.uuid} order by id`;
  t.match(entries, [
    { action: 'partner-statement', details: { after: { kwh: 8, endedAt: endDateTime } } },
    { action: 'approve', details: { reason: 'Agreed' } },
  ]);
  t.match(await session.patch({ kWh: 7 }), refused, 'the operator has decided');
  t.match(await session.patch({ meterId: 'M' }), { status: 200, json: { data: { meter_id: 'M', kwh: 8 } } });
});

void t.test('an operator rejects the values, and those of the charger count', async (t) => {
  const session = await begin();
  await endSession(sql, session, 10_000);
  t.equal((await session.patch({ kWh: 1, lastUpdated: '2026-01-02T00:00:00Z' })).status, 200);
  const older = await session.patch({ kWh: 2, status: 'INVALID', lastUpdated: '2026-01-01T00:00:00Z' });
  t.equal(older.status, 200);
  t.match(await session.read(), { review: { partnerStatement: { energyKwh: 1, status: null } } });
  t.match(await session.approve({ partnerStatement: 'REJECT' }), {
    status: 200,
    json: { data: { priceState: 'SETTLED', energyKwh: 10, cost: { totalInclVat: 6.05 } } },
  });
  t.match(await session.patch({ kWh: 1 }), refused);
  const plain = await begin();
  await endSession(sql, plain, 10_000);
  const refusal = { status: 409, json: { error: { code: 'SESSION_NOT_IN_REVIEW' } } };
  t.match(await plain.approve({ partnerStatement: 'ACCEPT' }), refusal);
});

void t.test('a session that its partner declares invalid costs nothing once that is accepted', async (t) => {
  const session = await begin();
  await endSession(sql, session, 10_000);
  t.equal((await session.patch({ status: 'INVALID' })).status, 200);
  t.match(await session.approve({ partnerStatement: 'ACCEPT' }), {
    status: 200,
    json: { data: { priceState: 'SETTLED', energyKwh: 10, cost: { totalInclVat: 0 } } },
  });
});

void t.test('a currency or a status that cannot be is only rejected', async (t) => {
  for (const stated of [{ currency: 'USD' }, { status: 'ACTIVE' }]) {
    const session = await begin();
    await endSession(sql, session, 10_000);
    t.equal((await session.patch(stated)).status, 200);
    t.equal((await session.approve({ partnerStatement: 'ACCEPT' })).status, 400);
    t.equal((await session.approve({ partnerStatement: 'REJECT' })).status, 200);
  }
});

void t.test('values of a running session alert at once and are reviewed at its end', async (t) => {
  const session = await begin();
  t.equal((await session.patch({ kWh: 3, status: 'COMPLETED' })).status, 200);
  t.match(await session.shown(), { status: 'ACTIVE' }, 'it runs until its charger or an operator ends it');
  t.match(await session.alerts(), [{ kind: 'session-in-review', status: 'open' }]);
  t.match(await session.alerts(), [{ status: 'open' }], 'the alert stays');
  await endSession(sql, session, 10_000);
  t.match(await session.read(), {
    priceState: 'REVIEW',
    review: { partnerStatement: { energyKwh: 3, status: 'COMPLETED' } },
  });
  t.strictSame(await cdrOf(session.uuid), []);
  t.match(await session.approve({ partnerStatement: 'ACCEPT' }), {
    json: { data: { priceState: 'SETTLED', energyKwh: 3 } },
  });
  t.match(await cdrOf(session.uuid), [{ total_energy: 3 }]);
});

void t.test(
  'only the partner of a session states its values, and only an operator of its network decides',
  async (t) => {
    const session = await begin();
    await endSession(sql, session, 10_000);
    t.equal((await session.patch({ kWh: 1 }, other.token)).status, 404);
    t.equal((await session.patch({ kWh: 1 }, null)).status, 401);
    t.equal((await session.patch({ kWh: 1 }, key)).status, 401);
    const driver = await mintKey(api, { apiFamily: 'emsp' });
    t.equal((await session.patch({ kWh: 1 }, driver)).status, 401);
    t.match(await session.read(), { priceState: 'SETTLED' });
    t.equal((await session.patch({ kWh: 1 })).status, 200);
    const south = await seedNetwork(sql);
    const accept = { partnerStatement: 'ACCEPT' };
    const foreign = await mintKey(api, { networkIds: [south.id] });
    t.match(await session.approve(accept, foreign), { status: 404 });
    t.match(await session.approve(accept, driver), { status: 403 });
    t.match(await session.approve(accept, await mintKey(api, { scopes: ['cpms:read:sessions'] })), {
      status: 403,
    });
    t.match(await session.read(), { priceState: 'REVIEW', energyKwh: 10 });
  },
);

void t.test('an impossible value is refused', async (t) => {
  const session = await begin();
  await endSession(sql, session, 10_000);
  for (const wrong of [
    { kWh: -1 },
    { kWh: 2e6 },
    { endDateTime: '2099-01-01T00:00:00Z' },
    { endDateTime: '2020-01-01T00:00:00Z' },
    { endDateTime: null },
    { status: 'DONE' },
    { currency: 'euro' },
    { authMethod: 'CARD' },
  ]) {
    t.match(await session.patch(wrong), refused, JSON.stringify(wrong));
  }
  t.match(await session.read(), { priceState: 'SETTLED' });
});
