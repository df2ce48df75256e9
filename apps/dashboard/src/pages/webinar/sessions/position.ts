// A position in the video as people write it.

const pattern = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)$/;

/** 3725 -> "1:02:05", 65 -> "1:05" */
export function formatPosition(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/** "1:02:05", "62:05" and "3725" are all 3725 seconds. Undefined for another text. */
export function parsePosition(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,5}$/.test(trimmed)) return Number(trimmed);
  const match = pattern.exec(trimmed);
  if (!match) return undefined;
  const [, hours = '0', minutes, seconds] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
