import type { Surface } from '../trpc.ts';
import styles from './surface-tags.module.css';

const names: Record<Surface, string> = { rest: 'REST', mcp: 'MCP' };
const titles: Record<Surface, string> = { rest: 'REST API', mcp: 'AI Tools (MCP)' };

export function SurfaceTags({ surfaces }: { surfaces: readonly Surface[] }) {
  return (
    <span className={styles['tags']}>
      {surfaces.map((surface) => (
        <span key={surface} className={styles['tag']} title={titles[surface]}>
          {names[surface]}
        </span>
      ))}
    </span>
  );
}
