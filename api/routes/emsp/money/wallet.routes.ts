import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Decimal, limitUpTo, Named, Str, Uuid } from '#api/routes/schema.ts';
import { balanceFields, balanceView, Movement, movementView } from '#api/routes/wallet-view.ts';
import { minimumBalance } from '#api/services/kernel/amounts.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { beginTopUp } from '#api/services/money/top-ups.service.ts';
import { maxListedWallets, readOwnLedger, readOwnWallets } from '#api/services/money/wallets.service.ts';

const whose = 'A driver key sees its own wallets; an operator key sees the wallets of its networks.';
const defaultLimit = 50;

const Wallet = Named('DriverWallet', {
  id: Uuid('Wallet identifier.'),
  networkId: Uuid('Network identifier.'),
  networkName: Str('Name of the network.', 'Harbour Charging'),
  userId: Uuid('Driver of the wallet.'),
  ...balanceFields,
  minimumBalance: Decimal(
    'Minimum available amount to start a session. 0: any positive amount, once the wallet has a movement.',
    5,
  ),
});

const NewTopUp = Closed({
  amount: Decimal(
    "Amount in the major unit of the network's currency, with no more decimals than it has.",
    25,
    { exclusiveMinimum: 0, maximum: 1_000_000 },
  ),
});

const TopUp = Type.Object(
  {
    id: Uuid('Top-up identifier.'),
    walletId: Uuid('Wallet identifier.'),
    amount: Decimal('Amount of the payment, in the major unit of the currency.', 25),
    currency: Str('Currency (ISO 4217).', 'EUR'),
    provider: Str('Payment provider of the component: stripe.', 'stripe'),
    clientSecret: Str(
      'Secret for the component of the provider (Stripe.js, mobile SDKs) that takes the payment.',
    ),
  },
  {
    title: 'TopUp',
    description: 'The created payment. The wallet is credited when the provider has received the money.',
  },
);

/** Registers the routes of a driver's wallets. */
export function walletRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /wallet', 'emsp:read', {
    operationId: 'getOwnWallets',
    summary: 'List wallets, one for each driver and network',
    description:
      `${whose} A network without any movement of the driver has no wallet. At most ${maxListedWallets}; ` +
      '`GET /cpms/v1/wallets` has pages.',
    response: {
      200: Type.Object({ data: Type.Array(Wallet) }, { description: 'The wallets.' }),
      ...problems('Wallet'),
    },
    handler: async (request) => {
      const wallets = await readOwnWallets(deps, callerOf(request));
      return {
        data: wallets.map((wallet) => ({
          id: wallet.uuid,
          networkId: wallet.networkUuid,
          networkName: wallet.networkName,
          userId: wallet.userUuid,
          ...balanceView(wallet),
          minimumBalance: minimumBalance(wallet),
        })),
      };
    },
  });

  operation(app, 'GET /wallet/ledger', 'emsp:read', {
    operationId: 'listOwnMovements',
    summary: 'List the newest movements of wallets',
    description: whose,
    querystring: Type.Object({
      limit: limitUpTo(500, defaultLimit, 'movements'),
    }),
    response: {
      200: Type.Object({ data: Type.Array(Movement) }, { description: 'The movements, newest first.' }),
      ...problems('Wallet'),
    },
    handler: async (request) => {
      const { limit = defaultLimit } = request.query;
      return { data: (await readOwnLedger(deps, callerOf(request), limit)).map(movementView) };
    },
  });

  app.route({
    method: 'POST',
    url: '/wallet/top-up',
    config: { scope: 'emsp:billing', idempotent: 'by-cause' },
    schema: {
      operationId: 'topUpWallet',
      summary: 'Create a payment into the wallet',
      description: `For drivers only. 404 PAYMENTS_DISABLED when the operator has not set up a payment provider.`,
      body: NewTopUp,
      response: {
        201: TopUp,
        ...problems(
          'Wallet',
          'DRIVER_KEY_REQUIRED',
          'PAYMENTS_DISABLED',
          'USER_NOT_FOUND',
          'PAYMENT_PROVIDER_FAILED',
        ),
      },
    },
    handler: async (request, reply) => {
      const { amount } = request.body;
      return reply.code(201).send(await beginTopUp(deps, actorOf(request), amount));
    },
  });
}
