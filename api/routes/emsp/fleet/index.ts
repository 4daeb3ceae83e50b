import { room } from '#api/plugins/openapi/room.ts';
import { brandingRoutes } from './branding.ts';
import { chargerRoutes } from './chargers.routes.ts';

/** Routes of the room `fleet`. */
export const fleet = room('fleet', [chargerRoutes, brandingRoutes]);
