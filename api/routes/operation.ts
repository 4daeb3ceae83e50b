import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyContextConfig,
  FastifySchema,
  HTTPMethods,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify';
import type { App } from '#api/plugins/app-instance.ts';

/** Schemas of the parts of a request, and of the responses by status. */
interface Parts<Params, Query, Headers, Body, Responses> {
  params: Params;
  querystring: Query;
  headers: Headers;
  body: Body;
  response: Responses;
}

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  FastifyContextConfig,
  Schema,
  TypeBoxTypeProvider
>;

/**
 * Registers an operation under its method and path.
 * @param config the required scope (null: any caller of the family), or the configuration of a route that has more than a scope.
 */
export function operation<
  const Responses,
  const Params = undefined,
  const Query = undefined,
  const Headers = undefined,
  const Body = undefined,
>(
  app: App,
  path: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`,
  config: FastifyContextConfig['scope'] | FastifyContextConfig,
  {
    handler,
    ...schema
  }: Omit<FastifySchema, keyof Parts<0, 0, 0, 0, 0>> &
    Partial<Parts<Params, Query, Headers, Body, Responses>> & {
      handler: Handler<Parts<Params, Query, Headers, Body, Responses>>;
    },
): void {
  const [method, url] = path.split(' ') as [HTTPMethods, string];
  app.route({
    method,
    url,
    config: typeof config === 'object' && config !== null ? config : { scope: config },
    schema,
    handler: handler as never,
  });
}
