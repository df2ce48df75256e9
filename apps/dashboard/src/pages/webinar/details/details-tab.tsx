export function DetailsTab() {
  return null;
}
