/** Path of the console below the path of the public URL. */
export function consolePath(publicUrl: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}/console`;
}

/**
 * Returns the page of the console that a sign-in returns to: `sent` when it is a path of the console, else the console's first
 * page. It is read as a browser reads it, because `/\host` and `/.//host` are other hosts there.
 */
export function returnPath(sent: string | null | undefined, publicUrl: string): string {
  const root = consolePath(publicUrl);
  const base = new URL(publicUrl);
  if (sent === null || sent === undefined || !URL.canParse(sent, base.href)) return root;
  const { origin, pathname, search, hash } = new URL(sent, base);
  const isBelow = pathname === root || pathname.startsWith(`${root}/`);
  return origin === base.origin && isBelow ? `${pathname}${search}${hash}` : root;
}
