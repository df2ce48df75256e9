// The stream of changes, as a page of the dashboard reads it.
import type { Topic } from '@service/catalogue';
import { eventually } from './eventually.ts';
import type { TestApi } from './api.ts';

type Changed = Partial<Record<Topic, string[]>>;

export interface TestStream extends AsyncDisposable {
  headers: Headers;
  /** All messages so far. */
  messages: { id: string; changed?: Changed | 'everything'; ended?: string }[];
  /** The code of the refusal. */
  refusal(): string | undefined;
  /** True after the service has ended the connection. */
  isClosed(): boolean;
  /** Waits for a change of a topic after `from` messages; its webinars. */
  untilChanged(topic: Topic, from?: number): Promise<string[]>;
  /** Waits for the last message; its reason. */
  untilEnded(): Promise<string>;
}

interface StreamOptions {
  cookie: string;
  accountId: string;
  ageMs?: number;
  lastEventId?: string;
  headers?: Record<string, string>;
}

const codeOf = (answer: unknown): string => (answer as { error: { data: { code: string } } }).error.data.code;

export async function openStream(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  { cookie, accountId, ageMs = 0, lastEventId, headers }: StreamOptions,
): Promise<TestStream> {
  const url = new URL(`${baseUrl}/trpc/accounts.stream`);
  url.searchParams.set('input', JSON.stringify({ ageMs }));
  url.searchParams.set('connectionParams', JSON.stringify({ workspaceId: accountId }));
  const closing = new AbortController();
  const response = await fetch(url, {
    signal: closing.signal,
    headers: {
      cookie,
      Accept: 'text/event-stream',
      ...(lastEventId && { 'Last-Event-ID': lastEventId }),
      ...headers,
    },
  });
  const messages: TestStream['messages'] = [];
  // A refusal before the stream begins is one answer in JSON.
  let refusal = response.ok ? undefined : codeOf(await response.clone().json());
  let isClosed = false;
  const onEvent = (text: string): void => {
    const fields = Object.fromEntries(
      text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (fields['event'] === 'serialized-error') refusal = JSON.parse(fields['data']!).data.code;
    if (fields['event'] === undefined && fields['data'])
      messages.push({ id: fields['id']!, ...JSON.parse(fields['data']) });
  };
  const reading = readEvents(response.body!, onEvent)
    .catch(() => undefined)
    .finally(() => (isClosed = true));

  return {
    headers: response.headers,
    messages,
    refusal: () => refusal,
    isClosed: () => isClosed,
    untilChanged: (topic, from = 0) =>
      eventually(`a change of ${topic}`, async () => {
        for (const { changed } of messages.slice(from))
          if (changed && changed !== 'everything' && changed[topic]) return changed[topic];
        return undefined;
      }),
    untilEnded: () => eventually('the end of the stream', async () => messages.at(-1)?.ended),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await reading;
    },
  };
}

async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (text: string) => void): Promise<void> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) if (event.trim() !== '') onEvent(event.trim());
  }
}
