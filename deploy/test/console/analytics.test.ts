import t, { type Test } from 'tap';
import { addLocation } from '#api/test/support/records.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { until } from '#shared/testing/until.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const hourMs = 3_600_000;
const at = (text: string) => new Date(text);

/** The first week of March 2026 in Amsterdam. */
const week = 'from=2026-03-01T23:00:00.000Z&to=2026-03-08T22:59:59.999Z';
const sessionsLink = { name: /^\d+$/ } as const;

/** A network with sessions at two locations: 10 and 20 kWh in Harbour, 40 kWh at Market, and a fault. */
async function scene(t: Test) {
  const console = await startConsole(t);
  const { sql, clickhouse } = console.stores;
  const { id } = console.network;
  await sql`update networks set time_zone = 'Europe/Amsterdam' where id = ${id}`;
  const place = async (name: string) => {
    const location = await addLocation(sql, id, { name });
    const [connector] = await addConnectors(sql, { id, currency: 'EUR' }, 1);
    if (connector === undefined) throw new Error('no connector');
    await sql`update chargers set location_id = ${location.id}, created_at = '2026-01-01' where id = ${connector.chargerId}`;
    await sql`update connectors set created_at = '2026-01-01' where id = ${connector.connectorId}`;
    return connector;
  };
  const [harbour, market] = [await place('Harbour'), await place('Market')];
  for (const [connector, endedAt, energyWh, costMinor] of [
    [harbour, '2026-03-02T08:30:00Z', 10_000, 500],
    [harbour, '2026-03-03T17:30:00Z', 20_000, 1000],
    [market, '2026-03-06T10:30:00Z', 40_000, 3000],
  ] as const) {
    const session = await addRunning(sql, connector, new Date(at(endedAt).getTime() - hourMs));
    await endSession(sql, session, { endedAt: at(endedAt), energyWh, costMinor });
  }
  const report = (time: string, status: string, code: string) => ({
    network_id: id,
    charger_id: harbour.chargerId,
    time: at(time).getTime(),
    received_at: at(time).getTime(),
    kind: 'status',
    evse: 1,
    connector: 1,
    status,
    error_code: code,
  });
  await clickhouse.insert({
    table: 'status_events',
    values: [
      report('2026-03-02T00:00:00Z', 'Available', 'NoError'),
      report('2026-03-04T00:00:00Z', 'Faulted', 'GroundFailure'),
      report('2026-03-05T00:00:00Z', 'Available', 'NoError'),
    ],
    format: 'JSONEachRow',
  });
  await until('analytics with all sessions', async () => {
    const response = await fetch(`${console.origin}/cpms/v1/analytics/series?${week}`, {
      headers: { 'x-api-key': console.key },
    });
    const { data } = (await response.json()) as { data: { totals: { sessions: number } } };
    return data.totals.sessions === 3;
  });
  return console;
}

void t.test('an analyst sees where the network earns and opens the sessions behind a number', async (t) => {
  const console = await scene(t);
  const { page, faults } = await console.open(`/reporting/analytics?${week}`);
  const figures = page.getByRole('region', { name: 'Key figures' });
  await figures.getByRole('link', { name: '70.0 kWh' }).waitFor();
  await figures.getByText('€45.00').waitFor();
  await page.getByText('Times in Europe/Amsterdam').waitFor();
  const hours = page.getByRole('table', { name: 'Hours of the week' });
  await hours.getByRole('link', { name: /^Friday 11:00: .*1 session$/ }).waitFor();
  const locations = page.getByRole('table', { name: 'Locations' });
  await locations.getByRole('row').nth(1).getByText('Market').waitFor();
  const availability = page.getByRole('region', { name: 'Availability and faults' });
  await availability
    .getByRole('row', { name: /Ground fault/ })
    .getByText('24.0 h')
    .waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Highest first' }).click();
  await page.waitForURL(/order=asc/);
  await locations.getByRole('row').nth(1).getByText('Harbour').waitFor();

  // The chart of the week has a day in each seventh of its width.
  const chart = page.getByRole('figure', { name: 'Energy (kWh)' }).locator('.u-over');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('no chart');
  const x = (day: number) => box.x + (box.width / 7) * day;
  await page.mouse.move(x(0.3), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(x(1.5), box.y + 40, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/to=2026-03-03T22/);
  await figures.getByRole('link', { name: '30.0 kWh' }).waitFor();

  await locations
    .getByRole('row', { name: /^Harbour/ })
    .getByRole('link', sessionsLink)
    .click();
  await page.waitForURL(/charging\/sessions/);
  const list = page.getByRole('table', { name: 'Sessions' });
  await list.getByText('20.0 kWh').waitFor();
  t.equal(await list.getByRole('row').count(), 3, 'two sessions below the header');
  await page.goBack();
  await hours.getByRole('link', { name: /^Tuesday 18:00/ }).click();
  await list.getByText('20.0 kWh').waitFor();
  t.equal(await list.getByRole('row').count(), 2);
  t.strictSame(faults, []);
});

void t.test('a caller who may not read sessions sees numbers without links', async (t) => {
  const console = await scene(t);
  const apiKey = await console.addKey(['cpms:read:analytics', 'cpms:read:networks']);
  const { page, faults } = await console.open(`/reporting/analytics?${week}`, {
    theme: 'dark',
    signIn: { apiKey },
  });
  const figures = page.getByRole('region', { name: 'Key figures' });
  await figures.getByText('70.0 kWh').waitFor();
  await page.getByRole('table', { name: 'Locations' }).getByText('Market').waitFor();
  t.equal(await figures.getByRole('link').count(), 0);
  t.equal(await page.getByLabel('Location', { exact: true }).count(), 0);
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  // The same date whichever of day and month the browser asks for first.
  await page.getByLabel('From', { exact: true }).pressSequentially('03032026');
  await page.waitForURL(/from=2026-03-02T23/);
  await figures.getByText('60.0 kWh').waitFor();
  t.ok(
    addresses.every((address) => address.includes('from=2026-03')),
    'no year that is being typed is a window',
  );
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});
