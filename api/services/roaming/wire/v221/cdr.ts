import { connectorType230Of, connectorTypeOf } from '#shared/domain/fleet/ocpi-evse.ts';
import type { AuthMethod, CdrToken } from '#shared/domain/roaming/roaming.ts';
import type { StoredSignedValue } from '#shared/postgres/charging/signed-meter-values.statements.ts';
import type { SessionPlace } from '#shared/postgres/roaming/ocpi-sessions.ts';
import type { Cost, CostLine } from '#shared/pricing/cost.ts';
import { toMajor } from '#shared/pricing/money.ts';
import type { ChargingPeriod } from '#api/services/roaming/charging-periods.ts';
import { hours, kwh, type Price } from '#api/services/roaming/wire/numbers.ts';
import { sealedTariff } from './sealed-tariff.ts';
import { signatureRemark, type SignedData, signedDataObject } from './signed-data.ts';
import { beginOf, type PartnerSessionReading, placeId } from './session.ts';
import { cdrToken } from './token.ts';

/** A charge detail record (OCPI 2.2.1 §10.3.1). */
export type Cdr = {
  country_code: string;
  party_id: string;
  id: string;
  start_date_time: string;
  end_date_time: string;
  session_id: string;
  cdr_token: CdrToken;
  auth_method: AuthMethod;
  authorization_reference?: string;
  cdr_location: CdrLocation;
  signed_data?: SignedData;
  meter_id?: string;
  currency: string;
  tariffs?: ReturnType<typeof sealedTariff>[];
  charging_periods: ChargingPeriod[];
  total_cost: Price;
  total_fixed_cost?: Price;
  total_energy: number;
  total_energy_cost?: Price;
  total_time: number;
  total_time_cost?: Price;
  total_parking_time: number;
  total_parking_cost?: Price;
  total_reservation_cost?: Price;
  remark?: string;
  credit?: boolean;
  credit_reference_id?: string;
  last_updated: string;
};

/**
 * Location in a CDR (§10.4.4). Required fields without a value get the usual one of the connector, or
 * "unknown".
 */
export type CdrLocation = {
  id: string;
  name?: string;
  address: string;
  city: string;
  postal_code?: string;
  state?: string;
  country: string;
  coordinates: { latitude: string; longitude: string };
  evse_uid: string;
  evse_id: string;
  connector_id: string;
  connector_standard: string;
  /** Ours: connector type that only 2.3.0 has. It is not sent. */
  connector_standard_230?: string;
  connector_format: string;
  connector_power_type: string;
};

/** Fields of a new CDR that do not follow from its session as it is now. */
interface CdrSeal {
  id: string;
  cost: Cost;
  /** Location in the first CDR of the session, which later ones repeat. Null: this is the first. */
  location: CdrLocation | null;
  /** Signed meter values of the session. */
  signed: readonly StoredSignedValue[];
  at: Date;
}

/**
 * The CDR of a partner's session that has ended and has its price.
 * @param reading with the periods as they were priced.
 */
export function cdrObject(reading: PartnerSessionReading, { id, cost, location, signed, at }: CdrSeal): Cdr {
  const { session, periods, durationSeconds, idle } = reading;
  const { endedAt, tariff, authorizationReference, meterId } = session;
  if (endedAt === null) throw new Error(`the session ${session.uuid} has not ended`);
  const { countryCode, partyId } = session;
  const signedData = signedDataObject(signed);
  const remark = remarkOf(session);
  return {
    country_code: countryCode,
    party_id: partyId,
    id,
    start_date_time: beginOf(session).toISOString(),
    end_date_time: endedAt.toISOString(),
    session_id: session.uuid,
    cdr_token: session.token,
    auth_method: session.authMethod,
    ...(authorizationReference !== null && { authorization_reference: authorizationReference }),
    cdr_location: location ?? cdrLocation(session.place, placeId(session)),
    ...(meterId !== null && { meter_id: meterId }),
    currency: session.currency,
    ...(tariff !== null && {
      tariffs: [sealedTariff(tariff, { countryCode, partyId, lastUpdated: beginOf(session) })],
    }),
    charging_periods: periods,
    ...(signedData !== null && { signed_data: signedData }),
    total_cost: price(cost.totalExclVatMinor, cost.totalVatMinor, cost.currency),
    ...part('total_fixed_cost', cost, ['FLAT']),
    total_energy: kwh(session.energyWh),
    ...part('total_energy_cost', cost, ['ENERGY']),
    total_time: hours(durationSeconds),
    ...part('total_time_cost', cost, ['TIME']),
    total_parking_time: hours(idle.idleSeconds),
    ...part('total_parking_cost', cost, ['PARKING_TIME', 'IDLE']),
    ...part('total_reservation_cost', cost, ['RESERVATION_TIME', 'RESERVATION_FLAT']),
    ...(remark !== '' && { remark }),
    last_updated: at.toISOString(),
  };
}

/** Returns the reason of the end and the state of the signed values. Empty: there is neither. */
function remarkOf(session: PartnerSessionReading['session']): string {
  const signatures = signatureRemark(session) ?? '';
  if (session.stopReason === null) return signatures;
  if (signatures === '') return session.stopReason.slice(0, maxRemark);
  const separator = '. ';
  return `${session.stopReason.slice(0, maxRemark - separator.length - signatures.length)}${separator}${signatures}`;
}

/** Maximum length of a remark in OCPI. */
const maxRemark = 255;

/** Converts a stored CDR. */
export function sentCdr(document: Cdr) {
  const { connector_standard_230: _later, ...location } = document.cdr_location;
  return { ...document, cdr_token: cdrToken(document.cdr_token), cdr_location: location };
}

/**
 * Returns the credit of a CDR: all its fields, with an id of its own and a negative total (§10.1.1).
 * @param at the time of its creation.
 */
export function creditOf(cdr: Cdr, at: Date): Cdr {
  const { excl_vat: exclVat, incl_vat: inclVat } = cdr.total_cost;
  return {
    ...cdr,
    id: `${cdr.id}-C`,
    credit: true,
    credit_reference_id: cdr.id,
    total_cost: { excl_vat: negative(exclVat), incl_vat: negative(inclVat) },
    last_updated: at.toISOString(),
  };
}

const negative = (amount: number) => (amount === 0 ? 0 : -amount);

type Part =
  | 'total_fixed_cost'
  | 'total_energy_cost'
  | 'total_time_cost'
  | 'total_parking_cost'
  | 'total_reservation_cost';

function part(name: Part, cost: Cost, types: CostLine['type'][]): Partial<Pick<Cdr, Part>> {
  const lines = cost.lines.filter(({ type }) => types.includes(type));
  if (lines.length === 0) return {};
  const exclVat = lines.reduce((total, line) => total + line.exclVatMinor, 0n);
  const vat = lines.reduce((total, line) => total + line.vatMinor, 0n);
  return { [name]: price(exclVat, vat, cost.currency) };
}

function price(exclVatMinor: bigint, vatMinor: bigint, currency: string): Price {
  return { excl_vat: toMajor(exclVatMinor, currency), incl_vat: toMajor(exclVatMinor + vatMinor, currency) };
}

const unknown = 'Unknown';
/** ISO 3166-1 leaves XAA to XZZ to its users. */
const unknownCountry = 'XXX';

/** Returns the location of a CDR. */
export function cdrLocation(place: SessionPlace, id: string): CdrLocation {
  const { name, postalCode, state } = place;
  const isDc = place.powerType === 'DC';
  const type = connectorTypeOf(place.standard);
  const later = type === null ? connectorType230Of(place.standard) : null;
  return {
    id,
    ...(name !== null && { name }),
    address: place.address?.slice(0, 45) ?? unknown,
    city: place.city?.slice(0, 45) ?? unknown,
    ...(postalCode !== null && { postal_code: postalCode.slice(0, 10) }),
    ...(state !== null && { state: state.slice(0, 20) }),
    country: place.country ?? unknownCountry,
    coordinates: { latitude: degrees(place.latitude), longitude: degrees(place.longitude) },
    evse_uid: place.evseUid,
    evse_id: place.evseId ?? place.evseUid,
    connector_id: place.connectorId,
    connector_standard: type ?? (isDc ? 'IEC_62196_T2_COMBO' : 'IEC_62196_T2'),
    ...(later !== null && { connector_standard_230: later }),
    connector_format: place.format ?? (isDc ? 'CABLE' : 'SOCKET'),
    connector_power_type: place.powerType ?? 'AC_3_PHASE',
  };
}

/** §8.4.13: decimal text, at most seven decimals. */
function degrees(value: number | null): string {
  return (value ?? 0).toFixed(6);
}
