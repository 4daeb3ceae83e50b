import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
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
import {
  cursorOf,
  cursorQuery,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Text,
  Uuid,
  idParams,
} from '#api/routes/schema.ts';
import { ItemCache } from '#api/routes/item-cache.ts';
import { ListItemCache } from '#api/routes/list-item-cache.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { oldestTokensFirst, type TokenOrder, tokenSorts } from '#shared/domain/people/token-order.ts';
import { readsDrivers } from '#api/services/charging/operator-sessions.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeIdToken,
  createIdToken,
  idTokenItem,
  type IdTokenOfDriver,
  type IdTokenWithHolders,
  type SingleIdToken,
  invalidateIdToken,
  findIdTokens,
  readIdTokens,
  type Versioned,
} from '#api/services/people/id-tokens.ts';
import {
  CursorEnvelope,
  succeeded,
  VersionedEnvelope,
  Deleted,
  deleted,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import {
  expectedVersion,
  ifMatchHeaders,
  sendVersioned,
  Version,
  versioned,
} from '#api/routes/cpms/kernel/versioned.ts';

const blocked = Type.Boolean({ description: 'True blocks the token until it is unblocked.' });

const fields = {
  ...shownToken,
  driverName: Nullable(
    Type.String({
      description:
        'Name of the driver. Null when the token belongs to no driver, and for callers without the scope ' +
        '`cpms:read:users`.',
      examples: ['Anna Driver'],
    }),
  ),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  blocked,
  isDriverBlocked: Type.Boolean({ description: 'True when the driver of the token is blocked.' }),
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

function itemView(token: IdTokenOfDriver) {
  const { driverName, networkId, networkUuid, version, isDriverBlocked } = token;
  const blocked = !token.isValid;
  return { ...tokenView(token), driverName, networkId, networkUuid, version, blocked, isDriverBlocked };
}

const detailView = ({ token, holders }: IdTokenWithHolders) => ({
  ...itemView(token),
  pendingChargers: holders,
});

/** Views for callers who do not read the names of drivers. */
const anonymous = {
  item: (token: IdTokenOfDriver) => ({ ...itemView(token), driverName: null }),
  detail: (read: IdTokenWithHolders) => ({ ...detailView(read), driverName: null }),
};
const named = { item: itemView, detail: detailView };

/** Names of orders: ascending, and descending with a minus. */
const sorts = tokenSorts.flatMap((sort) => [sort, `-${sort}`] as const);

function orderOf(sort: (typeof sorts)[number] | undefined): TokenOrder {
  const by = tokenSorts.find((known) => sort?.endsWith(known));
  return by === undefined ? oldestTokensFirst : { by, isAscending: sort === by };
}

/** Converts the fields of a token from the request to the services. */
function storedFields<T extends { blocked?: boolean; userId?: string | null; expiresAt?: string | null }>(
  body: T,
) {
  const { blocked, ...rest } = storedTokenFields(body);
  return { ...rest, ...(blocked !== undefined && { isValid: !blocked }) };
}

const params = idParams('Token');

/** Registers the routes of tokens for operators. */
export function idTokenRoutes(app: App, deps: ApiDeps): void {
  const cached = (views: typeof named) => ({
    views,
    items: new ListItemCache({
      schema: TokenItem,
      idOf: ({ id }: Versioned<IdTokenOfDriver>) => id,
      view: views.item,
      versionOf: ({ rowVersion }) => rowVersion,
      validForMs: tokenValidForMs,
    }),
    single: new ItemCache({
      schema: Token,
      view: (read: SingleIdToken) => views.detail(read),
      validForMs: ({ token, chargersMustForget }) => (chargersMustForget ? 0 : tokenValidForMs(token)),
      tagOf: ({ token }) => token.version,
    }),
  });
  const withNames = cached(named);
  const withoutNames = cached(anonymous);
  const shownTo = (caller: Caller) => (readsDrivers(caller) ? withNames : withoutNames);

  app.route({
    method: 'GET',
    url: '/id-tokens',
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      operationId: 'listIdTokens',
      summary: 'List tokens',
      description: '`search` matches a part of the uid, the visual number or the contract identifier.',
      querystring: Type.Object({
        ...cursorQuery,
        ...networkQuery,
        ...tokenQuery,
        groupId: Type.Optional(
          Text(36, { description: 'Group of tokens to filter by.', examples: ['FLEET-7'] }),
        ),
        search: Type.Optional(
          Text(64, {
            description: 'Part of the uid, the visual number or the contract identifier to filter by.',
            examples: ['04A1B2'],
          }),
        ),
        sort: Type.Optional(
          OneOf(sorts, 'Order of the list; a minus means descending. Default: `createdAt`, oldest first.'),
        ),
      }),
      response: { 200: CursorEnvelope(TokenItem, 'One page of tokens.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { userId, tokenType, valid, groupId, search, sort } = request.query;
      const networkUuid = networkOf(request.query);
      const filter = { networkUuid, userUuid: userId, type: tokenType, valid, groupId, search };
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      const { items } = shownTo(caller);
      return items.send(request, reply, [caller.networks, caller.userId, items === withNames.items], {
        async find() {
          const { rows, nextCursor } = await findIdTokens(deps, caller, filter, orderOf(sort), slice);
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
      operationId: 'getIdToken',
      summary: 'Get a token',
      description:
        'Shows how many chargers still hold an outdated state of the token in their local list or cache.',
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
      const caller = callerOf(request);
      const { single } = shownTo(caller);
      return sendVersioned(reply, await single.read(uuid, idTokenItem(deps, caller, uuid)));
    },
  });

  app.route({
    method: 'POST',
    url: '/id-tokens',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      operationId: 'createIdToken',
      summary: 'Create a token',
      description:
        'A card or app token that authorizes charging at the chargers of its network. A uid is unique in its ' +
        'network, regardless of case (409).',
      body: NewToken,
      response: {
        201: VersionedEnvelope(TokenItem, 'The created token.'),
        ...cpmsErrors('OPERATOR_KEY_REQUIRED', 'NETWORK_NOT_FOUND', 'USER_NOT_FOUND', 'ID_TOKEN_EXISTS'),
      },
    },
    handler: async (request, reply) => {
      const { networkUuid, tokenType, ...body } = request.body;
      const { userUuid = null, ...rest } = storedFields(body);
      const network = { uuid: networkUuid, field: 'networkUuid' };
      const token = { ...rest, type: tokenType, userUuid };
      const made = await createIdToken(deps, actorOf(request), network, token);
      return versioned(reply.code(201), made, shownTo(callerOf(request)).views.item(made));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
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
        ...cpmsErrors('ID_TOKEN_NOT_FOUND', 'USER_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const { uuid } = request.params;
      const changed = await changeIdToken(deps, actorOf(request), uuid, expected, storedFields(request.body));
      return versioned(reply, changed.token, shownTo(callerOf(request)).views.detail(changed));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/id-tokens/:uuid',
    config: { scope: 'cpms:write:id-tokens' },
    schema: {
      operationId: 'deleteIdToken',
      summary: 'Invalidate a token permanently',
      description:
        'The token is refused from the next authorization on, and chargers that hold it are notified. ' +
        'Invalidation cannot be undone.',
      params,
      headers: ifMatchHeaders,
      response: {
        200: Deleted('Token', 'The token is invalid.', { pendingChargers: Holders }),
        ...cpmsErrors('ID_TOKEN_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const expected = expectedVersion(request.headers);
      const { holders } = await invalidateIdToken(deps, actorOf(request), uuid, expected);
      return deleted(uuid, { pendingChargers: holders });
    },
  });
}
