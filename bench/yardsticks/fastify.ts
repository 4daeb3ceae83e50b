import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { ready } from './ready.ts';

/** Bare Fastify route that answers the body which the bench sent, as the product answers a stored text. */
let body = '{}';
const app = fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
process.on('message', (message: { body: string }) => {
  ({ body } = message);
});
await app.listen({ host: '127.0.0.1', port: 0 });
ready((app.server.address() as AddressInfo).port);
