/** Part of a syntax node that these rules read; the package of oxlint exports no types for it. */
interface Node {
  type: string;
  /** Null for the root. */
  parent: Node | null;
  name?: string;
  value?: unknown;
  operator?: string;
  id?: Node;
  init?: Node | null;
  left?: Node;
  right?: Node;
  object?: Node;
  property?: Node;
  callee?: Node;
  source?: Node;
  imported?: Node;
  specifiers?: Node[];
  arguments?: Node[];
}

interface Context {
  report: (finding: { message: string; node: Node }) => void;
}

interface Rule {
  create: (context: Context) => Record<string, (node: Node) => void>;
}

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);

/** Returns the name of a called function: `setTimeout`, `Date.now`. */
function calleeOf({ type, callee }: Node): string {
  if (type !== 'CallExpression' && type !== 'NewExpression') return '';
  if (callee?.type !== 'MemberExpression') return callee?.name ?? '';
  return `${callee.object?.name}.${callee.property?.name}`;
}

/** Returns true for a timer that is set by the executor of a promise. */
function isInExecutor(timer: Node): boolean {
  let node = timer.parent;
  while (node !== null && !functions.has(node.type)) node = node.parent;
  const user = node?.parent ?? null;
  return user !== null && calleeOf(user) === 'Promise';
}

const sleep = 'A test does not sleep: await an event, use `until`, or advance a `VirtualClock`.';

/** Refuses timers that end a promise. A turn of the event loop (`setImmediate`) is none. */
const noSleep: Rule = {
  create: (context) => ({
    ImportDeclaration(node) {
      if (!/^(node:)?timers\/promises$/.test(String(node.source?.value))) return;
      for (const specifier of node.specifiers ?? []) {
        if (specifier.imported?.name !== 'setImmediate') context.report({ message: sleep, node: specifier });
      }
    },
    CallExpression(node) {
      const isSleep =
        (calleeOf(node) === 'setTimeout' && isInExecutor(node)) ||
        (calleeOf(node) === 'pause' && node.arguments?.[0]?.name === 'systemClock');
      if (isSleep) context.report({ message: sleep, node });
    },
  }),
};

const readsOfTime = new Set(['Date.now', 'performance.now']);

/** Refuses `performance.now() - begin < limit`, and the same with a variable that holds the difference. */
const noElapsedBound: Rule = {
  create(context) {
    const durations = new Set<string>();
    /** Returns true for an expression that grows while time passes. */
    const isDuration = (node: Node | null | undefined): boolean => {
      if (node === null || node === undefined) return false;
      if (node.type === 'Identifier') return durations.has(node.name ?? '');
      if (calleeOf(node).startsWith('Math.')) return (node.arguments ?? []).some(isDuration);
      if (node.type !== 'BinaryExpression') return false;
      const { left, right, operator } = node;
      const isDifference = operator === '-' && left !== undefined && readsOfTime.has(calleeOf(left));
      return isDifference || isDuration(left) || isDuration(right);
    };
    return {
      VariableDeclarator({ id, init }) {
        if (id?.name !== undefined && isDuration(init)) durations.add(id.name);
      },
      BinaryExpression(node) {
        const { operator = '', left, right } = node;
        const [lower, upper] = operator.startsWith('<') ? [left, right] : [right, left];
        if (!['<', '<=', '>', '>='].includes(operator) || !isDuration(lower) || isDuration(upper)) return;
        context.report({
          message:
            'A slow machine exceeds any limit of elapsed time: compare the order of events, counts, or durations of one run.',
          node,
        });
      },
    };
  },
};

const ofMachine = new Set([...readsOfTime, 'setTimeout', 'setInterval']);

/** Refuses the time and the timers of the machine in code that takes a `Clock`. */
const useClock: Rule = {
  create(context) {
    const report = (node: Node) =>
      context.report({ message: 'Time and timers come from the `Clock` that is passed.', node });
    return {
      CallExpression(node) {
        if (ofMachine.has(calleeOf(node))) report(node);
      },
      NewExpression(node) {
        if (calleeOf(node) === 'Date' && node.arguments?.length === 0) report(node);
      },
    };
  },
};

const plugin = {
  meta: { name: 'time' },
  rules: { 'no-sleep': noSleep, 'no-elapsed-bound': noElapsedBound, 'use-clock': useClock },
};

export default plugin;
