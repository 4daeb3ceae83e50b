import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { DateTime, Decimal, Flag, Integer, Named, Str, Uuid } from '#api/routes/schema.ts';
import type { WrittenSamples } from '#api/services/charging/meter-values.service.ts';

/** Reading in the JSON format of `meter_samples`, without empty fields. */
export const Sample = Named('MeterValueSample', {
  timestamp: DateTime("Time of the reading, by the charger's clock."),
  receivedAt: Type.Optional(
    DateTime(
      'Time the gateway received the reading. Present when it differs from `timestamp` by more than a minute: ' +
        'the charger was offline, or its clock is wrong.',
    ),
  ),
  context: Type.Optional(Str('OCPP reading context. Absent for `Sample.Periodic`.')),
  energyKwh: Type.Optional(Decimal('Cumulative energy register of the meter, in kWh.', 12.5)),
  powerKw: Type.Optional(Decimal('Power in kW.', 11)),
  currentA: Type.Optional(Decimal('Current in A.', 16)),
  voltageV: Type.Optional(Decimal('Voltage in V.', 230)),
  socPercent: Type.Optional(Decimal('State of charge of the car, in percent.', 64)),
  temperatureC: Type.Optional(
    Decimal('Temperature in °C at the outlet, otherwise the highest measured one.', 31.5),
  ),
  extra: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'Other measurands, and the parts that a field above was derived from, as sent by the charger.',
    }),
  ),
  flags: Type.Optional(
    Type.Array(Type.String({ examples: ['corrected'] }), {
      description: 'Irregularities in the data that the charger sent.',
    }),
  ),
});

/** Readings of a session in order of time. */
export const MeterValues = Type.Object(
  {
    sessionId: Uuid('Session identifier.'),
    limit: Integer('Maximum number of samples, from the request.', 16),
    truncated: Flag('True when the session has more samples than `limit`.'),
    samples: Type.Array(Sample, { description: 'Readings in order of time.' }),
  },
  {
    title: 'MeterValues',
    description: 'Readings in order of time. Fields without a value are absent.',
  },
);

type MeterValues = Static<typeof MeterValues>;

const noSamples = '"samples":[]';

/**
 * Sends the readings of a session without serializing them again.
 * @param envelope wraps the readings.
 */
export function sendMeterValues(
  reply: FastifyReply,
  requested: Pick<MeterValues, 'sessionId' | 'limit'>,
  { json, isTruncated }: WrittenSamples,
  envelope: (values: MeterValues) => object = (values) => values,
): never {
  const answer = JSON.stringify(envelope({ ...requested, truncated: isTruncated, samples: [] }));
  const place = answer.indexOf(noSamples) + noSamples.length - 1;
  const parts = [Buffer.from(answer.slice(0, place)), json, Buffer.from(answer.slice(place))];
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
