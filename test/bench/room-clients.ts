// A client of the room protocol: visits, sends heartbeats, and knows the position by the times of their answers.
interface RoomClient extends Disposable {
  /** From the position of the server, in seconds. Throws when a call was refused. */
  distance(): number;
}

interface Visit {
  visitId: string;
  serverNow: string;
  session: { startsAt: string };
}

const beatEveryMs = 10_000;

/** Opens a visit. `address` is that of the page of the join link. */
export async function openRoomClient(address: string): Promise<RoomClient> {
  /** By performance.now(): the middle of the last call, and what the server's clock said then. */
  let clock = { atMs: 0, serverMs: 0 };
  let failure: unknown;
  const post = async <Answer extends { serverNow: string }>(path: string, body: object): Promise<Answer> => {
    const sentMs = performance.now();
    const answer = await fetch(`${address}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
    const data = JSON.parse(text) as Answer;
    clock = { atMs: (sentMs + performance.now()) / 2, serverMs: Date.parse(data.serverNow) };
    return data;
  };

  const { visitId, session } = await post<Visit>('visits', {});
  const startsAtMs = Date.parse(session.startsAt);
  const position = (): number => (clock.serverMs + performance.now() - clock.atMs - startsAtMs) / 1000;
  let seq = 0;
  let reported = 0;
  const beat = async (): Promise<void> => {
    const playheadSeconds = Math.max(0, position());
    const intervals = playheadSeconds > reported ? [[reported, playheadSeconds]] : [];
    reported = playheadSeconds;
    seq += 1;
    await post('heartbeats', { visitId, seq, playheadSeconds, intervals, state: 'playing' });
  };
  const timer = setInterval(() => void beat().catch((error: unknown) => (failure = error)), beatEveryMs);
  return {
    distance() {
      if (failure !== undefined) throw failure;
      return Math.abs(position() - (Date.now() - startsAtMs) / 1000);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
