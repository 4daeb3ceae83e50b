import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Named,
  Nullable,
  Text,
  Url,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeManufacturer,
  createManufacturer,
  deleteManufacturer,
  listCatalogManufacturers,
  type ManufacturerRecord,
  readManufacturer,
} from '#api/services/fleet/manufacturers.service.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const fields = {
  name: Text(100, 'Name of the manufacturer.', 'Harbour Charging'),
  website: Nullable(Url(500, 'URL of the website. Null if not set.', 'https://harbour.example')),
  supportEmail: Nullable(
    Text(254, 'E-mail address of the support. Null when none is set.', 'help@harbour.example'),
  ),
  supportPhone: Nullable(
    Text(32, 'Telephone number of the support. Null when none is set.', '+31 10 123 4568'),
  ),
};

const { properties: optionalFields } = Type.Partial(Type.Object(fields));
const NewManufacturer = Closed({ ...optionalFields, name: fields.name });
const ManufacturerChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });

const Manufacturer = Named('Manufacturer', {
  id: Uuid('Manufacturer identifier.'),
  ...fields,
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function manufacturerView({ id: _id, uuid, createdAt, updatedAt, ...manufacturer }: ManufacturerRecord) {
  return {
    ...manufacturer,
    id: uuid,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const answerOf = (manufacturer: ManufacturerRecord) =>
  [manufacturer, manufacturerView(manufacturer)] as const;

/** Registers the routes of manufacturers in the catalog of all networks. */
export function manufacturerRoutes(app: App, deps: ApiDeps): void {
  const manufacturers = new VersionedResource(app, {
    path: '/manufacturers',
    name: 'Manufacturer',
    param: 'id',
    scopes: { read: 'cpms:read:catalog', write: 'cpms:write:catalog' },
    notFound: 'MANUFACTURER_NOT_FOUND',
  });

  operation(app, 'GET /manufacturers', 'cpms:read:catalog', {
    operationId: 'listManufacturers',
    summary: 'List manufacturers, oldest first',
    description: 'The catalog is common to all networks. `search` matches a part of the name.',
    querystring: Type.Object({
      ...cursorQuery,
      search: Type.Optional(Text(100, 'Part of a name to filter by.', 'quay')),
    }),
    response: { 200: CursorEnvelope(Manufacturer, 'One page of manufacturers.'), ...cpmsErrors() },
    handler: async (request) => {
      const slice = cursorOf(request.query);
      const { rows, nextCursor } = await listCatalogManufacturers(deps, request.query.search, slice);
      return successSlice(rows.map(manufacturerView), nextCursor);
    },
  });

  manufacturers.get({
    operationId: 'getManufacturer',
    summary: 'Get a manufacturer',
    description: 'The catalog is common to all networks.',
    answer: [Manufacturer, 'The manufacturer.'],
    read: async (_caller, id) => answerOf(await readManufacturer(deps, id)),
  });

  manufacturers.post({
    operationId: 'createManufacturer',
    summary: 'Create a manufacturer (unrestricted callers)',
    description:
      'The catalog is common to all networks, so that only unrestricted callers change it (403). Names are ' +
      'unique (409).',
    body: NewManufacturer,
    answer: [Manufacturer, 'The created manufacturer.'],
    errors: ['CATALOG_NOT_ALLOWED', 'MANUFACTURER_EXISTS'],
    create: async (by, body) => answerOf(await createManufacturer(deps, by, body)),
  });

  manufacturers.patch({
    operationId: 'updateManufacturer',
    summary: 'Update a manufacturer (unrestricted callers)',
    description:
      'Omitted fields stay. The catalog is common to all networks, so that only unrestricted callers change ' +
      'it (403).',
    body: ManufacturerChange,
    answer: [Manufacturer, 'The manufacturer after the change.'],
    errors: ['CATALOG_NOT_ALLOWED', 'MANUFACTURER_EXISTS'],
    change: async (by, id, expected, body) =>
      answerOf(await changeManufacturer(deps, by, id, expected, body)),
  });

  manufacturers.delete({
    operationId: 'deleteManufacturer',
    summary: 'Delete a manufacturer without models (unrestricted callers)',
    description: 'A manufacturer that still has charger models is kept (409).',
    answer: 'The manufacturer is deleted.',
    errors: ['CATALOG_NOT_ALLOWED', 'MANUFACTURER_IN_USE'],
    remove: async (by, id, expected) => deleteManufacturer(deps, by, id, expected),
  });
}
