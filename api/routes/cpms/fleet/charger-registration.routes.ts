import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, idParams, OneOf, Uuid } from '#api/routes/schema.ts';
import { changeRegistration } from '#api/services/commands/charger-registration.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import { chargerTargetOf } from './chargers.routes.ts';
import { VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { ifMatchHeaders, versioned } from '#api/routes/cpms/kernel/versioned.ts';

const Wanted = Closed({
  status: OneOf(registrations, 'Registration of the charger: the answer to its BootNotification.'),
});

const Stored = Type.Object({
  chargerId: Uuid('Charger identifier.'),
  status: OneOf(registrations, 'Registration of the charger.'),
  triggered: Flag(
    'True when the charger agreed to send BootNotification now. Otherwise it receives the status at its next ' +
      'boot, or within one minute (Pending) or five (Rejected) when it is held.',
  ),
});

/** Registers the route that sets the registration of a charger. */
export function chargerRegistrationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:uuid/registration', 'cpms:write:chargers', {
    operationId: 'setChargerRegistration',
    summary: 'Set the registration of a charger',
    description:
      'A held charger (Pending or Rejected) starts no session, and its messages other than BootNotification are ' +
      'answered with SecurityError. Running sessions continue to their end. A Pending charger can be configured ' +
      '(configuration, variables), report its device model (GetBaseReport, GetReport) and send a requested ' +
      'BootNotification; other commands are refused with CHARGER_HELD. A Rejected charger receives no commands. ' +
      'The status stays until it is changed here.',
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    headers: ifMatchHeaders,
    body: Wanted,
    response: {
      200: VersionedEnvelope(Stored, 'The stored registration.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'PRECONDITION_FAILED'),
    },
    handler: async (request, reply) => {
      const { status } = request.body;
      const target = chargerTargetOf(request);
      const stored = await changeRegistration(deps, actorOf(request), target, status);
      return versioned(reply, stored, {
        chargerId: stored.charger.uuid,
        status,
        triggered: stored.isTriggered,
      });
    },
  });
}
