/** An error as ClickHouse words it: `Code: 60. DB::Exception: ... (UNKNOWN_TABLE)`. */
export interface ClickHouseException {
  code: number;
  status: number;
  text: string;
}

/** The request is refused by this front rather than by the engine, in the same wording. */
export class RefusedRequest extends Error {
  constructor(code: number, name: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message}. (${name})`);
  }
}

/** UNKNOWN_EXCEPTION, for what did not come from the engine. */
const UNKNOWN_EXCEPTION = 1002;

/** HTTP statuses that ClickHouse's server answers; every other code is a 500. */
const STATUS_BY_CODE: ReadonlyMap<number, number> = new Map([
  ...[6, 26, 27, 38, 41, 43, 44, 53, 62, 70, 72, 117, 130, 131, 386, 456, 457].map((c) => [c, 400] as const),
  ...[46, 47, 50, 56, 60, 73, 81, 115, 218].map((c) => [c, 404] as const),
  ...[192, 193, 497, 516].map((c) => [c, 403] as const),
  [48, 501],
  [159, 408],
  [223, 413],
]);

/** Code, HTTP status and text of whatever a query threw. */
export function describeException(error: unknown): ClickHouseException {
  const message = error instanceof Error ? error.message : String(error);
  const found = /Code: (\d+)\. DB::Exception: /.exec(message);
  const code = found ? Number(found[1]) : UNKNOWN_EXCEPTION;
  const text = found
    ? message.slice(found.index)
    : `Code: ${code}. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`;
  return { code, status: STATUS_BY_CODE.get(code) ?? 500, text };
}
