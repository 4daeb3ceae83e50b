import type { FastifyReply, FastifyRequest } from 'fastify';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { PartnerRequest } from '#api/services/roaming/commands/requests.ts';

/** Returns the request of a partner with the URL for its result. */
export function partnerRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  responseUrl: string | null,
): PartnerRequest {
  const correlationId = reply.getHeader('x-correlation-id');
  const country = request.headers['ocpi-from-country-code'];
  const party = request.headers['ocpi-from-party-id'];
  return {
    partner: partnerOf(request),
    responseUrl,
    asked: {
      ipAddress: request.ip,
      requestId: request.id,
      correlationId: typeof correlationId === 'string' ? correlationId : null,
      party:
        typeof country === 'string' && typeof party === 'string'
          ? { country_code: country.toUpperCase(), party_id: party.toUpperCase() }
          : null,
    },
  };
}
