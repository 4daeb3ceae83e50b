import { Session } from 'node:inspector';

interface Answer {
  id: number;
  result?: { usedSize?: number };
}

interface Attached {
  params: { sessionId: string };
}

interface Received {
  params: { sessionId: string; message: string };
}

/**
 * The heaps of this process's worker threads after a full collection of garbage, in bytes, added up: the shards of
 * a gateway that a test started in its own process. Asked through the inspector, so that the product needs no door.
 */
export async function shardHeapBytes(): Promise<number> {
  const inspector = new Session();
  inspector.connect();
  const workers: string[] = [];
  inspector.on('NodeWorker.attachedToWorker', (attached: Attached) =>
    workers.push(attached.params.sessionId),
  );
  await post(inspector, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
  const sizes = await Promise.all(
    workers.map(async (worker) => {
      await ask(inspector, worker, 'HeapProfiler.collectGarbage');
      return (await ask(inspector, worker, 'Runtime.getHeapUsage')).result?.usedSize ?? 0;
    }),
  );
  await post(inspector, 'NodeWorker.disable');
  inspector.disconnect();
  return sizes.reduce((sum, size) => sum + size, 0);
}

let lastId = 0;

function ask(inspector: Session, sessionId: string, method: string): Promise<Answer> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    const listen = ({ params }: Received): void => {
      const answer = JSON.parse(params.message) as Answer;
      if (params.sessionId !== sessionId || answer.id !== id) return;
      inspector.off('NodeWorker.receivedMessageFromWorker', listen);
      resolve(answer);
    };
    inspector.on('NodeWorker.receivedMessageFromWorker', listen);
    const message = JSON.stringify({ id, method });
    post(inspector, 'NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject);
  });
}

function post(inspector: Session, method: string, params: object = {}): Promise<void> {
  return new Promise((resolve, reject) =>
    inspector.post(method, params, (error) => {
      if (error === null) resolve();
      else reject(error);
    }),
  );
}
