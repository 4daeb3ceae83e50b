import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/**
 * Part of a case. A text `$name` stands for the last value of that name (`$first_name` for the first) in a message or an answer of the API, or for `$charger`,
 * `$earlier`, `$now` and `$later`. A pattern names each item of a list; undefined matches an absent field.
 */
export type Step =
  | { kind: 'station-sends'; action: string; payload: object; answer: object }
  | { kind: 'station-is-refused'; action: string; payload: object; code: string }
  | { kind: 'station-receives'; cause: Request | null; calls: Call[] }
  | { kind: 'api-returns'; request: Request; data: object }
  | ({ kind: 'station-connects' } & Connecting)
  | { kind: 'station-shakes-hands'; overTls: boolean; status: number }
  | { kind: 'costs-are-due' };

/** By default with the identity and the password of the last connection. `passwordInHex` stands for bytes (1.6). */
interface Connecting {
  username?: string;
  password?: string;
  passwordInHex?: string;
  /** HTTP status of a refused connection. */
  refusal?: number;
}

/** Request of the operator; `data` matches the answer, and is undefined when it is an error with this code. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body: object | undefined;
  data?: object;
  error?: string;
}

/** CALL to the station that matches `payload`, and its answer. */
export interface Call {
  action: string;
  payload: object;
  answer: object;
  /** Code of the CALLERROR that the station sends instead of an answer. */
  errorCode?: string;
}

/** Case of the certification: tested here, tested by another file, or not fulfilled for a reason. */
export type Case = { id: string; requires: string } & (
  | { kind: 'tested'; steps: Step[] }
  | { kind: 'tested-elsewhere'; file: string }
  | { kind: 'missing'; reason: string }
);

/** Cases of one profile of the certification program. */
export interface Profile {
  version: OcppVersion;
  name: string;
  cases: Case[];
}

export const tested = (id: string, requires: string, ...steps: Step[]): Case => ({
  kind: 'tested',
  id,
  requires,
  steps,
});
export const testedElsewhere = (id: string, requires: string, file: string): Case => ({
  kind: 'tested-elsewhere',
  id,
  requires,
  file,
});
export const missing = (id: string, requires: string, reason: string): Case => ({
  kind: 'missing',
  id,
  requires,
  reason,
});

/** The station sends a CALL and gets an answer that matches. */
export const sends = (action: string, payload: object = {}, answer: object = {}): Step => ({
  kind: 'station-sends',
  action,
  payload,
  answer,
});

/** The station sends a CALL and gets a CALLERROR. */
export const isRefused = (action: string, payload: object, code: string): Step => ({
  kind: 'station-is-refused',
  action,
  payload,
  code,
});

/** The station gets a CALL that no operator requested, and answers it. */
export const receives = (action: string, payload: object, answer: object): Step => ({
  kind: 'station-receives',
  cause: null,
  calls: [{ action, payload, answer }],
});

/** The operator requests `path`, `METHOD path` or, of the charger, a path without a slash; the station gets the calls. */
export const operator = (path: string, body: object | undefined, calls: Call[], data: object = {}): Step => ({
  kind: 'station-receives',
  cause: { ...requestOf(path, body), data },
  calls,
});

/** The same, and the API answers with an error. */
export const operatorFails = (
  path: string,
  body: object | undefined,
  calls: Call[],
  error: string,
): Step => ({
  kind: 'station-receives',
  cause: { ...requestOf(path, body), error },
  calls,
});

export const call = (action: string, payload: object, answer: object = { status: 'Accepted' }): Call => ({
  action,
  payload,
  answer,
});

/** The operator sends an action with its payload as it is. */
export const command = (
  action: string,
  payload: object,
  answer: object = { status: 'Accepted' },
  data: object = { accepted: true },
): Step => operator(`ocpp/${action}`, payload, [call(action, payload, answer)], data);

/** The same, and the station refuses. */
export const refusedCommand = (action: string, payload: object, status: string): Step =>
  command(action, payload, { status }, { accepted: false, status });

/** The API returns data that matches, at once or after a while. */
export const shows = (path: string, data: object): Step => ({
  kind: 'api-returns',
  request: requestOf(`GET ${path}`, undefined),
  data,
});

/** The station closes its connection and opens another. */
export const connects = (how: Connecting = {}): Step => ({
  kind: 'station-connects',
  ...how,
});

/** A handshake with the headers of a TLS proxy, or without them, is answered with an HTTP status, at once or after a while. */
export const shakesHands = (overTls: boolean, status: number): Step => ({
  kind: 'station-shakes-hands',
  overTls,
  status,
});

/** The job runs that sends stations the cost of their running transactions. */
export const costsAreDue: Step = { kind: 'costs-are-due' };

function requestOf(text: string, body: object | undefined): Request {
  const [, method = 'POST', path = ''] = /^(?:(GET|POST|PATCH|DELETE) )?(.*)$/.exec(text) ?? [];
  return {
    method: method as Request['method'],
    path: path.startsWith('/') ? path : `/chargers/$charger${path === '' ? '' : `/${path}`}`,
    body,
  };
}
