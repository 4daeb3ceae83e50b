import { createHash } from 'node:crypto';

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 34rem; padding: 2rem; }
  h1 { margin: 0 0 1.5rem; font-size: 1.5rem; }
  h1, a { color: #0b6b66; }
  .bar { height: 4px; margin: 0 0 1.5rem; overflow: hidden; border-radius: 2px; background: #8883; }
  .bar::before { content: ""; display: block; width: 40%; height: 100%; background: #0b6b66; animation: run 3s linear infinite; }
  .more { margin-top: 2rem; font-size: 0.875rem; opacity: 0.8; }
  @keyframes run { from { transform: translateX(-100%); } to { transform: translateX(250%); } }
  @media (prefers-color-scheme: dark) { body { background: #0d1217; color: #e7ecf1; } h1, a { color: #43c6ba; } .bar::before { background: #43c6ba; } }
  @media (prefers-reduced-motion: reduce) { .bar::before { width: 100%; animation: none; } }
`;

/** Page while there is no built console; it loads itself again, and is replaced by the console then. */
export const unbuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="3" />
    <title>chargeway: the console is being built</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>chargeway</h1>
      <div class="bar"></div>
      <p><strong>The console is being built.</strong> This happens at the first start and after an update, and takes about a minute.</p>
      <p>This page opens the console by itself. Chargers and the <a href="/docs">API</a> are served already.</p>
      <p class="more">
        Still here after some minutes? The log states why the build failed. Without the development packages nothing is built:
        run <code>npm ci &amp;&amp; npm run console:build</code>.
      </p>
    </main>
  </body>
</html>
`;

/** Content security policy of the page: its own style, and nothing else. */
export const unbuiltPolicy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';frame-ancestors 'none'`;
