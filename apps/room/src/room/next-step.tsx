import type { PersonalPage } from '@service/attendees';
import { useTexts } from '../page/texts.tsx';

/** The button that the page shows after the session: the offer, or the next session. */
export function NextStep({ page: { nextStep } }: { page: PersonalPage }) {
  const texts = useTexts().room;
  if (nextStep?.kind === 'offer')
    return (
      <a className="button" href={nextStep.clickUrl} target="_blank" rel="noopener">
        {nextStep.buttonLabel}
      </a>
    );
  return nextStep ? (
    <a className="button" href={nextStep.url}>
      {texts.nextSession}
    </a>
  ) : null;
}
