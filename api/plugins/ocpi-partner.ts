import type { FastifyRequest } from 'fastify';
import type { PartnerActor } from '#api/services/access/audit.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  authenticatePartner,
  type CallingPartner,
  requireRegistered,
  requireWriteScope,
} from '#api/services/roaming/partners.ts';
import type { PartnerWriteScope } from '#shared/domain/roaming/ocpi.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The roaming partner that calls; null on routes outside of OCPI. */
    partner: CallingPartner | null;
  }
  interface FastifyContextConfig {
    /** Of an OCPI route: the module, for the exchange log. */
    ocpiModule?: string;
    /** Served with a token that is for the registration alone, too. */
    beforeRegistration?: boolean;
    /** What a partner must have been granted. */
    ocpiWrite?: PartnerWriteScope;
  }
}

/** Asks every request below `app` for the token of a partner, before its body is read. */
export function requirePartner(app: App, deps: ApiDeps): void {
  app.addHook('onRequest', async (request) => {
    request.partner = await authenticatePartner(deps, request.headers.authorization);
  });
}

/** Checks below `requirePartner` that the partner is registered, and was granted what a route writes. */
export function enforceGrants(app: App): void {
  app.addHook('onRequest', async (request) => {
    const { beforeRegistration, ocpiWrite } = request.routeOptions.config;
    if (beforeRegistration !== true) requireRegistered(partnerOf(request));
    if (ocpiWrite !== undefined) requireWriteScope(partnerOf(request), ocpiWrite);
  });
}

/** The partner of a route below `requirePartner`, as the audit log names it. */
export function partnerActorOf(request: FastifyRequest): PartnerActor {
  const { uuid, name } = partnerOf(request);
  return { partner: { uuid, name }, ipAddress: request.ip, requestId: request.id };
}

/** The partner of a route below `requirePartner`. */
export function partnerOf(request: FastifyRequest): CallingPartner {
  if (request.partner === null) throw new Error('this route asks for no partner');
  return request.partner;
}
