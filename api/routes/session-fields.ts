import { Type } from 'typebox';
import { Nullable, Uuid } from './schema.ts';

/** Field of the register at the start of a session. */
export const MeterStartKwh = Nullable(
  Type.Number({
    description:
      'Energy register at the start of the session, in kWh. Null when the charger did not report it.',
    examples: [1204.25],
  }),
);

/** Field of the register at the end of a session. */
export const MeterStopKwh = Nullable(
  Type.Number({
    description:
      'Energy register at the end of the session, in kWh. Null when the charger did not report it, or while the session is running.',
    examples: [1216.75],
  }),
);

/** Field of the OCPP stop reason. */
export const StopReason = Nullable(
  Type.String({
    description: 'OCPP stop reason, such as Local, Remote or EVDisconnected. Null when none was reported.',
    examples: ['EVDisconnected'],
  }),
);

/** Field of the flags of a session. */
export const SessionFlags = Type.Array(Type.String({ examples: ['corrected'] }), {
  description: 'Irregularities in the data that the charger sent.',
});

/** Fields of the charger, the connector and the location of a session. */
export const connectorFields = {
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Type.String({
    description: 'OCPP identity of the charger, as printed on it.',
    examples: ['QUAY-1'],
  }),
  connectorId: Uuid('Connector identifier.'),
  connectorNumber: Type.Integer({
    description: 'Connector number at the charger, starting at 1.',
    examples: [1],
  }),
  locationId: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
};

/** Fields of the driver and the token of a session. */
export const tokenFields = {
  userId: Nullable(Uuid('Driver identifier. Null for an unknown token.')),
  idTag: Nullable(
    Type.String({
      description: 'Token of the session. Null when the charger reported none.',
      examples: ['04A1B2C3D4E5F6'],
    }),
  ),
};
