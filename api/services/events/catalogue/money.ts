import { ledgerCauses } from '#shared/domain/money/wallet.ts';
import {
  type Entries,
  currency,
  entry,
  flag,
  integer,
  minor,
  nullable,
  oneOf,
  text,
  time,
  uuid,
  version,
} from './entry.ts';

const tariff = { version, currency, isRemoved: flag('True when the tariff was removed.') };

const assignment = {
  tariffId: uuid('Tariff.'),
  connectorId: nullable(uuid('Connector with the tariff. Null for an assignment to more than a connector.')),
  isActive: flag('False when the assignment was withdrawn.'),
  validFrom: nullable(time('Begin of the assignment. Null: since ever.')),
  validUntil: nullable(time('End of the assignment. Null: without end.')),
};

const payment = {
  walletId: uuid('Wallet.'),
  status: oneOf(['PENDING', 'PAID', 'CANCELLED'], 'Status of the payment.'),
  amountMinor: minor('Amount'),
  refundedMinor: minor('Refunded part of the amount'),
  currency,
};

/** Events of tariffs, wallets, payments and invoices. */
export const moneyEvents = {
  'tariff.created': entry('The tariff.', 'A tariff was created.', tariff),
  'tariff.updated': entry('The tariff.', 'A tariff was changed or removed.', tariff),
  'tariff_assignment.created': entry(
    'The assignment.',
    'A tariff was assigned to a network, location, charger or connector.',
    assignment,
  ),
  'tariff_assignment.updated': entry('The assignment.', 'An assignment was cut or withdrawn.', assignment),
  'wallet.created': entry('The wallet.', 'A wallet of a driver was opened.', {
    driverId: uuid('Driver.'),
    currency,
  }),
  'wallet.changed': entry('The wallet.', 'Money of a wallet moved.', {
    movementId: uuid('Movement in the ledger of the wallet.'),
    cause: oneOf(ledgerCauses, 'Cause of the movement.'),
    currency,
    availableMinor: minor('Balance that is free to use, after the movement'),
    heldMinor: minor('Balance that is held for sessions, after the movement'),
    owedMinor: minor('Amount that the driver owes, after the movement'),
  }),
  'payment.created': entry('The payment.', 'A driver began a payment into a wallet.', payment),
  'payment.succeeded': entry(
    'The payment.',
    'The payment provider reported that a payment was paid.',
    payment,
  ),
  'payment.failed': entry(
    'The payment.',
    'The payment provider reported that a payment was cancelled or failed.',
    payment,
  ),
  'payment.refunded': entry('The payment.', 'The payment provider reported a refund.', payment),
  'invoice.created': entry('The driver.', 'An invoice or a credit note was issued.', {
    number: text('Number of the invoice, unique in its network.', '2026-000042'),
    kind: oneOf(['INVOICE', 'CREDIT_NOTE'], 'Kind of the document.'),
    driverId: uuid('Driver.'),
    currency,
    totalInclVatMinor: minor('Total with VAT'),
    sessions: integer('Number of sessions on the invoice.', 3),
  }),
} satisfies Entries;
