import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Decimal,
  Integer,
  kilo,
  Lines,
  Named,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  Str,
  Text,
  Url,
  Uuid,
} from '#api/routes/schema.ts';
import {
  changeChargerModel,
  type ChargerModelRecord,
  createChargerModel,
  deleteChargerModel,
  listCatalogModels,
  readChargerModel,
} from '#api/services/fleet/charger-models.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { PagedEnvelope, successPage } from '#api/routes/cpms/kernel/envelope.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const fields = {
  modelName: Text(100, 'Name of the model.', 'EP-11'),
  description: Nullable(
    Lines(2000, 'Description of the model. Null when it has none.', 'Three phases, 11 kW'),
  ),
  maxPower: Nullable(
    Decimal('Maximum power in kW. Null when unknown.', 11, { exclusiveMinimum: 0, maximum: 10_000 }),
  ),
  numberOfConnectors: Nullable(
    Integer('Number of connectors of the model. Null when unknown.', 1, { minimum: 1, maximum: 1000 }),
  ),
  supportedConnectorTypes: Nullable(
    Text(200, 'Connector types of the model, as text. Null when unknown.', 'IEC_62196_T2'),
  ),
  ocppVersion: OneOf(ocppVersions, 'OCPP version of the model.'),
  supportedFeatures: Nullable(
    Text(
      500,
      'Features of the model, separated by commas. SmartCharging, Reservation and RFID are capabilities of its EVSEs for ' +
        'roaming partners. Null when unknown.',
      'SmartCharging',
    ),
  ),
  imageUrl: Nullable(Url(500, 'URL of a picture. Null if not set.', 'https://example.org/ep-11.png')),
  datasheetUrl: Nullable(
    Url(500, 'URL of the data sheet. Null if not set.', 'https://example.org/ep-11.pdf'),
  ),
};

const { properties: optionalFields } = Type.Partial(
  Type.Object({ ...fields, manufacturerId: Uuid('Manufacturer identifier.') }),
);
const ModelChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });
const NewModel = Closed({
  ...optionalFields,
  manufacturerId: Uuid('Manufacturer identifier.'),
  modelName: fields.modelName,
  ocppVersion: fields.ocppVersion,
});

const Model = Named('ChargerModel', {
  id: Uuid('Charger model identifier.'),
  ...fields,
  manufacturer: Type.Object(
    {
      id: Uuid('Charger model identifier.'),
      name: Str('Name of the manufacturer.', 'Harbour Charging'),
      website: Nullable(Str('URL of the website. Null if not set.', 'https://harbour.example')),
    },
    { description: 'Manufacturer of the model.' },
  ),
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function modelView(model: ChargerModelRecord): Static<typeof Model> {
  return {
    id: model.uuid,
    modelName: model.modelName,
    description: model.description,
    maxPower: kilo(model.maxPowerW),
    numberOfConnectors: model.numberOfConnectors,
    supportedConnectorTypes: model.supportedConnectorTypes,
    ocppVersion: model.ocppVersion,
    supportedFeatures: model.supportedFeatures,
    imageUrl: model.imageUrl,
    datasheetUrl: model.datasheetUrl,
    manufacturer: {
      id: model.manufacturerUuid,
      name: model.manufacturerName,
      website: model.manufacturerWebsite,
    },
    createdAt: model.createdAt.toISOString(),
    updatedAt: model.updatedAt.toISOString(),
  };
}

/** Converts kW of the API to W, and the manufacturer's field. */
function toChange<Body extends Static<typeof ModelChange>>({ maxPower, manufacturerId, ...body }: Body) {
  return {
    ...body,
    ...(maxPower !== undefined && { maxPowerW: maxPower === null ? null : Math.round(maxPower * 1000) }),
    ...(manufacturerId !== undefined && { manufacturerUuid: manufacturerId }),
  };
}

const answerOf = (model: ChargerModelRecord) => [model, modelView(model)] as const;

/** Registers the routes of the charger models in the catalog of all networks. */
export function chargerModelRoutes(app: App, deps: ApiDeps): void {
  const models = new VersionedResource(app, {
    path: '/charger-models',
    name: 'Charger model',
    param: 'id',
    scopes: { read: 'cpms:read:catalog', write: 'cpms:write:catalog' },
    notFound: 'MODEL_NOT_FOUND',
  });

  operation(app, 'GET /charger-models', 'cpms:read:catalog', {
    operationId: 'listChargerModels',
    summary: 'List the charger models of the catalog, by manufacturer and name',
    description: 'The catalog is common to all networks. `search` matches a part of the name.',
    querystring: Type.Object({
      ...pageQuery,
      search: Type.Optional(Text(100, 'Part of a name to filter by.', 'quay')),
      manufacturerId: Type.Optional(Uuid('Manufacturer to filter by.')),
    }),
    response: { 200: PagedEnvelope(Model, 'One page of models.'), ...cpmsErrors() },
    handler: async (request) => {
      const { search, manufacturerId } = request.query;
      const page = pageOf(request.query);
      const { rows, total } = await listCatalogModels(
        deps,
        { search, manufacturerUuid: manufacturerId },
        page,
      );
      return successPage(rows.map(modelView), page, total);
    },
  });

  models.get({
    operationId: 'getChargerModel',
    summary: 'Get a charger model with its manufacturer',
    description: 'The catalog is common to all networks. `maxPower` is in kW.',
    answer: [Model, 'The model.'],
    read: async (_caller, id) => answerOf(await readChargerModel(deps, id)),
  });

  models.post({
    operationId: 'createChargerModel',
    summary: 'Create a charger model (unrestricted callers)',
    description:
      'The catalog is common to all networks, so that only unrestricted callers change it (403). A name is ' +
      'unique within its manufacturer (409).',
    body: NewModel,
    answer: [Model, 'The created model.'],
    errors: ['CATALOG_NOT_ALLOWED', 'MANUFACTURER_NOT_FOUND', 'MODEL_EXISTS'],
    create: async (by, body) => {
      const { modelName, ocppVersion, manufacturerId: manufacturerUuid } = body;
      const model = { ...toChange(body), modelName, ocppVersion, manufacturerUuid };
      return answerOf(await createChargerModel(deps, by, model));
    },
  });

  models.patch({
    operationId: 'updateChargerModel',
    summary: 'Update a charger model (unrestricted callers)',
    description: 'Omitted fields stay. The change applies to all chargers of the model, in every network.',
    body: ModelChange,
    answer: [Model, 'The model after the change.'],
    errors: ['CATALOG_NOT_ALLOWED', 'MANUFACTURER_NOT_FOUND', 'MODEL_EXISTS'],
    change: async (by, id, expected, body) =>
      answerOf(await changeChargerModel(deps, by, id, expected, toChange(body))),
  });

  models.delete({
    operationId: 'deleteChargerModel',
    summary: 'Delete a charger model without chargers and firmware (unrestricted callers)',
    description: 'A model that still has chargers or firmware images is kept (409).',
    answer: 'The model is deleted.',
    errors: ['CATALOG_NOT_ALLOWED', 'MODEL_IN_USE'],
    remove: async (by, id, expected) => deleteChargerModel(deps, by, id, expected),
  });
}
