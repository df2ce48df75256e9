import { useMantineColorScheme } from '@mantine/core';
import { IconBuilding, IconLogout, IconMoon, IconPlus, IconSun, type Icon } from '@service/icons';
import { docs, placeGroups } from '../places.ts';
import { useSignOut } from '../use-sign-out.ts';
import { useWorkspace, useWorkspaceNavigate } from '../workspace.ts';

/** Everything that the search offers without asking the server: pages and actions. */
export function useCommands(): PaletteGroup[] {
  const { workspace, workspaces } = useWorkspace();
  const navigate = useWorkspaceNavigate();
  const leave = useSignOut();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const places = placeGroups.flatMap((group) => [...group.places]);
  const others = workspaces.filter((entry) => entry.id !== workspace.id);
  return [
    {
      heading: 'Create',
      entries: [
        {
          id: 'new-webinar',
          label: 'Create webinar',
          icon: IconPlus,
          run: () => void navigate({ to: '/w/$workspaceId/webinars', search: { create: true } }),
        },
        {
          id: 'new-key',
          label: 'Create API key',
          icon: IconPlus,
          run: () => void navigate({ to: '/w/$workspaceId/settings/keys', search: { create: true } }),
        },
        {
          id: 'connect-ai',
          label: 'Connect an AI client',
          icon: IconPlus,
          run: () => void navigate({ to: '/w/$workspaceId/ai-tools' }),
        },
      ],
    },
    {
      heading: 'Go to',
      entries: [
        ...places.map(({ to, label, icon }) => ({
          id: to,
          label,
          icon,
          run: () => void navigate({ to }),
        })),
        { id: 'docs', label: docs.label, icon: docs.icon, run: () => location.assign(docs.href) },
      ],
    },
    {
      heading: 'Workspace',
      entries: [
        ...others.map(({ id, name }) => ({
          id,
          label: `Switch to ${name}`,
          icon: IconBuilding,
          run: () => void navigate({ to: '/w/$workspaceId/webinars', params: { workspaceId: id } }),
        })),
        {
          id: 'scheme',
          label: 'Switch between light and dark',
          icon: colorScheme === 'dark' ? IconSun : IconMoon,
          run: toggleColorScheme,
        },
        { id: 'sign-out', label: 'Sign out', icon: IconLogout, run: () => void leave() },
      ],
    },
  ];
}

/** One line of the search. */
export interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  icon: Icon;
  run: () => void;
}

export interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
}
