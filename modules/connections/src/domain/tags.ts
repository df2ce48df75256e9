const tagsMax = 50;

/** The tags of a DKIM or DMARC record, `a=1; b=2`, by lower-case name. Undefined for another text, and when a tag appears twice. */
export function readTags(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of record.split(';').slice(0, tagsMax)) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*([a-z]\w*)\s*=([^]*)$/i.exec(part) ?? [];
    if (name === undefined || tags.has(name.toLowerCase())) return undefined;
    tags.set(name.toLowerCase(), value!.trim());
  }
  return tags;
}
