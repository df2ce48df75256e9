import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPC } from '../../../trpc.ts';
import type { SettingSectionProps } from './workspace-sections.tsx';

interface Branding {
  color: string | null;
  logoUrl: string | null;
}

/** The colour and the logo of the pages that attendees see. */
export function BrandingSection({ isOwner, onDirty }: SettingSectionProps) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.accounts.workspace.branding.queryOptions());
  const branding = data?.data;
  return (
    <Section
      title="Branding"
      text="Registration pages and rooms show this colour and this logo. The text on the colour is black or white, so that it can be read."
    >
      {error ? <FailureNotice error={error} /> : null}
      {branding && isOwner ? (
        <BrandingForm key={JSON.stringify(branding)} branding={branding} onDirty={onDirty} />
      ) : null}
      {branding && !isOwner ? (
        <Text size="sm">
          Colour: {branding.color ?? 'none'}. Logo: {branding.logoUrl ?? 'none'}.
        </Text>
      ) : null}
    </Section>
  );
}

interface BrandingFormProps extends Pick<SettingSectionProps, 'onDirty'> {
  branding: Branding;
}

function BrandingForm({ branding, onDirty }: BrandingFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [color, setColor] = useState(branding.color ?? '');
  const [logoUrl, setLogoUrl] = useState(branding.logoUrl ?? '');
  const chosen: Branding = { color: color.trim() || null, logoUrl: logoUrl.trim() || null };
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.workspace.changeBranding.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.accounts.workspace.branding.queryFilter()),
    }),
  );
  const errors: Record<string, string> = error ? fieldErrors(failureOf(error), ['color', 'logoUrl']) : {};
  const isChanged = chosen.color !== branding.color || chosen.logoUrl !== branding.logoUrl;
  useReportDirty(isChanged, onDirty);
  return (
    <Stack gap="sm" align="flex-start">
      <TextInput
        label="Colour"
        placeholder="#1a73e8"
        autoComplete="off"
        spellCheck={false}
        w="100%"
        maw={320}
        value={color}
        onChange={({ currentTarget }) => setColor(currentTarget.value)}
        rightSection={
          <input
            type="color"
            aria-label="Choose a colour"
            style={{ width: 22, height: 22, padding: 0, border: 0, background: 'none' }}
            value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#1a73e8'}
            onChange={({ currentTarget }) => setColor(currentTarget.value)}
          />
        }
        error={errors['color']}
      />
      <TextInput
        label="Logo URL"
        description="An https address of a picture."
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        w="100%"
        maw={480}
        value={logoUrl}
        onChange={({ currentTarget }) => setLogoUrl(currentTarget.value)}
        error={errors['logoUrl']}
      />
      {error && Object.keys(errors).length === 0 ? <FailureNotice error={error} /> : null}
      <Button loading={isPending} disabled={!isChanged} onClick={() => mutate(chosen)}>
        Save
      </Button>
    </Stack>
  );
}
