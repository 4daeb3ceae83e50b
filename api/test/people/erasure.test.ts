import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ExportWorker } from '#api/services/reporting/exports/export-worker.ts';
import { sendMail } from '#api/services/mail/mails.ts';
import { openMailTransport } from '#api/services/mail/transport.ts';
import { completeSeller } from '#api/test/support/billing.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { auth, driverClient, tokensOf } from '#api/test/support/driver-client.ts';
import { bearer } from '#api/test/support/drivers.ts';
import { mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';
import { findMarks } from '#api/test/support/marked-data.ts';
import { addLocation, addTariff, endSession, startSession } from '#api/test/support/records.ts';
import { storeSigned } from '#api/test/support/signed-values.ts';
import { frameTable } from '#shared/testing/message-rows.ts';
import { insertRows } from '#shared/testing/rows.ts';

const marks = {
  name: 'Zebedee Quillfeather',
  email: 'quillfeather@zebedee.example',
  phone: '+31 6 90817263',
  'external id': 'EXT-QZ-7741',
  uid: '04QZ90817263AA',
  'visual number': 'NL-CWY-C90817263-1',
  'contract id': 'NLCWYC90817264X',
  key: 'Telephone of Quillzeb',
  reason: 'Goodwill for Quillzeb',
};

/** Locations in which marks stay after a deletion, each with the reason that docs/operations/personal-data.md states. */
const kept = {
  // The uid of a token names a card. It stays with sessions, commands and the log of messages.
  'audit_log.description: uid': 'append-only record of the acts of operators',
  'audit_log.details: uid': 'append-only record of the acts of operators',
  'audit_log.resource_name: uid': 'append-only record of the acts of operators',
  'id_tokens.search_text: uid': 'reference of sessions',
  'id_tokens.uid: uid': 'reference of sessions',
  'sessions.id_token: uid': 'evidence of the charge',
  'reservations.id_token: uid': 'record of a command',
  'signed_meter_values.data: uid': 'proof of the billed energy',
  'ocpp_messages: uid': 'LOG_DAYS',
  // Bookkeeping.
  'invoices.document: email': 'invoice: 7 to 10 years, by the law of the seller',
  'invoices.document: name': 'invoice: 7 to 10 years, by the law of the seller',
  'ledger_transactions.reason: reason': 'journal of the wallet: as invoices',
  'audit_log.description: reason': 'append-only record of the acts of operators',
  'audit_log.details: reason': 'append-only record of the acts of operators',
  // Files of an installation without a mail server.
  'outbox: email': 'development without SMTP_URL',
};

const text = (value: unknown) => value as string;

void t.test(
  'erases a driver from every table and file except where a stated reason keeps a value',
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'erasure-'));
    const exportDir = join(directory, 'exports');
    const outboxDir = join(directory, 'outbox');
    const settings = { ...testSettings, exportDir, mail: { ...testSettings.mail, outboxDir } };
    const api = await startTestApi(t, { settings });
    const { sql, clickhouse } = api.stores;
    const operator = await mintKey(api);
    const manager = await mintKey(api, { apiFamily: 'emsp' });
    const { post, register: signUp } = driverClient(api);
    const send = async (
      key: string | null,
      method: 'POST' | 'PATCH',
      url: string,
      payload: object,
      access = '',
    ) => {
      const headers = { 'idempotency-key': url, ...(access !== '' && bearer(access)) };
      const answer = await api.call(key, { method, url, payload, headers });
      if (answer.status >= 300) throw new Error(`${url}: ${answer.text}`);
      return answer.json;
    };

    await completeSeller(sql, api.network.id);
    await addTariff(sql, api.network.id);
    const location = await addLocation(sql, api.network.id);
    const charger = await register(api, operator, { serial: 'CP-1', locationUuid: location.uuid });

    // An account, and what was registered with the same address and never verified.
    const { name, email, phone, uid } = marks;
    const { access } = tokensOf(await signUp(email, { name, phone }));
    const { token } = await mailTo(api, email);
    const [mail] = await sql<{ id: number }[]>`select id from mails where recipient = ${email}`;
    t.equal(await sendMail({ sql, mailer: await openMailTransport(settings.mail) }, mail?.id ?? 0), 'sent');
    t.equal((await post('/verify-email', { token })).status, 200);
    await signUp(email, { name, phone, password: 'another password' });
    t.equal((await post('/forgot-password', { email, networkId: api.network.uuid })).status, 200);
    const [user] = await sql<
      { id: number; uuid: string }[]
    >`select id, uuid from users where email = ${email}`;
    if (user === undefined) throw new Error('no driver');
    const driverUrl = `/cpms/v1/users/${user.uuid}`;
    await send(operator, 'PATCH', driverUrl, { externalId: marks['external id'] });
    await send(null, 'PATCH', `${auth}/me`, { phone }, access);

    // A token and its change, a key, a reservation.
    const made = await send(operator, 'POST', '/cpms/v1/id-tokens', {
      uid,
      tokenType: 'RFID',
      userId: user.uuid,
      visualNumber: 'NL-CWY-C00000000-1',
      contractId: marks['contract id'],
    });
    await send(operator, 'PATCH', `/cpms/v1/id-tokens/${text(made['data']?.['id'])}`, {
      visualNumber: marks['visual number'],
    });
    const minted = await send(operator, 'POST', '/cpms/v1/public-api-keys', {
      name: marks.key,
      description: marks.key,
      userId: user.uuid,
    });
    const key = text(minted['data']?.['key']);
    await sql`
    insert into reservations (charger_id, reservation_id, id_token, expires_at)
    select id, 1, ${uid}, now() + interval '1 hour' from chargers where uuid = ${charger.id}`;
    await send(key, 'PATCH', `${auth}/me`, { language: 'nl' });

    // A session with its receipt, invoice and messages; money in and out of the wallet.
    const session = await startSession(sql, { chargerUuid: charger.id, userId: user.id });
    await sql`update sessions set id_token = ${uid} where uuid = ${session.uuid}`;
    await storeSigned(sql, session.uuid, `OCMF|{"ID":"${uid}"}|{"SD":"00"}`);
    await endSession(sql, session, 5000);
    await insertRows(clickhouse, frameTable, [
      [
        1,
        1,
        Date.now(),
        1,
        'in',
        'call',
        'StartTransaction',
        'm',
        '',
        null,
        '1.6',
        session.uuid,
        `{"idTag":"${uid}"}`,
        false,
      ],
    ]);
    t.equal(
      (await api.call(manager, { url: `/emsp/v1/charging/sessions/${session.uuid}/receipt` })).status,
      200,
    );
    await send(manager, 'POST', '/emsp/v1/invoices', { transactionIds: [session.uuid] });
    const wallet = await send(operator, 'POST', '/cpms/v1/wallets', { userId: user.uuid });
    for (const way of ['credit', 'debit']) {
      const money = { amount: 5, reason: marks.reason };
      await send(operator, 'POST', `/cpms/v1/wallets/${text(wallet['data']?.['id'])}/${way}`, money);
    }
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const to = new Date(Date.now() + 86_400_000).toISOString();
    await send(operator, 'POST', '/cpms/v1/exports', { dataset: 'sessions', format: 'csv', from, to });
    await new ExportWorker({ ...api.deps, settings }, { failed: (error) => t.fail(String(error)) }).work();

    const search = () => findMarks(api.stores, [exportDir, outboxDir], marks);
    const before = await search();
    t.match(
      [
        'users.name: name',
        'users.phone: phone',
        'id_tokens.visual_number: visual number',
        'api_keys.name: key',
      ].filter((location) => !before.includes(location)),
      [],
      'the search finds what is stored',
    );
    t.equal((await api.call(operator, { method: 'DELETE', url: driverUrl })).status, 200);
    t.same(await search(), Object.keys(kept).toSorted());
  },
);
