import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import { type AuthorizationStatus, type IdTokenType, idTokenTypes } from '#shared/domain/charging/session.ts';

/** Authorization method of a roaming partner's session (OCPI 2.2.1 §10.4.1, AuthMethod). */
export const authMethods = ['AUTH_REQUEST', 'COMMAND', 'WHITELIST'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** Type of a partner's token. EMAID is of OCPI 2.3.0. */
export const ocpiTokenTypes = [...idTokenTypes, 'EMAID'] as const;
export type OcpiTokenType = (typeof ocpiTokenTypes)[number];

/** Returns the type of a partner's token where EMAID does not exist: in earlier versions, and in our API. */
export function typeWithoutEmaid(type: OcpiTokenType): IdTokenType {
  return type === 'EMAID' ? 'OTHER' : type;
}

/** A partner's token as a session and its CDR keep it, in OCPI's names (2.2.1 §10.4.5, CdrToken). */
export type CdrToken = {
  country_code: string;
  party_id: string;
  uid: string;
  type: OcpiTokenType;
  contract_id: string;
};

/** That a session is a roaming partner's, and why. */
export interface Roaming {
  partnerId: number;
  token: CdrToken;
  authMethod: AuthMethod;
  /** The partner's own; null: it gave none. */
  authorizationReference: string | null;
  /** The partner's word that the session takes on; null: the whitelist was enough. */
  authorizationId: bigint | null;
}

/** A partner's token as authorization needs it. */
export interface RoamingToken {
  partnerId: number;
  token: CdrToken;
  isValid: boolean;
  whitelist: Whitelist;
  groupId: string | null;
}

/** Request of the gateway to an API process to authorize a partner's token at a charger. */
export interface TokenAuthorizationRequest {
  partnerId: number;
  token: CdrToken;
  groupId: string | null;
  chargerId: number;
  /** EVSE of the vehicle; null before it is known. */
  evse: number | null;
}

/** Authorization by the partner; null when no usable answer came in time. */
export type PartnerAuthorization = {
  status: AuthorizationStatus;
  authorizationReference: string | null;
  /** Id of the stored authorization when the status is Accepted. */
  authorizationId: bigint | null;
} | null;

/** Request of the gateway to an API process to authorize a card that no partner has sent us. */
export interface UnknownTokenRequest {
  networkId: number;
  uid: string;
  chargerId: number;
  /** EVSE of the vehicle; null before it is known. */
  evse: number | null;
}

/** Authorization of an unknown card; null when no partner gave a usable answer in time. */
export type UnknownTokenAuthorization =
  | { status: 'Accepted'; roaming: Roaming; groupId: string | null }
  | { status: Exclude<AuthorizationStatus, 'Accepted'> }
  | null;

/**
 * Channel on which every API process replies with its node name, so that one process receives the request. The names of
 * channels stay: two versions share the bus during an upgrade.
 */
export const authorizerChannel = 'roaming-desk';

/** Returns the channel on which the API process of a node serves `TokenAuthorizationRequest`s. */
export function authorizerChannelOf(node: string): string {
  return `roaming-desk:${node}`;
}

/** Returns the channel on which the API process of a node serves `UnknownTokenRequest`s. */
export function unknownTokenChannelOf(node: string): string {
  return `unknown-token:${node}`;
}

/** Time in ms to authorize a token, of one partner or of all that are asked about an unknown card: a driver waits. */
export const partnerDeadlineMs = 4000;

/**
 * Returns whether a token is accepted without asking the partner (OCPI 2.2.1 §12.4.5): ALWAYS must be, and
 * other allowed tokens are while the partner does not respond.
 */
export function whitelistAllows({ whitelist, isValid }: RoamingToken, isPartnerSilent: boolean): boolean {
  if (!isValid) return false;
  return whitelist === 'ALWAYS' || (isPartnerSilent && whitelist !== 'NEVER');
}
