import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { SeededCharger } from '#shared/testing/seed.ts';
import type { Rig } from './rig.ts';

interface Attempt {
  /** Address of the sender; 127.0.0.1 by default. */
  from?: string;
  password?: string;
  headers?: Record<string, string>;
}

/** Sends a handshake request with a Basic password, if any; resolves to the HTTP status. */
export async function attempt(
  rig: Rig,
  { uid }: Pick<SeededCharger, 'uid'>,
  { from, password, headers }: Attempt = {},
) {
  const url = new URL(`${rig.ocppUrl.replace('ws:', 'http:')}/${uid}`);
  const asked = request(url, {
    agent: false,
    localAddress: from ?? '127.0.0.1',
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'ocpp1.6',
      ...(password === undefined ? {} : { Authorization: `Basic ${base64(`${uid}:${password}`)}` }),
      ...headers,
    },
  }).end();
  const [answer] = (await Promise.race([
    once(asked, 'response'),
    once(asked, 'upgrade').then(([response, socket]) => {
      (socket as { destroy(): void }).destroy();
      return [response as IncomingMessage];
    }),
  ])) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Returns the headers of the proxy for a connection over TLS. */
export function overTls(
  secret: string,
  certificate?: { commonName: string; verify?: number },
): Record<string, string> {
  return {
    'X-Chargeway-Proxy-Secret': secret,
    'X-Chargeway-Tls': 'TLSv1.3',
    ...(certificate && {
      'X-Chargeway-Client-Verify': String(certificate.verify ?? 0),
      'X-Chargeway-Client-Cn': base64(certificate.commonName),
    }),
  };
}
