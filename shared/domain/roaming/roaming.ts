import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { AuthorizationStatus, IdTokenType } from '#shared/domain/charging/session.ts';

/** How a session of a roaming partner was authorized (OCPI 2.2.1 §10.4.1, AuthMethod). */
export const authMethods = ['AUTH_REQUEST', 'COMMAND', 'WHITELIST'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** A partner's token as a session and its CDR keep it, in OCPI's names (2.2.1 §10.4.5, CdrToken). */
export type CdrToken = {
  country_code: string;
  party_id: string;
  uid: string;
  type: IdTokenType;
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

/** What the gateway asks the API tier, which asks the partner: may this token charge at this charger? */
export interface RoamingQuestion {
  partnerId: number;
  token: CdrToken;
  groupId: string | null;
  chargerId: number;
  /** Where the driver plugged in; null: not known yet. */
  evse: number | null;
}

/** What the partner said; null: it said nothing that could be used, in time. */
export type RoamingVerdict = {
  status: AuthorizationStatus;
  authorizationReference: string | null;
  /** Of the partner's word, where it was a yes. */
  authorizationId: bigint | null;
} | null;

/** Every API process answers here, with the name of its own channel: one request, one process. */
export const roamingDesk = 'roaming-desk';

/** Where the API process of this node takes `RoamingQuestion`s. */
export function roamingDeskOf(node: string): string {
  return `roaming-desk:${node}`;
}

/** How long a partner may think about a token, in ms: a driver waits at the charger. */
export const partnerDeadlineMs = 4000;

/**
 * Whether a charger may be answered without asking the partner (OCPI 2.2.1 §12.4.5): ALWAYS must, and what is whitelisted
 * may when the partner is silent.
 */
export function whitelistAllows({ whitelist, isValid }: RoamingToken, isPartnerSilent: boolean): boolean {
  if (!isValid) return false;
  return whitelist === 'ALWAYS' || (isPartnerSilent && whitelist !== 'NEVER');
}
