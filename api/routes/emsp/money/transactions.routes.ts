import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  OneOf,
  pageOf,
  pageQuery,
  periodOf,
  Uuid,
  idParams,
  largeTotals,
} from '#api/routes/schema.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listCallerTransactions,
  readTransaction,
  transactionStatuses,
} from '#api/services/money/transactions.service.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';
import {
  settledTransactionView,
  TransactionDetail,
  TransactionItem,
  transactionView,
} from './transaction-view.ts';

/** Status that selects all transactions: the status of their sessions. */
const completed = 'COMPLETED';
const whoSees = 'Driver keys see their own transactions, operator keys the transactions of their networks.';

/** Registers the routes of completed sessions as charge detail records. */
export function transactionRoutes(app: App, deps: ApiDeps): void {
  const list = List(TransactionItem, 'One page of transactions, the latest end first.');
  const pages = new SharedPages(list);

  operation(app, 'GET /transactions', 'emsp:read', {
    operationId: 'listTransactions',
    summary: 'List transactions: completed sessions with their cost',
    description: `${whoSees} ${largeTotals}`,
    querystring: Type.Object({
      ...pageQuery,
      from: Type.Optional(DateTime('Earliest end, inclusive.')),
      to: Type.Optional(DateTime('Latest end, inclusive.')),
      userId: Type.Optional(Uuid('Driver to filter by.')),
      status: Type.Optional(
        OneOf([...transactionStatuses, completed], 'Status to filter by. COMPLETED selects all of them.'),
      ),
    }),
    response: {
      200: list,
      ...problems('Transaction'),
    },
    handler: async (request, reply) => {
      const { status, userId } = request.query;
      const filter = {
        billing: status === completed ? undefined : status,
        userUuid: userId,
        ...periodOf(request.query),
      };
      const page = pageOf(request.query);
      const caller = callerOf(request);
      return pages.send(request, reply, [caller.networks, caller.userId], async () => {
        const { rows, total } = await listCallerTransactions(deps, caller, filter, page);
        return listPage(rows.map(transactionView), page, total);
      });
    },
  });

  operation(app, 'GET /transactions/:id', 'emsp:read', {
    operationId: 'getTransaction',
    summary: 'Get a transaction with its cost breakdown and its payments',
    description: `${whoSees} The identifier is the identifier of the session.`,
    params: idParams('Transaction', 'id'),
    response: { 200: TransactionDetail, ...problems('Transaction', 'TRANSACTION_NOT_FOUND') },
    handler: async (request) =>
      settledTransactionView(await readTransaction(deps, callerOf(request), request.params.id)),
  });
}
