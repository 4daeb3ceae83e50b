import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
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
 * Registers OCPI as a CPO. `app` carries its prefix, token check and error format. Two surfaces use the same services:
 * the documented one (`/ocpi/2.2`, `/ocpi/cpo/2.2`) with its own field names, and that of the standard
 * (`/ocpi/cpo/2.2.1`).
 */
export function ocpiRoutes(app: App, deps: ApiDeps): void {
  versionRoutes(app, deps);
  credentialsRoutes(app, deps);
  locationRoutes(app, deps);
  tariffRoutes(app, deps);
  tokenRoutes(app, deps);
  commandRoutes(app, deps);
  chargingProfileRoutes(app, deps);
  sessionRoutes(app, deps);
  cdrRoutes(app, deps);
  hubClientInfoRoutes(app, deps);
}
