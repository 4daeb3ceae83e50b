import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import t from 'tap';
import { cloudEventOf } from '#api/services/events/cloud-event.ts';
import { eventCatalogue } from '#api/services/events/catalogue/catalogue.ts';
import {
  accepted,
  holdCharger,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { type PublicEventType, publicEventTypes } from '#shared/domain/events/event-types.ts';
import type { UserDetails } from '#shared/postgres/people/users.statements.ts';
import { standardQuirks } from '#shared/domain/roaming/ocpi.ts';
import { removeApiKeys } from '#shared/postgres/access/api-key-listing.ts';
import { recordStatuses } from '#shared/postgres/charging/connector-statuses.ts';
import { insertRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import { updateLiveValues } from '#shared/postgres/charging/session-writes/live-values.ts';
import { storePriorityCharging } from '#shared/postgres/charging/station-transactions.statements.ts';
import { recordReports } from '#shared/postgres/commands/charger-reports.statements.ts';
import { cancelReservation, storeReservation } from '#shared/postgres/commands/command-effects.statements.ts';
import { readEventLog } from '#shared/postgres/events/event-log.ts';
import { addRejectedAttempts } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import { refreshAlerts, updateAlert } from '#shared/postgres/fleet/alerts.statements.ts';
import { recordBoots } from '#shared/postgres/fleet/charger-state.statements.ts';
import { recordConnections } from '#shared/postgres/fleet/connections.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { insertInvoice } from '#shared/postgres/money/invoices.statements.ts';
import { insertTariff, type TariffTerms, updateTariff } from '#shared/postgres/money/tariffs.statements.ts';
import { ensureTopUp, lockTopUp, updateTopUp } from '#shared/postgres/money/top-ups.statements.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { insertIdToken, removeIdToken, updateIdToken } from '#shared/postgres/people/id-token-records.ts';
import {
  insertOperator,
  removeOperator,
  updateOperator,
} from '#shared/postgres/people/operators.statements.ts';
import { insertUser, removeUser, updateUser } from '#shared/postgres/people/users.statements.ts';
import { insertCdr } from '#shared/postgres/roaming/cdrs.statements.ts';
import {
  findPartner,
  insertPartner,
  removePartner,
  updatePartner,
} from '#shared/postgres/roaming/ocpi-partners.statements.ts';

/** Texts that no event may contain. */
const secrets = {
  name: 'Grace Secretname',
  email: 'grace.secret@example.org',
  phone: '+31201234567',
  card: '04A1B2C3D4E5F6',
  address: 'Secretstreet 12',
  location: 'Hidden Harbour',
  setting: '86399',
};

const { email, name, phone } = secrets;
const driverDetails: UserDetails = { email, name, phone, language: null, externalId: null };

/** Does what writes the events of chargers. Returns the charger. */
async function runFleet(api: TestApi, key: string): Promise<{ id: number; uuid: string }> {
  const { sql } = api.stores;
  const { network } = api;
  const serial = `CP-${randomUUID().slice(0, 8)}`;
  const [location] = await sql<{ uuid: string }[]>`
    insert into locations (network_id, name, address, city, country, latitude, longitude)
    values (${network.id}, ${secrets.location}, ${secrets.address}, 'Rotterdam', 'NLD', 51.9, 4.5) returning uuid`;
  await sql`update locations set is_published = true, version = version + 1 where uuid = ${location!.uuid}`;
  const { id: uuid } = await register(api, key, {
    serial,
    locationUuid: location!.uuid,
  });
  const [charger] = await sql<
    { id: number; uid: string }[]
  >`select id, uid from chargers where uuid = ${uuid}`;
  const { id, uid } = charger!;
  const patch = { physicalReference: '7' };
  await api.call(key, { method: 'PATCH', url: `/cpms/v1/chargers/${uuid}`, payload: patch });

  const shard = randomUUID();
  const socket = { chargerId: id, connectionId: randomUUID(), connectedAt: Date.now() };
  await recordConnections(sql, shard, [{ ...socket, disconnectedAt: null }]);
  const boot = {
    chargerId: id,
    vendor: 'V',
    model: 'M',
    serialNumber: null,
    reason: 'PowerUp',
    at: new Date(),
  };
  const noSockets = { shardId: shard, byCharger: new Map() };
  for (const firmwareVersion of ['1.0', '1.1']) {
    await recordBoots(sql, [{ ...boot, ocppVersion: '1.6', firmwareVersion }], noSockets);
  }
  const report = { requestId: 1, status: 'Installed', outcome: 'succeeded' as const, receivedAt: new Date() };
  await recordReports(sql, [{ type: 'firmware-status', kind: 'Update', chargerId: id, ...report }]);

  const status = {
    chargerId: id,
    position: { evse: 1, connector: 1 },
    errorCode: null,
    vendorErrorCode: null,
    info: null,
  };
  const at = Date.now();
  await recordStatuses(sql, [{ ...status, status: 'Available', at: new Date(at) }]);
  await recordStatuses(sql, [
    { ...status, status: 'Faulted', errorCode: 'GroundFailure', at: new Date(at + 1000) },
  ]);
  await refreshAlerts(sql, { offlineAlertMinutes: 5 });
  const [alert] = await sql<{ id: number }[]>`select id::integer from alerts order by id limit 1`;
  const settled = { status: 'acknowledged', by: secrets.name, note: secrets.address } as const;
  await sql.begin((transaction) => updateAlert(transaction, alert!.id, settled));
  await recordStatuses(sql, [{ ...status, status: 'Available', at: new Date(at + 2000) }]);
  await refreshAlerts(sql, { offlineAlertMinutes: 5 });
  await sql`update connectors set max_power_w = 22000 where charger_id = ${id}`;

  await holdCharger(api, uid, () => accepted);
  const sent = await api.call(key, {
    method: 'POST',
    url: `/cpms/v1/chargers/${uuid}/ocpp/ChangeConfiguration`,
    payload: { key: 'HeartbeatInterval', value: secrets.setting },
  });
  if (sent.status !== 200) throw new Error(sent.text);

  const reservation = {
    type: 'reservation',
    reservationId: 1,
    evse: 1,
    idToken: secrets.card,
    groupIdToken: null,
    expiresAt: new Date(Date.now() + 60_000),
  } as const;
  await storeReservation(sql, id, reservation);
  await storeReservation(sql, id, reservation);
  await cancelReservation(sql, id, 1);
  await recordConnections(sql, shard, [{ ...socket, disconnectedAt: Date.now() }]);
  return { id, uuid };
}

/** Does what writes the events of sessions. Returns the session. */
async function runSession(sql: Sql, charger: { id: number; uuid: string }, userId: number): Promise<bigint> {
  await insertRemoteStart(sql, {
    uuid: randomUUID(),
    chargerId: charger.id,
    idToken: secrets.card,
    evse: 1,
    remoteStartId: 1,
    limits: null,
    expiresAt: new Date(Date.now() + 60_000),
  });
  const session = await startSession(sql, { chargerUuid: charger.uuid, userId });
  const [row] = await sql<{ id: bigint }[]>`select id from sessions where uuid = ${session.uuid}`;
  const live = {
    sessionUuid: session.uuid,
    meter: { registers: {} },
    meterStartWh: null,
    peakPowerW: null,
    socPercent: null,
    isChargingSince: null,
  };
  const at = session.startedAt.getTime();
  for (const [index, powerW] of [7000, 0, 0].entries()) {
    const time = new Date(at + (index + 1) * 600_000);
    const isCharging = powerW > 0;
    await updateLiveValues(sql, [
      { ...live, energyWh: 1000, powerW, isCharging, isChargingSince: new Date(at), time },
    ]);
  }
  const { transactionId } = session;
  await storePriorityCharging(sql, { id: charger.id, transactionId, isActive: true }, new Date());
  await endSession(sql, session, 5000);
  const id = String(row!.id);
  await sql`update sessions set energy_wh = 4000 where id = ${id}::bigint`;
  const other = await startSession(sql, { chargerUuid: charger.uuid, connector: 2 });
  await endSession(sql, other, 900_000, ['energy-implausible']);
  return row!.id;
}

/** Does what writes the events of money. */
async function runMoney(api: TestApi, user: { id: number; uuid: string }): Promise<void> {
  const { sql } = api.stores;
  const { network } = api;
  const terms: TariffTerms = {
    name: secrets.location,
    type: null,
    elements: [{ price_components: [{ type: 'ENERGY', price: '0.40', vat: '21', step_size: 1 }] }] as never,
    idle: null,
    minPrice: null,
    maxPrice: null,
    altText: [],
    altUrl: null,
    energyMix: null,
    startsAt: null,
    endsAt: null,
  };
  const tariff = await insertTariff(sql, network.id, terms);
  await updateTariff(sql, tariff.id, terms);
  await sql`insert into tariff_assignments (tariff_id, network_id) values (${tariff.id}, ${network.id})`;
  await sql`update tariff_assignments set is_active = false where network_id = ${network.id}`;
  await sql`insert into tariff_assignments (tariff_id, network_id) values (${tariff.id}, ${network.id})`;

  const opened = await ensureWallet(sql, allNetworks, { uuid: user.uuid });
  const walletId = opened!.wallet.id;
  const movement = {
    cause: 'CREDIT',
    causeId: '1',
    counter: 'adjustments',
    amountMinor: 500n,
    mayOwe: false,
  } as const;
  await sql.begin((transaction) => moveMoney(transaction, walletId, { ...movement, reason: secrets.name }));
  for (const outcome of ['PAID', 'CANCELLED'] as const) {
    const { uuid } = await ensureTopUp(sql, {
      uuid: randomUUID(),
      walletId,
      amountMinor: 1000n,
      provider: 'stripe',
    });
    await sql.begin(async (transaction) => {
      const named = { reference: uuid, topUpUuid: uuid };
      const topUp = (await lockTopUp(transaction, 'stripe', named))!;
      await updateTopUp(transaction, { ...topUp, status: outcome }, uuid);
      if (outcome === 'PAID')
        await updateTopUp(transaction, { ...topUp, status: 'PAID', refundedMinor: 200n }, uuid);
    });
  }
  await sql.begin((transaction) =>
    insertInvoice(transaction, {
      networkId: network.id,
      kind: 'INVOICE',
      reason: null,
      creditedId: null,
      userId: user.id,
      currency: 'EUR',
      totalExclVatMinor: 100n,
      totalVatMinor: 21n,
      totalInclVatMinor: 121n,
      document: { sessions: [{}], buyer: secrets.name } as never,
    }),
  );
}

/** Does what writes the events of people and keys. Returns a driver that stays. */
async function runPeople(api: TestApi): Promise<{ id: number; uuid: string }> {
  const { sql } = api.stores;
  const { network } = api;
  const gone = await insertUser(sql, network.id, { ...driverDetails, email: `gone.${secrets.email}` });
  await updateUser(sql, gone.id, { ...driverDetails, email: `gone.${secrets.email}`, isBlocked: false });
  await sql.begin((transaction) => removeUser(transaction, gone.id));
  const driver = await insertUser(sql, network.id, driverDetails);
  const details = {
    isValid: true,
    expiresAt: null,
    visualNumber: secrets.card,
    issuer: secrets.name,
    contractId: null,
    groupId: null,
    whitelist: 'ALLOWED',
    userId: driver.id,
  } as const;
  const token = await insertIdToken(sql, {
    ...details,
    networkId: network.id,
    uid: secrets.card,
    type: 'RFID',
  });
  await updateIdToken(sql, token.id, details);
  await removeIdToken(sql, token.id);
  const account = {
    email: secrets.email,
    name: secrets.name,
    role: 'Manager',
    customRoleId: null,
    unrestricted: false,
    networkIds: [network.id],
    isDisabled: false,
  } as const;
  const operator = await insertOperator(sql, { ...account, passwordHash: 'x' });
  await updateOperator(sql, operator, account);
  await removeOperator(sql, operator.id);
  await mintKey(api, { name: secrets.name });
  const [key] = await sql<{ id: number }[]>`select id from api_keys order by id desc limit 1`;
  await removeApiKeys(sql, [key!.id]);
  return driver;
}

/** Does what writes the events of roaming. */
async function runRoaming({ stores: { sql }, network }: TestApi, sessionId: bigint): Promise<void> {
  const uuid = await sql.begin((transaction) =>
    insertPartner(transaction, {
      networkId: network.id,
      name: secrets.name,
      parties: [{ countryCode: 'NL', partyId: 'ABC' }],
      writeScopes: [],
      quirks: standardQuirks,
      rateLimitPerHour: null,
      tokenHash: null,
    }),
  );
  const partner = (await findPartner(sql, allNetworks, uuid))!;
  await updatePartner(sql, partner.id, partner);
  await insertCdr(sql, {
    networkId: network.id,
    partnerId: partner.id,
    sessionId,
    sessionVersion: 1,
    ocpiId: randomUUID(),
    creditsId: null,
    currency: 'EUR',
    totalExclVatMinor: 100n,
    totalInclVatMinor: 121n,
    document: { address: secrets.address },
    at: new Date(),
  });
  await sql.begin((transaction) => removePartner(transaction, partner.id));
}

void t.test('every type of event', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const driver = await runPeople(api);
  await runMoney(api, driver);
  const charger = await runFleet(api, key);
  const sessionId = await runSession(sql, charger, driver.id);
  await runRoaming(api, sessionId);
  const rejected = { identity: 'QUAY-1', reason: 'tls-required', remoteAddress: secrets.address } as const;
  const attempt = { chargerId: charger.id, attempts: 1, firstAt: 0, lastAt: 0 };
  await addRejectedAttempts(sql, [{ ...rejected, ...attempt }]);
  const removed = await api.call(key, { method: 'DELETE', url: `/cpms/v1/chargers/${charger.uuid}` });
  if (removed.status >= 300) throw new Error(removed.text);

  await assignPositions(sql);
  const { events } = await readEventLog(sql, allNetworks, {}, 0n, 10_000);
  const published = events.map((event) => cloudEventOf(event, 'https://charging.example.com'));

  await t.test('is written by the code that makes its change', async (t) => {
    const written = new Set(published.map(({ type }) => type));
    const types = Object.keys(publicEventTypes) as PublicEventType[];
    t.ok(
      types.every((type) => written.has(type)),
      types.filter((type) => !written.has(type)).join(),
    );
  });

  await t.test('has data that its schema accepts, without a further field', async (t) => {
    const ajv = new Ajv({
      formats: {
        uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
        'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
      },
      allowUnionTypes: true,
    });
    for (const { type, data } of published) {
      const isValid = ajv.validate(eventCatalogue[type].data, data);
      t.ok(isValid, `${type}: ${ajv.errorsText()} ${JSON.stringify(data)}`);
    }
  });

  await t.test('has no name, address, number of a card or value of a setting', async (t) => {
    const text = JSON.stringify(published);
    for (const [kind, secret] of Object.entries(secrets)) t.notOk(text.includes(secret), kind);
    const changes = published.filter(({ type }) => type === 'charger.configuration_changed');
    t.match(changes, [{ data: { keys: ['HeartbeatInterval'] } }]);
  });
});
