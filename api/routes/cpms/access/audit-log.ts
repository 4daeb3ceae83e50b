import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, Named, Nullable, pageOf, pageQuery, periodOf, Text, Uuid } from '#api/routes/schema.ts';
import { type AuditEntry, maxCountedEntries, readAuditLog } from '#api/services/access/audit-log.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { PagedEnvelope, successPage } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Entry = Named('AuditLogEntry', {
  id: Type.Integer({ description: 'Identifier of the entry. It increases with each entry.' }),
  category: Type.String({
    description:
      'Kind of the resource: charger, network, session, … or `command` for a command to a charger.',
    examples: ['charger'],
  }),
  action: Type.String({
    description: 'Action: create, update, delete, or the command.',
    examples: ['StatusNotification'],
  }),
  resourceId: Nullable(
    Type.String({ description: 'Identifier of the resource. Null when the action concerns none.' }),
  ),
  resourceName: Nullable(
    Type.String({ description: 'Name of the resource. Null when it has none.', examples: ['QUAY-1'] }),
  ),
  description: Type.String({
    description: 'Sentence that describes the action.',
    examples: ['Charger QUAY-1 was updated'],
  }),
  details: Type.String({
    description: 'JSON text: the values before and after, or the command and its answer. Secrets are masked.',
  }),
  userId: Nullable(Uuid('Operator or API key that acted. Null for chargeway itself.')),
  userName: Nullable(
    Type.String({ description: 'Name of the operator or API key. Null when unknown.', examples: ['Ada'] }),
  ),
  ipAddress: Nullable(
    Type.String({
      description: 'IP address of the caller. Null for chargeway itself.',
      examples: ['203.0.113.7'],
    }),
  ),
  timestamp: DateTime('Time of the action.'),
});

function entryView({ id, details, at, ...entry }: AuditEntry): Static<typeof Entry> {
  return { ...entry, id: Number(id), details: JSON.stringify(details), timestamp: at.toISOString() };
}

/** Registers the route that lists the audit log. */
export function auditLogRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/audit-log',
    config: { scope: 'cpms:read:audit-log' },
    schema: {
      tags: ['access'],
      operationId: 'listAuditLog',
      summary: 'List the audit log, newest first',
      description: `\`total\` and the pages stop at ${maxCountedEntries} entries: narrow the time to read older ones. Entries that concern no single network are visible to unrestricted callers only.`,
      querystring: Type.Object({
        ...pageQuery,
        pageSize: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            default: 50,
            description: 'Maximum number of entries per page.',
            examples: [50],
          }),
        ),
        ...networkQuery,
        category: Type.Optional(
          Text(64, { description: 'Category to filter by, such as `charger`.', examples: ['charger'] }),
        ),
        action: Type.Optional(
          Text(64, {
            description: 'Action to filter by, such as `update`.',
            examples: ['StatusNotification'],
          }),
        ),
        resourceId: Type.Optional(Text(100, { description: 'Resource to filter by.' })),
        from: Type.Optional(DateTime('Earliest time, inclusive.')),
        to: Type.Optional(DateTime('Latest time, inclusive.')),
      }),
      response: {
        200: PagedEnvelope(Entry, 'One page of entries, newest first.'),
        ...cpmsErrors('NETWORK_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { category, action, resourceId } = request.query;
      const filter = { category, action, resourceId, ...periodOf(request.query) };
      const page = pageOf(request.query);
      const { rows, total } = await readAuditLog(
        deps,
        callerOf(request),
        networkOf(request.query),
        filter,
        page,
      );
      return successPage(rows.map(entryView), page, total);
    },
  });
}
