import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Page } from '../../../components/page.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { Section } from '../../../components/section.tsx';
import { UnsavedGuard, useReportDirty } from '../../../components/unsaved-guard.tsx';
import { useTRPC } from '../../../trpc.ts';
import { useSessionChanged, useWorkspace, WorkspaceLink } from '../../../workspace.ts';
import { allTimeZones } from '../../../zoned-time.ts';
import { BrandingSection } from './branding-section.tsx';
import { MembershipSection, NameSection } from './workspace-sections.tsx';

/** The name, the time zone and the branding of the workspace, and the ways to make another one and to leave. */
export function WorkspaceSettingsPage() {
  const { workspace } = useWorkspace();
  const isOwner = workspace.role === 'owner';
  const [isNameDirty, setNameDirty] = useState(false);
  const [isZoneDirty, setZoneDirty] = useState(false);
  const [isBrandingDirty, setBrandingDirty] = useState(false);
  return (
    <Page
      title="Workspace settings"
      description={isOwner ? workspace.name : `${workspace.name}. Only owners change these settings.`}
    >
      {/* One for all forms, so that one question is asked. */}
      <UnsavedGuard isDirty={isNameDirty || isZoneDirty || isBrandingDirty} />
      <NameSection key={workspace.name} isOwner={isOwner} onDirty={setNameDirty} />
      <Section
        title="Time zone"
        text="Reports of revenue count days, weeks and months in this time zone, also those of the past. Sessions of webinars keep their own."
      >
        {isOwner ? (
          <TimeZoneForm key={workspace.timeZone} timeZone={workspace.timeZone} onDirty={setZoneDirty} />
        ) : (
          <Text size="sm">{workspace.timeZone}</Text>
        )}
      </Section>
      <BrandingSection isOwner={isOwner} onDirty={setBrandingDirty} />
      <Section
        title="Limits and retention"
        text="The operator of this installation sets them for all workspaces: API requests, deliveries, and the days that history is kept."
      >
        <WorkspaceLink to="/w/$workspaceId/settings/installation">Show the limits in force</WorkspaceLink>
      </Section>
      <MembershipSection />
    </Page>
  );
}

interface TimeZoneFormProps {
  timeZone: string;
  onDirty: (isDirty: boolean) => void;
}

function TimeZoneForm({ timeZone, onDirty }: TimeZoneFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const changed = useSessionChanged();
  const [chosen, setChosen] = useState(timeZone);
  const isDirty = chosen !== timeZone;
  useReportDirty(isDirty, onDirty);
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.workspace.changeTimeZone.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.revenue.pathFilter());
        await changed();
      },
    }),
  );
  return (
    <Stack gap="sm" align="flex-start">
      <SearchSelect
        label="Time zone of the workspace"
        w="100%"
        maw={320}
        data={[...new Set([timeZone, ...allTimeZones()])]}
        value={chosen}
        onChange={(next) => setChosen(next ?? timeZone)}
      />
      {error ? <FailureNotice error={error} /> : null}
      <Button loading={isPending} disabled={!isDirty} onClick={() => mutate({ timeZone: chosen })}>
        Save
      </Button>
    </Stack>
  );
}
