import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowsExchange, IconUserMinus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { MoreMenu } from '../../components/more-menu.tsx';
import { failureOf } from '../../failure.ts';
import { useTRPC, type Member } from '../../trpc.ts';
import { roleTexts, useMembersChanged } from './members.ts';

/** Actions of an owner on one member. */
export function MemberMenu({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const trpc = useTRPC();
  const changed = useMembersChanged();
  const other = member.role === 'owner' ? 'member' : 'owner';
  const { mutate, isPending } = useMutation(
    trpc.accounts.members.setRole.mutationOptions({
      onSuccess: changed,
      onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    }),
  );
  return (
    <MoreMenu label={`Change ${member.name}`} loading={isPending}>
      <Menu.Item
        leftSection={<IconArrowsExchange size={15} />}
        onClick={() => mutate({ userId: member.userId, role: other })}
      >
        Make {roleTexts[other].toLowerCase()}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconUserMinus size={15} />} onClick={onRemove}>
        Remove from workspace
      </Menu.Item>
    </MoreMenu>
  );
}
