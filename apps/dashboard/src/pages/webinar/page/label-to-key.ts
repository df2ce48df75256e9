const lengthMax = 40;

/** The key of an answer, made from the label of its field: "Company size?" becomes `company_size`. Other fields keep their keys. */
export function labelToKey(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, lengthMax)
    .replace(/_+$/, '');
  const base = words || 'field';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const numbered = `${base.slice(0, lengthMax - 4)}_${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
