import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Decimal,
  Flag,
  idParams,
  Integer,
  Named,
  NetworkNumber,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { balanceFields, balanceView, Movement, movementView } from '#api/routes/wallet-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  adjustWallet,
  listOwnWallets,
  openWallet,
  readLedger,
  readWallet,
  summarizeOwnWallets,
  type WalletQuery,
  type WalletRecord,
  type WalletSums,
} from '#api/services/money/wallets.service.ts';
import { ledgerCauses } from '#shared/domain/money/wallet.ts';
import { oldestWalletsFirst, type WalletOrder, walletSorts } from '#shared/domain/money/wallet-order.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Wallet = Named('Wallet', {
  id: Uuid('Wallet identifier.'),
  userId: Uuid('Driver identifier.'),
  userEmail: Str('E-mail address of the driver.', 'ada@example.org'),
  userName: Str('Name of the driver.', 'Ada'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  ...balanceFields,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest movement.'),
});

const filterQuery = {
  ...networkQuery,
  userId: Type.Optional(Uuid('Driver to filter by.')),
  email: Type.Optional(Text(254, 'E-mail address of the driver to filter by.', 'ada@example.org')),
  search: Type.Optional(
    Text(
      100,
      'Part of the e-mail address or name of the driver; with the scope `cpms:read:users` also of the phone number or ' +
        'external identifier. Case is ignored.',
      'ada',
    ),
  ),
  owing: Type.Optional(Flag('True selects wallets with an amount owed, false the others.')),
};

const Filter = Type.Object(filterQuery);

/** Names of orders: ascending, and descending with a minus. */
const sorts = walletSorts.flatMap((sort) => [sort, `-${sort}`] as const);

const sortQuery = Type.Optional(
  OneOf(
    sorts,
    'Order of the list; a minus means descending. name: name of the driver. balance: `balance` in the minor unit of ' +
      "each wallet's currency. Default: `createdAt`, oldest first.",
  ),
);

function orderOf(sort: (typeof sorts)[number] | undefined): WalletOrder {
  const by = walletSorts.find((known) => sort?.endsWith(known));
  return by === undefined ? oldestWalletsFirst : { by, isAscending: sort === by };
}

const Summary = Named('WalletListSummary', {
  currencies: Type.Array(
    Named('WalletSum', {
      count: Integer('Number of wallets.', 120),
      owingCount: Integer('Number of wallets with an amount owed.', 3),
      ...balanceFields,
    }),
    { description: 'Sums of the balances by currency. Empty without wallets.' },
  ),
});

const Adjustment = Closed({
  amount: Decimal(
    "Amount in the major unit of the wallet's currency, with no more decimals than it has.",
    25,
    { exclusiveMinimum: 0, maximum: 1_000_000 },
  ),
  reason: Text(500, 'Reason, shown to the driver and kept in the audit log.', 'Paid at the desk'),
});

const params = idParams('Wallet');

function walletView(wallet: WalletRecord) {
  const { uuid, userUuid, userEmail, userName, networkId, networkUuid, createdAt, updatedAt } = wallet;
  return {
    id: uuid,
    userId: userUuid,
    userEmail,
    userName,
    networkId,
    networkUuid,
    ...balanceView(wallet),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function sumsView({ count, owingCount, ...sums }: WalletSums) {
  return { count, owingCount, ...balanceView(sums) };
}

function queryOf({ userId, email, search, owing, ...networks }: Static<typeof Filter>): WalletQuery {
  return { networkUuid: networkOf(networks), userUuid: userId, email, search, isOwing: owing };
}

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Registers the routes of wallets for operators. */
export function walletRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /wallets', 'cpms:read:wallets', {
    operationId: 'listWallets',
    summary: 'List wallets',
    description:
      'A wallet whose balance changes between two pages can be repeated or omitted in a list by balance, one whose ' +
      'driver is renamed in a list by name.',
    querystring: Type.Object({
      ...cursorQuery,
      ...filterQuery,
      sort: sortQuery,
    }),
    response: { 200: CursorEnvelope(Wallet, 'One page of wallets.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const page = await listOwnWallets(
        deps,
        callerOf(request),
        queryOf(request.query),
        orderOf(request.query.sort),
        cursorOf(request.query),
      );
      return successSlice(page.rows.map(walletView), page.nextCursor);
    },
  });

  operation(app, 'GET /wallets/summary', 'cpms:read:wallets', {
    operationId: 'summarizeWallets',
    summary: 'Get the sums of the wallets that match a filter',
    description: 'Takes the same filters as `listWallets`.',
    querystring: Filter,
    response: { 200: Envelope(Summary, 'Sums of the wallets.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const sums = await summarizeOwnWallets(deps, callerOf(request), queryOf(request.query));
      return success({ currencies: sums.map(sumsView) });
    },
  });

  operation(app, 'POST /wallets', 'cpms:command:billing', {
    operationId: 'openWallet',
    summary: 'Create the wallet of a driver',
    description:
      "The wallet has the currency of the driver's network and pays the driver's sessions from now on. Sessions " +
      'of a driver without a wallet are invoiced.',
    body: Closed({ userId: Uuid('Driver identifier.') }),
    response: {
      201: Envelope(Wallet, 'The empty wallet.'),
      ...cpmsErrors('USER_NOT_FOUND', 'WALLET_EXISTS'),
    },
    handler: async (request, reply) => {
      const wallet = await openWallet(deps, actorOf(request), request.body.userId);
      return reply.code(201).send(success(walletView(wallet)));
    },
  });

  operation(app, 'GET /wallets/:uuid', 'cpms:read:wallets', {
    operationId: 'getWallet',
    summary: 'Get a wallet',
    description:
      "Balances are in the major unit of the network's currency. The available balance excludes what is set " +
      'aside for running sessions.',
    params,
    response: { 200: Envelope(Wallet, 'The wallet.'), ...cpmsErrors('WALLET_NOT_FOUND') },
    handler: async (request) =>
      success(walletView(await readWallet(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'GET /wallets/:uuid/ledger', 'cpms:read:wallets', {
    operationId: 'listWalletMovements',
    summary: 'List the movements of a wallet, newest first',
    description:
      'Amounts are in the major unit of the currency, negative for debits, each with the balance after it. ' +
      'Movements are never changed or deleted.',
    params,
    querystring: Type.Object({
      ...cursorQuery,
      type: Type.Optional(OneOf(ledgerCauses, 'Kind of movement to filter by.')),
      from: Type.Optional(DateTime('Earliest time, inclusive.')),
      to: Type.Optional(DateTime('Latest time, inclusive.')),
    }),
    response: {
      200: CursorEnvelope(Movement, 'One page of movements.'),
      ...cpmsErrors('WALLET_NOT_FOUND'),
    },
    handler: async (request) => {
      const { type, from, to } = request.query;
      const filter = { cause: type, from: toDate(from), to: toDate(to) };
      const { uuid } = request.params;
      const page = await readLedger(deps, callerOf(request), uuid, filter, cursorOf(request.query));
      return successSlice(page.rows.map(movementView), page.nextCursor);
    },
  });

  app.route({
    method: 'POST',
    url: '/wallets/:uuid/credit',
    config: { scope: 'cpms:command:billing', idempotent: 'by-cause' },
    schema: {
      operationId: 'creditWallet',
      summary: 'Credit a wallet',
      description:
        'The credit first settles what the driver owes. The reason is shown to the driver and kept in the audit ' +
        'log.',
      params,
      body: Adjustment,
      response: {
        200: Envelope(Wallet, 'The wallet after the movement.'),
        ...cpmsErrors('WALLET_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const wallet = await adjustWallet(deps, actorOf(request), request.params.uuid, {
        kind: 'credit',
        ...request.body,
      });
      return success(walletView(wallet));
    },
  });

  app.route({
    method: 'POST',
    url: '/wallets/:uuid/debit',
    config: { scope: 'cpms:command:billing', idempotent: 'by-cause' },
    schema: {
      operationId: 'debitWallet',
      summary: 'Debit a wallet',
      description:
        'The amount is at most the available balance, without holds. The reason is shown to the driver and kept ' +
        'in the audit log.',
      params,
      body: Adjustment,
      response: {
        200: Envelope(Wallet, 'The wallet after the movement.'),
        ...cpmsErrors('WALLET_NOT_FOUND', 'INSUFFICIENT_BALANCE'),
      },
    },
    handler: async (request) => {
      const wallet = await adjustWallet(deps, actorOf(request), request.params.uuid, {
        kind: 'debit',
        ...request.body,
      });
      return success(walletView(wallet));
    },
  });
}
