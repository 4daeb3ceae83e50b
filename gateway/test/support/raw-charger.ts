import { connectWebSocket } from '#shared/simulator/websocket.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import type { Rig, Version } from './rig.ts';

/** A socket that says whatever a test wants, word for word. */
export interface RawCharger {
  send(text: string): void;
  /** The next frame that came in, or comes; rejects when the socket closes first. */
  next(): Promise<unknown[]>;
  /** Sends a CALL and resolves to the next frame. */
  call(id: string, action: string, payload: unknown): Promise<unknown[]>;
  /** Cuts the connection without a word. */
  terminate(): Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
}

/** Connects a charger that is registered already. */
export async function connectRaw(
  rig: Pick<Rig, 'ocppUrl'>,
  charger: SeededCharger,
  version: Version,
  {
    username = charger.uid,
    password = charger.password,
    offersCompression = false,
  }: { username?: string; password?: string | Buffer; offersCompression?: boolean } = {},
): Promise<RawCharger> {
  const arrived: unknown[][] = [];
  const asked: PromiseWithResolvers<unknown[]>[] = [];
  let closed: Error | null = null;
  const closing = Promise.withResolvers<{ code: number; reason: string }>();
  const socket = await connectWebSocket(
    {
      url: `${rig.ocppUrl}/${charger.uid}`,
      protocols: [version],
      username,
      password,
      handshakeTimeoutMs: 60_000,
      offersCompression,
    },
    {
      onText(message) {
        const frame = JSON.parse(message.toString('utf8')) as unknown[];
        const ask = asked.shift();
        if (ask === undefined) arrived.push(frame);
        else ask.resolve(frame);
      },
      onClose(code, reason) {
        closing.resolve({ code, reason });
        for (const ask of asked.splice(0)) ask.reject(closedError(code, reason));
        closed = closedError(code, reason);
      },
    },
  );
  const next = (): Promise<unknown[]> => {
    const frame = arrived.shift();
    if (frame !== undefined) return Promise.resolve(frame);
    if (closed !== null) return Promise.reject(closed);
    const ask = Promise.withResolvers<unknown[]>();
    asked.push(ask);
    return ask.promise;
  };
  return {
    send: (text) => socket.sendText(text),
    next,
    call(id, action, payload) {
      socket.sendText(JSON.stringify([2, id, action, payload]));
      return next();
    },
    terminate: () => socket.terminate(),
    closed: closing.promise,
  };
}

function closedError(code: number, reason: string): Error {
  return new Error(`the socket closed before a frame came: ${code} ${reason}`);
}
