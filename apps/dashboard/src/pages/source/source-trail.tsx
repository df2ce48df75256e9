import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import styles from './source-page.module.css';

/** Breadcrumb: webinars, then the automations of this webinar. */
export function SourceTrail({ webinarId }: { webinarId: string }) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { data } = useQuery(trpc.webinars.get.queryOptions({ webinarId }));
  return (
    <nav className={styles['trail']} aria-label="Breadcrumb">
      <Link to="/w/$workspaceId/webinars" params={{ workspaceId: workspace.id }}>
        Webinars
      </Link>
      <span aria-hidden>/</span>
      <Link
        to="/w/$workspaceId/webinars/$webinarId/automations"
        params={{ workspaceId: workspace.id, webinarId }}
      >
        {data?.data.title ?? 'Webinar'}
      </Link>
    </nav>
  );
}
