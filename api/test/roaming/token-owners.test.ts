import type { InjectOptions } from 'fastify';
import t, { type Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { callApp, mintKey } from '#api/test/support/fixtures.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { openBus } from '#shared/bus/open.ts';
import { createLogger } from '#shared/log/log.ts';
import { ensureNetwork } from '#shared/postgres/fleet/networks.statements.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { type Emsp, enveloped, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

const german = { countryCode: 'DE', partyId: 'EMS' };
const french = { countryCode: 'FR', partyId: 'OTH' };
type PartyOfTest = typeof german;

const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000).toISOString();

const urlOf = (uid: string) => `/ocpi/cpo/2.2.1/tokens/DE/EMS/${uid}`;
/** Time at which the tests began. */
const begin = Date.now();
const isNow = (time: unknown) => Date.parse(String(time)) >= begin && Date.parse(String(time)) <= Date.now();

/** A token of a party that may charge without being asked about. */
function tokenOf({ countryCode, partyId }: PartyOfTest, uid: string, changed: object = {}) {
  return {
    country_code: countryCode,
    party_id: partyId,
    uid,
    type: 'RFID',
    contract_id: `${countryCode}-${partyId}`,
    issuer: partyId,
    valid: true,
    whitelist: 'ALWAYS',
    last_updated: new Date().toISOString(),
    ...changed,
  };
}

/** A gateway with a charger, and an API over the same stores. */
async function start(t: Test) {
  const rig = await startRig(t);
  const { stores, network } = rig;
  const bus = await openBus({ redisUrl: stores.redisUrl, localName: '' });
  const deps = await testDeps(t, stores, bus);
  const app = await buildApp({ ...deps, log: createLogger('test', 'silent') });
  t.teardown(async () => {
    await app.close();
    await bus.close();
  });
  await seedTariff(stores.sql, network.id);
  const { client, charger } = await rig.connect('ocpp1.6');
  const api = {
    stores,
    network,
    call: (key: string | null, request: InjectOptions) => callApp(app, key, request),
  };
  return {
    api,
    deps,
    charger,
    key: await mintKey(api),
    /** Pushes a token of a party. */
    put: async (token: string, { countryCode, partyId }: PartyOfTest, payload: { uid: string }) => {
      const url = `/ocpi/cpo/2.2.1/tokens/${countryCode}/${partyId}/${payload.uid}`;
      const answer = await ocpi(api, token, { method: 'PUT', url, payload });
      if (answer.status !== 200 && answer.status !== 201) throw new Error(answer.text);
    },
    /** The contract that pays for a card at the charger; null: the card is refused. */
    contractOf: async (idTag: string) => {
      const start = { connectorId: 1, idTag, meterStart: 0, timestamp: new Date().toISOString() };
      const { transactionId, idTagInfo } = (await client.call('StartTransaction', start)) as {
        transactionId: number;
        idTagInfo: { status: string };
      };
      const [session] = await stores.sql<{ contract: string | null }[]>`
        select ocpi_token ->> 'contract_id' as contract from sessions
        where ocpp_transaction_id = ${String(transactionId)}`;
      const stop = { transactionId, meterStop: 0, timestamp: new Date().toISOString() };
      await client.call('StopTransaction', stop);
      return idTagInfo.status === 'Accepted' ? (session?.contract ?? null) : null;
    },
  };
}

void t.test('a card that two parties have a token for', async (t) => {
  const { api, deps, key, put, contractOf } = await start(t);
  const emsp = await startEmsp(t, german);
  const first = await registerEmsp(api, emsp, { party: german });
  const other: Emsp = await startEmsp(t, french);
  const second = await registerEmsp(api, other, { party: french });
  await put(first.token, german, tokenOf(german, 'CARD1'));
  const owners = async (uid: string, as = key) => {
    const { json } = await api.call(as, { url: `/cpms/v1/ocpi-tokens?uid=${uid}` });
    const tokens = json['data'] as unknown as { partyId: string; isOwner: boolean }[];
    return tokens.map(({ partyId, isOwner }) => `${partyId} ${isOwner}`);
  };

  await t.test('stays with the party that was known first, whatever the other pushes', async (t) => {
    for (const last_updated of [new Date().toISOString(), '2099-01-01T00:00:00Z']) {
      await put(second.token, french, tokenOf(french, 'card1', { last_updated }));
      t.equal(await contractOf('CARD1'), 'DE-EMS', last_updated);
    }
    t.same(await owners('CARD1'), ['EMS true', 'OTH false'], 'both tokens are kept');
  });

  await t.test('stays with that party when the other lets its token be pulled', async (t) => {
    const pulled = [tokenOf(french, 'CARD1', { last_updated: '2099-01-01T00:00:00Z' })];
    other.react('/ocpi/emsp/2.2.1/tokens', { body: enveloped(pulled) });
    await pullTokens(deps);
    t.equal(await contractOf('CARD1'), 'DE-EMS');
  });

  await t.test('stays blocked when its party blocked it', async (t) => {
    await put(first.token, german, tokenOf(german, 'CARD1', { valid: false }));
    t.equal(await contractOf('CARD1'), null);
    await put(first.token, german, tokenOf(german, 'CARD1'));
  });

  await t.test('stays with that party while its partner is suspended', async (t) => {
    for (const [isSuspended, contract] of [
      [true, null],
      [false, 'DE-EMS'],
    ] as const) {
      const url = `/cpms/v1/ocpi-partners/${first.id}`;
      await api.call(key, { method: 'PATCH', url, payload: { isSuspended } });
      t.equal(await contractOf('CARD1'), contract);
    }
  });

  await t.test('is given to the other party only by an operator', async (t) => {
    const choose = (payload: object, as: string | null = key) =>
      api.call(as, { method: 'POST', url: '/cpms/v1/ocpi-tokens/owner', payload });
    const otherNetwork = await ensureNetwork(api.stores.sql, { slug: 'south', name: 'South' });
    const foreign = await mintKey(api, { networkIds: [otherNetwork.id] });
    const choice = { uid: 'card1', ...french };
    t.same(await owners('CARD1', foreign), []);
    t.equal((await choose(choice, foreign)).status, 404);
    t.equal((await choose(choice, null)).status, 401);
    t.match(await choose({ uid: 'CARD1', countryCode: 'BE', partyId: 'NON' }), {
      status: 404,
      json: { error: { code: 'ID_TOKEN_NOT_FOUND' } },
    });
    t.equal(await contractOf('CARD1'), 'DE-EMS');

    const answer = await choose(choice);
    t.equal(answer.status, 200, answer.text);
    t.equal(await contractOf('CARD1'), 'FR-OTH');
    await put(first.token, german, tokenOf(german, 'CARD1'));
    t.equal(await contractOf('CARD1'), 'FR-OTH', 'and stays there');
    t.same(await owners('CARD1'), ['OTH true', 'EMS false']);
    const [entry] = await api.stores.sql`
      select details from audit_log where category = 'ocpi-token' and action = 'choose-owner'`;
    t.match(entry, { details: { before: { owner: 'DE-EMS' }, after: { owner: 'FR-OTH' } } });
  });

  await t.test('passes to the other party when the first partner is removed', async (t) => {
    await put(first.token, german, tokenOf(german, 'CARD2'));
    await put(second.token, french, tokenOf(french, 'CARD2'));
    t.equal(await contractOf('CARD2'), 'DE-EMS');
    await api.call(key, { method: 'DELETE', url: `/cpms/v1/ocpi-partners/${first.id}` });
    t.equal(await contractOf('CARD2'), 'FR-OTH');
  });
});

void t.test('a time ahead of ours counts as the time of receipt', async (t) => {
  const { api, deps, put } = await start(t);
  const emsp = await startEmsp(t, german);
  const { token } = await registerEmsp(api, emsp, { party: german });
  const read = async (uid: string) => (await ocpi(api, token, { url: urlOf(uid) })).json['data'];

  await t.test('of a token that is pushed, which later changes follow', async (t) => {
    await put(token, german, tokenOf(german, 'AHEAD', { last_updated: inTwoHours() }));
    t.ok(isNow((await read('AHEAD'))?.['last_updated']));
    await put(token, german, tokenOf(german, 'AHEAD', { valid: false }));
    t.match(await read('AHEAD'), { valid: false });
    const payload = { valid: true, last_updated: inTwoHours() };
    t.equal((await ocpi(api, token, { method: 'PATCH', url: urlOf('AHEAD'), payload })).status, 200);
    const after = await read('AHEAD');
    t.match(after, { valid: true });
    t.ok(isNow(after?.['last_updated']));
  });

  await t.test('of a token that is pulled', async (t) => {
    const pulled = [tokenOf(german, 'PULLED', { last_updated: '2099-01-01T00:00:00Z' })];
    emsp.react('/ocpi/emsp/2.2.1/tokens', { body: enveloped(pulled) });
    await pullTokens(deps);
    t.ok(isNow((await read('PULLED'))?.['last_updated']));
  });

  await t.test('but not of one that is as little ahead as clocks differ', async (t) => {
    const last_updated = new Date(Date.now() + 4 * 60_000).toISOString();
    await put(token, german, tokenOf(german, 'CLOSE', { last_updated }));
    t.match(await read('CLOSE'), { last_updated });
  });
});
