import { room } from '#api/plugins/openapi/room.ts';
import { invoiceRoutes } from './invoices.ts';
import { pricingRoutes } from './pricing.ts';
import { receiptRoutes } from './receipts.ts';
import { transactionRoutes } from './transactions.ts';
import { walletRoutes } from './wallet.ts';

/** Routes of the room `money`. */
export const money = room('money', [
  pricingRoutes,
  receiptRoutes,
  transactionRoutes,
  invoiceRoutes,
  walletRoutes,
]);
