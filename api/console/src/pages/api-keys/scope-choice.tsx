import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './api-keys.module.css';
import type { ScopeGroup } from './key-queries.ts';

/** Choice of scopes: those that the caller may grant, by kind. */
export function ScopeChoice({
  groups,
  chosen,
  onChange,
}: {
  groups: readonly ScopeGroup[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const { t } = useTranslation('apiKeys');
  const set = (scopes: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const scope of scopes) {
      if (isChosen) next.add(scope);
      else next.delete(scope);
    }
    onChange(next);
  };
  return groups.map(({ id, scopes }) => {
    const hasAll = scopes.every((scope) => chosen.has(scope));
    return (
      <fieldset key={id} className={styles['choice']}>
        <legend>{t(`groups.${id}`)}</legend>
        <div className={styles['group']}>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              isSelected={chosen.has(scope)}
              onChange={(isChosen) => set([scope], isChosen)}
            >
              <code>{scope}</code>
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
