import t from 'tap';
import { countryZone } from '#shared/domain/fleet/country-zone.ts';
import { locationZone } from '#shared/domain/fleet/location-zone.ts';

void t.test('a country whose parts have the same time has one zone', (t) => {
  t.equal(countryZone('NLD'), 'Europe/Amsterdam');
  t.equal(countryZone('DE'), 'Europe/Berlin', 'Büsingen has the same time');
  t.equal(countryZone('ES'), null, 'the Canary Islands have another time');
  t.equal(countryZone('USA'), null);
  t.equal(countryZone('XX'), null);
  t.end();
});

void t.test('a location has the zone of its position, and without one the zone of its country', (t) => {
  t.equal(locationZone({ country: 'ESP', latitude: 28.1, longitude: -15.4 }), 'Atlantic/Canary');
  t.equal(locationZone({ country: 'FRA', latitude: 0, longitude: 0 }), 'Europe/Paris');
  t.equal(locationZone({ country: 'USA', latitude: 0, longitude: 0 }), null);
  t.end();
});
