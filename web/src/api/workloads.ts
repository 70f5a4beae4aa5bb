import { clusters, log } from '@quayside/contract/clusters/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type ReplyOf, stream } from './client.ts'

type Read =
  | typeof clusters.overview
  | typeof clusters.pods
  | typeof clusters.deployments
  | typeof clusters.pvcs
  | typeof clusters.services
  | typeof clusters.serviceAccounts
  | typeof clusters.appEvents

/** One part of an app's workload in the cluster; the server announces when it has changed. */
function useWorkload<E extends Read>(appId: string, part: string, endpoint: E) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['workloads', appId, part],
    queryFn: () => call<Read>(api, endpoint, { params: { id: appId } }) as Promise<ReplyOf<E>>,
    placeholderData: keepPreviousData,
  })
}

export const useOverview = (appId: string) => useWorkload(appId, 'overview', clusters.overview)
export const usePods = (appId: string) => useWorkload(appId, 'pods', clusters.pods)
export const useWorkloads = (appId: string) => useWorkload(appId, 'deployments', clusters.deployments)
export const usePvcs = (appId: string) => useWorkload(appId, 'pvcs', clusters.pvcs)
export const useServices = (appId: string) => useWorkload(appId, 'services', clusters.services)
export const useServiceAccounts = (appId: string) => useWorkload(appId, 'serviceAccounts', clusters.serviceAccounts)
export const useAppEvents = (appId: string) => useWorkload(appId, 'events', clusters.appEvents)

/** Deletes a pod of an app; what owns it starts a new one. */
export const deletePod = (api: Api, appId: string, namespace: string, pod: string) =>
  call(api, clusters.deletePod, { params: { appId, namespace, pod } })

interface PodLog {
  appId: string
  pod: string
  container: string | undefined
  previous: boolean
  follow: boolean
}

/** The log of a pod as text, as it comes. */
export async function readPodLog(api: Api, wanted: PodLog, signal: AbortSignal) {
  const { appId, pod, container, previous, follow } = wanted
  const query = {
    container,
    previous: previous ? 'true' : 'false',
    follow: follow && !previous ? 'true' : 'false',
    tailLines: 1000,
  } as const
  const { body } = await stream(api, log.podLog, { params: { id: appId, pod }, query, signal })
  return (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream()).getReader()
}
