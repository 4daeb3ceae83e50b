import t from 'tap';
import { drawnPhasesOf } from '#shared/domain/load/lines.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import { renewSeconds } from '#shared/domain/load/profiles.ts';
import type { StationQuirk } from '#shared/domain/load/quirks.ts';
import { type ObservedSession, SiteControl } from '#shared/domain/load/site-control.ts';
import { circuit, connector, siteOf } from './support/load-sites.ts';

const session = (transactionId: string): ObservedSession => ({
  transactionId,
  arrivedAt: 0,
  priority: 1,
  departsAt: null,
  neededWh: null,
});

/** One station of 32 A, and the seconds that pass at it. */
function scene(...quirks: StationQuirk[]) {
  const control = new SiteControl(siteOf([connector('a')], circuit('grid', 32)), [quirks], defaultSettings);
  control.setCleared(0, true);
  let second = 0;
  const observe = (transactionId: string | null, isOnline = true) =>
    control.observe(
      0,
      { isOnline, session: transactionId === null ? null : session(transactionId) },
      second * 1000,
    );
  const cycle = (after = 1) => {
    second += after;
    return control.cycle({ now: second * 1000, localMinute: 0, meters: new Map(), bounds: [] });
  };
  const settle = (outcome: 'accepted' | 'rejected' | 'unanswered', { messages } = cycle()) => {
    const [sent] = messages;
    if (sent !== undefined) control.settle(sent, outcome, second * 1000);
    if (sent === undefined) return null;
    const { message } = sent;
    return message.kind === 'clear' ? ['clear'] : [message.kind, message.amps, message.transactionId];
  };
  return { control, observe, cycle, settle, second: () => second };
}

void t.test('installs the fallback first, then limits the session and renews the limit', async (t) => {
  const { observe, settle, cycle, second } = scene();
  observe('1');
  t.same(settle('accepted'), ['fallback', 0, null]);
  t.same(settle('accepted'), ['limit', 0, '1'], 'nothing is raised before the limit is confirmed');
  const confirmed = second();
  const raised = cycle(16);
  t.match(raised.messages, [{ message: { kind: 'limit', amps: 8 } }]);
  t.same(cycle().messages, [], 'one message at a time');
  settle('accepted', raised);
  t.ok(second() - confirmed < renewSeconds);
  const all = Array.from({ length: 120 }, () => settle('accepted')).filter((sent) => sent !== null);
  t.ok(all.some(([, amps]) => amps === 32));
  t.same(all.slice(-2), [
    ['limit', 32, '1'],
    ['limit', 32, '1'],
  ]);
});

void t.test(
  'clears profiles from elsewhere before the first fallback, and counts the maximum until then',
  async (t) => {
    const { control, observe, cycle, settle } = scene();
    control.setCleared(0, false);
    observe('1');
    t.same(settle('unanswered'), ['clear']);
    t.same(settle('rejected'), ['clear'], 'at once');
    t.same(settle('accepted'), ['fallback', 0, null], 'limits it meanwhile');
    t.same(settle('accepted'), ['limit', 0, '1']);
    t.match(cycle(16).plan.decisions, [{ boundAmps: 32, amps: 0 }]);
    t.same(settle('accepted', cycle(60)), ['clear']);
    const without = cycle();
    t.match(without.plan.decisions, [{ boundAmps: 32 }], 'without a fallback');
    t.same(settle('accepted', without), ['fallback', 0, null], 'the clear removed it');
    t.same(settle('accepted'), ['limit', 0, '1']);
    observe('1', false);
    observe('1');
    t.same(settle('accepted'), ['fallback', 0, null], 'once');
    settle('accepted');
    t.ok((cycle(16).plan.decisions[0]?.boundAmps ?? 32) < 32);
    control.setCleared(0, false);
    t.match(cycle().plan.decisions, [{ boundAmps: 32 }], 'another owner of its profiles');
  },
);

void t.test('leaves one station at a time without a limit while it clears profiles', async (t) => {
  const ids = ['a', 'b', 'c'];
  const control = new SiteControl(
    siteOf(
      ids.map((id) => connector(id)),
      circuit('grid', 32),
    ),
    ids.map(() => []),
    defaultSettings,
  );
  for (const index of ids.keys()) control.observe(index, { isOnline: true, session: session(`${index}`) }, 0);
  const limited = new Set<string>();
  for (let second = 1; second < 30; second += 1) {
    const { messages } = control.cycle({
      now: second * 1000,
      localMinute: 0,
      meters: new Map(),
      bounds: [],
    });
    for (const sent of messages) {
      control.settle(sent, 'accepted', second * 1000);
      if (sent.message.kind === 'clear') limited.delete(sent.connectorId);
      else limited.add(sent.connectorId);
    }
    if (second > 1) t.ok(limited.size >= 2, `second ${second}`);
  }
  t.equal(limited.size, 3);
});

void t.test('sets a station aside that goes on above its limit, and never raises it to that', async (t) => {
  const { control, observe, settle, cycle, second } = scene();
  observe('1');
  settle('accepted');
  settle('accepted');
  let isSetAside = false;
  for (let step = 0; step < 20; step += 1) {
    control.read(0, { amps: 16, at: second() * 1000, phases: 3 });
    const { messages, state } = cycle();
    for (const sent of messages) {
      t.match(sent.message, { amps: 0 });
      control.settle(sent, 'accepted', second() * 1000);
    }
    isSetAside = state.connectors[0]?.standing.isSetAside === true;
  }
  t.ok(isSetAside);
});

void t.test('repeats an unanswered message soon, and a rejected one after a minute', async (t) => {
  const { observe, settle, cycle } = scene();
  observe('1');
  t.ok(settle('unanswered'));
  t.ok(settle('unanswered'), 'at once');
  t.ok(settle('rejected'));
  t.same(cycle(50).messages, []);
  t.ok(settle('accepted', cycle(10)));
});

void t.test('installs the fallback again after a connection was lost', async (t) => {
  const { observe, settle } = scene();
  observe('1');
  settle('accepted');
  settle('accepted');
  observe('1', false);
  t.equal(settle('accepted'), null);
  observe('1');
  t.same(settle('accepted'), ['fallback', 0, null]);
  t.same(settle('accepted'), ['limit', 0, '1']);
});

void t.test('an answer that comes after the end of its session confirms the fallback only', async (t) => {
  const { control, observe, settle, cycle, second } = scene();
  observe('1');
  settle('accepted');
  settle('accepted');
  const { messages } = cycle(16);
  observe(null);
  for (const sent of messages) control.settle(sent, 'accepted', second() * 1000);
  t.match(cycle().state.connectors, [{ standing: { inForce: 0, accepted: { amps: 0 } } }]);
});

void t.test('a limit that does not end with its session is lowered by a message', async (t) => {
  const { observe, settle, cycle } = scene('tx-default-only');
  observe('1');
  settle('accepted');
  settle('accepted');
  t.same(settle('accepted', cycle(16)), ['limit', 8, '1']);
  observe(null);
  t.same(settle('accepted'), ['limit', 0, null]);
});

void t.test(
  'learns phases from the first pin on, and forgets them at a reading of other phases',
  async (t) => {
    const { control, observe, cycle, second } = scene();
    observe('1');
    const learned = (...phases: (number | null)[]) => {
      cycle();
      control.read(0, { amps: 16, at: second() * 1000, phases: drawnPhasesOf(phases) });
      return cycle().state.connectors[0]?.drawnPhases;
    };
    t.equal(learned(16, 0, 0), 1);
    t.equal(learned(16, 16, 0.5), 2);
    t.equal(learned(16, 0, 0), 2, 'the highest number');
    t.equal(learned(0, 16, 0), null);
    t.equal(learned(16, 0, 16), null);
    t.equal(learned(16, 16, 16), 3);
    t.equal(learned(16, 16, null), null);
  },
);

void t.test(
  'counts a station that rejects three messages as one without control, and raises others',
  async (t) => {
    const site = siteOf([connector('a'), connector('b')], circuit('grid', 64));
    const control = new SiteControl(site, [[], []], defaultSettings);
    for (const index of [0, 1]) control.setCleared(index, true);
    const run = (seconds: number, outcome: 'accepted' | 'rejected') => {
      const now = seconds * 1000;
      for (const index of [0, 1]) control.observe(index, { isOnline: true, session: session('1') }, now);
      const result = control.cycle({ now, localMinute: 0, meters: new Map(), bounds: [] });
      for (const sent of result.messages)
        control.settle(sent, sent.connectorId === 'b' ? 'accepted' : outcome, now);
      return result.plan.decisions.map(({ amps, boundAmps, reason }) => [amps, boundAmps, reason.kind]);
    };
    for (let seconds = 0; seconds < 120; seconds += 1) run(seconds, 'rejected');
    t.same(run(120, 'rejected'), [
      [0, 32, 'unconfirmed'],
      [0, 0, 'waiting'],
    ]);
    for (let seconds = 121; seconds < 170; seconds += 1) run(seconds, 'rejected');
    t.same(run(170, 'rejected'), [
      [0, 32, 'uncontrolled'],
      [32, 32, 'full'],
    ]);
    for (let seconds = 171; seconds < 182; seconds += 1) run(seconds, 'accepted');
    t.match(run(183, 'accepted')[0], [0, 32, 'unconfirmed'], 'an accepted message ends it');
  },
);

void t.test('takes an answer that comes after the connectors of the site changed', async (t) => {
  const { control, observe, cycle, settle, second } = scene();
  observe('1');
  const sent = cycle();
  const site = siteOf([connector('new'), connector('a')], circuit('grid', 32));
  control.change(site, [[], []], defaultSettings);
  settle('accepted', sent);
  control.observe(1, { isOnline: true, session: session('1') }, second() * 1000);
  t.match(cycle().messages, [{ connectorId: 'a', message: { kind: 'limit', amps: 0 } }]);
});

void t.test('installs a changed fallback during a session, and then renews the limit', async (t) => {
  const { control, observe, settle } = scene();
  observe('1');
  settle('accepted');
  settle('accepted');
  const site = siteOf([connector('a', { fallbackAmps: 6 })], circuit('grid', 32));
  control.change(site, [[]], defaultSettings);
  t.same(settle('accepted'), ['fallback', 6, null]);
  t.match(settle('accepted'), ['limit', Number, '1']);
});

void t.test(
  'counts a station that refuses its fallback at its maximum, and still lowers its limit',
  async (t) => {
    const { control, observe, settle, cycle } = scene();
    observe('1');
    settle('accepted');
    settle('accepted');
    t.same(settle('accepted', cycle(16)), ['limit', 8, '1']);
    observe('1', false);
    cycle();
    observe('1');
    t.same(settle('rejected'), ['fallback', 0, null]);
    control.change(siteOf([connector('a')], circuit('grid', 20)), [[]], defaultSettings);
    const { plan, messages } = cycle();
    t.match(plan.decisions, [{ boundAmps: 32, reason: { kind: 'unconfirmed' } }]);
    t.match(messages, [{ message: { kind: 'limit', amps: 0 } }]);
  },
);
