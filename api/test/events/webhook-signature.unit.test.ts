import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newWebhookSecret, signatureHeaders } from '#api/services/access/webhook-signature.ts';

// Test vector of Standard Webhooks: libraries/javascript/src/webhook.test.ts, "sign function works".
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  content: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

void t.test('signs as the published vector of Standard Webhooks', (t) => {
  t.strictSame(signatureHeaders(published.content, [published.secret]), {
    'webhook-id': published.content.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': published.signature,
  });
  const plain = signatureHeaders(published.content, [published.secret.replace('whsec_', '')]);
  t.equal(plain['webhook-signature'], published.signature, 'a secret without its prefix is the same');
  t.end();
});

void t.test('separates the signatures of several secrets with a space', (t) => {
  const other = newWebhookSecret();
  const headers = signatureHeaders(published.content, [other, published.secret]);
  const [first, second, ...more] = (headers['webhook-signature'] ?? '').split(' ');
  const key = Buffer.from(other.slice('whsec_'.length), 'base64');
  const { id, timestamp, body } = published.content;
  t.equal(first, `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  t.equal(second, published.signature);
  t.same(more, []);
  t.end();
});

void t.test('makes secrets of 32 random bytes', (t) => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()];
  t.match(one, /^whsec_[A-Za-z0-9+/]+=*$/);
  t.equal(Buffer.from(one.slice('whsec_'.length), 'base64').length, 32);
  t.not(one, other);
  t.end();
});

void t.test('is verified by the code of the documentation', async (t) => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
  const code = /```js\n(.*?)```/s.exec(document)?.[1] ?? '';
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine: (headers: Record<string, string>, body: string, secret: string) => boolean;
  };
  const [secret, next] = [newWebhookSecret(), newWebhookSecret()];
  const content = { ...published.content, timestamp: Math.floor(Date.now() / 1000) };
  const headers = signatureHeaders(content, [next, secret]);
  t.ok(isGenuine(headers, content.body, secret));
  t.ok(isGenuine(headers, content.body, next));
  t.notOk(isGenuine(headers, `${content.body} `, secret), 'another body');
  t.notOk(isGenuine(headers, content.body, published.secret), 'another secret');
  t.notOk(isGenuine({ ...headers, 'webhook-timestamp': '1614265330' }, content.body, secret), 'another time');
  t.notOk(isGenuine({}, content.body, secret), 'no signature');
  const old = signatureHeaders({ ...content, timestamp: content.timestamp - 3600 }, [secret]);
  t.notOk(isGenuine(old, content.body, secret), 'an old request');
});
