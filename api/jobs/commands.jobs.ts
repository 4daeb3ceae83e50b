import { sweepFirmwareFiles } from '#api/services/commands/firmware-images.service.ts';
import { areBulkJobsDue } from '#shared/postgres/commands/bulk-job-work.ts';
import { areTokenChangesDue } from '#shared/postgres/commands/token-holders.ts';
import { areReportsMissing } from '#shared/postgres/fleet/device-reports.statements.ts';
import { BulkJobWorker } from './bulk-jobs.job.ts';
import { requestDeviceReports } from './device-reports.job.ts';
import type { Job, JobDeps } from './job.ts';
import { TokenChangeSender } from './pending-token-changes.ts';

/** Jobs of commands to chargers. Any number of processes run each of them. */
export function commandJobs(deps: JobDeps): Job[] {
  const bulkJobs = new BulkJobWorker(deps);
  const tokenChanges = new TokenChangeSender(deps);
  return [
    {
      name: 'bulk-jobs',
      every: 1000,
      due: areBulkJobsDue,
      run: () => bulkJobs.look(),
      stop: () => bulkJobs.stop(),
    },
    {
      name: 'token-notices',
      every: 2000,
      due: areTokenChangesDue,
      run: () => tokenChanges.look(),
      stop: () => tokenChanges.stop(),
    },
    {
      name: 'device-reports',
      every: 10_000,
      due: areReportsMissing,
      run: () => requestDeviceReports(deps),
    },
    {
      name: 'firmware-sweep',
      every: 3_600_000,
      oncePer: 'installation',
      run: () => sweepFirmwareFiles({ ...deps, ...deps.longJobs }),
      done: 'files of removed firmware images, or of broken uploads, were removed',
    },
  ];
}
