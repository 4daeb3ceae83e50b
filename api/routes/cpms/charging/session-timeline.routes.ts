import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Flag,
  idParams,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import {
  readSessionTimeline,
  timelineLinks,
  timelineSources,
  timelineTypes,
} from '#api/services/charging/session-timeline.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Entry = Named('SessionTimelineEntry', {
  time: DateTime("Time of the event: the charger's for what it reported, otherwise the time of the record."),
  type: OneOf(
    timelineTypes,
    'Kind of event. command: a remote start or stop. idle: an interval without charging. changed: an operator ' +
      'amended, approved or limited the session. corrected: a late message of the charger changed it.',
  ),
  source: OneOf(timelineSources, 'Record that the event was read from.'),
  by: Nullable(
    Str(
      'Operator, API key, roaming partner or part of the product that acted. Null for the charger and the driver.',
      'Ada Operator',
    ),
  ),
  status: Nullable(
    Str(
      'Resulting status: of the authorization, connector, command, reservation or price; the cause of an idle ' +
        'interval (SuspendedEV, SuspendedEVSE, NoPower); the limit; the audited action of `changed`. Null without one.',
      'Accepted',
    ),
  ),
  reason: Nullable(
    Str(
      'Stop reason, reason that an operator gave, flags of a review, error of a connector, or the action of a ' +
        'command or message. Null without one.',
      'EVDisconnected',
    ),
  ),
  until: Nullable(
    DateTime('End of an interval; of one in progress, the time of the response. Null for a moment.'),
  ),
  link: Nullable(
    Type.Object(
      {
        kind: OneOf(timelineLinks, 'Kind of the record.'),
        id: Str('Identifier of the record, of a message its OCPP message identifier.', '19223201'),
      },
      { description: 'Record with the details. Null without one.' },
    ),
  ),
});

const Timeline = Named('SessionTimeline', {
  sessionId: Uuid('Session identifier.'),
  entries: Type.Array(Entry, { description: 'Events in the order of time, at most 200.' }),
  isTruncated: Flag('True when the session has more events than are returned.'),
  isPartial: Flag(
    'True when messages, statuses and readings are missing, because their store is unavailable.',
  ),
});

/** Registers the route of the course of a session. */
export function sessionTimelineRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid/timeline', 'cpms:read:sessions', {
    operationId: 'getSessionTimeline',
    summary: 'Get the events of a session in the order of time',
    description:
      'Events come from the session, its remote start and reservation, the audit log, the wallet, receipts, invoices ' +
      'and CDRs, and from the message log, status history and readings as long as these are stored. The message ' +
      'log and the status history are searched from 10 minutes before the session until 10 minutes after it.',
    params: idParams('Session'),
    response: { 200: Envelope(Timeline, 'The events of the session.'), ...cpmsErrors('SESSION_NOT_FOUND') },
    handler: async (request) => {
      const { uuid } = request.params;
      const { session, entries, ...rest } = await readSessionTimeline(deps, callerOf(request), uuid);
      return success({
        sessionId: session.uuid,
        entries: entries.map((entry) => ({
          ...entry,
          time: entry.time.toISOString(),
          until: isoOrNull(entry.until),
        })),
        ...rest,
      });
    },
  });
}
