// The figures of an API process in `/metrics`.

export interface ProcessFigures {
  descriptors: number;
  connections: number;
  unsentBytes: number;
  residentMegabytes: number;
  /** Connections that a limit has ended, by the limit. */
  ended: Record<string, number>;
}

export async function readFigures(origin: string): Promise<ProcessFigures> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
  const ended = [...text.matchAll(/^http_connections_ended_total\{reason="(\w+)"\} (\d+)$/gm)];
  return {
    descriptors: valueOf('process_open_fds'),
    connections: valueOf('http_connections'),
    unsentBytes: valueOf('http_unsent_bytes'),
    residentMegabytes: Math.round(valueOf('process_resident_memory_bytes') / 1024 / 1024),
    ended: Object.fromEntries(ended.map(([, reason, count]) => [reason!, Number(count)])),
  };
}
