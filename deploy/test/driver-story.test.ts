import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startApi } from '#api/server.ts';
import type { StripeAccount } from '#api/services/money/payments/stripe.service.ts';
import { readMail, type ReadMail } from '#api/test/support/mailbox.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';
import { secretKey, type SignedEvent, startStripe, webhookSecret } from '#api/test/support/stripe-server.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { createLogger } from '#shared/log/log.ts';
import { backdateStart } from '#shared/testing/backdate.ts';
import { testConfig } from '#shared/testing/config.ts';
import { seedApiKey } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startPgBouncer } from './support/pgbouncer.ts';

const email = 'ada@example.org';
const password = 'correct horse battery';

/** Parsed answer, in which any name can be read. */
interface Shown {
  [name: string]: Shown;
}

const text = (shown: Shown | undefined) => shown as unknown as string;
const list = (shown: Shown | undefined) => shown as unknown as Shown[];
const cents = (amount: number) => Math.round(amount * 100) / 100;
const flat = (words: string) => words.replaceAll(/\s+/g, ' ');

type CreateStation = typeof createStation16 | typeof createStation201;

interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: object | string;
}

/** Asks an API over HTTP. */
function client(base: string, headers: Record<string, string> = {}) {
  const send = ({ method, body, ...request }: Request, path: string) =>
    fetch(`${base}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...headers,
        ...request.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    /** Whatever is answered, as JSON. */
    async call(path: string, request: Request = {}): Promise<{ status: number; json: Shown }> {
      const response = await send(request, path);
      return { status: response.status, json: (await response.json()) as Shown };
    },
    /** Returns the body of a success; throws for any other answer. */
    async ask(path: string, body?: object, method?: string): Promise<Shown> {
      const { status, json } = await this.call(path, {
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
      });
      if (status >= 300) throw new Error(JSON.stringify(json));
      return json;
    },
    async pdf(path: string) {
      const response = await send({}, path);
      if (!response.ok) throw new Error(await response.text());
      return readPdf(new Uint8Array(await response.arrayBuffer()));
    },
  };
}

/**
 * The whole product: gateway and API with their background work, a payment provider, and an operator who may do everything. The API
 * uses PgBouncer in transaction mode, as docs/operations/postgresql.md describes.
 */
async function startProduct(t: Test) {
  const rig = await startRig(t);
  const server = await startStripe(t);
  // As the configuration has it, but for where Stripe is.
  const stripe: StripeAccount = { secretKey, webhookSecret, apiUrl: server.url };
  const pooled = {
    DATABASE_URL: await startPgBouncer(t, rig.stores.databaseUrl),
    DATABASE_DIRECT_URL: rig.stores.databaseUrl,
  };
  const config = { ...(await testConfig(t, rig.stores, pooled)), stripe };
  const log = createLogger('api', config.logLevel);
  const api = await startApi({ config, urls: rig.stores, bus: rig.bus, log });
  t.teardown(() => api.stop());
  const { sql } = rig.stores;
  const key = await seedApiKey(sql, 'cpms', { networkIds: [rig.network.id], scopes: grantableScopes });
  const operator = client(`${api.url}/cpms/v1`, { 'x-api-key': key });
  return { rig, api, server, operator, outboxDir: config.mail.outboxDir };
}

/** A network in Germany with a place, a charger of each version and a price, made as an operator makes them. */
async function furnish(t: Test, { rig, operator }: Awaited<ReturnType<typeof startProduct>>) {
  await operator.ask(
    `/networks/${rig.network.uuid}`,
    {
      name: 'Spreestrom',
      legalName: 'Spreestrom GmbH',
      vatNumber: 'DE123456789',
      postalAddress: 'Spreeufer 7',
      postalCode: '10178',
      city: 'Berlin',
      country: 'DE',
      iban: 'DE89 3704 0044 0532 0130 00',
      language: 'de',
      timeZone: 'Europe/Berlin',
      minimumBalance: 5,
    },
    'PATCH',
  );
  const make = async (path: string, body: object) => (await operator.ask(path, body))['data'] ?? {};
  const location = await make('/locations', {
    name: 'Oberbaum',
    address: 'Oberbaumstraße 1',
    city: 'Berlin',
    country: 'DEU',
    timeZone: 'Europe/Berlin',
    coordinates: { latitude: 52.5, longitude: 13.4 },
  });
  const locationUuid = text(location['id']);
  const tariff = await make('/tariffs', {
    name: 'Spree',
    elements: [
      {
        price_components: [
          { type: 'ENERGY', price: 0.49, vat: 19, step_size: 1 },
          { type: 'FLAT', price: 1, vat: 19, step_size: 1 },
        ],
      },
    ],
  });
  await make('/tariff-assignments', { tariffUuid: text(tariff['id']), networkUuid: rig.network.uuid });
  const addCharger = async (serial: string, ocppVersion: string, create: CreateStation) => {
    const charger = await make('/chargers', { serial, locationUuid, ocppVersion });
    const chargerId = text(charger['id']);
    await make(`/chargers/${chargerId}/connectors`, { connectorNumber: 1, standard: 'IEC_62196_T2' });
    await operator.ask(`/chargers/${chargerId}`, { isPublic: true }, 'PATCH');
    const station = create({
      ocppUrl: rig.ocppUrl,
      uid: text(charger['uid']),
      password: text(charger['ocppPassword']),
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
    });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    return { chargerId, station };
  };
  return [
    await addCharger('SPREE-1', '1.6', createStation16),
    await addCharger('SPREE-2', '2.0.1', createStation201),
  ] as const;
}

/** The e-mail to an address that is the only one so far. */
function mailIn(directory: string): Promise<ReadMail> {
  return until('the e-mail', async () => {
    const files = await readdir(directory).catch(() => []);
    const file = files.find((name) => name.endsWith('.eml'));
    return file === undefined ? null : readMail(await readFile(join(directory, file), 'utf8'));
  });
}

// 12.345 kWh at 0.49 are 6.05, and 1.00 for the session; 7.04905 with 19 % VAT are 8.39.
const total = { totalExclVat: 7.05, totalVat: 1.34, totalInclVat: 8.39 };

void t.test("a driver's way from the registration to the invoice", async (t) => {
  const product = await startProduct(t);
  const { rig, api, server, operator, outboxDir } = product;
  const chargers = await furnish(t, product);
  const [{ chargerId }] = chargers;
  const networkId = rig.network.uuid;
  const tell = ({ payload: body, headers }: SignedEvent) =>
    client(api.url).call('/payments/stripe/webhook', { body, headers });
  const visitor = client(`${api.url}/emsp/v1`);

  await t.test('registers and confirms the e-mail address', async (t) => {
    const details = { email, password, name: 'Ada Lovelace', language: 'de', networkId };
    const { accessToken, driver } = await visitor.ask('/auth/driver/register', details);
    t.match(driver, { emailVerified: false });
    const early = client(`${api.url}/emsp/v1`, { authorization: `Bearer ${text(accessToken)}` });
    t.match(await early.call('/chargers'), { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } });
    const mail = await mailIn(outboxDir);
    t.match(mail.headers, { to: email, from: /Spreestrom/, subject: /Bestätigen/ });
    const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '');
    const page = await fetch(link);
    t.equal(page.status, 200, 'the link leads to a page of ours');
    t.match(await page.text(), 'E-Mail-Adresse bestätigen');
    await visitor.ask('/auth/driver/verify-email', { token: link.hash.slice(1) });
  });

  const login = await visitor.ask('/auth/driver/login', { email, password, networkId });
  const driver = client(`${api.url}/emsp/v1`, { authorization: `Bearer ${text(login['accessToken'])}` });
  const driverId = text((await driver.ask('/auth/driver/me'))['id']);
  const wallet = async () => list((await driver.ask('/wallet'))['data'])[0] ?? {};

  await t.test('finds a charger, its price and the required payment', async (t) => {
    const found = list((await driver.ask('/chargers'))['data']);
    t.same(new Set(found.map(({ id }) => text(id))), new Set(chargers.map((charger) => charger.chargerId)));
    t.match(found, [{ isOnline: true }, { isOnline: true }]);
    t.match(await driver.ask('/chargers/SPREE-1/info'), {
      pricing: { connectors: [{ connectorNumber: 1 }] },
    });
    const plan = { chargerId, energyKwh: 12.345, chargingMinutes: 60 };
    t.match(await driver.ask('/pricing/calculate', plan), { cost: total });
    t.match(await driver.call('/charging/start', { body: { chargerId } }), {
      status: 402,
      json: { code: 'BALANCE_TOO_LOW' },
    });
  });

  await t.test('tops up the wallet', async (t) => {
    const begun = await driver.ask('/wallet/top-up', { amount: 30 });
    t.match(begun, { amount: 30, currency: 'EUR', clientSecret: 'pi_1_secret_x' });
    t.match(await wallet(), { available: 0 }, 'nothing was paid yet');
    const metadata = { top_up: text(begun['id']) };
    const intent = { id: 'pi_1', object: 'payment_intent', currency: 'eur', metadata };
    const paid = { ...intent, amount: 3000, amount_received: 3000 };
    const forged = server.event('payment_intent.succeeded', paid, { secret: 'whsec_forged' });
    t.match(await tell(forged), { status: 400, json: { code: 'SIGNATURE_INVALID' } });
    t.match(await tell(server.event('payment_intent.succeeded', paid)), { status: 200 });
    t.match(await wallet(), { available: 30, held: 0, minimumBalance: 5 });
  });

  const sessions: string[] = [];
  for (const { chargerId, station } of chargers) {
    await t.test(`starts, follows and stops a session over ${station.protocol}`, async (t) => {
      const balance = Number((await wallet())['balance']);
      const started = await driver.ask('/charging/start', { chargerId, connectorNumber: 1, maxCost: 20 });
      const sessionId = await until('the session', async () => {
        const start = await driver.ask(`/charging/starts/${text(started['id'])}`);
        return text(start['status']) === 'started' ? text(start['sessionId']) : null;
      });
      sessions.push(sessionId);
      t.match(
        await wallet(),
        { available: cents(balance - 5), held: 5, balance },
        'the hold is the session’s',
      );
      await backdateStart(rig.stores.sql, sessionId);
      await station.sendMeterValues(1, { time: new Date(), energyWh: 5000, powerW: 7400, socPercent: 40 });
      const live = await until('the live values', async () => {
        const session = await driver.ask(`/charging/sessions/${sessionId}`);
        return text(session['powerKw']) === null ? null : session;
      });
      // 5 kWh are 2.45, and 1.00; 19 % of it are 0.66.
      t.match(live, {
        status: 'ACTIVE',
        userId: driverId,
        idTag: text(started['idTag']),
        energyKwh: 5,
        powerKw: 7.4,
        socPercent: 40,
        limits: { maxCost: 20 },
        cost: { isFinal: false, totalInclVat: 4.11 },
      });
      await station.sendMeterValues(1, { time: new Date(), energyWh: 12_345, powerW: 3700 });
      t.match(await driver.ask('/charging/stop', { sessionId }), {
        id: sessionId,
        status: 'COMPLETED',
        stopReason: 'Remote',
        energyKwh: 12.345,
        cost: { isFinal: true, ...total },
      });
      await rig.readingsLoaded();
      const { samples, truncated } = await driver.ask(`/charging/sessions/${sessionId}/meter-values`);
      // OCPP 2.0.1 has readings of the begin and the end as well.
      const metered = list(samples).filter(({ powerKw }) => powerKw !== undefined);
      t.match(metered, [
        { energyKwh: 5, powerKw: 7.4, socPercent: 40 },
        { energyKwh: 12.345, powerKw: 3.7 },
      ]);
      t.equal(truncated, false);
    });
  }
  const [sessionId = ''] = sessions;

  await t.test('sees the payments of the sessions', async (t) => {
    t.match(await wallet(), { available: 13.22, held: 0, owed: 0, balance: 13.22 });
    const paid = sessions.toReversed().flatMap((id) => [
      { type: 'SESSION', sessionId: id, change: { balance: -8.39, available: -3.39, held: -5 } },
      { type: 'HOLD', change: { balance: 0, available: -5, held: 5 } },
    ]);
    t.match(await driver.ask('/wallet/ledger'), {
      data: [...paid, { type: 'TOP_UP', change: { balance: 30, available: 30 } }],
    });
  });

  await t.test('gets a receipt and an invoice', async (t) => {
    const receipt = await driver.pdf(`/charging/sessions/${sessionId}/receipt`);
    t.match(receipt.info, { Language: 'de', Author: 'Spreestrom GmbH' });
    const transaction = await driver.ask(`/transactions/${sessionId}`);
    t.match(transaction, { status: 'OPEN', cost: total });
    const invoice = await driver.ask('/invoices', { transactionIds: [sessionId] });
    const number = text(invoice['invoiceNumber']);
    t.match(invoice, {
      ...total,
      buyer: { name: 'Ada Lovelace', email },
      lineItems: [{ transactionId: sessionId, exclVat: 7.05, vat: 1.34, inclVat: 8.39 }],
      vatRates: [{ vatPercent: 19, exclVat: 7.05, vat: 1.34 }],
    });
    t.strictSame(await driver.ask(`/invoices/${number}`), invoice);
    const paper = await driver.pdf(`/invoices/${number}/pdf`);
    t.match(flat(paper.text), `Rechnung`);
    t.match(flat(paper.text), number);
    for (const said of [flat(receipt.text), flat(paper.text)]) {
      t.match(said, 'Energie 12,345 kWh 0,49 €/kWh 19 % 6,05 €');
      t.match(said, 'Startgebühr 1 1,00 € 19 % 1,00 €');
      t.match(said, 'USt. 19 % auf 7,05 € 1,34 €');
      t.match(said, 'Gesamtbetrag brutto 8,39 €');
      t.match(said, /Aus Guthaben bezahlt, \d+\. \S+ 20\d\d -8,39 € Zu zahlen 0,00 €/);
    }
    t.match(await driver.ask(`/transactions/${sessionId}`), { status: 'INVOICED', invoiceNumber: number });
  });

  await t.test("matches the operator's books to the cent", async (t) => {
    const minted = await operator.ask('/public-api-keys', {});
    const books = client(`${api.url}/emsp/v1`, { 'x-api-key': text(minted['data']?.['key']) });
    const amounts = { energyKwh: 24.69, currency: 'EUR', exclVat: 14.1, vat: 2.68, inclVat: 16.78 };
    await until('both sessions in ClickHouse', async () => {
      const { data } = await books.ask('/reports/export?type=daily-sales');
      return Number(list(data)[0]?.['energyKwh']) > 13;
    });
    for (const type of ['daily-sales', 'by-location', 'by-user']) {
      t.match(await books.ask(`/reports/export?type=${type}`), { data: [amounts] }, type);
    }
    const each = { energyKwh: 12.345, currency: 'EUR', exclVat: 7.05, vat: 1.34, inclVat: 8.39 };
    t.match(await books.ask('/reports/export?type=sessions-summary'), { data: [each, each] });
    for (const caller of [driver, books]) {
      t.match(await caller.ask('/analytics/revenue'), {
        unpricedSessions: 0,
        currencies: [{ currency: 'EUR', totalRevenue: 16.78, totalRevenueExclVat: 14.1, sessions: 2 }],
      });
      t.match(await caller.ask('/analytics/energy'), { totalEnergyKwh: 24.69, totalSessions: 2 });
    }
    t.match(await books.ask(`/users/${driverId}`), {
      statistics: { sessionCount: 2, totalCosts: [{ currency: 'EUR', totalInclVat: 16.78 }] },
    });
    t.match(await operator.ask(`/sessions/${sessionId}`), { data: { cost: total } });
    t.match(await operator.ask(`/wallets?email=${email}`), { data: [{ balance: 13.22 }] });
  });
});
