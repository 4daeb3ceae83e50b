import type { JobName } from '#shared/domain/kernel/jobs.ts';
import type { Queryable } from './client.ts';

/** Jobs of one name that could run now, and the age of the one that waits longest. */
export interface JobLag {
  name: JobName;
  waiting: number;
  lagSeconds: number;
}

/** Reads how far background jobs are behind. */
export function readJobLags(sql: Queryable): Promise<JobLag[]> {
  return sql<JobLag[]>`
    select name, count(*)::integer as waiting,
      extract(epoch from now() - min(start_after))::double precision as "lagSeconds"
    from jobs.job where state in ('created', 'retry') and start_after <= now() group by name`;
}
