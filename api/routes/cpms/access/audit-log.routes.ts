import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  CsvFile,
  DateTime,
  Integer,
  Named,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  pageSizeUpTo,
  periodOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { type AuditEntry, maxCountedEntries, readAuditLog } from '#api/services/access/audit-log.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type AuditLogFormat,
  auditLogFormats,
  AuditLogStreams,
} from '#api/services/reporting/exports/audit-log-streams.ts';
import { PagedEnvelope, successPage } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Entry = Named('AuditLogEntry', {
  id: Integer('Identifier of the entry. It increases with each entry.'),
  category: Str(
    'Kind of the resource: charger, network, session, … or `command` for a command to a charger.',
    'charger',
  ),
  action: Str('Action: create, update, delete, or the command.', 'StatusNotification'),
  resourceId: Nullable(Str('Identifier of the resource. Null when the action concerns none.')),
  resourceName: Nullable(Str('Name of the resource. Null when it has none.', 'QUAY-1')),
  description: Str('Sentence that describes the action.', 'Charger QUAY-1 was updated'),
  details: Str('JSON text: the values before and after, or the command and its answer. Secrets are masked.'),
  userId: Nullable(Uuid('Operator or API key that acted. Null for chargeway itself.')),
  userName: Nullable(Str('Name of the operator or API key. Null when unknown.', 'Ada')),
  ipAddress: Nullable(Str('IP address of the caller. Null for chargeway itself.', '203.0.113.7')),
  timestamp: DateTime('Time of the action.'),
});

function entryView({ id, details, at, ...entry }: AuditEntry): Static<typeof Entry> {
  return { ...entry, id: Number(id), details: JSON.stringify(details), timestamp: at.toISOString() };
}

const filters = {
  ...networkQuery,
  category: Type.Optional(Text(64, 'Category to filter by, such as `charger`.', 'charger')),
  action: Type.Optional(Text(64, 'Action to filter by, such as `update`.', 'StatusNotification')),
  resourceId: Type.Optional(Text(100, 'Resource to filter by.')),
  userId: Type.Optional(Uuid('Operator or API key to filter by, as in `userId` of an entry.')),
  from: Type.Optional(DateTime('Earliest time, inclusive.')),
  to: Type.Optional(DateTime('Latest time, inclusive.')),
};

type Filters = Static<ReturnType<typeof Type.Object<typeof filters>>>;

function filterOf({ category, action, resourceId, userId, ...query }: Filters) {
  return { category, action, resourceId, userId, ...periodOf(query) };
}

const config = { scope: 'cpms:read:audit-log' } as const;

/** Media types of the formats of an export. */
const types: Record<AuditLogFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Registers the routes that list and export the audit log. */
export function auditLogRoutes(app: App, deps: ApiDeps): void {
  const streams = new AuditLogStreams();

  operation(app, 'GET /audit-log', config, {
    operationId: 'listAuditLog',
    summary: 'List the audit log, newest first',
    description: `\`total\` and the pages stop at ${maxCountedEntries} entries: narrow the time to read older ones. Entries that concern no single network are visible to unrestricted callers only.`,
    querystring: Type.Object({
      ...pageQuery,
      pageSize: pageSizeUpTo(200),
      ...filters,
    }),
    response: {
      200: PagedEnvelope(Entry, 'One page of entries, newest first.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const page = pageOf(request.query);
      const { rows, total } = await readAuditLog(
        deps,
        callerOf(request),
        networkOf(request.query),
        filterOf(request.query),
        page,
      );
      return successPage(rows.map(entryView), page, total);
    },
  });

  app.route({
    method: 'GET',
    url: '/audit-log/export',
    config,
    // A HEAD request would read all entries.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportAuditLog',
      summary: 'Export the audit log, oldest first',
      description:
        'Sends all entries that the list returns for the same filters while they are read, however many there are. ' +
        'A caller has one export at a time, a process three. The export is recorded in the audit log. A response ' +
        'without its last chunk is incomplete.',
      querystring: Type.Object({
        format: Type.Optional({
          ...OneOf(
            auditLogFormats,
            'Format. ndjson: one JSON object on each line, with `details` as an object. csv: for spreadsheets.',
          ),
          default: 'ndjson' as const,
        }),
        ...filters,
      }),
      response: {
        200: {
          description: 'The entries, one on each line.',
          content: {
            'application/x-ndjson': {
              schema: {
                type: 'string',
                description:
                  'Objects with the fields of the list, and `networkId` (UUID of the network, or null) and `requestId` ' +
                  '(id in the log of the API, or null).',
              },
            },
            'text/csv': { schema: CsvFile },
          },
        },
        ...cpmsErrors('NETWORK_NOT_FOUND', 'TOO_MANY_EXPORTS'),
      },
    },
    handler: async (request, reply) => {
      const { format = 'ndjson' } = request.query;
      const { query } = request;
      const bytes = await streams.open(deps, actorOf(request), networkOf(query), filterOf(query), format);
      return reply
        .type(types[format])
        .header('content-disposition', `attachment; filename="audit-log.${format}"`)
        .header('cache-control', 'no-store')
        .send(bytes as never);
    },
  });
}
