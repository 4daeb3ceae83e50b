import t, { type Test } from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { scripted16 } from '#gateway/test/support/scripted16.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { startAuthorizer, storeAuthorizer } from './support/authorizers.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { makePartner } from './support/partner.ts';
import { until } from '#shared/testing/until.ts';

const parties = {
  first: { countryCode: 'DE', partyId: 'ONE' },
  second: { countryCode: 'NL', partyId: 'TWO' },
  unordered: { countryCode: 'FR', partyId: 'NOT' },
  foreign: { countryCode: 'BE', partyId: 'FAR' },
};

type Name = keyof typeof parties;

const path = (uid: string) => `/ocpi/emsp/2.2.1/tokens/${uid}/authorize`;

/** Token of a party as its eMSP returns it with an authorization. */
const tokenOf = (name: Name, uid: string, type = 'RFID') => ({
  country_code: parties[name].countryCode,
  party_id: parties[name].partyId,
  uid,
  type,
  contract_id: `C-${uid}`,
  issuer: 'eMSP',
  valid: true,
  whitelist: 'NEVER',
  last_updated: new Date().toISOString(),
});

/** A gateway with a charger and four partners: two in an order, one without a position, one of another network. */
async function startScene(t: Test) {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await startAuthorizer(t, rig.stores);
  const other = await seedNetwork(sql);
  const store = async (name: Name, order: number | null, networkId = rig.network.id) => {
    const emsp = await startEmsp(t, parties[name]);
    const id = await storeAuthorizer(sql, networkId, emsp, parties[name]);
    await sql`update ocpi_partners set authorization_order = ${order} where id = ${id}`;
    return { emsp, id };
  };
  // The later position is stored first: the order is not that of creation.
  const second = await store('second', 2);
  const partners = {
    first: await store('first', 1),
    second,
    unordered: await store('unordered', null),
    foreign: await store('foreign', 1, other.id),
  };
  const { client } = await rig.connect('ocpp1.6');
  const another = await rig.connect('ocpp1.6');
  const status = async (idTag: string, at = client) => {
    const answer = (await at.call('Authorize', { idTag })) as { idTagInfo: { status: string } };
    return answer.idTagInfo.status;
  };
  const allows = (name: Name, uid: string, delayMs = 0, times?: number) => {
    const body = enveloped({ allowed: 'ALLOWED', token: tokenOf(name, uid), authorization_reference: 'REF' });
    partners[name].emsp.react(path(uid), { body, delayMs }, times);
  };
  const refuses = (name: Name, uid: string, allowed = 'UNKNOWN', times?: number) => {
    const answer =
      allowed === 'UNKNOWN'
        ? { status: 404, body: enveloped(undefined, 2004) }
        : { body: enveloped({ allowed, token: tokenOf(name, uid) }) };
    partners[name].emsp.react(path(uid), answer, times);
  };
  const asked = (uid: string) =>
    Object.fromEntries(
      Object.entries(partners).flatMap(([name, { emsp }]) => {
        const { length } = emsp.received.filter((request) => request.path.startsWith(path(uid)));
        return length === 0 ? [] : [[name, length]];
      }),
    );
  return { sql, rig, partners, client, another: another.client, status, allows, refuses, asked };
}

void t.test('cards that no partner has sent', async (t) => {
  const { sql, partners, client, another, status, allows, refuses, asked } = await startScene(t);
  const expire = (uid: string) =>
    sql`update ocpi_unknown_tokens set expires_at = now() - interval '1 s' where uid = ${uid.toLowerCase()}`;

  await t.test('asks the partners in order up to the first that allows the card', async (t) => {
    let cards = 0;
    // The second is asked as well when the first has not answered within a second.
    const both = await until('a first partner that answers in time', async () => {
      const uid = `BOTH-${(cards += 1)}`;
      allows('first', uid);
      allows('second', uid);
      t.equal(await status(uid), 'Accepted');
      return !('second' in asked(uid)) && asked(uid);
    });
    t.strictSame(both, { first: 1 });
    refuses('first', 'SECOND');
    allows('second', 'SECOND');
    t.equal(await status('SECOND'), 'Accepted');
    t.strictSame(asked('SECOND'), { first: 1, second: 1 });
  });

  await t.test('starts a session of the partner that allowed the card', async (t) => {
    refuses('first', 'ROAMER', 'BLOCKED');
    allows('second', 'ROAMER');
    t.equal(await status('ROAMER'), 'Accepted');
    const tale = scripted16(client, Date.now() - 60_000);
    const transactionId = await tale.start('ROAMER', 0, 1000);
    const [session] = await sql`
      select ocpi_partner_id as "partnerId", auth_method as method, authorization_reference as reference,
        ocpi_token as token, authorization_status as status
      from sessions where ocpp_transaction_id = ${String(transactionId)}`;
    t.strictSame(
      { ...session },
      {
        partnerId: partners.second.id,
        method: 'AUTH_REQUEST',
        reference: 'REF',
        token: { country_code: 'NL', party_id: 'TWO', uid: 'ROAMER', type: 'RFID', contract_id: 'C-ROAMER' },
        status: 'Accepted',
      },
    );
    t.strictSame(asked('ROAMER'), { first: 1, second: 1 }, 'the start uses the authorization');
    await tale.stop(transactionId, 1, 2000);
  });

  await t.test('requests a uid in the form of an EMAID as such from a partner of 2.3.0', async (t) => {
    const version = (to: string) =>
      sql`update ocpi_partners set ocpi_version = ${to} where id = ${partners.first.id}`;
    await version('2.3.0');
    const started: unknown[] = [];
    for (const [uid, type] of [
      ['DEONEC123456789', 'EMAID'],
      ['AB12C345678901', 'RFID'],
      ['CARD-230', 'RFID'],
    ] as const) {
      const token = tokenOf('first', uid, type);
      partners.first.emsp.react(path(uid), { body: enveloped({ allowed: 'ALLOWED', token }) });
      t.equal(await status(uid), 'Accepted');
      const tale = scripted16(client, Date.now() - 60_000);
      const transactionId = await tale.start(uid, 0, 1000);
      const [session] = await sql<{ type: string }[]>`
        select ocpi_token ->> 'type' as type from sessions where ocpp_transaction_id = ${String(transactionId)}`;
      const asked = partners.first.emsp.received.filter((request) => request.path.startsWith(path(uid)));
      started.push([asked.map((request) => request.path.slice(path(uid).length)), session?.type]);
      await tale.stop(transactionId, 1, 2000);
    }
    t.strictSame(started, [
      [['?type=EMAID'], 'EMAID'],
      [['?type=RFID'], 'RFID'],
      [['?type=RFID'], 'RFID'],
    ]);
    await version('2.2.1');
    allows('first', 'DEONEC999999999');
    t.equal(await status('DEONEC999999999'), 'Accepted');
    const [request] = partners.first.emsp.received.slice(-1);
    t.equal(request?.path, `${path('DEONEC999999999')}?type=RFID`);
  });

  await t.test('remembers the partner that allowed the card', async (t) => {
    refuses('first', 'KNOWN');
    allows('second', 'KNOWN');
    t.equal(await status('KNOWN'), 'Accepted');
    t.equal(await status('KNOWN'), 'Accepted');
    t.strictSame(asked('KNOWN'), { first: 1, second: 1 }, 'no request again at the charger');
    t.equal(await status('KNOWN', another), 'Accepted');
    t.strictSame(asked('KNOWN'), { first: 1, second: 2 }, 'only that partner at another charger');
  });

  await t.test('remembers refusals for a minute', async (t) => {
    refuses('first', 'NOBODYS');
    refuses('second', 'NOBODYS');
    t.equal(await status('NOBODYS'), 'Invalid');
    t.equal(await status('NOBODYS', another), 'Invalid');
    t.strictSame(asked('NOBODYS'), { first: 1, second: 1 }, 'at every charger');
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from expires_at - now())::float8 as seconds from ocpi_unknown_tokens where uid = 'nobodys'`;
    t.ok(row !== undefined && row.seconds > 30 && row.seconds <= 60, String(row?.seconds));
    await expire('NOBODYS');
    t.equal(await status('NOBODYS'), 'Invalid');
    t.strictSame(asked('NOBODYS'), { first: 2, second: 2 }, 'asked again afterwards');
    refuses('first', 'BLOCKED', 'BLOCKED');
    refuses('second', 'BLOCKED');
    t.equal(await status('BLOCKED'), 'Blocked', 'the refusal of the partner that knows the card');
    t.equal(await status('BLOCKED'), 'Blocked');
    t.strictSame(asked('BLOCKED'), { first: 1, second: 1 });
    t.equal(await status('BLOCKED', another), 'Blocked');
    t.strictSame(asked('BLOCKED'), { first: 2, second: 2 }, 'a refusal of one location applies only there');
  });

  await t.test('asks the next partner when one is down or returns an unusable answer', async (t) => {
    partners.first.emsp.react(path('DOWN'), { hangUp: true });
    allows('second', 'DOWN');
    t.equal(await status('DOWN'), 'Accepted');
    for (const [uid, token] of [
      ['FOREIGN-PARTY', tokenOf('second', 'FOREIGN-PARTY')],
      ['OTHER-CARD', tokenOf('first', 'ANOTHER')],
      ['NO-TOKEN', undefined],
    ] as const) {
      partners.first.emsp.react(path(uid), { body: enveloped({ allowed: 'ALLOWED', token }) });
      refuses('second', uid, 'UNKNOWN', 1);
      t.equal(await status(uid), 'Invalid', uid);
      allows('second', uid);
      t.equal(await status(uid), 'Accepted', `${uid}: the refusal was not remembered`);
    }
  });

  await t.test('answers the charger within one deadline for all partners', async (t) => {
    allows('first', 'SLOW', 120_000);
    allows('second', 'SLOW');
    t.equal(await status('SLOW'), 'Accepted', 'a slow partner delays the next one');
    allows('first', 'SILENT', 120_000);
    allows('second', 'SILENT', 120_000);
    // Counted, not timed: this thread also runs the timers of the deadline.
    let halfSeconds = 0;
    const counting = setInterval(() => (halfSeconds += 1), 500);
    t.equal(await status('SILENT'), 'Invalid');
    clearInterval(counting);
    t.ok(halfSeconds < 15, `two deadlines of 4 s are 8 s; it took ${halfSeconds / 2} s`);
  });

  await t.test(
    'asks no partner that is suspended, has no position or belongs to another network',
    async (t) => {
      for (const name of ['first', 'second', 'unordered', 'foreign'] as const) allows(name, 'NONE');
      await sql`update ocpi_partners set status = 'SUSPENDED' where id in ${sql([partners.first.id, partners.second.id])}`;
      t.equal(await status('NONE'), 'Invalid');
      t.strictSame(asked('NONE'), {});
      await sql`update ocpi_partners set status = 'REGISTERED' where id = ${partners.second.id}`;
      t.equal(await status('NONE'), 'Accepted');
      t.strictSame(asked('NONE'), { second: 1 });
      await sql`
      insert into ocpi_tokens (partner_id, country_code, party_id, uid, type, contract_id, issuer, is_valid, whitelist,
        last_updated)
      values (${partners.first.id}, 'DE', 'ONE', 'SENT', 'RFID', 'C', 'eMSP', true, 'ALWAYS', now())`;
      allows('second', 'SENT');
      t.equal(await status('SENT'), 'Invalid', 'a card of the suspended partner is known');
      t.strictSame(asked('SENT'), {});
    },
  );
});

void t.test('operator sets the position of a partner', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await makePartner(api);
  const url = `/cpms/v1/ocpi-partners/${id}`;
  const change = (authorizationOrder: unknown) =>
    api.call(key, { method: 'PATCH', url, payload: { authorizationOrder } });
  t.match((await api.call(key, { url })).json['data'], { authorizationOrder: null });
  t.match(await change(2), { status: 200, json: { data: { authorizationOrder: 2 } } });
  t.match(
    await api.call(key, { method: 'PATCH', url, payload: { name: 'Renamed' } }),
    { status: 200, json: { data: { authorizationOrder: 2 } } },
    'a change of another field keeps it',
  );
  t.match(await change(0), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  t.match(await change(null), { status: 200, json: { data: { authorizationOrder: null } } });
});
