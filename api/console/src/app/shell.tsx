import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from '../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageZone } from '../texts/page-zone.ts';
import { Button } from '../ui/button.tsx';
import { Toasts } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { NetworkSwitcher } from './network-switcher.tsx';
import { PageZoneProvider, useZoneChoice } from './page-zone.tsx';
import { PageTitle } from './page-title.tsx';
import { Palette } from './palette/palette.tsx';
import styles from './shell.module.css';

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
  const { choice } = useZoneChoice();
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
        <div className={styles['right']}>
          <ZoneNote />
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
        <Outlet key={choice} />
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
