import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Latencies } from './latencies.ts';

/** Reading of one event stream. */
export class EventReader {
  /** Numbers of the received events, in the order of their arrival. */
  readonly numbers: number[] = [];
  readonly delays = new Latencies();
  readonly #destroy: () => void;
  #rest = '';

  constructor(response: IncomingMessage, destroy: () => void) {
    this.#destroy = destroy;
    response.setEncoding('latin1');
    response.on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
  }

  close(): void {
    this.#destroy();
  }

  /** Finds the number and the time of each event without parsing its JSON, which would cost more than the product's part. */
  #read(chunk: string): void {
    const text = this.#rest + chunk;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) {
      this.#rest = text;
      return;
    }
    this.#rest = text.slice(end + 2);
    const now = Date.now();
    for (let at = text.indexOf(mark); at !== -1 && at < end; at = text.indexOf(mark, at + 1)) {
      const first = at + mark.length;
      const comma = text.indexOf(',', first);
      this.numbers.push(Number(text.slice(first, comma)));
      const sentAt = text.indexOf(timeMark, comma) + timeMark.length;
      this.delays.record(now - Number(text.slice(sentAt, sentAt + timeDigits)));
    }
  }
}

/** Fields of the events that `EventWriter` writes, in the order in which PostgreSQL stores them: by length, then by name. */
const mark = '"number":';
const timeMark = '"writtenAt":';
/** Digits of a time in ms until the year 2286. */
const timeDigits = 13;

/** Opens a stream of events. @throws {Error} when the answer is not 200. */
export async function readEvents(url: string, key: string): Promise<EventReader> {
  const agent = new Agent({ maxSockets: 1 });
  const headers = { 'x-api-key': key, accept: 'text/event-stream' };
  const request = get(url, { headers, agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`GET ${url}: ${response.statusCode}`);
  request.on('error', () => undefined);
  return new EventReader(response, () => request.destroy());
}
