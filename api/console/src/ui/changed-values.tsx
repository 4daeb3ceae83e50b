import { useTranslation } from 'react-i18next';
import styles from './changed-values.module.css';

export interface ChangedValue {
  name: string;
  before: string;
  after: string;
}

/** Values before and after a change. */
export function ChangedValues({ values }: { values: readonly ChangedValue[] }) {
  const { t } = useTranslation();
  return (
    <table className={styles['values']}>
      <thead>
        <tr>
          <th scope="col">{t('changes.field')}</th>
          <th scope="col">{t('changes.before')}</th>
          <th scope="col">{t('changes.after')}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <s>{before}</s>
            </td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the values that differ between two lists of the same names. */
export function changedValues(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  none: string,
): ChangedValue[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((name) => ({ name, before: before.get(name) ?? none, after: after.get(name) ?? none }))
    .filter((value) => value.before !== value.after);
}
