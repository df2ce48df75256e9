import type { RegistrationPageInput, RegistrationPageOutput, WebinarPage } from '@service/attendees';
import { useState } from 'react';
import { CallFailure, call, failureText } from '../page/page-call.ts';
import { clock } from '../page/clock.ts';
import type { Texts } from '../texts/en.ts';
import { localZone } from '../page/time-text.ts';
import { readCampaign } from './campaign.ts';
import { hasInputs, issuesToProblems, type FormAnswers, type Problems } from './form-values.ts';

export interface Registered {
  answer: RegistrationPageOutput;
  email: string;
  name: string;
}

interface Attempt {
  isSending: boolean;
  problems: Problems;
  /** A sentence about the whole form. */
  failure: string | undefined;
}

/** The server refuses a form that is younger than two seconds: programs send it at once. */
const formAgeMinMs = 2200;

/** Sends the form. `reload` reads the page again, with the times and the form token of now. */
export function useRegistration(page: WebinarPage, reload: () => Promise<WebinarPage>, texts: Texts) {
  const [registered, setRegistered] = useState<Registered>();
  const [attempt, setAttempt] = useState<Attempt>({ isSending: false, problems: {}, failure: undefined });

  const show = (problems: Problems, failure?: string): void =>
    setAttempt({ isSending: false, problems, failure });

  async function send(answers: FormAnswers, sessionTime: string | undefined): Promise<void> {
    setAttempt({ isSending: true, problems: {}, failure: undefined });
    const input = (formToken: string): RegistrationPageInput => ({
      ...answers,
      ...readCampaign(location.search, { referrer: document.referrer, origin: location.origin }),
      ...(sessionTime !== undefined && { sessionTime }),
      timezone: localZone(),
      locale: navigator.language,
      formToken,
    });
    try {
      const answer = await post(page, input).catch(async (error: unknown) => {
        if (!(error instanceof CallFailure) || error.code !== 'form_expired') throw error;
        return post(await reload(), input);
      });
      setRegistered({ answer, email: answers.email, name: answers.name });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const problems = error.isTimeGone ? {} : issuesToProblems(error.issues, texts);
      const areShown = hasInputs(problems, page.form);
      show(problems, areShown ? undefined : failureText(error, texts));
      // A problem without an input comes from a field that the form has by now.
      if (error.isTimeGone || (error.issues.length > 0 && !areShown)) void reload().catch(() => undefined);
    }
  }

  return {
    ...attempt,
    registered,
    send,
    show,
    forget: () => setRegistered(undefined),
  };
}

async function post(
  { slug, serverNow, formToken }: WebinarPage,
  input: (formToken: string) => RegistrationPageInput,
): Promise<RegistrationPageOutput> {
  const waitMs = Date.parse(serverNow) + formAgeMinMs - clock.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  return call<RegistrationPageOutput>(`/w/${slug}/registrations`, input(formToken));
}
