import { IconActivity, IconBroadcast, IconKey, IconSend, IconUser, IconWebhook } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useWorkspace } from '../workspace.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import type { useFound } from './use-found.ts';

type Found = ReturnType<typeof useFound>;

/** The results of a search as lines that open the right page. */
export function useFoundEntries({ webinars, people, source, call, keys }: Found): PaletteGroup[] {
  const workspaceId = useWorkspace().workspace.id;
  const navigate = useNavigate();
  const ids: PaletteEntry[] = [];
  if (source) {
    const { kind, id, webinarId, deliveryId } = source;
    const noun = kind === 'rule' ? 'rule' : 'subscription';
    ids.push({
      id: deliveryId ?? id,
      label: deliveryId ? `Delivery of a ${noun}` : `Webhook ${noun}`,
      description: deliveryId ?? id,
      icon: deliveryId ? IconSend : IconWebhook,
      run: () =>
        void navigate({
          to: '/w/$workspaceId/webinars/$webinarId/$kind/$sourceId',
          params: { workspaceId, webinarId, kind, sourceId: id },
          search: deliveryId ? { delivery: deliveryId } : {},
        }),
    });
  }
  if (call) {
    ids.push({
      id: call.id,
      label: call.path === null ? `Call of ${call.tool ?? call.method}` : `${call.method} ${call.path}`,
      description: `Request ${call.requestId}, answered ${call.status}`,
      icon: IconActivity,
      run: () =>
        void navigate({
          to: '/w/$workspaceId/settings/activity',
          params: { workspaceId },
          search: { request: call.requestId, range: 'last_90_days', call: call.id },
        }),
    });
  }
  return [
    {
      heading: 'Webinars',
      entries: webinars.map(({ id, title, status }) => ({
        id,
        label: title,
        description: status,
        icon: IconBroadcast,
        run: () =>
          void navigate({
            to: '/w/$workspaceId/webinars/$webinarId/details',
            params: { workspaceId, webinarId: id },
          }),
      })),
    },
    {
      heading: 'Registrations',
      entries: people.map(({ id, webinarId, webinarTitle, name, email }) => ({
        id,
        label: name,
        description: `${email} · ${webinarTitle}`,
        icon: IconUser,
        run: () =>
          void navigate({
            to: '/w/$workspaceId/webinars/$webinarId/registrations',
            params: { workspaceId, webinarId },
            search: { registration: id },
          }),
      })),
    },
    {
      heading: 'API keys',
      entries: keys.map(({ id, label, maskedKey }) => ({
        id,
        label,
        description: maskedKey,
        icon: IconKey,
        run: () => void navigate({ to: '/w/$workspaceId/settings/keys', params: { workspaceId } }),
      })),
    },
    { heading: 'Ids', entries: ids },
  ];
}
