import { Text } from '@mantine/core';
import { Notice } from '../../../components/notice.tsx';
import { useMails } from './use-mails.ts';

/** Of a webinar that only mails its join links: a warning while its confirmation is off. */
export function NoLinkNotice() {
  const { mails } = useMails();
  if (!mails || (mails.enabled && mails.kinds.confirmation.enabled)) return null;
  return (
    <Notice tone="warn">
      <Text size="sm">
        New attendees get no join link: the registration page does not show it, and the confirmation e-mail is
        off.
      </Text>
    </Notice>
  );
}
