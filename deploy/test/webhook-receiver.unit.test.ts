import type { AddressInfo } from 'node:net';
import t from 'tap';
import { newWebhookSecret, signatureHeaders } from '#api/services/access/webhook-signature.ts';
import { startWebhookReceiver } from '#deploy/demo/webhook-receiver.ts';

const body = JSON.stringify({ type: 'webhook.test', data: { hello: 'there' } });
const now = () => Math.floor(Date.now() / 1000);

void t.test('prints webhooks with the verdict on their signatures', async (t) => {
  const secret = newWebhookSecret();
  const lines: string[] = [];
  const server = await startWebhookReceiver({
    host: '127.0.0.1',
    port: 0,
    secrets: [newWebhookSecret(), secret],
    status: 202,
    print: (line) => lines.push(line),
  });
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = async (headers: Record<string, string>, content = body) => {
    lines.length = 0;
    const answer = await fetch(`http://127.0.0.1:${port}/events`, {
      method: 'POST',
      headers: { ...headers, connection: 'close' },
      body: content,
    });
    t.equal(answer.status, 202);
    return lines.join('\n');
  };
  const signed = signatureHeaders({ id: 'a_1', timestamp: now(), body }, [newWebhookSecret(), secret]);
  const printed = await send(signed);
  t.match(printed, /webhook\.test {2}signature valid, answered 202/);
  t.match(printed, '"hello": "there"');
  t.match(await send(signed, `${body} `), 'signature invalid');
  t.match(await send({}), 'signature invalid');
  t.match(await send({}, 'no JSON'), /no event .*\nno JSON/);
  const old = signatureHeaders({ id: 'a_1', timestamp: now() - 3600, body }, [secret]);
  t.match(await send(old), 'signature too old');
});
