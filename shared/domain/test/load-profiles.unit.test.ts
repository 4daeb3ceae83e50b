import t from 'tap';
import {
  limitSeconds,
  type LimitMessage,
  outrankingProfiles,
  profileOf,
} from '#shared/domain/load/profiles.ts';
import { quirksOfModel, type StationQuirk } from '#shared/domain/load/quirks.ts';

const now = Date.UTC(2026, 10, 29);
const fallback: LimitMessage = { kind: 'fallback', amps: 6, transactionId: null };
const limit: LimitMessage = { kind: 'limit', amps: 13.5, transactionId: '42' };

function of(message: LimitMessage, ...quirks: StationQuirk[]) {
  const { evse, profile } = profileOf(message, { evse: 2, quirks }, now);
  const { purpose, stackLevel, kind, validTo, transactionId, periods } = profile;
  const end = validTo === null ? null : (validTo.getTime() - now) / 1000;
  return [evse, purpose, stackLevel, kind, end, transactionId, periods[0]?.limit];
}

void t.test('a limit belongs to its transaction and ends, above a fallback without an end', async (t) => {
  t.same(of(fallback), [2, 'TxDefault', 0, 'Relative', null, null, 6]);
  t.same(of(limit), [2, 'Tx', 0, 'Relative', limitSeconds, '42', 13.5]);
});

void t.test('quirks change purpose and level', async (t) => {
  t.same(of(limit, 'tx-default-only'), [2, 'TxDefault', 1, 'Relative', limitSeconds, null, 13.5]);
  t.same(of(fallback, 'station-max-only'), [0, 'StationMax', 0, 'Absolute', null, null, 6]);
  t.same(of(limit, 'station-max-only'), [0, 'StationMax', 1, 'Absolute', limitSeconds, null, 13.5]);
  // Without an end: nothing would limit the station after it.
  t.same(of(limit, 'tx-default-only', 'single-level'), [2, 'TxDefault', 0, 'Relative', null, null, 13.5]);
  t.same(of(limit, 'single-level'), of(limit));
});

const cleared = (...quirks: StationQuirk[]) =>
  outrankingProfiles({ evse: 2, quirks }).map(({ evse, purpose }) => [evse, purpose]);

void t.test('clears the profiles from elsewhere that could allow more than ours', async (t) => {
  const ofSessions = [
    [0, 'TxDefault'],
    [2, 'TxDefault'],
    [2, 'Tx'],
    [null, 'PriorityCharging'],
  ];
  t.same(cleared(), ofSessions);
  t.same(cleared('tx-default-only', 'single-level'), ofSessions);
  t.same(cleared('station-max-only'), [[0, 'StationMax']]);
});

const ids = (evse: number, ...quirks: StationQuirk[]) =>
  [fallback, limit].map((message) => profileOf(message, { evse, quirks }, now).profile.profileId);

void t.test('profiles of a connector have an identifier for each purpose and level', async (t) => {
  const all = [ids(1), ids(2), ids(1, 'tx-default-only')].flat();
  t.equal(new Set(all).size, 5);
  t.ok(all.every((id) => id < 2 ** 31));
});

void t.test('known models have their quirks', async (t) => {
  t.same(quirksOfModel('abb', 'Terra AC W22'), ['single-level', 'refuses-zero']);
  t.same(quirksOfModel('ABB', 'Other'), []);
  t.same(quirksOfModel(null, null), []);
});
