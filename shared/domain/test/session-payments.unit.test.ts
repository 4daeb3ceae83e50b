import t from 'tap';
import { type PaymentMovement, sessionPayments } from '#shared/domain/money/session-payments.ts';

const at = (day: number) => new Date(Date.UTC(2026, 10, day));

function movement(day: number, given: Partial<PaymentMovement>): PaymentMovement {
  return {
    walletId: 1,
    cause: 'SESSION',
    sessionUuid: null,
    provider: null,
    at: at(day),
    revenueMinor: 0n,
    owedMinor: 0n,
    owedAfterMinor: 0n,
    ...given,
  };
}

void t.test('pays a session from the wallet and the rest from the next top-up', (t) => {
  const payments = sessionPayments([
    movement(1, { sessionUuid: 'a', revenueMinor: 1150n, owedMinor: 650n, owedAfterMinor: 650n }),
    movement(2, { cause: 'TOP_UP', provider: 'stripe', owedMinor: -400n, owedAfterMinor: 250n }),
    movement(3, { cause: 'CREDIT', owedMinor: -250n }),
  ]);
  t.same(payments, [
    { sessionUuid: 'a', method: 'WALLET', provider: null, amountMinor: 500n, at: at(1) },
    { sessionUuid: 'a', method: 'TOP_UP', provider: 'stripe', amountMinor: 400n, at: at(2) },
    { sessionUuid: 'a', method: 'WALLET', provider: null, amountMinor: 250n, at: at(3) },
  ]);
  t.end();
});

void t.test('pays older debts first from a top-up', (t) => {
  const payments = sessionPayments([
    movement(1, { sessionUuid: 'a', revenueMinor: 100n, owedMinor: 100n, owedAfterMinor: 130n }),
    movement(2, { sessionUuid: 'b', revenueMinor: 200n, owedMinor: 200n, owedAfterMinor: 330n }),
    movement(3, { cause: 'TOP_UP', provider: 'stripe', owedMinor: -180n, owedAfterMinor: 150n }),
  ]);
  t.same(
    payments.map(({ sessionUuid, amountMinor }) => [sessionUuid, amountMinor]),
    [
      ['a', 100n],
      ['b', 50n],
    ],
  );
  t.end();
});

void t.test('returns money of a correction or cancels the debt of its session', (t) => {
  const returned = sessionPayments([
    movement(1, { sessionUuid: 'a', revenueMinor: 1000n }),
    movement(2, { sessionUuid: 'a', revenueMinor: -400n }),
  ]);
  t.same(
    returned.map(({ amountMinor }) => amountMinor),
    [1000n, -400n],
  );
  const cancelled = sessionPayments([
    movement(1, { sessionUuid: 'a', revenueMinor: 1000n, owedMinor: 600n, owedAfterMinor: 600n }),
    movement(2, { sessionUuid: 'a', revenueMinor: -600n, owedMinor: -600n }),
  ]);
  t.same(
    cancelled.map(({ amountMinor }) => amountMinor),
    [400n],
  );
  t.end();
});

void t.test('keeps the debts of each wallet apart', (t) => {
  const payments = sessionPayments([
    movement(1, { sessionUuid: 'a', revenueMinor: 100n, owedMinor: 100n, owedAfterMinor: 100n }),
    movement(2, { walletId: 2, cause: 'TOP_UP', provider: 'stripe', owedMinor: -100n }),
  ]);
  t.same(payments, []);
  t.end();
});
