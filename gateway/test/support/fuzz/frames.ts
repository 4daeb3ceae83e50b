import type { Random } from '#shared/simulator/random.ts';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import { type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { readSchemas } from '#shared/ocpp/generator/schema.ts';
import { at, type Payload, Sampler } from '#shared/ocpp/test/support/sample.ts';
import { below, nested, pick, withNoise, withOddValues } from './mutate.ts';

/** Actions of no version. */
const strangers = [
  '',
  'constructor',
  '__proto__',
  'toString',
  'heartbeat',
  'Heartbeat ',
  'x'.repeat(5000),
  '😀',
];

/** A CALL without a field that its schema requires. */
export interface IncompleteCall {
  text: string;
  /** The JSON pointer of what is missing. */
  missing: string;
}

/** Makes what a version's chargers send, and should not. */
export class FrameMaker {
  readonly version: OcppVersion;
  readonly #sampler: Sampler;
  readonly #actions: string[];
  readonly #foreign: string[];

  constructor(version: OcppVersion) {
    this.version = version;
    this.#sampler = new Sampler(readSchemas(version));
    this.#actions = actionsOf(version).filter((action) =>
      ['charger', 'both'].includes(directionOf(version, action)),
    );
    this.#foreign = [
      ...actionsOf(version).filter((action) => directionOf(version, action) === 'csms'),
      ...actionsOf(version === '1.6' ? '2.0.1' : '1.6'),
      ...strangers,
    ];
  }

  /** Every CALL of every action with one required field left out. */
  *incompleteCalls(): Generator<IncompleteCall> {
    for (const action of this.#actions) {
      for (const { holder, name } of this.#sampler.requiredFields(`${action}Request`)) {
        const payload = this.#sampler.full(`${action}Request`);
        delete at(payload, holder)[name];
        const missing = `${holder}/${name}`;
        yield { text: call(`${action}${missing}`, action, JSON.stringify(payload)), missing };
      }
    }
  }

  /** One frame; the same ones in the same order for the same source of chance. */
  random(random: Random, id: string): string {
    const action = pick(random, this.#actions);
    const chance = random();
    if (chance < 0.15) return call(id, action, JSON.stringify(this.#payload(random, action)));
    if (chance < 0.6) return call(id, action, withOddValues(random, this.#payload(random, action)));
    const valid = call(id, action, JSON.stringify(this.#payload(random, action)));
    if (chance < 0.85) return withNoise(random, valid);
    if (chance < 0.9)
      return call(id, pick(random, this.#foreign), JSON.stringify(this.#payload(random, action)));
    return pick(random, [rubbish, deep, envelope, flood])(random, id, action);
  }

  #payload(random: Random, action: string): Payload {
    const message = `${action}Request`;
    const payload = random() < 0.5 ? this.#sampler.full(message) : this.#sampler.minimal(message);
    return random() < 0.1 ? { ...payload, vendorExtra: { deep: [1, { constructor: null }] } } : payload;
  }
}

/** A CALL with this payload, given as JSON. */
function call(id: string, action: string, payload: string): string {
  return `[2,${JSON.stringify(id)},${JSON.stringify(action)},${payload}]`;
}

/** Bytes of chance, as far as they are text. */
function rubbish(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: below(random, 300) }, () => below(random, 256)));
  return bytes.toString(random() < 0.5 ? 'utf8' : 'latin1');
}

/** Nested so deep that what works by recursion runs out of stack. */
function deep(random: Random, id: string, action: string): string {
  const inside = nested(pick(random, [2000, 20_000, 60_000]), random() < 0.5);
  switch (below(random, 4)) {
    case 0:
      return inside;
    case 1:
      return inside.slice(0, -below(random, 5));
    case 2:
      return call(id, action, inside);
    default:
      return call(id, 'DataTransfer', `{"vendorId":"v","data":${inside},"customData":${inside}}`);
  }
}

/** The parts of the array around a payload, wrong. */
function envelope(random: Random, id: string, action: string): string {
  const type = pick(random, ['2', '2', '3', '4', '5', '6', '1', '2.5', '"2"', 'null', '-2', '1e99', '[]']);
  const ids = [
    '17',
    'null',
    '""',
    '{}',
    `"${'i'.repeat(255)}"`,
    `"${'i'.repeat(256)}"`,
    '"\\u0000"',
    '"\\ud800"',
  ];
  const said = random() < 0.5 ? JSON.stringify(id) : pick(random, ids);
  const name = pick(random, [JSON.stringify(action), 'null', '7', '[]', '{}']);
  return `[${[type, said, name, '{}', '1', 'null'].slice(0, below(random, 7)).join(',')}]`;
}

/** Long runs of what text is searched for: a search that looks back over it again and again never ends. */
function flood(random: Random, id: string): string {
  const run = pick(random, [
    'password',
    '?',
    '?key',
    '&sig',
    '://',
    '://:',
    'x:',
    '"',
    '\\',
    ' ',
    '1',
    'é',
    '"value":',
    'PRIVATE KEY',
    '-----BEGIN PRIVATE KEY-----',
  ]);
  const data = run.repeat(Math.ceil(200_000 / run.length));
  if (random() < 0.3) {
    const sampledValue = [{ value: `${data}x`, unit: `Wh${data}`.slice(0, 500) }];
    const meterValue = [{ timestamp: `2026-05-04T03:02:01.${data}Z`.slice(0, 100), sampledValue }];
    return call(id, 'MeterValues', JSON.stringify({ connectorId: 1, evseId: 1, meterValue }));
  }
  return call(id, 'DataTransfer', JSON.stringify({ vendorId: 'key', data: `password${data}` }));
}
