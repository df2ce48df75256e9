import { surfaces, type Surface } from '@service/catalogue';
import styles from './surface-tags.module.css';

export function SurfaceTags({ surfaces: ids }: { surfaces: readonly Surface[] }) {
  return (
    <span className={styles['tags']}>
      {ids.map((id) => (
        <span key={id} className={styles['tag']} title={surfaces[id].label}>
          {surfaces[id].tag}
        </span>
      ))}
    </span>
  );
}
