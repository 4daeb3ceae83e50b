import { handshakeSteps } from '#shared/domain/roaming/registration.ts';
import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import type { Step } from './roaming-queries.ts';
import styles from './roaming.module.css';

interface Props {
  isRunning: boolean;
  /** Steps that succeeded, with their durations. Null: no run has ended. */
  done: readonly { step: Step; durationMs: number }[] | null;
  failedStep: Step | null;
  error: string | null;
}

const icons = { done: CircleCheck, failed: CircleAlert, running: LoaderCircle, open: CircleDashed };

/** Steps of a handshake with the result of each. */
export function StepList({ isRunning, done, failedStep, error }: Props) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const failedAt = failedStep === null ? -1 : handshakeSteps.indexOf(failedStep);
  const resultOf = (step: Step, index: number): keyof typeof icons => {
    if (isRunning) return 'running';
    if (step === failedStep) return 'failed';
    return failedAt > index || (failedStep === null && done !== null) ? 'done' : 'open';
  };
  return (
    <ol className={styles['steps']} aria-label={t('steps.label')} aria-busy={isRunning}>
      {handshakeSteps.map((step, index) => {
        const result = resultOf(step, index);
        const Icon = icons[result];
        const duration = done?.find((entry) => entry.step === step)?.durationMs;
        return (
          <li key={step} className={styles['step']} data-result={result}>
            <Icon aria-hidden size={18} />
            <div>
              <strong>{t(`steps.${step}`)}</strong>{' '}
              <span className={styles['muted']}>
                {t(`steps.result.${result}`)}
                {duration !== undefined && ` · ${formats.integer(duration)} ms`}
              </span>
              {result === 'failed' && error !== null && <p role="alert">{error}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Returns the failed step of an error of a handshake. Null: it names none. */
export function failedStepOf(error: unknown): Step | null {
  if (!(error instanceof ApiError)) return null;
  return handshakeSteps.find((step) => step === error.details['step']) ?? null;
}
