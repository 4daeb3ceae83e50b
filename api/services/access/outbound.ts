import { lookup as resolve } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isAddressAmong, isPublicAddress } from '#shared/domain/access/addresses.ts';
import { Deadline } from '#shared/domain/kernel/deadline.ts';

/** Reason why an outbound call got no response. */
export type OutboundFault = 'address-refused' | 'timeout' | 'too-large' | 'unreachable';

/** A call to somebody else that brought no answer. */
export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.fault = fault;
  }
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Time in ms for the whole response. */
  timeoutMs: number;
}

export interface OutboundAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The body as UTF-8. */
  text: string;
}

const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Calls addresses that come from outside (partners, webhooks): only public ones, looked at after they are resolved, so
 * that no name leads into our own network; an answer that redirects is an answer like any other, never followed.
 */
export class Outbound {
  readonly #allowed: readonly string[];
  readonly #http: http.Agent;
  readonly #https: https.Agent;

  /** @param allowed addresses and CIDR ranges that may be called although they are not public. */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
    const options = { lookup: this.#lookup, keepAlive: true, maxSockets: 20 };
    this.#http = new http.Agent(options);
    this.#https = new https.Agent(options);
  }

  /**
   * Sends one request.
   * @throws {OutboundError} when there is no answer; any HTTP status is one.
   */
  async send({ method, url, headers, body, timeoutMs }: OutboundRequest): Promise<OutboundAnswer> {
    const target = parse(url);
    this.#requireUnlessName(hostOf(target));
    const isSecure = target.protocol === 'https:';
    const late = new AbortController();
    const request = (isSecure ? https : http).request(target, {
      method,
      agent: isSecure ? this.#https : this.#http,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      signal: late.signal,
    });
    const deadline = new Deadline(timeoutMs, () => late.abort());
    try {
      const response = await answerTo(request, body);
      const bytes = await bodyOf(response);
      const { statusCode = 0, headers: received } = response;
      return { status: statusCode, headers: received, body: bytes, text: bytes.toString('utf8') };
    } catch (error) {
      request.destroy();
      throw faultOf(error, late.signal, timeoutMs);
    } finally {
      deadline.cancel();
    }
  }

  /**
   * Returns why a call to this URL would be refused now. Null: it would not be, or its name is not resolved
   * within `withinMs`; the call itself then reports the fault.
   */
  async refusal(url: string, withinMs: number): Promise<OutboundError | null> {
    try {
      const host = hostOf(parse(url));
      this.#requireUnlessName(host);
      if (isIP(host) === 0) await Promise.race([this.#resolve(host), wait(withinMs, null, { ref: false })]);
    } catch (error) {
      if (error instanceof OutboundError) return error;
    }
    return null;
  }

  #resolve(host: string): Promise<void> {
    return new Promise((resolved, failed) => {
      this.#lookup(host, { all: true }, (error) => (error === null ? resolved() : failed(error)));
    });
  }

  /** An address is not looked up by connections, so it is looked at here. */
  #requireUnlessName(host: string): void {
    if (isIP(host) !== 0) this.#requirePublic(host);
  }

  /** Resolves a name for a connection that goes to what was looked at, and to nothing else. */
  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      if (error !== null) return callback(error, '', 0);
      try {
        for (const { address } of Array.isArray(found) ? found : [{ address: found }])
          this.#requirePublic(address);
      } catch (refused) {
        return callback(refused as OutboundError, '', 0);
      }
      return callback(null, found, family);
    });
  };

  #requirePublic(address: string): void {
    if (isPublicAddress(address) || isAddressAmong(address, this.#allowed)) return;
    throw new OutboundError('address-refused', 'the address is not public');
  }

  /** Closes what was kept open. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function parse(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) {
    throw new OutboundError('address-refused', 'not a URL with http or https');
  }
  return target;
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function answerTo(
  request: http.ClientRequest,
  body: string | Buffer | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

async function bodyOf(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new OutboundError('too-large', `more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function faultOf(error: unknown, signal: AbortSignal, timeoutMs: number): OutboundError {
  if (error instanceof OutboundError) return error;
  const cause = { cause: error };
  if (signal.aborted) return new OutboundError('timeout', `no answer within ${timeoutMs / 1000} s`, cause);
  return new OutboundError('unreachable', error instanceof Error ? error.message : String(error), cause);
}

/** The guarded way out, for services that call addresses of others. */
export interface OutboundDeps {
  outbound: Outbound;
}
