import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Decimal,
  Flag,
  Formed,
  Integer,
  Lines,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Url,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeNetwork,
  createNetwork,
  deleteNetwork,
  listOwnNetworks,
  type NetworkDetailRecord,
  readNetwork,
} from '#api/services/fleet/network-registry.ts';
import { minimumBalance } from '#api/services/kernel/amounts.ts';
import { newChargerRegistrations } from '#shared/domain/fleet/registration.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const Color = Formed('a color as #rrggbb, in lower case', '^#[0-9a-f]{6}$', {
  description: 'Color of the brand.',
  examples: ['#0a5c8f'],
});

const fields = {
  name: Text(100, 'Name of the network.', 'Harbour Charging'),
  timeZone: Str(
    'Time zone (IANA name) in which the days of analytics and reports begin.',
    'Europe/Amsterdam',
    { maxLength: 64 },
  ),
  countryCode: Formed('two upper-case letters (ISO 3166-1 alpha-2)', '^[A-Z]{2}$', {
    description: 'Country of the party (ISO 3166-1 alpha-2).',
    examples: ['NL'],
  }),
  partyId: Formed('three upper-case letters or digits', '^[A-Z0-9]{3}$', {
    description: 'OCPI party identifier.',
    examples: ['HRB'],
  }),
  language: Formed(
    'a language tag (BCP 47) beginning in lower case, such as nl or de-AT',
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    { description: 'Language of receipts, invoices and e-mails.', examples: ['nl'] },
  ),
  allowsUnauthenticatedChargers: Flag('True allows security profile 0.'),
  requiresVerifiedEmail: Flag(
    'True: drivers log in only after they verified their e-mail address (403 EMAIL_NOT_VERIFIED before).',
  ),
  requiresSecondFactor: Flag(
    'True: operators of the network need a second factor. An operator without one can only add one (403 ' +
      'SECOND_FACTOR_ENROLMENT_REQUIRED). API keys and accounts of an identity provider are not affected. ' +
      'A change requires the scope `cpms:write:operators` as well.',
  ),
  newChargerRegistration: OneOf(
    newChargerRegistrations,
    'Registration of new chargers. Pending: each is held until an operator accepts it.',
  ),
  minimumBalance: Decimal(
    'Minimum wallet balance for a session, by card, app or remote start; the latter two set it aside. 0: ' +
      'sessions require no wallet, and a wallet without movements has no effect; a wallet with movements must ' +
      'not be empty, and limits the sessions of its driver.',
    5,
    { minimum: 0, maximum: 1_000_000 },
  ),
  rateLimitPerMinute: Nullable(
    Integer(
      'Requests within a minute of all keys, operators, drivers and roaming partners of the network together; more ' +
        'are answered with 429. Callers that are not restricted to networks are not counted, and only they can change it. Null: ' +
        'the default of the installation.',
      60_000,
      { minimum: 60, maximum: 100_000_000 },
    ),
  ),
  personalDataDays: Nullable(
    Integer(
      'Days without a session, sign-in, use of a key or movement of the wallet after which a driver of the network is ' +
        'deleted, 30 days after an e-mail where a mail server is set. It can only shorten the period of the installation. Null: the period of the installation, ' +
        'if it has one.',
      1095,
      { minimum: 365, maximum: 36_500 },
    ),
  ),
  legalName: Nullable(
    Text(200, 'Registered name of the company. Null when none is set.', 'Harbour Charging BV'),
  ),
  vatNumber: Nullable(Text(32, 'VAT identification number. Null when none is set.', 'NL123456789B01')),
  postalAddress: Nullable(
    Lines(500, 'Street lines of the address, separated by line breaks. Null when none is set.', 'Quay 1'),
  ),
  postalCode: Nullable(Text(20, 'Postal code of the address. Null when none is set.', '3011 AA')),
  city: Nullable(Text(100, 'City of the address. Null when none is set.', 'Rotterdam')),
  country: Nullable(
    Formed('two upper-case letters (ISO 3166-1 alpha-2)', '^[A-Z]{2}$', {
      description:
        'Country of the address (ISO 3166-1 alpha-2). Dates and numbers of documents follow it where their language has no region. Null when none is set.',
      examples: ['NL'],
    }),
  ),
  iban: Nullable(
    Text(
      42,
      'Account that invoices are paid to: an IBAN, with or without spaces. Its check digits are verified. Null ' +
        'when none is set.',
      'NL91ABNA0417164300',
    ),
  ),
  bic: Nullable(
    Formed('8 or 11 upper-case letters and digits (ISO 9362)', '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$', {
      description: 'BIC of the account (ISO 9362). Null when none is set.',
      examples: ['ABNANL2A'],
    }),
  ),
  bankAccount: Nullable(
    Text(
      100,
      'Account without an IBAN, as printed on invoices, such as Bankgiro 123-4567. Null when none is set.',
      'Bankgiro 123-4567',
    ),
  ),
  paymentTermDays: Integer('Payment term in days from the date of an invoice. Default: 30.', 30, {
    minimum: 0,
    maximum: 365,
  }),
  website: Nullable(Url(500, 'URL of the website. Null if not set.', 'https://harbour.example')),
  chargingUrl: Nullable(
    Formed(
      'a URL with http or https that contains {connectorId}',
      '^https?://[^\\s\\u0000-\\u001f\\u007f]*\\{connectorId\\}[^\\s\\u0000-\\u001f\\u007f]*$',
      {
        maxLength: 500,
        description:
          'Address of the page or app at which drivers start a session, which QR codes on connectors contain. `{connectorId}`, ' +
          '`{chargerId}` and `{connectorNumber}` stand for the fields of `POST /emsp/v1/charging/start`. Null if not set.',
        examples: ['https://charge.harbour.example/{connectorId}'],
      },
    ),
  ),
  supportEmail: Nullable(
    Text(254, 'E-mail address of the support. Null when none is set.', 'help@harbour.example'),
  ),
  supportPhone: Nullable(
    Text(32, 'Telephone number of the support. Null when none is set.', '+31 10 123 4568'),
  ),
  logoUrl: Nullable(Url(500, 'URL of the logo. Null when none is set.', 'https://harbour.example/logo.png')),
  primaryColor: Nullable(Color),
  secondaryColor: Nullable(Color),
};

const fixedFields = {
  slug: Formed('1 to 40 lower-case letters, digits and dashes', '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$', {
    description: 'Short name of the network, unique and fixed.',
    examples: ['harbour'],
  }),
  currency: Formed('three upper-case letters (ISO 4217)', '^[A-Z]{3}$', {
    description: 'Currency (ISO 4217).',
    examples: ['EUR'],
  }),
};

const { properties: optionalFields } = Type.Partial(Type.Object(fields));
const NetworkChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });
const NewNetwork = Closed({ ...optionalFields, name: fields.name, ...fixedFields });

const Network = Named('Network', {
  id: Uuid('Network identifier.'),
  networkId: Integer('Integer identifier of the network, used by other records.', 1),
  ...fixedFields,
  ...fields,
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function networkView(record: NetworkDetailRecord) {
  const { id, uuid, createdAt, updatedAt, minimumBalanceMinor: _, ...network } = record;
  return {
    ...network,
    minimumBalance: minimumBalance(record),
    id: uuid,
    networkId: id,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const answerOf = (network: NetworkDetailRecord) => [network, networkView(network)] as const;

/** Registers the routes of networks. */
export function networkRoutes(app: App, deps: ApiDeps): void {
  const networks = new VersionedResource(app, {
    path: '/networks',
    name: 'Network',
    scopes: { read: 'cpms:read:networks', write: 'cpms:write:networks' },
    notFound: 'NETWORK_NOT_FOUND',
  });

  operation(app, 'GET /networks', 'cpms:read:networks', {
    operationId: 'listNetworks',
    summary: 'List networks, oldest first',
    description: 'Lists the networks that the caller may access.',
    querystring: Type.Object(cursorQuery),
    response: { 200: CursorEnvelope(Network, 'One page of networks.'), ...cpmsErrors() },
    handler: async (request) => {
      const { rows, nextCursor } = await listOwnNetworks(deps, callerOf(request), cursorOf(request.query));
      return successSlice(rows.map(networkView), nextCursor);
    },
  });

  networks.get({
    operationId: 'getNetwork',
    summary: 'Get a network',
    description: 'A network that the caller may not access is not found.',
    answer: [Network, 'The network.'],
    read: async (caller, uuid) => answerOf(await readNetwork(deps, caller, uuid)),
  });

  networks.post({
    operationId: 'createNetwork',
    summary: 'Create a network (unrestricted callers)',
    description:
      'Creates an empty network. The currency and the slug cannot be changed later, and a slug is used once ' +
      '(409).',
    body: NewNetwork,
    answer: [Network, 'The created network.'],
    errors: ['NETWORK_NOT_ALLOWED', 'NETWORK_EXISTS'],
    create: async (by, body) => answerOf(await createNetwork(deps, by, body)),
  });

  networks.patch({
    operationId: 'updateNetwork',
    summary: 'Update a network',
    description:
      'Invoices require `legalName`, `postalAddress`, `city`, `country` and `vatNumber`, and `iban` or ' +
      '`bankAccount` when an amount is due.',
    body: NetworkChange,
    answer: [Network, 'The network after the change.'],
    errors: ['NETWORK_NOT_ALLOWED'],
    change: async (by, uuid, expected, body) => answerOf(await changeNetwork(deps, by, uuid, expected, body)),
  });

  networks.delete({
    operationId: 'deleteNetwork',
    summary: 'Delete a network without chargers and drivers',
    description: 'A network that still has chargers or drivers is kept (409). Move or delete them first.',
    answer: 'The network is deleted.',
    errors: ['NETWORK_IN_USE'],
    remove: async (by, uuid, expected) => deleteNetwork(deps, by, uuid, expected),
  });
}
