const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/**
 * Returns the body of one page of a list whose items are already JSON.
 * @param rest fields of the response alongside `data`.
 */
export function listBody(items: readonly Uint8Array[], rest: object): Uint8Array {
  const parts: Uint8Array[] = [opening];
  for (const item of items) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
  return Buffer.concat(parts);
}
