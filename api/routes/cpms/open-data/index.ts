import { room } from '#api/plugins/openapi/room.ts';
import { openDataFeedRoutes } from './feeds.routes.ts';

/** Routes of the room `open-data`. */
export const openData = room('open-data', [openDataFeedRoutes]);
