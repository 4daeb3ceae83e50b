import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { AuthorizationStatus, IdTokenType } from '#shared/domain/charging/session.ts';

/** Authorization method of a roaming partner's session (OCPI 2.2.1 §10.4.1, AuthMethod). */
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

/** Request of the gateway for a real-time authorization, which the API forwards to the partner. */
export interface RoamingQuestion {
  partnerId: number;
  token: CdrToken;
  groupId: string | null;
  chargerId: number;
  /** EVSE of the connector. Null: not yet known. */
  evse: number | null;
}

/** Verdict of the partner. Null: no usable response in time. */
export type RoamingVerdict = {
  status: AuthorizationStatus;
  authorizationReference: string | null;
  /** Of the partner's word, where it was a yes. */
  authorizationId: bigint | null;
} | null;

/** Every API process answers here, with the name of its own channel: one request, one process. */
export const roamingDesk = 'roaming-desk';

/** Returns the bus channel on which this node's API process answers `RoamingQuestion`s. */
export function roamingDeskOf(node: string): string {
  return `roaming-desk:${node}`;
}

/** Time in ms that a partner has to authorize a token: a driver waits at the charger. */
export const partnerDeadlineMs = 4000;

/**
 * Returns whether a token is accepted without asking the partner (OCPI 2.2.1 §12.4.5): ALWAYS must be, and
 * other allowed tokens are while the partner does not respond.
 */
export function whitelistAllows({ whitelist, isValid }: RoamingToken, isPartnerSilent: boolean): boolean {
  if (!isValid) return false;
  return whitelist === 'ALWAYS' || (isPartnerSilent && whitelist !== 'NEVER');
}
