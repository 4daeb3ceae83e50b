import t from 'tap';
import { startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { invalidAt, ocpi, registerEmsp } from './support/partner.ts';

/** The standard's example of a full RFID token (OCPI 2.2.1 §12.3.2.1), of this party. */
const rfid = {
  country_code: 'DE',
  party_id: 'EMS',
  uid: '12345678905880',
  type: 'RFID',
  contract_id: 'DE8ACC12E46L89',
  visual_number: 'DF000-2001-8999-1',
  issuer: 'TheNewMotion',
  group_id: 'DF000-2001-8999',
  valid: true,
  whitelist: 'ALLOWED',
  language: 'it',
  default_profile_type: 'GREEN',
  energy_contract: { supplier_name: 'Greenpeace Energy eG', contract_id: '0123456789' },
  last_updated: '2018-12-10T17:25:10.000Z',
};

const path = (uid: string, version = '2.2.1', party = 'DE/EMS') =>
  `/ocpi/cpo/${version}/tokens/${party}/${uid}`;

function put(api: TestApi, token: string, payload: object, url = path(rfid.uid)) {
  return ocpi(api, token, { method: 'PUT', url, payload });
}

void t.test('the tokens of a partner', async (t) => {
  const api = await startTestApi(t);
  const { token } = await registerEmsp(api, await startEmsp(t));

  await t.test('pushes tokens on both interfaces and reads them back', async (t) => {
    const done = { json: { status_code: 1000, data: undefined } };
    t.match(await put(api, token, rfid), { status: 201, ...done }, 'created');
    t.match(await put(api, token, rfid), { status: 200, ...done }, 'replaced');
    const stored = { status: 200, json: { status_code: 1000, data: rfid } };
    t.match(await ocpi(api, token, { url: path(rfid.uid) }), stored);
    t.match(await ocpi(api, token, { url: path(rfid.uid.toLowerCase(), '2.2', 'de/ems') }), stored);
    t.match(await ocpi(api, token, { url: `/ocpi/cpo/2.2/tokens/${rfid.uid}` }), stored);

    const app = { ...rfid, type: 'APP_USER', visual_number: undefined, whitelist: 'NEVER' };
    t.equal((await put(api, token, app, path(rfid.uid, '2.2'))).status, 200, 'the same uid, another type');
    t.match(
      (await ocpi(api, token, { url: `${path(rfid.uid)}?type=APP_USER` })).json['data'],
      { type: 'APP_USER', whitelist: 'NEVER' },
      'which the query names',
    );
    t.match((await ocpi(api, token, { url: path(rfid.uid) })).json['data'], { type: 'RFID' });

    await put(api, token, { ...rfid, valid: false, last_updated: '2018-12-10T17:00:00' });
    t.match((await ocpi(api, token, { url: path(rfid.uid) })).json['data'], { valid: true }, 'an older word');
    await put(api, token, { ...rfid, group_id: undefined, last_updated: '2019-01-01T00:00:00' });
    t.notOk('group_id' in ((await ocpi(api, token, { url: path(rfid.uid) })).json['data'] ?? {}), 'replaced');

    const list = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens?limit=1' });
    t.match(list, {
      headers: {
        'x-total-count': '2',
        'x-limit': '1',
        link: '<http://chargeway.test/ocpi/cpo/2.2/tokens?limit=1&offset=1>; rel="next"',
      },
      json: { data: [{ uid: rfid.uid }] },
    });
    t.match(await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens?limit=0' }), {
      headers: { 'x-total-count': '2', 'x-limit': '0', link: undefined },
      json: { status_code: 1000, data: { length: 0 } },
    });
    const since = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens?date_from=2019-01-01T00:00:00' });
    t.match(since, { headers: { 'x-total-count': '1' }, json: { data: [{ type: 'RFID' }] } });
    const until = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens?date_to=2019-01-01T00:00:00Z' });
    t.match(until.json['data'], [{ type: 'APP_USER' }]);
  });

  await t.test('patches a token, and ignores an older change', async (t) => {
    const uid = 'PATCHED';
    await put(api, token, { ...rfid, uid }, path(uid));
    const patch = (payload: object, url = path(uid)) => ocpi(api, token, { method: 'PATCH', url, payload });
    t.match(await patch({ valid: false }), invalidAt(path(uid)));
    t.equal((await patch({ valid: false, last_updated: '2018-12-10T17:25:11Z' })).status, 200);
    const expected = { ...rfid, uid, valid: false, last_updated: '2018-12-10T17:25:11.000Z' };
    t.same((await ocpi(api, token, { url: path(uid) })).json['data'], expected);
    t.equal((await patch({ valid: true, last_updated: '2018-12-10T17:25:10Z' })).status, 200);
    t.strictSame((await ocpi(api, token, { url: path(uid) })).json['data'], expected, 'stale: ignored');
    t.match(await patch({ last_updated: '2019-01-01T00:00:00Z' }, path('UNKNOWN')), {
      status: 404,
      json: { status_code: 2004 },
    });
    t.match(await patch({ uid: 'OTHER', last_updated: '2019-01-01T00:00:00Z' }), invalidAt(path(uid)));
  });

  await t.test('removes with a patch the optional values that are null, in each version', async (t) => {
    const uid = 'CLEARED';
    const optional = {
      visual_number: 'V-1',
      group_id: 'GROUP-1',
      language: 'de',
      default_profile_type: 'GREEN',
      energy_contract: { supplier_name: 'Green', contract_id: 'E-1' },
    };
    const lastUpdated = { last_updated: new Date().toISOString() };
    const patched = async (url: string, payload: object) => {
      await put(api, token, { ...rfid, ...optional, uid, ...lastUpdated }, path(uid));
      const answer = await ocpi(api, token, { method: 'PATCH', url, payload });
      const { last_updated: _time, ...left } =
        (await ocpi(api, token, { url: path(uid) })).json['data'] ?? {};
      return { answer, left };
    };
    const { last_updated: _time, ...required } = { ...rfid, uid };
    const all = { ...required, ...optional };
    for (const version of ['2.1.1', '2.2', '2.2.1', '2.3.0']) {
      const url = path(uid, version);
      const fields = version === '2.1.1' ? ['visual_number', 'language'] : Object.keys(optional);
      for (const field of fields) {
        const { answer, left } = await patched(url, { [field]: null, ...lastUpdated });
        t.match(answer, { status: 200, json: { status_code: 1000 } }, `${version} ${field}`);
        const { [field as keyof typeof all]: _cleared, ...others } = all;
        t.strictSame(left, others, `${version} ${field}`);
      }
      const names = version === '2.1.1' ? ['auth_id'] : ['contract_id', 'country_code'];
      for (const field of [...names, 'uid', 'type', 'issuer', 'valid', 'whitelist', 'last_updated']) {
        const { answer, left } = await patched(url, { language: 'fr', ...lastUpdated, [field]: null });
        const json = { status_code: 2001, status_message: new RegExp(`\\b${field} must be`) };
        t.match(answer.json, json, `${version} ${field}`);
        t.strictSame(left, all, `${version} ${field}`);
      }
    }
    const supplier = { energy_contract: { supplier_name: 'Green', contract_id: null }, ...lastUpdated };
    t.strictSame((await patched(path(uid), supplier)).left['energy_contract'], {
      supplier_name: 'Green',
    } as never);
    const unknown = { default_profile_type: 'ULTRA', ...lastUpdated };
    t.equal(
      (await patched(path(uid), unknown)).left['default_profile_type'],
      undefined,
      'an unknown profile does not count',
    );
  });

  await t.test('rejects an invalid token and stores nothing', async (t) => {
    const before = (await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens' })).json['data'];
    for (const wrong of [
      { ...rfid, whitelist: 5 },
      { ...rfid, whitelist: '' },
      { ...rfid, default_profile_type: 5 },
      { ...rfid, valid: 'yes' },
      { ...rfid, contract_id: undefined },
      { ...rfid, contract_id: 'x'.repeat(37) },
      { ...rfid, issuer: 'a\u0000b' },
      { ...rfid, last_updated: '2018-13-40T00:00:00Z' },
      { ...rfid, last_updated: 'yesterday' },
      { ...rfid, uid: 'OTHER' },
      { ...rfid, party_id: 'XXX' },
    ]) {
      t.match(await put(api, token, wrong), invalidAt(path(rfid.uid)), JSON.stringify(wrong));
    }
    const foreign = path(rfid.uid, '2.2.1', 'DE/XXX');
    t.match(
      await put(api, token, { ...rfid, party_id: 'XXX' }, foreign),
      invalidAt(foreign),
      'not its own party',
    );
    t.match(await put(api, token, rfid, `${path(rfid.uid)}?type=CARD`), invalidAt(path(rfid.uid)));
    t.strictSame((await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens' })).json['data'], before);
  });

  await t.test('stores a token with unknown values of enumerations', async (t) => {
    const uid = 'NEWER';
    const newer = { ...rfid, uid, type: 'EMAID', whitelist: 'SOMETIMES', default_profile_type: 'SOLAR' };
    const expected = { type: 'OTHER', whitelist: 'NEVER', default_profile_type: undefined };
    for (const version of ['2.2', '2.2.1']) {
      const url = `${path(`${uid}-${version}`, version)}?type=EMAID`;
      t.match(await put(api, token, { ...newer, uid: `${uid}-${version}` }, url), {
        json: { status_code: 1000 },
      });
      t.match((await ocpi(api, token, { url })).json['data'], expected);
      const patch = { whitelist: 'OFTEN', valid: false, last_updated: '2020-01-01T00:00:00Z' };
      t.match(await ocpi(api, token, { method: 'PATCH', url, payload: patch }), {
        json: { status_code: 1000 },
      });
      t.match((await ocpi(api, token, { url })).json['data'], { ...expected, valid: false });
    }
  });

  await t.test('shows each partner only its own tokens', async (t) => {
    const mine = { token };
    const party = { countryCode: 'FR', partyId: 'ABC' };
    const other = await registerEmsp(api, await startEmsp(t, party), { party });
    await put(api, mine.token, rfid);
    for (const url of [path(rfid.uid), path(rfid.uid, '2.2'), `/ocpi/cpo/2.2/tokens/${rfid.uid}`]) {
      t.match(await ocpi(api, other.token, { url }), { status: 404, json: { status_code: 2004 } }, url);
      t.equal((await ocpi(api, null, { url })).status, 401);
    }
    t.match(await ocpi(api, other.token, { url: '/ocpi/cpo/2.2/tokens' }), {
      headers: { 'x-total-count': '0' },
      json: { data: { length: 0 } },
    });
    t.match(await put(api, other.token, rfid), invalidAt(path(rfid.uid)), 'nor changes them');
    const theirs = { ...rfid, country_code: 'FR', party_id: 'ABC', valid: false };
    t.equal((await put(api, other.token, theirs, path(rfid.uid, '2.2.1', 'FR/ABC'))).status, 201);
    t.match((await ocpi(api, mine.token, { url: path(rfid.uid) })).json['data'], { valid: true });
  });
});

void t.test('answers 404 for the standard paths when they are switched off', async (t) => {
  const api = await startTestApi(t, { settings: { ...testSettings, ocpiStrict: false } });
  const { token } = await registerEmsp(api, await startEmsp(t), { version: '2.2' });
  t.equal((await put(api, token, rfid)).status, 404);
  t.equal((await put(api, token, rfid, path(rfid.uid, '2.2'))).status, 200);
});

void t.test('reads all tokens of a partner after a handshake, then changes', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const list = '/ocpi/emsp/2.2.1/tokens';
  const next = `<${emsp.url}${list}?offset=2>; rel="next"`;
  const foreign = { ...rfid, uid: 'FOREIGN', party_id: 'XXX' };
  emsp.react(`${list}?offset=2`, {
    body: enveloped([{ ...rfid, uid: 'THIRD', visual_number: null, whitelist: 'SOMETIMES' }]),
  });
  emsp.react(`${list}?limit`, {
    body: enveloped([rfid, foreign, { uid: 'BROKEN' }]),
    headers: { link: next },
  });
  emsp.react(`${list}?date_from`, { body: enveloped([{ ...rfid, uid: 'NEW' }]) });
  const { token } = await registerEmsp(api, emsp);
  await Promise.all([pullTokens(api.deps), pullTokens(api.deps)]);
  const uids = async () => {
    const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens' });
    return (json['data'] as unknown as { uid: string }[]).map(({ uid }) => uid);
  };
  t.strictSame(await uids(), [rfid.uid, 'THIRD'], 'what is not its own, or no token, is left out');
  const asked = () => emsp.received.filter(({ path }) => path.startsWith(list)).map(({ path }) => path);
  t.equal(asked().length, 2, 'by one process');

  await pullTokens(api.deps);
  t.equal(asked().length, 2, 'not before its time');
  await sql`update ocpi_token_pulls set next_at = now()`;
  await pullTokens(api.deps);
  t.match(asked().at(-1), /\?date_from=\d{4}-.*&limit=500$/);
  t.strictSame(await uids(), [rfid.uid, 'THIRD', 'NEW']);

  for (const reaction of [
    { status: 500 },
    { body: enveloped(undefined, 3000) },
    { body: enveloped([]), headers: { link: '<http://127.0.0.1:1/tokens>; rel="next"' } },
  ]) {
    emsp.react(`${list}?`, reaction, 1);
    // The first that fits answers: those above were rolled back.
    await sql`update ocpi_partner_endpoints set url = url || '/x' where identifier = 'tokens' and url not like '%/x'`;
    emsp.react(`${list}/x`, reaction, 1);
    await sql`update ocpi_token_pulls set next_at = now()`;
    await pullTokens(api.deps);
    const [pull] = await sql<{ error: string | null; isLater: boolean }[]>`
      select last_error as error, next_at > now() + interval '20 seconds' as "isLater" from ocpi_token_pulls`;
    t.match(pull, { error: String, isLater: true }, 'it is tried again later');
  }
  t.equal(asked().filter((url) => url.includes('127.0.0.1:1')).length, 0);
});

void t.test('reads a long list in turns with other partners', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const list = '/ocpi/emsp/2.2.1/tokens';
  const [long, short] = [await startEmsp(t), await startEmsp(t, { countryCode: 'FR', partyId: 'OTH' })];
  const pages = 45;
  long.react(list, ({ path: asked }) => {
    const offset = Number(new URL(asked, long.url).searchParams.get('offset') ?? 0);
    if (offset === 30 && !isBack) return { status: 500 };
    const link = `<${long.url}${list}?offset=${offset + 1}>; rel="next"`;
    return {
      body: enveloped([{ ...rfid, uid: `L${offset}` }]),
      ...(offset + 1 < pages && { headers: { link } }),
    };
  });
  short.react(list, { body: enveloped([{ ...rfid, country_code: 'FR', party_id: 'OTH', uid: 'S' }]) });
  let isBack = false;
  const { token } = await registerEmsp(api, long);
  await registerEmsp(api, short, { party: { countryCode: 'FR', partyId: 'OTH' } });
  const times = new Map<string, number>();
  for (const [name, emsp] of Object.entries({ long, short })) {
    const push = emsp.received.push.bind(emsp.received);
    emsp.received.push = (...requests) => {
      if (requests.some(({ path: asked }) => asked.startsWith(list))) times.set(name, performance.now());
      return push(...requests);
    };
  }
  await pullTokens(api.deps);
  t.ok((times.get('short') ?? Infinity) < (times.get('long') ?? 0), 'the short one is read in between');
  const read = () => long.received.filter(({ path: asked }) => asked.startsWith(list)).length;
  t.equal(read(), 31, 'the page that failed is the last one');
  isBack = true;
  await sql`update ocpi_token_pulls set next_at = now() where last_error is not null`;
  await pullTokens(api.deps);
  t.equal(read(), 46, 'it goes on where it was');
  const { headers } = await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens?limit=1' });
  t.equal(headers['x-total-count'], String(pages));
  t.match(
    await sql`select next_page, pages, last_error, read_until is not null as "isRead" from ocpi_token_pulls`,
    [{ next_page: null, pages: 0, last_error: null, isRead: true }, { isRead: true }],
  );
});
