import { room } from '#api/plugins/openapi/room.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { analyticsAvailabilityRoutes } from './analytics-availability.ts';
import { analyticsBreakdownRoutes } from './analytics-breakdown.ts';
import { analyticsSeriesRoutes } from './analytics-series.ts';
import { availabilityExclusionRoutes } from './availability-exclusions.routes.ts';
import { availabilityReportRoutes } from './availability-reports.routes.ts';
import { exportStreamRoutes } from './export-streams.routes.ts';
import { exportRoutes } from './exports.routes.ts';
import { searchRoutes } from './search.routes.ts';
import { powerHistoryRoutes } from './power-history.routes.ts';
import { todayRoutes } from './today.routes.ts';
import { workListRoutes } from './work-list.routes.ts';

/** Routes of the room `reporting`. */
export const reporting = room('reporting', [
  searchRoutes,
  workListRoutes,
  analyticsRoutes,
  analyticsSeriesRoutes,
  analyticsBreakdownRoutes,
  analyticsAvailabilityRoutes,
  availabilityExclusionRoutes,
  availabilityReportRoutes,
  todayRoutes,
  powerHistoryRoutes,
  exportStreamRoutes,
  exportRoutes,
]);
