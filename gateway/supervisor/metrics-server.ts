import { createServer } from 'node:http';
import type { Gateway } from './supervisor.ts';

/**
 * Serves `/metrics`, `/health/live` and `/health/ready` of the gateway on a separate port: the OCPP port is for
 * chargers, and several gateways may share it.
 */
export async function serveMetrics(
  gateway: Gateway,
  address: { host: string; port: number },
): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    const end = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    switch (request.url) {
      case '/metrics':
        gateway.metrics().then(
          (text) => end(200, 'text/plain; version=0.0.4; charset=utf-8', text),
          () => end(500, 'text/plain', 'the metrics could not be collected'),
        );
        break;
      case '/health/live':
        end(200, 'application/json', '{"status":"ok"}');
        break;
      case '/health/ready':
        if (gateway.isReady()) end(200, 'application/json', '{"status":"ok"}');
        else end(503, 'application/json', '{"status":"starting"}');
        break;
      default:
        end(404, 'text/plain', 'not found');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`GATEWAY_METRICS_PORT: ${error.message}`)));
    server.listen(address.port, address.host, resolve);
  });
  return { close: () => server.close() };
}
