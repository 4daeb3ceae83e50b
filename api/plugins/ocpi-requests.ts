import { cleaned } from '#api/services/roaming/wire/cleaned.ts';
import type { App } from './app-instance.ts';

/** Takes what is null in the bodies below `app` for left out, as the standard has it, and text as stores take it. */
export function cleanBodies(app: App): void {
  app.addHook('preValidation', async (request) => {
    request.body = cleaned(request.body);
  });
}
