import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { testEnvironment } from '#shared/testing/config.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startProcess, untilHealthy } from './support/system.ts';

/** The commands of the README's tour, with the address and the directory of this test. */
function tour(apiUrl: string, dataDir: string): string {
  const readme = readFileSync('README.md', 'utf8');
  const commands = /<!-- tour -->\n```sh\n(.*?)```/s.exec(readme)?.[1] ?? '';
  return commands
    .replace('API=http://127.0.0.1:8080', `API=${apiUrl}`)
    .replace('DATA_DIR=./data', `DATA_DIR=${dataDir}`)
    .replaceAll('curl -s', 'curl -sSf');
}

void t.test('the README tour works as it is written', async (t) => {
  const stores = await testStores(t);
  const env = await testEnvironment(t, stores);
  const apiUrl = `http://127.0.0.1:${env.PORT}`;
  const system = startProcess(t, 'deploy/start/start.ts', env);
  await untilHealthy(system, `${apiUrl}/health/ready`);
  await until('the first key', async () => system.output().includes('Operator key'));
  const demo = startProcess(t, 'deploy/demo/demo.ts', env);
  await until(
    'a session with readings, after the history',
    async () => {
      if (demo.child.exitCode !== null) throw new Error(demo.output());
      if (!demo.output().includes('The history is replayed')) return false;
      const [row] = await stores.sql<{ found: boolean }[]>`
        select exists (select 1 from sessions where status = 'ACTIVE' and live_at is not null) as found`;
      return row?.found;
    },
    () => demo.output().length,
  );

  const flagged = await stores.sql`
    select flags, price_state from sessions where flags <> '{}' or price_state not in ('OPEN', 'SETTLED')
    order by price_state`;
  const unpaid = { flags: ['wallet-short'], price_state: 'SETTLED' };
  const inReview = { flags: ['register-differs', 'energy-implausible'], price_state: 'REVIEW' };
  t.strictSame(
    [...flagged],
    [inReview, inReview, inReview, unpaid],
    'only the sessions of the review queue and the unpaid one are flagged',
  );
  const [history] = await stores.sql<{ days: number }[]>`
    select count(distinct ended_at::date)::integer as days from sessions where price_state = 'SETTLED'`;
  t.ok((history?.days ?? 0) >= 7, 'it has a week of history');

  const directory = mkdtempSync(join(tmpdir(), 'chargeway-tour-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const script = `set -eu\ncd ${directory}\n${tour(apiUrl, env.DATA_DIR ?? '')}`;
  const run = await promisify(execFile)('bash', ['-c', script]);
  const answers = run.stdout;
  t.match(answers, '"unrestricted":true', 'the context of the key');
  t.match(answers, '"totalPages":11', '32 chargers, three a page');
  t.match(answers, '"totalInclVat"', 'the cost so far');
  t.match(answers, '"truncated"', 'the readings');
  t.match(answers, '"accepted":true', 'the stop was accepted');
  t.match(answers, '"ocppPassword"', 'the password of the new charger');

  t.equal(await demo.kill('SIGINT'), 0, 'the demo ends when it is asked to');
  const [left] = await stores.sql<{ running: number }[]>`
    select count(*)::integer as running from sessions where status in ('ACTIVE', 'STOPPING')`;
  t.equal(left?.running, 0, 'and leaves no session behind');
  t.equal(await system.kill('SIGTERM'), 0, 'the system stops cleanly');
});
