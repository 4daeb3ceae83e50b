import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

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
