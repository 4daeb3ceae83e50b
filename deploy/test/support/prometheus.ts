import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { programPath } from '#shared/testing/programs.ts';
import { until } from '#shared/testing/until.ts';

/** Prometheus that collects the metrics of a test. */
export interface TestPrometheus {
  /**
   * Evaluates an expression now and returns its values.
   * @throws {Error} with what Prometheus says when it cannot.
   */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>;
  /** Returns the names of the alert rules with their health: `ok`, `err` or `unknown`. */
  rules(): Promise<{ name: string; health: string }[]>;
}

interface Answer<Data> {
  status: string;
  error?: string;
  data: Data;
}

/** Starts Prometheus; it collects from addresses by job every second, and evaluates the rules of a file. */
export async function startPrometheus(
  t: Pick<Test, 'teardown'>,
  options: { targets: Record<string, string>; rules: string },
): Promise<TestPrometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-prometheus-'));
  const jobs = Object.entries(options.targets).map(([job_name, target]) => ({
    job_name,
    static_configs: [{ targets: [target] }],
  }));
  const config = join(directory, 'prometheus.yml');
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [options.rules],
      scrape_configs: jobs,
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    programPath('prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as Answer<Data>;
    if (answer.status !== 'success') throw new Error(answer.error);
    return answer.data;
  };
  await until('Prometheus', async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended:\n${output}`);
    return fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    async query(expression) {
      type Result = { result: { metric: Record<string, string>; value: [number, string] }[] };
      const { result } = await ask<Result>(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value: [, text] }) => ({ metric, value: Number(text) }));
    },
    async rules() {
      const { groups } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules.map(({ name, health }) => ({ name, health })));
    },
  };
}
