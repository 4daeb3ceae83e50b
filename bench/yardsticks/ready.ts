/** Reports the port of a yardstick to the bench, and ends the process with it. */
export function ready(port: number): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ port });
}
