import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { DateTime, Named, Uuid } from '#api/routes/schema.ts';
import type { WrittenSamples } from '#api/services/charging/meter-values.ts';

/** A reading as `meter_samples` keeps it in JSON: what was not reported, or says nothing, is left out. */
export const Sample = Named('MeterValueSample', {
  timestamp: DateTime('What the charger said'),
  receivedAt: Type.Optional(
    DateTime(
      'Told where it is more than a minute from `timestamp`: the charger was offline, or its clock is wrong',
    ),
  ),
  context: Type.Optional(
    Type.String({ description: "OCPP's reading context; `Sample.Periodic` where none is told" }),
  ),
  energyKwh: Type.Optional(
    Type.Number({ description: 'The cumulative register of the meter', examples: [12.5] }),
  ),
  powerKw: Type.Optional(Type.Number({ description: 'Power in kW.', examples: [11] })),
  currentA: Type.Optional(Type.Number({ description: 'Current in A.', examples: [16] })),
  voltageV: Type.Optional(Type.Number({ description: 'Voltage in V.', examples: [230] })),
  socPercent: Type.Optional(
    Type.Number({ description: 'State of charge of the car, in percent.', examples: [64] }),
  ),
  temperatureC: Type.Optional(
    Type.Number({
      description: 'At the outlet, or else the highest that was measured elsewhere',
      examples: [31.5],
    }),
  ),
  extra: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'All else that the charger measured, and the parts that a field above was combined of, as sent',
    }),
  ),
  flags: Type.Optional(
    Type.Array(Type.String({ examples: ['corrected'] }), {
      description: 'Irregularities in the data that the charger sent.',
    }),
  ),
});

/** The readings of a session, in order of time. */
export const MeterValues = Type.Object(
  {
    sessionId: Uuid('Session identifier.'),
    limit: Type.Integer({ description: 'Maximum number of samples, from the request.', examples: [16] }),
    truncated: Type.Boolean({ description: 'The session holds more samples than `limit`' }),
    samples: Type.Array(Sample, { description: 'Readings in order of time.' }),
  },
  {
    title: 'MeterValues',
    description:
      'The readings in order of time. A field that the charger did not report, or that has nothing to tell, is left out.',
  },
);

type MeterValues = Static<typeof MeterValues>;

const noSamples = '"samples":[]';

/**
 * Answers with the readings of a session. They are sent as they were written: what a handler returns is nothing to write.
 * @param envelope what the answer is put into.
 */
export function sendMeterValues(
  reply: FastifyReply,
  asked: Pick<MeterValues, 'sessionId' | 'limit'>,
  { json, isTruncated }: WrittenSamples,
  envelope: (values: MeterValues) => object = (values) => values,
): never {
  const answer = JSON.stringify(envelope({ ...asked, truncated: isTruncated, samples: [] }));
  const place = answer.indexOf(noSamples) + noSamples.length - 1;
  const parts = [Buffer.from(answer.slice(0, place)), json, Buffer.from(answer.slice(place))];
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts)) as never;
}
