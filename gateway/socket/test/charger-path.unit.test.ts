import t from 'tap';
import { identityIn } from '#gateway/socket/charger-path.ts';

void t.test('reads the identity at the end of a path, percent-encoded or not', (t) => {
  for (const [path, identity] of [
    ['/ocpp/QUAY-1', 'QUAY-1'],
    // OCPP-J 1.6 §3.1.1.
    ['/ocpp/RDAM%20123', 'RDAM 123'],
    ['/ocpp/RDAM%2F123', 'RDAM/123'],
    ['/ocpp/%2FRDAM%2f', '/RDAM/'],
    ['/ocpp/50%25', '50%'],
    ['/ocpp/A%2520B', 'A%20B'],
    ['/ocpp/%23%3F%5C', '#?\\'],
    ['/ocpp/%C3%89toile%E2%82%AC', 'Étoile€'],
    ['/ocpp/Étoile', 'Étoile'],
    ['/ocpp/ocpp', 'ocpp'],
  ] as const) {
    t.equal(identityIn(path), identity, path);
  }
  t.end();
});

void t.test('ignores slashes before and after the identity, and keeps those inside', (t) => {
  for (const path of ['/ocpp//A', '//ocpp/A', '///ocpp///A', '/ocpp/A/', '/ocpp/A//', '//ocpp//A//']) {
    t.equal(identityIn(path), 'A', path);
  }
  t.equal(identityIn('/ocpp/RDAM/123'), 'RDAM/123');
  t.equal(identityIn('/ocpp/RDAM//123/'), 'RDAM//123');
  t.end();
});

void t.test('keeps percent signs that encode nothing', (t) => {
  for (const [path, identity] of [
    ['/ocpp/50%', '50%'],
    ['/ocpp/RDAM%20100%', 'RDAM 100%'],
    ['/ocpp/%zz%41', '%zzA'],
    ['/ocpp/%E0%A4', '%E0%A4'],
  ] as const) {
    t.equal(identityIn(path), identity, path);
  }
  t.end();
});

void t.test('returns null for a path without an identity below /ocpp', (t) => {
  for (const path of ['', '/', '//', '/ocpp', '/ocpp/', '/ocpp//', '/A', '/OCPP/A', '/ocppA', '/x/ocpp/A']) {
    t.equal(identityIn(path), null, path);
  }
  t.end();
});
