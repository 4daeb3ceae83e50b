import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the body is a file, which has the time of a whole request. */
    takesFile?: true;
  }
}

/** Time for a body other than a firmware image, in ms. */
export const bodyTimeoutMs = 30_000;

/**
 * Returns 408 when the body of a request is incomplete after `bodyTimeoutMs`, and closes the connection. For a request
 * that was answered before its body was complete, closes the connection only. Files are exempt until they are
 * answered.
 */
export function limitBodyTime(app: App, clock: Clock): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined)
      return next();
    const isFile = request.routeOptions.config.takesFile === true;
    const timer = clock.after(bodyTimeoutMs, () => {
      if (raw.complete || (isFile && !reply.sent)) return;
      const isRead = raw.listenerCount('error') > 0;
      // Fastify treats this as an error of the stream: it responds and closes the connection.
      if (isRead && !reply.sent) raw.emit('error', bodyTimeout());
      else raw.destroy();
    });
    raw.once('close', () => timer.cancel());
    next();
  });
}

function bodyTimeout(): DomainError {
  return new DomainError(
    'BODY_TIMEOUT',
    `The body was incomplete after ${bodyTimeoutMs / 1000} s. Send the whole body at once.`,
  );
}
