import type { OcpiConnector, OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.ts';
import type { OcpiTariff } from '#api/services/roaming/tariffs.ts';
import { type CommandBody, CommandBody as CommandBody221 } from '#api/services/roaming/wire/v221/command.ts';
import { connectorObject } from '#api/services/roaming/wire/v221/connector.ts';
import { evseObject } from '#api/services/roaming/wire/v221/evse.ts';
import { locationObject } from '#api/services/roaming/wire/v221/location.ts';
import { type PartnerSessionReading, sessionObject } from '#api/services/roaming/wire/v221/session.ts';
import { tariffObject } from '#api/services/roaming/wire/v221/tariff.ts';
import {
  type Token,
  Token as Token221,
  type TokenPatch,
  TokenPatch as TokenPatch221,
  tokenView,
} from '#api/services/roaming/wire/v221/token.ts';
import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';
import { cdrObject } from '#api/services/roaming/wire/v230/cdr.ts';
import { command221, CommandBody as CommandBody230 } from '#api/services/roaming/wire/v230/command.ts';
import * as location230 from '#api/services/roaming/wire/v230/location.ts';
import { sessionObject as session230 } from '#api/services/roaming/wire/v230/session.ts';
import { tariffObject as tariff230 } from '#api/services/roaming/wire/v230/tariff.ts';
import * as token230 from '#api/services/roaming/wire/v230/token.ts';
import { type IdTokenType, idTokenTypes } from '#shared/domain/charging/session.ts';
import type { OcpiTokenRecord } from '#api/services/roaming/tokens.ts';
import { type BodyForm, bodyForm, type Form, form } from './form.ts';
import { Cdr as StandardCdr } from './standard/cdr.ts';
import { StandardConnector } from './standard/connector.ts';
import { StandardEvse } from './standard/evse.ts';
import { StandardLocation } from './standard/location.ts';
import { Session } from './standard/session.ts';
import { StandardTariff } from './standard/tariff.ts';
import * as schemas230 from './v230/location.ts';
import { Cdr as Cdr230, Session as Session230 } from './v230/session.ts';
import { Tariff as Tariff230 } from './v230/tariff.ts';

/** Tokens on a surface. */
export interface TokenForms {
  /** Types in the query of a request. */
  types: readonly string[];
  typeOf: (type: string) => IdTokenType;
  object: Form<OcpiTokenRecord>;
  put: BodyForm<Token>;
  patch: BodyForm<TokenPatch>;
}

/** Paths and forms of a version below `/ocpi/cpo`, as its standard has them. */
export interface Surface {
  version: string;
  /** Suffix of the operation ids. */
  end: string;
  location: Form<OcpiLocation>;
  evse: Form<OcpiEvse>;
  connector: Form<OcpiConnector>;
  tariff: Form<OcpiTariff>;
  session: Form<PartnerSessionReading>;
  cdr: Form<Cdr>;
  token: TokenForms;
  command: BodyForm<CommandBody>;
}

const same = <Body>(body: Body): Body => body;
const knownType = (type: string) => idTokenTypes.find((known) => known === type) ?? 'OTHER';

/** Tokens of 2.2 and 2.2.1. */
export const tokens221: TokenForms = {
  types: idTokenTypes,
  typeOf: knownType,
  object: form(Token221, tokenView),
  put: bodyForm(Token221, same),
  patch: bodyForm(TokenPatch221, same),
};

/** OCPI 2.2.1. */
const surface221: Surface = {
  version: '2.2.1',
  end: '221',
  location: form(StandardLocation, locationObject),
  evse: form(StandardEvse, evseObject),
  connector: form(StandardConnector, connectorObject),
  tariff: form(StandardTariff, tariffObject),
  session: form(Session, sessionObject),
  cdr: form(StandardCdr, same),
  token: tokens221,
  command: bodyForm(CommandBody221, same),
};

/** OCPI 2.3.0. */
const surface230: Surface = {
  version: '2.3.0',
  end: '230',
  location: form(schemas230.Location, location230.locationObject),
  evse: form(schemas230.Evse, location230.evseObject),
  connector: form(schemas230.Connector, location230.connectorObject),
  tariff: form(Tariff230, tariff230),
  session: form(Session230, session230),
  cdr: form(Cdr230, cdrObject),
  token: {
    types: token230.tokenTypes,
    typeOf: knownType,
    object: form(token230.Token, token230.tokenView),
    put: bodyForm(token230.Token, token230.token221),
    patch: bodyForm(token230.TokenPatch, token230.patch221),
  },
  command: bodyForm(CommandBody230, command221),
};

/** The surfaces that follow their standard exactly. */
export const surfaces: readonly Surface[] = [surface221, surface230];
