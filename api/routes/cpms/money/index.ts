import { room } from '#api/plugins/openapi/room.ts';
import { operatorInvoiceRoutes } from './invoices.ts';
import { operatorReceiptRoutes } from './receipts.ts';
import { tariffAssignmentRoutes } from './tariff-assignments.ts';
import { tariffSimulationRoutes } from './tariff-simulation.ts';
import { tariffRoutes } from './tariffs.ts';
import { walletRoutes } from './wallets.ts';

/** Routes of the room `money`. */
export const money = room('money', [
  tariffSimulationRoutes,
  tariffRoutes,
  tariffAssignmentRoutes,
  walletRoutes,
  operatorInvoiceRoutes,
  operatorReceiptRoutes,
]);
