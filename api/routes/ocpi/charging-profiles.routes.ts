import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { operation } from '#api/routes/operation.ts';
import { Integer, Named, OneOf } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { type ProfileRequest, acceptProfileRequest } from '#api/services/roaming/profiles/accept.ts';
import { sessionProfile, SetChargingProfile } from '#api/services/roaming/wire/v221/charging-profile.ts';
import { ResponseUrl } from '#api/services/roaming/wire/v221/command.ts';
import { commandAnswers, commandTimeoutSeconds } from '#shared/domain/roaming/ocpi-command.ts';
import { modulesIn } from '#shared/domain/roaming/ocpi.ts';
import { OcpiEnvelope, ocpiErrors, ocpiSuccess } from './envelope.ts';
import { partnerRequest } from './requests.routes.ts';
import type { Surface } from './surface.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'chargingprofiles' };
const params = Type.Object({
  session_id: Type.String({
    minLength: 1,
    maxLength: 36,
    description: 'Identifier of a running session of the calling party.',
  }),
});

/** Response to a charging profile request (OCPI 2.2.1 §14.5.1, ChargingProfileResponse). */
const ChargingProfileResponse = Named('OcpiChargingProfileResponse', {
  result: OneOf(commandAnswers, 'Outcome (OCPI).'),
  timeout: Integer('Seconds within which the result is sent.'),
});
const response = {
  200: OcpiEnvelope(ChargingProfileResponse, 'Response to the request.'),
  ...ocpiErrors(),
};
const Duration = Type.Integer({ minimum: 1, maximum: 24 * 60 * 60, description: 'Duration in seconds.' });

/** Duration in seconds of an active profile where the documented surface lets a partner omit it. */
const usualDuration = 900;

/** Registers the routes of partners' charging profiles (OCPI 2.2.1 §14), on all surfaces. */
export function chargingProfileRoutes(app: App, deps: ApiDeps): void {
  profilesIn(app, deps, { version: '2.2', end: '22' });
  if (!deps.settings.ocpiStrict) return;
  for (const surface of surfaces) {
    if (modulesIn(surface.version).some(([identifier]) => identifier === 'chargingprofiles'))
      profilesIn(app, deps, surface);
  }
}

function profilesIn(app: App, deps: ApiDeps, { version, end }: Pick<Surface, 'version' | 'end'>): void {
  const url = `/cpo/${version}/chargingprofiles/:session_id`;
  const isStrict = version !== '2.2';
  const take = async (
    request: FastifyRequest<{ Params: Static<typeof params> }>,
    reply: FastifyReply,
    responseUrl: string | null,
    wanted: ProfileRequest,
  ) => {
    const requested = partnerRequest(request, reply, responseUrl);
    const { answer } = await acceptProfileRequest(deps, requested, request.params.session_id, wanted);
    return ocpiSuccess({ result: answer, timeout: commandTimeoutSeconds });
  };

  operation(app, `GET ${url}`, config, {
    operationId: `ocpiGetChargingProfile${end}`,
    summary: 'Get the active charging profile of a session; the result is POSTed to response_url',
    description:
      'The response states whether the request was sent to the charger. Sessions of other parties are not found.',
    params,
    querystring: Type.Object({
      duration: required(isStrict, Duration),
      response_url: ResponseUrl,
    }),
    response,
    handler: (request, reply) => {
      const { duration: durationSeconds = usualDuration, response_url: responseUrl } = request.query;
      return take(request, reply, responseUrl, { type: 'GET_PROFILE', durationSeconds });
    },
  });

  operation(app, `PUT ${url}`, config, {
    operationId: `ocpiSetChargingProfile${end}`,
    summary: 'Set the charging profile of a session; later changes of the active profile are pushed',
    description:
      "The response states whether the profile was sent to the charger; the charger's answer is POSTed to " +
      '`response_url`. Sessions of other parties are not found.',
    params,
    body: SetChargingProfile,
    response,
    handler: (request, reply) => {
      const { charging_profile: profile, response_url: responseUrl } = request.body;
      return take(request, reply, responseUrl, { type: 'SET_PROFILE', profile: sessionProfile(profile) });
    },
  });

  operation(app, `DELETE ${url}`, config, {
    operationId: `ocpiClearChargingProfile${end}`,
    summary: 'Clear the charging profile of a session',
    description:
      "Clears the profile that the calling party set. The charger's answer is POSTed to `response_url`. " +
      'Sessions of other parties are not found.',
    params,
    querystring: Type.Object({ response_url: required(isStrict, ResponseUrl) }),
    response,
    handler: (request, reply) =>
      take(request, reply, request.query.response_url ?? null, { type: 'CLEAR_PROFILE' }),
  });
}

/** Field that the standard requires and the documented surface does not. */
function required<T extends TSchema>(isStrict: boolean, schema: T): TOptional<T> {
  return (isStrict ? schema : Type.Optional(schema)) as TOptional<T>;
}
