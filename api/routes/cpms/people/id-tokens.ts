import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  Holders,
  optionalTokenFields,
  shownToken,
  toldToken,
  tokenNames,
  tokenQuery,
  TokenType,
  tokenView,
} from '#api/routes/id-token-view.ts';
import { cursorOf, cursorQuery, Named, NetworkNumber, Text, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeIdToken,
  createIdToken,
  type IdTokenDetailRecord,
  type IdTokenWithHolders,
  invalidateIdToken,
  readIdToken,
  sliceIdTokens,
} from '#api/services/people/id-tokens.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { expectedVersion, ifMatchHeaders, tellVersion, Version } from '#api/routes/cpms/kernel/versioned.ts';

const blocked = Type.Boolean({ description: 'Blocked: it charges no more until it is unblocked' });

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
      Uuid("Needed for a token of nobody's when the caller reaches several networks"),
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

/** A token's fields as the services take them. */
function told<T extends { blocked?: boolean; userId?: string | null; expiresAt?: string | null }>(body: T) {
  const { blocked, ...rest } = toldToken(body);
  return { ...rest, ...(blocked !== undefined && { isValid: !blocked }) };
}

const params = Type.Object({ uuid: Uuid('Token identifier.') });

/** The tokens of an operator's networks. */
export function idTokenRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/id-tokens',
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'listIdTokens',
      summary: 'The tokens, oldest first',
      description: '`search` is a part of uid, visual number or contract id.',
      querystring: Type.Object({
        ...cursorQuery,
        ...networkQuery,
        ...tokenQuery,
        groupId: Type.Optional(
          Text(36, { description: 'Group of tokens to filter by.', examples: ['FLEET-7'] }),
        ),
        search: Type.Optional(Text(64, { description: 'Part of a name to filter by.', examples: ['quay'] })),
      }),
      response: { 200: CursorEnvelope(TokenItem, 'One page of tokens'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request) => {
      const { userId, tokenType, valid, groupId, search } = request.query;
      const networkUuid = networkOf(request.query);
      const filter = { networkUuid, userUuid: userId, type: tokenType, valid, groupId, search };
      const page = await sliceIdTokens(deps, callerOf(request), filter, cursorOf(request.query));
      return successSlice(page.rows.map(itemView), page.nextCursor);
    },
  });

  app.route({
    method: 'GET',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'getIdToken',
      summary: 'One token, and how many chargers are still to be told of its last change',
      params,
      response: { 200: VersionedEnvelope(Token, 'The token'), ...cpmsErrors('ID_TOKEN_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const read = await readIdToken(deps, callerOf(request), request.params.uuid);
      tellVersion(reply, read.token);
      return success(detailView(read));
    },
  });

  app.route({
    method: 'POST',
    url: '/id-tokens',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      tags: ['people'],
      operationId: 'createIdToken',
      summary: 'Make a token',
      body: NewToken,
      response: {
        201: VersionedEnvelope(TokenItem, 'The token is made'),
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
      const { userUuid = null, ...rest } = told(body);
      const network = { uuid: networkUuid, field: 'networkUuid' };
      const token = { ...rest, type: tokenType, userUuid };
      const made = await createIdToken(deps, actorOf(request), network, token);
      tellVersion(reply, made);
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
      summary: 'Change, block or unblock a token',
      description:
        'It counts from the next question of any charger on. Chargers that may hold the token in their cache or local list ' +
        'are told when it may charge less than before; those that are offline, when they are back.',
      params,
      headers: ifMatchHeaders,
      body: TokenChange,
      response: {
        200: VersionedEnvelope(Token, 'The token as it is now'),
        ...cpmsErrors('ID_TOKEN_NOT_FOUND', 'USER_NOT_FOUND', 'PRECONDITION_FAILED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const { uuid } = request.params;
      const changed = await changeIdToken(deps, actorOf(request), uuid, expected, told(request.body));
      tellVersion(reply, changed.token);
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
      summary: 'Invalidate a token for good',
      params,
      headers: ifMatchHeaders,
      response: {
        200: Envelope(
          Type.Object({
            id: Uuid('Token identifier.'),
            deleted: Type.Literal(true, { description: 'Always true.' }),
            pendingChargers: Holders,
          }),
          'The token charges no more',
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
