import { room } from '#api/plugins/openapi/room.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { reportRoutes } from './reports.routes.ts';

/** Routes of the room `reporting`. */
export const reporting = room('reporting', [reportRoutes, analyticsRoutes]);
