import { Link } from '@tanstack/react-router';
import type { SourceSearch } from './search.ts';
import { useWorkspace } from '../../workspace.ts';
import type { Source } from './source.ts';

interface SourceLinkProps {
  source: Pick<Source, 'kind' | 'webinarId' | 'id' | 'name'>;
  className?: string | undefined;
}

/** The name of a rule or subscription, as a link to its deliveries. */
export function SourceLink({ source, className }: SourceLinkProps) {
  return (
    <Link {...useSourceTarget(source)} className={className} title={source.name}>
      {source.name}
    </Link>
  );
}

/** The address of the page of a rule or subscription. `search` opens a dialog or drawer on it. */
export function useSourceTarget(
  { kind, webinarId, id }: SourceLinkProps['source'],
  search: SourceSearch = {},
) {
  const { workspace } = useWorkspace();
  return {
    to: '/w/$workspaceId/webinars/$webinarId/$kind/$sourceId' as const,
    params: { workspaceId: workspace.id, webinarId, kind, sourceId: id },
    search,
  };
}
