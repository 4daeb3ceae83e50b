import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Latencies } from './latencies.ts';

/** Request that a client repeats. */
interface ClientRequest {
  /** Returns the address of one request: the product reads equal ones once. */
  url: (number: number) => string;
  headers: Record<string, string>;
}

/** Time in ms after which a client gives an answer up, and sends its request again. */
const givesUpAfterMs = 10_000;

/** Results of the requests of clients. */
export class ClientCounts {
  /** Durations of requests that succeeded. */
  readonly succeeded = new Latencies();
  /** Durations of requests that were answered with 503. */
  readonly refused = new Latencies();
  /** Requests without an answer in time, or with another status. */
  failed = 0;
}

/**
 * Runs clients that send a request again and again, each after the answer to the one before. After a 503 a client waits for
 * `Retry-After`; a request without an answer in time it repeats at once. Counts requests that begin after `warmMs`, in which clients
 * connect. Resolves when all have ended.
 */
export async function runClients(
  clients: number,
  { url, headers }: ClientRequest,
  { warmMs, ending }: { warmMs: number; ending: AbortSignal },
  pauseMs = 0,
): Promise<ClientCounts> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const counts = new ClientCounts();
  const ignored = new ClientCounts();
  const countsFrom = performance.now() + warmMs;
  let requests = 0;
  const run = async (): Promise<void> => {
    while (!ending.aborted) {
      const startedAt = performance.now();
      const answer = await send(url((requests += 1)), headers, agent, ending).catch(() => null);
      const tookMs = performance.now() - startedAt;
      if (ending.aborted) return;
      const counted = startedAt < countsFrom ? ignored : counts;
      if (answer?.status === 503) {
        counted.refused.record(tookMs);
        await wait(answer.retryAfterS * 1000, undefined, { signal: ending }).catch(() => undefined);
      } else if (answer?.status === 200) {
        counted.succeeded.record(tookMs);
      } else counted.failed += 1;
      if (pauseMs > 0) await wait(pauseMs, undefined, { signal: ending }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  agent.destroy();
  return counts;
}

function send(
  url: string,
  headers: Record<string, string>,
  agent: Agent,
  ending: AbortSignal,
): Promise<{ status: number; retryAfterS: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent, signal: ending }, (response) => {
      response.resume();
      response.on('end', () => {
        clearTimeout(timer);
        const retryAfterS = Number(response.headers['retry-after'] ?? 1);
        resolve({ status: response.statusCode ?? 0, retryAfterS });
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), givesUpAfterMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end();
  });
}
