import { type Dashboard, type DashboardInput, dashboards } from '@quayside/contract/dashboards/endpoints'
import { type ConfigurationInput, dashboardLibrary } from '@quayside/contract/dashboards/library'
import { dashboardPermissions } from '@quayside/contract/dashboards/permission-list'
import { configurationSorts, dashboardSorts } from '@quayside/contract/dashboards/sorts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { orderOf } from '../lists/order.ts'
import { useLive } from '../live.ts'
import { dashboardsKey, useDashboardChange, useLiveOwnDashboards } from './dashboard-changes.ts'

const perPage = 50

/** A page of the dashboards that the person sees. */
export const fetchDashboards = (api: Api, query: object, signal: AbortSignal) =>
  call(api, dashboards.listDashboards, { query, signal })

interface Filters {
  q: string
  tag: string | undefined
  owner: string | undefined
  starred: string | undefined
  deleted: string | undefined
  orphaned: string | undefined
}

/** Hears of dashboards that change for anybody, and of the person's own stars and Home. */
function useLiveDashboards() {
  useLive({ topic: 'dashboards' }, dashboardsKey)
  useLiveOwnDashboards()
}

export function useDashboards({ q, ...filters }: Filters, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLiveDashboards()
  const query = { search: q, filters, sort: orderOf(sort, dashboardSorts), page: { skip, limit: perPage } }
  return useQuery({
    queryKey: [...dashboardsKey, 'list', q, filters, sort, skip],
    queryFn: ({ signal }) => fetchDashboards(api, query, signal),
    placeholderData: keepPreviousData,
  })
}

export function useDashboardTags() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...dashboardsKey, 'tags'],
    queryFn: async ({ signal }) => (await call(api, dashboards.listDashboardTags, { signal })).data,
  })
}

export function useDashboard(id: string) {
  const { api } = usePortal()
  useLiveDashboards()
  return useQuery({
    queryKey: [...dashboardsKey, 'one', id],
    queryFn: ({ signal }) => call(api, dashboards.getDashboard, { params: { id }, signal }),
  })
}

export const useCreateDashboard = () =>
  useDashboardChange((api, body: InputOf<typeof dashboards.createDashboard>['body']) =>
    call(api, dashboards.createDashboard, { body }),
  )

export const useSaveDashboard = (id: string) =>
  useDashboardChange(
    (api, body: DashboardInput): Promise<Dashboard> => call(api, dashboards.updateDashboard, { params: { id }, body }),
  )

export const useDeleteDashboard = () =>
  useDashboardChange((api, id: string) => call(api, dashboards.deleteDashboard, { params: { id } }))

export const useRestoreDashboard = () =>
  useDashboardChange((api, id: string) => call(api, dashboards.restoreDashboard, { params: { id } }))

export const useTakeOverDashboard = () =>
  useDashboardChange((api, id: string) => call(api, dashboards.takeOverDashboard, { params: { id } }))

export const useStarDashboard = () =>
  useDashboardChange((api, { id, starred }: { id: string; starred: boolean }) =>
    call(api, dashboards.starDashboard, { params: { id }, body: { starred } }),
  )

export function useDashboardPermissions(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...dashboardsKey, 'permissions', id],
    queryFn: async ({ signal }) =>
      (await call(api, dashboardPermissions.listDashboardPermissions, { params: { id }, signal })).data,
  })
}

export const useAddDashboardPermission = (id: string) =>
  useDashboardChange((api, body: InputOf<typeof dashboardPermissions.addDashboardPermission>['body']) =>
    call(api, dashboardPermissions.addDashboardPermission, { params: { id }, body }),
  )

export const useChangeDashboardPermission = (id: string) =>
  useDashboardChange((api, body: InputOf<typeof dashboardPermissions.changeDashboardPermissions>['body']) =>
    call(api, dashboardPermissions.changeDashboardPermissions, { params: { id }, body }),
  )

export const useRemoveDashboardPermission = (id: string) =>
  useDashboardChange((api, pid: string) =>
    call(api, dashboardPermissions.deleteDashboardPermission, { params: { id, pid } }),
  )

export function useWidgets(search: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...dashboardsKey, 'widgets', search],
    queryFn: ({ signal }) => call(api, dashboardLibrary.listWidgets, { query: { search }, signal }),
    placeholderData: keepPreviousData,
  })
}

export const useKeepWidget = () =>
  useDashboardChange((api, body: InputOf<typeof dashboardLibrary.addWidget>['body']) =>
    call(api, dashboardLibrary.addWidget, { body }),
  )

export const useRemoveWidget = () =>
  useDashboardChange((api, id: string) => call(api, dashboardLibrary.removeWidget, { params: { id } }))

interface ConfigurationFilters {
  q: string
  kind: string | undefined
}

export function useConfigurations({ q, kind }: ConfigurationFilters, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLive({ topic: 'dashboards' }, dashboardsKey)
  const query = {
    search: q,
    filters: { kind },
    sort: orderOf(sort, configurationSorts),
    page: { skip, limit: perPage },
  }
  return useQuery({
    queryKey: [...dashboardsKey, 'configurations', q, kind, sort, skip],
    queryFn: ({ signal }) => call(api, dashboardLibrary.listConfigurations, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const useSaveConfiguration = () =>
  useDashboardChange((api, body: ConfigurationInput) => call(api, dashboardLibrary.saveConfiguration, { body }))

export const useDeleteConfiguration = () =>
  useDashboardChange((api, id: string) => call(api, dashboardLibrary.deleteConfiguration, { params: { id } }))
