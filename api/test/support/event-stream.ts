import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { App } from '#api/plugins/app-instance.ts';
import type { CloudEvent } from '#api/services/events/cloud-event.ts';
import { until } from '#shared/testing/until.ts';

/** Message of a stream of server-sent events, as the standard parses it. */
export interface StreamMessage {
  event: string;
  id: string | null;
  data: Record<string, unknown>;
  /** Time of receipt, in ms of `performance.now`. */
  at: number;
}

/** Client of an event stream, by the rules of the HTML standard (§9.2.6). */
export class StreamClient {
  readonly messages: StreamMessage[] = [];
  readonly comments: string[] = [];
  /** Last event id: of the newest message, or of an id without data. */
  lastEventId: string | null = null;
  retryMs: number | null = null;
  isEnded = false;
  readonly response: IncomingMessage;
  readonly #request: ClientRequest;
  #rest = '';

  constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
    response.on('close', () => (this.isEnded = true));
  }

  close(): void {
    this.#request.destroy();
  }

  /** Stops reading; the socket's buffers fill up. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  /** Resolves when a condition holds; rejects when the stream ended before, or nothing more arrives. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const isMet = () => {
      if (holds()) return true;
      if (this.isEnded) throw new Error(`the stream ended before: ${what}`);
      return false;
    };
    await until(what, isMet, () => this.messages.length);
  }

  /** Resolves when so many messages have arrived. */
  async received(count: number): Promise<StreamMessage[]> {
    await this.until(`${count} messages`, () => this.messages.length >= count);
    return this.messages;
  }

  /** Resolves when the server has ended the stream. */
  async ended(): Promise<void> {
    await until('the end of the stream', () => this.isEnded);
  }

  get events(): CloudEvent[] {
    return this.messages.map(({ data }) => data as unknown as CloudEvent);
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#take(block);
  }

  #take(block: string): void {
    let [event, data, id] = ['message', '', null as string | null];
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) this.comments.push(line.slice(1).trim());
      else if (line.startsWith('event: ')) event = line.slice(7);
      else if (line.startsWith('data: ')) data += line.slice(6);
      else if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('retry: ')) this.retryMs = Number(line.slice(7));
      else throw new Error(`no line of an event stream: ${line}`);
    }
    if (id !== null) this.lastEventId = id;
    if (data === '') return;
    this.messages.push({
      event,
      id,
      data: JSON.parse(data) as Record<string, unknown>,
      at: performance.now(),
    });
  }
}

/** Makes an app listen, and returns its address. */
export async function listen(app: App): Promise<string> {
  if (app.server.listening) return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** Opens a stream. @throws {Error} with the body when the answer is not 200. */
export async function openStream(
  t: Pick<Test, 'teardown'>,
  app: App,
  key: string | null,
  path: string,
  headers: Record<string, string> = {},
): Promise<StreamClient> {
  const url = (await listen(app)) + path;
  const request = get(url, {
    headers: { ...(key !== null && { 'x-api-key': key }), accept: 'text/event-stream', ...headers },
    agent: false,
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) {
    response.setEncoding('utf8');
    let body = '';
    for await (const chunk of response) body += String(chunk);
    throw new Error(`${response.statusCode}: ${body}`);
  }
  const client = new StreamClient(request, response);
  t.teardown(() => client.close());
  // Its first line says that the stream is open.
  await client.until('the begin of the stream', () => client.retryMs !== null);
  return client;
}
