import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Named,
  Nullable,
  Text,
  Url,
  Uuid,
  idParams,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeManufacturer,
  createManufacturer,
  deleteManufacturer,
  listCatalogManufacturers,
  type ManufacturerRecord,
  readManufacturer,
} from '#api/services/fleet/manufacturers.ts';
import {
  CursorEnvelope,
  successSlice,
  VersionedEnvelope,
  Deleted,
  deleted,
} from '#api/routes/cpms/kernel/envelope.ts';
import { expectedVersion, ifMatchHeaders, Version, versioned } from '#api/routes/cpms/kernel/versioned.ts';

const fields = {
  name: Text(100, { description: 'Name of the manufacturer.', examples: ['Harbour Charging'] }),
  website: Nullable(
    Url(500, {
      description: 'URL of the website. Null if not set.',
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
};

const { properties: optionalFields } = Type.Partial(Type.Object(fields));
const NewManufacturer = Type.Object(
  { ...optionalFields, name: fields.name },
  { additionalProperties: false },
);
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

/** Registers the routes of manufacturers in the catalog of all networks. */
export function manufacturerRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/manufacturers',
    config: { scope: 'cpms:read:catalog' },
    schema: {
      operationId: 'listManufacturers',
      summary: 'List manufacturers, oldest first',
      description: 'The catalog is common to all networks. `search` matches a part of the name.',
      querystring: Type.Object({
        ...cursorQuery,
        search: Type.Optional(Text(100, { description: 'Part of a name to filter by.', examples: ['quay'] })),
      }),
      response: { 200: CursorEnvelope(Manufacturer, 'One page of manufacturers.'), ...cpmsErrors() },
    },
    handler: async (request) => {
      const slice = cursorOf(request.query);
      const { rows, nextCursor } = await listCatalogManufacturers(deps, request.query.search, slice);
      return successSlice(rows.map(manufacturerView), nextCursor);
    },
  });

  app.route({
    method: 'GET',
    url: '/manufacturers/:id',
    config: { scope: 'cpms:read:catalog' },
    schema: {
      operationId: 'getManufacturer',
      summary: 'Get a manufacturer',
      description: 'The catalog is common to all networks.',
      params: idParams('Manufacturer', 'id'),
      response: {
        200: VersionedEnvelope(Manufacturer, 'The manufacturer.'),
        ...cpmsErrors('MANUFACTURER_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const manufacturer = await readManufacturer(deps, request.params.id);
      return versioned(reply, manufacturer, manufacturerView(manufacturer));
    },
  });

  app.route({
    method: 'POST',
    url: '/manufacturers',
    config: { scope: 'cpms:write:catalog' },
    schema: {
      operationId: 'createManufacturer',
      summary: 'Create a manufacturer (unrestricted callers)',
      description:
        'The catalog is common to all networks, so that only unrestricted callers change it (403). Names are ' +
        'unique (409).',
      body: NewManufacturer,
      response: {
        201: VersionedEnvelope(Manufacturer, 'The created manufacturer.'),
        ...cpmsErrors('CATALOG_NOT_ALLOWED', 'MANUFACTURER_EXISTS'),
      },
    },
    handler: async (request, reply) => {
      const manufacturer = await createManufacturer(deps, actorOf(request), request.body);
      return versioned(reply.code(201), manufacturer, manufacturerView(manufacturer));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/manufacturers/:id',
    config: { scope: 'cpms:write:catalog' },
    schema: {
      operationId: 'updateManufacturer',
      summary: 'Update a manufacturer (unrestricted callers)',
      description:
        'Omitted fields stay. The catalog is common to all networks, so that only unrestricted callers change ' +
        'it (403).',
      params: idParams('Manufacturer', 'id'),
      headers: ifMatchHeaders,
      body: ManufacturerChange,
      response: {
        200: VersionedEnvelope(Manufacturer, 'The manufacturer after the change.'),
        ...cpmsErrors(
          'CATALOG_NOT_ALLOWED',
          'MANUFACTURER_NOT_FOUND',
          'MANUFACTURER_EXISTS',
          'PRECONDITION_FAILED',
        ),
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const expected = expectedVersion(request.headers);
      const manufacturer = await changeManufacturer(deps, actorOf(request), id, expected, request.body);
      return versioned(reply, manufacturer, manufacturerView(manufacturer));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/manufacturers/:id',
    config: { scope: 'cpms:write:catalog' },
    schema: {
      operationId: 'deleteManufacturer',
      summary: 'Delete a manufacturer without models (unrestricted callers)',
      description: 'A manufacturer that still has charger models is kept (409).',
      params: idParams('Manufacturer', 'id'),
      headers: ifMatchHeaders,
      response: {
        200: Deleted('Manufacturer', 'The manufacturer is deleted.'),
        ...cpmsErrors(
          'CATALOG_NOT_ALLOWED',
          'MANUFACTURER_NOT_FOUND',
          'MANUFACTURER_IN_USE',
          'PRECONDITION_FAILED',
        ),
      },
    },
    handler: async (request) => {
      const { id } = request.params;
      await deleteManufacturer(deps, actorOf(request), id, expectedVersion(request.headers));
      return deleted(id);
    },
  });
}
