import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';

export type Partner = Schemas['OcpiPartner'];
export type PartnerRow = Schemas['OcpiPartnerListed'];
export type LoggedExchange = Schemas['OcpiLoggedExchange'];
export type Step = Schemas['OcpiHandshake']['steps'][number]['step'];

const partners = '/cpms/v1/ocpi-partners';

/** Reads one page of the partners. */
export const readPartners = (network: { networkUuid?: string }, cursor: string | undefined) =>
  bodies.GET(partners, { params: { query: { pageSize: 100, ...network, cursor } } });

export const partnerQuery = (uuid: string, everyMs = 10_000) =>
  queryOptions({
    queryKey: ['ocpi-partner', uuid],
    queryFn: () => api.GET(`${partners}/{uuid}`, { params: { path: { uuid } } }),
    refetchInterval: everyMs,
  });

export const healthQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['ocpi-partner', uuid, 'health'],
    queryFn: () => api.GET(`${partners}/{uuid}/health`, { params: { path: { uuid } } }),
    refetchInterval: 30_000,
  });

export const exchangeQuery = (id: string) =>
  queryOptions({
    queryKey: ['ocpi-exchange', id],
    queryFn: () => api.GET('/cpms/v1/ocpi-exchanges/{id}', { params: { path: { id } } }),
  });

const at = (uuid: string) => ({ params: { path: { uuid } } });

/** Commands about the registration of a partner. */
export const registrationCommands = {
  handshake: (uuid: string, access?: { versionsUrl: string; token: string }) =>
    api.POST(`${partners}/{uuid}/handshake`, {
      ...at(uuid),
      ...(access !== undefined && { body: access }),
    }),
  rotate: (uuid: string) => api.POST(`${partners}/{uuid}/rotate-token`, at(uuid)),
  unregister: (uuid: string) => api.POST(`${partners}/{uuid}/unregister`, at(uuid)),
  renewInvitation: (uuid: string) => api.POST(`${partners}/{uuid}/registration-token`, at(uuid)),
  resync: (uuid: string) => api.POST(`${partners}/{uuid}/resync`, { ...at(uuid), body: {} }),
  remove: (uuid: string) => api.DELETE(`${partners}/{uuid}`, at(uuid)),
};

/** Changes settings of a partner. */
export const changePartner = (
  partner: Pick<Partner, 'id' | 'version'>,
  change: {
    name?: string;
    isSuspended?: boolean;
    quirks?: Partial<Partner['quirks']>;
    hubParties?: Partner['hubParties'];
    parties?: { countryCode: string; partyId: string }[];
    rateLimitPerHour?: number | null;
    authorizationOrder?: number | null;
    tokenValidDays?: number | null;
    writeScopes?: 'locations'[];
  },
) =>
  api.PATCH(`${partners}/{uuid}`, {
    params: { path: { uuid: partner.id }, header: { 'if-match': `"${partner.version}"` } },
    body: change,
  });
