import { Skeleton, Stack, type StackProps } from '@mantine/core';

/** The place of a tab or panel while it loads: the height of each part, and its width if it is narrower, in pixels. */
export const Skeletons = ({
  parts,
  ...stack
}: StackProps & { parts: readonly (readonly [height: number, width?: number])[] }) => (
  <Stack aria-busy {...stack}>
    {parts.map(([height, width = '100%'], index) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts never move
      <Skeleton key={index} height={height} width={width} />
    ))}
  </Stack>
);
