import type { Test } from 'tap';
import { match } from 'tcompare';
import { showRunningCosts } from '#api/jobs/shown-costs.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { OperatedRig } from '#api/test/support/operated-rig.ts';
import { attempt, overTls } from '#gateway/test/support/handshakes.ts';
import { makeSigningRequest } from '#shared/certificates/test/support/signing-request.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import type { Call, Request, Step } from './steps.ts';

type Frame = [type: number, id: string, ...rest: unknown[]];
type Values = Record<string, unknown>;
type Login = { username: string; password: string | Buffer };

export const proxySecret = 'a-secret-of-the-proxy';

/** Plays the steps of a case with a station of its own; `given` are further values. */
export async function play(
  t: Test,
  rig: OperatedRig,
  { version, steps, given }: { version: OcppVersion; steps: Step[]; given: Values },
): Promise<void> {
  const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 2 });
  const values: Values = {
    ...given,
    charger: charger.uuid,
    uid: charger.uid,
    now: new Date().toISOString(),
    earlier: new Date(Date.now() - 600_000).toISOString(),
    later: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const { uid } = charger;
  if (JSON.stringify(steps).includes('"$csr"')) values['csr'] = await makeSigningRequest(`CN=${uid}`);
  let password: string | Buffer = charger.password;
  const connect = (how: Login) => connectRaw(rig, charger, `ocpp${version}`, how);
  /** Returns the HTTP status that refuses a connection; null when it is admitted. */
  const refusalOf = (how: Login): Promise<string | null> =>
    connect(how).then(
      async (socket) => {
        await socket.terminate();
        return null;
      },
      (error: Error) => /\b4\d\d\b/.exec(error.message)?.[0] ?? error.message,
    );
  /** Connects when the gateway knows the password, and returns when commands reach the connection. */
  const admitted = async (how: Login): Promise<RawCharger> => {
    const former = (await rig.bus.presence.lookup(uid))?.connectionId;
    const socket = await until(`a connection of ${uid}`, () => connect(how).catch(() => null));
    await until(`the presence of ${uid}`, async () => {
      const held = await rig.bus.presence.lookup(uid);
      return held !== null && held.connectionId !== former;
    });
    return socket;
  };
  let station = await admitted({ username: uid, password });
  /** CALLs that arrived while an answer was awaited. */
  let waiting: Frame[] = [];
  let messages = 0;
  const jobs: Promise<unknown>[] = [];

  const answerTo = async (id: string): Promise<Frame> => {
    for (;;) {
      const frame = (await station.next()) as Frame;
      if (frame[0] !== 2 && frame[1] === id) return frame;
      waiting.push(frame);
    }
  };
  const sent = (action: string, payload: object): Promise<Frame> => {
    messages += 1;
    station.send(JSON.stringify([2, `${messages}`, action, filled(payload, values)]));
    return answerTo(`${messages}`);
  };
  const answered = async (
    { action, payload, answer, errorCode }: Call,
    failed: Promise<never>,
  ): Promise<void> => {
    const frame = (await Promise.race([waiting.shift() ?? station.next(), failed])) as Frame;
    remember(values, frame[3]);
    const asExpected = t.match(
      [frame[0], frame[2], frame[3]],
      [2, action, filled(payload, values)],
      `receives ${action}`,
    );
    if (!asExpected) throw new Error(`unexpected ${String(frame[2])}`);
    if (errorCode !== undefined) {
      station.send(JSON.stringify([4, frame[1], errorCode, '', {}]));
      return;
    }
    const filledAnswer = filled(answer, values);
    remember(values, filledAnswer);
    station.send(JSON.stringify([3, frame[1], filledAnswer]));
  };
  const request = ({ method, path, body }: Request) =>
    rig.call(method, String(filled(path, values)), filled(body, values) as object | undefined);

  const players: { [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => Promise<void> } = {
    async 'station-sends'({ action, payload, answer }) {
      const frame = await sent(action, payload);
      remember(values, frame[2]);
      t.match([frame[0], frame[2]], [3, filled(answer, values)], `answers ${action}`);
    },
    async 'station-is-refused'({ action, payload, code }) {
      const frame = await sent(action, payload);
      t.match([frame[0], frame[2]], [4, code], `refuses ${action}`);
    },
    async 'station-receives'({ cause, calls }) {
      const reply = cause === null ? null : request(cause);
      for (const call of calls) await answered(call, failureOf(reply));
      if (cause === null || reply === null) return;
      const { json } = await reply;
      remember(values, json.data);
      const expected = cause.error === undefined ? { data: cause.data } : { error: { code: cause.error } };
      t.match(json, filled(expected, values), `answers ${cause.method} ${cause.path}`);
    },
    async 'api-returns'({ request: read, data }) {
      const json = await until(`${read.path} to return ${JSON.stringify(data)}`, async () => {
        const reply = await request(read);
        return match(reply.json.data, filled(data, values)).match && reply.json;
      });
      remember(values, json.data);
      t.match(json.data, filled(data, values), `returns ${read.path}`);
    },
    async 'station-connects'({ username = uid, password: inText, passwordInHex, refusal }) {
      const presented =
        passwordInHex === undefined
          ? filled(inText ?? password, values)
          : Buffer.from(String(filled(passwordInHex, values)), 'hex');
      const how = { username, password: presented as string | Buffer };
      if (refusal !== undefined) {
        await until(`a refusal of ${username}`, async () => (await refusalOf(how)) === String(refusal));
        return;
      }
      await station.terminate();
      ({ password } = how);
      station = await admitted(how);
      waiting = [];
    },
    async 'station-shakes-hands'({ overTls: isOverTls, status }) {
      const headers = isOverTls ? overTls(proxySecret) : {};
      const shake = () => attempt(rig, charger, { password: String(password), headers });
      await until(`a handshake with status ${status}`, async () => (await shake()) === status);
    },
    async 'costs-are-due'() {
      const { sql, clickhouse } = rig.stores;
      jobs.push(showRunningCosts({ sql, clickhouse, bus: rig.bus } as ApiDeps));
    },
  };
  try {
    for (const step of steps) await players[step.kind](step as never);
    await Promise.all(jobs);
    t.same(waiting, [], 'sends nothing else');
  } finally {
    await (station satisfies RawCharger).terminate();
  }
}

/** Rejects when the API answers with an error; never resolves. */
async function failureOf(reply: ReturnType<OperatedRig['call']> | null): Promise<never> {
  const answer = await reply;
  if (answer !== null && answer.status >= 400) throw new Error(JSON.stringify(answer.json));
  return new Promise(() => undefined);
}

/** Keeps each field of a message, at any depth, under its name. */
function remember(values: Values, message: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === 'object') remember(values, value);
    else if (!Array.isArray(message)) {
      values[name] = value;
      values[`first_${name}`] ??= value;
    }
  }
}

/** Returns a pattern with values in the places of their names. */
function filled(pattern: unknown, values: Values): unknown {
  if (typeof pattern === 'string') {
    const whole = /^\$(\w+)$/.exec(pattern)?.[1];
    if (whole !== undefined) return valueOf(whole, values);
    return pattern.replaceAll(/\$(\w+)/g, (_, name: string) => String(valueOf(name, values)));
  }
  if (Array.isArray(pattern)) return pattern.map((item) => filled(item, values));
  if (typeof pattern !== 'object' || pattern === null || pattern instanceof RegExp) return pattern;
  return Object.fromEntries(Object.entries(pattern).map(([name, value]) => [name, filled(value, values)]));
}

function valueOf(name: string, values: Values): unknown {
  if (!(name in values)) throw new Error(`no message had the field ${name}`);
  return values[name];
}
