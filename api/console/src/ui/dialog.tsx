import { X } from './icons/icons.ts';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** `side`: panel at the right edge, for details next to a list. */
  shape?: 'centre' | 'side' | 'wide';
  /** False: neither Escape nor a press outside closes it. */
  isDismissable?: boolean;
}

/** Modal dialog; Escape and a press outside close it, unless it holds what would be lost. */
export function Dialog({ title, isOpen, onClose, children, shape = 'centre', isDismissable = true }: Props) {
  const { t } = useTranslation();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={`${styles['overlay']} ${styles[`${shape}Overlay`]}`}
    >
      <Modal className={`${styles['modal']} ${styles[shape]}`}>
        <AriaDialog className={styles['dialog']}>
          <header className={styles['header']}>
            <Heading slot="title" className={styles['title']}>
              {title}
            </Heading>
            <Button kind="quiet" isIcon aria-label={t('action.close')} onPress={onClose}>
              <X aria-hidden size={18} />
            </Button>
          </header>
          <div className={styles['content']}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Buttons at the end of a dialog, the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={styles['actions']}>{children}</footer>;
}
