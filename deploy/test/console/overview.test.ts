import t, { type Test } from 'tap';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { addRejectedAttempts } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedCharger, seedConnection, seedUser } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Adds a charger of the network that is online, with two connectors. */
async function addOnline({ stores: { sql }, network }: ConsoleRig) {
  const charger = await seedCharger(sql, network.id, { connectors: 2 });
  await sql`update chargers set status = 'Available' where id = ${charger.id}`;
  await seedConnection(sql, charger.uuid);
  return charger;
}

/** A network with one or two records in each section of the work list. */
async function workScene(t: Test) {
  const console = await startConsole(t);
  const { network } = console;
  const { sql } = console.stores;
  const [faulted, offline, stalled] = [
    await addOnline(console),
    await addOnline(console),
    await addOnline(console),
  ];
  await sql`
    update connectors set status = 'Faulted', error_code = 'GroundFailure', status_at = now()
    where charger_id = ${faulted.id} and number = 2`;
  await sql`update chargers set disconnected_at = now() where id = ${offline.id}`;
  await sql`
    insert into firmware_updates (charger_id, location, status, outcome, closed_at)
    values (${stalled.id}, 'http://example.org/a.bin', 'InstallationFailed', 'failed', now())`;
  const [connector] = await addConnectors(sql, { id: network.id, currency: 'EUR' }, 1);
  for (const costMinor of [500, 900]) {
    const session = await addRunning(sql, connector!, new Date(Date.now() - 1000));
    await endSession(sql, session, { endedAt: new Date(), energyWh: 1000, costMinor });
    await sql`update sessions set price_state = 'REVIEW', flags = '{energy-implausible}' where id = ${session}`;
  }
  const driver = await seedUser(sql, network.id);
  const opened = await ensureWallet(sql, allNetworks, { id: driver.id });
  await sql.begin((transaction) =>
    moveMoney(transaction, opened!.wallet.id, {
      cause: 'DEBIT',
      causeId: driver.uuid,
      counter: 'adjustments',
      amountMinor: -1250n,
      mayOwe: true,
      reason: 'A charge',
    }),
  );
  const at = Date.now();
  await addRejectedAttempts(sql, [
    {
      identity: faulted.uid,
      reason: 'wrong-credentials',
      chargerId: faulted.id,
      remoteAddress: '203.0.113.7',
      attempts: 4,
      firstAt: at,
      lastAt: at + 60_000,
    },
  ]);
  return { ...console, faulted };
}

void t.test('each section of the work list states reasons and opens the rows that it counts', async (t) => {
  const console = await workScene(t);
  const { page, visit, faults } = await console.open('/');
  const work = page.getByRole('region', { name: 'Needs attention' });
  const sections = [
    ['1 charger with a fault', 'Connector 2 · Ground fault', 'Chargers', 1],
    ['1 charger offline', 'Connection closed', 'Chargers', 1],
    ['1 rejected connection', 'The password is wrong.', 'Rejected connections', 1],
    ['2 sessions in review', '€9.00 · The connector cannot have delivered', 'Sessions in review', 2],
    ['1 failed payment', 'The wallet was short by €12.50', 'Wallets', 1],
    ['1 failed or stuck update', 'Installation failed', 'Chargers', 1],
  ] as const;
  await work.getByText(/sessions in review/).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  for (const [section, reason, table, count] of sections) {
    await work.getByText(reason).first().waitFor();
    await work.getByRole('link', { name: section }).click();
    await work.waitFor({ state: 'detached' });
    const rows = page.getByRole('table', { name: table }).getByRole('row');
    // The first row has the names of the columns.
    await until(`the rows of ${section}`, async () => (await rows.count()) === count + 1);
    t.pass(section);
    await visit('/');
  }
  await work.getByRole('button', { name: 'Restart' }).click();
  await page.getByRole('dialog', { name: `Restart ${console.faulted.uid}` }).waitFor();
  t.strictSame(faults, []);
});

void t.test('a viewer sees the work without actions that the role may not perform', async (t) => {
  const console = await workScene(t);
  const { page, faults } = await console.open('/', { signIn: await console.addOperator('Viewer') });
  const work = page.getByRole('region', { name: 'Needs attention' });
  await work.getByRole('link', { name: '2 sessions in review' }).waitFor();
  t.equal(await work.getByRole('button').count(), 0);
  t.equal(await work.getByRole('link', { name: 'Decide' }).count(), 0);
  t.strictSame(faults, []);
});

void t.test('badges count open alerts and sessions in review, and follow events', async (t) => {
  const console = await workScene(t);
  const { sql } = console.stores;
  const { page, faults } = await console.open('/money/tariffs');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Review queue 2' }).waitFor();
  const { faulted, network } = console;
  // The stream opens after the page: the event is repeated until it is followed. The alerts of the scene may come first.
  await until('a badge of the new alert', async () => {
    await sql`
      with a as (
        insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message, details,
          occurred_at, last_occurred_at)
        values (${network.id}, 'unmatched-stop', 'warning', 'charger', ${faulted.uuid}, ${faulted.uid}, ${faulted.id}, 'x', '{}',
          now(), now())
        on conflict do nothing returning id)
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      values (${network.id}, 'alert.raised', 1, gen_random_uuid(), ${faulted.id}, '{"kind": "unmatched-stop"}')`;
    return (await navigation.getByRole('link', { name: /^Alerts \d+$/ }).count()) === 1;
  });
  t.strictSame(faults, []);
});

void t.test('the feed names chargers, connectors and operators without a request for each', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await console.connect('ocpp1.6');
  answerCalls(client, () => ({ status: 'Unlocked' }));
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
  // Ada is on the second page of the list.
  await console.stores.sql`
    with added as (
      insert into operators (email, name, role, password_hash)
      select ${console.network.uuid} || n || '@example.com', 'Colleague ' || n, 'Viewer', 'x' from generate_series(1, 100) n
      returning id
    )
    insert into operator_networks (operator_id, network_id) select id, ${console.network.id} from added`;
  const login = await console.addOperator('Admin');
  const { page, context, faults } = await console.open('/', { signIn: login });
  const reads: string[] = [];
  page.on('request', (request) => {
    if (/\/cpms\/v1\/(?:chargers\/[\da-f-]{36}|operators)/.test(request.url())) reads.push(request.url());
  });
  const feed = page.getByRole('region', { name: 'Live feed' });
  await feed.getByText(`${charger.uid} connected`).waitFor();
  const unlock = `${console.origin}/cpms/v1/chargers/${charger.uuid}/unlock-connector`;
  const headers = { origin: console.origin };
  const response = await context.request.post(unlock, { data: { connectorNumber: 1 }, headers });
  t.ok(response.ok(), await response.text());
  await feed.getByText(`Connector 1 at ${charger.uid} unlocked by Ada`).waitFor();
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' });
  await feed.getByText(`Connector 1 at ${charger.uid} reported a fault: Ground fault`).waitFor();
  t.same(
    reads.map((url) => new URL(url).pathname),
    ['/cpms/v1/operators', '/cpms/v1/operators'],
    'one for each page of operators',
  );
  t.strictSame(faults, []);
});

void t.test('an idle overview sends at most six requests a minute', async (t) => {
  const console = await workScene(t);
  const { page, visit, faults } = await console.open('/settings/account');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.install();
  await visit('/');
  await page.getByRole('region', { name: 'Power of the last 24 hours' }).getByRole('img').waitFor();
  await page.getByRole('link', { name: '2 sessions in review', exact: true }).waitFor();
  // Events of the scene load the page once more.
  await page.clock.runFor(4000);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  for (let part = 0; part < 6; part += 1) await page.clock.runFor(10_000);
  t.ok(requests > 0 && requests <= 6, `${requests} requests`);
  t.strictSame(faults, []);
});
