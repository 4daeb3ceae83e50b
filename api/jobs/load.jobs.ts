import { LoadControl } from '#api/services/load/load-control.ts';
import { areSitesFree } from '#shared/postgres/load/site-leases.ts';
import type { Job, JobDeps } from './job.ts';

/** Jobs of load management. Each site is controlled by one process, which has its lease. */
export function loadJobs(deps: JobDeps): Job[] {
  const control = new LoadControl(deps);
  return [
    {
      name: 'free-load-sites',
      every: 1000,
      due: areSitesFree,
      run: async () => control.claimFreeSites(),
    },
    { name: 'load-control', every: 1000, run: () => control.tick(), stop: () => control.stop() },
  ];
}
