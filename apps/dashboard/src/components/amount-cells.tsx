import { Table } from '@mantine/core';
import { formatMoney } from '../money.ts';
import styles from './amount-cells.module.css';

/** The head of a column of amounts, above their last digits. */
export const AmountHead = ({ children }: { children: string }) => (
  <span className={styles['head']}>{children}</span>
);

/** A dash for an amount that does not exist. */
export const AmountCell = ({ minor, currency }: { minor: number | null; currency: string }) => (
  <Table.Td className={styles['amount']}>{minor === null ? '–' : formatMoney(minor, currency)}</Table.Td>
);
