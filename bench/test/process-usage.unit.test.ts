import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { parseStat, processUsage, treeUsage } from '#bench/system/process-usage.ts';

void t.test('parses a process name with blanks and parentheses', async (t) => {
  const text = '42 (a) b (c) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 30 20 20 0 11 0 100 1000 200';
  t.same(parseStat(text), { parent: 7, cpuSeconds: 2, reapedSeconds: 0.5 });
});

void t.test('includes children in the usage of a process tree', async (t) => {
  const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  // Its memory grows until it has started.
  child.stdin.write('started');
  await once(child.stdout, 'data');
  const { pid } = child;
  if (pid === undefined) throw new Error('cat was not started');
  const childBytes = processUsage(pid).residentBytes;
  t.ok(childBytes > 0);
  t.ok(treeUsage(process.pid).residentBytes > childBytes);
  t.equal(treeUsage(pid).residentBytes, processUsage(pid).residentBytes);
  child.stdin.end();
  await exited;
});
