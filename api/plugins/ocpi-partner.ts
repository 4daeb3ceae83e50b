import type { FastifyRequest } from 'fastify';
import type { PartnerActor } from '#api/services/access/audit.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  authenticatePartner,
  type CallingPartner,
  requireRegistered,
  requireWriteScope,
} from '#api/services/roaming/partners.service.ts';
import { clientOf } from '#api/services/roaming/own-parties.ts';
import { configurationModules } from '#api/services/roaming/partner-calls.ts';
import type { PartnerWriteScope } from '#shared/domain/roaming/ocpi.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Calling roaming partner. Null on routes outside of OCPI. */
    partner: CallingPartner | null;
  }
  interface FastifyContextConfig {
    /** OCPI module of the route, for the exchange log. */
    ocpiModule?: string;
    /** True: the route accepts a registration token too. */
    beforeRegistration?: boolean;
    /** Write scope that the partner needs. */
    ocpiWrite?: PartnerWriteScope;
  }
}

/** Requires the token of a partner for every request below `app`, before its body is read. */
export function requirePartner(app: App, deps: ApiDeps): void {
  app.addHook('onRequest', async (request) => {
    request.partner = await authenticatePartner(deps, request.headers.authorization);
  });
}

/**
 * Verifies below `requirePartner` that the partner is registered and has the write scope of the route, and finds the party behind a
 * hub that sent the request.
 */
export function enforceGrants(app: App, deps: ApiDeps): void {
  app.addHook('onRequest', async (request) => {
    const { beforeRegistration, ocpiWrite, ocpiModule = '' } = request.routeOptions.config;
    const partner = partnerOf(request);
    if (beforeRegistration !== true) requireRegistered(partner);
    if (partner.hubParties !== null && !configurationModules.has(ocpiModule)) {
      partner.client = await clientOf(deps, partner, {
        countryCode: request.headers['ocpi-from-country-code'],
        partyId: request.headers['ocpi-from-party-id'],
      });
    }
    if (ocpiWrite !== undefined) requireWriteScope(partner, ocpiWrite);
  });
}

/** Returns the partner of a route below `requirePartner` as an actor of the audit log. */
export function partnerActorOf(request: FastifyRequest): PartnerActor {
  const { uuid, name } = partnerOf(request);
  return { partner: { uuid, name }, ipAddress: request.ip, requestId: request.id };
}

/** Paths below `/ocpi/cpo`, except the documented ones, whose statuses are documented. */
const standardPath = /^\/ocpi\/cpo\/(?!2\.2\/)\d/;

/** Returns true for a path of the surface that follows the standard. */
export function isStandardSurface(path: string): boolean {
  return standardPath.test(path);
}

/** Returns true when the response of a request has the HTTP status of OCPI 2.2.1 §5. */
export function usesOcpiStatuses({ url, partner }: Pick<FastifyRequest, 'url' | 'partner'>): boolean {
  return isStandardSurface(url) && partner?.quirks.httpStatus === 'ocpi';
}

/** Returns the partner of a route below `requirePartner`. */
export function partnerOf(request: FastifyRequest): CallingPartner {
  if (request.partner === null) throw new Error('the route requires no partner');
  return request.partner;
}
