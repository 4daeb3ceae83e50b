import { createServer } from 'node:net';

/**
 * Ensures that no process listens on a port. The gateway's sockets share their port with any process that asks
 * (SO_REUSEPORT), so a second system on the same port would go unnoticed, and take half of the chargers.
 * @throws {Error} naming the port and the variable that moves it.
 */
export async function requireFreePort(variable: string, host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} is in use: another program listens there. Set ${variable} to a free port.`,
        { cause: error },
      );
    }
    throw new Error(`Cannot listen on ${host}:${port} (${String(code)}). Check HOST and ${variable}.`, {
      cause: error,
    });
  }
  await new Promise((resolve) => server.close(resolve));
}
