import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import type { Payload } from '#shared/simulator/payload.ts';
import { answerOf } from './answers.ts';
import { ready } from './ready.ts';

/** Part of ocpp-rpc that is used; its own types do not describe the objects that handlers receive. */
interface OcppRpc {
  RPCServer: new (options: object) => {
    auth(callback: (accept: () => void) => void): void;
    on(event: 'client', listener: (client: RpcClient) => void): void;
    listen(port: number, host: string): Promise<Server>;
  };
}

interface RpcClient {
  handle(handler: (call: { method: string; params: Payload }) => Payload): void;
}

/** `ocpp-rpc` without validation, storing nothing. */
const { RPCServer } = createRequire(import.meta.url)('ocpp-rpc') as OcppRpc;
const server = new RPCServer({ protocols: ['ocpp1.6', 'ocpp2.0.1'], strictMode: false });
server.auth((accept) => accept());
server.on('client', (client) => client.handle(({ method, params }) => answerOf(method, params)));
const listening = await server.listen(0, '127.0.0.1');
ready((listening.address() as AddressInfo).port);
