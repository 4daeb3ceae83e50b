import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './button.module.css';

type Kind = 'primary' | 'secondary' | 'quiet';

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  /** `primary` for the leading action of a view, of which there is one; `quiet` for those within content. */
  kind?: Kind;
  /** The action destroys, or leads to a confirmation of one that does. */
  isDangerous?: boolean;
  /** Only an icon: needs an `aria-label`. */
  isIcon?: boolean;
}

export function Button({ kind = 'secondary', isDangerous = false, isIcon = false, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      data-dangerous={isDangerous}
      data-kind={isIcon ? 'icon' : kind}
      className={`${buttonClass(kind)} ${isIcon ? styles['icon'] : ''}`}
    />
  );
}

/** Returns the class of a link that looks like a button. */
export function buttonClass(kind: Kind): string {
  return `${styles['button']} ${styles[kind]}`;
}
