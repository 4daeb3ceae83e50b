import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './scope-choice.module.css';
import { useScopeWord } from './scope-words.ts';

/** Scopes of one kind, with its title. */
export interface ScopeGroup {
  id: string;
  title: string;
  scopes: readonly string[];
}

/** Choice of scopes, by kind. */
export function ScopeChoice({
  groups,
  chosen,
  onChange,
}: {
  groups: readonly ScopeGroup[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const { t } = useTranslation('people');
  const wordOf = useScopeWord();
  const set = (scopes: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const scope of scopes) {
      if (isChosen) next.add(scope);
      else next.delete(scope);
    }
    onChange(next);
  };
  return groups.map(({ id, title, scopes }) => {
    const hasAll = scopes.every((scope) => chosen.has(scope));
    return (
      <fieldset key={id} className={styles['choice']}>
        <legend>{title}</legend>
        <div className={styles['group']}>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              isSelected={chosen.has(scope)}
              onChange={(isChosen) => set([scope], isChosen)}
            >
              <span className={styles['scope']}>
                {wordOf(scope)} <code>{scope}</code>
              </span>
            </Checkbox>
          ))}
        </div>
        <div>
          <Button kind="quiet" onPress={() => set(scopes, !hasAll)}>
            {t(hasAll ? 'chooseNone' : 'chooseAll')}
          </Button>
        </div>
      </fieldset>
    );
  });
}
