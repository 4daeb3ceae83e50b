import type { OcpiExchange } from '#shared/clickhouse/ocpi-exchanges.queries.ts';

/** Bodies are cut at this length in the log (characters). */
const maxBody = 16_384;

/** Store of exchanges; `add` never waits and never fails. */
interface ExchangeStore {
  add(exchange: OcpiExchange): void;
}

/** Keeps the exchanges with partners, alongside their way: cut to what an operator reads, without tokens. */
export class ExchangeLog {
  readonly #store: ExchangeStore;

  constructor(store: ExchangeStore) {
    this.#store = store;
  }

  add(exchange: OcpiExchange): void {
    this.#store.add({
      ...exchange,
      url: exchange.url.slice(0, 2000),
      request: maskTokens(exchange.request),
      response: maskTokens(exchange.response),
    });
  }
}

/** Without the tokens of credentials; the tokens of drivers are objects, or have other names. */
function maskTokens(body: string): string {
  return body.slice(0, maxBody).replaceAll(/("token"\s*:\s*")(?:[^"\\]|\\.?)*"?/g, '$1***"');
}

/** The log of exchanges with partners. */
export interface ExchangeDeps {
  exchanges: ExchangeLog;
}
