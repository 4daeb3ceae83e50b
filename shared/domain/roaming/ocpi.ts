/** Parts of OCPI that both sides of the interface share, in all versions. */

/** Versions that we support, in ascending order. */
export const ocpiVersions = ['2.1.1', '2.2', '2.2.1', '2.3.0'] as const;
export type OcpiVersion = (typeof ocpiVersions)[number];

/** The modules that we serve as a CPO in every version, with our side of each (OCPI 2.2.1 §6.2.1). */
const ourModules = {
  credentials: 'RECEIVER',
  locations: 'SENDER',
  sessions: 'SENDER',
  cdrs: 'SENDER',
  tariffs: 'SENDER',
  tokens: 'RECEIVER',
  commands: 'RECEIVER',
  chargingprofiles: 'RECEIVER',
} as const;
export type OcpiModule = keyof typeof ourModules;

/** The modules that we serve only on the surfaces of newer standards. */
const ourStandardModules = { hubclientinfo: 'RECEIVER' } as const;

/** Returns our modules in a version, with our side of each. 2.1.1 has no charging profiles. */
export function modulesIn(version: OcpiVersion): [identifier: string, role: InterfaceRole][] {
  if (version === '2.2') return Object.entries(ourModules);
  if (version !== '2.1.1') return Object.entries({ ...ourModules, ...ourStandardModules });
  const { chargingprofiles: _, ...modules } = ourModules;
  return Object.entries(modules);
}

export const interfaceRoles = ['SENDER', 'RECEIVER'] as const;
export type InterfaceRole = (typeof interfaceRoles)[number];

/** Endpoint of a module that a party serves (OCPI 2.2.1 §6.2.2). */
export interface OcpiEndpoint {
  identifier: string;
  role: InterfaceRole;
  url: string;
}

/** A party as OCPI's objects name it (2.2.1 §8.4.1 and others). */
export interface PartyOnWire {
  country_code: string;
  party_id: string;
}

/** A party in OCPI. Both parts are CiStrings, in capitals here. */
export interface Party {
  countryCode: string;
  partyId: string;
}

/** The name of a party, such as `DE-ABC`. */
export function partyName({ countryCode, partyId }: Party): string {
  return `${countryCode}-${partyId}`.toUpperCase();
}

/** One role of a party, as its credentials name it (OCPI 2.2.1 §7.4.1). */
export interface CredentialsRole extends Party {
  role: string;
  businessDetails: BusinessDetails;
}

export interface BusinessDetails {
  name: string;
  website: string | null;
  logoUrl: string | null;
}

/** Write permissions of a partner: PUT and PATCH of our locations, EVSEs and connectors. */
export const partnerWriteScopes = ['locations'] as const;
export type PartnerWriteScope = (typeof partnerWriteScopes)[number];

/**
 * Parties for which a roaming hub speaks: those that an operator granted to it (LISTED), or also each party that no partner of
 * the network was granted (ANY).
 */
export const hubPartiesKinds = ['LISTED', 'ANY'] as const;
export type HubParties = (typeof hubPartiesKinds)[number];

/** Deviations of a partner from the standard. */
export interface PartnerQuirks {
  /** Encoding of the token in our calls: 2.2.1 requires base64, many peers of 2.2 expect it as it is. */
  tokenEncoding: 'base64' | 'raw';
  /**
   * HTTP status of our responses on the standard surface. ocpi: that of §5, 200 for an invalid request and 201 for a created
   * object. rest: an HTTP error for an invalid request and 200 for a created object, as on the documented surface.
   */
  httpStatus: 'ocpi' | 'rest';
}

export const standardQuirks: PartnerQuirks = { tokenEncoding: 'base64', httpStatus: 'ocpi' };

/** Status codes of OCPI (2.2.1 §5). */
export const ocpiStatus = {
  success: 1000,
  clientError: 2000,
  invalidParameters: 2001,
  notEnoughInformation: 2002,
  unknownLocation: 2003,
  unknownToken: 2004,
  serverError: 3000,
  unableToUseClient: 3001,
  unsupportedVersion: 3002,
  noMatchingEndpoints: 3003,
  unknownReceiver: 4001,
  forwardedTimeout: 4002,
  connectionProblem: 4003,
} as const;
