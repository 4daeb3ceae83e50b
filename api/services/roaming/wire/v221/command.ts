import { type Static, Type } from 'typebox';
import type { CallingPartner } from '#api/services/roaming/partners.service.ts';
import type { CommandType } from '#shared/domain/roaming/ocpi-command.ts';
import type { CdrToken, OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import type { NamedPlace } from '#shared/postgres/roaming/ocpi-places.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { invalid, OcpiDateTime, ocpiTime } from '#api/services/roaming/wire/date-time.ts';
import { WireUrl } from '#api/services/roaming/wire/text.ts';

/** The token that a partner vouches for. */
export interface VouchedToken {
  token: CdrToken;
  groupId: string | null;
  authorizationReference: string | null;
}

/** A command as a partner sends it (OCPI 2.2.1 §13.3), in our names. */
export type SentCommand =
  | ({ type: 'START_SESSION' } & VouchedToken & NamedPlace)
  | ({ type: 'RESERVE_NOW'; expiresAt: Date; reservationRef: string } & VouchedToken & NamedPlace)
  | { type: 'STOP_SESSION'; sessionId: string }
  | { type: 'CANCEL_RESERVATION'; reservationRef: string }
  | ({ type: 'UNLOCK_CONNECTOR' } & NamedPlace);

/** OCPI's CiString: printable ASCII (2.2.1 §16.1). */
const ciString = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[ -~]*$',
    description: `text of 1 to ${maxLength} printable ASCII characters`,
  });

export const ResponseUrl = WireUrl('where the result is POSTed');

/** Token of a command. Without its party: that of the requesting party. */
const commandToken = <TokenType extends string>(types: readonly TokenType[]) =>
  Type.Object({
    country_code: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters' })),
    party_id: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9]{3}$', description: 'three letters or digits' }),
    ),
    uid: ciString(36),
    type: Type.Unsafe<TokenType>({ type: 'string', enum: [...types] }),
    contract_id: Type.Optional(ciString(36)),
    group_id: Type.Optional(ciString(36)),
  });

/** Returns the schema of the bodies of all commands (OCPI 2.2.1 §13.3) with the token types of a version. */
export const commandBodyWith = <TokenType extends string>(types: readonly TokenType[]) =>
  Type.Object({
    response_url: ResponseUrl,
    token: Type.Optional(commandToken(types)),
    location_id: Type.Optional(ciString(36)),
    evse_uid: Type.Optional(ciString(36)),
    connector_id: Type.Optional(ciString(36)),
    authorization_reference: Type.Optional(ciString(36)),
    session_id: Type.Optional(ciString(36)),
    reservation_id: Type.Optional(ciString(36)),
    expiry_date: Type.Optional(OcpiDateTime('when the reservation ends')),
  });

/** The bodies of all commands; which fields must be there is each one's own. */
export const CommandBody = commandBodyWith<OcpiTokenType>(idTokenTypes);
export type CommandBody = Static<typeof CommandBody>;

/**
 * A command as its partner sent it.
 * @throws {DomainError} VALIDATION_FAILED (2001) when a field is missing.
 */
export function sentCommand(type: CommandType, partner: CallingPartner, body: CommandBody): SentCommand {
  switch (type) {
    case 'START_SESSION':
      return { type, ...vouchedToken(partner, body), ...place(body) };
    case 'RESERVE_NOW':
      return {
        type,
        ...vouchedToken(partner, body),
        ...place({ ...body, connector_id: undefined }),
        expiresAt: ocpiTime('expiry_date', needed(body, 'expiry_date')),
        reservationRef: needed(body, 'reservation_id'),
      };
    case 'STOP_SESSION':
      return { type, sessionId: needed(body, 'session_id') };
    case 'CANCEL_RESERVATION':
      return { type, reservationRef: needed(body, 'reservation_id') };
    default:
  }
  needed(body, 'evse_uid');
  needed(body, 'connector_id');
  return { type, ...place(body) };
}

function vouchedToken(partner: CallingPartner, body: CommandBody): VouchedToken {
  const token = needed(body, 'token');
  const { countryCode, partyId } = partner.client ?? partner;
  const isNamed = token.country_code !== undefined && token.party_id !== undefined;
  if (partner.hubParties !== null && partner.client === null && !isNamed) {
    throw invalid(
      'token.party_id',
      'and token.country_code are required when no party behind the hub sends the request',
    );
  }
  const party = {
    country_code: (token.country_code ?? countryCode ?? '').toUpperCase(),
    party_id: (token.party_id ?? partyId ?? '').toUpperCase(),
  };
  return {
    token: {
      ...party,
      uid: token.uid,
      type: token.type,
      contract_id: token.contract_id ?? token.uid,
    },
    groupId: token.group_id ?? null,
    authorizationReference: body.authorization_reference ?? null,
  };
}

function place(body: CommandBody) {
  const { evse_uid: evseUid = null, connector_id: connectorId = null } = body;
  // §13.3.5.
  if (connectorId !== null && evseUid === null) throw invalid('evse_uid', 'is required with connector_id');
  return { locationId: needed(body, 'location_id'), evseUid, connectorId };
}

function needed<Name extends keyof CommandBody>(
  body: CommandBody,
  name: Name,
): NonNullable<CommandBody[Name]> {
  const value = body[name];
  if (value === undefined) throw invalid(name, 'is required');
  return value;
}
