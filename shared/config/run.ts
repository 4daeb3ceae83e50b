/**
 * Runs a process's main function. A start error is written as one sentence to standard error: a wrong configuration or
 * a port in use needs no stack trace. LOG_LEVEL=debug adds one.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const showStack = process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace';
    const text = error instanceof Error && !showStack ? error.message : error;
    console.error(text);
    process.exit(1);
  }
}
