import { useMemo } from 'react';
import styles from './json-view.module.css';

/** A string with the colon that makes it a name, a number, or a word. */
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

/** Value as formatted JSON. Colours mark the kinds of its tokens. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const parts = useMemo(() => partsOf(JSON.stringify(value, null, 2)), [value]);
  return (
    // A scrollable region is reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles['json']} aria-label={label} role="region" tabIndex={0}>
      {parts.map(({ kind, text, at }) =>
        kind === null ? (
          text
        ) : (
          <span key={at} className={styles[kind]}>
            {text}
          </span>
        ),
      )}
    </pre>
  );
}

interface Part {
  kind: 'name' | 'string' | 'number' | 'word' | null;
  text: string;
  at: number;
}

function partsOf(json: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of json.matchAll(tokens)) {
    const [all, string, colon, number] = match;
    if (match.index > end) parts.push({ kind: null, text: json.slice(end, match.index), at: end });
    const kind = string === undefined ? (number === undefined ? 'word' : 'number') : 'string';
    parts.push({
      kind: colon === undefined ? kind : 'name',
      text: colon === undefined ? all : (string ?? ''),
      at: match.index,
    });
    end = match.index + all.length;
    if (colon !== undefined) parts.push({ kind: null, text: colon, at: end - colon.length });
  }
  if (end < json.length) parts.push({ kind: null, text: json.slice(end), at: end });
  return parts;
}
