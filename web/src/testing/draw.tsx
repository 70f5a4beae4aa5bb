import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { WhyProvider } from '../api/permissions/why.tsx'
import { mantineTheme } from '../ui/theme/mantine-theme.ts'

/** Draws a component as the shell would: with the theme, and with a place for menus and dialogs. */
export function draw(children: ReactNode) {
  return render(
    <MantineProvider theme={mantineTheme} env="test">
      <WhyProvider>{children}</WhyProvider>
      <div id="overlays" />
    </MantineProvider>,
  )
}
