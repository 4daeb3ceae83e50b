import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound } from '../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, languages } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { useCaller } from './caller.tsx';
import { useZoneChoice, zoneChoices } from './page-zone.tsx';
import { signOut } from './sign-out.ts';

const themes = ['light', 'dark', 'system'] as const;
type Theme = (typeof themes)[number];

/** Returns the chosen theme. `public/theme.js` shows it before the first paint. */
function chosenTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a theme from now on and in later visits. */
function chooseTheme(theme: Theme): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  if (theme === 'system') localStorage.removeItem('theme');
  else localStorage.setItem('theme', theme);
  document.documentElement.dataset['theme'] = theme === 'system' ? (isDark ? 'dark' : 'light') : theme;
}

/** Menu of the signed-in caller: theme, language, time zone, account, sign-out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const { email } = useCaller();
  const navigate = useNavigate();
  const { choice, choose } = useZoneChoice();
  const name = email ?? t('account.key');
  return (
    <Menu
      label={t('account.label')}
      trigger={
        <Button kind="quiet" aria-label={`${t('account.label')}: ${name}`}>
          <CircleUserRound aria-hidden size={18} />
        </Button>
      }
      groups={[
        themes.map((theme) => ({
          id: theme,
          text: t(`theme.${theme}`),
          isChosen: theme === chosenTheme(),
          onAction: () => chooseTheme(theme),
        })),
        (Object.keys(languages) as Language[]).map((language) => ({
          id: language,
          text: languages[language],
          isChosen: language === i18n.language,
          onAction: () => void chooseLanguage(language),
        })),
        zoneChoices.map((id) => ({
          id: `zone-${id}`,
          text: t(`zone.${id}`),
          isChosen: id === choice,
          onAction: () => choose(id),
        })),
        [
          {
            id: 'settings',
            text: t('account.settings'),
            onAction: () => void navigate({ to: '/settings/account' }),
          },
          { id: 'sign-out', text: t('account.signOut'), onAction: () => void signOut('here') },
          {
            id: 'everywhere',
            text: t('account.signOutEverywhere'),
            onAction: () => void signOut('everywhere'),
          },
        ],
      ]}
    />
  );
}
