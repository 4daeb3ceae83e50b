import type { FastifyReply } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { DateTime, Nullable, Uuid } from '#api/routes/schema.ts';
import type { SampleField, WrittenSamples } from '#api/services/sessions.ts';

/** A reading, field by field as ClickHouse writes it. */
const Sample = Type.Object({
  timestamp: DateTime('What the charger said'),
  receivedAt: DateTime(),
  context: Type.String({ description: "OCPP's reading context, such as Sample.Periodic" }),
  energyKwh: Nullable(Type.Number({ description: 'The cumulative register of the meter' })),
  powerKw: Nullable(Type.Number()),
  currentA: Nullable(Type.Number()),
  voltageV: Nullable(Type.Number()),
  socPercent: Nullable(Type.Number()),
  temperatureC: Nullable(
    Type.Number({
      description: 'At the outlet, or else the highest that was measured elsewhere',
    }),
  ),
  extra: Type.Record(Type.String(), Type.String(), {
    description:
      'All else that the charger measured, and the parts that a field above was combined of, as sent',
  }),
  flags: Type.Array(Type.String()),
} satisfies Record<SampleField, TSchema>);

/** The readings of a session, in order of time. */
export const MeterValues = Type.Object(
  {
    sessionId: Uuid(),
    limit: Type.Integer(),
    truncated: Type.Boolean({ description: 'The session holds more samples than `limit`' }),
    samples: Type.Array(Sample),
  },
  { description: 'The readings in order of time' },
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
