import type { InjectOptions } from 'fastify';
import type { App } from '#api/plugins/app-instance.ts';
import { type Answer, callApp } from './fixtures.ts';

/** A browser with a jar of cookies, on a page of the API's own origin. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: App;
  readonly #headers: Record<string, string>;

  /** @param headers sent with each request, such as those of a proxy. */
  constructor(app: App, headers: Record<string, string> = {}) {
    this.#app = app;
    this.#headers = headers;
  }

  /** The header Cookie. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Token in the session cookie. */
  get token(): string {
    const [, token = ''] = [...this.cookies].find(([name]) => name.endsWith('chargeway-session')) ?? [];
    return token;
  }

  /** Sends a request of a page, and stores the cookies of the response. */
  async call(request: InjectOptions): Promise<Answer> {
    const { headers } = request;
    const answer = await callApp(this.#app, null, {
      ...request,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...this.#headers,
        ...(this.cookies.size > 0 && { cookie: this.cookie }),
        ...headers,
      },
    });
    for (const line of setCookiesOf(answer)) this.#store(line);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.call({ url: `/cpms/v1${path}` });
  }

  delete(path: string): Promise<Answer> {
    return this.call({ method: 'DELETE', url: `/cpms/v1${path}` });
  }

  signIn(payload: object, request: InjectOptions = {}): Promise<Answer> {
    return this.call({ ...request, method: 'POST', url: '/cpms/v1/auth/sessions', payload });
  }

  #store(line: string): void {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The headers Set-Cookie of an answer. */
export function setCookiesOf({ headers }: Answer): string[] {
  return [headers['set-cookie'] ?? []].flat().map(String);
}
