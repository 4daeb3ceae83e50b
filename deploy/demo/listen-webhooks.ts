import { parseArgs } from 'node:util';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const usage = 'npm run webhooks:listen -- [--port 9800] [--secret whsec_…] [--status 204]';

/** `npm run webhooks:listen`: prints the webhooks that arrive on this machine, and verifies their signatures. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      port: { type: 'string', default: '9800' },
      secret: { type: 'string', multiple: true, default: [] },
      status: { type: 'string', default: '204' },
    },
  });
  const [port, status] = [Number(values.port), Number(values.status)];
  if (!(port > 0 && port < 65_536) || !(status >= 200 && status < 600)) throw new ConfigError([usage]);
  await startWebhookReceiver({
    host: '127.0.0.1',
    port,
    secrets: values.secret,
    status,
    print: (line) => console.log(line),
  });
  console.log(`Create a webhook with the URL http://127.0.0.1:${port}/ and send a test. Stop: Ctrl-C`);
  if (values.secret.length === 0) console.log('Signatures are verified with --secret whsec_…');
}

await runMain(main);
