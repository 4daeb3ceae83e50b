import { room } from '#api/plugins/openapi/room.ts';
import { openDataRoutes } from './open-data.ts';

/** Routes of the room `open-data`. */
export const openData = room('open-data', [openDataRoutes]);
