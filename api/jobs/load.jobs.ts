import { LoadControl } from '#api/services/load/load-control.ts';
import type { Job, JobDeps } from './job.ts';

/** Job of load management. Each site is controlled by one process, which has its lease. */
export function loadJobs(deps: JobDeps): Job[] {
  const control = new LoadControl(deps);
  return [{ name: 'load-control', every: 1000, run: () => control.tick(), stop: () => control.stop() }];
}
