import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  Formed,
  idParams,
  Integer,
  Named,
  NetworkNumber,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { TariffDocument, tariffDocumentView, tariffFields } from '#api/routes/tariff-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeTariff,
  createTariff,
  deleteTariff,
  type ListedTariff,
  listOwnTariffs,
  readTariffVersions,
  type TariffRecord,
  tariffDocument,
  readTariff,
} from '#api/services/money/tariffs.service.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const { properties: optionalFields } = Type.Partial(Type.Object(tariffFields));
const TariffChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });
const NewTariff = Type.Object(
  {
    ...optionalFields,
    name: tariffFields.name,
    elements: tariffFields.elements,
    networkUuid: Type.Optional(Uuid('Network of the tariff. Required when the caller has several networks.')),
  },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'Standard',
        elements: [
          {
            price_components: [
              { type: 'ENERGY', price: 0.4, vat: 21, step_size: 1 },
              { type: 'FLAT', price: 0.5, vat: 21, step_size: 1 },
            ],
          },
        ],
        idle: { price_per_minute: 0.1, grace_minutes: 10, vat: 21 },
      },
    ],
  },
);

const Tariff = Named('Tariff', {
  ...TariffDocument.properties,
  networkId: NetworkNumber,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function tariffView(record: TariffRecord): Static<typeof Tariff> {
  return {
    ...tariffDocumentView(tariffDocument(record)),
    networkId: record.networkId,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

const count = (of: string) => Integer(`Number of ${of} that it is assigned to.`, 2);

const TariffOfList = Named('ListedTariff', {
  ...Tariff.properties,
  assignments: Type.Object(
    {
      network: count('networks'),
      location: count('locations'),
      charger: count('chargers'),
      connector: count('connectors'),
    },
    { description: 'Present and future assignments of the tariff, by level.' },
  ),
});

function listedView(record: ListedTariff): Static<typeof TariffOfList> {
  return { ...tariffView(record), assignments: record.assignments };
}

const answerOf = (tariff: TariffRecord) => [tariff, tariffView(tariff)] as const;

/** Registers the routes of tariffs. */
export function tariffRoutes(app: App, deps: ApiDeps): void {
  const tariffs = new VersionedResource(app, {
    path: '/tariffs',
    name: 'Tariff',
    scopes: { read: 'cpms:read:tariffs', write: 'cpms:write:tariffs' },
    notFound: 'TARIFF_NOT_FOUND',
  });

  operation(app, 'GET /tariffs', 'cpms:read:tariffs', {
    operationId: 'listTariffs',
    summary: 'List tariffs, oldest first',
    description: 'Lists the current version of each tariff. `isAssigned` selects those with an assignment.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      name: Type.Optional(Text(100, 'Part of the name to filter by, in any case.', 'Harbour')),
      currency: Type.Optional(
        Formed('a currency code of ISO 4217', '^[A-Z]{3}$', {
          description: 'Currency of the prices (ISO 4217).',
          examples: ['EUR'],
        }),
      ),
      isAssigned: Type.Optional(
        Flag('True: only tariffs with present or future assignments. False: only others.'),
      ),
    }),
    response: {
      200: CursorEnvelope(TariffOfList, 'One page of tariffs.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { query } = request;
      const filter = { ...query, networkUuid: networkOf(query) };
      const { rows, nextCursor } = await listOwnTariffs(deps, callerOf(request), filter, cursorOf(query));
      return successSlice(rows.map(listedView), nextCursor);
    },
  });

  tariffs.get({
    operationId: 'getTariff',
    summary: 'Get a tariff',
    description: 'The current version. A session keeps the version that was in effect when it began.',
    answer: [Tariff, 'The tariff.'],
    read: async (caller, uuid) => answerOf(await readTariff(deps, caller, uuid)),
  });

  operation(app, 'GET /tariffs/:uuid/versions', 'cpms:read:tariffs', {
    operationId: 'listTariffVersions',
    summary: 'List the previous versions of a tariff, newest first',
    description: 'A session keeps the version that applied at its start.',
    params: idParams('Tariff'),
    querystring: Type.Object(cursorQuery),
    response: {
      200: CursorEnvelope(
        Named('TariffVersion', {
          ...TariffDocument.properties,
          validUntil: DateTime('Time of the change that ended the version.'),
        }),
        'One page of versions.',
      ),
      ...cpmsErrors('TARIFF_NOT_FOUND'),
    },
    handler: async (request) => {
      const { params, query } = request;
      const page = await readTariffVersions(deps, callerOf(request), params.uuid, cursorOf(query));
      const versions = page.rows.map(({ document, validUntil }) => ({
        ...tariffDocumentView(document),
        validUntil: validUntil.toISOString(),
      }));
      return successSlice(versions, page.nextCursor);
    },
  });

  tariffs.post({
    operationId: 'createTariff',
    summary: 'Create a tariff in the currency of its network',
    description:
      'The fields are the fields of the Tariff object of OCPI 2.2.1. Prices are numbers in the major unit of the ' +
      'currency.',
    body: NewTariff,
    answer: [Tariff, 'The created tariff.'],
    errors: ['NETWORK_NOT_FOUND'],
    create: async (by, { networkUuid, ...tariff }) =>
      answerOf(await createTariff(deps, by, networkUuid, tariff)),
  });

  tariffs.patch({
    operationId: 'updateTariff',
    summary: 'Update a tariff for sessions that begin from now on',
    description:
      'Omitted fields stay. The change is a new version: sessions that began before it keep their price.',
    body: TariffChange,
    answer: [Tariff, 'The tariff after the change.'],
    change: async (by, uuid, expected, body) => answerOf(await changeTariff(deps, by, uuid, expected, body)),
  });

  tariffs.delete({
    operationId: 'deleteTariff',
    summary: 'Delete a tariff without present and future assignments',
    description:
      'A tariff with a present or future assignment is kept (409). Sessions that it priced keep their price.',
    answer: 'The tariff is deleted.',
    errors: ['TARIFF_IN_USE'],
    remove: async (by, uuid, expected) => deleteTariff(deps, by, uuid, expected),
  });
}
