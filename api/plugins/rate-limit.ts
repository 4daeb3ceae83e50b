import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NetworkRates } from '#api/services/access/network-rates.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { countRequest, type LimitedCaller, type Rate, requireWithin } from '#api/services/kernel/rates.ts';
import { onlyNetworks, type NetworkScope } from '#shared/domain/access/tenancy.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { App } from './app-instance.ts';

/** Limits of a request: of its caller, and of the networks that it is counted in. */
interface Limits {
  caller: LimitedCaller | null;
  networks: ReturnType<NetworkRates['limitsOf']>;
}

/**
 * Limits the rate of callers below `app`, and of all callers of a network together. Every response to a caller with a limit has the
 * headers of draft-ietf-httpapi-ratelimit-headers-07, §3, for the limit that has the fewest requests left.
 */
export function limitRates(
  app: App,
  { networkRates, ...deps }: Pick<ApiDeps, 'bus'> & { networkRates: NetworkRates },
): void {
  const outages = new OutageLog(app.log, {
    failed: 'the bus is unavailable: requests are not rate limited',
    recovered: 'requests are rate limited again',
  });
  const limit = async ({ caller, networks }: Limits, reply: FastifyReply): Promise<void> => {
    const own = caller === null ? null : await countRequest(deps, caller);
    if (own !== null && own !== 'unreachable') {
      outages.recovered();
      setHeaders(reply, own);
      // A refused caller does not use up its networks.
      requireWithin(own, 'requests within an hour');
    }
    const shared = networks.length === 0 ? null : await networkRates.count(networks);
    if (own === 'unreachable' || shared === 'unreachable') {
      outages.failed(undefined);
      return;
    }
    if (shared === null) return;
    outages.recovered();
    if (own === null || shared.remaining < own.remaining) setHeaders(reply, shared);
    requireWithin(shared, 'requests of this network within a minute');
  };
  app.addHook('onRequest', (request, reply, next) => {
    const networks = networksOf(request);
    const limits = {
      caller: limitedCaller(request),
      networks: networks === null ? [] : networkRates.limitsOf(networks),
    };
    // Most callers have no limit, and wait for nothing.
    if (limits.caller === null && limits.networks.length === 0) next();
    else void passOn(limit(limits, reply), next);
  });
}

function setHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: Rate): void {
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
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

/** Returns the networks that a request is counted in: those of its caller, or that of the roaming partner. Null without credentials. */
function networksOf({ caller, partner }: FastifyRequest): NetworkScope | null {
  return partner === null ? (caller?.networks ?? null) : onlyNetworks([partner.networkId]);
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
