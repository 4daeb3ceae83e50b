import { room } from '#api/plugins/openapi/room.ts';
import { analyticsRoutes } from './analytics.ts';
import { analyticsAvailabilityRoutes } from './analytics-availability.ts';
import { analyticsBreakdownRoutes } from './analytics-breakdown.ts';
import { analyticsSeriesRoutes } from './analytics-series.ts';
import { exportStreamRoutes } from './export-streams.ts';
import { exportRoutes } from './exports.ts';
import { searchRoutes } from './search.ts';
import { todayRoutes } from './today.ts';

/** Routes of the room `reporting`. */
export const reporting = room('reporting', [
  searchRoutes,
  analyticsRoutes,
  analyticsSeriesRoutes,
  analyticsBreakdownRoutes,
  analyticsAvailabilityRoutes,
  todayRoutes,
  exportStreamRoutes,
  exportRoutes,
]);
