import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { checkAccess } from '../ended-session.ts';
import { useTRPC } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { onConnectionRestored } from './connection.ts';
import { createRefresher, queriesOf } from './refresh.ts';
import { shareStream } from './share-stream.ts';

/** Keeps the records on the screen current. */
export function Live() {
  // A stream can end although the member still has access, as after a change of the password. Then another one is opened.
  const [opened, setOpened] = useState(0);
  const reopen = useCallback(() => setOpened((count) => count + 1), []);
  return <Stream key={opened} onMemberStays={reopen} />;
}

const reopenMs = 1000;

interface StreamProps {
  /** Called when the stream has ended and the member still has access. */
  onMemberStays: () => void;
}

/** Reads the stream of the workspace, and everything again after a lost connection. */
function Stream({ onMemberStays }: StreamProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { user, workspace } = useWorkspace();
  const [userId, workspaceId] = [user.id, workspace.id];

  useEffect(() => {
    const refresher = createRefresher({ queryClient, queriesOf: (topic) => queriesOf(topic, trpc) });
    let reopening: ReturnType<typeof setTimeout> | undefined;
    const reopenIfAllowed = async (): Promise<void> => {
      if (await checkAccess(router, queryClient)) reopening = setTimeout(onMemberStays, reopenMs);
    };
    const stopSharing = shareStream({
      userId,
      workspaceId,
      onMessage(message) {
        if ('ended' in message) void reopenIfAllowed();
        else if (message.changed === 'everything') refresher.refreshAll();
        else refresher.refresh(message.changed);
      },
    });
    const stopWatching = onConnectionRestored(refresher.refreshAll);
    return () => {
      clearTimeout(reopening);
      stopSharing();
      stopWatching();
      refresher.close();
    };
  }, [onMemberStays, queryClient, router, trpc, userId, workspaceId]);

  return null;
}
