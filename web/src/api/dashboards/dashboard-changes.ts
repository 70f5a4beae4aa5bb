import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useLive } from '../live.ts'

/** Everything that is read of dashboards. */
export const dashboardsKey = ['dashboards'] as const

/** Hears of the person's own stars and Home. */
export function useLiveOwnDashboards() {
  const { me } = usePortal()
  useLive({ topic: 'ownDashboards', id: me().userId }, dashboardsKey)
}

/** Makes a change, and has dashboards read again, also when the server refuses: another browser may have been first. */
export function useDashboardChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardsKey }),
  })
}
