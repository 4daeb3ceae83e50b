import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { createLogger } from '#shared/log/log.ts';
import { billingScene, type BillingScene } from '#api/test/support/billing.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { startEmsp } from '#api/test/roaming/support/emsp.ts';
import { ocpi, registerEmsp } from '#api/test/roaming/support/partner.ts';
import { startRoamingSession } from '#api/test/roaming/support/roaming-session.ts';
import { endSession, startSession } from '#api/test/support/records.ts';

const url = '/cpms/v1/sessions';
const log = createLogger('test', 'silent');
const implausible = ['energy-implausible'];

/** 22 kW for an hour, with a fifth of margin, and 1 kWh: 27.4 kWh. 1.50 and 0.40 per kWh, 21 % VAT: 15.08 at most. */
const maximum = { plausibleEnergyKwh: 27.4, plausibleInclVat: 15.08, currency: 'EUR' };

/** A network whose chargers deliver 22 kW; its driver has 40.00 in a wallet. */
async function scene(scene: BillingScene) {
  const { api, chargerUuid } = scene;
  const { sql } = api.stores;
  await sql`update chargers set max_power_w = 22000 where uuid = ${chargerUuid}`;
  const operator = await mintKey(api);
  let connector = 20;
  const decide = (uuid: string, how: 'approve' | 'amend', payload: object, headers = {}) =>
    api.call(operator, { method: 'POST', url: `${url}/${uuid}/${how}`, payload, headers });
  return {
    operator,
    sql,
    decide,
    watch: () => watchForAlerts(api.deps),
    /** Sums of the facts that analytics count. */
    facts: async () => {
      while ((await sendSessionFacts(sql, api.stores.clickhouse)) > 0);
      const rows = await api.stores.clickhouse.query({
        query:
          'select count() as sessions, sum(cost_incl_vat_minor) as cost from session_facts final where is_counted',
        format: 'JSONEachRow',
      });
      return (await rows.json<{ sessions: number; cost: number | null }>())[0];
    },
    read: async (uuid: string) => (await api.call(operator, { url: `${url}/${uuid}` })).json['data']!,
    listed: async (query: string) =>
      items((await api.call(operator, { url: `${url}?${query}` })).json['data']).map(
        ({ id }) => id as unknown,
      ),
    /** Ends a session of three hours ago after an hour; answers its uuid. */
    end: async (userId: number | null, energyWh: number, flags = implausible) => {
      connector += 1;
      const startedAt = new Date(Date.now() - 3 * 3_600_000);
      const session = await startSession(sql, { chargerUuid, connector, userId, startedAt });
      await endSession(sql, session, energyWh, flags);
      return session.uuid;
    },
  };
}

const refused = (code: string, details: object = {}) => ({ status: 409, json: { error: { code, details } } });

void t.test('an operator decides the price of an implausible session', async (t) => {
  const billing = await billingScene(t);
  const { api } = billing;
  const { sql, decide, read, end, listed, operator, watch } = await scene(billing);
  const driver = await addDriver(api, 4000n);

  await t.test('lists the sessions in review', async (t) => {
    const held = await end(null, 9_000_000);
    await end(null, 9000, []);
    t.strictSame(await listed('priceState=REVIEW'), [held]);
    t.strictSame(await listed(`priceState=REVIEW&status=COMPLETED&networkId=${api.network.uuid}`), [held]);
    t.notOk((await listed('priceState=SETTLED')).includes(held));
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const answer = await api.call(foreign, { url: `${url}?priceState=REVIEW` });
    t.same(items(answer.json['data']), [], 'of another network nothing');
  });

  await t.test('approves a plausible price without a confirmation', async (t) => {
    const uuid = await end(driver.user.id, 20_000, ['time-past']);
    t.match(await read(uuid), { priceState: 'REVIEW', cost: { totalInclVat: 11.5, isFinal: false } });
    t.match(await driver.shown(), { available: 40, held: 0, owed: 0 });
    const answer = await decide(uuid, 'approve', { reason: 'The driver called' }, { 'if-match': '"1"' });
    t.match(answer, { status: 200, headers: { etag: '"2"' } }, answer.text);
    t.match(answer.json['data'], {
      priceState: 'SETTLED',
      priceNotice: null,
      flags: ['time-past', 'approved'],
      cost: { totalInclVat: 11.5, isFinal: true },
      revisions: [{ version: 1, reason: 'The driver called', replacedBy: 'test', flags: ['time-past'] }],
    });
    t.match(await driver.shown(), { available: 28.5, held: 0, owed: 0 });
    t.match(
      await decide(uuid, 'approve', { reason: 'Again' }),
      refused('SESSION_NOT_IN_REVIEW', { priceState: 'SETTLED' }),
    );
    t.match(await driver.shown(), { available: 28.5 });
  });

  await t.test('approves an implausible price only with a second confirmation', async (t) => {
    const uuid = await end(driver.user.id, 40_000);
    const reason = 'Measured by hand';
    t.match(await decide(uuid, 'approve', { reason }), refused('ABOVE_PLAUSIBLE', maximum));
    t.match(
      await decide(uuid, 'approve', { reason, confirmAbovePlausible: false }),
      refused('ABOVE_PLAUSIBLE'),
    );
    t.match(await driver.shown(), { available: 28.5 });
    t.equal((await decide(uuid, 'approve', { reason, confirmAbovePlausible: true })).status, 200);
    // 40 kWh and the session: 17.50, with VAT 21.18.
    t.match(await driver.shown(), { available: 7.32, held: 0, owed: 0 });
    const [entry] = await sql`select * from audit_log where resource_id = ${uuid}`;
    t.match(entry, {
      action: 'approve',
      category: 'session',
      details: {
        before: { priceState: 'REVIEW', totalInclVatMinor: '2118', energyWh: 40_000 },
        after: { priceState: 'SETTLED', totalInclVatMinor: '2118', energyWh: 40_000 },
        confirmAbovePlausible: true,
        reason,
      },
    });
  });

  await t.test('amends a session up to its plausible maximum, and above with a confirmation', async (t) => {
    const uuid = await end(driver.user.id, 2_147_483_000);
    const reason = 'The meter was misread';
    for (const change of [
      { energyKwh: 27.5 },
      { cost: { exclVat: 15, inclVat: 15.09 } },
      { endedAt: new Date(Date.now() - 3 * 3_600_000 + 60_000).toISOString() },
    ]) {
      const answer = await decide(uuid, 'amend', { reason, ...change });
      t.match(answer, refused('ABOVE_PLAUSIBLE'), JSON.stringify(change));
    }
    t.match(await decide(uuid, 'amend', { reason, confirmAbovePlausible: true }), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
    t.match(await driver.shown(), { available: 7.32 });
    const amended = await decide(uuid, 'amend', { reason, energyKwh: 9 });
    t.match(amended.json['data'], { priceState: 'SETTLED', flags: ['corrected'], energyKwh: 9 });
    // 9 kWh and the session: 5.10, with VAT 6.17.
    t.match(await driver.shown(), { available: 1.15 });
    const [entry] = await sql`select details from audit_log where resource_id = ${uuid}`;
    t.match(entry?.['details'], {
      before: { priceState: 'REVIEW', totalInclVatMinor: '103938359' },
      after: { priceState: 'SETTLED', totalInclVatMinor: '617' },
    });
    const above = { reason: 'By contract', cost: { exclVat: 15, inclVat: 18.15 } };
    t.equal((await decide(uuid, 'amend', { ...above, confirmAbovePlausible: true })).status, 200);
    t.match(await driver.shown(), { available: 0, owed: 10.83 });
  });

  await t.test('amends the end of a session with implausible energy only with a confirmation', async (t) => {
    const held = await end(null, 9_000_000);
    // Its price would come later, as that of a tariff by time of day does.
    await sql`update sessions set tariff = null, cost = null where uuid = ${held}`;
    const payload = { endedAt: new Date(Date.now() - 3_600_000).toISOString(), reason: 'A wrong clock' };
    t.match(await decide(held, 'amend', payload), refused('ABOVE_PLAUSIBLE'));
  });

  await t.test('lets no key decide that lacks the money scope, and no other network', async (t) => {
    const uuid = await end(null, 9_000_000);
    const writer = await mintKey(api, { scopes: ['cpms:read', 'cpms:write:sessions'] });
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const payload = { reason: 'x', confirmAbovePlausible: true };
    for (const [how, change] of [
      ['approve', {}],
      ['amend', { energyKwh: 1 }],
    ] as const) {
      const request = {
        method: 'POST',
        url: `${url}/${uuid}/${how}`,
        payload: { ...payload, ...change },
      } as const;
      const lacking = { code: 'SCOPE_MISSING', details: { scope: 'cpms:command:billing' } };
      t.match(await api.call(writer, request), { status: 403, json: { error: lacking } });
      t.match(await api.call(foreign, request), {
        status: 404,
        json: { error: { code: 'SESSION_NOT_FOUND' } },
      });
      t.equal((await api.call(null, request)).status, 401);
      t.match(await api.call(driver.key, request), { status: 403 });
    }
    t.match(await read(uuid), { priceState: 'REVIEW', version: 1 });
  });

  await t.test('opens an alert until the review ends', async (t) => {
    const uuid = await end(null, 9_000_000);
    const alerts = async () =>
      items(
        (await api.call(operator, { url: `/cpms/v1/alerts?kind=session-in-review&resourceId=${uuid}` })).json[
          'data'
        ],
      );
    await watch();
    t.match(await alerts(), [
      { status: 'open', severity: 'critical', details: { energyKwh: 9000, currency: 'EUR' } },
    ]);
    await decide(uuid, 'amend', { reason: 'Misread', energyKwh: 9 });
    await watch();
    t.match(await alerts(), [{ status: 'resolved' }]);
    await watch();
    t.equal((await alerts()).length, 1);
  });
});

void t.test('excludes a session in review from billing', async (t) => {
  const billing = await billingScene(t);
  const { api, keys, driver, call, chargerUuid } = billing;
  const { sql, decide, end, read, facts } = await scene(billing);
  const uuid = await end(driver.id, 9_000_000);
  const inReview = { status: 409, json: { code: 'PRICE_IN_REVIEW', details: { sessionId: uuid } } };

  await t.test('shows the review to the driver', async (t) => {
    const { json } = await call(keys.driver, `/charging/sessions/${uuid}`);
    t.match(json, {
      priceState: 'REVIEW',
      priceNotice: /nothing is charged/,
      cost: { isFinal: false },
      status: 'COMPLETED',
    });
    t.match(items((await call(keys.driver, '/charging/sessions')).json['data']), [{ priceState: 'REVIEW' }]);
    t.match(await call(keys.driver, `/transactions/${uuid}`), {
      json: { status: 'REVIEW', cost: { isFinal: false } },
    });
    t.match(items((await call(keys.driver, '/transactions?status=REVIEW')).json['data']), [{ id: uuid }]);
    t.strictSame(items((await call(keys.driver, '/transactions?status=OPEN')).json['data']), []);
  });

  await t.test('has no receipt and no invoice', async (t) => {
    t.match(await call(keys.driver, `/charging/sessions/${uuid}/receipt`), inReview);
    const invoice = { method: 'POST', payload: { transactionIds: [uuid] } } as const;
    t.match(await call(keys.operator, '/invoices', invoice), inReview);
  });

  await t.test('counts in no analytics and no revenue', async (t) => {
    t.match(await facts(), { sessions: 0 });
    const report = await call(keys.operator, '/reports/export?type=sessions-summary&format=json');
    t.match(report.json['data'] ?? report.json, [{ transactionId: uuid, status: 'REVIEW', inclVat: null }]);
    await decide(uuid, 'amend', { reason: 'Misread', energyKwh: 9 });
    t.match(await facts(), { sessions: 1, cost: 617 });
    t.match(await call(keys.driver, `/transactions/${uuid}`), { json: { status: 'OPEN' } });
    t.match(await read(uuid), { priceState: 'SETTLED' });
  });

  await t.test('makes no CDR, and shows a roaming partner no cost', async (t) => {
    const { id, token } = await registerEmsp(api, await startEmsp(t));
    const session = await startRoamingSession(api, chargerUuid, id);
    await endSession(sql, session, 9_000_000, implausible);
    const cdrs = async () => {
      await makeDueCdrs({ ...api.deps, log });
      const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/cdrs' });
      return items(json['data']);
    };
    t.strictSame(await cdrs(), []);
    const { json } = await ocpi(api, token, {
      url: '/ocpi/cpo/2.2.1/sessions?date_from=2020-01-01T00:00:00Z',
    });
    t.match(items(json['data']), [{ status: 'COMPLETED' }]);
    t.notOk(items(json['data'])[0]?.['total_cost']);
    await decide(session.uuid, 'approve', { reason: 'A lorry', confirmAbovePlausible: true });
    t.match(await cdrs(), [{ session_id: session.uuid }]);
  });
});
