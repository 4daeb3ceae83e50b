import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TSchema } from 'typebox';

const newCompiler = SerializerSelector();

/**
 * Fastify's own way to write answers, compiled for a route and status when it is needed first and not at the start: there
 * are hundreds, and most processes never send most of them.
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

/** Writes values of a schema, which names no other, as JSON, as Fastify does. */
export function serializerOf(schema: TSchema): (value: unknown) => string {
  return buildSerializer()({ schema, method: '', url: '', httpStatus: '' });
}
