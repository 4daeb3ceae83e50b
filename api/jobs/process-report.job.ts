import { hostname } from 'node:os';
import { processReportEveryMs, type ProcessIdentity } from '#shared/domain/kernel/process-report.ts';
import { productVersion } from '#shared/domain/kernel/version.ts';
import { removeProcessReport, reportProcess } from '#shared/postgres/kernel/process-reports.ts';
import type { Job, JobDeps } from './job.ts';

/** Returns the job that reports this process, from its start to its end. */
export async function processReportJob({ sql }: Pick<JobDeps, 'sql'>): Promise<Job> {
  const identity: ProcessIdentity = {
    name: `${hostname()}/${process.pid}`,
    version: productVersion,
    nodeVersion: process.versions.node,
    startedAt: new Date(),
  };
  const run = () => reportProcess(sql, identity);
  await run();
  return {
    name: 'process-report',
    every: processReportEveryMs,
    run,
    stop: () => removeProcessReport(sql, identity),
  };
}
