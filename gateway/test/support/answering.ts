import type { RPCClient } from 'ocpp-rpc';
import type { Test } from 'tap';
import type { Rig, Version } from './rig.ts';

/** Answers every call that a client gets; the last one that was set counts. */
export function answerCalls(client: RPCClient, answer: (action: string, payload: unknown) => unknown): void {
  const handler = ({ method, params }: { method: string; params: unknown }) => answer(method, params);
  // The package's types know handlers of one action only.
  client.handle(handler as never);
}

/** A new charger, and a way to send it any action together with the answer that it will give. */
export async function connectAnswering(t: Test, rig: Rig, version: Version) {
  const { charger, client } = await rig.connect(version);
  let next: object = {};
  answerCalls(client, () => next);
  const send = async (action: string, payload: object, answer: object): Promise<void> => {
    next = answer;
    const reply = await rig.command(charger.uid, { type: 'ocpp', action, payload });
    t.equal(reply.ok, true, `${action} ${JSON.stringify(reply)}`);
  };
  return { charger, client, send };
}
