import { cleaned } from '#api/services/roaming/wire/cleaned.ts';
import type { App } from './app-instance.ts';

/**
 * Removes nulls from the bodies below `app`, which the standard equates with omitted fields, and normalizes text for
 * the stores.
 */
export function cleanBodies(app: App): void {
  app.addHook('preValidation', (request, _reply, next) => {
    request.body = cleaned(request.body);
    next();
  });
}
