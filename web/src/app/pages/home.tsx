import type { Home as HomeAnswer } from '@quayside/contract/dashboards/home'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChooseHome, useHome } from '../../api/dashboards/home.ts'
import { HomePage } from '../../features/home/home-page.tsx'
import { keep, readKept } from '../../lib/kept-json.ts'
import { usePortal } from '../../lib/portal.tsx'
import { Button, buttonClass } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { AlertNote } from '../../ui/states/alert-note.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'

const HomeDashboard = lazily(
  () => import('../../features/dashboards/home-dashboard.tsx').then((module) => module.HomeDashboard),
  <Loading />,
)

/** Home: the dashboard that the person or the tenant has chosen, else the page of the portal. */
export function Home() {
  const home = useHome()
  const choose = useChooseHome()
  if (home.isPending) return <Loading />
  const { dashboard = null, offered = null, reason = 'none' } = home.data ?? {}
  const followTenant = reason === 'own' && (
    <Button busy={choose.isPending} onClick={() => choose.mutate({ choice: 'default' })}>
      Use the Home of my tenant
    </Button>
  )
  const offer = offered !== null && <Offer offered={offered} />
  if (dashboard === null)
    return (
      <>
        {offer}
        <HomePage actions={followTenant || undefined} />
      </>
    )
  return (
    <>
      {offer}
      <PageHeader
        title={dashboard.displayName}
        actions={
          <>
            <Link to="/dashboards/$dashboardId" params={{ dashboardId: dashboard.id }} className={buttonClass()}>
              Open dashboard
            </Link>
            <Button busy={choose.isPending} onClick={() => choose.mutate({ choice: 'portal' })}>
              Use the portal's own page
            </Button>
            {followTenant}
          </>
        }
      />
      <HomeDashboard id={dashboard.id} />
    </>
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The default of the tenant, to be taken as Home or declined; this browser remembers that it was declined. */
function Offer({ offered: { id, displayName } }: { offered: NonNullable<HomeAnswer['offered']> }) {
  const key = `declined home ${usePortal().me().userId}`
  const [declined, setDeclined] = useState(() => readKept(key, isText))
  const choose = useChooseHome()
  if (declined === id) return null
  const decline = () => {
    keep(key, id)
    setDeclined(id)
  }
  return (
    <AlertNote
      tone="warn"
      title={
        <>
          <bdi>{displayName}</bdi> is offered as your Home
        </>
      }
      action={
        <>
          <Button busy={choose.isPending} onClick={() => choose.mutate({ choice: 'dashboard', dashboardId: id })}>
            Use it as my Home
          </Button>
          <Button onClick={decline}>No, thanks</Button>
        </>
      }
    >
      <p>Your tenant recommends this dashboard as the first page. You can change it at any time.</p>
    </AlertNote>
  )
}
