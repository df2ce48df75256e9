// Search on the server: webinars, registrations, and any pasted id. One batch of calls for each pause in
// typing; the calls of an earlier text are cancelled.
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconActivity,
  IconBroadcast,
  IconKey,
  IconSend,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { webinarStyles } from '../components/status.tsx';
import { useTRPC } from '../trpc.ts';
import { useWorkspaceNavigate } from '../workspace.ts';
import type { PaletteEntry, PaletteGroup } from './use-commands.ts';

const pauseMs = 180;
const shownMax = 6;
const keepMs = 30_000;
const keyLengthMin = 4;

export function useFound(text: string) {
  const trpc = useTRPC();
  const typed = text.trim().slice(0, 200);
  const [paused] = useDebouncedValue(typed, pauseMs);
  // Results stay while a person types on. Those of another text would be opened by a quick Enter.
  const settled = typed.startsWith(paused) ? paused : '';
  const isId = isUuid(settled);
  const id = settled.toLowerCase();
  const options = (enabled: boolean) => ({
    enabled,
    staleTime: keepMs,
    retry: false,
    trpc: { abortOnUnmount: true },
  });
  const hasText = settled !== '' && !isSecret(settled);
  const titles = useQuery(
    trpc.webinars.find.queryOptions({ q: settled, limit: shownMax }, options(hasText && !isId)),
  );
  const people = useQuery(trpc.registrations.find.queryOptions({ q: settled }, options(hasText)));
  const webinar = useQuery(trpc.webinars.get.queryOptions({ webinarId: id }, options(isId)));
  const source = useQuery(trpc.automations.find.queryOptions({ id }, options(isId)));
  const calls = useQuery(
    trpc.activity.list.queryOptions(
      { requestId: settled, range: 'last_90_days', limit: 1 },
      options(isRequestId(settled)),
    ),
  );
  const keys = useQuery(trpc.keys.list.queryOptions(undefined, options(settled.length >= keyLengthMin)));
  const queries = [titles, people, webinar, source, calls, keys];
  return {
    isSearching: typed !== '' && (settled !== typed || queries.some(({ isFetching }) => isFetching)),
    error: people.error ?? titles.error,
    webinars: !hasText ? [] : isId ? (webinar.data ? [webinar.data.data] : []) : (titles.data?.data ?? []),
    people: hasText ? (people.data?.data ?? []) : [],
    source: isId ? (source.data?.data ?? undefined) : undefined,
    call: hasText ? calls.data?.data[0] : undefined,
    keys:
      settled.length < keyLengthMin
        ? []
        : (keys.data?.data ?? []).filter((key) => isKey(key, settled)).slice(0, shownMax),
  };
}

/** A key is found by its label, its visible ends, or by the whole key that was pasted. */
function isKey({ label, maskedKey }: { label: string; maskedKey: string }, text: string): boolean {
  const [prefix = '', hint = ''] = maskedKey.split('...');
  const isWhole = text.startsWith(prefix) && text.endsWith(hint) && text.length > prefix.length + hint.length;
  return (
    isWhole || hint.endsWith(text) || maskedKey === text || label.toLowerCase().includes(text.toLowerCase())
  );
}

type Found = ReturnType<typeof useFound>;

/** The results of a search as lines that open the right page. */
export function useFoundEntries({ webinars, people, source, call, keys }: Found): PaletteGroup[] {
  const navigate = useWorkspaceNavigate();
  const ids: PaletteEntry[] = [];
  if (source) {
    const { kind, id, webinarId, hasEndpoint, deliveryId } = source;
    const noun = kind === 'rule' ? 'rule' : 'subscription';
    ids.push({
      id: deliveryId ?? id,
      label: deliveryId ? `Delivery of a ${noun}` : hasEndpoint ? `Webhook ${noun}` : 'Rule',
      description: deliveryId ?? id,
      icon: deliveryId ? IconSend : IconWebhook,
      run: () =>
        void (hasEndpoint
          ? navigate({
              to: '/w/$workspaceId/webinars/$webinarId/$kind/$sourceId',
              params: { webinarId, kind, sourceId: id },
              search: deliveryId ? { delivery: deliveryId } : {},
            })
          : navigate({
              to: '/w/$workspaceId/webinars/$webinarId/automations',
              params: { webinarId },
              search: { rule: id },
            })),
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
        description: webinarStyles[status].word,
        icon: IconBroadcast,
        run: () =>
          void navigate({
            to: '/w/$workspaceId/webinars/$webinarId/details',
            params: { webinarId: id },
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
            params: { webinarId },
            search: { registration: id },
          }),
      })),
    },
    {
      heading: 'People',
      entries: [...Map.groupBy(people, ({ email }) => email).values()].map(([newest]) => ({
        id: `person ${newest!.id}`,
        label: newest!.name,
        description: `${newest!.email} · all webinars`,
        icon: IconUsers,
        run: () =>
          void navigate({
            to: '/w/$workspaceId/people/$registrationId',
            params: { registrationId: newest!.id },
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
        run: () => void navigate({ to: '/w/$workspaceId/settings/keys' }),
      })),
    },
    { heading: 'Ids', entries: ids },
  ];
}

// Text that a person types or pastes into the search.

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Callers may choose the id of a request. One that a person pastes has a digit and no space. */
const requestId = /^(?=.*\d)[\w.-]{8,100}$/;

/** An API key, an access token or a signing secret, which is base64. */
const credential = /^[a-z]+_[\w+/=-]{20,}$/i;

/** A join link or a click link, with or without its address. Tokens have 48 bytes or more in base64url; a hash has no capitals. */
const personalLink = /\/(room|r)\/|^(?=.*[A-Z])(?=.*[a-z])[\w-]{64,}$/;

export const isUuid = (text: string): boolean => uuid.test(text);

export const isRequestId = (text: string): boolean => requestId.test(text) && !isSecret(text);

/** True for a text that must not be sent: the query of a search is in its address, and addresses are in logs. */
export const isSecret = (text: string): boolean => credential.test(text) || personalLink.test(text);
