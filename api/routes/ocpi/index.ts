import { room } from '#api/plugins/openapi/room.ts';
import { chargingProfileRoutes } from './charging-profiles.ts';
import { commandRoutes } from './commands.ts';
import { credentialsRoutes } from './credentials.ts';
import { cdrRoutes } from './cdrs.ts';
import { hubClientInfoRoutes } from './hub-client-info.ts';
import { locationRoutes } from './locations.ts';
import { tariffRoutes } from './tariffs.ts';
import { sessionRoutes } from './sessions.ts';
import { tokenRoutes } from './tokens.ts';
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
