import '../../../components/choices.css';
import { Stack, TagsInput, Title } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchMultiSelect } from '../../../components/search-multi-select.tsx';
import { firstError } from '../../../zod-form.ts';
import { listAll } from '../../../list-all.ts';
import { useTRPC, useTRPCClient, type Catalogue, type MarketingTool } from '../../../trpc.ts';
import { namedChoice, withUnknown, type Choice, type SyncSettings } from './tools.ts';

/** The limit of the service. */
const webinarsMax = 500;

interface PeopleFieldsProps {
  tool: MarketingTool;
  sync: SyncSettings;
  /** Undefined: the tool was not read. */
  catalogue: Catalogue | undefined;
  /** By path. */
  errors: FormErrors;
  onChange: (change: Partial<SyncSettings>) => void;
}

/** The lists for those who agree, and the people who are left out. */
export function PeopleFields({ tool, sync, catalogue, errors, onChange }: PeopleFieldsProps) {
  const { lists, webinarsLeftOut, domainsLeftOut } = sync;
  const listWord = tool.words.list?.toLowerCase();
  const [isOpened, setOpened] = useState(webinarsLeftOut.length > 0);
  const webinars = useWebinarChoices(isOpened);
  return (
    <Stack gap="md" maw={560}>
      <Title order={3}>People</Title>
      {listWord === undefined ? null : (
        <SearchMultiSelect
          label={`Add to ${listWord}s`}
          description="Only people who agree to the consent text, when they register. A person who leaves is not added again by what they do later."
          placeholder={lists.length === 0 ? `No ${listWord}` : undefined}
          limit={200}
          maxValues={10}
          data={withUnknown((catalogue?.lists ?? []).map(namedChoice), lists)}
          value={lists}
          error={firstError(errors, 'sync.lists')}
          nothingFoundMessage={`No such ${listWord}`}
          onChange={(next) => onChange({ lists: next })}
        />
      )}
      <SearchMultiSelect
        label="Webinars left out"
        placeholder={webinarsLeftOut.length === 0 ? 'None' : undefined}
        limit={200}
        maxValues={webinarsMax}
        data={withUnknown(webinars, webinarsLeftOut)}
        value={webinarsLeftOut}
        error={firstError(errors, 'sync.webinarsLeftOut')}
        nothingFoundMessage="No such webinar"
        onDropdownOpen={() => setOpened(true)}
        onChange={(next) => onChange({ webinarsLeftOut: next })}
      />
      <TagsInput
        label="Domains left out"
        description="People with addresses of these domains, such as your own company."
        placeholder={domainsLeftOut.length === 0 ? 'example.com' : undefined}
        acceptValueOnBlur
        maxTags={100}
        value={domainsLeftOut}
        error={firstError(errors, 'sync.domainsLeftOut')}
        onChange={(next) => onChange({ domainsLeftOut: next })}
      />
    </Stack>
  );
}

/** The webinars of the workspace, the newest 500. Empty until they are wanted. */
export function useWebinarChoices(isWanted: boolean): Choice[] {
  const trpc = useTRPC();
  const { webinars } = useTRPCClient();
  const { data } = useQuery({
    enabled: isWanted,
    queryKey: [...trpc.webinars.pathKey(), 'choices'],
    queryFn: ({ signal }) => listAll((page) => webinars.list.query(page, { signal }), webinarsMax),
  });
  return data?.map(({ id, title }) => ({ value: id, label: title })) ?? [];
}
