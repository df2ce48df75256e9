import { Table, UnstyledButton, type TableTrProps, type UnstyledButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import styles from './open-row.module.css';

/**
 * A row that opens what it shows: the area of its `OpenButton`, or of a link with the class `open`, covers it. Times and cut texts
 * lie above that area for their tooltips, so a click on them is passed on.
 */
export const OpenRow = (props: TableTrProps) => (
  <Table.Tr {...props} className={styles['row']} onClick={passOn} />
);

interface OpenButtonProps extends UnstyledButtonProps {
  onClick: () => void;
  children: ReactNode;
}

/** The button of a row. */
export const OpenButton = (props: OpenButtonProps) => (
  <UnstyledButton {...props} className={styles['open']} />
);

function passOn({ target, currentTarget, nativeEvent }: MouseEvent): void {
  // The click also comes from menus of the row, which are elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (!target.closest('time, [title]') || target.closest('a, button')) return;
  // A text was selected.
  if (document.getSelection()?.isCollapsed === false) return;
  // With its keys, such as Control, which opens a link in another tab.
  currentTarget.querySelector(`.${styles['open']}`)?.dispatchEvent(new MouseEvent('click', nativeEvent));
}
