import { bodyForm, form } from '#api/routes/ocpi/form.ts';
import { knownType } from '#api/routes/ocpi/standard/surface.ts';
import type { Surface } from '#api/routes/ocpi/surface.ts';
import type { ImmediateAnswer } from '#api/services/roaming/commands/requests.service.ts';
import { cdrObject } from '#api/services/roaming/wire/v211/cdr.ts';
import { command221, CommandBody, commandResponse } from '#api/services/roaming/wire/v211/command.ts';
import { connectorObject, evseObject, locationObject } from '#api/services/roaming/wire/v211/location.ts';
import { sessionObject } from '#api/services/roaming/wire/v211/session.ts';
import { tariffObject } from '#api/services/roaming/wire/v211/tariff.ts';
import {
  patch221,
  Token,
  token221,
  TokenPatch,
  tokenTypes,
  tokenView,
} from '#api/services/roaming/wire/v211/token.ts';
import { CommandResponse } from './command.ts';
import { Connector, Evse, Location } from './location.ts';
import { Cdr, Session } from './session.ts';
import { Tariff } from './tariff.ts';

/** OCPI 2.1.1. */
export const surface211: Surface = {
  version: '2.1.1',
  end: '211',
  hasSingleReads: false,
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
  commandResponse: form(CommandResponse, ({ answer }: ImmediateAnswer) => commandResponse(answer)),
};
