/** Credentials of a charger's Authorization header. */
export interface BasicCredentials {
  user: string;
  /** Bytes, not text: 1.6 chargers may send the raw bytes of a hexadecimal key. */
  password: Buffer;
}

/** Parses an HTTP Basic header (RFC 7617); returns null when it is absent or malformed. */
export function parseBasic(header: string): BasicCredentials | null {
  const match = /^basic\s+([a-z0-9+/=_-]+)\s*$/i.exec(header);
  if (match?.[1] === undefined) return null;
  const decoded = Buffer.from(match[1], 'base64');
  const colon = decoded.indexOf(0x3a);
  if (colon === -1) return null;
  return { user: decoded.toString('utf8', 0, colon), password: decoded.subarray(colon + 1) };
}

/** Returns the sub-protocols of a Sec-WebSocket-Protocol header, in order of preference. */
export function offeredProtocols(header: string): string[] {
  return header
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');
}
