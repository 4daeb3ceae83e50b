import type { CommandResultType, PartnerTask } from '#shared/domain/roaming/ocpi-command.ts';
import type { ActiveChargingProfile } from '#shared/domain/roaming/ocpi-profile.ts';
import type { OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import type { InterfaceRole, OcpiVersion, PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { OcpiConnector, OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { omitEmptyLists } from './omit-empty-lists.ts';
import { v211 } from './v211/serializer.ts';
import { v221 } from './v221/serializer.ts';
import { v230 } from './v230/serializer.ts';
import type { Cdr } from './v221/cdr.ts';
import { credentialsView, type SentCredentials } from './v221/credentials.ts';
import { shortAddress } from './v221/location.ts';
import type { PartnerSessionReading } from './v221/session.ts';

/** Outcome of a partner's request: of a command or, with a profile, of a request about charging profiles. */
export interface RequestOutcome {
  type: PartnerTask['type'];
  result: CommandResultType | 'UNKNOWN';
  message: string | null;
  profile: ActiveChargingProfile | null;
}

/** Fields of a session that change while it charges, as a version writes them. */
interface SessionProgress {
  kwh: number;
  total_cost?: unknown;
  status: string;
  last_updated: string;
}

/**
 * One version of OCPI: conversion of our records to its objects, and of a partner's objects to our records. Null
 * where the version has no form for a record, which is then not sent.
 */
export interface OcpiSerializer {
  location: (location: OcpiLocation) => object;
  evse: (evse: OcpiEvse) => object | null;
  connector: (connector: OcpiConnector) => object | null;
  tariff: (tariff: OcpiTariff) => object | null;
  session: (reading: PartnerSessionReading) => SessionProgress;
  /** Converts a CDR, which is stored in the form of 2.2.1. */
  cdr: (document: Cdr) => object;
  /**
   * Body of the PATCH for a location that is no longer published. Null: the version has no such field, and the EVSEs are sent
   * as removed.
   */
  withdrawnLocation: ((at: Date) => object) | null;
  /** Type of a token, in requests to authorize it. */
  tokenType: (token: { type: OcpiTokenType }) => string;
  /** Type of a card that no partner has sent, by its uid. */
  unknownType: (uid: string) => OcpiTokenType;
  /** Body of the POST to a `response_url`. */
  requestResult: (outcome: RequestOutcome, about: 'result' | 'cancellation') => object | null;
  credentials: (credentials: SentCredentials) => object;
  /** Returns our partner's role in an endpoint, with the role that it listed. */
  endpointRole: (identifier: string, listed: InterfaceRole | undefined) => InterfaceRole;
  /** Converts credentials in a partner's answer. A missing URL is `versionsUrl`. */
  readCredentials: (sent: unknown, versionsUrl: string) => SentCredentials | null;
  /** Converts a token of a partner's list. The party owns it where the version names none. */
  readToken: (sent: unknown, party: PartyOnWire | null) => OcpiTokenRecord | null;
}

/** All versions that we speak. 2.2 has the objects of 2.2.1; its credentials have the documented names. */
const serializers: Record<OcpiVersion, OcpiSerializer> = {
  '2.1.1': withoutEmptyLists(v211),
  '2.2': withoutEmptyLists({
    ...v221,
    location: (location) => ({ ...v221.location(location), address: shortAddress(location) }),
    credentials: (credentials) => credentialsView('2.2', credentials),
  }),
  '2.2.1': withoutEmptyLists(v221),
  '2.3.0': withoutEmptyLists(v230),
};

/** Returns a version whose objects lack lists without items: the standard has them optional, and libraries of partners refuse some. */
function withoutEmptyLists(version: OcpiSerializer): OcpiSerializer {
  return {
    ...version,
    location: (location) => omitEmptyLists(version.location(location)),
    evse: (evse) => omitEmptyLists(version.evse(evse)),
    connector: (connector) => omitEmptyLists(version.connector(connector)),
    tariff: (tariff) => omitEmptyLists(version.tariff(tariff)),
    session: (reading) => omitEmptyLists(version.session(reading)),
    cdr: (document) => omitEmptyLists(version.cdr(document)),
  };
}

/** Returns the serializer of a partner's version. A partner that has agreed on none yet gets 2.2.1. */
export function serializerFor(version: OcpiVersion | null): OcpiSerializer {
  return serializers[version ?? '2.2.1'];
}
