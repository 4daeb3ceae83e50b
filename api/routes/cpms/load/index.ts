import { room } from '#api/plugins/openapi/room.ts';
import { loadBoundRoutes } from './load-bounds.routes.ts';
import { loadPlanRoutes } from './load-plans.routes.ts';
import { loadSiteRoutes } from './load-sites.routes.ts';

/** Routes of the room `load`. */
export const load = room('load', [loadSiteRoutes, loadBoundRoutes, loadPlanRoutes]);
