import { room } from '#api/plugins/openapi/room.ts';
import { chargingRoutes } from './charging.routes.ts';
import { scheduleRoutes } from './schedules.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { signedValueRoutes } from './signed-meter-values.routes.ts';

/** Routes of the room `charging`. */
export const charging = room('charging', [chargingRoutes, scheduleRoutes, sessionRoutes, signedValueRoutes]);
