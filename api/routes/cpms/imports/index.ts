import { room } from '#api/plugins/openapi/room.ts';
import { importKindRoutes } from './import-kinds.ts';
import { importRoutes } from './imports.routes.ts';

/** Routes of the room `imports`. */
export const imports = room('imports', [importKindRoutes, importRoutes]);
