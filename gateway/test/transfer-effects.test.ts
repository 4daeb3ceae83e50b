import t from 'tap';
import { answerCalls, connectAnswering } from './support/answering.ts';
import { startRig } from './support/rig.ts';

void t.test('stored transfers of chargers', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const accepted = { status: 'Accepted' };
  const rejected = { status: 'Rejected' };

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const is16 = version === 'ocpp1.6';

    await t.test(`${version}: stores logs and firmware before the charger reports on them`, async (t) => {
      const { charger, client } = await rig.connect(version);
      const rows = async (table: string) => sql`
        select kind, request_id, location, status, outcome from ${sql(table)}
        where charger_id = ${charger.id} order by id`;
      const seen: unknown[] = [];
      const state = { answer: {} as object };
      answerCalls(client, async (action) => {
        seen.push((await rows(action === 'GetLog' ? 'log_uploads' : 'firmware_updates')).at(-1));
        return state.answer;
      });
      const send = async (action: string, payload: object, answer: object) => {
        state.answer = answer;
        t.equal((await rig.command(charger.uid, { type: 'ocpp', action, payload })).ok, true, action);
      };
      const log = { requestId: 3, logType: 'SecurityLog', log: { remoteLocation: 'ftp://files.example' } };
      await send('GetLog', log, { status: 'Accepted', filename: 'a.log' });
      const uploading = { kind: 'Log', request_id: 3, location: 'ftp://files.example' };
      t.same(
        seen,
        [{ ...uploading, status: 'Requested', outcome: null }],
        'it was there when the charger heard',
      );
      t.match(await sql`select file_name, log_type from log_uploads where charger_id = ${charger.id}`, [
        { file_name: 'a.log', log_type: 'SecurityLog' },
      ]);
      await send('GetLog', log, rejected);
      t.match((await rows('log_uploads')).at(-1), { ...uploading, status: 'Rejected', outcome: 'failed' });

      const firmware = { location: 'https://files.example/f', retrieveDateTime: '2026-05-04T03:02:01Z' };
      const update = is16
        ? { requestId: 4, firmware: { ...firmware, signingCertificate: 'C', signature: 'S' } }
        : { requestId: 4, firmware };
      await send(is16 ? 'SignedUpdateFirmware' : 'UpdateFirmware', update, accepted);
      t.match(await rows('firmware_updates'), [
        {
          kind: 'Update',
          request_id: 4,
          location: 'https://files.example/f',
          status: 'Requested',
          outcome: null,
        },
      ]);
    });

    await t.test(`${version}: assigns no report to a refused update`, async (t) => {
      const { charger, client, send } = await connectAnswering(t, rig, version);
      const firmware = { location: 'https://files.example/f', retrieveDateTime: '2026-05-04T03:02:01Z' };
      const signed = { ...firmware, signingCertificate: 'C', signature: 'S' };
      const action = is16 ? 'SignedUpdateFirmware' : 'UpdateFirmware';
      await send(action, { requestId: 1, firmware: is16 ? signed : firmware }, accepted);
      await send(action, { requestId: 2, firmware: is16 ? signed : firmware }, rejected);
      await client.call('FirmwareStatusNotification', { status: 'Downloading' });
      t.same(
        await sql`select request_id, status from firmware_updates where charger_id = ${charger.id} order by id`,
        [
          { request_id: 1, status: 'Downloading' },
          { request_id: 2, status: 'Rejected' },
        ],
      );
    });
  }

  await t.test('ocpp1.6: stores firmware and diagnostics without requestId', async (t) => {
    const { charger, send } = await connectAnswering(t, rig, 'ocpp1.6');
    await send('UpdateFirmware', { location: 'ftp://f.example/f', retrieveDate: '2026-05-04T03:02:01Z' }, {});
    await send(
      'GetDiagnostics',
      { location: 'ftp://f.example', startTime: '2026-05-01T00:00:00Z' },
      {
        fileName: 'diag.zip',
      },
    );
    t.match(
      await sql`select kind, request_id, retrieve_at, status from firmware_updates where charger_id = ${charger.id}`,
      [
        {
          kind: 'Update',
          request_id: null,
          retrieve_at: new Date('2026-05-04T03:02:01Z'),
          status: 'Requested',
        },
      ],
    );
    t.match(
      await sql`select kind, file_name, oldest_at, latest_at from log_uploads where charger_id = ${charger.id}`,
      [
        {
          kind: 'Diagnostics',
          file_name: 'diag.zip',
          oldest_at: new Date('2026-05-01T00:00:00Z'),
          latest_at: null,
        },
      ],
    );
  });
});
