// Intl is no source for these digits: it has those of cash, and they differ between versions of Node and of browsers. So an amount in
// HUF or IDR would be a hundred times as large as it is. https://www.six-group.com/en/products-services/financial-information/data-standards.html

const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

/** The digits of a currency after the decimal point, by ISO 4217: 2 for EUR, 0 for JPY, 3 for KWD. `code` is in upper case. */
export const currencyDigits = (code: string): number =>
  without.includes(code) ? 0 : withThree.includes(code) ? 3 : 2;
