import type { RPCClient } from 'ocpp-rpc';
import t from 'tap';
import { askForFirmware, firmwareOf, historyOf, tell } from './support/firmware.ts';
import { startRig } from './support/rig.ts';

// One gateway for all of these: each has chargers of its own.
const rig = await startRig(t);
const { sql } = rig.stores;

/** Boots a charger with a firmware version, in its OCPP version. */
async function boot(client: RPCClient, version: string, firmwareVersion: string): Promise<void> {
  await client.call(
    'BootNotification',
    version === 'ocpp1.6'
      ? { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion }
      : { reason: 'FirmwareUpdate', chargingStation: { vendorName: 'V', model: 'M', firmwareVersion } },
  );
}

const succeeded = [{ status: 'Installed', outcome: 'succeeded', isOpen: false }];
const open = (status: string) => [{ status, outcome: null, isOpen: true }];

for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
  const report = version === 'ocpp1.6' ? {} : { requestId: 1 };
  const requestId = version === 'ocpp1.6' ? null : 1;

  void t.test(
    `${version}: completes a firmware update when the charger boots with another version`,
    async (t) => {
      for (const statuses of [
        [],
        ['Downloading'],
        ['Downloading', 'Downloaded'],
        ['Downloaded', 'Installing'],
      ]) {
        const { charger, client } = await rig.connect(version);
        await boot(client, version, '1.0.0');
        const update = await askForFirmware(sql, charger.id, requestId);
        await tell(
          client,
          'FirmwareStatusNotification',
          statuses.map((status) => ({ status, ...report })),
        );
        await boot(client, version, '1.0.0');
        t.match(await firmwareOf(sql, update), open(statuses.at(-1) ?? 'Requested'), 'the same version');
        await boot(client, version, '2.0.0');
        t.same(await firmwareOf(sql, update), succeeded, `after ${statuses.join()}`);
        t.match(
          await sql`
          select data from outbox where charger_id = ${charger.id} and type = 'charger.firmware_changed' order by id desc limit 1`,
          [
            {
              data: {
                kind: 'Update',
                requestId,
                status: 'Installed',
                outcome: 'succeeded',
                firmwareVersion: '2.0.0',
              },
            },
          ],
        );
        const next = await askForFirmware(sql, charger.id, requestId);
        await tell(client, 'FirmwareStatusNotification', [{ status: 'Downloading', ...report }]);
        t.same(await firmwareOf(sql, next), open('Downloading'), 'a later request is another update');
      }
    },
  );

  void t.test(`${version}: counts a final status after the boot for the completed update`, async (t) => {
    for (const [status, outcome] of [
      ['Installed', 'succeeded'],
      ['InstallationFailed', 'failed'],
    ] as const) {
      const { charger, client } = await rig.connect(version);
      await boot(client, version, '1.0.0');
      const superseded = await askForFirmware(sql, charger.id, requestId);
      const update = await askForFirmware(sql, charger.id, requestId);
      await tell(client, 'FirmwareStatusNotification', [{ status: 'Installing', ...report }]);
      await boot(client, version, '2.0.0');
      await tell(client, 'FirmwareStatusNotification', [
        { status: 'Downloading', ...report },
        { status, ...report },
      ]);
      t.same(await firmwareOf(sql, update), [{ status, outcome, isOpen: false }]);
      t.same(
        await firmwareOf(sql, superseded),
        open('Downloading'),
        'a new download belongs to an open update',
      );
    }
  });

  void t.test(
    `${version}: completes a firmware update when the charger is Idle after Installing`,
    async (t) => {
      for (const status of ['Installing', 'Downloading', 'Downloaded', 'DownloadFailed']) {
        const { charger, client } = await rig.connect(version);
        const update = await askForFirmware(sql, charger.id, requestId);
        await tell(client, 'FirmwareStatusNotification', [{ status, ...report }, { status: 'Idle' }]);
        const before =
          status === 'DownloadFailed' ? [{ status, outcome: 'failed', isOpen: false }] : open(status);
        t.same(await firmwareOf(sql, update), status === 'Installing' ? succeeded : before, status);
        t.same(await historyOf(sql, charger.id, 'firmware_update_statuses'), [
          [status, true],
          ['Idle', status === 'Installing'],
        ]);
      }
    },
  );

  void t.test(
    `${version}: keeps a firmware update open when the version shows no installation`,
    async (t) => {
      const cases = [
        { what: 'another version than the requested one', target: '3.0.0', booted: '2.0.0' },
        {
          what: 'a download that is not due',
          retrieveAt: new Date(Date.now() + 86_400_000),
          booted: '2.0.0',
        },
        { what: 'the version before', status: 'Installing', booted: '1.0.0' },
        { what: 'a version that is not requested', status: 'Installing', target: '3.0.0', booted: '0.9' },
        { what: 'the requested version before a download', target: '1.0.0', booted: '1.0.0' },
      ];
      for (const { what, target = null, retrieveAt = null, status, booted } of cases) {
        const { charger, client } = await rig.connect(version);
        await boot(client, version, '1.0.0');
        const update = await askForFirmware(sql, charger.id, requestId);
        await sql`update firmware_updates set firmware_version = ${target}, retrieve_at = ${retrieveAt} where id = ${update}`;
        if (status !== undefined) await tell(client, 'FirmwareStatusNotification', [{ status, ...report }]);
        await boot(client, version, booted);
        t.same(await firmwareOf(sql, update), open(status ?? 'Requested'), what);
      }
    },
  );

  void t.test(
    `${version}: completes a firmware update when the charger boots with the requested version`,
    async (t) => {
      for (const { status, before, booted } of [
        { status: 'Requested', before: '1.0.0', booted: '3.0.0' },
        { status: 'Installing', before: '1.0.0', booted: '3.0.0' },
        // Installed again.
        { status: 'Installing', before: '3.0.0', booted: '3.0.0' },
      ]) {
        const { charger, client } = await rig.connect(version);
        await boot(client, version, before);
        const update = await askForFirmware(sql, charger.id, requestId);
        await sql`update firmware_updates set firmware_version = '3.0.0', status = ${status} where id = ${update}`;
        await boot(client, version, booted);
        t.same(await firmwareOf(sql, update), succeeded, `${status}, ${before}`);
      }
    },
  );
}
