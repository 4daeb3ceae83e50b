import { room } from '#api/plugins/openapi/room.ts';
import { chargingProfileRoutes } from './charging-profiles.routes.ts';
import { commandRoutes } from './commands.routes.ts';
import { credentialsRoutes } from './credentials.routes.ts';
import { cdrRoutes } from './cdrs.routes.ts';
import { hubClientInfoRoutes } from './hub-client-info.ts';
import { locationRoutes } from './locations.routes.ts';
import { tariffRoutes } from './tariffs.routes.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { tokenRoutes } from './tokens.routes.ts';
import { versionRoutes } from './versions.ts';

/**
 * Routes of OCPI as a CPO. Two surfaces use the same services: the documented one (`/ocpi/2.2`, `/ocpi/cpo/2.2`) with its own
 * field names, and the surface of the standard (`/ocpi/cpo/2.2.1`).
 */
export const ocpi = room('roaming', [
  versionRoutes,
  credentialsRoutes,
  locationRoutes,
  tariffRoutes,
  tokenRoutes,
  commandRoutes,
  chargingProfileRoutes,
  sessionRoutes,
  cdrRoutes,
  hubClientInfoRoutes,
]);
