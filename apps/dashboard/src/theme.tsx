// The theme on top of Mantine: one neutral scale, one accent, 8 px corners, 13-14 px text. Rules that variables cannot express are in theme.css.
import {
  createTheme,
  localStorageColorSchemeManager,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import type { ComponentProps, MouseEvent } from 'react';

const neutralLight = toShades(
  '#fafafb #f4f4f6 #ececf0 #e0e0e6 #cacad3 #a2a2af #6b6b79 #535360 #363640 #17171c',
);

const neutralDark = toShades(
  '#ececf0 #c4c4ce #9b9ba8 #70707d #34343d #2a2a32 #212127 #17171b #111114 #0b0b0d',
);

const accent = toShades('#eff1ff #dfe3fe #bfc7fb #9aa6f7 #7d8af3 #5563e6 #4451dc #3842bd #2e3798 #252d78');

const red = toShades('#fff1f2 #ffe0e2 #ffc7cb #ffa1a8 #ff7b83 #d93a40 #c92a37 #b0222f #8f1d28 #751c25');

/** Ten shades of a colour, from the lightest to the darkest, or the other way round for dark pages. */
function toShades(text: string): MantineColorsTuple {
  return text.split(' ') as unknown as MantineColorsTuple;
}

const fontFamily =
  '"Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** A click into a select in which one types marks the chosen text, so that the typed text replaces it. */
function selectText({ currentTarget: input }: MouseEvent<HTMLInputElement>): void {
  if (!input.readOnly) input.select();
}

/** Not a banner: a page has one, and a dialog above a drawer would be a second one. */
const dialogHeader = { defaultProps: { role: 'presentation' } };

export const theme = createTheme({
  colors: { gray: neutralLight, dark: neutralDark, accent, red },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  black: '#17171c',
  fontFamily,
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '14px' },
  defaultRadius: 'md',
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.3' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.5' },
    },
  },
  shadows: {
    md: '0 1px 2px rgb(0 0 0 / 0.06), 0 8px 24px -6px rgb(0 0 0 / 0.14)',
    xl: '0 2px 6px rgb(0 0 0 / 0.08), 0 24px 56px -12px rgb(0 0 0 / 0.28)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', component: ButtonElement } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    PasswordInput: {
      defaultProps: {
        size: 'sm',
        visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 },
      },
    },
    Select: {
      defaultProps: {
        size: 'sm',
        checkIconPosition: 'right',
        clearButtonProps: clearButtonProps('Clear'),
        onClick: selectText,
      },
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 28, component: ButtonElement },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 250,
        transitionProps: { duration: 90 },
        events: { hover: true, focus: true, touch: true },
      },
    },
    Modal: {
      defaultProps: {
        shadow: 'xl',
        overlayProps: { backgroundOpacity: 0.4 },
        transitionProps: { transition: 'pop', duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 'lg',
        shadow: 'xl',
        overlayProps: { backgroundOpacity: 0.25 },
        transitionProps: { duration: 150 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    ModalHeader: dialogHeader,
    DrawerHeader: dialogHeader,
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 90 } } },
    // The corners of a field would make a box of 16 px almost round, like a radio button.
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
  },
});

/**
 * The same roles in both schemes, so that pages do not depend on the scheme. Each tone has a contrast of at least 4.5 as text on
 * the body, on a row under the pointer and on a pill of its own colour.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#17171c',
    '--mantine-color-dimmed': '#636370',
    '--mantine-color-placeholder': '#747481',
    '--check-border': '#8a8a97',
    '--mantine-color-default-border': '#e0e0e6',
    '--surface-sunken': '#f7f7f9',
    '--surface-hover': '#f4f4f6',
    '--surface-active': '#ececf1',
    '--line': '#e8e8ed',
    '--link': '#3842bd',
    '--tone-good': '#0f6b3d',
    '--tone-warn': '#924806',
    '--tone-bad': '#b01f2d',
    '--mantine-color-error': '#b01f2d',
    '--tone-info': '#3f4cd2',
    '--tone-quiet': '#5c5c68',
  },
  dark: {
    '--mantine-color-body': '#131316',
    '--mantine-color-text': '#ececf0',
    '--mantine-color-dimmed': '#9b9ba8',
    '--mantine-color-placeholder': '#8a8a97',
    '--check-border': '#70707d',
    '--mantine-color-default': '#1b1b20',
    '--mantine-color-default-hover': '#232329',
    '--mantine-color-default-border': '#33333c',
    '--surface-sunken': '#0d0d10',
    '--surface-hover': '#1c1c21',
    '--surface-active': '#26262d',
    '--line': '#26262c',
    '--link': '#9aa6f7',
    '--tone-good': '#4ec78b',
    '--tone-warn': '#f0a742',
    '--tone-bad': '#ff7b83',
    '--mantine-color-error': '#ff7b83',
    '--tone-info': '#8f9bf6',
    '--tone-quiet': '#a5a5b1',
  },
});

/** public/color-scheme.js reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

interface ButtonElementProps extends ComponentProps<'button'> {
  /** Mantine sets it while `loading` is true. */
  'data-loading'?: boolean;
}

/**
 * The element of every Button and ActionIcon. Mantine disables a button that loads, and a browser takes the focus from a disabled
 * element. This element stays enabled while it loads, is busy for screen readers, and ignores clicks. A browser makes a click of Enter
 * and Space, and of Enter in a field of the form, so nothing is sent twice.
 */
function ButtonElement({ type = 'button', ...props }: ButtonElementProps) {
  const loading = props['data-loading'] ? whileLoading : {};
  return <button type={type} {...props} {...loading} />;
}

const whileLoading = { disabled: false, 'aria-disabled': true, 'aria-busy': true, onClick: ignore };

function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Of a Select with `clearable`. Mantine hides its clear button from the keyboard and from screen readers. */
export function clearButtonProps(label: string) {
  return {
    'aria-label': label,
    'aria-hidden': false,
    tabIndex: 0,
    // The smallest target of WCAG 2.2.
    size: '24px',
    // The button goes with the value, and would take the focus with it.
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) =>
      currentTarget.closest('.mantine-Input-wrapper')?.querySelector('input')?.focus(),
  };
}
