import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const accent = Array.from({ length: 10 }, () => 'var(--acc)') as unknown as MantineColorsTuple

/** Mantine's scale on our tokens: the library asks for sizes and colours, tokens.css answers. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  primaryColor: 'accent',
  colors: { accent },
  defaultRadius: 'var(--radius)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  shadows: { xs: 'none', sm: 'none', md: 'none', lg: 'none', xl: 'none' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Input: {
      defaultProps: { size: 'sm' },
      styles: {
        input: { '--input-size': 'var(--control)', '--input-height': 'var(--control)', '--input-fz': 'var(--text)' },
      },
    },
    InputWrapper: {
      styles: {
        label: { fontSize: 'var(--text)', fontWeight: 500, marginBlockEnd: 4 },
        description: { fontSize: 'var(--text-s)' },
        error: { fontSize: 'var(--text-s)' },
      },
    },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: 120 } },
      styles: {
        content: { background: 'var(--panel)', border: '1px solid var(--line2)', borderRadius: 'var(--radius-l)' },
        header: { background: 'var(--panel)' },
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 100 } } },
    Menu: {
      defaultProps: {
        transitionProps: { duration: 100 },
        position: 'bottom-end',
        withInitialFocusPlaceholder: false,
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
    Tabs: { styles: { tab: { fontSize: 'var(--text)', paddingInline: 0, marginInlineEnd: 22 } } },
    Portal: { defaultProps: { target: '#overlays' } },
    Checkbox: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 'var(--text)' } } },
    Switch: { defaultProps: { size: 'sm' } },
  },
})

const variables: Record<string, string> = {
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-text': 'var(--t1)',
  '--mantine-color-bright': 'var(--t1)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--acc)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-default': 'var(--page)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--t1)',
  '--mantine-color-default-border': 'var(--line2)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--acc)',
  '--mantine-primary-color-filled-hover': 'var(--acc-hover)',
  '--mantine-primary-color-light': 'var(--accbg)',
  '--mantine-primary-color-light-hover': 'var(--accbg)',
  '--mantine-primary-color-light-color': 'var(--acc)',
  '--mantine-primary-color-contrast': 'var(--onacc)',
  '--mantine-color-accent-filled': 'var(--acc)',
  '--mantine-color-accent-filled-hover': 'var(--acc-hover)',
  '--mantine-color-accent-light': 'var(--accbg)',
  '--mantine-color-accent-light-color': 'var(--acc)',
  '--mantine-color-accent-text': 'var(--acc)',
  '--mantine-color-accent-contrast': 'var(--onacc)',
}

/** One mapping for both schemes: the tokens themselves change with the theme. */
export const mantineVariables: CSSVariablesResolver = () => ({ variables, light: variables, dark: variables })
