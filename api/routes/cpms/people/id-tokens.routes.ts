import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  Holders,
  optionalTokenFields,
  shownToken,
  storedTokenFields,
  tokenNames,
  tokenQuery,
  TokenType,
  tokenView,
} from '#api/routes/id-token-view.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Flag,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { oldestTokensFirst, type TokenOrder, tokenSorts } from '#shared/domain/people/token-order.ts';
import { readsDrivers } from '#api/services/charging/operator-sessions.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeIdToken,
  createIdToken,
  readIdToken,
  type IdTokenOfDriver,
  type IdTokenWithHolders,
  invalidateIdToken,
  listOperatorIdTokens,
} from '#api/services/people/id-tokens.service.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

export const blocked = Flag('True blocks the token until it is unblocked.');

const fields = {
  ...shownToken,
  driverName: Nullable(
    Str(
      'Name of the driver. Null when the token belongs to no driver, and for callers without the scope ' +
        '`cpms:read:users`.',
      'Anna Driver',
    ),
  ),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  blocked,
  isDriverBlocked: Flag('True when the driver of the token is blocked.'),
  version: Version,
};
const TokenItem = Named('IdTokenSummary', fields);
const Token = Named('IdToken', { ...fields, pendingChargers: Holders });

const change = { ...optionalTokenFields, blocked: Type.Optional(blocked) };
const TokenChange = Type.Object(change, { additionalProperties: false, minProperties: 1 });
const NewToken = Closed({
  ...change,
  ...tokenNames,
  tokenType: TokenType,
  networkUuid: Type.Optional(
    Uuid('Network of the token. Required for a token without a driver when the caller has several networks.'),
  ),
});

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

const viewsOf = (caller: Caller) => (readsDrivers(caller) ? named : anonymous);

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

/** Registers the routes of tokens for operators. */
export function idTokenRoutes(app: App, deps: ApiDeps): void {
  const tokens = new VersionedResource(app, {
    path: '/id-tokens',
    name: 'Token',
    scopes: { read: 'cpms:read:id-tokens', write: 'cpms:write:id-tokens' },
    notFound: 'ID_TOKEN_NOT_FOUND',
  });
  const list = CursorEnvelope(TokenItem, 'One page of tokens.');
  const pages = new SharedPages(list);

  operation(app, 'GET /id-tokens', 'cpms:read:id-tokens', {
    operationId: 'listIdTokens',
    summary: 'List tokens',
    description: '`search` matches a part of the uid, the visual number or the contract identifier.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      ...tokenQuery,
      groupId: Type.Optional(Text(36, 'Group of tokens to filter by.', 'FLEET-7')),
      search: Type.Optional(
        Text(64, 'Part of the uid, the visual number or the contract identifier to filter by.', '04A1B2'),
      ),
      sort: Type.Optional(
        OneOf(sorts, 'Order of the list; a minus means descending. Default: `createdAt`, oldest first.'),
      ),
    }),
    response: { 200: list, ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request, reply) => {
      const { userId, tokenType, valid, groupId, search, sort } = request.query;
      const networkUuid = networkOf(request.query);
      const filter = { networkUuid, userUuid: userId, type: tokenType, valid, groupId, search };
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      const scope = [caller.networks, caller.userId, readsDrivers(caller)];
      return pages.send(request, reply, scope, async () => {
        const { rows, nextCursor } = await listOperatorIdTokens(deps, caller, filter, orderOf(sort), slice);
        return successSlice(rows.map(viewsOf(caller).item), nextCursor);
      });
    },
  });

  tokens.get({
    operationId: 'getIdToken',
    summary: 'Get a token',
    description:
      'Shows how many chargers still hold an outdated state of the token in their local list or cache.',
    answer: [Token, 'The token, with the number of chargers that hold an outdated state of it.'],
    read: async (caller, uuid) => {
      const read = await readIdToken(deps, caller, uuid);
      return [read.token, viewsOf(caller).detail(read)] as const;
    },
  });

  tokens.post({
    operationId: 'createIdToken',
    summary: 'Create a token',
    description:
      'A card or app token that authorizes charging at the chargers of its network. A uid is unique in its ' +
      'network, regardless of case (409).',
    body: NewToken,
    answer: [TokenItem, 'The created token.'],
    errors: ['OPERATOR_KEY_REQUIRED', 'NETWORK_NOT_FOUND', 'USER_NOT_FOUND', 'ID_TOKEN_EXISTS'],
    create: async (by, { networkUuid, tokenType, ...body }) => {
      const { userUuid = null, ...rest } = storedFields(body);
      const network = { uuid: networkUuid, field: 'networkUuid' };
      const made = await createIdToken(deps, by, network, { ...rest, type: tokenType, userUuid });
      return [made, viewsOf(by.caller).item(made)] as const;
    },
  });

  tokens.patch({
    operationId: 'updateIdToken',
    summary: 'Update, block or unblock a token',
    description:
      'The change applies from the next authorization. Chargers that may hold the token in their cache or local ' +
      'list are notified when the change restricts it; offline chargers when they reconnect.',
    body: TokenChange,
    answer: [Token, 'The token after the change.'],
    errors: ['USER_NOT_FOUND'],
    change: async (by, uuid, expected, body) => {
      const changed = await changeIdToken(deps, by, uuid, expected, storedFields(body));
      return [changed.token, viewsOf(by.caller).detail(changed)] as const;
    },
  });

  tokens.delete({
    operationId: 'deleteIdToken',
    summary: 'Invalidate a token permanently',
    description:
      'The token is refused from the next authorization on, and chargers that hold it are notified. ' +
      'Invalidation cannot be undone.',
    answer: 'The token is invalid.',
    extra: { pendingChargers: Holders },
    remove: async (by, uuid, expected) => {
      const { holders } = await invalidateIdToken(deps, by, uuid, expected);
      return { pendingChargers: holders };
    },
  });
}
