import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { until } from '#shared/testing/until.ts';
import { type RunningProcess, startProcess } from './system.ts';

/** The environment of `npm start` with a data directory of its own, which is removed at the end of the test. */
export async function allInOneEnvironment(
  t: Pick<Test, 'teardown'>,
): Promise<Record<string, string> & { DATA_DIR: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-start-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return {
    DATA_DIR: join(directory, 'data'),
    PORT: String(await freePort()),
    OCPP_PORT: String(await freePort()),
    SHARDS: '2',
    LOG_LEVEL: 'info',
  };
}

/** Resolves to the output of a process of `npm start` when it is ready. */
export async function ready(system: RunningProcess): Promise<string> {
  const isReady = () => {
    if (system.child.exitCode !== null) throw new Error(`the process ended:\n${system.output()}`);
    return system.output().includes('chargeway is ready');
  };
  await until('the start', isReady, () => system.output().length);
  return system.output();
}

/** Starts `npm start` and waits until it is ready. */
export async function startAllInOne(
  t: Pick<Test, 'teardown'>,
  env: Record<string, string>,
): Promise<RunningProcess> {
  const system = startProcess(t, 'deploy/start/start.ts', env);
  await ready(system);
  return system;
}
