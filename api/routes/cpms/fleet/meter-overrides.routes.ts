import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, DateTime, idParams, Named, Nullable, OneOf, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeMeterOverrides,
  type MeterOverridesRecord,
  overridable,
  readMeterOverrides,
} from '#api/services/fleet/meter-overrides.service.ts';
import { type MeterOverride, phaseRules } from '#shared/domain/fleet/meter-override.ts';
import { VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { expectedVersion, ifMatchHeaders, Version, versioned } from '#api/routes/cpms/kernel/versioned.ts';

const measurand = OneOf(
  overridable,
  'Measurand, or the registers `meterStart` and `meterStop` of StartTransaction and StopTransaction (OCPP ' +
    '1.6).',
);

const conditions = {
  firmware: Nullable(Text(50, 'Beginning of the firmware version. Null: any version.', '1.4.2')),
  saidUnit: Nullable({
    ...Text(50, 'Unit that the value names. Empty: values without a unit. Null: any value.', 'kWh'),
    minLength: 0,
  }),
};

const corrections = {
  unit: Nullable(Text(20, 'Actual unit of the value. Null: the unit that the value names.', 'kWh')),
  factor: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_000_000,
    description: 'Factor that the value is multiplied by.',
  }),
  phases: Nullable(
    OneOf(phaseRules, 'Rule that combines the values of the phases. Null: the rule of the standard.'),
  ),
};

const Override = Named('MeterOverride', { measurand, ...conditions, ...corrections });
const { properties: optional } = Type.Partial(Type.Object({ ...conditions, ...corrections }));
const NewOverride = Type.Object(
  { measurand, ...optional },
  { additionalProperties: false, minProperties: 2 },
);

const MeterOverrides = Named('MeterOverrides', {
  overrides: Type.Array(Override, {
    description: 'Corrections, in order. The first that matches a value applies.',
  }),
  version: Version,
  updatedAt: Nullable(DateTime('Time of the latest change. Null before the first one.')),
});

function complete(override: Static<typeof NewOverride>): MeterOverride {
  return { firmware: null, saidUnit: null, unit: null, factor: 1, phases: null, ...override };
}

function overridesView({ overrides, version, updatedAt }: MeterOverridesRecord) {
  return { overrides, version, updatedAt: updatedAt?.toISOString() ?? null };
}

/** Registers the routes of corrections (units, factors, phases) of the readings of a charger model. */
export function meterOverrideRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /charger-models/:id/meter-overrides', 'cpms:read:catalog', {
    operationId: 'getMeterOverrides',
    summary: 'Get the meter corrections of a charger model',
    description:
      'Corrections of known meter faults. They apply to the readings of every charger of the model.',
    params: idParams('Charger model', 'id'),
    response: {
      200: VersionedEnvelope(MeterOverrides, 'The corrections.'),
      ...cpmsErrors('MODEL_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const record = await readMeterOverrides(deps, request.params.id);
      return versioned(reply, record, overridesView(record));
    },
  });

  operation(app, 'PATCH /charger-models/:id/meter-overrides', 'cpms:write:catalog', {
    operationId: 'updateMeterOverrides',
    summary: 'Replace the meter corrections of a charger model',
    description:
      'For meters that deviate from the standard, such as a register in kWh that is reported as Wh. Applies to ' +
      'readings from now on. The model of a charger is the assigned one, otherwise the one whose manufacturer ' +
      'and name the charger reports.',
    params: idParams('Charger model', 'id'),
    headers: ifMatchHeaders,
    body: Closed({
      overrides: Type.Array(NewOverride, {
        maxItems: 50,
        description: 'Corrections, in order. The first that matches a value applies.',
      }),
    }),
    response: {
      200: VersionedEnvelope(MeterOverrides, 'The corrections after the change.'),
      ...cpmsErrors('MODEL_NOT_FOUND', 'CATALOG_NOT_ALLOWED', 'PRECONDITION_FAILED'),
    },
    handler: async (request, reply) => {
      const record = await changeMeterOverrides(
        deps,
        actorOf(request),
        request.params.id,
        expectedVersion(request.headers),
        request.body.overrides.map(complete),
      );
      return versioned(reply, record, overridesView(record));
    },
  });
}
