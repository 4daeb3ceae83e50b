import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const year = new Date().getUTCFullYear();

void t.test('an invoice is refused with the fields to fill until its seller is complete', async (t) => {
  const { api, call, charge, keys } = await billingScene(t);
  const cpms = await mintKey(api);
  const change = (payload: object) =>
    api.call(cpms, { method: 'PATCH', url: `/cpms/v1/networks/${api.network.uuid}`, payload });
  const transactionIds = [await charge()];
  const issue = () => call(keys.driver, '/invoices', { method: 'POST', payload: { transactionIds } });
  const empty = {
    legalName: null,
    postalAddress: null,
    city: null,
    country: null,
    vatNumber: null,
    iban: null,
  };
  t.equal((await change(empty)).status, 200);
  t.match(await issue(), {
    status: 409,
    json: {
      code: 'SELLER_INCOMPLETE',
      details: {
        networkId: api.network.uuid,
        fields: ['legalName', 'postalAddress', 'city', 'country', 'vatNumber', 'iban'],
      },
    },
  });
  const filled = await change({
    legalName: 'Harbour Charging AB',
    postalAddress: 'Kajen 1\nHus B',
    city: 'Göteborg',
    country: 'SE',
    vatNumber: 'SE556677889901',
    bankAccount: 'Bankgiro 123-4567',
    paymentTermDays: 14,
  });
  t.equal(filled.status, 200, filled.text);
  const issued = await issue();
  t.match(issued, {
    status: 201,
    json: {
      invoiceNumber: `${year}-000001`,
      seller: {
        postalAddress: 'Kajen 1\nHus B',
        country: 'SE',
        bankAccount: 'Bankgiro 123-4567',
        iban: null,
      },
    },
  });
  const { issuedAt, payment } = issued.json as unknown as { issuedAt: string; payment: { dueDate: string } };
  const days = (Date.parse(payment.dueDate) - Date.parse(issuedAt.slice(0, 10))) / 86_400_000;
  t.equal(days, 14, 'refusals take no number, and the payment term counts from the issue');
});

void t.test('the fields of a seller are validated', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const change = (payload: object) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/networks/${api.network.uuid}`, payload });
  for (const payload of [
    { iban: 'NL92 ABNA 0417 1643 00' },
    { iban: 'NL91' },
    { country: 'ZZ' },
    { country: 'NLD' },
    { bic: 'ABNA' },
    { paymentTermDays: -1 },
    { paymentTermDays: 366 },
    { postalCode: '' },
  ]) {
    const [field = ''] = Object.keys(payload);
    t.match(
      await change(payload),
      { status: 400, json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field }] } } } },
      JSON.stringify(payload),
    );
  }
  const changed = await change({ iban: 'gb33 bukb 2020 1555 5555 55', bic: 'BUKBGB22XXX', country: 'GB' });
  t.match(changed.json['data'], {
    iban: 'GB33BUKB20201555555555',
    bic: 'BUKBGB22XXX',
    country: 'GB',
    paymentTermDays: 30,
  });
});
