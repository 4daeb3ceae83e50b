import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  isoOrNull,
  Named,
  Nullable,
  OptionalBody,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { pushLocalList, readSentList } from '#api/services/commands/local-lists.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';

const Version = Nullable(Type.Integer({ description: 'Null: none was sent', examples: [3] }));

const Entry = Named('LocalListEntry', {
  idTokenId: Uuid('Token identifier.'),
  uid: Type.String({ description: 'Unique identifier of the token.', examples: ['QUAY-1'] }),
  toldAt: DateTime('The charger was told what was so then'),
});

const shown = 'The list that a charger was sent, and one page of its entries';
const LocalList = Type.Object(
  {
    ...CursorEnvelope(Entry, shown).properties,
    version: Version,
    sentAt: Nullable(DateTime('Time the list was sent. Null when none was sent.')),
    entryCount: Type.Integer({
      description: 'Tokens in the list, with those that were sent without an answer',
    }),
  },
  { description: shown },
);

const Push = Type.Object(
  {
    idTokenIds: Type.Optional(
      Type.Array(Uuid(), {
        maxItems: 10_000,
        description:
          'The tokens to have in it; without: all of the network that may be in lists. Empty: none',
      }),
    ),
  },
  { additionalProperties: false },
);

const Pushed = Type.Object({
  ...commandAnswer,
  entryCount: Type.Integer({ description: 'That the charger accepted' }),
  messages: Type.Integer({ description: 'In which they were sent' }),
  version: Type.Integer({ description: "OCPP's number of the list", examples: [3] }),
});

const url = '/chargers/:chargerUuid/local-list';

/** The lists of tokens that chargers keep for themselves, for when they are offline. */
export function localListRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url,
    config: { scope: 'cpms:read:id-tokens' },
    schema: {
      ...commandRequest,
      operationId: 'readLocalList',
      summary: 'The local list that a charger was sent',
      querystring: Type.Object({ ...commandRequest.querystring.properties, ...cursorQuery }),
      response: { 200: LocalList, ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND') },
    },
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

  app.route({
    method: 'POST',
    url,
    config: { scope: 'cpms:command:local-list' },
    schema: {
      ...commandRequest,
      operationId: 'pushLocalList',
      summary:
        'Send a charger the list of the tokens that it may accept by itself, in place of the one it has',
      description:
        'In as many messages as the charger needs. Later changes of these tokens that let them charge less are sent by ' +
        'themselves; new tokens are not.',
      body: OptionalBody(Push),
      response: {
        200: Envelope(Pushed, 'The charger answered'),
        ...commandErrors('ID_TOKEN_NOT_FOUND'),
      },
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
