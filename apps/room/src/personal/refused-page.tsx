import type { PersonalPageData } from '@service/attendees';
import { IconLinkOff, IconMailForward } from '@service/icons';
import { useId, useState } from 'react';
import { CallFailure, call } from '../page/page-call.ts';
import { Frame } from '../page/frame.tsx';
import { MessageCard } from '../page/message-card.tsx';
import { useTexts } from '../page/texts.tsx';
import { Unavailable } from '../page/unavailable.tsx';
import { Field } from '../page/field.tsx';
import styles from './refused-page.module.css';

type Code = Extract<PersonalPageData, { refusal: unknown }>['refusal']['code'];

/** The page of a join link that opens nothing, with the step that helps. */
export function RefusedPage({ code }: { code: Code }) {
  return (
    <Frame>
      {code === 'join_link_expired' ? <AskForLink /> : <Unavailable isMissing={code === 'not_found'} />}
    </Frame>
  );
}

function AskForLink() {
  const { problems, form, failures } = useTexts();
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [askedFor, setAskedFor] = useState<string>();
  const id = useId();

  async function ask(email: string): Promise<void> {
    if (isSending) return;
    if (email === '') return setProblem(form.required);
    setSending(true);
    setProblem(undefined);
    try {
      await call('/room/link-requests', { token: location.pathname.split('/')[2], email });
      setAskedFor(email);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setProblem(textOf(error));
    } finally {
      setSending(false);
    }
  }

  function textOf({ code, status, issues }: CallFailure): string {
    if (issues.length > 0) return form.notEmail;
    if (code === 'network') return failures.network;
    return status === 429 ? failures.busy : failures.unknown;
  }

  if (askedFor !== undefined)
    return (
      <MessageCard
        icon={<IconMailForward size={28} />}
        tone="brand"
        isAnswer
        title={problems.askedTitle}
        text={problems.askedText(askedFor)}
      />
    );
  return (
    <MessageCard
      icon={<IconLinkOff size={28} stroke={1.6} />}
      title={problems.linkTitle}
      text={problems.linkText}
    >
      <form
        className={styles['form']}
        noValidate
        aria-labelledby={id}
        onSubmit={(event) => {
          event.preventDefault();
          void ask((new FormData(event.currentTarget).get('email') as string).trim());
        }}
      >
        <h2 id={id}>{problems.askTitle}</h2>
        <Field name="email" label={form.email} type="email" required autoComplete="email" problem={problem} />
        <button
          type="submit"
          className="button"
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
        >
          {isSending && <span className="spinner" aria-hidden="true" />}
          {isSending ? problems.askSending : problems.askSubmit}
        </button>
      </form>
    </MessageCard>
  );
}
