import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';

const newCompiler = SerializerSelector();

/**
 * Serializes responses as Fastify does, compiled at first use: most processes never send most of the hundreds of
 * responses.
 */
export const buildSerializer: typeof newCompiler = (externalSchemas, options) => {
  const compile = newCompiler(externalSchemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (document: unknown) => {
      serialize ??= compile(route);
      return serialize(document);
    };
  };
};

/** Returns a serializer for a schema without references, like that of Fastify. */
export function serializerOf(schema: TSchema): (value: unknown) => string {
  return buildSerializer()({ schema, method: '', url: '', httpStatus: '' });
}

/** Sends JSON without serializing it again. */
export function sendJson(reply: FastifyReply, json: string): never {
  return reply.type('application/json; charset=utf-8').send(json) as never;
}
