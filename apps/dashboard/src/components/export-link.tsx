import { Button, VisuallyHidden } from '@mantine/core';
import { useWorkspace } from '../workspace.ts';

export interface ExportLinkProps {
  /** The name of the list, as `apps/api/src/list-exports.ts` has it. */
  list: string;
  /** The filters of the list. Values that are undefined are left out. */
  input?: object;
  /** Distinguishes several links of one page, for screen readers: "Executions". */
  of: string;
}

/** Downloads the whole list, with its filters, as a CSV file. The workspace is in the link, because a link cannot send a header. */
export function ExportLink({ list, input, of }: ExportLinkProps) {
  const { workspace } = useWorkspace();
  const query = new URLSearchParams({ workspace: workspace.id, input: JSON.stringify(input ?? {}) });
  return (
    <Button
      component="a"
      href={`/api/export/${list}.csv?${query.toString()}`}
      download
      variant="subtle"
      size="compact-sm"
      color="gray"
    >
      Export CSV<VisuallyHidden>: {of}</VisuallyHidden>
    </Button>
  );
}
