import { cleaned, cleanedPatch } from '#api/services/roaming/wire/cleaned.ts';
import {
  knownTokenType,
  tokenTypesIn,
  withKnownToken,
  withKnownValues,
} from '#api/services/roaming/wire/open-enums.ts';
import type { App } from './app-instance.ts';

/** Version in a path below `/ocpi/cpo`. */
const versionInPath = /\/cpo\/([\d.]+)\//;

/**
 * Removes nulls from the bodies below `app`, which the standard equates with omitted fields except in a PATCH, normalizes text
 * for the stores, and replaces values of token enumerations that we do not know.
 */
export function cleanBodies(app: App): void {
  app.addHook('preValidation', (request, _reply, next) => {
    const isPatch = request.method === 'PATCH';
    const body = isPatch ? cleanedPatch(request.body) : cleaned(request.body);
    const { ocpiModule } = request.routeOptions.config;
    const types = tokenTypesIn(versionInPath.exec(request.url)?.[1] ?? null);
    if (ocpiModule === 'tokens') {
      request.body = withKnownValues(body, types, isPatch ? null : undefined);
      request.query = knownTokenType(request.query, types);
    } else request.body = ocpiModule === 'commands' ? withKnownToken(body, types) : body;
    next();
  });
}
