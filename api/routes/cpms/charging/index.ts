import { room } from '#api/plugins/openapi/room.ts';
import { chargingProfileRoutes } from './charging-profiles.ts';
import { compositeScheduleRoute } from './composite-schedule.ts';
import { liveRoutes } from './live.ts';
import { remoteSessionRoutes } from './remote-sessions.ts';
import { remoteStartRoutes } from './remote-starts.ts';
import { reservationRoutes } from './reservations.ts';
import { sessionListRoutes } from './session-list.ts';
import { sessionPriceRoutes } from './session-price.ts';
import { sessionReviewRoutes } from './session-review.ts';
import { sessionStationRoutes } from './session-station.ts';
import { sessionTimelineRoutes } from './session-timeline.ts';
import { operatorSessionRoutes } from './sessions.ts';
import { operatorSignedValueRoutes } from './signed-meter-values.ts';

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
