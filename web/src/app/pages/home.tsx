import { Link } from '@tanstack/react-router'
import { useChooseHome, useHome } from '../../api/dashboards/dashboards.ts'
import { HomePage } from '../../features/home/home-page.tsx'
import { Button, buttonClass } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
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
  const { dashboard = null, offered = null } = home.data ?? {}
  const offer = offered !== null && (
    <PageHeader
      title={`${offered.displayName} is offered as your Home`}
      actions={
        <Button busy={choose.isPending} onClick={() => choose.mutate({ choice: 'dashboard', dashboardId: offered.id })}>
          Use it as my Home
        </Button>
      }
    />
  )
  if (dashboard === null)
    return (
      <>
        {offer}
        <HomePage />
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
              Use the page of the portal
            </Button>
          </>
        }
      />
      <HomeDashboard id={dashboard.id} />
    </>
  )
}
