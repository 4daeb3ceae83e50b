import { bodyForm, form } from '#api/routes/ocpi/form.ts';
import { commandResponses, knownType } from '#api/routes/ocpi/standard/surface.ts';
import type { Surface } from '#api/routes/ocpi/surface.ts';
import { cdrObject } from '#api/services/roaming/wire/v230/cdr.ts';
import { CommandBody } from '#api/services/roaming/wire/v230/command.ts';
import { connectorObject, evseObject, locationObject } from '#api/services/roaming/wire/v230/location.ts';
import { sessionObject } from '#api/services/roaming/wire/v230/session.ts';
import { tariffObject } from '#api/services/roaming/wire/v230/tariff.ts';
import { Token, TokenPatch, tokenView } from '#api/services/roaming/wire/v230/token.ts';
import { ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';
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
    types: ocpiTokenTypes,
    typeOf: knownType,
    object: form(Token, tokenView),
    put: bodyForm(Token, (body) => body),
    patch: bodyForm(TokenPatch, (body) => body),
  },
  command: bodyForm(CommandBody, (body) => body),
  commandResponse: commandResponses,
};
