import { room } from '#api/plugins/openapi/room.ts';
import { analyticsRoutes } from './analytics.ts';
import { reportRoutes } from './reports.ts';

/** Routes of the room `reporting`. */
export const reporting = room('reporting', [reportRoutes, analyticsRoutes]);
