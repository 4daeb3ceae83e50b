import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, idParams, Integer, Named, Nullable, OneOf, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  beginFactor,
  confirmFactor,
  listOwnFactors,
  removeOwnFactor,
  renewRecoveryCodes,
} from '#api/services/people/second-factors.service.ts';
import { factorKinds } from '#shared/domain/access/second-factors.ts';
import { SentPassword } from './operator-view.ts';
import {
  FactorProof,
  factorView,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
} from './second-factor-schemas.ts';

const password = SentPassword;
const OnlyPassword = Closed({ password });

/** Registers the routes of the caller's second factors. */
export function secondFactorRoutes(app: App, deps: ApiDeps): void {
  // No Idempotency-Key: passwords and secrets are not stored, not even as the response to a repeat.
  const enrolment = { scope: null, idempotent: false, enrols: true } as const;
  const own = { scope: null, idempotent: false } as const;

  app.route({
    method: 'GET',
    url: '/auth/second-factors',
    config: { scope: null, enrols: true },
    schema: {
      operationId: 'listSecondFactors',
      summary: "List the caller's second factors",
      description: 'For operators: a key has none and gets 403.',
      response: {
        200: Envelope(
          Named('SecondFactors', {
            factors: Type.Array(SecondFactor, { description: 'Second factors, oldest first.' }),
            recoveryCodes: Integer('Number of recovery codes that were not used.', 10),
            isRequired: Flag('True when a network of the operator requires a second factor.'),
          }),
          'The second factors.',
        ),
        ...cpmsErrors(),
      },
    },
    handler: async (request) => {
      const { factors, ...others } = await listOwnFactors(deps, callerOf(request));
      return success({ ...others, factors: factors.map(factorView) });
    },
  });

  operation(app, 'POST /auth/second-factors', enrolment, {
    operationId: 'beginSecondFactor',
    summary: 'Begin the enrolment of a second factor',
    description:
      'Requires the password again. The factor is used after `POST /auth/second-factors/{uuid}/confirm`, within 10 ' +
      'minutes. An earlier factor that was not confirmed is replaced.',
    body: Closed({
      kind: OneOf(factorKinds, 'totp: authenticator app. passkey: WebAuthn, in browsers at `PUBLIC_URL`.'),
      name: Text(60, 'Name of the factor.', 'Phone'),
      password,
    }),
    response: {
      201: Envelope(NewSecondFactor, 'The factor to confirm.'),
      ...cpmsErrors('OPERATOR_EXTERNAL', 'SECOND_FACTOR_LIMIT'),
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success(await beginFactor(deps, actorOf(request), request.body)));
    },
  });

  operation(app, 'POST /auth/second-factors/:uuid/confirm', enrolment, {
    operationId: 'confirmSecondFactor',
    summary: 'Confirm a second factor with its first code or signature',
    description:
      'The first factor of an account gets recovery codes and ends the other sessions of the operator.',
    params: idParams('Second factor'),
    body: FactorProof,
    response: {
      200: Envelope(
        Named('ConfirmedSecondFactor', {
          factor: SecondFactor,
          recoveryCodes: Nullable(RecoveryCodes),
        }),
        'The factor, and recovery codes of a first one.',
      ),
      ...cpmsErrors('SECOND_FACTOR_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { uuid } = request.params;
      const { factor, recoveryCodes } = await confirmFactor(deps, actorOf(request), uuid, request.body);
      return success({ factor: factorView(factor), recoveryCodes });
    },
  });

  operation(app, 'POST /auth/second-factors/:uuid/remove', own, {
    operationId: 'removeSecondFactor',
    summary: 'Remove a second factor',
    description:
      'Requires the password again. The last one is removed with the recovery codes, unless a network requires a second ' +
      'factor (409).',
    params: idParams('Second factor'),
    body: OnlyPassword,
    response: {
      200: Envelope(
        Type.Object({ removed: Type.Literal(true, { description: 'Always true.' }) }),
        'The factor is removed.',
      ),
      ...cpmsErrors('OPERATOR_EXTERNAL', 'SECOND_FACTOR_NOT_FOUND', 'LAST_SECOND_FACTOR'),
    },
    handler: async (request) => {
      await removeOwnFactor(deps, actorOf(request), request.params.uuid, request.body.password);
      return success({ removed: true as const });
    },
  });

  operation(app, 'POST /auth/recovery-codes', own, {
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'Requires the password again. Earlier recovery codes become invalid.',
    body: OnlyPassword,
    response: {
      201: Envelope(Type.Object({ recoveryCodes: RecoveryCodes }), 'The new recovery codes.'),
      ...cpmsErrors('OPERATOR_EXTERNAL', 'SECOND_FACTOR_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const recoveryCodes = await renewRecoveryCodes(deps, actorOf(request), request.body.password);
      return reply.code(201).send(success({ recoveryCodes }));
    },
  });
}
