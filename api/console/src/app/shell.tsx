import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Menu as MenuIcon, CircleUserRound } from '../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageZone } from '../texts/page-zone.ts';
import { Button } from '../ui/button.tsx';
import { Toasts } from '../ui/toast.tsx';
import { Navigation } from './navigation.tsx';
import { NetworkSwitcher } from './network-switcher.tsx';
import { PageZoneProvider, useZoneChoice, zoneChoices } from './page-zone.tsx';
import { PageTitle } from './page-title.tsx';
import { Palette } from './palette/palette.tsx';
import styles from './shell.module.css';
import { chooseLanguage, type Language, languages } from '../texts/texts.ts';
import { Menu } from '../ui/menu.tsx';
import { useCaller } from './caller.tsx';
import { signOut } from './sign-out.ts';

/** Frame of every page behind the sign-in: navigation at the left, the top bar, the page. */
export function Shell() {
  return (
    <PageZoneProvider>
      <Frame />
    </PageZoneProvider>
  );
}

function Frame() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  // A page starts again with another zone: its inputs hold wall-clock times.
  // Open until another page is shown.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === pathname;
  const toggle = () => setOpenAt(isOpen ? null : pathname);
  return (
    <div className={styles['shell']}>
      <a href="#content" className={styles['skip']}>
        {t('navigation.skip')}
      </a>
      <header className={styles['top']}>
        <div className={styles['menu']}>
          <Button
            kind="quiet"
            isIcon
            aria-label={t(isOpen ? 'navigation.close' : 'navigation.open')}
            aria-expanded={isOpen}
            onPress={toggle}
          >
            <MenuIcon aria-hidden size={18} />
          </Button>
        </div>
        <NetworkSwitcher />
        <ZoneNote />
        <div className={styles['right']}>
          <Palette />
          <AccountMenu />
        </div>
      </header>
      <Navigation isOpen={isOpen} />
      {isOpen && (
        <button
          type="button"
          aria-label={t('navigation.close')}
          className={styles['scrim']}
          onClick={toggle}
        />
      )}
      <main id="content" className={styles['content']} tabIndex={-1}>
        <Outlet />
      </main>
      <PageTitle />
      <Toasts />
    </div>
  );
}

/** Time zone of every time on the page. */
function ZoneNote() {
  const { t } = useTranslation();
  return <p className={styles['zone']}>{t('zone.shown', { zone: usePageZone() })}</p>;
}

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
function AccountMenu() {
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
