import { room } from '#api/plugins/openapi/room.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { auditLogRoutes } from './audit-log.routes.ts';
import { browserSessionRoutes } from './browser-sessions.routes.ts';
import { contextRoutes } from './context.routes.ts';
import { openIdSignInRoutes } from './openid-sign-in.routes.ts';
import { savedViewRoutes } from './saved-views.routes.ts';
import { signInRoutes } from './sign-in.ts';

/** Routes of the room `access`. */
export const access = room('access', [
  contextRoutes,
  signInRoutes,
  browserSessionRoutes,
  openIdSignInRoutes,
  apiKeyRoutes,
  savedViewRoutes,
  auditLogRoutes,
]);
