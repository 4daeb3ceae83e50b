import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns a free port on 127.0.0.1: the preferred one if it is free, else any. */
export async function freePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined && (await tryListen(wanted)) !== undefined) return wanted;
  const port = await tryListen(0);
  if (port === undefined) throw new Error('no free port on 127.0.0.1');
  return port;
}

async function tryListen(port: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch {
    return undefined;
  }
  const bound = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return bound;
}
