import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { en } from '../../../texts/english.ts';

const { categories, actions, commands } = en.audit;

/** Returns true for a code that a list of texts has. */
const isIn = <Words extends object>(code: string, words: Words): code is string & keyof Words =>
  Object.hasOwn(words, code);

/** Returns the words of categories and actions in the shown language. Codes without a text are shown as they are. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return useMemo(
    () => ({
      category: (code: string) => (isIn(code, categories) ? t(`categories.${code}`) : code),
      /** An action on a charger is the name of a command, or its OCPP action. */
      action: ({ category, action }: { category: string; action: string }) => {
        if (category === 'command') return isIn(action, commands) ? t(`commands.${action}`) : action;
        return isIn(action, actions) ? t(`actions.${action}`) : action;
      },
    }),
    [t],
  );
}
