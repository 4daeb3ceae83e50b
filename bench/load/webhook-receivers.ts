import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import type { System } from '#bench/system/system.ts';

/** Webhooks of a system, and the server that receives their events. */
interface WebhookReceivers {
  /** Time from the event to its first arrival at a healthy endpoint. */
  readonly delays: Latencies;
  /** Number of requests to endpoints that never answer. */
  readonly hanging: () => number;
  /** Returns the number of events that each healthy endpoint has. */
  arrived(): number[];
  /** Returns the number of events that came again. */
  repeated(): number;
  stop(): Promise<void>;
}

/** Port of the machine on which nothing listens. */
const closedPort = 9;

/**
 * Registers webhooks for changes of chargers, which are the events that a scenario writes: of the dead ones half answer nothing and
 * half refuse the connection, the others answer at once.
 */
export async function startWebhookReceivers(
  system: System,
  { healthy, dead }: { healthy: number; dead: number },
): Promise<WebhookReceivers> {
  const delays = new Latencies();
  const seen = Array.from({ length: healthy }, () => new Set<unknown>());
  let repeated = 0;
  let hanging = 0;
  const receive = (endpoint: number, id: unknown, body: string): void => {
    const now = Date.now();
    const ids = seen[endpoint];
    if (ids === undefined) return;
    if (ids.has(id)) {
      repeated++;
      return;
    }
    ids.add(id);
    const time = /"time":"([^"]+)"/.exec(body)?.[1];
    if (time !== undefined) delays.record(now - Date.parse(time));
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const endpoint = Number(request.url?.slice(1));
    if (endpoint >= healthy) {
      hanging++;
      return;
    }
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      receive(endpoint, request.headers['webhook-id'], body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let number = 0; number < healthy + dead; number++) {
    const isClosed = number >= healthy && number % 2 === 0;
    const url = `http://127.0.0.1:${isClosed ? closedPort : port}/${number}`;
    await requestJson(system, system.operatorKey, '/cpms/v1/webhooks', { url, types: ['charger.updated'] });
  }
  return {
    delays,
    hanging: () => hanging,
    arrived: () => seen.map(({ size }) => size),
    repeated: () => repeated,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
