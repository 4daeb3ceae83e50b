import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OptionalBody,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { pushLocalList, readSentList } from '#api/services/commands/local-lists.service.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';

const Version = Nullable(Integer('Version of the list. Null when none was sent.', 3));

const Entry = Named('LocalListEntry', {
  idTokenId: Uuid('Token identifier.'),
  uid: Str('Unique identifier of the token.', 'QUAY-1'),
  toldAt: DateTime("Time of the token's state that the charger received."),
});

const shown = 'The local list of a charger, and one page of its entries.';
const LocalList = Type.Object(
  {
    ...CursorEnvelope(Entry, shown).properties,
    version: Version,
    sentAt: Nullable(DateTime('Time the list was sent. Null when none was sent.')),
    entryCount: Integer('Number of tokens in the list, including those that were sent without an answer.'),
  },
  { description: shown },
);

const Push = Closed({
  idTokenIds: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: 10_000,
      description:
        'Tokens of the list. Default: all tokens of the network that are allowed in lists. Empty: none.',
    }),
  ),
});

const Pushed = Type.Object({
  ...commandAnswer,
  entryCount: Integer('Number of tokens that the charger accepted.'),
  messages: Integer('Number of messages that the list was sent in.'),
  version: Integer('Version of the list (OCPP).', 3),
});

const url = '/chargers/:chargerUuid/local-list';

/** Registers the routes of local lists: tokens that chargers accept while they are offline. */
export function localListRoutes(app: App, deps: ApiDeps): void {
  operation(app, `GET ${url}`, 'cpms:read:id-tokens', {
    ...commandRequest,
    operationId: 'readLocalList',
    summary: 'Get the local list of a charger',
    description: 'The list as it was last sent and accepted. No request is sent to the charger.',
    querystring: Type.Object({ ...commandRequest.querystring.properties, ...cursorQuery }),
    response: { 200: LocalList, ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { list, rows, nextCursor } = await readSentList(deps, charger, cursorOf(request.query));
      const entries = rows.map(({ uuid, uid, readAt }) => ({
        idTokenId: uuid,
        uid,
        toldAt: readAt.toISOString(),
      }));
      return {
        ...successSlice(entries, nextCursor),
        version: list.version,
        sentAt: isoOrNull(list.sentAt),
        entryCount: list.entries,
      };
    },
  });

  operation(app, `POST ${url}`, 'cpms:command:local-list', {
    ...commandRequest,
    operationId: 'pushLocalList',
    summary: 'Replace the local list of a charger',
    description:
      'The list is sent in as many messages as the charger needs. Later changes that restrict these tokens are ' +
      'sent automatically; new tokens are not.',
    body: OptionalBody(Push),
    response: {
      200: Envelope(Pushed, 'Answer of the charger.'),
      ...commandErrors('ID_TOKEN_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const sent = await pushLocalList(deps, actorOf(request), charger, request.body?.idTokenIds);
      return success({
        chargerId: charger.uuid,
        accepted: sent.result.accepted,
        entryCount: sent.entries,
        messages: sent.messages,
        version: sent.version,
        message: outcome(sent.result, 'The charger accepted the list.'),
      });
    },
  });
}
