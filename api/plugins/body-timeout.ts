import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the body is a file, which has the time of a whole request. */
    takesFile?: true;
  }
}

/**
 * Returns 408 when the body of a request is incomplete after `timeoutMs`, and closes the connection. For a request
 * that was answered before its body was complete, closes the connection only. Files are exempt until they are
 * answered.
 */
export function limitBodyTime(app: App, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined)
      return next();
    const isFile = request.routeOptions.config.takesFile === true;
    const timer = setTimeout(() => {
      if (raw.complete || (isFile && !reply.sent)) return;
      const isRead = raw.listenerCount('error') > 0;
      // Fastify treats this as an error of the stream: it responds and closes the connection.
      if (isRead && !reply.sent) raw.emit('error', bodyTimeout(timeoutMs));
      else raw.destroy();
    }, timeoutMs).unref();
    raw.once('close', () => clearTimeout(timer));
    next();
  });
}

function bodyTimeout(timeoutMs: number): DomainError {
  return new DomainError(
    'BODY_TIMEOUT',
    `The body was incomplete after ${timeoutMs / 1000} s. Send the whole body at once.`,
  );
}
