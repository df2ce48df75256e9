// React's type of `style` does not know custom properties, which CSS modules read.
import 'react';

declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
