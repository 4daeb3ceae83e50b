import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../../app/caller.tsx';
import type { SessionsSearch } from '../sessions/sessions-search.ts';
import styles from './tables.module.css';

/** Number that opens the sessions behind it, for callers who read sessions. */
export function SessionsLink({ search, children }: { search: SessionsSearch; children: ReactNode }) {
  if (!useCan('cpms:read:sessions')) return children;
  return (
    <Link to="/charging/sessions" search={search} className={styles['link']}>
      {children}
    </Link>
  );
}
