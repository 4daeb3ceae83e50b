import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { isStandardSurface, partnerOf, usesOcpiStatuses } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import { OneOf } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listPartnerTokens,
  patchPartnerToken,
  putPartnerToken,
  readPartnerToken,
} from '#api/services/roaming/tokens.service.ts';
import { Token, tokenView } from '#api/services/roaming/wire/v221/token.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import {
  OcpiDone,
  ocpiDone,
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { tokens } from './standard/surface.ts';
import type { Surface } from './surface.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'tokens' };
const Uid = Type.String({ minLength: 1, maxLength: 36, description: 'Token identifier.' });
const TokenParams = Type.Object({
  country_code: Type.String({
    minLength: 2,
    maxLength: 2,
    description: 'Country of the party (ISO 3166-1 alpha-2).',
  }),
  party_id: Type.String({ minLength: 3, maxLength: 3, description: 'OCPI party identifier.' }),
  token_uid: Uid,
});
const typeText = 'Type of the token. Default: the type in the body, otherwise RFID.';
const ofType = (types: readonly string[]) => Type.Optional(OneOf(types, typeText));
const unknownToken = ocpiErrors('ID_TOKEN_NOT_FOUND');
const badToken = ocpiErrors();

/** Registers the routes of the partner's stored tokens, on all surfaces. */
export function tokenRoutes(app: App, deps: ApiDeps): void {
  tokensIn(app, deps, { version: '2.2', end: '22', token: tokens });
  lists(app, deps);
  if (!deps.settings.ocpiStrict) return;
  for (const surface of surfaces) tokensIn(app, deps, surface);
}

/** Registers the receiver interface of the standard (OCPI 2.2.1 §12.2.1), which the documented surface shares. */
function tokensIn(
  app: App,
  deps: ApiDeps,
  { version, end, token }: Pick<Surface, 'version' | 'end' | 'token'>,
): void {
  const created = isStandardSurface(`/ocpi/cpo/${version}/`) && { 201: OcpiDone };
  const url = `/cpo/${version}/tokens/:country_code/:party_id/:token_uid`;
  const querystring = Type.Object({ type: ofType(token.types) });
  const typeIn = ({ type }: { type?: string }) => (type === undefined ? undefined : token.typeOf(type));
  operation(app, `GET ${url}`, config, {
    operationId: `ocpiGetToken${end}`,
    summary: 'Get a stored token of the calling party',
    description:
      'Without `type` the RFID token with the uid is preferred. Tokens of other parties are not found.',
    params: TokenParams,
    querystring,
    response: { 200: OcpiEnvelope(token.object.schema, 'The token.'), ...unknownToken },
    handler: async (request) => {
      const { params, query } = request;
      const stored = await readPartnerToken(deps, partnerOf(request), params, typeIn(query));
      return ocpiSuccess(token.object.view(stored));
    },
  });

  operation(app, `PUT ${url}`, config, {
    operationId: `ocpiPutToken${end}`,
    summary: 'Create or replace a token of the calling party',
    description:
      'The country, party and uid of the path must match the body, and the party must belong to the caller. ' +
      'Takes effect at the next authorization.',
    params: TokenParams,
    querystring,
    body: token.put.schema,
    response: { 200: OcpiDone, ...created, ...badToken },
    handler: async (request, reply) => {
      const { params, query } = request;
      const body = token.put.read(request.body, params);
      const type = typeIn(query) ?? body.type;
      const isNew = await putPartnerToken(deps, partnerOf(request), params, type, body);
      void reply.code(isNew && usesOcpiStatuses(request) ? 201 : 200);
      return ocpiDone();
    },
  });

  operation(app, `PATCH ${url}`, config, {
    operationId: `ocpiPatchToken${end}`,
    summary: 'Update a token of the calling party; `last_updated` is required, and null removes a value',
    description:
      'Omitted fields stay. Takes effect at the next authorization. Tokens of other parties are not found.',
    params: TokenParams,
    querystring,
    body: token.patch.schema,
    response: { 200: OcpiDone, ...ocpiErrors('ID_TOKEN_NOT_FOUND') },
    handler: async (request) => {
      const { params, query } = request;
      const body = token.patch.read(request.body, undefined);
      const type = typeIn(query) ?? body.type ?? 'RFID';
      await patchPartnerToken(deps, partnerOf(request), params, type, body);
      return ocpiDone();
    },
  });
}

/** Registers the additional routes of the documented surface: the list, and a token by its uid. */
function lists(app: App, deps: ApiDeps): void {
  operation(app, 'GET /cpo/2.2/tokens', config, {
    operationId: 'ocpiListTokens22',
    summary: 'List the stored tokens of the calling party',
    description:
      'Tokens as the calling partner sent them. `date_from` and `date_to` select by `last_updated`.',
    querystring: Type.Object(ocpiListQuery),
    response: { 200: OcpiListEnvelope(Token, 'The tokens.'), ...ocpiErrors() },
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listPartnerTokens(deps, partnerOf(request), slice);
      const url = `${deps.settings.publicUrl}/ocpi/cpo/2.2/tokens`;
      setSliceHeaders(reply, url, request.query, slice, total);
      return ocpiSuccess(rows.map(tokenView));
    },
  });

  operation(app, 'GET /cpo/2.2/tokens/:token_uid', config, {
    operationId: 'ocpiGetTokenByUid22',
    summary: 'Get a token of the calling party by its uid',
    description: '`type` selects one of several tokens with the uid. Tokens of other parties are not found.',
    params: Type.Object({ token_uid: Uid }),
    querystring: Type.Object({ type: Type.Optional(OneOf(idTokenTypes, typeText)) }),
    response: { 200: OcpiEnvelope(Token, 'The token.'), ...unknownToken },
    handler: async (request) => {
      const { params, query } = request;
      return ocpiSuccess(tokenView(await readPartnerToken(deps, partnerOf(request), params, query.type)));
    },
  });
}
