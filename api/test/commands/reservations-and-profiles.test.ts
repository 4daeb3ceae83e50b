import t from 'tap';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { startOperatedRig } from '#api/test/support/operated-rig.ts';

const soon = () => new Date(Date.now() + 3_600_000).toISOString();

void t.test('reservations, charging profiles and certificates', async (t) => {
  const rig = await startOperatedRig(t);
  const { sql } = rig.stores;

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const is16 = version === 'ocpp1.6';
    const { charger, client } = await rig.connect(version);
    const heard: [string, Record<string, unknown>][] = [];
    let answer: object = { status: 'Accepted' };
    answerCalls(client, (action, payload) => {
      heard.push([action, payload as Record<string, unknown>]);
      return answer;
    });
    const path = `/chargers/${charger.uuid}`;
    const idTag = await seedToken(sql, rig.network.id);
    const reserve = (changed: object = {}) =>
      rig.call('POST', '/reservations', {
        chargerId: charger.uuid,
        connectorNumber: 1,
        idTag,
        expiresAt: soon(),
        ...changed,
      });
    /** A session that begins with a reservation. */
    const start = async (reservationId: number) => {
      const timestamp = new Date().toISOString();
      if (is16) {
        await client.call('StartTransaction', {
          connectorId: 1,
          idTag,
          meterStart: 0,
          timestamp,
          reservationId,
        });
        return;
      }
      const event = {
        triggerReason: 'Authorized',
        seqNo: 1,
        timestamp,
        transactionInfo: { transactionId: 'tx-1' },
      };
      // The cable first, the token later: the reservation comes with the token (H03).
      await client.call('TransactionEvent', {
        ...event,
        eventType: 'Started',
        seqNo: 0,
        evse: { id: 1, connectorId: 1 },
      });
      await client.call('TransactionEvent', {
        ...event,
        eventType: 'Updated',
        idToken: { idToken: idTag, type: 'ISO14443' },
        reservationId,
      });
    };

    await t.test(`${version}: a reservation is created, used, cancelled or expires`, async (t) => {
      const made = await reserve();
      t.match(made, {
        status: 201,
        json: {
          data: { chargerId: charger.uuid, connectorNumber: 1, idTag, status: 'Active', sessionId: null },
        },
      });
      const { id, reservationId } = made.json.data as { id: string; reservationId: number };
      t.match(heard.at(-1), [
        'ReserveNow',
        is16 ? { reservationId, idTag } : { id: reservationId, evseId: 1 },
      ]);

      answer = { status: 'Occupied' };
      t.match(await reserve(), {
        status: 409,
        json: { error: { code: 'RESERVATION_REFUSED', details: { status: 'Occupied' } } },
      });
      answer = { status: 'Rejected' };
      t.match(await rig.call('DELETE', `/reservations/${id}`), {
        status: 200,
        json: { data: { accepted: false, reservation: { status: 'Active' } } },
      });
      answer = { status: 'Accepted' };

      await start(reservationId);
      const [session] = await sql<
        { uuid: string }[]
      >`select uuid from sessions where charger_id = ${charger.id}`;
      t.match(await rig.ask('GET', `/reservations/${id}`), { status: 'Used', sessionId: session?.uuid });
      t.match(await rig.call('DELETE', `/reservations/${id}`), {
        status: 409,
        json: { error: { code: 'RESERVATION_ENDED', details: { status: 'Used' } } },
      });

      const other = (await reserve({ connectorNumber: 2 })).json.data as { id: string };
      t.match(await rig.call('DELETE', `/reservations/${other.id}`), {
        status: 200,
        json: { data: { accepted: true, reservation: { status: 'Cancelled' } } },
      });

      const past = (await reserve({ connectorNumber: undefined })).json.data as { id: string };
      await sql`update reservations set expires_at = now() - interval '1 second' where uuid = ${past.id}`;
      const expired = { status: 'Expired', connectorNumber: null };
      t.match(
        await rig.ask('GET', `/reservations/${past.id}`),
        expired,
        'at its time, whenever that is written down',
      );
      await endReservations({ sql, log: createLogger('test', 'silent') });
      t.match(await sql`select status from reservations where uuid = ${past.id}`, [{ status: 'Expired' }]);

      const list = async (query: string) =>
        (
          (await rig.call('GET', `/reservations?chargerId=${charger.uuid}&${query}`)).json
            .data as never as object[]
        ).length;
      t.same(
        await Promise.all([list(''), list('status=Used'), list('status=Expired'), list('idTag=none')]),
        [3, 1, 1, 0],
      );
    });

    await t.test(`${version}: an impossible reservation is not sent`, async (t) => {
      heard.length = 0;
      const blocked = await seedToken(sql, rig.network.id, { isValid: false });
      for (const [changed, status, code] of [
        [{ expiresAt: new Date(Date.now() - 1000).toISOString() }, 400, 'VALIDATION_FAILED'],
        [{ expiresAt: new Date(Date.now() + 32 * 86_400_000).toISOString() }, 400, 'VALIDATION_FAILED'],
        [{ connectorNumber: 9 }, 404, 'CONNECTOR_NOT_FOUND'],
        [{ idTag: blocked }, 409, 'ID_TOKEN_NOT_ACCEPTED'],
        [{ chargerId: '00000000-0000-4000-8000-000000000000' }, 404, 'CHARGER_NOT_FOUND'],
      ] as const) {
        t.match(await reserve(changed), { status, json: { error: { code } } }, code);
      }
      t.same(heard, []);
    });

    await t.test(`${version}: charging profiles are set, listed and cleared`, async (t) => {
      const profile = {
        connectorNumber: 1,
        stackLevel: 1,
        purpose: 'TxDefault',
        kind: 'Relative',
        rateUnit: 'A',
        periods: [{ startSeconds: 0, limit: 16.5 }],
      };
      const url = `${path}/charging-profiles`;
      const set = (changed: object = {}) => rig.call('POST', url, { ...profile, ...changed });
      const known = async () => (await rig.call('GET', url)).json.data as never as object[];
      const made = await set();
      t.match(made, {
        status: 200,
        json: { data: { accepted: true, connectorNumber: 1, profileId: Number } },
      });
      const { profileId } = made.json.data as { profileId: number };
      t.match(await set({ purpose: 'Tx', profileId: 77 }), {
        json: { data: { accepted: true, profileId: 77 } },
      });
      t.match(
        heard.at(-1)?.[1],
        is16
          ? { csChargingProfiles: { transactionId: Number } }
          : { chargingProfile: { transactionId: 'tx-1' } },
      );
      t.match(await set({ purpose: 'StationMax', connectorNumber: 0, kind: 'Absolute' }), { status: 200 });
      t.match(await known(), [
        { connectorNumber: 0, evseId: 0, source: 'CSO' },
        { connectorNumber: 1, profileId, purpose: 'TxDefaultProfile', stackLevel: 1, profile: Object },
        { connectorNumber: 1, profileId: 77, purpose: 'TxProfile' },
      ]);
      for (const [changed, status, code] of [
        [{ purpose: 'StationMax' }, 400, 'VALIDATION_FAILED'],
        [{ purpose: 'Tx', connectorNumber: 0 }, 400, 'VALIDATION_FAILED'],
        [{ purpose: 'Tx', connectorNumber: 2 }, 409, 'NO_ACTIVE_SESSION'],
        [{ kind: 'Recurring' }, 400, 'VALIDATION_FAILED'],
        [{ kind: 'Relative', startsAt: soon() }, 400, 'VALIDATION_FAILED'],
        [{ periods: [{ startSeconds: 5, limit: 1 }] }, 400, 'VALIDATION_FAILED'],
        [{ periods: [{ startSeconds: 0, limit: 1.25 }] }, 400, 'VALIDATION_FAILED'],
        [{ periods: [...profile.periods, ...profile.periods] }, 400, 'VALIDATION_FAILED'],
        [{ periods: [] }, 400, 'VALIDATION_FAILED'],
        [{ profileId: 2_000_000_000 }, 400, 'VALIDATION_FAILED'],
        [{ connectorNumber: 9 }, 404, 'CONNECTOR_NOT_FOUND'],
      ] as const) {
        t.match(await set(changed), { status, json: { error: { code } } }, JSON.stringify(changed));
      }
      const clear = (query: string) => rig.call('DELETE', `${url}?${query}`);
      t.equal((await clear('profileId=1&stackLevel=1')).status, 400);
      answer = { status: 'Unknown' };
      t.match(await clear('profileId=77'), { json: { data: { accepted: false, message: /Unknown/ } } });
      answer = { status: 'Accepted' };
      t.match(await clear('profileId=77'), { json: { data: { accepted: true } } });
      t.equal((await known()).length, 2);
      t.match(await clear('connectorNumber=1'), { json: { data: { accepted: true } } });
      t.match(await known(), [{ connectorNumber: 0 }]);

      answer = { status: 'Rejected' };
      const schedule = `${path}/composite-schedule?connectorNumber=1&durationSeconds=60`;
      t.match(await rig.call('GET', schedule), {
        status: 200,
        json: { data: { accepted: false, schedule: null } },
      });
      const periods = [{ startPeriod: 0, limit: 16.5 }];
      const said = { duration: 60, chargingRateUnit: 'A', chargingSchedulePeriod: periods };
      answer = is16
        ? { status: 'Accepted', connectorId: 1, scheduleStart: soon(), chargingSchedule: said }
        : { status: 'Accepted', schedule: { evseId: 1, scheduleStart: soon(), ...said } };
      t.match(await rig.call('GET', schedule), {
        json: {
          data: {
            accepted: true,
            schedule: { rateUnit: 'A', durationSeconds: 60, periods: [{ limit: 16.5, phases: null }] },
          },
        },
      });
      t.equal((await rig.call('GET', `${path}/composite-schedule?connectorNumber=1`)).status, 400);
      answer = { status: 'Accepted' };
    });

    await t.test(`${version}: root certificates are installed, listed and deleted`, async (t) => {
      const url = `${path}/certificates`;
      const { pem } = testRootCertificate;
      t.match(await rig.call('POST', url, { use: 'CSMSRoot', certificate: 'none' }), { status: 400 });
      t.match(
        await rig.call('POST', url, { use: 'V2GRoot', certificate: pem }),
        is16 ? { status: 409, json: { error: { code: 'COMMAND_NOT_SUPPORTED' } } } : { status: 200 },
      );
      t.match(await rig.call('POST', url, { use: 'CSMSRoot', certificate: pem }), {
        status: 200,
        json: { data: { accepted: true } },
      });
      const [held] = (await rig.call('GET', url)).json.data as never as { id: string }[];
      t.match(held, {
        subject: /Test root/,
        issuerKeyHash: /^[0-9a-f]{64}$/,
        serialNumber: testRootCertificate.serialNumber,
        pem,
      });
      const one = `${url}/${held?.id}`;
      answer = { status: 'Failed' };
      t.match(await rig.call('DELETE', one), { status: 200, json: { data: { accepted: false } } });
      answer = { status: 'Accepted' };
      t.match(await rig.call('DELETE', one), { status: 200, json: { data: { accepted: true } } });
      t.match(await rig.call('DELETE', one), {
        status: 404,
        json: { error: { code: 'CERTIFICATE_NOT_FOUND' } },
      });
    });
  }

  await t.test('the limit of a Dynamic profile is changed (OCPP 2.1 K28)', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.1');
    const heard: unknown[][] = [];
    answerCalls(client, (action, payload) => {
      heard.push([action, payload]);
      return { status: 'Accepted' };
    });
    await client.call('BootNotification', {
      reason: 'PowerUp',
      chargingStation: { vendorName: 'V', model: 'M' },
    });
    const url = `/chargers/${charger.uuid}/charging-profiles`;
    const dynamic = {
      connectorNumber: 1,
      stackLevel: 1,
      purpose: 'TxDefault',
      kind: 'Dynamic',
      rateUnit: 'A',
    };
    const set = (changed: object = {}) =>
      rig.call('POST', url, {
        ...dynamic,
        periods: [{ startSeconds: 0, limit: 16 }],
        profileId: 4,
        ...changed,
      });
    t.match(await set({ updateIntervalSeconds: 30 }), { status: 200, json: { data: { profileId: 4 } } });
    for (const changed of [
      { startsAt: soon() },
      { kind: 'Absolute', updateIntervalSeconds: 30 },
      {
        periods: [
          { startSeconds: 0, limit: 16 },
          { startSeconds: 60, limit: 8 },
        ],
      },
    ]) {
      t.match(await set(changed), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    }
    const change = (profileId: number, limit = 9.5) =>
      rig.call('POST', `${url}/${profileId}/limit`, { limit });
    t.match(await change(4, 9.55), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    t.match(await change(4), { status: 200, json: { data: { accepted: true } } });
    t.match(heard.at(-1), [
      'UpdateDynamicSchedule',
      { chargingProfileId: 4, scheduleUpdate: { limit: 9.5 } },
    ]);
    t.match((await rig.call('GET', url)).json.data, [
      { profile: { chargingSchedule: [{ chargingSchedulePeriod: [{ limit: 9.5 }] }] } },
    ]);
    t.match(await change(5), { status: 404, json: { error: { code: 'PROFILE_NOT_FOUND' } } });
  });
});
