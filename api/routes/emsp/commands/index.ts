import { room } from '#api/plugins/openapi/room.ts';
import { rebootRoutes } from './reboot.ts';

/** Routes of the room `commands`. */
export const commands = room('commands', [rebootRoutes]);
