import { cleaned } from '#api/services/roaming/wire/cleaned.ts';
import { knownTokenType, withKnownToken, withKnownValues } from '#api/services/roaming/wire/open-enums.ts';
import type { App } from './app-instance.ts';

/**
 * Removes nulls from the bodies below `app`, which the standard equates with omitted fields, normalizes text for the stores,
 * and replaces values of token enumerations that we do not know.
 */
export function cleanBodies(app: App): void {
  app.addHook('preValidation', (request, _reply, next) => {
    const body = cleaned(request.body);
    const { ocpiModule } = request.routeOptions.config;
    if (ocpiModule === 'tokens') {
      request.body = withKnownValues(body);
      request.query = knownTokenType(request.query);
    } else request.body = ocpiModule === 'commands' ? withKnownToken(body) : body;
    next();
  });
}
