import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { WizardsProvider } from '../api/deployments/wizards.tsx'
import { WhyProvider } from '../api/permissions/why.tsx'
import { PinsProvider } from '../api/pins.tsx'
import { type Portal, PortalProvider } from '../lib/portal.tsx'
import { schemeOf, usePreferences } from '../lib/preferences.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { ConfirmProvider } from '../ui/actions/confirm.tsx'
import { mantineTheme, mantineVariables } from '../ui/theme/mantine-theme.ts'
import { createAppRouter } from './router.tsx'

export function App({ portal }: { portal: Portal }) {
  const { theme, direction } = usePreferences()
  const [queries] = useState(createQueryClient)
  const [router] = useState(() => createAppRouter(portal))
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <FollowDirection direction={direction} />
      <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} forceColorScheme={schemeOf(theme)}>
        <QueryClientProvider client={queries}>
          <PortalProvider value={portal}>
            <ConfirmProvider>
              <WizardsProvider>
                <PinsProvider>
                  <WhyProvider>
                    <RouterProvider router={router} />
                  </WhyProvider>
                </PinsProvider>
              </WizardsProvider>
            </ConfirmProvider>
          </PortalProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** Tells the component library about a changed direction without drawing the pages anew: open forms keep their text. */
function FollowDirection({ direction }: { direction: 'ltr' | 'rtl' }) {
  const { setDirection } = useDirection()
  useEffect(() => setDirection(direction), [direction, setDirection])
  return null
}
