import { bodyForm, form } from '#api/routes/ocpi/form.ts';
import type { Surface, TokenForms } from '#api/routes/ocpi/surface.ts';
import { sentCdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { CommandBody } from '#api/services/roaming/wire/v221/command.ts';
import { connectorObject } from '#api/services/roaming/wire/v221/connector.ts';
import { evseObject } from '#api/services/roaming/wire/v221/evse.ts';
import { locationObject } from '#api/services/roaming/wire/v221/location.ts';
import { sessionObject } from '#api/services/roaming/wire/v221/session.ts';
import { tariffObject } from '#api/services/roaming/wire/v221/tariff.ts';
import { Token, TokenPatch, tokenView } from '#api/services/roaming/wire/v221/token.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { type OcpiTokenType, ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';
import { Cdr } from './cdr.ts';
import { CommandResponse, commandResponse } from './command.ts';
import { StandardConnector } from './connector.ts';
import { StandardEvse } from './evse.ts';
import { StandardLocation } from './location.ts';
import { Session } from './session.ts';
import { StandardTariff } from './tariff.ts';

/** Returns the stored type of a token's type in a query. */
export function knownType(type: string): OcpiTokenType {
  return ocpiTokenTypes.find((known) => known === type) ?? 'OTHER';
}

/** Tokens of 2.2 and 2.2.1. */
export const tokens: TokenForms = {
  types: idTokenTypes,
  typeOf: knownType,
  object: form(Token, tokenView),
  put: bodyForm(Token, (body) => body),
  patch: bodyForm(TokenPatch, (body) => body),
};

/** CDRs of 2.2 and 2.2.1. */
export const cdrs = form(Cdr, sentCdr);

/** Responses to commands since 2.2. */
export const commandResponses = form(CommandResponse, commandResponse);

/** OCPI 2.2.1. */
export const surface221: Surface = {
  version: '2.2.1',
  end: '221',
  hasSingleReads: true,
  location: form(StandardLocation, locationObject),
  evse: form(StandardEvse, evseObject),
  connector: form(StandardConnector, connectorObject),
  tariff: form(StandardTariff, tariffObject),
  session: form(Session, sessionObject),
  cdr: cdrs,
  token: tokens,
  command: bodyForm(CommandBody, (body) => body),
  commandResponse: commandResponses,
};
