import { createRandom, type Random } from '#shared/simulator/random.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { asResponse } from '#shared/ocpp/validators.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import type { Rig } from '#gateway/test/support/rig.ts';
import { below, nested, pick, withNoise, withOddValues } from './mutate.ts';

/** Outcome for the caller: the charger accepted, or a code. */
type Outcome =
  | 'accepted'
  | 'CHARGER_REFUSED'
  | 'COMMAND_NOT_SUPPORTED'
  | 'CHARGER_TIMEOUT'
  | 'CHARGER_OFFLINE';

/** Misbehaviour of a charger instead of a proper answer, and the caller's outcome. */
interface Misdeed {
  name: string;
  texts: string[];
  outcome: Outcome;
}

/** Commands to which no answer comes are given up after that long (ms); the others take as long as they need. */
const silenceMs = 150;
const patienceMs = 20_000;

const accepted = '{"status":"Accepted"}';
const tooLarge = 1024 * 1024 + 1;

/** A misdeed of chance against the call with this id; `before` is the id of the call before it. */
function misdeed(random: Random, version: OcppVersion, id: string, before: string): Misdeed {
  const good = `[3,${JSON.stringify(id)},${accepted}]`;
  const unmeant = strayText(random, id, before);
  switch (below(random, 9)) {
    case 0:
      return { name: 'stray, then right', texts: [unmeant, good], outcome: 'accepted' };
    case 1:
      return { name: 'stray only', texts: [unmeant], outcome: 'CHARGER_TIMEOUT' };
    case 2:
      return { name: 'silence', texts: [], outcome: 'CHARGER_TIMEOUT' };
    case 3: {
      const second = `[4,${JSON.stringify(id)},"InternalError","",{}]`;
      return { name: 'twice', texts: [good, second, good], outcome: 'accepted' };
    }
    case 4: {
      const code = pick(random, [
        'NotImplemented',
        'NotSupported',
        'InternalError',
        'x'.repeat(60_000),
        '',
        7,
      ]);
      const rest = pick(random, [
        '',
        ',""',
        ',null,null',
        `,${JSON.stringify('é'.repeat(400_000))},{}`,
        ',{},[]',
      ]);
      const isUnsupported = code === 'NotImplemented' || code === 'NotSupported';
      return {
        name: 'CALLERROR',
        texts: [`[4,${JSON.stringify(id)},${JSON.stringify(code)}${rest}]`, good],
        outcome: isUnsupported ? 'COMMAND_NOT_SUPPORTED' : 'CHARGER_REFUSED',
      };
    }
    case 5: {
      const payload = withOddValues(random, { status: 'Accepted' });
      const isYes = isAccepted(version, JSON.parse(payload));
      return {
        name: 'odd values',
        texts: [`[3,${JSON.stringify(id)},${payload}]`, good],
        outcome: isYes ? 'accepted' : 'CHARGER_REFUSED',
      };
    }
    case 6: {
      const payload = pick(random, ['', ',null', ',[]', ',7', ',"Accepted"', ',{}', `,${nested(200, true)}`]);
      return {
        name: 'wrong shape',
        texts: [`[3,${JSON.stringify(id)}${payload}]`],
        outcome: 'CHARGER_REFUSED',
      };
    }
    case 7:
      return {
        name: 'malformed, then right',
        texts: [`[3,${JSON.stringify(id)},${accepted}`, good],
        outcome: 'CHARGER_REFUSED',
      };
    default: {
      const status = JSON.stringify('x'.repeat(900_000));
      return {
        name: 'huge',
        texts: [`[3,${JSON.stringify(id)},{"status":${status}}]`],
        outcome: 'CHARGER_REFUSED',
      };
    }
  }
}

/** Returns true when a response to Reset accepts, as far as it is readable. */
function isAccepted(version: OcppVersion, payload: unknown): boolean {
  try {
    return asResponse(version, 'Reset', payload).status === 'Accepted';
  } catch {
    return false;
  }
}

/** A text that answers no call that waits. */
function strayText(random: Random, id: string, before: string): string {
  const other = pick(random, [before, `${id}0`, id.slice(1), 'x'.repeat(255), 'constructor', ' ', '-1']);
  const strays = [
    `[3,${JSON.stringify(other)},${accepted}]`,
    `[4,${JSON.stringify(other)},"InternalError","",{}]`,
    `[3,null,${accepted}]`,
    `[3,7,${accepted}]`,
    `[3,"",${accepted}]`,
    `[3,["${id}"],${accepted}]`,
    `[3,"${'x'.repeat(256)}",${accepted}]`,
    `[3]`,
    `[5,"${id}",${accepted}]`,
    `[3,"${id}0",${accepted}`,
    `{"3":"${id}"}`,
    withNoise(random, 'no frame at all, with some noise in it'),
  ];
  return pick(random, strays);
}

/** One charger that answers commands as it should not; the faults are the gateway's, in words. */
export class WrongAnswerer {
  readonly #rig: Rig;
  readonly #uid: string;
  readonly #version: OcppVersion;
  readonly #socket: RawCharger;
  readonly #random: Random;
  #before = 'none';
  readonly faults: string[] = [];
  readonly played = new Set<string>();

  private constructor(rig: Rig, uid: string, version: OcppVersion, socket: RawCharger, seed: number) {
    this.#rig = rig;
    this.#uid = uid;
    this.#version = version;
    this.#socket = socket;
    this.#random = createRandom(seed);
  }

  static async connect(rig: Rig, version: OcppVersion, seed: number): Promise<WrongAnswerer> {
    const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1 });
    const socket = await connectRaw(rig, charger, `ocpp${version}`);
    await until('presence', () => rig.bus.presence.lookup(charger.uid));
    return new WrongAnswerer(rig, charger.uid, version, socket, seed);
  }

  /** Answers so many commands; then one with a frame over the limit, which costs it its socket. */
  async run(commands: number): Promise<void> {
    for (let n = 0; n < commands; n += 1) {
      // Drawn ahead, since how long the caller waits depends on it.
      const seed = below(this.#random, 2 ** 31);
      const isSilent =
        misdeed(createRandom(seed), this.#version, 'id', 'before').outcome === 'CHARGER_TIMEOUT';
      await this.#play((id) => misdeed(createRandom(seed), this.#version, id, this.#before), isSilent);
    }
    await this.#play(
      (id) => ({
        name: 'too large',
        texts: [`[3,"${id}","${'x'.repeat(tooLarge)}"]`],
        outcome: 'CHARGER_OFFLINE',
      }),
      false,
    );
  }

  async #play(deedFor: (id: string) => Misdeed, isSilent: boolean): Promise<void> {
    const timeoutMs = isSilent ? silenceMs : patienceMs;
    const reply = this.#rig.command(this.#uid, { type: 'reset', kind: 'Soft' }, timeoutMs);
    const id = await this.#nextCall();
    const { name, texts, outcome } = deedFor(id);
    for (const text of texts) this.#socket.send(text);
    this.#before = id;
    this.played.add(name);
    const actual = outcomeOf(await reply);
    if (actual !== outcome) {
      this.faults.push(`${name}: ${actual}, not ${outcome}, after ${texts.join(' ').slice(0, 300)}`);
    }
  }

  /** Broken answers are answered too (2.0.1 part 4 §4.2.3): that is not what is looked at here. */
  async #nextCall(): Promise<string> {
    for (;;) {
      const [type, id] = await this.#socket.next();
      if (type === 2) return String(id);
    }
  }
}

function outcomeOf(reply: CommandReply): string {
  if (!reply.ok) return reply.code;
  return reply.result.accepted ? 'accepted' : `answered with ${reply.result.status}`;
}
