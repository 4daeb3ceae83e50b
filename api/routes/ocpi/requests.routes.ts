import type { FastifyReply, FastifyRequest } from 'fastify';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { CallingPartner } from '#api/services/roaming/partners.service.ts';
import type { PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { PartnerRequest } from '#api/services/roaming/commands/requests.service.ts';

/** Returns the request of a partner with the URL for its result. */
export function partnerRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  responseUrl: string | null,
): PartnerRequest {
  const correlationId = reply.getHeader('x-correlation-id');
  const partner = partnerOf(request);
  return {
    partner,
    responseUrl,
    asked: {
      ipAddress: request.ip,
      requestId: request.id,
      correlationId: typeof correlationId === 'string' ? correlationId : null,
      party: requestingParty(request, partner),
    },
  };
}

/** Returns the party that sent a request. Null: it was not stated, or a hub itself sent it. */
function requestingParty(
  { headers }: FastifyRequest,
  { hubParties, client }: CallingPartner,
): PartyOnWire | null {
  const { 'ocpi-from-country-code': country, 'ocpi-from-party-id': party } = headers;
  if (hubParties !== null) return client && { country_code: client.countryCode, party_id: client.partyId };
  if (typeof country !== 'string' || typeof party !== 'string') return null;
  return { country_code: country.toUpperCase(), party_id: party.toUpperCase() };
}
