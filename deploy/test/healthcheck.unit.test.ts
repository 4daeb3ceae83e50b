import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '../..');

/** A server that answers `/health/ready` with a status, and everything else with 404; its port. */
async function serverWith(t: Test, status: number): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health/ready' ? status : 404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function healthcheck(environment: Record<string, number>): Promise<number> {
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
  const child = spawn(process.execPath, ['deploy/run.js', 'deploy/operate/image/healthcheck.ts'], {
    cwd: root,
    // As in the image: the process listens on all addresses.
    env: { HOST: '0.0.0.0', ...env },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

void t.test('the health check passes when the process is ready', async (t) => {
  t.equal(await healthcheck({ PORT: await serverWith(t, 200) }), 0);
});

void t.test('the health check fails when the process is not ready or nothing listens', async (t) => {
  t.equal(await healthcheck({ PORT: await serverWith(t, 503) }), 1);
  t.equal(await healthcheck({ PORT: 1 }), 1);
});

void t.test('the health check of a gateway uses its metrics port', async (t) => {
  const [ready, unready] = [await serverWith(t, 200), await serverWith(t, 503)];
  t.equal(await healthcheck({ PORT: unready, GATEWAY_METRICS_PORT: ready }), 0);
  t.equal(await healthcheck({ PORT: ready, GATEWAY_METRICS_PORT: unready }), 1);
});
