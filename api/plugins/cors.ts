import cors from '@fastify/cors';
import type { App } from './app-instance.ts';

/** Request headers that the API reads. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
  'X-API-Key',
  'X-Request-Id',
];

/** Response headers that a page can read alongside the default ones (Fetch standard, §4.10). */
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

/** Seconds that a browser caches the response to a preflight. */
const maxAge = 600;

/**
 * Allows pages of these origins to call the routes registered from now on. Preflights need no key, since browsers send
 * none with them. Credentials are never allowed: sessions of browsers
 * are for pages of the API's own origin. Other origins get no CORS header.
 */
export async function allowOrigins(app: App, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  await app.register(cors, {
    // A function, since the plugin exposes headers to every origin when it is given a list.
    origin: (origin, decide) => decide(null, origin !== undefined && allowed.has(origin) && origin),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    maxAge,
    strictPreflight: false,
  });
}
