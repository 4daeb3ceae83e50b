import { useTranslation } from 'react-i18next';

/** Returns the words for a scope in its group; undefined for a scope that this console does not know. */
export function useScopeWord(): (scope: string) => string | undefined {
  const { t } = useTranslation('operators');
  const words: Partial<Record<string, string>> = t('roles.resource', { returnObjects: true });
  return (scope) => words[scope.split(':').at(-1) ?? ''];
}
