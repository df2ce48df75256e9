import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import type { SyncSettings } from './tools.ts';

export type Preview = ReturnType<typeof usePreview>;

const typingMs = 400;

/** The latest registrants with the requests that these settings make of them. Read again when somebody registers. */
export function usePreview(connectionId: string, sync: SyncSettings) {
  const trpc = useTRPC();
  const { contacts } = useTRPCClient();
  const [wanted] = useDebouncedValue(sync, typingMs);
  const { data, error, refetch } = useQuery({
    queryKey: [...trpc.contacts.pathKey(), 'preview', connectionId, wanted],
    queryFn: ({ signal }) => contacts.preview.mutate({ connectionId, sync: wanted }, { signal }),
    placeholderData: keepPreviousData,
    // Half a word is no domain: the form shows it when it is saved.
    retry: false,
  });
  return { people: data?.data, error, refetch };
}
