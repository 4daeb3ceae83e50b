import { bodyErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import { OneOf } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listPartnerTokens,
  patchPartnerToken,
  putPartnerToken,
  readPartnerToken,
} from '#api/services/roaming/tokens.ts';
import { Token, TokenPatch, tokenView } from '#api/services/roaming/wire/token.ts';
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
  tellSlice,
} from './envelope.ts';

const config = { ocpiModule: 'tokens' };
const tags = ['roaming'];
const Uid = Type.String({ minLength: 1, maxLength: 36 });
const TokenParams = Type.Object({
  country_code: Type.String({ minLength: 2, maxLength: 2 }),
  party_id: Type.String({ minLength: 3, maxLength: 3 }),
  token_uid: Uid,
});
const ofType = Type.Optional(OneOf(idTokenTypes, 'That of the body, else RFID, where it is left out'));
const unknownToken = ocpiErrors('ID_TOKEN_NOT_FOUND');
const badToken = ocpiErrors(...bodyErrors);

/** The partner's tokens as we know them, on the documented surface (`/cpo/2.2`) and on the standard's (`/cpo/2.2.1`). */
export function tokenRoutes(app: App, deps: ApiDeps): void {
  tokensIn(app, deps, { base: '/cpo/2.2/tokens', named: '22' });
  lists(app, deps);
  if (deps.settings.ocpiStrict) tokensIn(app, deps, { base: '/cpo/2.2.1/tokens', named: '221' });
}

/** What the standard's receiver serves (OCPI 2.2.1 §12.2.1), and the documented surface too. */
function tokensIn(app: App, deps: ApiDeps, { base, named }: { base: string; named: string }): void {
  const url = `${base}/:country_code/:party_id/:token_uid`;
  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      tags,
      operationId: `ocpiGetToken${named}`,
      summary: 'A token of yours, as it is stored here',
      params: TokenParams,
      querystring: Type.Object({ type: ofType }),
      response: { 200: OcpiEnvelope(Token, 'The token'), ...unknownToken },
    },
    handler: async (request) => {
      const { params, query } = request;
      return ocpiSuccess(tokenView(await readPartnerToken(deps, partnerOf(request), params, query.type)));
    },
  });

  app.route({
    method: 'PUT',
    url,
    config,
    schema: {
      tags,
      operationId: `ocpiPutToken${named}`,
      summary: 'Tell a token of yours, new or changed',
      params: TokenParams,
      querystring: Type.Object({ type: ofType }),
      body: Token,
      response: { 200: OcpiDone, ...badToken },
    },
    handler: async (request) => {
      const { params, query, body } = request;
      await putPartnerToken(deps, partnerOf(request), params, query.type ?? body.type, body);
      return ocpiDone();
    },
  });

  app.route({
    method: 'PATCH',
    url,
    config,
    schema: {
      tags,
      operationId: `ocpiPatchToken${named}`,
      summary: 'Change fields of a token of yours; `last_updated` must be among them',
      params: TokenParams,
      querystring: Type.Object({ type: ofType }),
      body: TokenPatch,
      response: { 200: OcpiDone, ...ocpiErrors('ID_TOKEN_NOT_FOUND', ...bodyErrors) },
    },
    handler: async (request) => {
      const { params, query, body } = request;
      const type = query.type ?? body.type ?? 'RFID';
      await patchPartnerToken(deps, partnerOf(request), params, type, body);
      return ocpiDone();
    },
  });
}

/** What the documented surface has beside the standard: the list, and a token by its uid alone. */
function lists(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/cpo/2.2/tokens',
    config,
    schema: {
      tags,
      operationId: 'ocpiListTokens22',
      summary: 'Your tokens, as they are stored here',
      querystring: Type.Object(ocpiListQuery),
      response: { 200: OcpiListEnvelope(Token, 'The tokens'), ...ocpiErrors() },
    },
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listPartnerTokens(deps, partnerOf(request), slice);
      const url = `${deps.settings.publicUrl}/ocpi/cpo/2.2/tokens`;
      tellSlice(reply, url, request.query, slice, total);
      return ocpiSuccess(rows.map(tokenView));
    },
  });

  app.route({
    method: 'GET',
    url: '/cpo/2.2/tokens/:token_uid',
    config,
    schema: {
      tags,
      operationId: 'ocpiGetTokenByUid22',
      summary: 'A token of yours by its uid alone',
      params: Type.Object({ token_uid: Uid }),
      querystring: Type.Object({ type: ofType }),
      response: { 200: OcpiEnvelope(Token, 'The token'), ...unknownToken },
    },
    handler: async (request) => {
      const { params, query } = request;
      return ocpiSuccess(tokenView(await readPartnerToken(deps, partnerOf(request), params, query.type)));
    },
  });
}
