import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import type { SourceRef } from './source.ts';
import styles from './source-page.module.css';

/** Breadcrumb: webinars, the webinar, and the tab that lists the rule or subscription. */
export function SourceTrail({ source: { kind, webinarId } }: { source: SourceRef }) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { data } = useQuery(trpc.webinars.get.queryOptions({ webinarId }));
  const params = { workspaceId: workspace.id, webinarId };
  const title = data?.data.title ?? 'Webinar';
  return (
    <nav className={styles['trail']} aria-label="Breadcrumb">
      <Link to="/w/$workspaceId/webinars" params={params}>
        Webinars
      </Link>
      <span aria-hidden>/</span>
      <Link
        to="/w/$workspaceId/webinars/$webinarId/details"
        params={params}
        className={styles['title']}
        title={title}
      >
        {title}
      </Link>
      <span aria-hidden>/</span>
      {kind === 'rule' ? (
        <Link to="/w/$workspaceId/webinars/$webinarId/automations" params={params}>
          Automations
        </Link>
      ) : (
        <Link to="/w/$workspaceId/webinars/$webinarId/webhooks" params={params}>
          Webhooks
        </Link>
      )}
    </nav>
  );
}
