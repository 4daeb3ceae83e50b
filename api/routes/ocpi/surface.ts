import type { ImmediateAnswer } from '#api/services/roaming/commands/requests.service.ts';
import type { OcpiConnector, OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import type { OcpiTokenRecord } from '#api/services/roaming/tokens.service.ts';
import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';
import type { CommandBody } from '#api/services/roaming/wire/v221/command.ts';
import type { PartnerSessionReading } from '#api/services/roaming/wire/v221/session.ts';
import type { Token, TokenPatch } from '#api/services/roaming/wire/v221/token.ts';
import type { OcpiVersion, PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import type { BodyForm, Form } from './form.ts';

/** Tokens on a surface. */
export interface TokenForms {
  /** Types in the query of a request. */
  types: readonly string[];
  typeOf: (type: string) => OcpiTokenType;
  object: Form<OcpiTokenRecord>;
  put: BodyForm<Token, PartyOnWire>;
  patch: BodyForm<TokenPatch>;
}

/** Paths and forms of a version below `/ocpi/cpo`, as its standard has them. */
export interface Surface {
  version: OcpiVersion;
  /** Suffix of the operation ids. */
  end: string;
  /** True: sessions and CDRs can be read one by one, and sessions take charging preferences. */
  hasSingleReads: boolean;
  location: Form<OcpiLocation>;
  evse: Form<OcpiEvse>;
  connector: Form<OcpiConnector>;
  tariff: Form<OcpiTariff>;
  session: Form<PartnerSessionReading>;
  cdr: Form<Cdr>;
  token: TokenForms;
  command: BodyForm<CommandBody>;
  commandResponse: Form<ImmediateAnswer>;
}
