import { chargingJobs } from './charging.jobs.ts';
import { commandJobs } from './commands.jobs.ts';
import { fleetJobs } from './fleet.jobs.ts';
import { importJobs } from './imports.jobs.ts';
import type { Job, JobDeps } from './job.ts';
import { loadJobs } from './load.jobs.ts';
import { peopleJobs } from './people.jobs.ts';
import type { Periodic } from './periodic.ts';
import { processReportJob } from './process-report.job.ts';
import { queuedJobs } from './queued.jobs.ts';
import { reportingJobs } from './reporting.jobs.ts';
import { roamingJobs } from './roaming.jobs.ts';
import { runJobs } from './runner.ts';
import { reportUnreadableSecrets } from './secret-sealing.ts';

/** Starts the background work of an API process. Any number of processes do the same work side by side. */
export async function startJobs(deps: JobDeps): Promise<Periodic> {
  await reportUnreadableSecrets(deps);
  return runJobs(deps, [...allJobs(deps), await processReportJob(deps)]);
}

/** Returns the jobs of all modules. */
export function allJobs(deps: JobDeps): Job[] {
  return [
    chargingJobs,
    commandJobs,
    fleetJobs,
    importJobs,
    loadJobs,
    peopleJobs,
    queuedJobs,
    reportingJobs,
    roamingJobs,
  ].flatMap((jobsOf) => jobsOf(deps));
}
