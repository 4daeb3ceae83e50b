import { cleaned } from '#api/services/ocpi/wire/cleaned.ts';
import type { App } from './app-instance.ts';

/**
 * A URL without the slash at the end of its path, where it is OCPI's: lists are asked for with one in the standard's own
 * examples (OCPI 2.2.1 §4.1.4, pagination), and without it by most partners.
 */
export function withoutOcpiSlash(url: string): string {
  if (!url.startsWith('/ocpi/')) return url;
  const [path = '', ...query] = url.split('?');
  return path.endsWith('/') ? [path.slice(0, -1), ...query].join('?') : url;
}

/** Takes what is null in the bodies below `app` for left out, as the standard has it, and text as stores take it. */
export function cleanBodies(app: App): void {
  app.addHook('preValidation', async (request) => {
    request.body = cleaned(request.body);
  });
}
