import type { CommandReply, CommandRequest, CommandResult } from '#shared/domain/commands/commands.ts';
import { holdCharger, mintKey, register, type TestApi } from './fixtures.ts';

/** Returns the reply of the shard when the charger answered with `status`. */
export function answered(
  result: Partial<CommandResult> = {},
  ocppVersion: '1.6' | '2.0.1' = '1.6',
): CommandReply {
  return {
    ok: true,
    ocppVersion,
    action: 'Something',
    result: { accepted: true, status: 'Accepted', payload: {}, transactionId: null, ...result },
  };
}

/** A charger whose socket a shard holds, and an operator who asks the API for it. */
export async function connectedCharger(
  api: TestApi,
  reply: (request: CommandRequest) => CommandReply = () => answered(),
) {
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', reply);
  const ask = (method: 'GET' | 'POST', path: string, payload?: unknown, asKey: string | null = key) =>
    api.call(asKey, {
      method,
      url: `/cpms/v1/chargers/${id}/${path}`,
      ...(payload !== undefined && { payload: payload as object }),
    });
  return { id, key, taken, ask };
}
