import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { useWhy } from '../../api/permissions/why.tsx'
import { usePins } from '../../api/pins.tsx'
import { useNewestToken, usePortal } from '../../lib/portal.tsx'
import { usePreferences } from '../../lib/preferences.ts'
import { classNames } from '../../ui/marks/class-names.ts'
import { FootBar } from './foot-bar.tsx'
import { OfflineNote } from './offline-note.tsx'
import styles from './shell.module.css'
import { SideBar } from './side-bar/side-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useDeepLink } from './use-deep-link.ts'

const WizardHost = lazy(() =>
  import('../../features/deployments/wizard-host.tsx').then((module) => ({ default: module.WizardHost })),
)

const PinHost = lazy(() =>
  import('../../features/sidebar/pin-host.tsx').then((module) => ({ default: module.PinHost })),
)

const WhyHost = lazy(() =>
  import('../../features/permissions/why/why-host.tsx').then((module) => ({ default: module.WhyHost })),
)

/** The frame around every page. */
export function Shell() {
  const { live } = usePortal()
  useNewestToken()
  const { sideBar } = usePreferences()
  const { request } = useWizards()
  const pins = usePins()
  const why = useWhy()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [drawer, setDrawer] = useState<string>()
  useEffect(() => live.start(), [live])
  useDeepLink()
  // The drawer belongs to the page that it was opened on: going elsewhere closes it.
  const drawerOpen = drawer === path
  return (
    <div className={classNames(styles.shell, sideBar === 'icons' && styles.icons)}>
      <a href="#page" className={styles.skip}>
        Skip to content
      </a>
      <TopBar drawerOpen={drawerOpen} onDrawer={() => setDrawer(drawerOpen ? undefined : path)} />
      <SideBar drawerOpen={drawerOpen} onClose={() => setDrawer(undefined)} />
      <main id="page" className={styles.page} tabIndex={-1}>
        <OfflineNote />
        <Outlet />
        {/* Menus and dialogs of the component library hang here, inside the page's landmark. */}
        <div id="overlays" />
      </main>
      <FootBar />
      {pins.request !== undefined && (
        <Suspense>
          <PinHost />
        </Suspense>
      )}
      {why.question !== undefined && (
        <Suspense>
          <WhyHost />
        </Suspense>
      )}
      {request !== undefined && (
        <Suspense>
          <WizardHost />
        </Suspense>
      )}
    </div>
  )
}
