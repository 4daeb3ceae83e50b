import t from 'tap';

// Once a test file took something down with its root, tap ends the root as soon as no test waits. Files of a group that
// are still starting their stores then could add no test any more.
Object.defineProperty(t, 'idle', { get: () => false, configurable: true });

/** Lets tap end the root when no test waits. A group of test files calls it when all of them have named their tests. */
export function letRootEnd(): void {
  Reflect.deleteProperty(t, 'idle');
  t.emit('idle');
}
