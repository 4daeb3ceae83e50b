import t from 'tap';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { addRejectedAttempts } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { seedCharger, seedConnection, seedUser } from '#shared/testing/seed.ts';

const url = '/cpms/v1/work-list';

/** Sections of the work list, and the lists of the same records. */
const lists = {
  faulted: '/cpms/v1/chargers?hasFault=true',
  offline: '/cpms/v1/chargers?state=offline',
  rejected: '/cpms/v1/rejected-connections?',
  inReview: '/cpms/v1/sessions?priceState=REVIEW',
  unpaid: '/cpms/v1/wallets?owing=true',
  stuckUpdates: '/cpms/v1/chargers?hasStuckUpdate=true',
};

/** Work list of a network without any work. */
const nothing = Object.fromEntries(
  [...Object.keys(lists), 'alerts'].map((name) => [name, { count: 0, items: [] }]),
);

/** Chargers with two connectors each that are online, by name. */
async function onlineChargers(api: TestApi, uids: readonly string[]) {
  const { sql } = api.stores;
  const chargers = [];
  for (const uid of uids) {
    const charger = await seedCharger(sql, api.network.id, {
      uid: `${api.network.slug}-${uid}`,
      connectors: 2,
    });
    await sql`update chargers set status = 'Available' where id = ${charger.id}`;
    await seedConnection(sql, charger.uuid);
    chargers.push(charger);
  }
  return chargers;
}

void t.test('lists faults, offline chargers and stuck updates as the lists of chargers do', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const [whole, part, gone, failed, stalled, updated, waiting] = await onlineChargers(api, [
    'whole',
    'part',
    'gone',
    'failed',
    'stalled',
    'updated',
    'waiting',
  ]);
  await sql`update chargers set station_status = 'Faulted', status = 'Faulted' where id = ${whole!.id}`;
  await sql`
    update connectors set status = 'Faulted', error_code = 'GroundFailure', status_at = now() + interval '1 minute'
    where charger_id = ${part!.id} and number = 2`;
  await sql`update connectors set status = 'Faulted' where charger_id = ${gone!.id}`;
  await sql`update chargers set disconnected_at = '2026-01-01' where id = ${gone!.id}`;
  const update = (chargerId: number, status: string, outcome: string | null, ago: string) => sql`
    insert into firmware_updates (charger_id, location, status, status_at, outcome, closed_at)
    values (${chargerId}, 'http://example.org/a.bin', ${status}, now() - ${ago}::interval, ${outcome},
      case when ${outcome}::text is not null then now() - ${ago}::interval end)`;
  await update(failed!.id, 'InstallationFailed', 'failed', '5 minutes');
  await update(stalled!.id, 'Downloading', null, '61 minutes');
  await update(updated!.id, 'DownloadFailed', 'failed', '2 hours');
  await update(updated!.id, 'Installed', 'succeeded', '1 hour');
  await update(waiting!.id, 'Downloading', null, '59 minutes');
  const { json } = await api.call(key, { url });
  t.match(json['data'], {
    faulted: {
      count: 2,
      items: [
        { chargerId: part!.uuid, name: part!.uid, connectorNumber: 2, reasons: ['GroundFailure'] },
        { chargerId: whole!.uuid, connectorNumber: null, reasons: [], since: null },
      ],
    },
    offline: {
      count: 1,
      items: [{ chargerId: gone!.uuid, reasons: ['disconnected'], since: '2026-01-01T00:00:00.000Z' }],
    },
    stuckUpdates: {
      count: 2,
      items: [
        { chargerId: failed!.uuid, reasons: ['InstallationFailed'] },
        { chargerId: stalled!.uuid, reasons: ['Downloading'] },
      ],
    },
  });
  for (const name of ['faulted', 'offline', 'stuckUpdates'] as const) {
    const listed = items((await api.call(key, { url: lists[name] })).json['data']).map(({ id }) => id);
    const shown = items(json['data']?.[name]?.['items']).map(({ chargerId }) => chargerId);
    t.same(new Set(listed), new Set(shown), name);
  }
});

void t.test('reads only the requested sections', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { json } = await api.call(key, { url: `${url}?sections=alerts,inReview` });
  const none = Object.fromEntries(Object.keys(nothing).map((name) => [name, null]));
  t.strictSame(json['data'], { ...none, alerts: nothing['alerts'], inReview: nothing['inReview'] });
  for (const sections of ['', 'alerts,', 'dance', 'alerts,alerts2']) {
    const refused = await api.call(key, { url: `${url}?sections=${sections}` });
    t.match(refused, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, sections);
  }
});

void t.test('lists what is in review, unpaid or rejected with amounts and reasons', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const [connector] = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 1);
  for (const costMinor of [100, 900, 300, 500]) {
    const session = await addRunning(sql, connector!, new Date(Date.now() - 1000));
    await endSession(sql, session, { endedAt: new Date(), energyWh: 1000, costMinor });
    await sql`update sessions set price_state = 'REVIEW', flags = '{register-jump}' where id = ${session}`;
  }
  const driver = await seedUser(sql, api.network.id);
  const wallet = await ensureWallet(sql, allNetworks, { id: driver.id });
  await sql.begin((transaction) =>
    moveMoney(transaction, wallet!.wallet.id, {
      cause: 'DEBIT',
      causeId: driver.uuid,
      counter: 'adjustments',
      amountMinor: -1250n,
      mayOwe: true,
      reason: 'A charge',
    }),
  );
  const at = Date.now();
  const rejected = {
    identity: `${api.network.slug}-rejected`,
    reason: 'wrong-credentials' as const,
    chargerId: connector!.chargerId,
    remoteAddress: '203.0.113.7',
    attempts: 4,
    firstAt: at,
    lastAt: at,
  };
  await addRejectedAttempts(sql, [rejected]);
  const { json } = await api.call(key, { url });
  t.match(json['data'], {
    inReview: {
      count: 4,
      items: [9, 5, 3].map((amount) => ({ amount, currency: 'EUR', reasons: ['register-jump'] })),
    },
    unpaid: { count: 1, items: [{ id: wallet!.wallet.uuid, amount: 12.5, currency: 'EUR', since: null }] },
    rejected: {
      count: 1,
      items: [{ name: rejected.identity, reasons: ['wrong-credentials'], since: new Date(at).toISOString() }],
    },
  });
  for (const name of ['inReview', 'unpaid', 'rejected'] as const) {
    const listed = items((await api.call(key, { url: `${lists[name]}&pageSize=50` })).json['data']);
    t.equal(listed.length, json['data']?.[name]?.['count'], name);
  }
});

void t.test('shows nothing of other networks, and only sections within the scopes', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const [charger] = await onlineChargers(api, ['faulted']);
  await sql`update chargers set station_status = 'Faulted' where id = ${charger!.id}`;
  await sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, message, details, occurred_at,
      last_occurred_at)
    select ${api.network.id}, kind, 'warning', 'charger', ${charger!.uuid}, 'QUAY-1', 'x', '{}', now(), now()
    from unnest('{charger-faulted,clock-wrong}'::text[]) kind`;
  const read = async (key: string | null, query = '') => {
    const { status, json } = await api.call(key, { url: `${url}${query}` });
    return status === 200 ? json['data'] : status;
  };
  t.match(await read(await mintKey(api)), {
    faulted: { count: 1 },
    alerts: { count: 2, items: [{ name: 'QUAY-1', reasons: ['clock-wrong'] }, {}] },
  });
  t.same(await read(await mintKey(api, { networkIds: [api.otherNetwork.id] })), nothing);
  t.same(await read(await mintKey(api, { scopes: ['cpms:read:wallets'] })), {
    faulted: null,
    offline: null,
    rejected: null,
    inReview: null,
    unpaid: { count: 0, items: [] },
    stuckUpdates: null,
    alerts: null,
  });
  t.equal(await read(await mintKey(api), `?networkId=${api.otherNetwork.uuid}`), 404);
  t.equal(await read(null), 401);
});
