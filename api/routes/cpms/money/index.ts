import { room } from '#api/plugins/openapi/room.ts';
import { operatorInvoiceRoutes } from './invoices.routes.ts';
import { operatorReceiptRoutes } from './receipts.routes.ts';
import { tariffAssignmentRoutes } from './tariff-assignments.routes.ts';
import { tariffSimulationRoutes } from './tariff-simulation.routes.ts';
import { tariffRoutes } from './tariffs.routes.ts';
import { walletRoutes } from './wallets.routes.ts';

/** Routes of the room `money`. */
export const money = room('money', [
  tariffSimulationRoutes,
  tariffRoutes,
  tariffAssignmentRoutes,
  walletRoutes,
  operatorInvoiceRoutes,
  operatorReceiptRoutes,
]);
