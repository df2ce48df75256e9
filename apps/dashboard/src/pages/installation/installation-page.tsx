export function InstallationPage() {
  return null;
}
