import { type Dashboard, type DashboardInput, dashboards } from '@quayside/contract/dashboards/endpoints'
import { dashboardHome, type HomeChoice } from '@quayside/contract/dashboards/home'
import { type ConfigurationInput, dashboardLibrary } from '@quayside/contract/dashboards/library'
import { dashboardPermissions } from '@quayside/contract/dashboards/permission-list'
import { configurationSorts, dashboardSorts } from '@quayside/contract/dashboards/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { orderOf } from '../lists/order.ts'
import { useLive } from '../live.ts'

const dashboardsKey = ['dashboards'] as const
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
  useLiveOwn()
}

function useLiveOwn() {
  const { me } = usePortal()
  useLive({ topic: 'ownDashboards', id: me().userId }, dashboardsKey)
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

/** Makes a change, and has dashboards read again, also when the server refuses: another browser may have been first. */
function useChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardsKey }),
  })
}

export const useCreateDashboard = () =>
  useChange((api, body: InputOf<typeof dashboards.createDashboard>['body']) =>
    call(api, dashboards.createDashboard, { body }),
  )

export const useSaveDashboard = (id: string) =>
  useChange(
    (api, body: DashboardInput): Promise<Dashboard> => call(api, dashboards.updateDashboard, { params: { id }, body }),
  )

export const useDeleteDashboard = () =>
  useChange((api, id: string) => call(api, dashboards.deleteDashboard, { params: { id } }))

export const useRestoreDashboard = () =>
  useChange((api, id: string) => call(api, dashboards.restoreDashboard, { params: { id } }))

export const useTakeOverDashboard = () =>
  useChange((api, id: string) => call(api, dashboards.takeOverDashboard, { params: { id } }))

export const useStarDashboard = () =>
  useChange((api, { id, starred }: { id: string; starred: boolean }) =>
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
  useChange((api, body: InputOf<typeof dashboardPermissions.addDashboardPermission>['body']) =>
    call(api, dashboardPermissions.addDashboardPermission, { params: { id }, body }),
  )

export const useChangeDashboardPermission = (id: string) =>
  useChange((api, body: InputOf<typeof dashboardPermissions.changeDashboardPermissions>['body']) =>
    call(api, dashboardPermissions.changeDashboardPermissions, { params: { id }, body }),
  )

export const useRemoveDashboardPermission = (id: string) =>
  useChange((api, pid: string) => call(api, dashboardPermissions.deleteDashboardPermission, { params: { id, pid } }))

export function useWidgets(search: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...dashboardsKey, 'widgets', search],
    queryFn: ({ signal }) => call(api, dashboardLibrary.listWidgets, { query: { search }, signal }),
    placeholderData: keepPreviousData,
  })
}

export const useKeepWidget = () =>
  useChange((api, body: InputOf<typeof dashboardLibrary.addWidget>['body']) =>
    call(api, dashboardLibrary.addWidget, { body }),
  )

export const useRemoveWidget = () =>
  useChange((api, id: string) => call(api, dashboardLibrary.removeWidget, { params: { id } }))

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
  useChange((api, body: ConfigurationInput) => call(api, dashboardLibrary.saveConfiguration, { body }))

export const useDeleteConfiguration = () =>
  useChange((api, id: string) => call(api, dashboardLibrary.deleteConfiguration, { params: { id } }))

export function useHome() {
  const { api } = usePortal()
  useLiveOwn()
  return useQuery({
    queryKey: [...dashboardsKey, 'home'],
    queryFn: ({ signal }) => call(api, dashboardHome.getHome, { signal }),
    retry: false,
  })
}

export const useChooseHome = () => useChange((api, body: HomeChoice) => call(api, dashboardHome.chooseHome, { body }))
