/**
 * Runs a process's main function. What keeps it from starting is said in a sentence on standard error: a wrong
 * configuration or a port that is taken needs no stack trace. LOG_LEVEL=debug shows one.
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
