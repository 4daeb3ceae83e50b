import { randomUUID } from 'node:crypto';
import t from 'tap';
import { moveMoney, ensureWallet } from '#shared/postgres/money/wallets.statements.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureTopUp } from '#shared/postgres/money/top-ups.statements.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';

const year = new Date().getUTCFullYear();
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

async function pdf({ api, keys }: BillingScene, path: string): Promise<string> {
  const answer = await api.app.inject({ url: `/emsp/v1${path}`, headers: { 'x-api-key': keys.driver } });
  if (answer.statusCode !== 200) throw new Error(answer.payload);
  return flat((await readPdf(answer.rawPayload)).text);
}

/** The wallet of the driver of a scene, with money in it. */
async function openWallet({ api, driver }: BillingScene, cents: bigint) {
  const { sql } = api.stores;
  const opened = await ensureWallet(sql, allNetworks, { id: driver.id });
  const { id } = opened!.wallet;
  const pay = async (cause: 'CREDIT' | 'TOP_UP', amountMinor: bigint) => {
    const topUp = await ensureTopUp(sql, {
      uuid: randomUUID(),
      walletId: id,
      amountMinor,
      provider: 'stripe',
    });
    const counter = cause === 'TOP_UP' ? 'cash' : 'adjustments';
    await sql.begin((transaction) =>
      moveMoney(transaction, id, { cause, causeId: topUp.uuid, counter, amountMinor, mayOwe: false }),
    );
  };
  await pay('CREDIT', cents);
  return { topUp: (amountMinor: bigint) => pay('TOP_UP', amountMinor) };
}

const issue = ({ call, keys }: BillingScene, transactionIds: string[]) =>
  call(keys.operator, '/invoices', { method: 'POST', payload: { transactionIds } });

void t.test(
  'an invoice states what the wallet paid, and what is due, by when and to which account',
  async (t) => {
    const scene = await billingScene(t);
    const wallet = await openWallet(scene, 500n);
    const uuid = await scene.charge();
    const issued = await issue(scene, [uuid]);
    t.equal(issued.status, 201, issued.text);
    const payment = issued.json['payment'];
    t.match(payment, {
      state: 'DUE',
      paid: 5,
      due: 6.5,
      reference: `${year}-000001`,
      payments: [{ transactionId: uuid, method: 'WALLET', provider: null, amount: 5 }],
    });
    const due = await pdf(scene, `/invoices/${year}-000001/pdf`);
    for (const part of [
      'Paid from wallet',
      '-€5.00',
      'Amount due €6.50',
      'Account holder North Charging B.V.',
      'IBAN NL91 ABNA 0417 1643 00',
      'BIC ABNANL2A',
      `Payment reference ${year}-000001`,
    ]) {
      t.ok(due.includes(part), part);
    }
    t.match(due, /Due date \d+ [A-Z][a-z]+ 20\d\d/);

    await wallet.topUp(2000n);
    const read = await scene.call(scene.keys.driver, `/invoices/${year}-000001`);
    t.match(read.json['payment'], {
      state: 'PAID',
      paid: 11.5,
      due: 0,
      payments: [{ method: 'WALLET' }, { method: 'TOP_UP', provider: 'stripe', amount: 6.5 }],
    });
    const paid = await pdf(scene, `/invoices/${year}-000001/pdf`);
    t.match(paid, 'Paid by top-up (Stripe)');
    t.match(paid, 'Amount due €0.00');
    t.notMatch(paid, 'IBAN');
  },
);

void t.test('shows no amount due on a credited invoice', async (t) => {
  const scene = await billingScene(t);
  await issue(scene, [await scene.charge()]);
  const payload = { reason: 'Wrong price' };
  const note = await scene.call(scene.keys.operator, `/invoices/${year}-000001/credit`, {
    method: 'POST',
    payload,
  });
  t.match(note.json['payment'], { state: 'CREDITED', due: 0, payments: [] });
  const invoice = await pdf(scene, `/invoices/${year}-000001/pdf`);
  t.match(invoice, `Taken back by: ${year}-000002`);
  t.notMatch(invoice, 'Amount due');
  const credit = await pdf(scene, `/invoices/${year}-000002/pdf`);
  t.match(credit, `Credits invoice: ${year}-000001`);
  t.notMatch(credit, 'IBAN');
});

void t.test('a transaction shows its payments, and its receipt number once there is one', async (t) => {
  const scene = await billingScene(t);
  await openWallet(scene, 5000n);
  const uuid = await scene.charge();
  const read = async () => (await scene.call(scene.keys.driver, `/transactions/${uuid}`)).json;
  t.match(await read(), {
    receiptNumber: null,
    payment: { state: 'PAID', paid: 11.5, due: 0, payments: [{ method: 'WALLET', amount: 11.5 }] },
  });
  const receipt = await pdf(scene, `/charging/sessions/${uuid}/receipt`);
  t.match(receipt, /Paid from wallet, .* -€11\.50 Amount due €0\.00/);
  t.equal((await read())['receiptNumber'], `R-${year}-000001`);
});

void t.test('bills a roaming session through the partner, and shows nothing due on a free one', async (t) => {
  const scene = await billingScene(t);
  const { sql } = scene.api.stores;
  const roaming = await scene.charge();
  await sql`
    with partner as (
      insert into ocpi_partners (network_id, name) values (${scene.api.network.id}, 'Plugland') returning id
    )
    update sessions set ocpi_partner_id = (select id from partner), ocpi_token = '{}', auth_method = 'WHITELIST' where uuid = ${roaming}`;
  t.match(
    await pdf(scene, `/charging/sessions/${roaming}/receipt`),
    'Billed through Plugland -€11.50 Amount due €0.00',
  );
  t.match((await issue(scene, [roaming])).json['payment'], {
    state: 'PAID',
    payments: [{ method: 'ROAMING', provider: 'Plugland', amount: 11.5, paidAt: null }],
  });
  await sql`delete from tariff_assignments`;
  await sql`
    with tariff as (
      insert into tariffs (network_id, name, currency, elements) values (${scene.api.network.id}, 'Free', 'EUR', '[]') returning id
    )
    insert into tariff_assignments (tariff_id, network_id) select id, ${scene.api.network.id} from tariff`;
  const free = await scene.charge();
  const receipt = await pdf(scene, `/charging/sessions/${free}/receipt`);
  t.match(receipt, 'Free of charge: nothing to pay.');
  t.notMatch(receipt, 'Amount due');
});

void t.test('receipts are numbered without gaps, and keep their number', async (t) => {
  const scene = await billingScene(t);
  const { sql } = scene.api.stores;
  const uuids = await Promise.all(Array.from({ length: 4 }, () => scene.charge()));
  const numberOf = async (uuid: string) =>
    /R-\d{4}-\d{6}/.exec(await pdf(scene, `/charging/sessions/${uuid}/receipt`))?.[0] ?? '';
  const first = await Promise.all([...uuids, ...uuids].map(numberOf));
  t.same(
    [...new Set(first)].toSorted(),
    [1, 2, 3, 4].map((count) => `R-${year}-00000${count}`),
  );
  t.same(first.slice(0, 4), first.slice(4));
  const [corrected = ''] = uuids;
  await sql`update sessions set energy_wh = energy_wh + 1 where uuid = ${corrected}`;
  const receipt = await pdf(scene, `/charging/sessions/${corrected}/receipt`);
  t.match(receipt, `Number: R-${year}-000005`);
  t.match(receipt, `Replaces receipt: ${first[0] ?? ''}`);
  await t.rejects(sql`delete from receipts`, /append-only/);
});
