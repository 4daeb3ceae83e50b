import { bodyForm, form } from '#api/routes/ocpi/form.ts';
import { commandResponses, knownType } from '#api/routes/ocpi/standard/surface.ts';
import type { Surface } from '#api/routes/ocpi/surface.ts';
import { cdrObject } from '#api/services/roaming/wire/v230/cdr.ts';
import { command221, CommandBody } from '#api/services/roaming/wire/v230/command.ts';
import { connectorObject, evseObject, locationObject } from '#api/services/roaming/wire/v230/location.ts';
import { sessionObject } from '#api/services/roaming/wire/v230/session.ts';
import { tariffObject } from '#api/services/roaming/wire/v230/tariff.ts';
import {
  patch221,
  Token,
  token221,
  TokenPatch,
  tokenTypes,
  tokenView,
} from '#api/services/roaming/wire/v230/token.ts';
import { Connector, Evse, Location } from './location.ts';
import { Cdr, Session } from './session.ts';
import { Tariff } from './tariff.ts';

/** OCPI 2.3.0. */
export const surface230: Surface = {
  version: '2.3.0',
  end: '230',
  hasSingleReads: true,
  location: form(Location, locationObject),
  evse: form(Evse, evseObject),
  connector: form(Connector, connectorObject),
  tariff: form(Tariff, tariffObject),
  session: form(Session, sessionObject),
  cdr: form(Cdr, cdrObject),
  token: {
    types: tokenTypes,
    typeOf: knownType,
    object: form(Token, tokenView),
    put: bodyForm(Token, token221),
    patch: bodyForm(TokenPatch, patch221),
  },
  command: bodyForm(CommandBody, command221),
  commandResponse: commandResponses,
};
