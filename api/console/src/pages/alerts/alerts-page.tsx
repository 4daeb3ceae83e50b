import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tabs } from '../../ui/tabs.tsx';
import { AlertList } from './alert-list.tsx';
import { AlertMutes } from './alert-mutes.tsx';
import { AlertRules } from './alert-rules.tsx';
import { tabOf, tabs } from './alerts-search.ts';
import page from '../../ui/list-page.module.css';

const contents: Record<(typeof tabs)[number], () => ReactNode> = {
  list: () => <AlertList />,
  rules: () => <AlertRules />,
  mutes: () => <AlertMutes />,
};

/** Alerts, the rules that open them, and mutes that hold their notifications back. */
export function AlertsPage() {
  const { t } = useTranslation('alerts');
  const search = useSearch({ from: '/signed-in/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  return (
    <div className={page['page']}>
      <h1>{t('title')}</h1>
      <Tabs
        label={t('tabs.label')}
        selected={tabOf(search)}
        onSelect={(tab) =>
          void navigate({
            search: ({ alert: _alert, ...before }) => ({ ...before, tab: tab === 'list' ? undefined : tab }),
          })
        }
        tabs={tabs.map((id) => ({ id, title: t(`tabs.${id}`), content: contents[id] }))}
      />
    </div>
  );
}
