import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { programPath } from '#shared/testing/programs.ts';
import { until } from '#shared/testing/until.ts';
import type { KeyedCertificate } from '#shared/testing/certificates.ts';

const configuration = join(import.meta.dirname, '../../operate/proxy/haproxy.cfg');

/** A proxy with the project's own configuration. */
export interface TestProxy {
  /** URL that chargers connect to. */
  ocppUrl: string;
  /** URL of the API. */
  apiUrl: string;
  output(): string;
}

/** Starts HAProxy on `deploy/operate/proxy/haproxy.cfg`; `environment` contains the addresses of gateway and API. */
export async function startProxy(
  t: Pick<Test, 'teardown'>,
  options: { server: KeyedCertificate; chargerAuthority: string; environment: Record<string, string> },
): Promise<TestProxy> {
  const command = programPath('haproxy');
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-proxy-'));
  chmodSync(directory, 0o755);
  writeFileSync(join(directory, 'server.pem'), `${options.server.cert}\n${options.server.key}\n`);
  writeFileSync(join(directory, 'charger-ca.pem'), options.chargerAuthority);
  const [ocppPort, apiPort] = [await freePort(), await freePort()];
  const child = spawn(command, ['-db', '-f', configuration], {
    env: {
      TLS_DIRECTORY: directory,
      OCPP_TLS_BIND: `127.0.0.1:${ocppPort}`,
      API_TLS_BIND: `127.0.0.1:${apiPort}`,
      MAX_CONNECTIONS: '500',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  for (const port of [ocppPort, apiPort]) {
    await until(`the proxy on ${port}`, () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended:\n${output}`);
      return isListening(port);
    });
  }
  return {
    ocppUrl: `wss://127.0.0.1:${ocppPort}/ocpp`,
    apiUrl: `https://127.0.0.1:${apiPort}`,
    output: () => output,
  };
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((answer) => {
    socket.destroy();
    return answer === true;
  });
}
