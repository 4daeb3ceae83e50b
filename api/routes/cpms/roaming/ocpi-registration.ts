import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  Formed,
  idParams,
  Integer,
  Named,
  Nullable,
  OneOf,
  OptionalBody,
  Str,
  Url,
} from '#api/routes/schema.ts';
import { VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { versioned } from '#api/routes/cpms/kernel/versioned.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  beginHandshake,
  type HandshakeResult,
  rotateToken,
} from '#api/services/roaming/registration/begin.ts';
import { unregister, unregisterOutcomes } from '#api/services/roaming/registration/end.ts';
import { handshakeSteps } from '#shared/domain/roaming/registration.ts';
import { Partner, partnerView } from './ocpi-partner-view.ts';

const Access = Closed({
  versionsUrl: Type.Optional(
    Url(
      500,
      'Versions endpoint of the partner. Without it and `token` the latest handshake continues.',
      'https://emsp.example/ocpi/versions',
    ),
  ),
  token: Type.Optional(
    Formed('1 to 64 visible ASCII characters', '^[!-~]+$', {
      minLength: 1,
      maxLength: 64,
      description: 'Registration token from the partner (token A). Stored sealed, and never shown.',
      examples: ['ebf3b399-779f-4497-9b9d-ac6ad3cc44d2'],
    }),
  ),
});

const Step = Type.Object({
  step: OneOf(
    handshakeSteps,
    'Step. versions: the version was chosen. details: its endpoints were read. credentials: the partner accepted our ' +
      'credentials. registration: the registration was stored.',
  ),
  durationMs: Integer('Duration in ms.', 84),
});

const HandshakeDone = Named('OcpiHandshake', {
  ...Partner.properties,
  steps: Type.Array(Step, {
    description: "Steps of this run. A run that continues from the partner's answer has only the last step.",
  }),
});

const Unregistered = Named('OcpiUnregistered', {
  ...Partner.properties,
  outcome: OneOf(
    unregisterOutcomes,
    'Answer of the partner. CONFIRMED: it ended the registration too. NOT_CONFIRMED: it refused or did not answer. NOT_ASKED: ' +
      'there was no registration to end.',
  ),
  reason: Nullable(
    Str(
      'Reason that the partner did not confirm. Null unless the outcome is NOT_CONFIRMED.',
      'https://emsp.example/ocpi/2.2.1/credentials: timeout: no answer within 10 s',
    ),
  ),
});

const params = idParams('Roaming partner');
const write = { scope: 'cpms:write:ocpi-partners' } as const;

/** Error codes of a handshake that we begin. */
const handshakeErrors = [
  'PARTNER_NOT_FOUND',
  'PARTNER_NOT_REGISTERED',
  'OCPI_REGISTRATION_STATE',
  'OCPI_HANDSHAKE_RUNNING',
  'OCPI_ADDRESS_NOT_PERMITTED',
  'OCPI_PARTNER_UNREACHABLE',
  'OCPI_PARTNER_UNAUTHORIZED',
  'OCPI_PARTNER_REFUSED',
  'OCPI_VERSION_UNSUPPORTED',
  'OCPI_ENDPOINTS_MISSING',
  'OCPI_CREDENTIALS_INVALID',
  'OCPI_PARTY_NOT_GRANTED',
  'SCOPE_MISSING',
  'KEY_LIMIT_EXCEEDED',
] as const;

/** Registers the routes of the registrations that we begin, renew and end (OCPI 2.2.1 §7). */
export function ocpiRegistrationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /ocpi-partners/:uuid/handshake', write, {
    operationId: 'beginOcpiHandshake',
    summary: 'Register with a partner that gave us its versions URL and token',
    description:
      'Reads the versions of the partner, agrees on the highest common one, reads its endpoints, and sends our credentials. A ' +
      'failed step is in `details.step`, the successful steps before it are in `details.done`. A request without a body ' +
      'continues the latest handshake with the same tokens. A registration token of ours that the partner holds becomes invalid. ' +
      'The caller needs the scopes that creating a partner requires.',
    params,
    body: OptionalBody(Access),
    response: {
      200: VersionedEnvelope(HandshakeDone, 'The registered partner and the steps of the handshake.'),
      ...cpmsErrors(...handshakeErrors),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const result = await beginHandshake(deps, actorOf(request), uuid, request.body ?? {});
      return versioned(reply, result.partner, handshakeView(result));
    },
  });

  operation(app, 'POST /ocpi-partners/:uuid/rotate-token', write, {
    operationId: 'rotateOcpiToken',
    summary: 'Exchange new tokens with a registered partner (PUT credentials)',
    description:
      'Reads the endpoints of the agreed version again and sends new credentials. Until the partner has answered, both of our tokens ' +
      'are valid. A repeat sends the same new token. The caller needs the scopes that creating a partner requires.',
    params,
    response: {
      200: VersionedEnvelope(HandshakeDone, 'The partner and the steps of the exchange.'),
      ...cpmsErrors(...handshakeErrors),
    },
    handler: async (request, reply) => {
      const result = await rotateToken(deps, actorOf(request), request.params.uuid);
      return versioned(reply, result.partner, handshakeView(result));
    },
  });

  operation(app, 'POST /ocpi-partners/:uuid/unregister', write, {
    operationId: 'unregisterOcpiPartner',
    summary: 'End the registration with a partner (DELETE credentials)',
    description:
      'The tokens of both sides become invalid here even when the partner does not answer. The partner stays, and can be ' +
      'registered again.',
    params,
    response: {
      200: VersionedEnvelope(Unregistered, 'The partner and its answer.'),
      ...cpmsErrors('PARTNER_NOT_FOUND', 'OCPI_REGISTRATION_STATE', 'OCPI_HANDSHAKE_RUNNING'),
    },
    handler: async (request, reply) => {
      const { partner, ...answer } = await unregister(deps, actorOf(request), request.params.uuid);
      return versioned(reply, partner, { ...partnerView(partner), ...answer });
    },
  });
}

function handshakeView({ partner, steps }: HandshakeResult) {
  return { ...partnerView(partner), steps };
}
