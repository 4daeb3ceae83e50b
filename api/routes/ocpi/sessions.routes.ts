import { type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerActorOf, partnerOf } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import { Flag, Formed, Named, Nullable, OneOf, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listOcpiSessions,
  patchOcpiSession,
  preferencesAnswers,
  readOcpiSession,
  acceptPreferences,
} from '#api/services/roaming/sessions.service.ts';
import { OcpiDateTime } from '#api/services/roaming/wire/date-time.ts';
import { ocpiSessionStatuses } from '#api/services/roaming/wire/v221/session.ts';
import { profileTypes } from '#api/services/roaming/wire/v221/token.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { Session as DocumentedSession, sessionView } from './documented/session.ts';
import {
  OcpiCountedEnvelope,
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { listOf } from './form.ts';
import type { Surface } from './surface.ts';
import { surfaces } from './surfaces.ts';

const valuesSoFar =
  'Energy and cost are the values so far while the session is running. Sessions of other parties are not found.';
const config = { ocpiModule: 'sessions' };
const SessionId = Type.String({ minLength: 1, maxLength: 36, description: 'Session identifier.' });
const SessionParams = Type.Object({
  country_code: Type.String({
    minLength: 2,
    maxLength: 2,
    description: 'Country of the CPO (ISO 3166-1 alpha-2).',
  }),
  party_id: Type.String({ minLength: 3, maxLength: 3, description: 'OCPI party identifier of the CPO.' }),
  session_id: SessionId,
});
const unknownSession = ocpiErrors('SESSION_NOT_FOUND');

/** Session fields that a partner may patch; null removes one. */
const SessionPatchBody = Type.Partial(
  Type.Object({
    kWh: Type.Number({ minimum: 0, description: 'Energy in kWh, at most 1,000,000.' }),
    endDateTime: Nullable(OcpiDateTime()),
    authMethod: OneOf(authMethods, 'Authorization method (OCPI AuthMethod).'),
    authorizationReference: Nullable(Text(36, 'Authorization reference of the eMSP.')),
    meterId: Nullable(Text(255, 'Meter identifier.')),
    currency: Formed('three upper-case letters (ISO 4217)', '^[A-Z]{3}$', {
      description: 'Currency (ISO 4217).',
    }),
    status: OneOf(ocpiSessionStatuses, 'Status (OCPI).'),
    lastUpdated: OcpiDateTime(),
  }),
);

const ChargingPreferencesBody = Named('OcpiChargingPreferences', {
  profile_type: OneOf(profileTypes, 'Profile type that the driver prefers.'),
  departure_time: Type.Optional(OcpiDateTime()),
  energy_need: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Energy that the driver needs, in kWh.' }),
  ),
  discharge_allowed: Type.Optional(Flag('True when discharging the vehicle is allowed.')),
});

/**
 * Registers the routes of the partner's own sessions, on all surfaces (OCPI 2.2.1 §9.2.1).
 */
export function sessionRoutes(app: App, deps: ApiDeps): void {
  documentedSessions(app, deps);
  if (!deps.settings.ocpiStrict) return;
  for (const surface of surfaces) standardSessions(app, deps, surface);
}

function documentedSessions(app: App, deps: ApiDeps): void {
  const list = `${deps.settings.publicUrl}/ocpi/cpo/2.2/sessions`;
  app.route({
    method: 'GET',
    url: '/cpo/2.2/sessions',
    config,
    schema: listSchema(
      'ocpiListSessions22',
      OcpiCountedEnvelope(DocumentedSession, 'The sessions, oldest first.'),
    ),
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listOcpiSessions(deps, partnerOf(request), slice);
      setSliceHeaders(reply, list, request.query, slice, total);
      const { offset, limit } = slice;
      return { ...ocpiSuccess(rows.map(sessionView)), totalCount: total, offset, limit };
    },
  });

  operation(app, 'GET /cpo/2.2/sessions/:country_code/:party_id/:session_id', config, {
    operationId: 'ocpiGetSession22',
    summary: 'Get a session of the calling party, with live values while it is running',
    description: valuesSoFar,
    params: SessionParams,
    response: { 200: OcpiEnvelope(DocumentedSession, 'The session.'), ...unknownSession },
    handler: async (request) => {
      const { params } = request;
      const { session_id: id } = params;
      return ocpiSuccess(sessionView(await readOcpiSession(deps, partnerOf(request), id, params)));
    },
  });

  operation(app, 'PATCH /cpo/2.2/sessions/:country_code/:party_id/:session_id', config, {
    operationId: 'ocpiPatchSession22',
    summary: 'Change a session of the calling party',
    description:
      '`authMethod`, `authorizationReference` and `meterId` take effect at once. `kWh`, `endDateTime`, `currency` and `status` ' +
      'that differ from ours are stored as a statement of the partner: the session waits for an operator, who accepts or rejects ' +
      'them, and the response has our values until then. After that decision they cannot change (2001). A request older than ' +
      'the last one changes nothing. Sessions of other parties are not found.',
    params: SessionParams,
    body: SessionPatchBody,
    response: {
      200: OcpiEnvelope(DocumentedSession, 'The session.'),
      ...ocpiErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request) => {
      const { params, body } = request;
      const { session_id: id } = params;
      return ocpiSuccess(
        sessionView(
          await patchOcpiSession(deps, partnerActorOf(request), partnerOf(request), id, params, body),
        ),
      );
    },
  });
}

function standardSessions(app: App, deps: ApiDeps, { version, end, session, hasSingleReads }: Surface): void {
  const path = `/cpo/${version}/sessions`;
  const list = `${deps.settings.publicUrl}/ocpi${path}`;
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: listSchema(
      `ocpiListSessions${end}`,
      OcpiListEnvelope(session.schema, 'The sessions, oldest first.'),
    ),
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listOcpiSessions(deps, partnerOf(request), slice);
      setSliceHeaders(reply, list, request.query, slice, total);
      return ocpiSuccess(listOf(session, rows));
    },
  });
  if (!hasSingleReads) return;

  operation(app, `GET ${path}/:session_id`, config, {
    operationId: `ocpiGetSession${end}`,
    summary: 'Get a session of the calling party, with live values while it is running',
    description: valuesSoFar,
    params: Type.Object({ session_id: SessionId }),
    response: { 200: OcpiEnvelope(session.schema, 'The session.'), ...unknownSession },
    handler: async (request) => {
      const { session_id: id } = request.params;
      return ocpiSuccess(session.view(await readOcpiSession(deps, partnerOf(request), id, null)));
    },
  });

  operation(app, `PUT ${path}/:session_id/charging_preferences`, config, {
    operationId: `ocpiPutChargingPreferences${end}`,
    summary: 'Set the charging preferences of a running session',
    description:
      'The response states whether the charger can satisfy the preferences. Sessions of other parties are not ' +
      'found.',
    params: Type.Object({ session_id: SessionId }),
    body: ChargingPreferencesBody,
    response: {
      200: OcpiEnvelope(OneOf(preferencesAnswers), 'Answer to the preferences.'),
      ...ocpiErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request) => {
      const { session_id: id } = request.params;
      return ocpiSuccess(await acceptPreferences(deps, partnerOf(request), id, request.body));
    },
  });
}

function listSchema<T extends TSchema>(operationId: string, list: T) {
  return {
    operationId,
    summary: 'List the sessions of the calling party, with live values of running ones',
    description:
      'Energy and cost of a running session are the values so far. `date_from` and `date_to` select by `last_updated`.',
    querystring: Type.Object(ocpiListQuery),
    response: { 200: list, ...ocpiErrors() },
  };
}
