import { type Static, Type } from 'typebox';
import { clientStatuses, type HubClient } from '#shared/domain/roaming/hub-client.ts';
import { OcpiDateTime, statedTime } from './date-time.ts';
import { WireText } from './text.ts';

const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });

/** Client of a hub with the state of its connection (OCPI 2.2.1 §15.4.1). */
export const ClientInfo = Type.Object(
  {
    country_code: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters (ISO 3166-1 alpha-2)' }),
    party_id: Type.String({ pattern: '^[A-Za-z0-9]{3}$', description: 'three letters or digits' }),
    role: WireText(20),
    status: oneOf(clientStatuses),
    last_updated: OcpiDateTime(),
  },
  { title: 'OcpiClientInfo' },
);
export type ClientInfo = Static<typeof ClientInfo>;

/** Returns a stored client as its hub sees it. */
export function clientInfo({ countryCode, partyId, role, status, lastUpdated }: HubClient): ClientInfo {
  return {
    country_code: countryCode,
    party_id: partyId,
    role,
    status,
    last_updated: lastUpdated.toISOString(),
  };
}

/**
 * Converts a client for storage.
 * @throws {DomainError} VALIDATION_FAILED (2001) for an invalid time.
 */
export function clientRecord(info: ClientInfo): HubClient {
  return {
    countryCode: info.country_code.toUpperCase(),
    partyId: info.party_id.toUpperCase(),
    role: info.role.toUpperCase(),
    status: info.status,
    lastUpdated: statedTime('last_updated', info.last_updated),
  };
}
