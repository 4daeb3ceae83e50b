import { room } from '#api/plugins/openapi/room.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditLogRoutes } from './audit-log.ts';
import { browserSessionRoutes } from './browser-sessions.ts';
import { contextRoutes } from './context.ts';
import { openIdSignInRoutes } from './openid-sign-in.ts';
import { savedViewRoutes } from './saved-views.ts';
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
