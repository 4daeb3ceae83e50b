import type { ReactNode } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './tabs.module.css';

export interface Tab<Id extends string> {
  id: Id;
  title: ReactNode;
  content: () => ReactNode;
}

interface Props<Id extends string> {
  label: string;
  tabs: Tab<Id>[];
  selected: Id;
  /** The page keeps the selected tab in its address. */
  onSelect: (id: Id) => void;
  /** Tabs within a tab, which are drawn smaller. */
  isInner?: boolean;
}

/** Tabs, of which the selected one is rendered. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, isInner = false }: Props<Id>) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => onSelect(key as Id)}
      className={`${styles['tabs']} ${isInner ? styles['inner'] : ''}`}
    >
      <TabList aria-label={label} className={styles['list']}>
        {tabs.map(({ id, title }) => (
          <AriaTab key={id} id={id} className={styles['tab']}>
            {title}
          </AriaTab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles['panel']}>
          {content()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
