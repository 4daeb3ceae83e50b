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
  }),
  action: Type.String({ description: 'What was done: create, update, delete, or the command' }),
  resourceId: Nullable(Type.String()),
  resourceName: Nullable(Type.String()),
  description: Type.String(),
  details: Type.String({
    description: 'JSON as text: what was before and after, or what was sent and answered; secrets masked',
  }),
  userId: Nullable(Uuid('Of the operator or the API key; null: chargeway itself')),
  userName: Nullable(Type.String()),
  ipAddress: Nullable(Type.String()),
  timestamp: DateTime(),
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
        pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
        ...networkQuery,
        category: Type.Optional(Text(64)),
        action: Type.Optional(Text(64)),
        resourceId: Type.Optional(Text(100)),
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
