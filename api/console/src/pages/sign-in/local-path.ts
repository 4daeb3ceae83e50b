/** Returns a path of the console, whatever the address of the page says. */
export function localPath(wanted: string | undefined): string {
  return wanted !== undefined && /^\/(?![/\\])/.test(wanted) ? wanted : '/';
}
