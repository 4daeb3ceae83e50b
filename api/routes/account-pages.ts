import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { type PageTexts, pageTexts } from './account-page-texts.ts';

/** Account page: sends the token of its address to `action`, with a password where one is chosen. */
interface Page {
  url: string;
  action: string;
  title: keyof PageTexts;
  done: keyof PageTexts;
  hasPassword: boolean;
}

const pages: Page[] = [
  {
    url: '/account/verify-email',
    action: '/emsp/v1/auth/driver/verify-email',
    title: 'verifyTitle',
    done: 'verifyDone',
    hasPassword: false,
  },
  {
    url: '/account/reset-password',
    action: '/emsp/v1/auth/driver/reset-password',
    title: 'resetTitle',
    done: 'resetDone',
    hasPassword: true,
  },
];

/**
 * Removes the token from the address first, so that no history keeps it. Sends it when the button is pressed and not
 * before: programs that open links in e-mails press no button.
 */
const script = `
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname + location.search);
const form = document.querySelector('form');
const say = (text) => { document.querySelector('output').textContent = text; };
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  form.querySelector('button').disabled = true;
  const body = { token, ...Object.fromEntries(new FormData(form)) };
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(form.dataset.action, request).catch(() => null);
  if (answer?.ok) { form.hidden = true; say(form.dataset.done); return; }
  const problem = await answer?.json().catch(() => null);
  form.querySelector('button').disabled = false;
  say(problem?.code === 'MAIL_TOKEN_INVALID' ? form.dataset.expired : form.dataset.failed);
});
`;

const style = `
body { font: 16px/1.5 sans-serif; color: #18181b; background: #f4f4f5; margin: 0; }
main { max-width: 28rem; margin: 10vh auto; background: #fff; padding: 2rem; border-radius: 8px; }
h1 { font-size: 1.3rem; margin-top: 0; }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input { padding: .6rem; margin: .3rem 0 1rem; border: 1px solid #71717a; border-radius: 6px; }
button { padding: .7rem; border: 0; border-radius: 6px; background: #14532d; color: #fff; font-weight: bold; }
form[hidden] { display: none; }
`;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content security policy: the page's script and style, requests to the API, and nothing else. */
const policy = [
  "default-src 'none'",
  `script-src ${sha256(script)}`,
  `style-src ${sha256(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages that links in e-mails lead to, for drivers without the app. */
export function accountPageRoutes(app: App): void {
  for (const page of pages) {
    app.route({
      method: 'GET',
      url: page.url,
      schema: {
        hide: true,
        querystring: Type.Object({
          lang: Type.Optional(Type.String({ maxLength: 35, description: 'Language of the page (BCP 47).' })),
        }),
      },
      handler: async (request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', policy)
          .header('cache-control', 'no-store')
          .send(htmlOf(page, request.query.lang ?? 'en')),
    });
  }
}

/** Returns the page. All texts in it are constants of the product. */
function htmlOf({ action, title, done, hasPassword }: Page, wanted: string): string {
  const { lang, texts } = pageTexts(wanted);
  const password = `<label>${texts.password}
<input type="password" name="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>`;
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${texts[title]}</title><style>${style}</style></head>
<body><main><h1>${texts[title]}</h1>
<form data-action="${action}" data-done="${texts[done]}" data-expired="${texts.expired}" data-failed="${texts.failed}">
${hasPassword ? password : ''}<button>${texts.send}</button></form>
<p><output></output></p><noscript>${texts.noScript}</noscript></main>
<script>${script}</script></body></html>
`;
}
