import t from 'tap';
import * as alerts from '#api/console/src/pages/alerts/alerts-search.ts';
import * as audit from '#api/console/src/pages/audit-log/audit-search.ts';
import * as chargers from '#api/console/src/pages/chargers/chargers-search.ts';
import * as invoices from '#api/console/src/pages/invoices/invoices-search.ts';
import * as reservations from '#api/console/src/pages/reservations/reservations-search.ts';
import * as sessions from '#api/console/src/pages/sessions/sessions-search.ts';
import * as tariffs from '#api/console/src/pages/tariffs/tariffs-search.ts';
import { parseSearch, stringifySearch } from '#api/console/src/app/search-params.ts';

/** Time zone that is 14 hours ahead of UTC. */
const zone = 'Pacific/Kiritimati';

/** Lists by name: the filters that an address holds, and what the API receives for an address. */
const lists: Record<
  string,
  {
    read: (search: Record<string, unknown>) => Record<string, unknown>;
    query: (address: string) => object;
    known: [address: string, query: object];
    unknown: string;
  }
> = {
  sessions: {
    read: sessions.sessionsSearch,
    query: (address) => sessions.filterQuery(sessions.sessionsSearch(parseSearch(address)), zone),
    known: [
      'search=00123&status=ACTIVE&priceState=REVIEW&flag=energy-implausible&chargerId=c&locationId=l&userId=u' +
        '&from=2026-03-02&to=2026-03-02&tariff=without&counted=true&inReview=false&running=true&duringFrom=a&duringTo=b&modelId=m&tariffId=t&endedFrom=f&endedTo=e' +
        '&endedWeekday=5&endedHour=11&timeZone=Europe%2FAmsterdam',
      {
        search: '00123',
        status: 'ACTIVE',
        priceState: 'REVIEW',
        flag: 'energy-implausible',
        chargerId: 'c',
        locationId: 'l',
        userId: 'u',
        from: '2026-03-01T10:00:00.000Z',
        to: '2026-03-02T09:59:59.999Z',
        withoutTariff: true,
        counted: true,
        inReview: false,
        running: true,
        duringFrom: 'a',
        duringTo: 'b',
        modelId: 'm',
        tariffId: 't',
        endedFrom: 'f',
        endedTo: 'e',
        endedWeekday: 5,
        endedHour: 11,
        timeZone: 'Europe/Amsterdam',
      },
    ],
    unknown:
      'status=ended&priceState=x&tariff=x&counted=x&inReview=x&running=x&endedWeekday=Friday&endedHour=111&from=x&to=x',
  },
  invoices: {
    read: invoices.invoicesSearch,
    query: (address) => invoices.filterQuery(invoices.invoicesSearch(parseSearch(address)), zone),
    known: [
      'search=2026-1&kind=INVOICE&state=PAID&userId=u&from=2026-03-02&to=2026-03-02',
      {
        search: '2026-1',
        kind: 'INVOICE',
        paymentState: 'PAID',
        userId: 'u',
        from: '2026-03-01T10:00:00.000Z',
        to: '2026-03-02T09:59:59.999Z',
      },
    ],
    unknown: 'kind=RECEIPT&state=paid&from=yesterday&to=',
  },
  chargers: {
    read: chargers.chargersSearch,
    query: (address) => chargers.filterQuery(chargers.chargersSearch(parseSearch(address))),
    known: [
      'search=FL-01&state=offline,faulted&location=l&model=m&firmware=1.4&version=1.6&online=offline&alert=any&fault=reported&update=stuck',
      {
        search: 'FL-01',
        state: 'faulted,offline',
        locationUuid: 'l',
        modelUuid: 'm',
        firmwareVersion: '1.4',
        ocppVersion: '1.6',
        isOnline: false,
        hasAlert: true,
        hasFault: true,
        hasStuckUpdate: true,
      },
    ],
    unknown: 'state=broken&version=1.5&online=maybe',
  },
  alerts: {
    read: alerts.alertsSearch,
    query: (address) => alerts.filterQuery(alerts.alertsSearch(parseSearch(address))),
    known: [
      'status=open&kind=firmware-failed&severity=critical',
      { status: 'open', kind: 'firmware-failed', severity: 'critical' },
    ],
    unknown: 'status=closed&kind=flood&severity=mild&tab=rules&alert=a',
  },
  reservations: {
    read: reservations.reservationsSearch,
    query: (address) => reservations.filterQuery(reservations.reservationsSearch(parseSearch(address))),
    known: ['status=Active&charger=c&token=CARD-1', { status: 'Active', chargerId: 'c', idTag: 'CARD-1' }],
    unknown: 'status=active',
  },
  tariffs: {
    read: tariffs.tariffsSearch,
    query: (address) => tariffs.tariffsFilter(tariffs.tariffsSearch(parseSearch(address))),
    known: ['name=Night&currency=EUR&assigned=no', { name: 'Night', currency: 'EUR', isAssigned: false }],
    unknown: 'currency=euro&assigned=maybe',
  },
  'audit log': {
    read: audit.auditSearch,
    query: (address) => audit.auditQuery(audit.auditSearch(parseSearch(address)), zone),
    known: [
      'category=api-key&actor=u&object=o&from=2026-03-02T10:00&to=2026-03-02T11:00',
      {
        category: 'api-key',
        userId: 'u',
        resourceId: 'o',
        from: '2026-03-01T20:00:00.000Z',
        to: '2026-03-01T21:00:00.000Z',
      },
    ],
    unknown: 'from=x&to=y&entry=e',
  },
};

for (const [name, { read, query, known, unknown }] of Object.entries(lists)) {
  void t.test(`${name}: an address filters the list, and is kept`, (t) => {
    const [address, expected] = known;
    t.strictSame(query(address), expected);
    t.strictSame(parseSearch(stringifySearch(read(parseSearch(address)))), parseSearch(address));
    t.strictSame(query(''), {}, 'without filters');
    t.strictSame(query(unknown), {}, 'values that the API does not know are left out');
    t.strictSame(read({ other: '1', search: 1, status: 1, name: 1 }), {}, 'what is no filter is left out');
    t.end();
  });
}

void t.test('a list is filtered until its filters are cleared, whatever its order and opened entry', (t) => {
  for (const [name, { isFiltered, withoutFilters, filter, other }] of Object.entries({
    sessions: { ...sessions, filter: { search: 'x' }, other: { sort: '-energy' } },
    invoices: { ...invoices, filter: { state: 'PAID' }, other: {} },
    chargers: { ...chargers, filter: { alert: 'any' }, other: { sort: '-name' } },
    'audit log': { ...audit, filter: { category: 'api-key' }, other: { entry: 'e' } },
  })) {
    t.notOk(isFiltered(other), name);
    t.ok(isFiltered({ ...other, ...filter }), name);
    t.notOk(isFiltered({ ...other, ...filter, ...withoutFilters }), name);
    t.equal(
      stringifySearch({ ...other, ...filter, ...withoutFilters }),
      stringifySearch(other),
      `${name}: the rest is kept`,
    );
  }
  t.ok(tariffs.isFiltered({ assigned: 'yes' }));
  t.notOk(tariffs.isFiltered({}));
  t.end();
});

void t.test('sessions behind a figure are named', (t) => {
  t.ok(sessions.isOfFigure({ endedHour: '11' }));
  t.ok(sessions.isOfFigure({ running: 'true' }));
  t.notOk(sessions.isOfFigure({ search: 'x', timeZone: 'Europe/Amsterdam' }));
  t.end();
});

const sessionOrder = (sort?: string) =>
  sessions.sortText(sessions.sortOf(sort === undefined ? {} : { sort }));
const chargerOrder = (sort?: string) =>
  chargers.sortText(chargers.sortOf(sort === undefined ? {} : { sort }));

void t.test('an address orders the list; the API receives a known order', (t) => {
  t.strictSame([undefined, 'energy', '-cost', 'x'].map(sessionOrder), [
    '-startedAt',
    'energy',
    '-cost',
    '-startedAt',
  ]);
  t.strictSame([undefined, '-name', 'lastSeenAt', '-x'].map(chargerOrder), [
    'name',
    '-name',
    'lastSeenAt',
    'name',
  ]);
  t.equal(chargers.sortText({ by: 'x', isDescending: true }), '-name');
  t.end();
});

void t.test('a tab that the alerts do not have is the list', (t) => {
  t.strictSame([{}, { tab: 'rules' }, { tab: 'x' }].map(alerts.tabOf), ['list', 'rules', 'list']);
  t.end();
});
