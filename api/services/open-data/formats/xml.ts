const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 does not have. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');

type Content = string | number | boolean | Date;

/** Returns an element with a text. A null content is no element. */
export function text(name: string, content: Content | null): string {
  if (content === null) return '';
  const value = content instanceof Date ? content.toISOString() : String(content);
  return `<${name}>${escaped(value)}</${name}>`;
}

/** Returns an element with attributes and the elements within it. */
export function element(name: string, attributes: Record<string, string>, ...within: string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join('')}>${within.join('')}</${name}>`;
}
