import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Address of the API that the development server forwards requests to. */
const api = process.env['CHARGEWAY_API'] ?? 'http://127.0.0.1:8080';

/** Writes each text file in brotli and gzip as well: the API serves what a browser accepts, without compressing again. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // Of the written files: other plugins change them until then.
    async writeBundle({ dir = '' }, bundle) {
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      for (const name of Object.keys(bundle)) {
        if (!/\.(?:js|mjs|css|html|svg|json)$/.test(name)) continue;
        const content = await readFile(join(dir, name));
        if (content.length < 200) continue;
        await writeFile(join(dir, `${name}.br`), brotliCompressSync(content, { params: quality }));
        await writeFile(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  resolve: {
    // The imports of the root's package.json end at the console's.
    alias: { '#shared': join(import.meta.dirname, '../../shared') },
    // A former installation may have left copies in the folder of the console.
    dedupe: ['react', 'react-dom'],
  },
  plugins: [react(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // No inline data: the content security policy permits files of this origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
  server: { host: '127.0.0.1', proxy: { '/cpms': api, '/openapi.json': api, '/docs': api } },
});
