import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { newestSessionsFirst } from '#shared/domain/charging/session-order.ts';
import { findOrderedSessions } from '#shared/postgres/charging/ordered-sessions.ts';
import { listSessions, readSessions } from '#shared/postgres/charging/session-pages.ts';
import { sessionSource } from '#shared/postgres/charging/session-records.ts';
import { listChargers } from '#shared/postgres/fleet/charger-lists.ts';
import { chargerReads, listedChargers } from '#shared/postgres/fleet/charger-records.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { listRecords } from '#shared/postgres/kernel/records.statements.ts';
import { ready } from './ready.ts';

/** Read of the product, by the identifier where it reads a single record. */
export type StatementName =
  | 'charger'
  | 'session'
  | 'listed chargers'
  | 'chargers'
  | 'listed sessions'
  | 'sessions';

const sql = openPostgres(process.env['DATABASE_URL'] ?? '', { name: 'yardstick', connections: 10 });
const all = { networks: { all: true }, userId: null } as const;
const page = { page: 1, pageSize: 50 };

/** Statements of the product, for callers of all networks. */
const statements: Record<StatementName, (uuid: string) => Promise<unknown>> = {
  charger: (uuid) => chargerReads.list(sql, sql`select id from chargers where uuid = ${uuid}`),
  session: (uuid) => listRecords(sql, sessionSource, sql`select id from sessions where uuid = ${uuid}`),
  'listed chargers': () =>
    listChargers(sql, (store, found) => listRecords(store, listedChargers, found), all.networks, {}, page),
  chargers: () => listChargers(sql, chargerReads.list, all.networks, {}, page),
  'listed sessions': async () => {
    const slice = { after: null, asOf: new Date(), limit: page.pageSize + 1 };
    return readSessions(sql, all, await findOrderedSessions(sql, all, {}, newestSessionsFirst, slice));
  },
  sessions: () => listSessions(sql, all, {}, page),
};

/** Bare Fastify routes: each request runs the statement of a read by itself, and answers with the body which the bench sent. */
let body = '{}';
const app = fastify();
app.get<{ Params: { name: StatementName; '*': string } }>('/:name/*', async ({ params }, reply) => {
  await statements[params.name](params['*']);
  return reply.type('application/json; charset=utf-8').send(body);
});
process.on('message', (message: { body: string }) => {
  ({ body } = message);
});
await app.listen({ host: '127.0.0.1', port: 0 });
ready((app.server.address() as AddressInfo).port);
