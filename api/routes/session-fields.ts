import { Type } from 'typebox';
import { signatureStates } from '#shared/domain/charging/signed-meter-value.ts';
import type { SessionReading } from '#api/services/charging/sessions.service.ts';
import { Decimal, Integer, kilo, Nullable, OneOf, Str, Uuid } from './schema.ts';

type SessionRecord = SessionReading['session'];

/** Field of the register at the start of a session. */
export const MeterStartKwh = Nullable(
  Decimal(
    'Energy register at the start of the session, in kWh. Null when the charger did not report it.',
    1204.25,
  ),
);

/** Field of the register at the end of a session. */
export const MeterStopKwh = Nullable(
  Decimal(
    'Energy register at the end of the session, in kWh. Null when the charger did not report it, or while the session is running.',
    1216.75,
  ),
);

/** Field of the OCPP stop reason. */
export const StopReason = Nullable(
  Str(
    'OCPP stop reason, such as Local, Remote or EVDisconnected. Null when none was reported.',
    'EVDisconnected',
  ),
);

/** Field of the flags of a session. */
export const SessionFlags = Type.Array(Type.String({ examples: ['corrected'] }), {
  description: 'Irregularities in the data that the charger sent.',
});

/** Fields of the signed meter values of a session. */
export const signatureFields = {
  signatureState: OneOf(
    signatureStates,
    'State of the signed meter values. NONE: the charger sent none. UNVERIFIED: no key of the meter is registered. ' +
      'INCOMPLETE: the registers at start and end are not both verified, or do not belong to the session. VERIFIED: ' +
      'all are verified. INVALID: a signature at start or end is not of a registered key. UNSUPPORTED: a format is ' +
      'not checked.',
  ),
  signedEnergyKwh: Nullable(
    Decimal('Energy by the verified meter values, in kWh. Null unless they are VERIFIED.', 12.5),
  ),
};

/** Fields of the charger and the connector of a start or a session. */
export const plugFields = {
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Str('OCPP identity of the charger, as printed on it.', 'QUAY-1'),
  connectorId: Uuid('Connector identifier.'),
  connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
};

/** Fields of the charger, the connector and the location of a session. */
export const connectorFields = {
  ...plugFields,
  locationId: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
  locationName: Nullable(Str('Name of the location. Null when the charger has no location.', 'Quay')),
};

/** Fields of the driver and the token of a session. */
export const tokenFields = {
  userId: Nullable(Uuid('Driver identifier. Null for an unknown token.')),
  idTag: Nullable(Str('Token of the session. Null when the charger reported none.', '04A1B2C3D4E5F6')),
};

/** Returns the fields of the connector and the token of a session. */
export function connectorView(session: SessionRecord) {
  return {
    chargerId: session.chargerUuid,
    chargerUid: session.chargerUid,
    connectorId: session.connectorUuid,
    connectorNumber: session.connectorNumber,
    locationId: session.locationUuid,
    locationName: session.locationName,
    userId: session.userUuid,
    idTag: session.idToken,
  };
}

/** Returns the fields of the meter of a session, and what its charger reported with them. */
export function meterView(session: SessionRecord) {
  return {
    meterStartKwh: kilo(session.meterStartWh),
    meterStopKwh: kilo(session.meterStopWh),
    stopReason: session.stopReason,
    flags: session.flags,
    signatureState: session.signatureState,
    signedEnergyKwh: kilo(session.signedEnergyWh),
    updatedAt: session.updatedAt.toISOString(),
  };
}
