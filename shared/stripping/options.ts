/** Options of Node.js for threads and processes that we start, with which they import as fast as this one (`hooks.js`). */
export const importsStripped = [`--import=${new URL('./hooks.js', import.meta.url).href}`];
