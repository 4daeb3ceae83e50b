import t from 'tap';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { Turns } from '#gateway/handlers/turns.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { ReadingClock } from '#gateway/handlers/reading-clock.ts';
import { handleBoot } from '#gateway/handlers/boot.ts';
import { Batcher } from '#gateway/ingest/batcher.ts';
import type { BootRecord } from '#shared/postgres/fleet/charger-state.statements.ts';

void t.test(
  'varies heartbeat intervals by up to a tenth and keeps that of each charger over boots',
  async (t) => {
    const stored: BootRecord[] = [];
    const boots = new Batcher<BootRecord>({
      write: async (items) => void stored.push(...items),
      isStoreFailure: () => false,
      senderOf: ({ chargerId }) => chargerId,
      maxDelayMs: 1,
      maxItems: 500,
      concurrency: 1,
      deadlineMs: 10_000,
    });
    const boot = async (id: number): Promise<number> => {
      const answer = await handleBoot(
        {
          charger: { id, uuid: '', uid: `CP-${id}`, networkId: 1, registration: 'Accepted' },
          ocppVersion: '1.6',
          receivedAt: new Date(),
          running: [],
          readingClock: new ReadingClock(),
          localTime: new LocalTime(),
          turns: new Turns(),
          clock: systemClock,
          meterOverrides: [],
          // Only a held charger is looked up.
          stores: {
            sql: null as never,
            boots,
            meterOverrides: { known: () => [], read: async () => [], forget: () => undefined },
          },
        },
        { vendor: 'V', model: 'M', serialNumber: null, firmwareVersion: null, reason: null },
      );
      return answer.intervalSeconds;
    };
    const ids = Array.from({ length: 200 }, (_, index) => index + 1);
    const intervals = await Promise.all(ids.map(boot));
    t.equal(stored.length, 200);
    t.ok(intervals.every((interval) => Number.isInteger(interval) && interval >= 216 && interval <= 264));
    // Of 200 chargers whose ids follow each other, no quarter of the range has more than half or less than a tenth.
    for (const from of [216, 228, 240, 252]) {
      const share = intervals.filter((interval) => interval >= from && interval < from + 12).length / 200;
      t.ok(share > 0.1 && share < 0.5, `${from} s: ${share}`);
    }
    t.same(await Promise.all(ids.map(boot)), intervals);
  },
);
