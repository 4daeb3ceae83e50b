import { Link, type LinkProps } from '@tanstack/react-router';
import { PlugZap } from '../ui/icons/icons.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, navigation } from './navigation-entries.ts';
import { type Caller, useCaller } from './caller.tsx';
import { useBadges } from './work-list.ts';
import { useFormats } from '../texts/formats.ts';
import styles from './navigation.module.css';

/** Pages by domain. Those that the caller may not open are left out. */
export function Navigation({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  const caller = useCaller();
  const badges = useBadges();
  return (
    <nav aria-label={t('navigation.label')} className={styles['navigation']} data-open={isOpen}>
      <Link to="/" className={styles['brand']}>
        <PlugZap aria-hidden size={20} />
        chargeway
      </Link>
      {groupsFor(caller).map(({ title, entries }) => (
        <div key={entries[0]?.id} className={styles['group']}>
          {title !== null && <h2 className={styles['title']}>{t(`navigation.${title}`)}</h2>}
          <ul>
            {entries.map(({ id, to, icon: Icon }) => (
              <li key={id}>
                <Entry to={to}>
                  <Icon aria-hidden size={16} />
                  {t(`navigation.${id}`)}
                  <Badge count={badges[id] ?? 0} />
                </Entry>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <a className={styles['docs']} href="/docs">
        {t('navigation.documentation')}
      </a>
    </nav>
  );
}

/** Returns the groups with what a caller may open. */
function groupsFor(caller: Caller) {
  return navigation
    .map(({ title, entries }) => ({ title, entries: entries.filter((entry) => mayOpen(entry, caller)) }))
    .filter(({ entries }) => entries.length > 0);
}

/** Number of records that wait on a page. Nothing for none. */
function Badge({ count }: { count: number }) {
  const formats = useFormats();
  return count > 0 && <span className={styles['badge']}>{formats.integer(count)}</span>;
}

function Entry({ to, children }: { to: LinkProps['to']; children: ReactNode }) {
  return (
    <Link to={to} className={styles['entry']} activeProps={{ 'aria-current': 'page' }}>
      {children}
    </Link>
  );
}
