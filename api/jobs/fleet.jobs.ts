import { deliverToChannels } from '#api/services/fleet/alert-channel-sender.ts';
import { deliverAlerts } from '#api/services/fleet/alert-notifier.ts';
import { isChannelDue } from '#shared/postgres/fleet/alert-channel-notices.ts';
import { isDeliveryDue, removeOldNotifications } from '#shared/postgres/fleet/alert-notifications.ts';
import { watchForAlerts } from './alerts.job.ts';
import type { Job, JobDeps } from './job.ts';

/** Days for which notifications that are over, with the addresses of their recipients, are kept. */
export const notificationDays = 30;

/** Jobs of alerts. Any number of processes run each of them; one at a time delivers. */
export function fleetJobs(deps: JobDeps): Job[] {
  return [
    {
      name: 'alerts',
      every: 15_000,
      run: () => watchForAlerts(deps),
      done: 'alerts were opened or resolved',
    },
    {
      name: 'alert-delivery',
      every: 5000,
      due: isDeliveryDue,
      run: () => deliverAlerts(deps),
      done: 'e-mails about alerts were queued',
    },
    {
      name: 'alert-channels',
      every: 2000,
      due: isChannelDue,
      run: () => deliverToChannels(deps),
      done: 'alerts were sent to channels',
    },
    {
      name: 'alert-retention',
      every: 3_600_000,
      oncePer: 'installation',
      run: () => removeOldNotifications(deps.longJobs.sql, notificationDays),
    },
  ];
}
