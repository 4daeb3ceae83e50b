import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { type Outcome, outcomes } from './bulk-queries.ts';
import styles from './outcome-bar.module.css';

const colors: Record<Outcome, string> = {
  queued: '--surface-sunken',
  running: '--state-occupied',
  accepted: '--state-available',
  rejected: '--state-faulted',
  failed: '--state-faulted',
  'timed-out': '--state-unavailable',
  offline: '--state-offline',
  skipped: '--state-unknown',
  cancelled: '--state-unknown',
  unknown: '--state-reserved',
};

/** Progress of a bulk job. A press on an outcome filters the results. */
export function OutcomeBar({
  job,
  chosen,
  onChoose,
}: {
  job: Schemas['BulkJob'];
  chosen: Outcome | undefined;
  onChoose: (outcome: Outcome | undefined) => void;
}) {
  const { t } = useTranslation('bulkJobs');
  const formats = useFormats();
  const done = job.total - job.outcomes.queued - job.outcomes.running;
  const present = outcomes.filter((outcome) => job.outcomes[outcome] > 0 || outcome === chosen);
  return (
    <section aria-label={t('progress')} className={styles['progress']}>
      <p role="status">
        <strong>{t(`states.${job.state}`)}</strong> ·{' '}
        {t('done', { done: formats.integer(done), total: formats.integer(job.total) })}
        {job.stopReason !== null && ` · ${t(`stopReasons.${job.stopReason}`)}`}
      </p>
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={job.total}
        aria-valuenow={done}
      >
        {present.map((outcome) => (
          <span
            key={outcome}
            style={{ flexGrow: job.outcomes[outcome], background: `var(${colors[outcome]})` }}
          />
        ))}
      </div>
      <div className={styles['outcomes']}>
        {present.map((outcome) => (
          <button
            key={outcome}
            type="button"
            aria-pressed={outcome === chosen}
            className={styles['outcome']}
            onClick={() => onChoose(outcome === chosen ? undefined : outcome)}
          >
            <span aria-hidden className={styles['dot']} style={{ background: `var(${colors[outcome]})` }} />
            {t(`outcomes.${outcome}`)} <strong>{formats.integer(job.outcomes[outcome])}</strong>
          </button>
        ))}
      </div>
    </section>
  );
}
