import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Flag, idParams, OneOf, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readOperatorSession } from '#api/services/charging/operator-sessions.ts';
import { approveSession, statementDecisions } from '#api/services/money/session-review.service.ts';
import { VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { detailFor, SessionDetail } from './session-view.ts';
import { expectedVersion, ifMatchHeaders, versioned } from '#api/routes/cpms/kernel/versioned.ts';

/** Second confirmation for energy and prices above the plausible maximum. */
export const confirmAbovePlausible = Type.Optional(
  Flag(
    'True settles energy and a price above the plausible maximum: the power of the connector plus 20 %, for ' +
      'the duration of the session, plus 1 kWh.',
  ),
);

/** Registers the route that approves prices of implausible sessions. */
export function sessionReviewRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /sessions/:uuid/approve', 'cpms:command:billing', {
    operationId: 'approveSession',
    summary: 'Approve the price of a session in review',
    description:
      'Settles the session as the charger reported it, or as its roaming partner stated: the wallet pays, and the session can ' +
      'be invoiced. ' +
      'Correct wrong values with `amend` instead. `GET /cpms/v1/sessions?priceState=REVIEW` lists the sessions ' +
      'in review.',
    params: idParams('Session'),
    headers: ifMatchHeaders,
    body: Type.Object(
      {
        reason: Text(500, 'Reason of the approval, kept in the audit log.', 'Paid at the desk'),
        confirmAbovePlausible,
        partnerStatement: Type.Optional(
          OneOf(
            statementDecisions,
            'ACCEPT settles the values of the roaming partner; REJECT settles the values of the charger. Required when ' +
              '`review.partnerStatement` is not null, and not accepted otherwise.',
          ),
        ),
      },
      { additionalProperties: false, description: 'Reason of the approval, kept in the audit log.' },
    ),
    response: {
      200: VersionedEnvelope(SessionDetail, 'The session after the change.'),
      ...cpmsErrors(
        'SESSION_NOT_FOUND',
        'SESSION_NOT_COMPLETED',
        'SESSION_NOT_IN_REVIEW',
        'SESSION_NOT_FINAL',
        'SESSION_INVOICED',
        'ABOVE_PLAUSIBLE',
        'PRECONDITION_FAILED',
      ),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      await approveSession(deps, actorOf(request), uuid, expectedVersion(request.headers), request.body);
      const caller = callerOf(request);
      const session = await readOperatorSession(deps, caller, uuid);
      return versioned(reply, session.reading.session, detailFor(caller)(session));
    },
  });
}
