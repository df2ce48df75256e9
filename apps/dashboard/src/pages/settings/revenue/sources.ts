import { useQueryClient } from '@tanstack/react-query';
import { formatCount } from '../../../format.ts';
import { useTRPC, type RevenueSource } from '../../../trpc.ts';
import { sourceText } from '../../revenue/revenue-texts.ts';

interface SourceTexts {
  title: string;
  text: string;
}

const texts: Record<string, string> = {
  generic: 'For your own shop and for tools that send signed requests.',
  stripe: 'Payments, invoices, refunds and disputes, from the webhooks of Stripe.',
};

/** A source without texts is shown by its name. */
export const sourceTexts = (provider: string): SourceTexts => ({
  title: sourceText(provider),
  text: texts[provider] ?? 'Events of this payment provider.',
});

const reasons: Record<string, string> = {
  missing_signature: 'The signature is missing.',
  malformed_signature: 'The signature is not in the expected form.',
  wrong_signature: 'The signature is wrong: it was made with another secret, or the body was changed.',
  timestamp_out_of_range: 'The time of the signature is more than 5 minutes away from now.',
  malformed_json: 'The body is no JSON.',
  invalid_fields: 'A field is missing or not valid.',
  other_content:
    'An event with the same id and type was stored before with other content. That one was kept.',
  not_understood: 'The event is of a known type, but its content was not understood.',
};

/** Why an event was refused. */
export const refusalText = (reason: string): string => reasons[reason] ?? reason;

/** "12 accepted, 1 duplicate, 0 ignored, 0 refused" */
export const countsText = ({ accepted, duplicates, ignored, refused }: RevenueSource['today']): string =>
  `${formatCount(accepted)} accepted, ${formatCount(duplicates)} ${duplicates === 1 ? 'duplicate' : 'duplicates'}, ` +
  `${formatCount(ignored)} ignored, ${formatCount(refused)} refused`;

/** Reads the sources again after one was changed here. */
export function useSourcesChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.revenueSources.pathFilter());
}
