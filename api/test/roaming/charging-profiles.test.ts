import t, { type Test } from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { queueChangedProfiles } from '#api/services/roaming/profiles/push.ts';
import { accepted, holdCharger, type Json, startTestApi } from '#api/test/support/fixtures.ts';
import { startSession } from '#api/test/support/records.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { recordReports } from '#shared/postgres/commands/charger-reports.statements.ts';
import {
  clearChargingProfiles,
  storeChargingProfile,
} from '#shared/postgres/commands/command-effects.statements.ts';
import { noteChargingChanges } from '#shared/postgres/roaming/charging-changes.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { says } from './support/command-rig.ts';
import { startEmsp } from './support/emsp.ts';
import { invalidAt, ocpi, registerEmsp } from './support/partner.ts';
import { seedPlace } from './support/place.ts';
import { cdrToken, startRoamingSession } from './support/roaming-session.ts';
import {
  ActiveChargingProfile,
  ActiveChargingProfileResult,
  ChargingProfileResponse,
  ChargingProfileResult,
} from './support/standard/asked.ts';
import { misfits, type Shape } from './support/standard/shape.ts';

const schedule = {
  startsAt: '2026-11-21T10:00:00.000Z',
  durationSeconds: 900,
  rateUnit: 'A',
  periods: [{ startSeconds: 0, limit: 16.5, phases: 3 }],
} as const;

/** §14.6.1, as the charger's schedule reads in OCPI. */
const active = {
  start_date_time: '2026-11-21T10:00:00.000Z',
  charging_profile: {
    start_date_time: '2026-11-21T10:00:00.000Z',
    duration: 900,
    charging_rate_unit: 'A',
    charging_profile_period: [{ start_period: 0, limit: 16.5 }],
  },
};

const profile = {
  start_date_time: '2026-11-21T10:00:00Z',
  duration: 3600,
  charging_rate_unit: 'A',
  min_charging_rate: 6,
  charging_profile_period: [
    { start_period: 0, limit: 16 },
    { start_period: 1800, limit: 8.5 },
  ],
};

async function startRig(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const { id: partnerUuid, token } = await registerEmsp(api, emsp);
  const { charger } = await seedPlace(sql, api.network.id);
  await seedConnection(sql, charger.uuid);
  const session = await startRoamingSession(api, charger.uuid, partnerUuid, { token: cdrToken });
  const replies = { next: accepted };
  const taken = await holdCharger(api, charger.uid, () => replies.next);
  startQueuedJobs(t, api.deps);
  const url = (version: string, id = session.uuid) => `/ocpi/cpo/${version}/chargingprofiles/${id}`;
  let count = 0;
  const responseUrl = () => {
    count += 1;
    return `${emsp.url}/profiles/${count}`;
  };
  return {
    api,
    sql,
    emsp,
    token,
    charger,
    session,
    partnerUuid,
    replies,
    taken,
    url,
    async set(changed: object = {}, version = '2.2.1', id = session.uuid, as = token) {
      const payload = { charging_profile: { ...profile, ...changed }, response_url: responseUrl() };
      return ocpi(api, as, { method: 'PUT', url: url(version, id), payload });
    },
    get: (query: string, version = '2.2.1') =>
      ocpi(api, token, {
        url: `${url(version)}?response_url=${encodeURIComponent(responseUrl())}&${query}`,
      }),
    clear: (version = '2.2.1') =>
      ocpi(api, token, {
        method: 'DELETE',
        url: `${url(version)}?response_url=${encodeURIComponent(responseUrl())}`,
      }),
    result: async () => (await emsp.next('POST', `/profiles/${count}`)).body,
    /** Lets the limit on requests be forgotten. */
    rest: () => sql`update ocpi_commands set created_at = created_at - interval '2 minutes'`,
  };
}

const saidYes = { status: 200, json: { status_code: 1000, data: { result: 'ACCEPTED', timeout: 60 } } };
const said = (result: string) => ({ status: 200, json: { status_code: 1000, data: { result } } });

void t.test('a session is limited, read and freed again, on both surfaces', async (t) => {
  const rig = await startRig(t);
  for (const version of ['2.2', '2.2.1']) {
    await rig.rest();
    rig.taken.length = 0;
    rig.replies.next = says('Accepted', true, { schedule });
    t.match(await rig.set({}, version), saidYes);
    t.strictSame(await rig.result(), { result: 'ACCEPTED' });
    t.match(rig.taken[0]?.command, {
      type: 'set-charging-profile',
      evse: 1,
      profile: {
        purpose: 'Tx',
        kind: 'Absolute',
        transactionId: rig.session.transactionId,
        durationSeconds: 3600,
        rateUnit: 'A',
        minChargingRate: 6,
        periods: [
          { startSeconds: 0, limit: 16 },
          { startSeconds: 1800, limit: 8.5 },
        ],
      },
    });
    t.match(await rig.set({ start_date_time: undefined }, version), saidYes);
    await rig.result();
    const profiles = rig.taken.flatMap(({ command }) =>
      command.type === 'set-charging-profile' ? [command.profile] : [],
    );
    t.match(profiles[1], { kind: 'Relative', startsAt: null });
    t.equal(profiles[0]?.profileId, profiles[1]?.profileId, 'it takes the place of the first');
    t.match(await rig.get('duration=900', version), saidYes);
    t.strictSame(await rig.result(), { result: 'ACCEPTED', profile: active });
    t.match(rig.taken.at(-1)?.command, { type: 'get-composite-schedule', durationSeconds: 900 });
    t.match(await rig.clear(version), saidYes);
    t.strictSame(await rig.result(), { result: 'ACCEPTED' });
    t.match(rig.taken.at(-1)?.command, {
      type: 'clear-charging-profiles',
      profileId: profiles[0]?.profileId,
    });
  }
  await rig.rest();
  t.match(await rig.get('', '2.2'), saidYes, 'the documented surface has a usual duration');
  t.match(await rig.result(), { result: 'ACCEPTED' });
  t.match(await rig.get(''), invalidAt(rig.url('2.2.1')), 'the standard has none');
  const silent = { method: 'DELETE', url: rig.url('2.2') } as const;
  t.match(await ocpi(rig.api, rig.token, silent), saidYes, 'and no result, where none is wanted');
  t.match(await ocpi(rig.api, rig.token, { ...silent, url: rig.url('2.2.1') }), invalidAt(rig.url('2.2.1')));
});

void t.test('sends charging profiles in the form of the standard', async (t) => {
  const rig = await startRig(t);
  rig.replies.next = says('Accepted', true, { schedule });
  const whole: [string, () => Promise<{ json: Json }>, Shape][] = [
    ['set', () => rig.set(), ChargingProfileResult],
    ['get', () => rig.get('duration=900'), ActiveChargingProfileResult],
    ['clear', () => rig.clear(), ChargingProfileResult],
  ];
  for (const [what, ask, shape] of whole) {
    t.strictSame(misfits((await ask()).json['data'], ChargingProfileResponse), [], what);
    t.strictSame(misfits(await rig.result(), shape), [], what);
  }
  await rig.set();
  await rig.result();
  rig.replies.next = says('Rejected', false);
  await rig.get('duration=900');
  t.strictSame(misfits(await rig.result(), ActiveChargingProfileResult), [], 'a refusal');
  const refused = await rig.set({}, '2.2.1', 'none');
  t.strictSame(misfits(refused.json['data'], ChargingProfileResponse), [], 'of an unknown session');
});

void t.test('maps charger statuses to OCPI results', async (t) => {
  const rig = await startRig(t);
  const becomes = async (ask: () => Promise<unknown>, reply: CommandReply, result: string) => {
    rig.replies.next = reply;
    t.match(await ask(), saidYes);
    t.strictSame(await rig.result(), { result });
  };
  const clear = () => rig.clear();
  await becomes(clear, accepted, 'UNKNOWN');
  t.same(rig.taken, [], 'what others set is not cleared');
  const set = () => rig.set();
  await becomes(set, says('Rejected', false), 'REJECTED');
  await becomes(set, { ok: false, code: 'CHARGER_TIMEOUT', message: '' }, 'REJECTED');
  await becomes(() => rig.get('duration=60'), says('Rejected', false), 'REJECTED');
  await becomes(set, says('Accepted', true), 'ACCEPTED');
  await becomes(clear, says('Unknown', false), 'UNKNOWN');
  t.match(await set(), said('TOO_OFTEN'));
  const before = rig.taken.length;
  t.match(await rig.clear(), said('TOO_OFTEN'));
  t.equal(rig.taken.length, before);
  await rig.rest();
  t.match(await set(), saidYes);
});

void t.test('rejects invalid requests and foreign sessions at once', async (t) => {
  const rig = await startRig(t);
  const { api, sql, charger } = rig;
  const invalid = invalidAt(rig.url('2.2'));
  for (const changed of [
    { charging_rate_unit: 'kW' },
    { charging_profile_period: [] },
    { charging_profile_period: [{ start_period: 5, limit: 1 }] },
    { charging_profile_period: [{ start_period: 0, limit: 1.25 }] },
    { charging_profile_period: [{ start_period: 0 }] },
    { start_date_time: '2026-13-01T00:00:00Z' },
    { duration: -1 },
  ]) {
    t.match(await rig.set(changed), invalidAt(rig.url('2.2.1')), JSON.stringify(changed));
  }
  const url = rig.url('2.2');
  const inside = 'http://10.0.0.1/results';
  const to = `response_url=${encodeURIComponent(inside)}`;
  for (const request of [
    { method: 'PUT', url, payload: { charging_profile: profile, response_url: inside } },
    { method: 'GET', url: `${url}?${to}` },
    { method: 'DELETE', url: `${url}?${to}` },
  ] as const) {
    const refused = { ...invalid.json, status_message: /response_url cannot be called/ };
    t.match(await ocpi(api, rig.token, request), { status: 400, json: refused }, request.method);
  }
  t.match(await ocpi(api, rig.token, { method: 'PUT', url, payload: {} }), invalid);
  t.match(await ocpi(api, rig.token, { url: `${url}?response_url=nothing` }), invalid);
  t.equal((await ocpi(api, null, { url: `${url}?response_url=http://x` })).status, 401);

  t.match(await rig.set({}, '2.2', 'none'), said('UNKNOWN_SESSION'));
  const emsp = await startEmsp(t, { countryCode: 'FR', partyId: 'TWO' });
  const second = await registerEmsp(api, emsp, { party: { countryCode: 'FR', partyId: 'TWO' } });
  t.match(await rig.set({}, '2.2', rig.session.uuid, second.token), said('UNKNOWN_SESSION'));
  const own = await startSession(sql, { chargerUuid: charger.uuid, connector: 2 });
  t.match(await rig.set({}, '2.2', own.uuid), said('UNKNOWN_SESSION'), 'one of our own drivers');
  await sql`update sessions set status = 'COMPLETED', ended_at = now() where uuid = ${rig.session.uuid}`;
  t.match(await rig.set(), said('REJECTED'));
  t.same(rig.taken, []);
});

void t.test(
  'notifies the partner of a limited session whenever the profile in effect can change',
  async (t) => {
    const rig = await startRig(t);
    const { sql, charger, session, emsp } = rig;
    const pushed = async () => {
      await queueChangedProfiles(rig.api.deps);
      return emsp.next('PUT', `/ocpi/emsp/2.2.1/chargingprofiles/${session.uuid}`);
    };
    const installed = { profile: { limit: 8 }, purpose: 'TxDefaultProfile', stackLevel: 1 };
    const install = (evse: number, limit: number) =>
      storeChargingProfile(sql, charger.id, {
        ...installed,
        type: 'charging-profile',
        evse,
        profileId: 900 + evse,
        profile: { limit },
      });
    const isDue = async () => {
      await noteChargingChanges(sql);
      return (await sql`select from ocpi_profiles where changed_at is distinct from pushed_at`).length > 0;
    };
    await install(1, 8);
    t.notOk(await isDue(), 'never of one that it did not limit');

    rig.replies.next = says('Accepted', true, { schedule });
    await rig.set();
    await rig.result();
    emsp.react('/ocpi/emsp/2.2.1/chargingprofiles/', { status: 503 }, 1);
    const first = (await pushed()).body;
    t.strictSame(first, active);
    t.strictSame(misfits(first, ActiveChargingProfile), []);
    const again = await emsp.next('PUT', `/ocpi/emsp/2.2.1/chargingprofiles/${session.uuid}`);
    t.strictSame(again.body, active, 'since it was not taken');

    await install(2, 8);
    t.notOk(await isDue(), 'what is of another connector changes nothing');
    await install(1, 9);
    t.strictSame((await pushed()).body, active, "an operator's profile at its connector");
    await install(0, 32);
    t.ok(await pushed(), 'or of the whole charger');
    const everything = { profileId: null, evse: null, purpose: null, stackLevel: null };
    await clearChargingProfiles(sql, charger.id, { ...everything, type: 'charging-profiles-cleared' });
    t.ok(await pushed(), 'or that it was cleared');
    const limit = {
      type: 'notification',
      chargerId: charger.id,
      action: 'NotifyChargingLimit',
      requestId: null,
      part: null,
      payload: { evseId: 1 },
      receivedAt: new Date(),
    } as const;
    await recordReports(sql, [limit]);
    t.ok(await pushed(), 'or a limit of the site');
    await sql`update sessions set status = 'COMPLETED', ended_at = now() where uuid = ${session.uuid}`;
    await install(1, 10);
    t.notOk(await isDue(), 'and no more once it has ended');
  },
);
