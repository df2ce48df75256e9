/** The value that the server wrote into the page. */
export function readPageData(): unknown {
  const element = document.getElementById('page-data');
  if (!element) throw new Error('The page has no #page-data');
  return JSON.parse(element.textContent);
}
