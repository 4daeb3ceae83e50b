import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Facts } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import type { AuditEntry } from './audit-tab.tsx';
import { useAuditWords } from './use-audit-words.ts';
import styles from './audit.module.css';

/** One entry of the audit log: the changed fields of a change, and everything as JSON. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = useAuditWords();
  const details: unknown = JSON.parse(entry.details);
  const changes = changesOf(details);
  return (
    <div className={styles['details']}>
      <Facts
        facts={[
          [t('column.time'), formats.dateTime(entry.timestamp)],
          [t('column.action'), words.action(entry)],
          [t('column.actor'), entry.userName ?? entry.userId ?? t('itself')],
          [t('column.ip'), entry.ipAddress ?? absent],
        ]}
      />
      {changes.length > 0 && (
        <table className={styles['changes']}>
          <thead>
            <tr>
              {(['field', 'before', 'after'] as const).map((name) => (
                <th key={name} scope="col">
                  {t(`column.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map(([name, before, after]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{textOf(before)}</td>
                <td>{textOf(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles['raw']}>
        <h3>{t('details')}</h3>
        <CopyButton isIcon={false} text={JSON.stringify(details, null, 2)} label={t('copyJson')} />
      </div>
      <JsonView value={details} label={t('details')} />
    </div>
  );
}

/** Returns the fields that a change made different, with their values before and after. */
function changesOf(details: unknown): [name: string, before: unknown, after: unknown][] {
  const { before, after } = (details ?? {}) as { before?: object | null; after?: object | null };
  if (before === undefined || after === undefined || before === null || after === null) return [];
  const old = before as Record<string, unknown>;
  const next = after as Record<string, unknown>;
  return Object.keys({ ...old, ...next })
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
    .map((name) => [name, old[name], next[name]]);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return absent;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
