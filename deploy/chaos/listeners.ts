import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startReceiver } from '#api/test/events/support/receiver.ts';
import { StreamClient } from '#api/test/support/event-stream.ts';
import type { Deliveries } from './evidence.ts';
import { Link } from './link.ts';
import type { Scope } from './scope.ts';
import { apiNames, type Topology } from './topology.ts';

const reconnectMs = 200;
/** Streams carry a comment more often than that. */
const silentMs = 30_000;
const openWithinMs = 10_000;

/** Listeners to the events of a network: a stream at each API process, and a webhook. */
interface Listeners {
  deliveries: Deliveries[];
  /** Link from the product to the receiver of the webhook. */
  webhookLink: Link;
}

/** Starts the listeners; resolves when all of them receive what is written from now on. */
export async function startListeners(scope: Scope, topology: Topology, key: string): Promise<Listeners> {
  const webhook = await startWebhook(scope, topology, key);
  const streams = await Promise.all(
    apiNames.map(async (name) => {
      const url = `http://127.0.0.1:${topology.fronts[name].port}/cpms/v1/events`;
      return startStream(scope, `stream at ${name}`, url, key);
    }),
  );
  return { deliveries: [webhook.deliveries, ...streams], webhookLink: webhook.link };
}

/** Follows the event stream of an API process, and resumes after the last event when the stream ends. */
async function startStream(scope: Scope, name: string, url: string, key: string): Promise<Deliveries> {
  const deliveries: Deliveries = { name, isOnce: true, counts: new Map() };
  const enough = new AbortController();
  let lastEventId: string | null = null;
  const follow = async (): Promise<void> => {
    const client = await open(url, key, lastEventId, enough.signal);
    opened.resolve();
    try {
      for (;;) {
        await client.until('an event', () => client.messages.length > 0 || enough.signal.aborted);
        if (enough.signal.aborted) return;
        for (const { id, data } of client.messages.splice(0)) {
          lastEventId = id ?? lastEventId;
          if (typeof data['id'] === 'string') countOne(deliveries, data['id']);
        }
        lastEventId = client.lastEventId ?? lastEventId;
      }
    } finally {
      client.close();
    }
  };
  const opened = Promise.withResolvers<void>();
  const following = (async () => {
    while (!enough.signal.aborted) {
      await follow().catch(() => undefined);
      await wait(reconnectMs);
    }
  })();
  scope.teardown(async () => {
    enough.abort();
    await following;
  });
  await opened.promise;
  return deliveries;
}

/** Opens a stream; resolves when the API sent its first line. */
async function open(
  url: string,
  key: string,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<StreamClient> {
  const request = get(url, {
    headers: {
      'x-api-key': key,
      accept: 'text/event-stream',
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
    agent: false,
    signal,
    timeout: silentMs,
  });
  request.on('error', () => undefined);
  request.on('timeout', () => request.destroy());
  const within = AbortSignal.any([signal, AbortSignal.timeout(openWithinMs)]);
  try {
    const [response] = (await once(request, 'response', { signal: within })) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`);
    const client = new StreamClient(request, response);
    await client.until('the begin of the stream', () => client.retryMs !== null);
    return client;
  } catch (error) {
    request.destroy();
    throw error;
  }
}

async function startWebhook(
  scope: Scope,
  topology: Topology,
  key: string,
): Promise<{ deliveries: Deliveries; link: Link }> {
  const deliveries: Deliveries = { name: 'webhook', isOnce: false, counts: new Map() };
  const receiver = await startReceiver(scope);
  receiver.react = ({ event }) => {
    countOne(deliveries, event.id);
    receiver.received.length = 0;
    receiver.accepted.length = 0;
    return {};
  };
  const url = new URL(receiver.url);
  const link = await Link.open([Number(url.port)]);
  scope.teardown(() => link.close());
  url.port = String(link.port);
  const response = await fetch(`http://127.0.0.1:${topology.fronts['api-1'].port}/cpms/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url: url.href, order: 'object' }),
  });
  if (response.status !== 201) throw new Error(`the webhook was answered ${await response.text()}`);
  return { deliveries, link };
}

function countOne({ counts }: Deliveries, id: string): void {
  counts.set(Number(id), (counts.get(Number(id)) ?? 0) + 1);
}
