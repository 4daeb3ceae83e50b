import t from 'tap';
import { reportShard } from '#shared/postgres/fleet/shard-reports.ts';
import { reportProcess } from '#shared/postgres/kernel/process-reports.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('the page of the installation shows stores, gateways and queues', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const shard = { shard: 0, version: '0.1.0', startedAt: new Date() };
  const figures = {
    sockets: { '1.6': 3, '2.0.1': 1 },
    callsPerSecond: 4.5,
    readingsPerSecond: 20,
    busyPercent: 12,
    waitingSegments: 0,
    walLagSeconds: 0,
    walRoomBytes: 1e9,
    clockAheadSeconds: 0.1,
  };
  await reportShard(sql, { ...shard, node: 'a', gateway: 'north/1' }, figures);
  await reportShard(sql, { ...shard, node: 'b', gateway: 'south/1' }, figures);
  await sql`update gateway_shard_reports set reported_at = now() - interval '5 minutes' where node = 'b'`;
  const process = { version: '0.1.0', nodeVersion: '22.11.0', startedAt: new Date() };
  await reportProcess(sql, { ...process, name: 'api-lost/1' });
  await sql`update api_process_reports set reported_at = now() - interval '5 minutes' where name = 'api-lost/1'`;
  const { page, faults } = await console.open('/', { signIn: { apiKey: console.unrestrictedKey } });
  await page.getByRole('link', { name: 'Installation' }).click();
  await page
    .getByRole('table', { name: 'Stores' })
    .getByRole('row', { name: /PostgreSQL Available/ })
    .waitFor();
  await page.getByRole('table', { name: 'Gateway north/1' }).getByText('Running').waitFor();
  await page.getByRole('table', { name: 'Gateway south/1' }).getByText('No report since').waitFor();
  const processes = page.getByRole('table', { name: 'API processes' });
  await processes.getByRole('row', { name: 'api-lost/1 No report since' }).waitFor();
  await processes.getByText('Running').waitFor();
  await page
    .getByRole('table', { name: 'Queues' })
    .getByRole('row', { name: /webhooks/ })
    .waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('the page of the installation is not offered to operators of single networks', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/settings/audit-log');
  await page.getByRole('link', { name: 'Audit log' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Installation' }).count(), 0);
  t.strictSame(faults, []);
});
