import { room } from '#api/plugins/openapi/room.ts';
import { invoiceRoutes } from './invoices.routes.ts';
import { pricingRoutes } from './pricing.routes.ts';
import { receiptRoutes } from './receipts.routes.ts';
import { transactionRoutes } from './transactions.routes.ts';
import { walletRoutes } from './wallet.routes.ts';

/** Routes of the room `money`. */
export const money = room('money', [
  pricingRoutes,
  receiptRoutes,
  transactionRoutes,
  invoiceRoutes,
  walletRoutes,
]);
