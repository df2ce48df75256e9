import { IconAlertTriangle, IconExclamationCircle, IconInfoCircle } from '@service/icons';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const icons = { info: IconInfoCircle, warn: IconAlertTriangle, bad: IconExclamationCircle };

/** A framed text inside a page or dialog. Screen readers announce an error. */
export function Notice({ tone, children }: { tone: 'info' | 'warn' | 'bad'; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={`${styles['notice']} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden />
      <div className={styles['body']}>{children}</div>
    </div>
  );
}
