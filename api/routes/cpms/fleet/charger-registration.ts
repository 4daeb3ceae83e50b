import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { OneOf, Uuid } from '#api/routes/schema.ts';
import { changeRegistration } from '#api/services/commands/charger-registration.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import { chargerTargetOf } from './chargers.ts';
import { success, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { ifMatchHeaders, tellVersion } from '#api/routes/cpms/kernel/versioned.ts';

const Wanted = Type.Object(
  { status: OneOf(registrations, "Answer to the charger's BootNotification") },
  { additionalProperties: false },
);

const Stored = Type.Object({
  chargerId: Uuid('Charger identifier.'),
  status: OneOf(registrations, 'Registration of the charger.'),
  triggered: Type.Boolean({
    description:
      'Whether the charger agreed to send BootNotification now. Otherwise it learns the status when it boots, or within ' +
      'a minute (Pending) or five (Rejected) if it is held.',
  }),
});

/** Registration of chargers: the answer to their boot. */
export function chargerRegistrationRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/chargers/:uuid/registration',
    config: { scope: 'cpms:write:chargers' },
    schema: {
      tags: ['fleet'],
      operationId: 'setChargerRegistration',
      summary: 'Accept a charger, or hold it as Pending or Rejected',
      description:
        'A held charger starts no session, and its messages are answered with SecurityError, except BootNotification. Sessions that run ' +
        'continue to their end. A Pending charger can be configured (configuration, variables), report its device model ' +
        '(GetBaseReport, GetReport) and be asked for a BootNotification; other commands are refused with CHARGER_HELD. A ' +
        'Rejected charger gets no command. The status is kept until it is changed here.',
      params: Type.Object({ uuid: Uuid('Charger identifier.') }),
      querystring: Type.Object(networkQuery),
      headers: ifMatchHeaders,
      body: Wanted,
      response: {
        200: VersionedEnvelope(Stored, 'The registration is stored'),
        ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'PRECONDITION_FAILED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const { status } = request.body;
      const target = chargerTargetOf(request);
      const stored = await changeRegistration(deps, actorOf(request), target, status);
      tellVersion(reply, stored);
      return success({ chargerId: stored.charger.uuid, status, triggered: stored.isTriggered });
    },
  });
}
