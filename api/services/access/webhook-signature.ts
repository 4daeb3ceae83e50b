import { createHmac, randomBytes } from 'node:crypto';

/** Bytes of a secret: Standard Webhooks accepts 24 to 64. */
const secretBytes = 32;
const prefix = 'whsec_';

/** Returns a new signing secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** Request as its signature covers it. */
interface SignedContent {
  /** Identifier of the message, without a full stop. */
  id: string;
  /** Time of the attempt in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Returns the headers of a request that is signed with these secrets, the present one first (Standard Webhooks 1.0). */
export function signatureHeaders(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(content, secret)}`).join(' '),
  };
}

function signature(content: string, secret: string): string {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
