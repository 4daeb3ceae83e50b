import { room } from '#api/plugins/openapi/room.ts';
import { authRoutes } from './auth.routes.ts';
import { customRoleRoutes } from './custom-roles.routes.ts';
import { idTokenRoutes } from './id-tokens.routes.ts';
import { operatorRoutes } from './operators.routes.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { secondFactorRoutes } from './second-factors.routes.ts';
import { userRoutes } from './users.routes.ts';

/** Routes of the room `people`. */
export const people = room('people', [
  authRoutes,
  passwordResetRoutes,
  secondFactorRoutes,
  operatorRoutes,
  customRoleRoutes,
  userRoutes,
  idTokenRoutes,
]);
