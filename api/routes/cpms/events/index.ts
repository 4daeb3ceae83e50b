import { room } from '#api/plugins/openapi/room.ts';
import { eventTypeRoutes } from './event-types.ts';
import { eventRoutes } from './events.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookRoutes } from './webhooks.ts';

/** Routes of the room `events`. */
export const events = room('events', [eventRoutes, eventTypeRoutes, webhookRoutes, webhookDeliveryRoutes]);
