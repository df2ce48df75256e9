// The frame of a workspace: navigation at the side (a drawer on small screens), the palette, and the tRPC client of this workspace.
import './mantine.css';
import { ActionIcon, Drawer, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { notificationsStore, useNotifications } from '@mantine/notifications';
import { IconMenu2, IconSearch } from '@service/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState, type ComponentType } from 'react';
import { focusContentIfLost } from '../focus.ts';
import { Live } from '../live/live.tsx';
import { onOpenPalette, openPalette } from '../palette/open-palette.ts';
import { createServiceClient, TRPCProvider } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { Navigation } from './navigation.tsx';
import { DisconnectedNotice, SuspensionNotice, VerificationNotice } from './notices.tsx';
import styles from './shell.module.css';

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
          <DisconnectedNotice />
          <VerificationNotice />
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

/** A message answers an action of the person, and may have to say that the service cannot be reached. */
const actions = ['pointerdown', 'keydown'];

/** The short messages at the lower edge. Their code is loaded at the first action on the page. */
function Messages() {
  const { notifications } = useNotifications(notificationsStore);
  const [List, setList] = useState<ComponentType>();
  const isLoaded = List !== undefined;
  const count = notifications.length;
  useEffect(() => {
    if (isLoaded) return undefined;
    const load = (): void => {
      import('../messages/message-list.tsx').then(
        ({ MessageList }) => setList(() => MessageList),
        // The next action or message tries again.
        () => undefined,
      );
    };
    if (count > 0) load();
    for (const action of actions) window.addEventListener(action, load);
    return () => {
      for (const action of actions) window.removeEventListener(action, load);
    };
  }, [isLoaded, count]);
  return List ? <List /> : null;
}

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));

/** Ctrl/Cmd+K opens the search, also while a person types in a form. */
function PaletteLoader() {
  const [isWanted, setWanted] = useState(false);
  useHotkeys([['mod+K', openPalette]], [], true);
  useEffect(() => onOpenPalette(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Palette />
    </Suspense>
  ) : null;
}

/** A page sets its title when it renders, a moment after the router has its route. */
const titleMs = 150;

/**
 * Screen readers notice a new document, but not a new page in the same one. So its title is announced, and the focus moves into
 * the page when the link that had it is gone.
 */
function RouteAnnouncer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!pathChanged || fromLocation === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        setTitle(document.title);
        focusContentIfLost();
      }, titleMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [router]);
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>;
}
