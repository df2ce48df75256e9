// The frame of a workspace: navigation at the side (a drawer on small screens), the palette, and the tRPC client of this workspace.
import './mantine.css';
import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Live } from '../live/live.tsx';
import { createServiceClient, TRPCProvider } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { Messages } from '../messages/messages.tsx';
import { Navigation } from './navigation.tsx';
import { openPalette } from '../palette/open-palette.ts';
import { PaletteLoader } from './palette-loader.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import styles from './shell.module.css';
import { SuspensionNotice } from './suspension-notice.tsx';

export function Shell() {
  const { workspace } = useWorkspace();
  const queryClient = useQueryClient();
  const client = useMemo(() => createServiceClient(workspace.id), [workspace.id]);
  const [isMenuOpen, menu] = useDisclosure(false);
  return (
    <TRPCProvider key={workspace.id} trpcClient={client} queryClient={queryClient} keyPrefix={workspace.id}>
      <Live />
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <div className={styles['shell']}>
        <aside className={styles['sidebar']}>
          <Navigation />
        </aside>
        <section className={styles['topbar']} aria-label="Top bar">
          <ActionIcon aria-label="Open navigation" onClick={menu.open}>
            <IconMenu2 size={18} />
          </ActionIcon>
          <span>{workspace.name}</span>
          <ActionIcon aria-label="Search and commands" onClick={openPalette}>
            <IconSearch size={18} />
          </ActionIcon>
        </section>
        <main id="content" tabIndex={-1} className={styles['main']}>
          <SuspensionNotice />
          <Outlet />
        </main>
      </div>
      <Drawer opened={isMenuOpen} onClose={menu.close} position="left" size={264} title="Navigation">
        <Navigation onNavigate={menu.close} />
      </Drawer>
      <Messages />
      <PaletteLoader />
      <RouteAnnouncer />
    </TRPCProvider>
  );
}
