import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import type { App } from '#api/plugins/app-instance.ts';
import { serveDocs } from './docs-page.ts';
import { type NamedOperation, SchemaNames } from './openapi-names.ts';
import { describedResponses, type DescribedRoute } from './openapi-responses.ts';
import { declaresError } from '#api/plugins/declared-errors.ts';
import { shareResponses } from './openapi-shared.ts';
import { secureSessionCookie } from '#api/plugins/session-cookie.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { apiTags, tagGroups, withTags } from './openapi-tags.ts';

const keyOrToken: Record<string, string[]>[] = [{ ApiKey: [] }, { Bearer: [] }];
const operatorSecurity = [...keyOrToken, { Session: [] }];

const description = `The back end of an EV charging network.

Requests below \`/cpms/v1\` and \`/emsp/v1\` need a key of that family in the header \`X-API-Key\`, or an access token in
\`Authorization: Bearer\`: of an operator below \`/cpms/v1\`, of a driver below \`/emsp/v1\`. Pages of
the same origin may use the session of a browser below \`/cpms/v1\` instead. \`x-scope\` is the scope that an operation
requires. Every response has an \`x-request-id\`: the id sent by the caller if it is valid, otherwise a new one.`;

/** Collects the routes registered from now on into an OpenAPI 3.1 document, and serves it with a documentation page. */
export async function describeApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'chargeway',
        version: '1.0.0',
        description,
        contact: { name: 'Operator of this installation', url: publicUrl },
      },
      servers: [{ url: publicUrl }],
      tags: apiTags,
      ...({ 'x-tagGroups': tagGroups } as object),
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          Session: {
            type: 'apiKey',
            in: 'cookie',
            name: secureSessionCookie,
            description:
              'Session of a browser, from `POST /cpms/v1/auth/sessions`. Accepted from pages of the same origin. Without https ' +
              'the name has no prefix `__Host-`.',
          },
          OcpiToken: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Token`, a space, and the token of the credentials, plain or in base64.',
          },
        },
      },
      security: [{ ApiKey: [] }],
    },
    transform: ({ schema: declared, url, route: { config } }) => {
      const described = withCommonRules(declared, config?.scope);
      const schema = withTags(
        withResponses(described, { url, isAnonymous: config?.anonymous === true }),
        url,
      );
      if (url.startsWith('/ocpi/')) return { schema: { ...schema, security: [{ OcpiToken: [] }] }, url };
      if (!/^\/(?:cpms|emsp)\/v1\//.test(url)) return { schema, url };
      const security = schema?.security ?? (config?.anonymous === true ? [] : securityOf(url));
      // Routes of the operator API declare a scope or null.
      const scope = config?.scope === undefined ? {} : { 'x-scope': config.scope };
      return { schema: { ...schema, security, ...scope }, url };
    },
    transformObject: (document) => withWebhooks(nameComponents(document), publicUrl),
    // Named schemas keep their names.
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, i) => (typeof $id === 'string' ? $id : `def-${i}`),
    },
  });
  await serveDocs(app);
}

/** Returns the ways to authenticate of a family. */
function securityOf(url: string): Record<string, string[]>[] {
  return url.startsWith('/cpms/') ? operatorSecurity : keyOrToken;
}

/** Moves the common parts of operations to `components`. A body whose schema accepts null is optional. */
function nameComponents(document: Parameters<SwaggerTransformObject>[0]) {
  if ('swaggerObject' in document) return document.swaggerObject;
  const { openapiObject } = document;
  const names = new SchemaNames();
  const paths = (openapiObject.paths ?? {}) as Record<string, Record<string, NamedOperation>>;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    const { requestBody } = operation;
    const type = requestBody?.content['application/json']?.schema?.type;
    if (requestBody !== undefined && type?.includes('null') === true) requestBody.required = false;
    // The validator accepts no type here: the body is a stream.
    const bytes = requestBody?.content['application/octet-stream']?.schema;
    if (bytes !== undefined) Object.assign(bytes, { type: 'string', format: 'binary' });
    names.nameSchemasOf(operation);
  }
  const { components } = openapiObject as { components: { schemas: object } };
  components.schemas = { ...components.schemas, ...names.schemas };
  Object.assign(components, shareResponses(operations as Parameters<typeof shareResponses>[0]));
  return openapiObject;
}

/** Adds the requests that carry events. */
function withWebhooks<Document extends object>(document: Document, publicUrl: string): Document {
  return { ...document, webhooks: webhooksOf(publicUrl) };
}

/** Returns the schema of a route with its documented responses. */
function withResponses<Schema extends { response?: unknown }>(schema: Schema, route: DescribedRoute): Schema {
  const { response } = schema;
  if (typeof response !== 'object' || response === null) return schema;
  return { ...schema, response: describedResponses(response, route) };
}

/** Returns the schema of a route whose description continues with the rules that follow from its errors and its scope. */
function withCommonRules<Schema extends { description?: string; response?: unknown }>(
  schema: Schema,
  scope: string | null | undefined,
): Schema {
  // A missing description must stay missing, so that the test of descriptions finds it.
  if (schema?.description === undefined) return schema;
  const rules = [
    schema.description,
    declaresError(schema.response, 'CHARGER_OFFLINE') &&
      declaresError(schema.response, 'CHARGER_TIMEOUT') &&
      'Waits for the charger: 409 when it is offline, 502 when it answers with an error, 504 when it does not answer in time.',
    typeof scope === 'string' && `Requires the scope \`${scope}\`.`,
  ];
  return { ...schema, description: rules.filter((rule) => rule !== false).join(' ') };
}
