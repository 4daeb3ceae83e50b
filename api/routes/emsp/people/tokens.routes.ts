import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
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
import { Closed, idParams, largeTotals, pageOf, pageQuery, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  createIdToken,
  type IdTokenDetailRecord,
  invalidateIdToken,
  pageIdTokens,
  readAnyIdToken,
} from '#api/services/people/id-tokens.service.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';

const Token = Type.Object(
  { ...shownToken, networkId: Uuid('Network identifier.') },
  { title: 'Token', description: 'The token.' },
);

const NewToken = Closed({
  ...optionalTokenFields,
  ...tokenNames,
  tokenType: TokenType,
  networkId: Type.Optional(
    Uuid('Network of the token. Required for a token without a driver when the key has several networks.'),
  ),
});

const Invalidated = Type.Object(
  {
    success: Type.Literal(true, { description: 'Always true: the token is invalid, now or before.' }),
    id: Uuid('The token.'),
    action: Type.Literal('invalidate', { description: 'Always `invalidate`.' }),
    message: Str('Outcome as a sentence.', 'The token is invalid.'),
    pendingChargers: Holders,
  },
  { title: 'InvalidatedToken', description: 'The token is invalid.' },
);

const view = (token: IdTokenDetailRecord) => ({ ...tokenView(token), networkId: token.networkUuid });
const params = idParams('Token', 'id');
const whoSees = 'Operator keys see the tokens of their networks, driver keys their own.';

/** Registers the routes of tokens. */
export function tokenRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /auth/tokens', 'emsp:write', {
    operationId: 'createToken',
    summary: 'Create a token (operator keys)',
    description:
      'A card or app token that authorizes charging at the chargers of its network. A uid is unique in its ' +
      'network, regardless of case (409).',
    body: NewToken,
    response: {
      201: Token,
      ...problems('Token', 'OPERATOR_KEY_REQUIRED', 'NETWORK_NOT_FOUND', 'USER_NOT_FOUND', 'ID_TOKEN_EXISTS'),
    },
    handler: async (request, reply) => {
      const { networkId, tokenType, ...body } = request.body;
      const { userUuid = null, ...token } = storedTokenFields(body);
      const network = { uuid: networkId, field: 'networkId' };
      const stored = { ...token, type: tokenType, userUuid };
      return reply.code(201).send(view(await createIdToken(deps, actorOf(request), network, stored)));
    },
  });

  operation(app, 'GET /auth/tokens', 'emsp:read', {
    operationId: 'listTokens',
    summary: 'List tokens with invalidated ones',
    description: `${whoSees} ${largeTotals}`,
    querystring: Type.Object({ ...pageQuery, ...tokenQuery }),
    response: { 200: List(Token, 'One page of tokens, oldest first.'), ...problems('Token') },
    handler: async (request) => {
      const { userId, tokenType, valid } = request.query;
      const page = pageOf(request.query);
      const filter = { userUuid: userId, type: tokenType, valid };
      const { rows, total } = await pageIdTokens(deps, callerOf(request), filter, page);
      return listPage(rows.map(view), page, total);
    },
  });

  operation(app, 'GET /auth/tokens/:id', 'emsp:read', {
    operationId: 'getToken',
    summary: 'Get a token',
    description: whoSees,
    params,
    response: { 200: Token, ...problems('Token', 'ID_TOKEN_NOT_FOUND') },
    handler: async (request) => view(await readAnyIdToken(deps, callerOf(request), request.params.id)),
  });

  operation(app, 'DELETE /auth/tokens/:id', 'emsp:write', {
    operationId: 'invalidateToken',
    summary: 'Invalidate a token permanently',
    description: `${whoSees} Both can invalidate a token; only operators can invalidate one that is blocked or expired. Chargers that hold the token are notified. A repeat changes nothing.`,
    params,
    response: { 200: Invalidated, ...problems('Token', 'ID_TOKEN_NOT_FOUND', 'ID_TOKEN_BLOCKED') },
    handler: async (request) => {
      const { id } = request.params;
      const { holders, wasValid } = await invalidateIdToken(deps, actorOf(request), id, null);
      return {
        success: true as const,
        id: id.toLowerCase(),
        action: 'invalidate' as const,
        message: wasValid ? 'The token is invalid.' : 'The token was already invalid.',
        pendingChargers: holders,
      };
    },
  });
}
