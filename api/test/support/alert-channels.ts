import type { Test } from 'tap';
import { startReceiver, type Received, type Receiver } from '#api/test/events/support/receiver.ts';
import { deliverToChannels } from '#api/services/fleet/alert-channel-sender.ts';
import { type AlertScene, setFaulted, staffedScene } from './alert-scene.ts';
import type { Json } from './fixtures.ts';

/** Path of the channels. */
export const channelsPath = '/cpms/v1/alert-channels';
/** Integration key of a PagerDuty service. */
export const routingKey = 'R0123456789ABCDEF0123456789ABCDE';
const text = (json: Json | undefined) => json as unknown as string;

/** Creates a channel of the first network; its address is the receiver unless the body has one. */
export async function addChannel(
  scene: AlertScene,
  receiver: Pick<Receiver, 'url'>,
  body: object,
): Promise<string> {
  const payload = { name: 'On call', url: receiver.url, ...body };
  const answer = await scene.api.call(scene.key, { method: 'POST', url: channelsPath, payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return text(answer.json['data']?.['id']);
}

/** Makes the notices that are due after a time, and sends them to the channels. */
export async function send(scene: AlertScene, secondsLater = 400): Promise<void> {
  await scene.deliver(secondsLater);
  await scene.deliver(0);
  await deliverToChannels(scene.api.deps);
}

/** Lets a charger be faulted or not, and sends what follows. */
export async function fault(scene: AlertScene, charger: string, isFaulted = true): Promise<void> {
  await setFaulted(scene, charger, isFaulted);
  await scene.watch();
  await scene.deliver(0);
  await send(scene);
}

/** Returns the parsed bodies of requests. */
export const bodies = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

/** Returns a channel as the API shows it. */
export async function channelOf(scene: AlertScene, id: string) {
  return (await scene.api.call(scene.key, { url: `${channelsPath}/${id}` })).json['data'] ?? {};
}

/** A scene with one receiver. */
export async function channelScene(t: Test) {
  const scene = await staffedScene(t);
  const receiver = await startReceiver(t);
  return { scene, receiver };
}
