import { useRoom } from './room-context.ts';
import styles from './brand.module.css';

/** The workspace: its logo, or its name. */
export function Brand() {
  const { name, logoUrl } = useRoom().page.branding;
  if (logoUrl !== null) return <img className={styles['logo']} src={logoUrl} alt={name} />;
  return <span className={styles['name']}>{name}</span>;
}
