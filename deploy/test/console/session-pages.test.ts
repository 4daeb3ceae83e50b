import t, { type Test } from 'tap';
import { addLocation, addTariff, endSession, startSession } from '#api/test/support/records.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { minute, scripted16, sessionOf } from '#gateway/test/support/scripted16.ts';
import { station21 } from '#gateway/test/support/station21.ts';
import { seedRemoteStart, seedToken } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { connectBooted } from './support/booted.ts';
import { startConsole } from './support/console.ts';

const hour = 60 * minute;

/** A network with a tariff of 0.40 per kWh and 1.50 per session, 21 % VAT, and a charger at a location. */
async function scene(t: Test) {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await addTariff(sql, console.network.id);
  const location = await addLocation(sql, console.network.id);
  const { charger, client } = await console.connect('ocpp1.6');
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  /** Adds a completed session of an hour. */
  const completed = async (hoursAgo: number, energyWh: number, flags: string[] = []) => {
    const startedAt = new Date(Date.now() - hoursAgo * hour);
    const session = await startSession(sql, { chargerUuid: charger.uuid, startedAt });
    await endSession(sql, session, energyWh, flags);
    return session.uuid;
  };
  return { console, charger, client, completed };
}

void t.test('a session is followed from its start to its receipt', async (t) => {
  const { console, charger, client } = await scene(t);
  const reports = scripted16(client, Date.now() - hour);
  const tag = await seedToken(console.stores.sql, console.network.id);
  const transactionId = await reports.start(tag, 0, 0);
  const { uuid } = await sessionOf(console, transactionId);
  const { page, faults } = await console.open(`/charging/sessions/${uuid}`, { showsPdf: true });
  await page.getByRole('heading', { name: `Session at ${charger.uid}` }).waitFor();
  const figures = page.getByLabel('Key figures');
  await figures.getByText('Cost so far').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  await reports.meter(transactionId, 30, 5000, 11_000);
  await figures.getByText('5.00 kWh').waitFor();
  await figures.getByText('11.0 kW', { exact: true }).waitFor();

  await reports.stop(transactionId, 50, 10_000);
  await figures.getByText('Cost', { exact: true }).waitFor();
  const price = page.getByRole('region', { name: 'Price breakdown' });
  await price.getByText('10 kWh').waitFor();
  await price
    .getByRole('row', { name: /^Total/ })
    .getByText('€6.66')
    .waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Session ended').waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  const preview = page.waitForResponse((response) => response.url().endsWith('/receipt?preview=true'));
  await page.getByRole('button', { name: 'Preview' }).click();
  t.equal((await preview).status(), 200);
  t.equal(await page.getByRole('link', { name: 'Download PDF' }).count(), 0);
  const receipt = page.waitForResponse((response) => response.url().endsWith('/receipt'));
  await page.getByRole('button', { name: 'Issue and show receipt' }).click();
  t.equal((await receipt).status(), 200);
  await page.getByRole('link', { name: 'Download PDF' }).waitFor();
  await page.getByText('Receipt issued').waitFor();
  t.strictSame(faults, []);
});

void t.test('a session shows the limits and the cost at its 2.1 station', async (t) => {
  const { console } = await scene(t);
  const { sql } = console.stores;
  const { charger, client } = await connectBooted(console, 'ocpp2.1');
  answerCalls(client, (action) => (action === 'GetPeriodicEventStream' ? {} : { status: 'Accepted' }));
  const station = station21(client);
  await station.report(['TxCtrlr', 'SupportedLimits', 'maxEnergy,maxCost']);
  const tag = await seedToken(sql, console.network.id);
  const central = { idToken: tag, type: 'Central' };
  await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 3, maxEnergyWh: 30_000 });
  await station.event('Started', charger.uid, { idToken: central, info: { remoteStartId: 3 }, kwh: 0 });
  await station.event('Updated', charger.uid, {
    minutes: 10,
    kwh: 5,
    costDetails: {
      totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total: { exclTax: 3, inclTax: 9.99 } },
      totalUsage: { energy: 5000, chargingTime: 600, idleTime: 0 },
    },
  });
  const { uuid } = await sessionOf(console, charger.uid);
  const { page, faults } = await console.open(`/charging/sessions/${uuid}`);
  const card = page.getByRole('region', { name: 'At the station' });
  await card.getByText('€9.99').waitFor();
  await card.getByText('30.0 kWh, not confirmed').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await card.getByRole('button', { name: 'Charge with priority' }).click();
  await card.getByText('The session charges with priority.').waitFor();
  await station.event('Ended', charger.uid, { minutes: 20, kwh: 6 });
  await card.getByText('The station calculated a different cost.').waitFor();
  t.strictSame(faults, []);
});

void t.test('an operator stops a session, and the charger decides', async (t) => {
  const { console, client } = await scene(t);
  const reports = scripted16(client, Date.now() - hour);
  const tag = await seedToken(console.stores.sql, console.network.id);
  const transactionId = await reports.start(tag, 0, 0);
  const { uuid } = await sessionOf(console, transactionId);
  const { page, faults } = await console.open(`/charging/sessions/${uuid}`);
  const stop = async (status: string, outcome: string) => {
    client.handle('RemoteStopTransaction', async () => ({ status }));
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await page.getByRole('log').getByText(outcome).waitFor();
  };
  await stop('Rejected', 'The charger refused');
  await page.getByRole('button', { name: 'Change limits' }).click();
  await page.getByLabel('Energy in kWh').fill('30,5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The limits were changed.').waitFor();
  t.equal((await sessionOf(console, transactionId)).maxEnergyWh, 30_500);
  await stop('Accepted', 'The charger accepted');
  t.strictSame(faults, []);
});

void t.test('the review queue is worked by keyboard', async (t) => {
  const { console, completed } = await scene(t);
  const wrong = await completed(30, 9_000_000, ['energy-implausible']);
  const right = await completed(20, 3_000_000, ['energy-implausible']);
  const { page, faults } = await console.open('/charging/review');
  await page.getByText('2 sessions to review').waitFor();
  // The sums are read before the list.
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(`**/charging/review?session=${right}`);
  await page.keyboard.press('k');
  await page.waitForURL(`**/charging/review?session=${wrong}`);

  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The plausible maximum. The charger reported 9.00 MWh.').waitFor();
  const suggested = Number(await dialog.getByLabel('Energy in kWh').inputValue());
  t.ok(suggested > 0 && suggested < 8000);
  await dialog.getByLabel('Energy in kWh').fill('8000');
  await dialog.getByLabel('Reason').fill('Meter read on site');
  const amend = dialog.getByRole('button', { name: 'Amend the session' });
  await amend.click();
  await dialog.getByText('The connector cannot have delivered this much').waitFor();
  t.ok(await amend.isDisabled(), 'values above the plausible maximum need a confirmation');
  await dialog.getByLabel('Energy in kWh').fill('9');
  // The sums are read before the list: the dialog stays, so that no key decides on the session that is about to go.
  const list = Promise.withResolvers<void>();
  await page.route(/\/cpms\/v1\/sessions\?/, (route) => list.promise.then(() => route.continue()));
  await amend.click();
  await page.getByText('1 session to review').waitFor();
  t.ok(await dialog.isVisible());
  list.resolve();
  await dialog.waitFor({ state: 'detached' });

  await page.keyboard.press('a');
  await dialog.getByLabel('Reason').fill('A bus');
  await dialog.getByText('they are correct').click();
  await dialog.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Nothing to review').waitFor();
  const states = await console.stores.sql<{ uuid: string; state: string; energy: number }[]>`
    select uuid, price_state as state, energy_wh as energy from sessions where network_id = ${console.network.id}
    order by started_at`;
  t.strictSame(
    [...states],
    [
      { uuid: wrong, state: 'SETTLED', energy: 9000 },
      { uuid: right, state: 'SETTLED', energy: 3_000_000 },
    ],
  );
  t.strictSame(faults, []);
});

void t.test('the values that a partner states are shown and accepted', async (t) => {
  const { console, completed } = await scene(t);
  const uuid = await completed(20, 10_000, ['partner-statement']);
  await console.stores.sql`update sessions set partner_statement = '{"kwh": 8}' where uuid = ${uuid}`;
  const { page, faults } = await console.open(`/charging/sessions/${uuid}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText(/8(\.0+)? kWh/)
    .first()
    .waitFor();
  await dialog.getByLabel('Reason').fill('Agreed with the partner');
  await dialog.getByRole('button', { name: 'Approve €6.66' }).waitFor();
  await dialog.getByText('Settle the partner’s values').click();
  await dialog.getByText('The price is calculated from the partner’s values.').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByLabel('Key figures')
    .getByText(/^8(\.0+)? kWh/)
    .waitFor();
  t.strictSame(faults, []);
});
