import type { Activity } from '../../trpc.ts';
import styles from './endpoint.module.css';

/** The called method and path. Over MCP: the tool, or the method of the protocol, such as `tools/list`. */
export function Endpoint({ call: { tool, method, path } }: { call: Activity }) {
  const name = tool ?? (path === null ? method : null);
  if (name !== null) return <code className={styles['path']}>{name}</code>;
  return (
    <span className={styles['endpoint']}>
      <code className={styles['method']} data-method={method}>
        {method}
      </code>
      <code className={styles['path']} title={path ?? undefined}>
        {withShortIds(path ?? '')}
      </code>
    </span>
  );
}

/** Shortens ids, so that the end of the path stays visible. The whole path is shown on hover. */
const withShortIds = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{21}([0-9a-f]{6})/gi, (_id, end: string) => `…${end}`);
