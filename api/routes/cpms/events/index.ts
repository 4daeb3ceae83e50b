import { room } from '#api/plugins/openapi/room.ts';
import { eventTypeRoutes } from './event-types.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';

/** Routes of the room `events`. */
export const events = room('events', [eventRoutes, eventTypeRoutes, webhookRoutes, webhookDeliveryRoutes]);
