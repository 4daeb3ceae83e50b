import type { FastifyReply, FastifyRequest } from 'fastify';
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
  const limit = async (caller: LimitedCaller, reply: FastifyReply): Promise<void> => {
    const rate = await countRequest(deps, caller);
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
  };
  app.addHook('onRequest', (request, reply, next) => {
    const caller = limitedCaller(request);
    // Most callers have no limit, and wait for nothing.
    if (caller === null) next();
    else void passOn(limit(caller, reply), next);
  });
}

/** Calls `next` when a check has ended, with its error if it failed. */
async function passOn(check: Promise<void>, next: (error?: Error) => void): Promise<void> {
  try {
    await check;
  } catch (error) {
    return next(error as Error);
  }
  next();
}

/** Returns the caller of the APIs or the roaming partner; null without credentials or without a limit. */
function limitedCaller({ caller, partner, ip }: FastifyRequest): LimitedCaller | null {
  if (partner !== null) {
    const { id, rateLimitPerHour } = partner;
    return rateLimitPerHour === null ? null : { kind: 'partner', id, rateLimitPerHour, address: null };
  }
  if (caller === null || caller.rateLimitPerHour === null) return null;
  const { who, rateLimitPerHour, keyType } = caller;
  return { ...who, rateLimitPerHour, address: keyType === 'Publishable' ? ip : null };
}
