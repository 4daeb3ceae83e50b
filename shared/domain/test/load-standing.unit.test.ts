import t from 'tap';
import {
  boundOf,
  nextStanding,
  type Standing,
  type StandingEvent,
  unknownStanding,
} from '#shared/domain/load/standing.ts';
import { connector } from './support/load-sites.ts';

const car = connector('a', { fallbackAmps: 6 });
const at = (seconds: number) => seconds * 1000;

function after(...events: StandingEvent[]): Standing {
  const start: Standing = { ...unknownStanding, inForce: 32, accepted: { amps: 32, at: 0 }, fallback: 6 };
  return events.reduce((state, event) => nextStanding(state, event), start);
}

const bound = (state: Standing, seconds: number) => boundOf(state, car, at(seconds));

void t.test('counts an unknown limit at the maximum of the connector', async (t) => {
  t.equal(bound(unknownStanding, 0), 32);
});

void t.test('lowers the bound when an accepted reduction is visible', async (t) => {
  const sent = after({ kind: 'sent', amps: 10, at: at(1) });
  t.equal(bound(sent, 1), 32, 'not while the station is silent');
  const accepted = nextStanding(sent, { kind: 'accepted', at: at(2) });
  t.equal(bound(accepted, 2), 32, 'not by the answer');
  t.equal(bound(nextStanding(accepted, { kind: 'reading', amps: 30, at: at(3) }), 3), 32);
  const early = nextStanding(accepted, { kind: 'reading', amps: 10, at: at(6) });
  t.equal(bound(early, 6), 32, 'not by a reading that may be of the time before');
  t.equal(bound(nextStanding(early, { kind: 'reading', amps: 10, at: at(7) }), 7), 10);
});

void t.test('trusts a station without readings after the settling time', async (t) => {
  const accepted = after({ kind: 'sent', amps: 10, at: at(1) }, { kind: 'accepted', at: at(2) });
  t.equal(bound(nextStanding(accepted, { kind: 'tick', at: at(16) }), 16), 32);
  t.equal(bound(nextStanding(accepted, { kind: 'tick', at: at(17) }), 17), 10);
});

void t.test('keeps the highest limit after a lost answer', async (t) => {
  const lost = after({ kind: 'sent', amps: 10, at: at(1) }, { kind: 'unanswered', at: at(3) });
  t.equal(bound(nextStanding(lost, { kind: 'tick', at: at(60) }), 60), 32);
});

void t.test('raises the bound when a higher limit is sent', async (t) => {
  const low = after(
    { kind: 'sent', amps: 8, at: at(1) },
    { kind: 'accepted', at: at(2) },
    { kind: 'reading', amps: 8, at: at(7) },
  );
  t.equal(bound(low, 7), 8);
  t.equal(bound(nextStanding(low, { kind: 'sent', amps: 20, at: at(8) }), 8), 20);
});

void t.test('counts the fallback of a paused car', async (t) => {
  const paused = after(
    { kind: 'sent', amps: 0, at: at(1) },
    { kind: 'accepted', at: at(2) },
    { kind: 'reading', amps: 0, at: at(7) },
  );
  t.equal(bound(paused, 7), 6);
});

void t.test(
  'sets a station aside whose readings exceed its accepted limit after the settling time',
  async (t) => {
    const accepted = after({ kind: 'sent', amps: 8, at: at(1) }, { kind: 'accepted', at: at(2) });
    const early = nextStanding(accepted, { kind: 'reading', amps: 16, at: at(10) });
    t.equal(early.isSetAside, false);
    const late = nextStanding(early, { kind: 'reading', amps: 16, at: at(20) });
    t.equal(late.isSetAside, true);
    t.equal(bound(late, 20), 32);
    const back = nextStanding(late, { kind: 'reading', amps: 8, at: at(30) });
    t.equal(bound(back, 30), 32, 'until an operator ends it');
    t.equal(bound(nextStanding(back, { kind: 'released', at: at(31) }), 31), 8);
  },
);

void t.test('notices a disobedient station although its limit is renewed', async (t) => {
  const events: StandingEvent[] = [];
  for (let second = 1; second < 20; second += 5) {
    events.push({ kind: 'sent', amps: 8, at: at(second) }, { kind: 'accepted', at: at(second + 1) });
  }
  t.equal(after(...events, { kind: 'reading', amps: 16, at: at(20) }).isSetAside, true);
});

void t.test('counts a session that ended at the fallback', async (t) => {
  t.equal(bound(after({ kind: 'session-ended', at: at(1) }), 1), 6);
  const unanswered = after({ kind: 'sent', amps: 20, at: at(1) }, { kind: 'session-ended', at: at(2) });
  t.equal(bound(unanswered, 2), 32, 'not while a limit is on its way');
});

void t.test('counts the higher of two fallbacks until the station confirmed the new one', async (t) => {
  const lower = connector('a', { fallbackAmps: 0 });
  const session = after({ kind: 'sent', amps: 0, at: at(1) }, { kind: 'accepted', at: at(2) });
  const paused = nextStanding(session, { kind: 'tick', at: at(20) });
  t.equal(boundOf(paused, lower, at(20)), 6);
  const ended = nextStanding(paused, { kind: 'session-ended', at: at(21) });
  t.same([ended.inForce, ended.accepted?.amps], [6, 6], 'the station applies the earlier one');
  const confirmed = nextStanding(paused, { kind: 'fallback-accepted', amps: 0 });
  t.equal(boundOf(confirmed, lower, at(20)), 0);
  const lost = nextStanding(confirmed, { kind: 'fallback-sent', amps: 16 });
  t.equal(boundOf(lost, lower, at(20)), 16, 'a fallback without an answer may be in force');
});
