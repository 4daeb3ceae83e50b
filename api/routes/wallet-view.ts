import { type Static, Type } from 'typebox';
import { shownBalances } from '#api/services/kernel/amounts.ts';
import type { MovementRecord } from '#api/services/money/wallets.service.ts';
import { type Balances, ledgerCauses } from '#shared/domain/money/wallet.ts';
import { DateTime, Decimal, Named, Nullable, OneOf, Str, Uuid } from './schema.ts';

const currency = Str('Currency of the amounts (ISO 4217), which are in its major unit.', 'EUR');

const balances = {
  balance: Decimal('Sum of `available` and `held`, minus `owed`.', 50),
  available: Decimal('Amount that can be spent.', 43.95),
  held: Decimal('Amount set aside for requested and running sessions.', 6.05),
  owed: Decimal('Cost of sessions beyond the balance. The next payment settles it first.', 0),
};

/** Balances of a wallet. */
export const balanceFields = { currency, ...balances };

/** Converts the balances of a wallet. */
export function balanceView(wallet: Balances & { currency: string }) {
  return { currency: wallet.currency, ...shownBalances(wallet, wallet.currency) };
}

/** Movement of a wallet. */
export const Movement = Named('WalletMovement', {
  id: Uuid('Wallet movement identifier.'),
  walletId: Uuid('Wallet identifier.'),
  networkId: Uuid('Network identifier.'),
  type: OneOf(
    ledgerCauses,
    'Kind of movement. TOP_UP, REFUND: by the payment provider or a bank. CREDIT, DEBIT: by the operator. ' +
      'HOLD: amount set aside for a session. RELEASE: hold returned without a session. SESSION: cost of a ' +
      'session, or the difference after an amendment; the full cost is returned when the session belongs to ' +
      'another driver.',
  ),
  currency,
  change: Type.Object(balances, { description: 'Change of the balances.' }),
  after: Type.Object(balances, { description: 'Balances after the movement.' }),
  sessionId: Nullable(Uuid('Session that the movement belongs to. Null for other movements.')),
  reason: Nullable(
    Str(
      'Reason given by the operator, or why the cost of a session was returned. Null for other movements.',
      'Paid at the desk',
    ),
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
