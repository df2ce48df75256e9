import { Menu, Text } from '@mantine/core';
import { IconHistory, IconList, IconSend, IconTrash } from '@service/icons';
import type { ReactNode } from 'react';
import { MoreMenu } from '../../components/more-menu.tsx';
import { useWorkspaceNavigate, WorkspaceLink } from '../../workspace.ts';
import type { SourceSearch } from './search.ts';
import { offReasonOf, type Source, type SourceRef } from './source.ts';

interface SourceLinkProps {
  source: Pick<Source, 'kind' | 'webinarId' | 'id' | 'name'>;
  className?: string | undefined;
}

/** The name of a rule or subscription, as a link to its deliveries. */
export function SourceLink({ source, className }: SourceLinkProps) {
  return (
    <WorkspaceLink {...toSource(source)} className={className} title={source.name}>
      {source.name}
    </WorkspaceLink>
  );
}

/** The address of the page of a rule or subscription. `search` opens a dialog or drawer on it. */
export const toSource = ({ kind, webinarId, id }: SourceLinkProps['source'], search: SourceSearch = {}) => ({
  to: '/w/$workspaceId/webinars/$webinarId/$kind/$sourceId' as const,
  params: { webinarId, kind, sourceId: id },
  search,
});

interface SourceMenuProps {
  source: SourceRef & Pick<Source, 'name' | 'isEnabled'>;
  /** Items that show and change it, above those about its deliveries. */
  children: ReactNode;
  /** More about what it did, after its deliveries. */
  history?: ReactNode;
  /** False for a rule without a webhook. */
  hasEndpoint?: boolean;
  onDelete: () => void;
}

/** Actions of a rule or subscription in a list. */
export function SourceMenu({ source, children, history, hasEndpoint = true, onDelete }: SourceMenuProps) {
  const navigate = useWorkspaceNavigate();
  const target = toSource(source);
  const open = (search: SourceSearch) => void navigate({ ...target, search });
  const offReason = offReasonOf(source);
  return (
    <MoreMenu label={`More about ${source.name}`} width={230}>
      {children}
      <Menu.Divider />
      {hasEndpoint ? (
        <Menu.Item leftSection={<IconList size={15} />} onClick={() => open({})}>
          Deliveries
        </Menu.Item>
      ) : null}
      {history}
      {hasEndpoint ? (
        <>
          <Menu.Item
            leftSection={<IconSend size={15} />}
            disabled={offReason !== undefined}
            onClick={() => open({ dialog: 'test' })}
          >
            Send test
            {offReason === undefined ? null : (
              <Text size="xs" c="dimmed">
                {offReason}
              </Text>
            )}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => open({ dialog: 'recover' })}>
            Recover
          </Menu.Item>
        </>
      ) : null}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </MoreMenu>
  );
}
