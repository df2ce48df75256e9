import type { Branding } from '@service/attendees';
import type { ReactNode } from 'react';
import styles from './frame.module.css';

export const isEmbed = document.body.classList.contains('embed');

/** The head of a page with the logo or the name of the workspace, and its content. A page in a frame has no head. */
export function Frame({ branding, children }: { branding?: Branding | undefined; children: ReactNode }) {
  return (
    <div className={styles['page']}>
      {!isEmbed && branding && (
        <header className={styles['head']}>
          {branding.logoUrl === null ? (
            <span className={styles['name']}>{branding.name}</span>
          ) : (
            <img className={styles['logo']} src={branding.logoUrl} alt={branding.name} />
          )}
        </header>
      )}
      <main className={styles['main']}>{children}</main>
    </div>
  );
}
