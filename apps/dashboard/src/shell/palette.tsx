// Ctrl/Cmd+K opens a command palette: pages, create actions, loaded webinars.
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconActivity,
  IconBroadcast,
  IconBuilding,
  IconKey,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import { useTRPC } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { useSignOut } from './use-sign-out.ts';

export const openPalette = () => spotlight.open();

const webinarsShown = 50;

export function Palette() {
  const [wasOpened, setWasOpened] = useState(false);
  const groups = usePaletteActions(wasOpened);
  return (
    <Spotlight
      onSpotlightOpen={() => setWasOpened(true)}
      actions={groups}
      shortcut="mod + K"
      scrollable
      maxHeight={420}
      limit={12}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      nothingFound="Nothing matches."
      searchProps={{
        leftSection: <IconSearch size={17} />,
        placeholder: 'Go to, create, switch…',
        'aria-label': 'Search',
        onKeyDown: runFirstOnEnter,
      }}
    />
  );
}

/** Spotlight selects the first match while a person types, but not a match that is loaded later, such as a webinar. */
function runFirstOnEnter({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  const dialog = currentTarget.closest('[role="dialog"]');
  if (key !== 'Enter' || currentTarget.value === '' || dialog?.querySelector('[data-selected]')) return;
  dialog?.querySelector<HTMLElement>('[data-action]')?.click();
}

function usePaletteActions(wasOpened: boolean): SpotlightActionGroupData[] {
  const { workspace, workspaces } = useWorkspace();
  const navigate = useNavigate();
  const leave = useSignOut();
  const { toggleColorScheme } = useMantineColorScheme();
  const params = { workspaceId: workspace.id };
  const [keys, list] = ['/w/$workspaceId/settings/keys', '/w/$workspaceId/webinars'] as const;
  const others = workspaces.filter((entry) => entry.id !== workspace.id);
  const webinars = useWebinarsForPalette(wasOpened);
  return [
    {
      group: 'Create',
      actions: [
        action(
          'new-key',
          'Create API key',
          IconPlus,
          () => void navigate({ to: keys, params, search: { create: true } }),
        ),
        action(
          'new-webinar',
          'Create webinar',
          IconPlus,
          () => void navigate({ to: list, params, search: { create: true } }),
        ),
      ],
    },
    {
      group: 'Go to',
      actions: [
        action('webinars', 'Webinars', IconBroadcast, () => void navigate({ to: list, params })),
        action('keys', 'API keys', IconKey, () => void navigate({ to: keys, params })),
        action(
          'activity',
          'Activity',
          IconActivity,
          () => void navigate({ to: '/w/$workspaceId/settings/activity', params }),
        ),
        action(
          'members',
          'Members',
          IconUsers,
          () => void navigate({ to: '/w/$workspaceId/settings/members', params }),
        ),
      ],
    },
    {
      group: 'Webinars',
      actions: webinars.map(({ id, title }) =>
        action(
          id,
          title,
          IconBroadcast,
          () =>
            void navigate({
              to: '/w/$workspaceId/webinars/$webinarId',
              params: { ...params, webinarId: id },
            }),
        ),
      ),
    },
    {
      group: 'Workspace',
      actions: [
        ...others.map(({ id, name }) =>
          action(
            id,
            `Switch to ${name}`,
            IconBuilding,
            () => void navigate({ to: list, params: { workspaceId: id } }),
          ),
        ),
        action('scheme', 'Switch between light and dark', useSchemeIcon(), toggleColorScheme),
        action('sign-out', 'Sign out', IconLogout, () => void leave()),
      ],
    },
  ];
}

function useSchemeIcon() {
  return useMantineColorScheme().colorScheme === 'dark' ? IconSun : IconMoon;
}

/** Loaded when the palette opens for the first time. */
function useWebinarsForPalette(wasOpened: boolean) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.webinars.list.queryOptions({ limit: webinarsShown }, { enabled: wasOpened }),
  );
  return data?.data ?? [];
}

const action = (id: string, label: string, Icon: typeof IconKey, onClick: () => void) => ({
  id,
  label,
  leftSection: <Icon size={17} stroke={1.7} />,
  onClick,
});
