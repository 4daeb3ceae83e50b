import t from 'tap';
import { highestRole, isWithin, type Role, roles, scopesOfRole } from '#shared/domain/access/roles.ts';

void t.test('grants no role with a scope that it lacks', async (t) => {
  const within: Record<Role, Role[]> = {
    Owner: [...roles],
    Admin: ['Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer'],
    Manager: ['Manager', 'Viewer'],
    Technician: ['Technician', 'Support'],
    Support: ['Support'],
    Finance: ['Finance', 'Viewer'],
    Viewer: ['Viewer'],
  };
  for (const ceiling of roles) {
    t.strictSame(
      roles.filter((role) => isWithin(ceiling, role)),
      within[ceiling],
      ceiling,
    );
  }
});

void t.test(
  'gives support alerts and the commands of a driver in need, and neither money nor accounts',
  async (t) => {
    const scopes = scopesOfRole('Support');
    t.strictSame(
      scopes.filter((scope) => !scope.startsWith('cpms:read:')),
      [
        'cpms:write:alerts',
        'cpms:command:remote-start',
        'cpms:command:remote-stop',
        'cpms:command:reboot',
        'cpms:command:unlock-connector',
      ],
    );
    const kept =
      /:(tariffs|wallets|invoices|analytics|exports|operators|api-keys|webhooks|audit-log|events)$/;
    t.strictSame(
      [...scopes, ...scopesOfRole('Technician')].filter((scope) => kept.test(scope)),
      [],
    );
  },
);

void t.test('gives a technician configuration and firmware in addition to support', async (t) => {
  const support = scopesOfRole('Support');
  t.strictSame(
    scopesOfRole('Technician').filter((scope) => !support.includes(scope)),
    [
      'cpms:command:trigger-message',
      'cpms:command:change-availability',
      'cpms:command:configuration',
      'cpms:command:variables',
      'cpms:command:firmware',
    ],
  );
});

void t.test('gives finance tariffs, exports and billing in addition to a viewer', async (t) => {
  const viewer = scopesOfRole('Viewer');
  t.strictSame(
    scopesOfRole('Finance').filter((scope) => !viewer.includes(scope)),
    ['cpms:write:tariffs', 'cpms:write:exports', 'cpms:command:billing'],
  );
});

void t.test('reads the first named role of a claim', async (t) => {
  t.equal(highestRole(['viewer', 'SUPPORT', 'Technician']), 'Technician');
  t.equal(highestRole(['driver']), null);
});
