import type { ReactNode } from 'react';
import { PlugZap } from '../../ui/icons/icons.ts';
import styles from './sign-in-page.module.css';

/** Frame of the pages without a session. */
export function SignInPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['panel']}>
        <p className={styles['brand']}>
          <PlugZap aria-hidden size={22} />
          chargeway
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
