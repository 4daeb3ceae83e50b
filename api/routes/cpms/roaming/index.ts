import { room } from '#api/plugins/openapi/room.ts';
import { ocpiExchangeLogRoutes } from './ocpi-exchange-log.routes.ts';
import { ocpiExchangeRoutes } from './ocpi-exchanges.routes.ts';
import { ocpiHubClientRoutes } from './ocpi-hub-clients.routes.ts';
import { ocpiPartnerTokenRoutes } from './ocpi-partner-tokens.routes.ts';
import { ocpiPartnerRoutes } from './ocpi-partners.routes.ts';
import { ocpiRegistrationRoutes } from './ocpi-registration.ts';
import { ocpiTokenRoutes } from './ocpi-tokens.routes.ts';

/** Routes of the room `roaming`. */
export const roaming = room('roaming', [
  ocpiPartnerRoutes,
  ocpiExchangeRoutes,
  ocpiExchangeLogRoutes,
  ocpiRegistrationRoutes,
  ocpiHubClientRoutes,
  ocpiPartnerTokenRoutes,
  ocpiTokenRoutes,
]);
