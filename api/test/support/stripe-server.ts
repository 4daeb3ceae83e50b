import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import type { Test } from 'tap';

export const webhookSecret = 'whsec_0123456789abcdef';
export const secretKey = 'sk_test_0123456789abcdef';

/** A payment as the server keeps it. */
export interface Intent {
  id: string;
  amount: number;
  currency: string;
  topUp: string;
  refunded: number;
  /** Disputes of the driver's bank, with their outcome. */
  disputes: { amount: number; status: string }[];
}

/** A request as it came. */
export interface StripeRequest {
  path: string;
  form: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** A server that plays Stripe's API as far as it is used, and signs events as Stripe does. */
export interface StripeServer {
  url: string;
  intents: Map<string, Intent>;
  requests: StripeRequest[];
  /** Answers the next request with this failure instead; it is used once. */
  fail(status: number, error: object): void;
  /** A webhook's body and headers; signed with another secret where one is given. */
  event(type: string, object: object, changed?: { id?: string; secret?: string }): SignedEvent;
}

export interface SignedEvent {
  payload: string;
  headers: Record<string, string>;
}

export async function startStripe(t: Test): Promise<StripeServer> {
  const intents = new Map<string, Intent>();
  const requests: StripeRequest[] = [];
  const failures: { status: number; error: object }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    requests.push({ path, form, headers: request.headers });
    const failure = failures.shift();
    const [status, body] = failure
      ? ([failure.status, { error: failure.error }] as const)
      : request.method === 'POST' && path === '/v1/payment_intents'
        ? ([200, create(intents, form)] as const)
        : path === '/v1/disputes'
          ? ([200, listDisputes(intents, searchParams)] as const)
          : read(intents, path);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { webhooks } = new Stripe(secretKey);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intents,
    requests,
    fail: (status, error) => failures.push({ status, error }),
    event(type, object, { id = `evt_${randomUUID()}`, secret = webhookSecret } = {}) {
      const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
      const signature = webhooks.generateTestHeaderString({ payload, secret });
      return { payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } };
    },
  };
}

function create(intents: Map<string, Intent>, form: URLSearchParams) {
  const id = `pi_${intents.size + 1}`;
  const amount = Number(form.get('amount'));
  const currency = form.get('currency') ?? '';
  intents.set(id, {
    id,
    amount,
    currency,
    topUp: form.get('metadata[top_up]') ?? '',
    refunded: 0,
    disputes: [],
  });
  return { id, object: 'payment_intent', amount, currency, client_secret: `${id}_secret_x` };
}

function listDisputes(intents: Map<string, Intent>, asked: URLSearchParams) {
  const intent = intents.get(asked.get('payment_intent') ?? '');
  const data = (intent?.disputes ?? []).map((dispute) => ({
    object: 'dispute',
    currency: intent?.currency,
    ...dispute,
  }));
  return { object: 'list', has_more: false, data };
}

function read(intents: Map<string, Intent>, path: string): [number, object] {
  const intent = intents.get(path.split('/').at(-1) ?? '');
  if (intent === undefined)
    return [404, { error: { type: 'invalid_request_error', message: 'No such intent' } }];
  const { id, amount, currency, refunded } = intent;
  const charge = { id: `ch_${id}`, object: 'charge', amount, currency, amount_refunded: refunded };
  return [200, { id, object: 'payment_intent', amount, currency, latest_charge: charge }];
}
