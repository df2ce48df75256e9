import { Button, Stack } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.ts';
import { InvitationsSection } from './invitations-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';

export function MembersPage() {
  const { workspace } = useWorkspace();
  const [isInviting, setIsInviting] = useState(false);
  const isOwner = workspace.role === 'owner';
  return (
    <Page
      title="Members"
      description={`People with access to ${workspace.name}. Members create keys and webinars; only owners revoke keys and manage members.`}
      actions={
        isOwner ? (
          <Button leftSection={<IconUserPlus size={15} />} onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        ) : null
      }
    >
      <Stack gap="xl">
        <MembersTable isOwner={isOwner} />
        {isOwner ? <InvitationsSection /> : null}
      </Stack>
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </Page>
  );
}
