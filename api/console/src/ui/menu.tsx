import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import styles from './menu.module.css';

interface MenuEntry {
  id: string;
  text: ReactNode;
  icon?: ReactNode;
  isDangerous?: boolean;
  /** The entry is marked as the chosen one. */
  isChosen?: boolean;
  onAction: () => void;
}

/** Menu below its trigger, which is a Button. Groups are divided by lines. */
export function Menu({
  label,
  trigger,
  groups,
}: {
  label: string;
  trigger: ReactNode;
  groups: MenuEntry[][];
}) {
  const shown = groups.filter((group) => group.length > 0);
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles['popover']} placement="bottom end">
        <AriaMenu aria-label={label} className={styles['menu']}>
          {shown.flatMap((group, index) => [
            ...(index > 0 ? [<Separator key={`line-${index}`} className={styles['line']} />] : []),
            ...group.map(({ id, text, icon, isDangerous = false, isChosen = false, onAction }) => (
              <MenuItem
                key={id}
                id={id}
                onAction={onAction}
                textValue={typeof text === 'string' ? text : id}
                className={`${styles['item']} ${isDangerous ? styles['danger'] : ''}`}
              >
                <span className={styles['icon']}>{isChosen ? '✓' : icon}</span>
                {text}
              </MenuItem>
            )),
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
