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
          <Brand branding={branding} />
        </header>
      )}
      <main className={styles['main']}>{children}</main>
    </div>
  );
}

/** The workspace: its logo, or its name. */
export function Brand({ branding: { name, logoUrl } }: { branding: Pick<Branding, 'name' | 'logoUrl'> }) {
  if (logoUrl !== null) return <img className={styles['logo']} src={logoUrl} alt={name} />;
  return <span className={styles['name']}>{name}</span>;
}
