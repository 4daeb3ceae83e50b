import { firstLoadProfileId } from '#shared/domain/charging/charging-profile.ts';
import t from 'tap';
import { until } from '#shared/testing/until.ts';
import { answerCalls, connectAnswering } from './support/answering.ts';
import { startRig } from './support/rig.ts';
import { testRootCertificate } from './support/root-certificate.ts';

void t.test('effects of accepted commands', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;

  const accepted = { status: 'Accepted' };
  const rejected = { status: 'Rejected' };

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const is16 = version === 'ocpp1.6';

    await t.test(`${version}: stores reservations`, async (t) => {
      const { charger, send } = await connectAnswering(t, rig, version);
      const reserve = (id: number, idToken: string) =>
        is16
          ? { reservationId: id, connectorId: 0, idTag: idToken, expiryDate: '2030-01-01T00:00:00Z' }
          : {
              id,
              evseId: 2,
              idToken: { idToken, type: 'Central' },
              groupIdToken: { idToken: 'G', type: 'Central' },
              expiryDateTime: '2030-01-01T00:00:00Z',
            };
      const stored = () => sql`
        select reservation_id, evse, id_token, group_id_token, expires_at, status from reservations
        where charger_id = ${charger.id} order by id`;
      await send('ReserveNow', reserve(7, 'TAG'), { status: 'Occupied' });
      t.same(await stored(), [], 'a refused command has no effect');
      await send('ReserveNow', reserve(7, 'TAG'), accepted);
      await send('ReserveNow', reserve(7, 'OTHER'), accepted);
      const row = {
        reservation_id: 7,
        evse: is16 ? null : 2,
        id_token: 'OTHER',
        group_id_token: is16 ? null : 'G',
        expires_at: new Date('2030-01-01T00:00:00Z'),
      };
      t.same(await stored(), [{ ...row, status: 'Active' }], 'the second took the place of the first');
      await send('CancelReservation', { reservationId: 7 }, rejected);
      t.same(await stored(), [{ ...row, status: 'Active' }]);
      await send('CancelReservation', { reservationId: 7 }, accepted);
      t.same(await stored(), [{ ...row, status: 'Cancelled' }]);
    });

    await t.test(`${version}: stores the version of the local list`, async (t) => {
      const { charger, send } = await connectAnswering(t, rig, version);
      const name = is16 ? 'listVersion' : 'versionNumber';
      await send('SendLocalList', { [name]: 4, updateType: 'Full' }, accepted);
      await send('SendLocalList', { [name]: 5, updateType: 'Full' }, { status: 'VersionMismatch' });
      t.match(
        await sql`select local_list_version, local_list_sent_at from chargers where id = ${charger.id}`,
        [{ local_list_version: 4, local_list_sent_at: Date }],
      );
    });

    await t.test(`${version}: stores charging profiles`, async (t) => {
      const { charger, send } = await connectAnswering(t, rig, version);
      const purpose = is16 ? 'ChargePointMaxProfile' : 'ChargingStationMaxProfile';
      const set = (id: number, evse: number, stackLevel: number, chargingProfilePurpose: string) => {
        const schedule = {
          chargingRateUnit: 'A',
          chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
        };
        const rest = { stackLevel, chargingProfilePurpose, chargingProfileKind: 'Absolute' };
        return is16
          ? {
              connectorId: evse,
              csChargingProfiles: { chargingProfileId: id, ...rest, chargingSchedule: schedule },
            }
          : { evseId: evse, chargingProfile: { id, ...rest, chargingSchedule: [{ id: 1, ...schedule }] } };
      };
      const clear = (criteria: { id?: number; evse?: number; purpose?: string }) => {
        if (is16) {
          return {
            ...(criteria.id !== undefined && { id: criteria.id }),
            ...(criteria.evse !== undefined && { connectorId: criteria.evse }),
            ...(criteria.purpose !== undefined && { chargingProfilePurpose: criteria.purpose }),
          };
        }
        if (criteria.id !== undefined) return { chargingProfileId: criteria.id };
        const { evse, purpose: chargingProfilePurpose } = criteria;
        return {
          chargingProfileCriteria: {
            ...(evse !== undefined && { evseId: evse }),
            ...(chargingProfilePurpose !== undefined && { chargingProfilePurpose }),
          },
        };
      };
      const installed = async () => {
        const rows = await sql<{ id: number; evse: number }[]>`
          select profile_id as id, evse from charging_profiles where charger_id = ${charger.id} order by profile_id`;
        return rows.map(({ id, evse }) => [id, evse]);
      };
      await send('SetChargingProfile', set(1, 0, 1, purpose), accepted);
      await send('SetChargingProfile', set(2, 1, 1, 'TxDefaultProfile'), accepted);
      await send('SetChargingProfile', set(3, 2, 1, 'TxDefaultProfile'), accepted);
      await send('SetChargingProfile', set(9, 2, 2, 'TxDefaultProfile'), rejected);
      t.same(await installed(), [
        [1, 0],
        [2, 1],
        [3, 2],
      ]);
      await send('SetChargingProfile', set(4, 2, 1, 'TxDefaultProfile'), accepted);
      await send('SetChargingProfile', set(2, 2, 5, 'TxDefaultProfile'), accepted);
      t.same(
        await installed(),
        [
          [1, 0],
          [2, 2],
          [4, 2],
        ],
        'one with the same id, or the same place in the stack, is replaced',
      );
      const stored = await installed();
      await send('SetChargingProfile', set(firstLoadProfileId, 2, 7, 'TxDefaultProfile'), accepted);
      t.same(await installed(), stored, 'none of load management');
      await send('ClearChargingProfile', clear({ id: 4 }), { status: 'Unknown' });
      await send('ClearChargingProfile', clear({ purpose }), accepted);
      t.same(await installed(), [
        [2, 2],
        [4, 2],
      ]);
      await send('ClearChargingProfile', clear({ id: 4 }), accepted);
      t.same(await installed(), [[2, 2]]);
      await send('ClearChargingProfile', clear({ evse: 1 }), accepted);
      t.same(await installed(), [[2, 2]]);
      await send('ClearChargingProfile', clear({}), accepted);
      t.same(await installed(), []);
    });

    await t.test(`${version}: stores the requested availability`, async (t) => {
      const { charger, send } = await connectAnswering(t, rig, version);
      const wanted = async () => {
        const [row] = await sql<{ whole: string; each: string[] }[]>`
          select wanted_availability as whole, array(select wanted_availability from connectors k
            where k.charger_id = c.id order by number) as each from chargers c where id = ${charger.id}`;
        return [row?.whole, row?.each];
      };
      await send('ChangeAvailability', change(is16, 1, 'Inoperative'), { status: 'Scheduled' });
      t.same(await wanted(), ['Operative', ['Inoperative', 'Operative']]);
      await send('ChangeAvailability', change(is16, 0, 'Inoperative'), rejected);
      t.same(await wanted(), ['Operative', ['Inoperative', 'Operative']]);
      await send('ChangeAvailability', change(is16, 0, 'Inoperative'), accepted);
      t.same(await wanted(), ['Inoperative', ['Inoperative', 'Inoperative']]);
      await send('ChangeAvailability', change(is16, 0, 'Operative'), accepted);
      t.same(await wanted(), ['Operative', ['Operative', 'Operative']]);
    });

    await t.test(`${version}: stores certificates`, async (t) => {
      const { charger, send } = await connectAnswering(t, rig, version);
      const { pem, serialNumber } = testRootCertificate;
      const certificateType = is16 ? 'CentralSystemRootCertificate' : 'CSMSRootCertificate';
      const stored = async () =>
        sql`select certificate_type, pem, serial_number, deleted_at is not null as deleted
          from charger_certificates where charger_id = ${charger.id} order by id`;
      await send('InstallCertificate', { certificateType, certificate: pem }, rejected);
      t.same(await stored(), []);
      await send('InstallCertificate', { certificateType, certificate: pem }, accepted);
      await send('InstallCertificate', { certificateType, certificate: pem }, accepted);
      const row = { certificate_type: certificateType, pem, serial_number: serialNumber };
      t.same(await stored(), [{ ...row, deleted: false }], 'twice is once');
      const certificateHashData = { hashAlgorithm: 'SHA512', ...testRootCertificate.sha512 };
      await send(
        'DeleteCertificate',
        { certificateHashData: { ...certificateHashData, issuerNameHash: 'ab' } },
        accepted,
      );
      t.same(await stored(), [{ ...row, deleted: false }], 'another one of that number');
      await send('DeleteCertificate', { certificateHashData }, { status: 'NotFound' });
      t.same(await stored(), [{ ...row, deleted: false }]);
      await send('DeleteCertificate', { certificateHashData }, accepted);
      t.same(await stored(), [{ ...row, deleted: true }]);
      await send('InstallCertificate', { certificateType, certificate: 'no certificate' }, accepted);
      t.match((await stored()).at(-1), { pem: 'no certificate', serial_number: '' });
    });
  }

  await t.test('ocpp2.0.1: stores the values that the charger took of its reported variables', async (t) => {
    const { charger, client, send } = await connectAnswering(t, rig, 'ocpp2.0.1');
    const names = ['HeartbeatInterval', 'WebSocketPingInterval', 'NetworkConfigurationPriority'];
    const component = { name: 'OCPPCommCtrlr' };
    await client.call('NotifyReport', {
      requestId: 1,
      generatedAt: new Date().toISOString(),
      seqNo: 0,
      reportData: names.map((name) => ({
        component,
        variable: { name },
        variableAttribute: [{ value: '10', mutability: 'ReadWrite' }],
      })),
    });
    const stored = async () => {
      const rows = await sql<{ value: string }[]>`
        select value from device_variables where charger_id = ${charger.id} order by array_position(${names}, variable)`;
      return rows.map(({ value }) => value);
    };
    await until('the stored report', async () => (await stored()).length === 3 || undefined);
    const [first, second, third] = ['HEARTBEATINTERVAL', ...names.slice(1)].map((name) => ({
      component,
      variable: { name },
    }));
    const set = [first, second, third].map((variable) => ({ ...variable, attributeValue: '20' }));
    await send(
      'SetVariables',
      { setVariableData: set },
      {
        setVariableResult: [
          { ...first, attributeStatus: 'Accepted' },
          { ...second, attributeStatus: 'Rejected' },
          { ...third, attributeStatus: 'RebootRequired' },
        ],
      },
    );
    t.same(await stored(), ['20', '10', '10'], 'not what it refused, nor what waits for a reboot');
  });

  await t.test('refuses a command whose effect cannot be stored', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    answerCalls(client, () => t.fail('nothing is sent'));
    await sql`alter table remote_starts rename to remote_starts_gone`;
    const payload = { idTag: 'TAG' };
    const reply = await rig.command(charger.uid, { type: 'ocpp', action: 'RemoteStartTransaction', payload });
    await sql`alter table remote_starts_gone rename to remote_starts`;
    t.match(reply, { ok: false, code: 'INTERNAL_ERROR' });
    await until('the charger is still there', () => rig.bus.presence.lookup(charger.uid));
  });
});

/** The payload of ChangeAvailability; EVSE 0 is the whole charger. */
function change(is16: boolean, evse: number, availability: string): object {
  if (is16) return { connectorId: evse, type: availability };
  return { operationalStatus: availability, ...(evse > 0 && { evse: { id: evse } }) };
}
