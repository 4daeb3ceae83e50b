import { type Config, loadConfig } from '#shared/config/config.ts';

const withinMs = 4000;

/** Returns the readiness URL of this container's process: a gateway is recognized by its metrics port. */
function readinessUrl({ host, port, gatewayMetricsPort }: Config): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host;
  return `http://${reachable}:${gatewayMetricsPort ?? port}/health/ready`;
}

/**
 * The image's HEALTHCHECK, for gateway and API alike: exit code 0 when `/health/ready` answers 200, 1 with the
 * answer otherwise. A gateway is checked only with GATEWAY_METRICS_PORT.
 */
async function main(): Promise<void> {
  const response = await fetch(readinessUrl(loadConfig()), { signal: AbortSignal.timeout(withinMs) });
  console.log(`${response.status} ${await response.text()}`);
  if (!response.ok) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? (error.cause ?? error.message) : error);
  process.exitCode = 1;
}
