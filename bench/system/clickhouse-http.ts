/** Statements over ClickHouse's HTTP interface. */
export class ClickHouseHttp {
  readonly #url: URL;
  readonly #headers: Record<string, string>;

  /** @param url with user, password and database: `http://user:password@host:8123/database` */
  constructor(url: string) {
    const { protocol, host, username, password, pathname } = new URL(url);
    this.#url = new URL(`${protocol}//${host}/`);
    this.#url.searchParams.set('database', pathname.slice(1) || 'default');
    this.#headers = {
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
    };
  }

  /** Runs a statement that returns nothing. */
  async run(statement: string): Promise<void> {
    await (await this.#send(statement)).arrayBuffer();
  }

  /** Returns the rows of a query; 64-bit integers as numbers. */
  async rows<Row>(query: string): Promise<Row[]> {
    const response = await this.#send(
      `${query} settings output_format_json_quote_64bit_integers = 0 format JSONEachRow`,
    );
    const text = await response.text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }

  /** Returns the only value of a query. */
  async value(query: string): Promise<string> {
    return (await (await this.#send(`${query} format TabSeparated`)).text()).trim();
  }

  /** Returns the result of a query in the format that it names. */
  async bytes(query: string): Promise<Buffer> {
    return Buffer.from(await (await this.#send(query)).arrayBuffer());
  }

  /** Inserts rows that are encoded already; the statement ends with `format ...`. */
  async insert(statement: string, rows: Buffer): Promise<void> {
    const url = new URL(this.#url);
    url.searchParams.set('query', statement);
    await this.#check(
      await fetch(url, { method: 'POST', headers: this.#headers, body: new Uint8Array(rows) }),
    );
  }

  async #send(statement: string): Promise<Response> {
    return this.#check(await fetch(this.#url, { method: 'POST', headers: this.#headers, body: statement }));
  }

  async #check(response: Response): Promise<Response> {
    if (!response.ok) throw new Error(`ClickHouse: ${(await response.text()).slice(0, 500)}`);
    return response;
  }
}
