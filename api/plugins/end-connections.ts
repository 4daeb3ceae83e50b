import type { App } from './app-instance.ts';

/** Interval in ms at which a server that stops closes the connections that have become idle. */
const sweepEveryMs = 100;

/** Time in ms after which a server that stops closes all connections: as long as a charger has to answer a command. */
const closeAllAfterMs = 30_000;

/**
 * Lets a server that stops end. Node.js closes the connections that are idle at that moment: those whose request ends later would be
 * kept for the next request, and the server would wait for them.
 */
export function endConnections(app: App): void {
  const { server } = app;
  app.addHook('preClose', async () => {
    if (!server.listening) return;
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
    const end = setTimeout(() => server.closeAllConnections(), closeAllAfterMs);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}
