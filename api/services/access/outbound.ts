import { lookup as resolve } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isAddressAmong, isPublicAddress } from '#shared/domain/access/addresses.ts';
import { Deadline } from '#shared/domain/kernel/deadline.ts';

/** Reason why an outbound call got no response. */
export type OutboundFault = 'address-refused' | 'timeout' | 'too-large' | 'unreachable';

/** An outgoing call without an answer. */
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
  /** True: without TLS only the addresses that may be called although they are not public. */
  requiresTls?: boolean;
  /** Bytes of the response body that are kept; the rest is discarded. A longer body is a fault when undefined. */
  keptBytes?: number;
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
  /** Of calls that require TLS. */
  readonly #ownHttp: http.Agent;
  readonly #https: https.Agent;

  /**
   * @param allowed addresses and CIDR ranges that may be called although they are not public.
   * @param maxSockets connections to one server.
   */
  constructor(allowed: readonly string[], maxSockets = 20) {
    this.#allowed = allowed;
    const options = { lookup: this.#lookup((address) => this.#requirePublic(address)), keepAlive: true };
    const ownLookup = this.#lookup((address) => this.#requireAllowed(address));
    this.#http = new http.Agent({ ...options, maxSockets });
    this.#ownHttp = new http.Agent({ ...options, lookup: ownLookup, maxSockets });
    this.#https = new https.Agent({ ...options, maxSockets });
  }

  /**
   * Sends one request.
   * @throws {OutboundError} when there is no answer; any HTTP status is one.
   */
  async send({ method, url, headers, body, timeoutMs, ...limits }: OutboundRequest): Promise<OutboundAnswer> {
    const { requiresTls = false, keptBytes } = limits;
    const target = parse(url);
    const isSecure = target.protocol === 'https:';
    const host = hostOf(target);
    // An address is not looked up by connections, so it is looked at here.
    if (isIP(host) !== 0) this.#requireCallable(host, isSecure || !requiresTls);
    const late = new AbortController();
    const request = (isSecure ? https : http).request(target, {
      method,
      agent: isSecure ? this.#https : requiresTls ? this.#ownHttp : this.#http,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      signal: late.signal,
    });
    const deadline = new Deadline(timeoutMs, () => late.abort());
    try {
      const response = await answerTo(request, body);
      const bytes = await bodyOf(response, keptBytes);
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
  async refusal(url: string, withinMs: number, requiresTls = false): Promise<OutboundError | null> {
    try {
      const target = parse(url);
      const host = hostOf(target);
      const mayBePublic = target.protocol === 'https:' || !requiresTls;
      if (isIP(host) !== 0) this.#requireCallable(host, mayBePublic);
      else {
        const lookup = this.#lookup((address) => this.#requireCallable(address, mayBePublic));
        await Promise.race([resolved(host, lookup), wait(withinMs, null, { ref: false })]);
      }
    } catch (error) {
      if (error instanceof OutboundError) return error;
    }
    return null;
  }

  /** Returns a function that resolves a name for a connection, which goes to what was looked at and to nothing else. */
  #lookup(requireGood: (address: string) => void): LookupFunction {
    return (hostname, options, callback) => {
      resolve(hostname, options, (error, found, family) => {
        if (error !== null) return callback(error, '', 0);
        try {
          for (const { address } of Array.isArray(found) ? found : [{ address: found }]) requireGood(address);
        } catch (refused) {
          return callback(refused as OutboundError, '', 0);
        }
        return callback(null, found, family);
      });
    };
  }

  #requireCallable(address: string, mayBePublic: boolean): void {
    if (mayBePublic) this.#requirePublic(address);
    else this.#requireAllowed(address);
  }

  #requirePublic(address: string): void {
    if (isPublicAddress(address) || isAddressAmong(address, this.#allowed)) return;
    throw new OutboundError('address-refused', 'the address is not public');
  }

  #requireAllowed(address: string): void {
    if (isAddressAmong(address, this.#allowed)) return;
    throw new OutboundError('address-refused', 'the address takes no call without TLS');
  }

  /** Closes what was kept open. */
  close(): void {
    this.#http.destroy();
    this.#ownHttp.destroy();
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

function resolved(host: string, lookup: LookupFunction): Promise<void> {
  return new Promise((found, failed) => {
    lookup(host, { all: true }, (error) => (error === null ? found() : failed(error)));
  });
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

async function bodyOf(response: http.IncomingMessage, keptBytes: number | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    // Leaving the loop closes the connection.
    if (keptBytes !== undefined && size > keptBytes) break;
    if (size > maxAnswerBytes) throw new OutboundError('too-large', `more than ${maxAnswerBytes} bytes`);
  }
  return Buffer.concat(chunks).subarray(0, keptBytes);
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
