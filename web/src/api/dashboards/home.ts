import { dashboardHome, type HomeChoice } from '@quayside/contract/dashboards/home'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { dashboardsKey, useDashboardChange, useLiveOwnDashboards } from './dashboard-changes.ts'

/** The dashboard that the person or the tenant has chosen as Home. */
export function useHome() {
  const { api } = usePortal()
  useLiveOwnDashboards()
  return useQuery({
    queryKey: [...dashboardsKey, 'home'],
    queryFn: ({ signal }) => call(api, dashboardHome.getHome, { signal }),
    retry: false,
  })
}

export const useChooseHome = () =>
  useDashboardChange((api, body: HomeChoice) => call(api, dashboardHome.chooseHome, { body }))
