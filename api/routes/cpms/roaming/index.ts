import { room } from '#api/plugins/openapi/room.ts';
import { ocpiExchangeLogRoutes } from './ocpi-exchange-log.ts';
import { ocpiExchangeRoutes } from './ocpi-exchanges.ts';
import { ocpiHubClientRoutes } from './ocpi-hub-clients.ts';
import { ocpiPartnerTokenRoutes } from './ocpi-partner-tokens.ts';
import { ocpiPartnerRoutes } from './ocpi-partners.ts';
import { ocpiRegistrationRoutes } from './ocpi-registration.ts';
import { ocpiTokenRoutes } from './ocpi-tokens.ts';

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
