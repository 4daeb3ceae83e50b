import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  idParams,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listTokensOfPartner, type PartnerTokenRecord } from '#api/services/roaming/partner-tokens.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';

export const TokenUid = Text(36, 'Unique identifier of the token, such as the number of a card.', 'QUAY-1');

/** Fields of a partner's token in all lists. */
export const partnerTokenFields = {
  countryCode: Str('Country of the party (ISO 3166-1 alpha-2).', 'NL'),
  partyId: Str('OCPI party identifier.', 'HRB'),
  uid: Str('Unique identifier of the token, such as the number of a card.', 'QUAY-1'),
  type: OneOf(idTokenTypes, 'Kind of the token.'),
  contractId: Str('Contract identifier of the token (eMAID).', 'NL-HRB-C00000042-X'),
  valid: Flag('True when the token is valid.'),
  lastUpdated: DateTime("Time of the latest change, by the partner's clock."),
  knownSince: DateTime('Time at which the token was first received.'),
};

const PartnerToken = Named('OcpiPartnerToken', {
  ...partnerTokenFields,
  visualNumber: Nullable(Str('Number printed on the card. Null when the partner sent none.', '0042 7711')),
  issuer: Str('Issuer of the token.', 'Harbour Charging'),
  groupId: Nullable(Str('Group of the token. Null when it has none.', 'FLEET-7')),
  whitelist: OneOf(
    whitelists,
    'Rule for accepting the token without a real-time authorization by the partner (OCPI `whitelist`). ALWAYS: no request is sent. ' +
      'NEVER: a request is always sent.',
  ),
  isGranted: Flag(
    'True when the partner acts for the party of the token. A token of another party is kept and has no effect.',
  ),
});

function tokenView({ id: _id, isValid, lastUpdated, knownSince, ...token }: PartnerTokenRecord) {
  return {
    ...token,
    valid: isValid,
    lastUpdated: lastUpdated.toISOString(),
    knownSince: knownSince.toISOString(),
  };
}

/** Registers the route of the tokens of one roaming partner. */
export function ocpiPartnerTokenRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /ocpi-partners/:uuid/tokens', 'cpms:read:ocpi-partners', {
    operationId: 'listOcpiPartnerTokens',
    summary: 'List the tokens that a roaming partner has sent',
    description:
      "Cards and apps of the partner's drivers, as the partner pushed them or we pulled them. `valid=false` " +
      'selects those that it invalidated.',
    params: idParams('Roaming partner'),
    querystring: Type.Object({
      ...cursorQuery,
      uid: Type.Optional({ ...TokenUid, description: 'Uid of the tokens, in either case.' }),
      valid: Type.Optional(Flag('True: only valid tokens. False: only invalid tokens.')),
    }),
    response: {
      200: CursorEnvelope(
        PartnerToken,
        'One page of tokens, in the order in which they were first received.',
      ),
      ...cpmsErrors('PARTNER_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uid, valid } = request.query;
      const { rows, nextCursor } = await listTokensOfPartner(
        deps,
        callerOf(request),
        request.params.uuid,
        { uid, isValid: valid },
        cursorOf(request.query),
      );
      return successSlice(rows.map(tokenView), nextCursor);
    },
  });
}
