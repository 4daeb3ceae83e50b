import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { analyticsRoutes } from './reporting/analytics.ts';
import { driverAuthRoutes } from './people/driver-auth.ts';
import { driverProfileRoutes } from './people/driver-profile.ts';
import { brandingRoutes } from './fleet/branding.ts';
import { chargerRoutes } from './fleet/chargers.ts';
import { invoiceRoutes } from './money/invoices.ts';
import { chargingRoutes } from './charging/charging.ts';
import { pricingRoutes } from './money/pricing.ts';
import { rebootRoutes } from './commands/reboot.ts';
import { receiptRoutes } from './money/receipts.ts';
import { reportRoutes } from './reporting/reports.ts';
import { transactionRoutes } from './money/transactions.ts';
import { tokenRoutes } from './people/tokens.ts';
import { userRoutes } from './people/users.ts';
import { scheduleRoutes } from './charging/schedules.ts';
import { sessionRoutes } from './charging/sessions.ts';
import { signedValueRoutes } from './charging/signed-meter-values.ts';
import { walletRoutes } from './money/wallet.ts';

/** Registers the public API for drivers and operators. `app` carries its prefix, authentication and error format. */
export function emspRoutes(app: App, deps: ApiDeps): void {
  chargerRoutes(app, deps);
  pricingRoutes(app, deps);
  rebootRoutes(app, deps);
  driverAuthRoutes(app, deps);
  driverProfileRoutes(app, deps);
  userRoutes(app, deps);
  tokenRoutes(app, deps);
  brandingRoutes(app, deps);
  chargingRoutes(app, deps);
  scheduleRoutes(app, deps);
  sessionRoutes(app, deps);
  receiptRoutes(app, deps);
  signedValueRoutes(app, deps);
  transactionRoutes(app, deps);
  invoiceRoutes(app, deps);
  reportRoutes(app, deps);
  analyticsRoutes(app, deps);
  walletRoutes(app, deps);
}
