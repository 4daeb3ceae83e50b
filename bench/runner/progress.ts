let shown: { text: string; at: number } | null = null;
let startedAt = performance.now();

/** Line lengths are cut to this where lines are overwritten. */
const maxWidth = 110;
/** Shortest pause between lines that differ only in their numbers, where nothing can be overwritten, in ms. */
const pauseMs = 5000;

/** Starts the clock of the progress line: at the start of a scenario. */
export function startProgress(): void {
  shown = null;
  startedAt = performance.now();
}

/** Shows the state of a run on standard error: one line that changes, or in a log a line for each new step. */
export function showProgress(text: string): void {
  const { stderr } = process;
  const now = performance.now();
  const line = `${String(Math.round((now - startedAt) / 1000)).padStart(4)} s  ${text}`;
  if (stderr.isTTY) {
    stderr.write(`\r\u001B[K${line.slice(0, maxWidth)}`);
    return;
  }
  if (shown !== null && now - shown.at < pauseMs && withoutNumbers(shown.text) === withoutNumbers(text))
    return;
  shown = { text, at: now };
  stderr.write(`${line}\n`);
}

/** Clears the line, so that a report can follow. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d[\d.,]*/g, '#');
}
