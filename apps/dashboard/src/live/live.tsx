import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { checkAccess } from '../ended-session.ts';
import { useTRPC } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { onConnectionRestored } from './connection.ts';
import { createRefresher } from './refresh.ts';
import { shareStream } from './share-stream.ts';
import { queriesOf } from './topics.ts';

const restartMs = 1000;

/** Keeps the records on the screen current: reads the stream of the workspace, and everything again after a lost connection. */
export function Live() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { user, workspace } = useWorkspace();
  const [userId, workspaceId] = [user.id, workspace.id];

  // Counts the streams that ended although the member still has access, as after a change of the password.
  const [ended, setEnded] = useState(0);

  useEffect(() => {
    const refresher = createRefresher({ queryClient, queriesOf: (topic) => queriesOf(topic, trpc) });
    let restarting: ReturnType<typeof setTimeout> | undefined;
    const stopSharing = shareStream({
      userId,
      workspaceId,
      onMessage(message) {
        if ('ended' in message) {
          void checkAccess(router, queryClient).then((hasAccess) => {
            if (hasAccess) restarting = setTimeout(() => setEnded((count) => count + 1), restartMs);
          });
        } else if (message.changed === 'everything') refresher.refreshAll();
        else refresher.refresh(message.changed);
      },
    });
    const stopWatching = onConnectionRestored(refresher.refreshAll);
    return () => {
      clearTimeout(restarting);
      stopSharing();
      stopWatching();
      refresher.close();
    };
  }, [ended, queryClient, router, trpc, userId, workspaceId]);

  return null;
}
