import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

/** Texts of the options that were given. */
export type Values = ReturnType<typeof parse>['values'];

/** Parses the command line; an option that does not exist fails. */
export function parse(args: string[], fail: (problem: string) => never) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        stations: text,
        rate: text,
        duration: text,
        seed: text,
        samples: text,
        connections: text,
        sessions: text,
        rows: text,
        results: text,
        target: text,
        ocpp: texts,
        credentials: text,
        'operator-key': text,
        'emsp-key': text,
        network: text,
        token: texts,
        clickhouse: text,
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}
