import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  Holders,
  optionalTokenFields,
  shownToken,
  storedTokenFields,
  tokenNames,
  tokenQuery,
  TokenType,
  tokenValidForMs,
  tokenView,
} from '#api/routes/id-token-view.ts';
import { cursorOf, cursorQuery, Named, NetworkNumber, Text, Uuid } from '#api/routes/schema.ts';
import { ItemCache } from '#api/routes/item-cache.ts';
import { ListItemCache } from '#api/routes/list-item-cache.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeIdToken,
  createIdToken,
  type IdTokenDetailRecord,
  idTokenItem,
  type IdTokenWithHolders,
  type SingleIdToken,
  invalidateIdToken,
  findIdTokens,
  readIdTokens,
  type Versioned,
} from '#api/services/people/id-tokens.ts';
import {
  CursorEnvelope,
  Envelope,
  succeeded,
  success,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import {
  expectedVersion,
  ifMatchHeaders,
  sendVersioned,
  setVersionTag,
  Version,
} from '#api/routes/cpms/kernel/versioned.ts';

const blocked = Type.Boolean({ description: 'True blocks the token until it is unblocked.' });

const fields = {
  ...shownToken,
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  blocked,
  version: Version,
};
const TokenItem = Named('IdTokenSummary', fields);
const Token = Named('IdToken', { ...fields, pendingChargers: Holders });

const change = { ...optionalTokenFields, blocked: Type.Optional(blocked) };
const TokenChange = Type.Object(change, { additionalProperties: false, minProperties: 1 });
const NewToken = Type.Object(
  {
    ...change,
    ...tokenNames,
    tokenType: TokenType,
    networkUuid: Type.Optional(
      Uuid(
        'Network of the token. Required for a token without a driver when the caller has several networks.',
      ),
    ),
  },
  { additionalProperties: false },
);

function itemView(token: IdTokenDetailRecord) {
  const { networkId, networkUuid, version } = token;
  return { ...tokenView(token), networkId, networkUuid, version, blocked: !token.isValid };
}

const detailView = ({ token, holders }: IdTokenWithHolders) => ({
  ...itemView(token),
  pendingChargers: holders,
});

/** Converts the fields of a token in a request to those of the services. */
function storedFields<T extends { blocked?: boolean; userId?: string | null; expiresAt?: string | null }>(
  body: T,
) {
  const { blocked, ...rest } = storedTokenFields(body);
  return { ...rest, ...(blocked !== undefined && { isValid: !blocked }) };
}

const params = Type.Object({ uuid: Uuid('Token identifier.') });

/** Registers the routes of tokens for operators. */
export function idTokenRoutes(app: App, deps: ApiDeps): void {
  const items = new ListItemCache({
    schema: TokenItem,
    idOf: ({ id }: Versioned<IdTokenDetailRecord>) => id,
    view: itemView,
    versionOf: ({ rowVersion }) => rowVersion,
    validForMs: tokenValidForMs,
  });
  const single = new ItemCache({
    schema: Token,
    view: (read: SingleIdToken) => detailView(read),
    validForMs: ({ token, chargersMustForget }) => (chargersMustForget ? 0 : tokenValidForMs(token)),
    tagOf: ({ token }) => token.version,
  });

  app.route({
    method: 'GET',
    url: '/id-tokens',
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'listIdTokens',
      summary: 'List tokens, oldest first',
      description: '`search` matches a part of the uid, the visual number or the contract identifier.',
      querystring: Type.Object({
        ...cursorQuery,
        ...networkQuery,
        ...tokenQuery,
        groupId: Type.Optional(
          Text(36, { description: 'Group of tokens to filter by.', examples: ['FLEET-7'] }),
        ),
        search: Type.Optional(Text(64, { description: 'Part of a name to filter by.', examples: ['quay'] })),
      }),
      response: { 200: CursorEnvelope(TokenItem, 'One page of tokens.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { userId, tokenType, valid, groupId, search } = request.query;
      const networkUuid = networkOf(request.query);
      const filter = { networkUuid, userUuid: userId, type: tokenType, valid, groupId, search };
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      return items.send(request, reply, [caller.networks, caller.userId], {
        async find() {
          const { rows, nextCursor } = await findIdTokens(deps, caller, filter, slice);
          return { places: rows, rest: { ...succeeded(), nextCursor } };
        },
        read: (places) => readIdTokens(deps, caller, places),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'getIdToken',
      summary: 'Get a token',
      params,
      response: {
        200: VersionedEnvelope(
          Token,
          'The token, with the number of chargers that hold an outdated state of it.',
        ),
        ...cpmsErrors('ID_TOKEN_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      return sendVersioned(reply, await single.read(uuid, idTokenItem(deps, callerOf(request), uuid)));
    },
  });

  app.route({
    method: 'POST',
    url: '/id-tokens',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'createIdToken',
      summary: 'Create a token',
      body: NewToken,
      response: {
        201: VersionedEnvelope(TokenItem, 'The created token.'),
        ...cpmsErrors(
          'OPERATOR_KEY_REQUIRED',
          'NETWORK_NOT_FOUND',
          'USER_NOT_FOUND',
          'ID_TOKEN_EXISTS',
          ...bodyErrors,
        ),
      },
    },
    handler: async (request, reply) => {
      const { networkUuid, tokenType, ...body } = request.body;
      const { userUuid = null, ...rest } = storedFields(body);
      const network = { uuid: networkUuid, field: 'networkUuid' };
      const token = { ...rest, type: tokenType, userUuid };
      const made = await createIdToken(deps, actorOf(request), network, token);
      setVersionTag(reply, made);
      return reply.code(201).send(success(itemView(made)));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'updateIdToken',
      summary: 'Update, block or unblock a token',
      description:
        'The change applies from the next authorization. Chargers that may hold the token in their cache or local ' +
        'list are notified when the change restricts it; offline chargers when they reconnect.',
      params,
      headers: ifMatchHeaders,
      body: TokenChange,
      response: {
        200: VersionedEnvelope(Token, 'The token after the change.'),
        ...cpmsErrors('ID_TOKEN_NOT_FOUND', 'USER_NOT_FOUND', 'PRECONDITION_FAILED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const { uuid } = request.params;
      const changed = await changeIdToken(deps, actorOf(request), uuid, expected, storedFields(request.body));
      setVersionTag(reply, changed.token);
      return success(detailView(changed));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'deleteIdToken',
      summary: 'Invalidate a token permanently',
      params,
      headers: ifMatchHeaders,
      response: {
        200: Envelope(
          Type.Object({
            id: Uuid('Token identifier.'),
            deleted: Type.Literal(true, { description: 'Always true.' }),
            pendingChargers: Holders,
          }),
          'The token is invalid.',
        ),
        ...cpmsErrors('ID_TOKEN_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const expected = expectedVersion(request.headers);
      const { holders } = await invalidateIdToken(deps, actorOf(request), uuid, expected);
      return success({ id: uuid, deleted: true as const, pendingChargers: holders });
    },
  });
}
