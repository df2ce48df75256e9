export function PageTab() {
  return null;
}
