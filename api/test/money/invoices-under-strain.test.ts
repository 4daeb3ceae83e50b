import t from 'tap';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { billingScene } from '#api/test/support/billing.ts';
import type { Answer } from '#api/test/support/fixtures.ts';
import { untilBlocked } from '#api/test/support/meanwhile.ts';

const year = new Date().getUTCFullYear();

void t.test('credits an invoice while its transactions are invoiced again', async (t) => {
  const { api, call, charge, keys } = await billingScene(t);
  const { sql } = api.stores;
  const transactionIds = [await charge({ hoursAgo: 5 }), await charge({ hoursAgo: 4 })];
  const before = await call(keys.operator, '/invoices', { method: 'POST', payload: { transactionIds } });
  t.equal(before.status, 201, before.text);
  // Any later write puts the first one's row behind that of the second.
  const [first = ''] = transactionIds;
  const touch = (db: Queryable) => db`update sessions set updated_at = now() where uuid = ${first}`;
  await touch(sql);
  const answers: Promise<Answer>[] = [];
  await sql.begin(async (transaction) => {
    await touch(transaction);
    for (const url of ['/invoices', `/invoices/${year}-000001/credit`]) {
      const payload = url === '/invoices' ? { transactionIds } : { reason: 'Wrong' };
      answers.push(call(keys.operator, url, { method: 'POST', payload }));
      await untilBlocked(sql, answers.length);
    }
  });
  const [issued, credited] = await Promise.all(answers);
  t.equal(credited?.status, 201, credited?.text ?? '');
  t.ok([201, 409].includes(issued?.status ?? 0), issued?.text ?? '');
});

void t.test('a network issues its millionth invoice of a year', async (t) => {
  const { api, call, charge, keys } = await billingScene(t);
  await api.stores.sql`insert into invoice_counters values (${api.network.id}, ${year}, 999998)`;
  const issue = async () =>
    call(keys.operator, '/invoices', { method: 'POST', payload: { transactionIds: [await charge()] } });
  for (const invoiceNumber of [`${year}-999999`, `${year}-1000000`]) {
    t.match(await issue(), { status: 201, json: { invoiceNumber } });
  }
  const credit = { method: 'POST', payload: { reason: 'Wrong' } } as const;
  t.match(await call(keys.operator, `/invoices/${year}-1000000/credit`, credit), {
    status: 201,
    json: { invoiceNumber: `${year}-1000001` },
  });
});

void t.test('an invoice refuses texts that no store can hold', async (t) => {
  const { call, charge, keys } = await billingScene(t);
  const transactionIds = [await charge()];
  const wrong = { status: 400, json: { code: 'VALIDATION_FAILED' } };
  for (const buyer of [{ name: 'a\ud800b' }, { name: 'a', postalAddress: '\udc00' }]) {
    const payload = { transactionIds, buyer };
    t.match(await call(keys.driver, '/invoices', { method: 'POST', payload }), wrong);
  }
  for (const path of ['/invoices/%00', `/invoices/${year}-000001%00/pdf`]) {
    t.match(await call(keys.driver, path), wrong);
  }
});
