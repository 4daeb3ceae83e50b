import type { OcpiEvse } from '#api/services/roaming/locations.service.ts';
import type { PublicPlace } from '#api/services/open-data/format.service.ts';
import type { FeedProblem } from '#shared/domain/open-data/feed.ts';

/** Identifier of a charging point or a station that takes part in roaming (IRVE 2.3.1, etalab/schema-irve). */
const identifier = /^[A-Z]{2}[A-Z0-9]{4,33}$/;

/** Returns the identifier of a charging point without separators, or null where the EVSE has none that is valid. */
export function pointId({ evseId }: Pick<OcpiEvse, 'evseId'>): string | null {
  const id = evseId?.replaceAll(/[*\s-]/g, '').toUpperCase() ?? '';
  return identifier.test(id) ? id : null;
}

/** Returns the problem of an EVSE that has no identifier: the schema requires one. */
export function identifierProblem(place: PublicPlace, evse: OcpiEvse): FeedProblem[] {
  if (pointId(evse) !== null) return [];
  const message =
    'Set the EVSE ID of the charger, such as FR*A68*E68021*001: two letters of the country, then 4 to 33 letters and digits.';
  return [{ locationId: place.ocpiId, evseUid: evse.uid, field: 'evseId', effect: 'omitted', message }];
}

/** Returns a line of a CSV file (RFC 4180). */
export const csvLine = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map((value) => quoted(value === null ? '' : String(value))).join(',')}\n`;

/** Texts that a spreadsheet would read as a formula are of no use here; they stay as they are, quoted. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Kinds of sockets of the schema, by OCPI's connector types. */
const sockets = {
  ef: ['DOMESTIC_E', 'DOMESTIC_F'],
  type2: ['IEC_62196_T2'],
  combo: ['IEC_62196_T2_COMBO'],
  chademo: ['CHADEMO'],
} as const satisfies Record<string, string[]>;
export type Socket = keyof typeof sockets;

/** Returns the connectors of an EVSE with a kind of socket. */
export const connectorsWith = ({ connectors }: OcpiEvse, socket: Socket) =>
  connectors.filter(({ type }) => type !== null && (sockets[socket] as readonly string[]).includes(type));

/** Returns whether an EVSE has a socket that the schema does not name. */
export function hasOtherSocket({ connectors }: OcpiEvse): boolean {
  const named: ReadonlySet<string | null> = new Set<string>(Object.values(sockets).flat());
  return connectors.some(({ type }) => !named.has(type));
}
