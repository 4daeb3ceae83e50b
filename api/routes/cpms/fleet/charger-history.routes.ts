import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { DateTime, Flag, idParams, OneOf, pageSizeUpTo, Text } from '#api/routes/schema.ts';
import {
  messageDirections,
  readChargerMessages,
  readStatusHistory,
  type HistoryQuery,
} from '#api/services/fleet/charger-history.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Message, messageView, StatusEvent, statusEventView } from './charger-history-view.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const defaultPageSize = 100;

const historyQuery = {
  ...networkQuery,
  from: Type.Optional(DateTime('Earliest time, inclusive.')),
  to: Type.Optional(DateTime('Latest time, inclusive.')),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Cursor of the page: the `nextCursor` of an earlier response.',
    }),
  ),
  pageSize: pageSizeUpTo(1000, defaultPageSize),
};

/** Filter of messages, of the list and of the live tail. */
export const messageFilter = {
  action: Type.Optional(Text(64, 'OCPP action to filter by.', 'StatusNotification')),
  direction: Type.Optional(
    OneOf(messageDirections, 'Direction to filter by. in: from the charger. out: to the charger.'),
  ),
  callDirection: Type.Optional(
    OneOf(
      messageDirections,
      'Direction of the call to filter by; its answer is listed too. in: calls of the charger. out: commands to it.',
    ),
  ),
  errorsOnly: Type.Optional(
    Flag('True: only calls that were answered with an error, with their answers, and broken frames.', true, {
      default: false,
    }),
  ),
};

const params = idParams('Charger');
const errors = cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND');

/** Registers the routes of a charger's OCPP messages and status history. */
export function chargerHistoryRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:uuid/messages', 'cpms:read:chargers', {
    operationId: 'listChargerMessages',
    summary: 'List the OCPP messages of a charger, newest first',
    description:
      'A call appears with its answer, about one second after the answer was sent. Passwords and keys are masked. The log can lack ' +
      'messages from times when its store was unavailable; sessions and meter values do not depend on it.',
    params,
    querystring: Type.Object({
      ...historyQuery,
      ...messageFilter,
      messageId: Type.Optional(Text(200, 'OCPP message identifier to filter by.', '19223201')),
      search: Type.Optional(
        Text(100, 'Text in the payload of the call or of its answer, in any case.', 'ConcurrentTx'),
      ),
    }),
    response: {
      200: CursorEnvelope(Message, 'The newest messages, or those before the cursor.'),
      ...errors,
    },
    handler: async (request) => {
      const { action, direction, callDirection, errorsOnly, messageId, search } = request.query;
      const history = historyQueryOf(request.params.uuid, request.query);
      const query = { ...history, action, direction, callDirection, errorsOnly, messageId, search };
      const page = await readChargerMessages(deps, callerOf(request), query);
      return successSlice(page.rows.map(messageView), page.nextCursor);
    },
  });

  operation(app, 'GET /chargers/:uuid/status-history', 'cpms:read:chargers', {
    operationId: 'listStatusHistory',
    summary: 'List the status history of a charger, newest first',
    description:
      'Reported statuses, and openings and closings of the connection. An event appears about one second after ' +
      'it happened.',
    params,
    querystring: Type.Object(historyQuery),
    response: {
      200: CursorEnvelope(StatusEvent, 'The newest events, or those before the cursor.'),
      ...errors,
    },
    handler: async (request) => {
      const query = historyQueryOf(request.params.uuid, request.query);
      const page = await readStatusHistory(deps, callerOf(request), query);
      return successSlice(page.rows.map(statusEventView), page.nextCursor);
    },
  });
}

function historyQueryOf(
  chargerUuid: string,
  query: {
    networkId?: string;
    networkUuid?: string;
    from?: string;
    to?: string;
    cursor?: string;
    pageSize?: number;
  },
): HistoryQuery {
  const { from, to, cursor, pageSize = defaultPageSize } = query;
  return {
    chargerUuid,
    networkUuid: networkOf(query),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    cursor,
    limit: pageSize,
  };
}
