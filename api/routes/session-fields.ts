import { Type } from 'typebox';
import { Nullable } from './schema.ts';

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
