import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type EventFilter, eventTypesQuery } from './webhook-queries.ts';
import styles from './webhooks.module.css';

/** Choice of event types: single ones, or all of a subject, those of later versions included. */
export function TypeChoice({
  chosen,
  onChange,
}: {
  chosen: ReadonlySet<EventFilter>;
  onChange: (chosen: ReadonlySet<EventFilter>) => void;
}) {
  const { t } = useTranslation('webhooks');
  const types = useQuery(eventTypesQuery).data;
  const set = (type: string, isChosen: boolean, without: readonly string[] = []) => {
    const next = new Set([...chosen].filter((each) => !without.includes(each)));
    // The catalogue of the API has only the types that a filter may contain.
    if (isChosen) next.add(type as EventFilter);
    else next.delete(type as EventFilter);
    onChange(next);
  };
  const subjects = Map.groupBy(types ?? [], ({ type }) => type.slice(0, type.indexOf('.')));
  return (
    <fieldset className={styles['types']}>
      <legend>{t('field.types')}</legend>
      <p className={styles['hint']}>{t('typesHint')}</p>
      {types === undefined ? (
        <Skeleton height={200} />
      ) : (
        <div className={styles['subjects']}>
          {[...subjects].map(([subject, each]) => {
            const all = `${subject}.*` as EventFilter;
            const names = each.map(({ type }) => type);
            return (
              <div key={subject}>
                <Checkbox isSelected={chosen.has(all)} onChange={(isChosen) => set(all, isChosen, names)}>
                  <code>{all}</code>
                </Checkbox>
                {!chosen.has(all) &&
                  names.map((type) => (
                    <div key={type} className={styles['type']}>
                      <Checkbox
                        isSelected={chosen.has(type as EventFilter)}
                        onChange={(isChosen) => set(type, isChosen)}
                      >
                        <code>{type}</code>
                      </Checkbox>
                    </div>
                  ))}
              </div>
            );
          })}
        </div>
      )}
    </fieldset>
  );
}
