import { randomInt, randomUUID } from 'node:crypto';
import t from 'tap';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { insertBinary } from '#shared/clickhouse/insert-lines.ts';
import {
  messageTable,
  writeAnswer,
  writeFrame,
  writeNoAnswer,
  writeOrigin,
} from '#shared/clickhouse/ocpp-message-rows.ts';
import {
  longestExchangeMs,
  type MessageDirection,
  type MessageFilter,
  messageDirections,
  readMessages,
} from '#shared/clickhouse/ocpp-messages.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { testStores } from '#shared/testing/stores.ts';

/** A call, with the time to its answer in ms; null: without one. */
interface Exchange {
  chargerId: number;
  time: number;
  seq: number;
  direction: MessageDirection;
  action: string;
  latencyMs: number | null;
}

interface Frame {
  time: number;
  seq: number;
  direction: MessageDirection;
  action: string;
  payload: string;
}

const opposite = { in: 'out', out: 'in' } as const;

/** The frames of exchanges as the log must return them: newest first. */
function framesOf(exchanges: readonly Exchange[]): Frame[] {
  const frames = exchanges.flatMap(({ time, seq, direction, action, latencyMs }) => [
    { time, seq, direction, action, payload: `call ${seq}` },
    ...(latencyMs === null
      ? []
      : [
          {
            time: time + Math.round(latencyMs),
            seq: seq + 1,
            direction: opposite[direction],
            action,
            payload: `answer ${seq}`,
          },
        ]),
  ]);
  return frames.toSorted((a, b) => b.time - a.time || b.seq - a.seq);
}

async function insert(clickhouse: ClickHouse, exchanges: readonly Exchange[]): Promise<void> {
  const rows = new BinaryRows();
  const connectionId = randomUUID();
  for (const { chargerId, time, seq, direction, action, latencyMs } of exchanges) {
    writeOrigin(rows, { networkId: 1, chargerId, version: '1.6', connectionId });
    writeFrame(rows, time, seq, direction, 'call', action, `m${seq}`, null, `call ${seq}`);
    if (latencyMs === null) writeNoAnswer(rows, null);
    else writeAnswer(rows, 'result', latencyMs, null, `answer ${seq}`);
  }
  await insertBinary(clickhouse, messageTable, rows.chunks());
}

const begin = Math.floor(Date.now() / 86_400_000 - 2) * 86_400_000;

/** Exchanges over ten minutes before and after midnight, some in the same millisecond, some with the longest latency. */
function randomExchanges(count: number): Exchange[] {
  return Array.from({ length: count }, (_, n) => ({
    chargerId: 7 + randomInt(2),
    time: begin + (randomInt(4) === 0 ? randomInt(5) : randomInt(-600_000, 600_000)),
    seq: 1000 + n * 2,
    direction: messageDirections[randomInt(2)]!,
    action: ['Heartbeat', 'MeterValues', 'Reset'][randomInt(3)]!,
    latencyMs: [null, 0.2, 1.4, randomInt(3000) + 0.25, randomInt(longestExchangeMs), longestExchangeMs][
      randomInt(6)
    ]!,
  }));
}

/** The whole log of a filter, in pages. */
async function readPages(clickhouse: ClickHouse, filter: MessageFilter, size: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  let before = filter.before;
  for (;;) {
    const page = await readMessages(clickhouse, { id: 7, networkId: 1 }, { ...filter, before }, size);
    frames.push(
      ...page.map(({ time, seq, direction, action, payload }) => ({
        time: time.getTime(),
        seq: Number(seq),
        direction,
        action,
        payload,
      })),
    );
    before = page.at(-1);
    if (page.length < size) return frames;
  }
}

void t.test('returns the frames of exchanges in pages of any size and with any filter', async (t) => {
  const { clickhouse } = await testStores(t);
  const exchanges = randomExchanges(400);
  // In several parts, one of them inserted twice.
  const parts = [
    exchanges.slice(0, 150),
    exchanges.slice(150, 300),
    exchanges.slice(300),
    exchanges.slice(100, 200),
  ];
  for (const part of parts) await insert(clickhouse, part);
  const all = framesOf(exchanges.filter(({ chargerId }) => chargerId === 7));
  t.ok(all.length > 200);

  for (const size of [1000, 50, 7]) t.same(await readPages(clickhouse, {}, size), all, `pages of ${size}`);

  for (let round = 0; round < 40; round += 1) {
    const edge = () => all[randomInt(all.length)]!.time;
    const [from, to] = [edge(), edge()].toSorted((a, b) => a - b) as [number, number];
    const cursor = all[randomInt(all.length)]!;
    const wanted = {
      ...(randomInt(2) === 0 && { from: new Date(from) }),
      ...(randomInt(2) === 0 && { to: new Date(to) }),
      ...(randomInt(2) === 0 && { direction: messageDirections[randomInt(2)]! }),
      ...(randomInt(2) === 0 && { action: 'MeterValues' }),
      ...(randomInt(2) === 0 && { before: { time: new Date(cursor.time), seq: `${cursor.seq}` } }),
    };
    const expected = all.filter(
      (frame) =>
        (wanted.from === undefined || frame.time >= from) &&
        (wanted.to === undefined || frame.time <= to) &&
        (wanted.direction === undefined || frame.direction === wanted.direction) &&
        (wanted.action === undefined || frame.action === wanted.action) &&
        (wanted.before === undefined ||
          frame.time < cursor.time ||
          (frame.time === cursor.time && frame.seq < cursor.seq)),
    );
    const size = randomInt(1, 60);
    t.same(await readPages(clickhouse, wanted, size), expected, `${JSON.stringify(wanted)} by ${size}`);
  }
});
