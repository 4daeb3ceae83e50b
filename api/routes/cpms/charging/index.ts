import { room } from '#api/plugins/openapi/room.ts';
import { chargingProfileRoutes } from './charging-profiles.routes.ts';
import { compositeScheduleRoute } from './composite-schedule.ts';
import { liveRoutes } from './live.routes.ts';
import { remoteSessionRoutes } from './remote-sessions.ts';
import { remoteStartRoutes } from './remote-starts.routes.ts';
import { reservationRoutes } from './reservations.routes.ts';
import { sessionListRoutes } from './session-list.ts';
import { sessionPriceRoutes } from './session-price.routes.ts';
import { sessionReviewRoutes } from './session-review.routes.ts';
import { sessionStationRoutes } from './session-station.ts';
import { sessionTimelineRoutes } from './session-timeline.routes.ts';
import { operatorSessionRoutes } from './sessions.routes.ts';
import { operatorSignedValueRoutes } from './signed-meter-values.routes.ts';

/** Routes of the room `charging`. */
export const charging = room('charging', [
  reservationRoutes,
  chargingProfileRoutes,
  compositeScheduleRoute,
  remoteSessionRoutes,
  remoteStartRoutes,
  sessionListRoutes,
  operatorSessionRoutes,
  sessionPriceRoutes,
  sessionStationRoutes,
  sessionTimelineRoutes,
  operatorSignedValueRoutes,
  sessionReviewRoutes,
  liveRoutes,
]);
