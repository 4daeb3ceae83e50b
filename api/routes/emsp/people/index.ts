import { room } from '#api/plugins/openapi/room.ts';
import { driverAuthRoutes } from './driver-auth.ts';
import { driverProfileRoutes } from './driver-profile.ts';
import { tokenRoutes } from './tokens.routes.ts';
import { userRoutes } from './users.routes.ts';

/** Routes of the room `people`. */
export const people = room('people', [driverAuthRoutes, driverProfileRoutes, userRoutes, tokenRoutes]);
