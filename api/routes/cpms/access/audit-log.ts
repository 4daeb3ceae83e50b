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
  id: Type.Integer({ description: 'Grows with each entry' }),
  category: Type.String({
    description: 'What it was done to: charger, network, session, …; command: to a device',
    examples: ['charger'],
  }),
  action: Type.String({
    description: 'What was done: create, update, delete, or the command',
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
    examples: ['Three phases, 11 kW'],
  }),
  details: Type.String({
    description: 'JSON as text: what was before and after, or what was sent and answered; secrets masked',
  }),
  userId: Nullable(Uuid('Of the operator or the API key; null: chargeway itself')),
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

/** Who did what. */
export function auditLogRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/audit-log',
    config: { scope: 'cpms:read:audit-log' },
    schema: {
      tags: ['access'],
      operationId: 'listAuditLog',
      summary: 'Who did what, from where, newest first',
      description:
        `\`total\` stops at ${maxCountedEntries}, and so do the pages: narrow the time for what is older. What concerns no ` +
        'network alone is shown to callers that are not pinned to networks.',
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
        from: Type.Optional(DateTime('At or after this time')),
        to: Type.Optional(DateTime('At or before this time')),
      }),
      response: {
        200: PagedEnvelope(Entry, 'One page of entries, newest first'),
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
