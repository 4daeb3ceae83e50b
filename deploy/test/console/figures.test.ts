import t, { type Test } from 'tap';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { until } from '#shared/testing/until.ts';
import { startConsole } from './support/console.ts';

/** A network with sessions of today: running, ended, ended in review, and one that started yesterday. */
async function scene(t: Test) {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { id } = console.network;
  await sql`update networks set time_zone = 'UTC' where id = ${id}`;
  const [first, second] = await addConnectors(sql, { id, currency: 'EUR' }, 2);
  if (first === undefined || second === undefined) throw new Error('no connectors');
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const ended = async (start: number, end: number, energyWh: number, costMinor: number) => {
    const session = await addRunning(sql, first, new Date(start));
    await endSession(sql, session, { endedAt: new Date(end), energyWh, costMinor });
    return session;
  };
  await ended(midnight, midnight + 1, 20_000, 1000);
  await ended(midnight - 9, midnight + 1, 100_000, 5000);
  const held = await ended(midnight, midnight + 1, 900_000, 90_000);
  await sql`update sessions set price_state = 'REVIEW' where id = ${held}`;
  const running = await addRunning(sql, second, new Date(midnight));
  await sql`update sessions set status = 'STOPPING', energy_wh = 4000, live_at = now(), power_w = 7000 where id = ${running}`;
  await until('figures with the sessions that ended', async () => {
    const response = await fetch(`${console.origin}/cpms/v1/analytics/today`, {
      headers: { 'x-api-key': console.key },
    });
    const { data } = (await response.json()) as { data: { today: { soFar: { endedSessions: number } } } };
    return data.today.soFar.endedSessions === 2;
  });
  return console;
}

void t.test('each figure of today opens the sessions that it counts', async (t) => {
  const console = await scene(t);
  const { page, visit, faults } = await console.open('/');
  const figures = page.getByRole('region', { name: 'Today’s figures' });
  const sums = page.getByLabel('Totals of these sessions');
  const cases = [
    ['7.00 kW', { Sessions: '1', Running: '1' }],
    ['34.0 kWh', { Sessions: '3', 'Energy in the period': '34.0 kWh', 'In review': '0' }],
    ['€60.00', { Sessions: '2', Priced: '€60.00', 'In review': '0' }],
    ['3', { Sessions: '3' }],
  ] as const;
  for (const [figure, expected] of cases) {
    await visit('/');
    await figures.getByRole('link', { name: figure, exact: true }).click();
    for (const [name, value] of Object.entries(expected)) {
      await sums.locator('div').filter({ hasText: name }).getByText(value, { exact: true }).first().waitFor();
    }
    t.pass(figure);
  }
  for (const place of [0, 1]) {
    await visit('/');
    await figures.getByRole('link', { name: 'Excludes 1 session in review' }).nth(place).click();
    await sums.getByText(/^1 · €900\.00$/).waitFor();
  }
  t.same(faults, []);
});

void t.test('each state of the overview opens as many chargers as it counts', async (t) => {
  const console = await scene(t);
  const { page, visit, faults } = await console.open('/');
  const counts = page.getByRole('region', { name: 'Chargers by state' });
  const figures = counts.getByRole('link');
  // The first is the number of all chargers, which the page has read when it is shown.
  await figures.first().getByText('1', { exact: true }).waitFor();
  const total = await figures.count();
  for (let place = 0; place < total; place += 1) {
    const figure = figures.nth(place);
    const count = Number.parseInt(await figure.innerText(), 10);
    await figure.click();
    await counts.waitFor({ state: 'detached' });
    const shown = page.getByRole('group', { name: 'Filter by state' });
    await shown.getByRole('button', { pressed: true }).getByText(String(count), { exact: true }).waitFor();
    t.pass(`figure ${place}: ${count}`);
    await visit('/');
    await figures.first().getByText('1', { exact: true }).waitFor();
  }
  t.same(faults, []);
});

void t.test('each number of analytics opens the sessions that it counts', async (t) => {
  const console = await scene(t);
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const day = { from: new Date(midnight).toISOString(), to: new Date(midnight + 86_399_999).toISOString() };
  const analytics = `/reporting/analytics?${new URLSearchParams(day).toString()}`;
  const { page, visit, faults } = await console.open(analytics);
  const figures = page.getByRole('region', { name: 'Key figures' });
  const sums = page.getByLabel('Totals of these sessions');
  const expected = { Sessions: '2', Priced: '€60.00', Energy: '120 kWh', 'In review': '0' };
  await figures.getByRole('link', { name: '120 kWh' }).waitFor();
  const total = 5;
  for (let place = 0; place < total; place += 1) {
    await figures.getByRole('link').nth(place).click();
    for (const [name, value] of Object.entries(expected)) {
      await sums.locator('div').filter({ hasText: name }).getByText(value, { exact: true }).first().waitFor();
    }
    t.pass(`figure ${place}`);
    await visit(analytics);
    await figures.getByRole('link', { name: '120 kWh' }).waitFor();
  }
  const hours = page.getByRole('table', { name: 'Hours of the week' });
  await hours.getByRole('link', { name: /2 sessions$/ }).click();
  await sums.locator('div').filter({ hasText: 'Sessions' }).getByText('2', { exact: true }).first().waitFor();
  await visit(`${analytics}&by=charger`);
  const chargers = page.getByRole('region', { name: 'Breakdown' });
  await chargers.getByRole('link', { name: '2', exact: true }).click();
  await sums.locator('div').filter({ hasText: 'Sessions' }).getByText('2', { exact: true }).first().waitFor();
  await visit(analytics);
  await figures.getByRole('link', { name: 'Excludes 1 session in review' }).click();
  await sums.getByText(/^1 · €900\.00$/).waitFor();
  t.same(faults, []);
});
