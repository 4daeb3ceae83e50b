import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, type Formats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { ChangedValues } from '../../../ui/changed-values.tsx';
import type { Session } from '../session-queries.ts';
import styles from './revisions.module.css';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import { wordText } from '../session-words.ts';

/** Changes of a session, newest first: who changed which value from what to what, and why. */
export function Revisions({ session }: { session: Session }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const changes = useMemo(() => changesOf(t, formats, session), [t, formats, session]);
  return (
    <Card title={t('revisions.title')}>
      <ol className={styles['changes']}>
        {changes.map(({ revision, values }) => (
          <li key={revision.version}>
            <p className={styles['who']}>
              <strong>{revision.replacedBy ?? t('revisions.byCharger')}</strong>{' '}
              <time dateTime={revision.replacedAt}>{formats.dateTime(revision.replacedAt)}</time>
            </p>
            {revision.reason !== null && <p>{t('revisions.reason', { reason: revision.reason })}</p>}
            {values.length === 0 ? (
              <p className={styles['same']}>{t('revisions.same')}</p>
            ) : (
              <ChangedValues values={values} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** State of a session before or after a change. */
type State = Pick<
  Schemas['SessionRevision'],
  'startedAt' | 'endedAt' | 'energyKwh' | 'meterStopKwh' | 'stopReason' | 'flags' | 'cost'
>;

/** A change: the revision that it replaced, and the values before and after it. */
interface Change {
  revision: Schemas['SessionRevision'];
  values: { name: string; before: string; after: string }[];
}

/** Returns the changes of a session, newest first, each with the values that it changed. */
function changesOf(
  t: TFunction<['session', 'common']>,
  formats: Formats,
  session: Pick<Session, 'revisions'> & State,
): Change[] {
  const { revisions } = session;
  return revisions
    .map((revision, index) => {
      const before = valuesOf(t, formats, revision);
      const after = valuesOf(t, formats, revisions[index + 1] ?? session);
      const values = before.map(([name, value], at) => ({
        name,
        before: value,
        after: after[at]?.[1] ?? '',
      }));
      return { revision, values: values.filter((value) => value.before !== value.after) };
    })
    .toReversed();
}

function valuesOf(
  t: TFunction<['session', 'common']>,
  formats: Formats,
  { startedAt, endedAt, energyKwh, meterStopKwh, stopReason, flags, cost }: State,
): [name: string, value: string][] {
  const none = t('common:none');
  return [
    [t('revisions.started'), formats.dateTime(startedAt)],
    [t('revisions.ended'), formats.dateTime(endedAt)],
    [t('revisions.energy'), `${formats.number(energyKwh, 3)} kWh`],
    [t('revisions.register'), meterStopKwh === null ? none : `${formats.number(meterStopKwh, 3)} kWh`],
    [t('revisions.stopReason'), stopReason === null ? none : wordText(t, stopReason)],
    [t('revisions.flags'), flags.length === 0 ? none : flags.join(', ')],
    [t('revisions.total'), cost === null ? none : formats.money(cost.totalInclVat, cost.currency)],
  ];
}
