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
  argument?: Node;
  /** Of a pattern. */
  elements?: (Node | null)[];
  properties?: Node[];
  key?: Node;
  body?: Node | Node[];
}

interface Context {
  report: (finding: { message: string; node: Node }) => void;
}

interface Rule {
  create: (context: Context) => Record<string, (node: Node) => void>;
}

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);

/** Returns the name of a variable or of a member: `setTimeout`, `Date.now`. */
function nameOf(node: Node | null | undefined): string {
  if (node?.type !== 'MemberExpression') return node?.name ?? '';
  return `${nameOf(node.object)}.${node.property?.name}`;
}

/** Returns the name of a called function. */
function calleeOf({ type, callee }: Node): string {
  return type === 'CallExpression' || type === 'NewExpression' ? nameOf(callee) : '';
}

/** Returns true for a timer that is set by the executor of a promise. */
function isInExecutor(timer: Node): boolean {
  let node = timer.parent;
  while (node !== null && !functions.has(node.type)) node = node.parent;
  const user = node?.parent ?? null;
  return user !== null && calleeOf(user) === 'Promise';
}

const sleep = 'A test does not sleep: await an event, use `until`, or advance a `VirtualClock`.';

/** Returns the names by which the functions of `Promise.withResolvers()` are called: `resolve`, `closed.resolve`. */
function resolversOf({ id, init }: Node): string[] {
  if (init === null || init === undefined || calleeOf(init) !== 'Promise.withResolvers') return [];
  if (id?.properties === undefined) return [`${id?.name}.resolve`, `${id?.name}.reject`];
  return id.properties.filter(({ key }) => key?.name !== 'promise').map(({ value }) => nameOf(value as Node));
}

/** Refuses timers that end a promise. A turn of the event loop (`setImmediate`) is not a timer. */
const noSleep: Rule = {
  create(context) {
    const resolvers = new Set<string>();
    /** Returns true for a function that settles a promise of `Promise.withResolvers()`. */
    const isResolver = (node: Node | undefined): boolean => {
      if (node?.type !== 'ArrowFunctionExpression') return resolvers.has(nameOf(node));
      const body = node.body as Node;
      return resolvers.has(calleeOf(body.type === 'UnaryExpression' ? (body.argument ?? body) : body));
    };
    const isSleep = (call: Node): boolean => {
      const [first] = call.arguments ?? [];
      switch (calleeOf(call)) {
        case 'setTimeout':
          return isInExecutor(call) || isResolver(first);
        case 'promisify':
        case 'util.promisify':
          return nameOf(first) === 'setTimeout';
        case 'pause':
          return nameOf(first) === 'systemClock';
        default:
          return false;
      }
    };
    return {
      ImportDeclaration(node) {
        if (!/^(node:)?timers\/promises$/.test(String(node.source?.value))) return;
        for (const specifier of node.specifiers ?? []) {
          if (specifier.imported?.name !== 'setImmediate')
            context.report({ message: sleep, node: specifier });
        }
      },
      VariableDeclarator(node) {
        for (const name of resolversOf(node)) resolvers.add(name);
      },
      CallExpression(node) {
        if (isSleep(node)) context.report({ message: sleep, node });
      },
    };
  },
};

const readsOfTime = new Set(['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint']);

const isRead = (node: Node | undefined): boolean => node !== undefined && readsOfTime.has(calleeOf(node));

const bound =
  'A slow machine exceeds any limit of elapsed time: compare the order of events, counts, or durations of one run.';

/** Refuses `performance.now() - begin < limit`, the same with variables that hold times or the difference, and `AbortSignal.timeout`. */
const noElapsedBound: Rule = {
  create(context) {
    const times = new Set<string>();
    const durations = new Set<string>();
    const isTime = (node: Node | undefined): boolean => times.has(nameOf(node));
    /** Returns true for an expression that grows while time passes. */
    const isDuration = (node: Node | null | undefined): boolean => {
      if (node === null || node === undefined) return false;
      if (node.type === 'Identifier') return durations.has(nameOf(node));
      const callee = calleeOf(node);
      if (callee === 'process.hrtime') return node.arguments?.length === 1;
      if (callee === 'Number' || callee.startsWith('Math.')) return (node.arguments ?? []).some(isDuration);
      if (node.type !== 'BinaryExpression') return false;
      const { left, right, operator } = node;
      const isDifference = operator === '-' && (isRead(left) || (isTime(left) && isTime(right)));
      return isDifference || isDuration(left) || isDuration(right);
    };
    /** Notes the variables that hold a time or a duration. */
    const note = (target: Node | null | undefined, value: Node | null | undefined): void => {
      for (const element of target?.elements ?? []) note(element, value);
      const name = nameOf(target);
      if (name === '' || value === null || value === undefined) return;
      if (isDuration(value)) durations.add(name);
      else if (isRead(value)) times.add(name);
    };
    return {
      VariableDeclarator({ id, init }) {
        note(id, init);
      },
      AssignmentExpression({ left, right }) {
        note(left, right);
      },
      CallExpression(node) {
        if (calleeOf(node) === 'AbortSignal.timeout') context.report({ message: bound, node });
      },
      BinaryExpression(node) {
        const { operator = '', left, right } = node;
        const [lower, upper] = operator.startsWith('<') ? [left, right] : [right, left];
        if (!['<', '<=', '>', '>='].includes(operator) || !isDuration(lower) || isDuration(upper)) return;
        context.report({ message: bound, node });
      },
    };
  },
};

const ofMachine = new Set([...readsOfTime, 'setTimeout', 'setInterval', 'AbortSignal.timeout']);

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
