import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, NetworkNumber, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type ClaimedToken,
  chooseUidOwner,
  listPartnerTokensWithUid,
} from '#api/services/roaming/token-owners.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { CountryCode, PartyId } from './ocpi-partner-view.ts';
import { partnerTokenFields, TokenUid } from './ocpi-partner-tokens.routes.ts';

const PartnerToken = Type.Object({
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  partnerId: Uuid('Roaming partner that the token belongs to.'),
  partnerName: Str('Name of the roaming partner.'),
  ...partnerTokenFields,
  isOwner: Flag(
    'True when the party of the token authorizes cards with this uid. Tokens of other parties are kept and ' +
      'have no effect.',
  ),
});
const PartnerTokens = Envelope(Type.Array(PartnerToken), 'Tokens with the uid; the owner of the uid first.');

function tokenView({ partnerUuid, isValid, lastUpdated, knownSince, ...token }: ClaimedToken) {
  return {
    ...token,
    partnerId: partnerUuid,
    valid: isValid,
    lastUpdated: lastUpdated.toISOString(),
    knownSince: knownSince.toISOString(),
  };
}

/** Registers the routes of tokens of roaming partners that share a uid. */
export function ocpiTokenRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /ocpi-tokens', 'cpms:read:ocpi-partners', {
    operationId: 'listOcpiTokens',
    summary: 'List the tokens of roaming partners with a uid',
    description:
      'A charger sends only the uid of a card. Where several parties have a token with the uid, the party whose ' +
      'token was received first authorizes the card, unless an operator chose another.',
    querystring: Type.Object({
      ...networkQuery,
      uid: TokenUid,
    }),
    response: { 200: PartnerTokens, ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const { query } = request;
      const tokens = await listPartnerTokensWithUid(deps, callerOf(request), networkOf(query), query.uid);
      return success(tokens.map(tokenView));
    },
  });

  operation(app, 'POST /ocpi-tokens/owner', 'cpms:write:ocpi-partners', {
    operationId: 'chooseOcpiTokenOwner',
    summary: 'Choose the party that authorizes a uid of several parties',
    description:
      'Applies to the next authorization of a card with this uid at the chargers of the network. Running ' +
      'sessions keep their party.',
    body: Closed({
      networkUuid: Type.Optional(
        Uuid('Network of the token. Required when the caller has several networks.'),
      ),
      uid: TokenUid,
      countryCode: CountryCode,
      partyId: PartyId,
    }),
    response: {
      200: PartnerTokens,
      ...cpmsErrors('NETWORK_NOT_FOUND', 'ID_TOKEN_NOT_FOUND'),
    },
    handler: async (request) => {
      const { networkUuid, ...choice } = request.body;
      const tokens = await chooseUidOwner(deps, actorOf(request), { ...choice, networkUuid });
      return success(tokens.map(tokenView));
    },
  });
}
