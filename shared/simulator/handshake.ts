import { createHash, randomBytes } from 'node:crypto';

/** The server answered the upgrade with another HTTP status than 101. */
export class UpgradeRefused extends Error {
  override name = 'UpgradeRefused';
  readonly status: number;
  constructor(status: number, text: string) {
    super(`the server refused the upgrade: ${status} ${text}`.trimEnd());
    this.status = status;
  }
}

/** The server's upgrade answer breaks RFC 6455 section 4.1, or no answer came. */
export class HandshakeFailed extends Error {
  override name = 'HandshakeFailed';
}

interface UpgradeRequest {
  url: URL;
  protocols: readonly string[];
  username: string | undefined;
  password: string | Buffer | undefined;
  /** Value of Sec-WebSocket-Extensions; undefined: none is offered. */
  extensions?: string | undefined;
}

const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The key of one upgrade and the answer that proves the server understood it. */
export function createUpgradeKey(): { key: string; accept: string } {
  const key = randomBytes(16).toString('base64');
  return {
    key,
    accept: createHash('sha1')
      .update(key + acceptGuid)
      .digest('base64'),
  };
}

/** The HTTP request that asks for the upgrade, with Basic auth when a username is given (OCPP-J, section 6). */
export function encodeUpgradeRequest(request: UpgradeRequest, key: string): string {
  const lines = [
    `GET ${request.url.pathname}${request.url.search} HTTP/1.1`,
    `Host: ${request.url.host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
  ];
  if (request.protocols.length > 0) lines.push(`Sec-WebSocket-Protocol: ${request.protocols.join(', ')}`);
  if (request.extensions !== undefined) lines.push(`Sec-WebSocket-Extensions: ${request.extensions}`);
  if (request.username !== undefined) {
    const password = request.password ?? '';
    // A 1.6 password may be raw bytes, so the pair is joined as bytes.
    const pair = Buffer.concat([Buffer.from(`${request.username}:`), Buffer.from(password)]);
    lines.push(`Authorization: Basic ${pair.toString('base64')}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Parts of a connection that the server chose. */
export interface Agreed {
  /** Sub-protocol, '' for none. */
  protocol: string;
  /** Sec-WebSocket-Extensions, '' for none. */
  extensions: string;
}

/**
 * Checks the head of the server's answer and returns what it chose.
 * Throws UpgradeRefused or HandshakeFailed.
 */
export function checkUpgradeAnswer(head: string, accept: string, offered: readonly string[]): Agreed {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(statusLine);
  if (status === null) throw new HandshakeFailed(`not an HTTP answer: ${statusLine.slice(0, 80)}`);
  if (status[1] !== '101') throw new UpgradeRefused(Number(status[1]), status[2] ?? '');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new HandshakeFailed('no upgrade to websocket');
  if (!/(^|,)\s*upgrade\s*(,|$)/i.test(headers.get('connection') ?? '')) {
    throw new HandshakeFailed('the Connection header does not say Upgrade');
  }
  if (headers.get('sec-websocket-accept') !== accept) throw new HandshakeFailed('wrong Sec-WebSocket-Accept');
  const protocol = headers.get('sec-websocket-protocol') ?? '';
  if (protocol !== '' && !offered.includes(protocol)) {
    throw new HandshakeFailed(`the server chose a sub-protocol that was not offered: ${protocol}`);
  }
  return { protocol, extensions: headers.get('sec-websocket-extensions') ?? '' };
}
