import t from 'tap';
import { seedPlace } from './support/place.ts';
import { queueChangedProfiles } from '#api/services/roaming/profiles/push.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { seedToken, seedUser } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startRoamingRig } from './support/roaming-rig.ts';

void t.test('commands of roaming partners', async (t) => {
  const rig = await startRoamingRig(t);
  const { sql } = rig.stores;
  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const is16 = version === 'ocpp1.6';
    const { charger, client } = await rig.connect(version);
    const { locationId, evseUids } = await seedPlace(sql, rig.network.id, { charger });
    const heard: [string, Record<string, never>][] = [];
    let answer: object = { status: 'Accepted' };
    answerCalls(client, (action, payload) => {
      heard.push([action, payload as Record<string, never>]);
      return answer;
    });
    const at = { location_id: locationId, evse_uid: evseUids[0], connector_id: '1' };
    const send = async (command: string, id: string, body: object) => {
      const responseUrl = `${rig.emsp.url}/results/${is16 ? 1 : 2}${id}`;
      const path = `/cpo/2.2/commands/${command}/${is16 ? 1 : 2}${id}`;
      t.match(await rig.ask('POST', path, { response_url: responseUrl, ...body }), { result: 'ACCEPTED' });
      return (await rig.emsp.next('POST', new URL(responseUrl).pathname)).body;
    };
    const read = (id: string) => rig.ask('GET', `/cpo/2.2/commands/${is16 ? 1 : 2}${id}`);
    /** Starts the requested transaction of the charger; returns the token's authorization. */
    const begin = async (transactionId: string) => {
      const [, asked] = heard.findLast(([action]) => /RemoteStart|RequestStart/.test(action)) ?? [];
      const timestamp = new Date().toISOString();
      if (is16) {
        const { idTag } = asked as unknown as { idTag: string };
        t.match(await client.call('Authorize', { idTag }), { idTagInfo: { status: 'Accepted' } });
        const start = { connectorId: 1, idTag, meterStart: 0, timestamp };
        return (await client.call('StartTransaction', start)) as { idTagInfo: object };
      }
      const { remoteStartId, idToken } = asked as unknown as { remoteStartId: number; idToken: object };
      return (await client.call('TransactionEvent', {
        eventType: 'Started',
        timestamp,
        triggerReason: 'RemoteStart',
        seqNo: 0,
        transactionInfo: { transactionId, remoteStartId },
        evse: { id: 1, connectorId: 1 },
        idToken,
      })) as { idTokenInfo: object };
    };
    const end = (transactionId: string, id16: number) => {
      const timestamp = new Date().toISOString();
      if (is16) return client.call('StopTransaction', { transactionId: id16, meterStop: 1000, timestamp });
      return client.call('TransactionEvent', {
        eventType: 'Ended',
        timestamp,
        triggerReason: 'RemoteStop',
        seqNo: 9,
        transactionInfo: { transactionId },
      });
    };

    await t.test(`${version}: start, limit and stop the session that they are linked to`, async (t) => {
      const token = { uid: `APP-${version}`, type: 'APP_USER', contract_id: 'C-1' };
      t.match(await send('START_SESSION', 'start', { ...at, token, authorization_reference: 'REF-1' }), {
        result: 'ACCEPTED',
      });
      const begun = await begin('tx-1');
      t.match(begun, is16 ? { idTagInfo: { status: 'Accepted' } } : { idTokenInfo: { status: 'Accepted' } });
      const sessionId = (await read('start'))['session_id'] as unknown as string;
      t.match(
        await sql`select auth_method, authorization_reference, ocpi_token from sessions where uuid = ${sessionId}`,
        [{ auth_method: 'COMMAND', authorization_reference: 'REF-1', ocpi_token: token }],
      );
      answer = { status: 'Unlocked' };
      t.match(await send('UNLOCK_CONNECTOR', 'unlock', at), { result: 'ACCEPTED' });
      t.equal(heard.at(-1)?.[0], 'UnlockConnector');
      answer = { status: 'Accepted' };
      const limit = {
        charging_profile: {
          charging_rate_unit: 'A',
          charging_profile_period: [{ start_period: 0, limit: 10.5 }],
        },
        response_url: `${rig.emsp.url}/limited/${version}`,
      };
      const profiles = `/cpo/2.2.1/chargingprofiles/${sessionId}`;
      t.match(await rig.ask('PUT', profiles, limit), { result: 'ACCEPTED' });
      t.strictSame((await rig.emsp.next('POST', `/limited/${version}`)).body, { result: 'ACCEPTED' });
      t.match(heard.at(-1), [
        'SetChargingProfile',
        is16
          ? { csChargingProfiles: { chargingProfilePurpose: 'TxProfile', transactionId: Number } }
          : { chargingProfile: { chargingProfilePurpose: 'TxProfile', transactionId: 'tx-1' } },
      ]);
      await until('the notification of the partner about its charging profile', async () => {
        const changed =
          await sql`select from ocpi_profiles where changed_at is not null and pushed_at is null`;
        return changed.length > 0;
      });
      const periods = [{ startPeriod: 0, limit: 10.5 }];
      const said = { duration: 1800, chargingRateUnit: 'A', chargingSchedulePeriod: periods };
      const scheduleStart = new Date().toISOString();
      answer = is16
        ? { status: 'Accepted', connectorId: 1, scheduleStart, chargingSchedule: said }
        : { status: 'Accepted', schedule: { evseId: 1, scheduleStart, ...said } };
      await queueChangedProfiles(rig.deps);
      const pushed = await rig.emsp.next('PUT', '/ocpi/emsp/2.2.1/chargingprofiles/');
      t.match(pushed.path, new RegExp(sessionId));
      t.match(pushed.body, {
        start_date_time: scheduleStart,
        charging_profile: {
          duration: 1800,
          charging_rate_unit: 'A',
          charging_profile_period: [{ start_period: 0, limit: 10.5 }],
        },
      });
      answer = { status: 'Accepted' };
      t.match(await send('STOP_SESSION', 'stop', { session_id: sessionId }), { result: 'ACCEPTED' });
      await end('tx-1', (begun as unknown as { transactionId: number }).transactionId);
      t.match(
        await rig.ask('POST', `/cpo/2.2/commands/STOP_SESSION/${version}-again`, {
          response_url: `${rig.emsp.url}/none`,
          session_id: sessionId,
        }),
        { result: 'REJECTED' },
        'it has ended',
      );
    });

    await t.test(`${version}: are linked to a session that begins after the TIMEOUT result`, async (t) => {
      // An app's tokens are longer than what OCPP 1.6 takes.
      const token = { uid: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', type: 'AD_HOC_USER', contract_id: 'C-2' };
      let isAsked = false;
      answerCalls(client, (action, payload) => {
        heard.push([action, payload as Record<string, never>]);
        isAsked = true;
        return new Promise(() => undefined);
      });
      const sent = send('START_SESSION', 'late', { ...at, token, authorization_reference: 'REF-2' });
      await until('that the charger was asked', async () => isAsked);
      await client.close({ force: true });
      t.match(await sent, { result: 'TIMEOUT' }, 'it said nothing');
      const again = rig.client(charger, version);
      await again.connect();
      answerCalls(again, () => answer);
      Object.assign(client, { call: again.call.bind(again) });
      await begin('tx-2');
      t.match(await read('late'), { result: { result: 'TIMEOUT' }, session_id: String });
      t.match(
        await sql`select authorization_reference, ocpi_token from sessions where charger_id = ${charger.id} order by id desc limit 1`,
        [{ authorization_reference: 'REF-2', ocpi_token: { uid: token.uid } }],
      );
    });
    answer = { status: 'Accepted' };
  }
});

void t.test(
  'a session that a partner starts belongs to the partner, also with the uid of a token of the network',
  async (t) => {
    const rig = await startRoamingRig(t);
    const { sql } = rig.stores;
    const user = await seedUser(sql, rig.network.id);
    await sql`update networks set minimum_balance_minor = 0`;
    const card = await seedToken(sql, rig.network.id, { userId: user.id });
    for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
      const { charger, client } = await rig.connect(version);
      const { locationId, evseUids } = await seedPlace(sql, rig.network.id, { charger });
      const shown: string[] = [];
      answerCalls(client, (_action, payload) => {
        const { idTag, idToken } = payload as { idTag?: string; idToken?: { idToken: string } };
        shown.push(idTag ?? idToken?.idToken ?? '');
        return { status: 'Accepted' };
      });
      const begin = async (connector: 1 | 2, idToken: string) => {
        const [timestamp, transactionId] = [new Date().toISOString(), idToken];
        await (version === 'ocpp1.6'
          ? client.call('StartTransaction', {
              connectorId: connector,
              idTag: idToken,
              meterStart: 0,
              timestamp,
            })
          : client.call('TransactionEvent', {
              eventType: 'Started',
              timestamp,
              triggerReason: 'Authorized',
              seqNo: 0,
              transactionInfo: { transactionId },
              evse: { id: connector, connectorId: 1 },
              idToken: { idToken, type: 'Central' },
            }));
        const [session] = await sql`
        select user_id, authorization_status, ocpi_token ->> 'uid' as uid from sessions order by id desc limit 1`;
        return session;
      };
      for (const uid of [card, 'OPERATOR']) {
        const path = `/results/${version}/${uid}`;
        const token = { uid, type: 'RFID', contract_id: 'C-1' };
        await rig.ask('POST', `/cpo/2.2/commands/START_SESSION/${version}-${uid}`, {
          response_url: `${rig.emsp.url}${path}`,
          location_id: locationId,
          evse_uid: evseUids[0],
          token,
        });
        t.match((await rig.emsp.next('POST', path)).body, { result: 'ACCEPTED' });
        const expected = { user_id: null, authorization_status: 'Accepted', uid };
        t.strictSame({ ...(await begin(1, shown.at(-1) ?? '')) }, expected, `${version} ${uid}`);
      }
      const byHand = { user_id: user.id, authorization_status: 'Accepted', uid: null };
      t.strictSame({ ...(await begin(2, card)) }, byHand, 'the card is our driver’s');
    }
  },
);
