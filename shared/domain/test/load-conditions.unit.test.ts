import t from 'tap';
import type { PublishedConnector, PublishedPlan } from '#shared/domain/load/published-plan.ts';
import { SiteConditions } from '#shared/domain/load/site-conditions.ts';
import { circuit, connector, demand, siteOf } from './support/load-sites.ts';

const site = siteOf([connector('a'), connector('b', { control: 'none' })], circuit('grid', 63));

/** Plan at a second: what the grid carries, whether its meter works, and the reason of both limits. */
function planAt(
  second: number,
  loadAmps: number,
  lostMeters: string[],
  kind: 'full' | 'offline',
  hasCar = true,
) {
  const own = (connectorId: string): PublishedConnector => ({
    connectorId,
    amps: 10,
    targetAmps: 10,
    boundAmps: 10,
    drawnAmps: 10,
    reason: { kind },
    isOnline: kind === 'full',
    isConfirmed: true,
    drawnPhases: 3,
    demand: hasCar ? demand() : null,
  });
  const plan: PublishedPlan = {
    siteId: site.id,
    at: second * 1000,
    connectors: ['a', 'b'].map((id) => own(id)),
    lines: [0, 1].map((phase) => ({
      circuitId: 'grid',
      phase,
      limitAmps: 63,
      otherAmps: 0,
      loadAmps,
      boundAmps: 63,
    })),
    meters: [],
    lostMeters,
    problems: [],
  };
  return plan;
}

void t.test('reports conditions that last, and their end', async (t) => {
  const conditions = new SiteConditions();
  const take = (...plan: Parameters<typeof planAt>) => conditions.take(site, planAt(...plan));
  t.equal(take(0, 70, ['grid'], 'offline'), null);
  t.equal(take(119, 70, ['grid'], 'offline'), null, 'earlier ones may last');
  t.same(take(120, 70, ['grid'], 'offline'), {
    overloaded: ['grid'],
    meterLost: ['grid'],
    unconfirmed: ['a'],
  });
  t.equal(take(121, 70, ['grid'], 'offline'), null, 'once');
  conditions.repeat();
  t.ok(take(122, 70, ['grid'], 'offline'), 'after a failure');
  const none = { overloaded: [], meterLost: [], unconfirmed: [] };
  t.same(take(123, 63.9, [], 'full'), none);
  t.equal(take(124, 70, ['grid'], 'offline'), null);
  t.equal(take(153, 70, ['grid'], 'offline'), null, 'short ones are usual');
  t.match(take(154, 70, ['grid'], 'offline'), { overloaded: ['grid'], meterLost: [] });
  t.match(take(300, 10, [], 'offline', false), none, 'an idle station that is offline');
});
