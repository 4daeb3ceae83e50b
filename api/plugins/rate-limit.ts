import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/services/deps.ts';
import { countRequest, type LimitedCaller, requireWithin } from '#api/services/kernel/rates.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { App } from './app-instance.ts';

/**
 * Limits the rate of callers below `app`. Every response to a caller with a limit has the headers of
 * draft-ietf-httpapi-ratelimit-headers-07, §3.
 */
export function limitRates(app: App, deps: Pick<ApiDeps, 'bus'>): void {
  const outages = new OutageLog(app.log, {
    failed: 'the bus is unavailable: requests are not rate limited',
    recovered: 'requests are rate limited again',
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

/** Returns the caller of the APIs or the roaming partner; null without credentials. */
function limitedCaller({ caller, partner, ip }: FastifyRequest): LimitedCaller | null {
  if (partner !== null) {
    const { id, rateLimitPerHour } = partner;
    return { kind: 'partner', id, rateLimitPerHour, address: null };
  }
  if (caller === null) return null;
  const { who, rateLimitPerHour, keyType } = caller;
  return { ...who, rateLimitPerHour, address: keyType === 'Publishable' ? ip : null };
}
