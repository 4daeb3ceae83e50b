import { room } from '#api/plugins/openapi/room.ts';
import { analyticsRoutes } from './analytics.ts';
import { analyticsAvailabilityRoutes } from './analytics-availability.ts';
import { analyticsBreakdownRoutes } from './analytics-breakdown.ts';
import { analyticsSeriesRoutes } from './analytics-series.ts';
import { exportStreamRoutes } from './export-streams.ts';
import { exportRoutes } from './exports.ts';
import { searchRoutes } from './search.ts';
import { powerHistoryRoutes } from './power-history.ts';
import { todayRoutes } from './today.ts';
import { workListRoutes } from './work-list.ts';

/** Routes of the room `reporting`. */
export const reporting = room('reporting', [
  searchRoutes,
  workListRoutes,
  analyticsRoutes,
  analyticsSeriesRoutes,
  analyticsBreakdownRoutes,
  analyticsAvailabilityRoutes,
  todayRoutes,
  powerHistoryRoutes,
  exportStreamRoutes,
  exportRoutes,
]);
