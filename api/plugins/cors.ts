import cors from '@fastify/cors';
import type { App } from './app-instance.ts';

/** Request headers that the API reads. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'X-API-Key',
  'X-Request-Id',
];

/** Response headers that a page may read beside those that it always may (Fetch standard, §4.10). */
const exposedHeaders = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** Seconds that a browser keeps the answer to a preflight. */
const maxAge = 600;

/**
 * Lets pages of these origins call the routes that are registered from now on. Preflights are answered without a key, since
 * browsers send none with them. Cookies are not allowed: the API reads none. Other origins get no CORS header.
 */
export async function allowOrigins(app: App, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  await app.register(cors, {
    // A function, for the plugin exposes headers to every origin where it is given a list.
    origin: (origin, decide) => decide(null, origin !== undefined && allowed.has(origin) && origin),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    maxAge,
    strictPreflight: false,
  });
}
