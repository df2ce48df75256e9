import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { checkAccess } from '../ended-session.ts';
import { useTRPC } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { onConnectionRestored } from './connection.ts';
import { createRefresher } from './refresh.ts';
import { shareStream } from './share-stream.ts';
import { queriesOf } from './topics.ts';

/** Keeps the records on the screen current: reads the stream of the workspace, and everything again after a lost connection. */
export function Live() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { user, workspace } = useWorkspace();
  const [userId, workspaceId] = [user.id, workspace.id];

  useEffect(() => {
    const refresher = createRefresher({ queryClient, queriesOf: (topic) => queriesOf(topic, trpc) });
    const stopSharing = shareStream({
      userId,
      workspaceId,
      onMessage(message) {
        if ('ended' in message) checkAccess(router, queryClient);
        else if (message.changed === 'everything') refresher.refreshAll();
        else refresher.refresh(message.changed);
      },
    });
    const stopWatching = onConnectionRestored(refresher.refreshAll);
    return () => {
      stopSharing();
      stopWatching();
      refresher.close();
    };
  }, [queryClient, router, trpc, userId, workspaceId]);

  return null;
}
