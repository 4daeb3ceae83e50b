import t, { type Test } from 'tap';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { type Dialect, dialects } from '#gateway/test/field-notes/support/dialect.ts';
import { createLogger } from '#shared/log/log.ts';
import { openStage, play, type Stage } from './play.ts';
import type { Row } from './row.ts';
import { f1 } from './rows/f1-no-transaction.ts';
import { f2 } from './rows/f2-locations.ts';
import { f3 } from './rows/f3-two-registers.ts';
import { f4 } from './rows/f4-price-by-current.ts';
import { f5 } from './rows/f5-wrong-stops.ts';
import { f9 } from './rows/f9-restarted-registers.ts';
import { f10 } from './rows/f10-other-registers.ts';

const faults: Record<string, readonly Row[]> = { F1: f1, F2: f2, F3: f3, F4: f4, F5: f5, F9: f9, F10: f10 };

void t.test('bills what the meter measured', async (t) => {
  const stage = await openStage(t);
  const deps = {
    ...(await testDeps(t, stage.rig.stores, stage.rig.bus)),
    log: createLogger('test', 'silent'),
  };
  const stopAtLimits = () => stopSessionsOverLimit(deps, { firstSeconds: 0, longestSeconds: 0 });
  // Most of the time of a row passes until its live values are written.
  t.jobs = 8;
  for (const [fault, rows] of Object.entries(faults)) {
    for (const row of rows) {
      for (const dialect of dialects) {
        if (row.version !== undefined && row.version !== dialect.version) continue;
        const title = `${fault}, ${dialect.version}: ${row.name}`;
        // The job of limits is for the sessions of all rows.
        const isBuffered = row.maxEnergyWh === undefined;
        void t.test(title, { buffered: isBuffered, ...(row.todo !== undefined && { todo: row.todo }) }, (t) =>
          bills(t, stage, row, dialect, stopAtLimits),
        );
      }
    }
  }
});

async function bills(
  t: Test,
  stage: Stage,
  row: Row,
  dialect: Dialect,
  stopAtLimits: () => Promise<unknown>,
): Promise<void> {
  const session = await play(stage, row, dialect, stopAtLimits, (shown, expected) => {
    t.match(shown, { limitPassed: null, ...expected }, 'while it runs');
  });
  const { energyWh, costMinor, priceState, flags = [], without = [] } = row.bill;
  t.match(session, {
    status: 'COMPLETED',
    maxEnergyWh: row.maxEnergyWh ?? null,
    energyWh,
    priceState,
    cost: { totalInclVatMinor: String(costMinor) },
  });
  t.same(
    flags.filter((flag) => !session.flags.includes(flag)),
    [],
    `has its flags, of ${session.flags.join(', ')}`,
  );
  t.same(
    without.filter((flag) => session.flags.includes(flag)),
    [],
    'has no other flags',
  );
}
