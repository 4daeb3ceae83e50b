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

/** The commands of the tour, with the addresses and the directory of this test. */
function tour(env: Record<string, string>): string {
  const page = readFileSync('docs/operator-tour.md', 'utf8');
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  return blocks
    .join('\n')
    .replace('http://127.0.0.1:8080', `http://127.0.0.1:${env.PORT}`)
    .replace('ws://127.0.0.1:9000', `ws://127.0.0.1:${env.OCPP_PORT}`)
    .replace('DATA_DIR=./data', `DATA_DIR=${env.DATA_DIR}`)
    .replace('curl -s ', 'curl -sSf ')
    .replace('npm run charger --', `npm run --silent --prefix ${process.cwd()} charger --`);
}

void t.test('the operator tour works as it is written', async (t) => {
  const stores = await testStores(t);
  const env = await testEnvironment(t, stores);
  const system = startProcess(t, 'deploy/start/start.ts', env);
  await untilHealthy(system, `http://127.0.0.1:${env.PORT}/health/ready`);
  await until('the first key', async () => Promise.resolve(system.output().includes('Operator key')));
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-tour-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));

  const script = `set -euo pipefail\ncd ${directory}\n${tour(env)}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const answers = stdout
    .split('\n')
    .join('')
    .split(/(?<=\})(?=\{"data")/)
    .slice(-6);
  const [session, wallet, ledger, revenue, audit, messages] = answers.map(
    (text) => JSON.parse(text.slice(text.indexOf('{"data"'))) as { data: Record<string, never> & never[] },
  );
  const { cost: charged } = (session?.data ?? {}) as { cost?: { totalInclVat: number } };
  const cost = charged?.totalInclVat ?? 0;
  t.ok(cost > 0.5, `it cost ${cost}`);
  t.match(wallet?.data, { available: Math.round((50 - cost) * 100) / 100, owed: 0 });
  t.ok((ledger?.data.length ?? 0) >= 2, 'credit and session');
  t.match(revenue?.data, { metric: 'revenue', networkCount: 1, totalRevenue: cost });
  t.equal(audit?.data.length, 5);
  t.equal(messages?.data.length, 5);
  t.equal(await system.kill('SIGTERM'), 0);
});
