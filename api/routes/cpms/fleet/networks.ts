import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Lines,
  Named,
  Nullable,
  OneOf,
  Text,
  Url,
  Uuid,
  Formed,
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
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { expectedVersion, ifMatchHeaders, tellVersion, Version } from '#api/routes/cpms/kernel/versioned.ts';

const Color = Formed('a color as #rrggbb, in lower case', '^#[0-9a-f]{6}$', {
  description: 'Color of the brand.',
  examples: ['#0a5c8f'],
});

const fields = {
  name: Text(100, { description: 'Name of the network.', examples: ['Harbour Charging'] }),
  timeZone: Type.String({
    maxLength: 64,
    description: 'IANA name: the days of analytics and reports',
    examples: ['Europe/Amsterdam'],
  }),
  countryCode: Formed('two capital letters: ISO 3166-1 alpha-2', '^[A-Z]{2}$', {
    description: 'Country of the party (ISO 3166-1 alpha-2).',
    examples: ['NL'],
  }),
  partyId: Formed(
    "three capital letters or digits: with the country code, the network's identity in OCPI",
    '^[A-Z0-9]{3}$',
    { description: 'OCPI party identifier.', examples: ['HRB'] },
  ),
  language: Formed(
    'a language tag (BCP 47), begun in small letters, such as nl or de-AT: of receipts, invoices and e-mails',
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    { description: 'Language of receipts, invoices and e-mails.', examples: ['nl'] },
  ),
  allowsUnauthenticatedChargers: Type.Boolean({ description: 'Whether security profile 0 may be used' }),
  newChargerRegistration: OneOf(
    newChargerRegistrations,
    'Registration of chargers that are registered from now on. Pending: each is held until an operator accepts it.',
  ),
  minimumBalance: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description:
      "What a driver's wallet must have to start a session, by card, from the app or remotely. The latter two hold it. 0: sessions need no " +
      'wallet, and one without any movement is as none; any other must not be empty, and limits its driver’s sessions',
    examples: [5],
  }),
  legalName: Nullable(
    Text(200, {
      description: 'Registered name of the company. Null when none is set.',
      examples: ['Harbour Charging BV'],
    }),
  ),
  vatNumber: Nullable(
    Text(32, {
      description: 'VAT identification number. Null when none is set.',
      examples: ['NL123456789B01'],
    }),
  ),
  postalAddress: Nullable(
    Lines(500, {
      description: 'Street lines of the address, separated by line breaks',
      examples: ['Quay 1'],
    }),
  ),
  postalCode: Nullable(Text(20, { description: 'Postal code of the address', examples: ['3011 AA'] })),
  city: Nullable(Text(100, { description: 'City of the address', examples: ['Rotterdam'] })),
  country: Nullable(
    Formed(
      'Country of the address: two capital letters, ISO 3166-1 alpha-2. Dates and numbers of documents follow it where ' +
        'their language has no region',
      '^[A-Z]{2}$',
      {
        description:
          'Country of the address (ISO 3166-1 alpha-2). Dates and numbers of documents follow it where their language has no region. Null when none is set.',
        examples: ['NL'],
      },
    ),
  ),
  iban: Nullable(
    Text(42, {
      description:
        'Account that invoices are paid to: an IBAN, with or without spaces; its check digits are verified',
      examples: ['NL91ABNA0417164300'],
    }),
  ),
  bic: Nullable(
    Formed(
      'BIC of the account (ISO 9362): 8 or 11 capital letters and digits',
      '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$',
      { description: 'BIC of the account (ISO 9362). Null when none is set.', examples: ['ABNANL2A'] },
    ),
  ),
  bankAccount: Nullable(
    Text(100, {
      description: 'Account that has no IBAN, as it is to be printed, such as Bankgiro 123-4567',
      examples: ['Bankgiro 123-4567'],
    }),
  ),
  paymentTermDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Days from the date of an invoice until it is due; 30 unless set',
    examples: [30],
  }),
  website: Nullable(
    Url(500, {
      description: 'URL of the website. Null when there is none.',
      examples: ['https://harbour.example'],
    }),
  ),
  supportEmail: Nullable(
    Text(254, {
      description: 'E-mail address of the support. Null when none is set.',
      examples: ['help@harbour.example'],
    }),
  ),
  supportPhone: Nullable(
    Text(32, {
      description: 'Telephone number of the support. Null when none is set.',
      examples: ['+31 10 123 4568'],
    }),
  ),
  logoUrl: Nullable(
    Url(500, {
      description: 'URL of the logo. Null when none is set.',
      examples: ['https://harbour.example/logo.png'],
    }),
  ),
  primaryColor: Nullable(Color),
  secondaryColor: Nullable(Color),
};

const fixedFields = {
  slug: Formed('1 to 40 small letters, digits and dashes', '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$', {
    description: 'Short name of the network, unique and fixed.',
    examples: ['harbour'],
  }),
  currency: Formed('three capital letters: ISO 4217. Fixed, since money is kept in it', '^[A-Z]{3}$', {
    description: 'Currency (ISO 4217).',
    examples: ['EUR'],
  }),
};

const { properties: optionalFields } = Type.Partial(Type.Object(fields));
const NetworkChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });
const NewNetwork = Type.Object(
  { ...optionalFields, name: fields.name, ...fixedFields },
  { additionalProperties: false },
);

const Network = Named('Network', {
  id: Uuid('Network identifier.'),
  networkId: Type.Integer({
    description: 'The integer that other records name the network by',
    examples: [1],
  }),
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

/** The networks of an operator. */
export function networkRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/networks',
    config: { scope: 'cpms:read:networks' },
    schema: {
      tags: ['fleet'],
      operationId: 'listNetworks',
      summary: 'The networks that the caller may operate, oldest first',
      querystring: Type.Object(cursorQuery),
      response: { 200: CursorEnvelope(Network, 'One page of networks'), ...cpmsErrors() },
    },
    handler: async (request) => {
      const { rows, nextCursor } = await listOwnNetworks(deps, callerOf(request), cursorOf(request.query));
      return successSlice(rows.map(networkView), nextCursor);
    },
  });

  app.route({
    method: 'GET',
    url: '/networks/:uuid',
    config: { scope: 'cpms:read:networks' },
    schema: {
      tags: ['fleet'],
      operationId: 'getNetwork',
      summary: 'One network',
      params: Type.Object({ uuid: Uuid('Network identifier.') }),
      response: { 200: VersionedEnvelope(Network, 'The network'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const network = await readNetwork(deps, callerOf(request), request.params.uuid);
      tellVersion(reply, network);
      return success(networkView(network));
    },
  });

  app.route({
    method: 'POST',
    url: '/networks',
    config: { scope: 'cpms:write:networks' },
    schema: {
      tags: ['fleet'],
      operationId: 'createNetwork',
      summary: 'Make a network (callers that are not pinned to networks)',
      body: NewNetwork,
      response: {
        201: VersionedEnvelope(Network, 'The network is made'),
        ...cpmsErrors('NETWORK_NOT_ALLOWED', 'NETWORK_EXISTS', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const network = await createNetwork(deps, actorOf(request), request.body);
      tellVersion(reply, network);
      return reply.code(201).send(success(networkView(network)));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/networks/:uuid',
    config: { scope: 'cpms:write:networks' },
    schema: {
      tags: ['fleet'],
      operationId: 'updateNetwork',
      summary: 'Change a network',
      description:
        'An invoice needs `legalName`, `postalAddress`, `city`, `country` and `vatNumber`, and `iban` or `bankAccount` ' +
        'where anything is left to pay.',
      params: Type.Object({ uuid: Uuid('Network identifier.') }),
      headers: ifMatchHeaders,
      body: NetworkChange,
      response: {
        200: VersionedEnvelope(Network, 'The network as it is now'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'PRECONDITION_FAILED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const network = await changeNetwork(
        deps,
        actorOf(request),
        request.params.uuid,
        expected,
        request.body,
      );
      tellVersion(reply, network);
      return success(networkView(network));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/networks/:uuid',
    config: { scope: 'cpms:write:networks' },
    schema: {
      tags: ['fleet'],
      operationId: 'deleteNetwork',
      summary: 'Remove a network that has no chargers and no drivers any more',
      params: Type.Object({ uuid: Uuid('Network identifier.') }),
      headers: ifMatchHeaders,
      response: {
        200: Envelope(
          Type.Object({
            id: Uuid('Network identifier.'),
            deleted: Type.Literal(true, { description: 'Always true.' }),
          }),
          'The network is removed',
        ),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'NETWORK_IN_USE', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await deleteNetwork(deps, actorOf(request), uuid, expectedVersion(request.headers));
      return success({ id: uuid, deleted: true as const });
    },
  });
}
