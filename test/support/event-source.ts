// A listener of server-sent events like a browser's, without automatic reconnects.
export interface EventListener extends AsyncDisposable {
  /** The data of each event, in order. */
  items: Record<string, unknown>[];
  /** Everything that came, as text. */
  text(): string;
  /** For the next connection. */
  lastEventId(): string;
  /** `ended` by the server, or `cut` off. */
  state(): 'open' | 'ended' | 'cut';
  headers: Headers;
}

export interface Refused {
  status: number;
  headers: Headers;
  json: { code: string };
}

/** Throws the refusal of a server that does not answer with a stream. */
export async function listenTo(url: string, lastEventId?: string): Promise<EventListener> {
  const going = new AbortController();
  const response = await fetch(url, {
    headers: {
      Accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    signal: going.signal,
  });
  if (response.status !== 200 || !response.body) {
    const json = (await response.json()) as Refused['json'];
    const refused: Refused = { status: response.status, headers: response.headers, json };
    throw Object.assign(new Error(`Refused with ${response.status}`), refused);
  }
  const items: Record<string, unknown>[] = [];
  let text = '';
  let rest = '';
  let id = lastEventId ?? '';
  let state: ReturnType<EventListener['state']> = 'open';

  const take = (event: string): void => {
    const data: string[] = [];
    for (const line of event.split('\n')) {
      if (line.startsWith('id: ')) id = line.slice('id: '.length);
      if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
    }
    if (data.length > 0) items.push(JSON.parse(data.join('\n')));
  };

  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const events = (rest + piece).split('\n\n');
      rest = events.pop()!;
      for (const event of events) take(event);
    }
  };
  const reading = read(response.body as ReadableStream<Uint8Array>).then(
    () => (state = 'ended'),
    () => (state = 'cut'),
  );

  return {
    items,
    text: () => text,
    lastEventId: () => id,
    state: () => state,
    headers: response.headers,
    async [Symbol.asyncDispose]() {
      going.abort();
      await reading;
    },
  };
}
