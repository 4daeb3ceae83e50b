import t from 'tap';
import { reportLateErrors } from './late-errors.ts';

reportLateErrors();

// Once a test file took something down with its root, tap ends the root as soon as no test waits. Files of a group that
// are still starting their stores then could add no test any more.
Object.defineProperty(t, 'idle', { get: () => false, configurable: true });

// The root belongs to all files of a group: one that ended it would keep the others from adding tests. Only tap itself,
// which says that nobody asked for the end, ends it.
const end = t.end.bind(t) as (implicit: unknown) => typeof t;
Object.defineProperty(t, 'end', {
  value: (implicit?: unknown) => {
    if (implicit === undefined)
      throw new Error('A test file does not end the root, which all files of a group share');
    return end(implicit);
  },
});

/** Lets tap end the root when no test waits. A group of test files calls it when all of them have named their tests. */
export function letRootEnd(): void {
  Reflect.deleteProperty(t, 'idle');
  t.emit('idle');
}
