let shownAt = 0;

/** Line lengths are cut to this where lines are overwritten. */
const maxWidth = 110;
/** Shortest pause between lines where nothing can be overwritten, in ms. */
const pauseMs = 5000;

/** Shows the state of a run on standard error: one line that changes, or a line every few seconds in a log. */
export function showProgress(text: string): void {
  const { stderr } = process;
  if (stderr.isTTY) {
    stderr.write(`\r\u001B[K${text.slice(0, maxWidth)}`);
    return;
  }
  const now = performance.now();
  if (now - shownAt < pauseMs && shownAt !== 0) return;
  shownAt = now;
  stderr.write(`${text}\n`);
}

/** Clears the line, so that a report can follow. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}
