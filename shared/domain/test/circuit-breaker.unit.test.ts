import t from 'tap';
import { backoffMs } from '#shared/domain/kernel/backoff.ts';
import { afterFailure, type BreakerPolicy, isTripped } from '#shared/domain/kernel/circuit-breaker.ts';

const policy: BreakerPolicy = { failuresToOpen: 3, open: { firstMs: 100, longestMs: 400 } };
const closed = { failures: 0, opened: 0 };
const single = { isProbe: false, isOpen: false };

void t.test('doubles a pause up to the longest, with jitter down to its half', (t) => {
  const longest = (earlier: number) => backoffMs(policy.open, earlier, () => 1);
  t.same([0, 1, 2, 3, 1000].map(longest), [100, 200, 400, 400, 400]);
  t.equal(
    backoffMs(policy.open, 0, () => 0),
    50,
  );
  t.end();
});

void t.test('opens a breaker at the failure that the policy names', (t) => {
  const first = afterFailure(closed, policy, single);
  t.strictSame(first, { failures: 1, opened: 0, pauseMs: null });
  t.notOk(isTripped(first, policy));
  const third = afterFailure(afterFailure(first, policy, single), policy, single);
  t.match(third, { failures: 3, opened: 1, pauseMs: Number });
  t.ok(isTripped(third, policy));
  t.end();
});

void t.test('begins one pause for failures side by side, and a longer one after a failed probe', (t) => {
  const open = { failures: 3, opened: 1 };
  t.equal(afterFailure(open, policy, { isProbe: false, isOpen: true }).pauseMs, null);
  const { opened, pauseMs } = afterFailure(open, policy, { isProbe: true, isOpen: true });
  t.equal(opened, 2);
  t.ok(pauseMs !== null && pauseMs >= 100 && pauseMs <= 200);
  t.end();
});
