import { room } from '#api/plugins/openapi/room.ts';
import { authRoutes } from './auth.ts';
import { customRoleRoutes } from './custom-roles.ts';
import { idTokenRoutes } from './id-tokens.ts';
import { operatorRoutes } from './operators.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { secondFactorRoutes } from './second-factors.ts';
import { userRoutes } from './users.ts';

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
