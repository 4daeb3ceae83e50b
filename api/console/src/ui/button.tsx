import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './button.module.css';

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  /** `primary` for the main action of a form, `danger` for actions that destroy, `quiet` for those within content. */
  kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** Only an icon: needs an `aria-label`. */
  isIcon?: boolean;
}

export function Button({ kind = 'secondary', isIcon = false, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      className={`${styles['button']} ${styles[kind]} ${isIcon ? styles['icon'] : ''}`}
    />
  );
}
