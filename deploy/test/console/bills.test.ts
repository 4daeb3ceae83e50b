import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { completeSeller } from '#api/test/support/billing.ts';
import { addLocation, addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedApiKey } from '#shared/testing/seed.ts';
import { faultsInBothThemes } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const hourMs = 3_600_000;

/** A network that can bill, with a driver whose wallet has 5.00, and a charger at a location. */
async function scene(t: Test) {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await completeSeller(sql, console.network.id);
  await addTariff(sql, console.network.id);
  const location = await addLocation(sql, console.network.id);
  const { charger } = await console.connect('ocpp1.6');
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const driver = await addUser(sql, console.network.id, 'ada@example.org');
  await sql`update users set name = 'Ada Driver' where id = ${driver.id}`;
  const opened = await ensureWallet(sql, allNetworks, { id: driver.id });
  const { id = 0, uuid = '' } = opened?.wallet ?? {};
  const posting = { cause: 'CREDIT', counter: 'adjustments', mayOwe: false, reason: 'Welcome' } as const;
  await sql.begin((transaction) =>
    moveMoney(transaction, id, { ...posting, causeId: randomUUID(), amountMinor: 500n }),
  );
  const emspKey = await seedApiKey(sql, 'emsp');
  return {
    console,
    wallet: uuid,
    /** Adds a completed session of the driver: 11.50 with VAT for 20 kWh. */
    charge: async (hoursAgo: number) => {
      const startedAt = new Date(Date.now() - hoursAgo * hourMs);
      const session = await startSession(sql, { chargerUuid: charger.uuid, userId: driver.id, startedAt });
      await endSession(sql, session, 20_000);
      return session.uuid;
    },
    bill: async (transactionIds: string[]) => {
      const response = await fetch(`${console.origin}/emsp/v1/invoices`, {
        method: 'POST',
        headers: { 'x-api-key': emspKey, 'content-type': 'application/json' },
        body: JSON.stringify({ transactionIds }),
      });
      if (!response.ok) throw new Error(await response.text());
      return ((await response.json()) as { invoiceNumber: string }).invoiceNumber;
    },
  };
}

void t.test('an operator finds a wallet that owes, credits it, and reads the ledger', async (t) => {
  const { console, wallet, charge } = await scene(t);
  const session = await charge(5);
  const { page, faults } = await console.open('/money/wallets');
  await page.getByRole('button', { name: 'Balance' }).click();
  await page.waitForURL(/sort=balance/);
  await page
    .getByRole('columnheader', { name: 'Balance' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();
  const sums = page.getByLabel('Totals of these wallets');
  await sums.getByText('-€6.50').waitFor();
  await page.getByRole('searchbox', { name: 'Driver' }).fill('nobody');
  await page.getByText('No wallet matches these filters.').waitFor();
  await page.getByRole('searchbox', { name: 'Driver' }).fill('ADA@');
  await sums.getByRole('button', { name: '1' }).click();
  await page.waitForURL(/debt=owing/);
  await page.getByRole('link', { name: 'Ada Driver' }).click();
  await page.waitForURL(`**/money/wallets/${wallet}`);

  const ledger = page.getByRole('table', { name: 'Movements of the wallet' });
  await ledger.getByRole('link', { name: `Session ${session.slice(0, 8)}` }).waitFor();
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByText('The credit first settles the debt of €6.50.').waitFor();
  await page.getByLabel('Amount in EUR').fill('20,5');
  await page.getByLabel('Reason').fill('Paid at the desk');
  await page.getByText('New balance: €14.00, before: -€6.50.').waitFor();
  t.strictSame(await faultsInBothThemes(page), []);
  await page.getByRole('button', { name: 'Credit €20.50' }).click();
  await ledger.getByRole('row').nth(1).getByText('Paid at the desk').waitFor();
  await ledger.getByRole('row').nth(1).getByText('+€20.50').waitFor();
  await page.getByLabel('Composition of the balance').getByText('€14.00').first().waitFor();

  await page.getByRole('button', { name: 'Debit', exact: true }).click();
  await page.getByLabel('Amount in EUR').fill('15');
  await page.getByLabel('Reason').fill('Correction');
  await page.getByRole('button', { name: 'Debit €15.00' }).click();
  await page.getByRole('alert').getByText('only €14.00 available').waitFor();
  await page.getByLabel('Amount in EUR').fill('4');
  await page.getByRole('button', { name: 'Debit €4.00' }).click();
  await ledger.getByRole('row').nth(1).getByText('-€4.00').waitFor();
  t.equal(await ledger.getByRole('row').count(), 5, 'each adjustment was booked once');

  await page.getByRole('button', { name: /Movement/ }).click();
  await page.getByRole('option', { name: 'Debit' }).click();
  await page.waitForURL(/type=DEBIT/);
  await ledger.getByText('Paid at the desk').waitFor({ state: 'detached' });
  t.strictSame(faults, []);
});

void t.test('an operator opens an invoice from its session, and shows its PDF', async (t) => {
  const { console, charge, bill } = await scene(t);
  const session = await charge(5);
  const number = await bill([session, await charge(8)]);
  await console.stores.sql`
    update networks set time_zone = 'Pacific/Kiritimati' where id = ${console.network.id}`;
  const { page, faults } = await console.open(`/charging/sessions/${session}`, { showsPdf: true });
  await page.getByRole('link', { name: '-€18.00' }).waitFor();
  await page.getByRole('link', { name: number }).click();
  await page.getByRole('heading', { name: `Invoice ${number}` }).waitFor();
  const amounts = page.getByLabel('Amounts');
  await amounts.getByText('€23.00').waitFor();
  t.equal(await page.title(), `Invoice ${number} · Invoices · chargeway`);
  await amounts.getByText('€18.00').waitFor();
  await page.getByRole('region', { name: 'VAT by rate' }).getByText('21%').waitFor();
  await page
    .getByRole('region', { name: 'Payments' })
    .getByRole('link', { name: session.slice(0, 8) })
    .waitFor();
  await page
    .getByRole('table', { name: 'Sessions on the document' })
    .getByText(/Energy €8\.00/)
    .first()
    .waitFor();
  const pdf = page.waitForResponse((response) => response.url().endsWith('/pdf'));
  await page.getByRole('button', { name: 'Show PDF' }).click();
  t.match((await (await pdf).allHeaders())['content-type'], 'application/pdf');
  t.strictSame(await faultsInBothThemes(page), []);

  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  const list = page.getByRole('table', { name: 'Invoices and credit notes' });
  await list.getByRole('link', { name: number }).waitFor();
  t.strictSame(await faultsInBothThemes(page), []);
  await page.getByRole('button', { name: /Payment/ }).click();
  await page.getByRole('option', { name: 'Paid' }).click();
  await page.getByText('No invoice matches these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await list.getByText('€18.00').waitFor();
  // A day of the network, which is 14 hours ahead of UTC.
  const filtered = page.waitForRequest(/from=2026-03-01T10%3A00%3A00/);
  await page.getByLabel('Issued from').fill('2026-03-02');
  await filtered;
  await list.getByText('€18.00').waitFor();
  t.strictSame(faults, []);
  await page.goto(`${console.origin}/console/money/invoices/${randomUUID()}`);
  await page.getByText('Not found').waitFor();
});

void t.test('an operator opens the wallet of a driver, once', async (t) => {
  const { console } = await scene(t);
  await addUser(console.stores.sql, console.network.id, 'bram@example.org');
  const { page, faults } = await console.open('/money/wallets');
  const choose = async (email: string) => {
    await page.getByRole('button', { name: 'Open a wallet' }).click();
    await page.getByRole('combobox', { name: 'Driver' }).fill(email);
    await page.getByRole('option', { name: email }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  };
  await choose('ada@example.org');
  await page.getByText('This driver already has a wallet.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await choose('bram@example.org');
  await page.getByRole('heading', { name: 'Wallet of Driver' }).waitFor();
  await page.getByText('No movements yet.').waitFor();
  t.strictSame(faults, []);
});
