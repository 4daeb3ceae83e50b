import type { Test } from 'tap';
import { TestBrowser } from './browser.ts';
import type { Answer } from './fixtures.ts';
import { password, startOperatorApi } from './operator-client.ts';

export const refused = (status: number, code: string) => ({ status, json: { error: { code } } });

/** Answer to a session that has ended. */
export const ended = refused(401, 'SIGN_IN_REQUIRED');

/** Identifier of the session that an answer shows. */
export const idOf = ({ json }: Answer) => json['data']?.['session']?.['id'] as unknown as string;

/** An API with operators who sign in from browsers. */
export async function startBrowserApi(t: Test) {
  const operators = await startOperatorApi(t);
  const { app } = operators.api;

  /** A browser in which a new operator is signed in. */
  async function signedIn(role = 'Owner') {
    const operator = await operators.addOperator(role);
    const signed = await signInTo({ email: operator.email, password });
    return { ...signed, operator };
  }

  /** A browser with a session of a key. */
  function signedInWith(apiKey: string) {
    return signInTo({ apiKey });
  }

  async function signInTo(payload: object) {
    const browser = new TestBrowser(app);
    const answer = await browser.signIn(payload);
    if (answer.status !== 201) throw new Error(answer.text);
    return { browser, answer };
  }

  return { ...operators, app, sql: operators.api.stores.sql, signedIn, signedInWith };
}
