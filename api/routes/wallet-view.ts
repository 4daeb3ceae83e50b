import { type Static, Type } from 'typebox';
import { shownBalances } from '#api/services/kernel/amounts.ts';
import type { MovementRecord } from '#api/services/money/wallets.ts';
import { type Balances, ledgerCauses } from '#shared/domain/money/wallet.ts';
import { DateTime, Named, Nullable, OneOf, Uuid } from './schema.ts';

const currency = Type.String({ description: 'ISO 4217; amounts are in its major unit', examples: ['EUR'] });

const balances = {
  balance: Type.Number({ description: 'Available and held, less owed', examples: [50] }),
  available: Type.Number({ description: 'Free to use', examples: [43.95] }),
  held: Type.Number({ description: 'Set aside for sessions that were asked for or run', examples: [6.05] }),
  owed: Type.Number({
    description: 'What sessions cost beyond it: the next money that comes in pays it',
    examples: [0],
  }),
};

/** What a wallet holds. */
export const balanceFields = { currency, ...balances };

/** The values of `balanceFields`. */
export function balanceView(wallet: Balances & { currency: string }) {
  return { currency: wallet.currency, ...shownBalances(wallet, wallet.currency) };
}

/** One movement of a wallet. */
export const Movement = Named('WalletMovement', {
  id: Uuid('Wallet movement identifier.'),
  walletId: Uuid('Wallet identifier.'),
  networkId: Uuid('Network identifier.'),
  type: OneOf(
    ledgerCauses,
    'TOP_UP and REFUND: through the payment provider, or the bank that took it back; CREDIT and DEBIT: by the operator; ' +
      'HOLD: set aside for a session; ' +
      'RELEASE: given back, no session came; SESSION: what a session cost, or the difference after it was amended; ' +
      'all of it back where the session proved to be another one’s',
  ),
  currency,
  change: Type.Object(balances, { description: 'What it changed' }),
  after: Type.Object(balances, { description: 'What it led to' }),
  sessionId: Nullable(Uuid('Session that the movement belongs to. Null for other movements.')),
  reason: Nullable(
    Type.String({
      description: "The operator's, or why a session's cost was given back",
      examples: ['Paid at the desk'],
    }),
  ),
  createdAt: DateTime('Time the movement was booked.'),
});

export function movementView(movement: MovementRecord): Static<typeof Movement> {
  const { currency } = movement;
  return {
    id: movement.uuid,
    walletId: movement.walletUuid,
    networkId: movement.networkUuid,
    type: movement.cause,
    currency,
    change: shownBalances(movement.change, currency),
    after: shownBalances(movement.after, currency),
    sessionId: movement.sessionUuid,
    reason: movement.reason,
    createdAt: movement.createdAt.toISOString(),
  };
}
