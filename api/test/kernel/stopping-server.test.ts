import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { until, untilSettled } from '#shared/testing/until.ts';
import { accepted, holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';

async function listeningApi(t: Test) {
  const api = await startTestApi(t);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  // Time limits that would end the connection in the end.
  api.app.server.keepAliveTimeout = 0;
  api.app.server.closeAllConnections = () => undefined;
  const { port } = api.app.server.address() as AddressInfo;
  return { api, port, key: await mintKey(api) };
}

void t.test('a request in progress is answered, and its connection does not hold the stop', async (t) => {
  const { api, port, key } = await listeningApi(t);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const reply = Promise.withResolvers<CommandReply>();
  const asked = await holdCharger(api, 'CP-1', () => reply.promise);
  const agent = new Agent({ keepAlive: true, timeout: 120_000 });
  t.teardown(() => agent.destroy());
  const answer = fetchWith(agent, port, key, `/cpms/v1/chargers/${id}/configuration`);
  await until('the command', async () => asked.length === 1);
  const closed = api.app.close();
  reply.resolve(accepted);
  t.equal((await answer).statusCode, 200);
  await untilSettled('the end of the server', closed);
});

async function fetchWith(agent: Agent, port: number, key: string, path: string): Promise<IncomingMessage> {
  const request = get({ agent, port, host: '127.0.0.1', path, headers: { 'x-api-key': key } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}
