/** Converts the first bytes of a body to text for Postgres: UTF-8 without an incomplete last character and without NUL. */
export function bytesToSnippet(bytes: Buffer, truncated: boolean): string {
  const whole = truncated ? bytes.subarray(0, endOfLastCharacter(bytes)) : bytes;
  const text = whole.toString('utf8');
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function endOfLastCharacter(bytes: Buffer): number {
  // A UTF-8 character has at most four bytes. All but the first are 10xxxxxx (RFC 3629).
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_0000) return 4;
  if (firstByte >= 0b1110_0000) return 3;
  return firstByte >= 0b1100_0000 ? 2 : 1;
}
