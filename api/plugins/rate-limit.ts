import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/services/deps.ts';
import { countRequest, type LimitedCaller, requireWithin } from '#api/services/kernel/rates.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { App } from './app-instance.ts';

/**
 * Holds the callers of all requests below `app` to their rate. Every answer to one with a limit says where it stands, in the
 * headers of draft-ietf-httpapi-ratelimit-headers-07, §3.
 */
export function limitRates(app: App, deps: Pick<ApiDeps, 'bus'>): void {
  const outages = new OutageLog(app.log, {
    failed: 'the bus is unavailable: requests are let through uncounted',
    recovered: 'requests are counted again',
  });
  app.addHook('onRequest', async (request, reply) => {
    const caller = limitedCaller(request);
    const rate = caller && (await countRequest(deps, caller));
    if (rate === null) return;
    if (rate === 'unreachable') {
      outages.failed(undefined);
      return;
    }
    outages.recovered();
    reply.headers({
      'ratelimit-limit': rate.limit,
      'ratelimit-remaining': rate.remaining,
      'ratelimit-reset': rate.resetSeconds,
    });
    requireWithin(rate, 'requests within an hour');
  });
}

/** Whoever calls: of the APIs, or a roaming partner; null: nobody who was asked for credentials. */
function limitedCaller({ caller, partner, ip }: FastifyRequest): LimitedCaller | null {
  if (partner !== null) {
    const { id, rateLimitPerHour } = partner;
    return { kind: 'partner', id, rateLimitPerHour, address: null };
  }
  if (caller === null) return null;
  const { who, rateLimitPerHour, keyType } = caller;
  return { ...who, rateLimitPerHour, address: keyType === 'Publishable' ? ip : null };
}
